#include "algorithms/lee_code/lee_code.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gossamer {
namespace {

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::Gossip && request.collective != Collective::Broadcast &&
      request.collective != Collective::Gather) {
    return fmt::format("lee-code serves gossip, broadcast and gather, not {}",
                       to_string(request.collective));
  }
  if (request.ports != PortModel::All || request.duplex != Duplex::Full) {
    return "lee-code uses all ports in full duplex: ask for these";
  }
  if (!request.cycle.empty()) return "lee-code takes no cycle: use hamiltonian";
  if (lee_code::choose(request.topology).code == nullptr) {
    return fmt::format(
        "lee-code needs a ring or a torus around a perfect code, with sides that are multiples of "
        "3 "
        "(1 or 4 dimensions), 5 (2 dimensions) or 7 (3 dimensions); {} is none",
        request.topology.spec());
  }
  return std::nullopt;
}

/// And of a gather.
Formula formula_of_broadcast(const lee_code::Choice& choice) {
  std::string text = fmt::format("{}*{}", 1 + choice.code->gossip.size(), choice.levels);
  for (const Node side : choice.coarse) {
    if (side > 1) text += fmt::format(" + ceil(log3 {})", side);
  }
  return {text, lee_code::broadcast_round_count(choice)};
}

Formula formula(const Request& request) {
  const lee_code::Choice choice = lee_code::choose(request.topology);
  if (request.collective != Collective::Gossip) return formula_of_broadcast(choice);
  const unsigned a_level = 2 + static_cast<unsigned>(choice.code->gossip.size());
  const std::uint64_t coarse = lee_code::coarse_round_count(choice.coarse);
  const std::uint64_t levels = std::uint64_t{a_level} * choice.levels;
  std::string text = fmt::format("{}*{}", a_level, choice.levels);
  if (coarse > 0) {
    text += fmt::format(" + {} on {}", coarse, fmt::join(choice.coarse, "x"));
  }
  return {text, levels + coarse, lee_code::cost(lee_code::steps(choice)).delta_sum};
}

/// Or a gather: the calls backwards, with all that has come.
Schedule broadcast(const Request& request, const lee_code::Choice& choice) {
  Schedule schedule = empty_schedule(
      request, {PortModel::All, Duplex::Full, Switching::Circuit, /*combining=*/true});
  auto rounds = lee_code::broadcast_calls(request.topology, choice, request.root);
  const bool backwards = request.collective == Collective::Gather;
  if (backwards) std::ranges::reverse(rounds);
  std::uint32_t round = 0;
  for (std::vector<lee_code::Call>& calls : rounds) {
    ++round;
    for (lee_code::Call& path : calls) {
      if (backwards) std::ranges::reverse(path);
      schedule.add_everything(round, path);
    }
  }
  return schedule;
}

Schedule plan(const Request& request) {
  const lee_code::Choice choice = lee_code::choose(request.topology);
  Schedule schedule = request.collective == Collective::Gossip
                          ? lee_code::schedule_of(request.topology, choice)
                          : broadcast(request, choice);
  schedule.algorithm = kLeeCode.name;
  return schedule;
}

}  // namespace

const Algorithm kLeeCode = {
    .name = "lee-code",
    .source = "ours",
    .summary =
        "gossip, broadcast and gather on tori around a perfect Lee code, such as 5^i x 5^i, "
        "all ports, circuits",
    .serves = every({Collective::Gossip, Collective::Broadcast, Collective::Gather},
                    {PortModel::All}, {Duplex::Full}),
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
    .switching = Switching::Circuit,
    .combining = true,
};

}  // namespace gossamer
