#include "algorithms/lee_code/lee_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace gossamer {
namespace {

std::optional<std::string> refuses(const Request& request) {
  const Collective collective = request.collective;
  const bool gossips = collective == Collective::Gossip;
  if (!gossips && (!has_root(collective) || reduces(collective))) {
    return fmt::format("lee-code serves gossip, broadcast, scatter and gather, not {}",
                       to_string(collective));
  }
  if (request.ports != PortModel::All || request.duplex != Duplex::Full) {
    return "lee-code uses all ports in full duplex: ask for these";
  }
  if (!request.cycle.empty()) return "lee-code takes no cycle";
  if (gossips && lee_code::choose(request.topology).code == nullptr) {
    return fmt::format(
        "lee-code needs a ring or a torus around a perfect code, with sides that are multiples of "
        "3 "
        "(1 or 4 dimensions), 5 (2 dimensions) or 7 (3 dimensions); {} is none",
        request.topology.spec());
  }
  if (lee_code::sides_of(request.topology).empty()) {
    return fmt::format("lee-code needs a ring or a torus; {} is none", request.topology.spec());
  }
  return std::nullopt;
}

/// And of a scatter and a gather.
Formula formula_of_broadcast(const lee_code::Choice& choice) {
  std::vector<std::string> terms;
  if (choice.code != nullptr) {
    terms.push_back(fmt::format("{}*{}", 1 + choice.code->gossip.size(), choice.levels));
  }
  for (const Node side : choice.coarse) {
    if (side > 1) terms.push_back(fmt::format("ceil(log3 {})", side));
  }
  return {fmt::format("{}", fmt::join(terms, " + ")), lee_code::broadcast_round_count(choice)};
}

Formula formula(const Request& request) {
  if (request.collective != Collective::Gossip) {
    return formula_of_broadcast(lee_code::choose_for_broadcast(request.topology));
  }
  const lee_code::Choice choice = lee_code::choose(request.topology);
  const unsigned a_level = 2 + static_cast<unsigned>(choice.code->gossip.size());
  const std::uint64_t coarse = lee_code::coarse_round_count(choice.coarse);
  const std::uint64_t levels = std::uint64_t{a_level} * choice.levels;
  std::string text = fmt::format("{}*{}", a_level, choice.levels);
  if (coarse > 0) {
    text += fmt::format(" + {} on {}", coarse, fmt::join(choice.coarse, "x"));
  }
  return {text, levels + coarse, lee_code::cost(lee_code::steps(choice)).delta_sum};
}

/// What each call of a scatter passes on, which is all for the node called and for whom it calls.
std::vector<std::vector<std::vector<Message>>> scattered(
    const std::vector<std::vector<lee_code::Call>>& rounds, Node root, Node nodes) {
  std::vector<std::vector<std::vector<Message>>> passed(rounds.size());
  std::vector<std::vector<Node>> behind(nodes);
  for (std::size_t r = rounds.size(); r-- > 0;) {
    for (const lee_code::Call& path : rounds[r]) {
      std::vector<Node> further = std::move(behind[path.back()]);
      further.push_back(path.back());
      std::vector<Message>& messages = passed[r].emplace_back();
      for (const Node y : further) messages.push_back({root, y});
      std::vector<Node>& here = behind[path.front()];
      here.insert(here.end(), further.begin(), further.end());
    }
  }
  return passed;
}

/// One phase. A gather is the calls backwards, with all that has come.
Schedule broadcast(const Request& request) {
  Schedule schedule = empty_schedule(
      request, {PortModel::All, Duplex::Full, Switching::Circuit, /*combining=*/true});
  const Topology& topology = request.topology;
  auto rounds =
      lee_code::broadcast_calls(topology, lee_code::choose_for_broadcast(topology), request.root);
  const bool scatters = request.collective == Collective::Scatter;
  const bool backwards = request.collective == Collective::Gather;
  const auto passed = scatters ? scattered(rounds, request.root, topology.nodes())
                               : decltype(scattered(rounds, 0, 0)){};
  if (backwards) std::ranges::reverse(rounds);
  for (std::uint32_t r = 0; r < rounds.size(); ++r) {
    for (std::size_t i = 0; i < rounds[r].size(); ++i) {
      lee_code::Call& path = rounds[r][i];
      if (backwards) std::ranges::reverse(path);
      if (scatters) {
        schedule.add(r + 1, path, passed[r][i]);
      } else {
        schedule.add_everything(r + 1, path);
      }
    }
  }
  return schedule;
}

Schedule plan(const Request& request) {
  Schedule schedule =
      request.collective == Collective::Gossip
          ? lee_code::schedule_of(request.topology, lee_code::choose(request.topology))
          : broadcast(request);
  schedule.algorithm = kLeeCode.name;
  return schedule;
}

}  // namespace

const Algorithm kLeeCode = {
    .name = "lee-code",
    .source = "ours",
    .summary =
        "gossip on tori around a perfect Lee code, such as 5^i x 5^i; broadcast, scatter, "
        "gather on any torus; all ports, circuits",
    .serves =
        every({Collective::Gossip, Collective::Broadcast, Collective::Scatter, Collective::Gather},
              {PortModel::All}, {Duplex::Full}),
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
    .switching = Switching::Circuit,
    .combining = true,
};

}  // namespace gossamer
