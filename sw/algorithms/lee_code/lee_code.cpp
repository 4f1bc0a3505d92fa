#include "algorithms/lee_code/lee_code.hpp"

#include <fmt/format.h>

namespace gossamer {
namespace {

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::Gossip) {
    return fmt::format("lee-code serves gossip only, not {}", to_string(request.collective));
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

Formula formula(const Request& request) {
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

Schedule plan(const Request& request) {
  Schedule schedule = lee_code::schedule_of(request.topology, lee_code::choose(request.topology));
  schedule.algorithm = kLeeCode.name;
  return schedule;
}

}  // namespace

const Algorithm kLeeCode = {
    .name = "lee-code",
    .source = "ours",
    .summary = "gossip on tori around a perfect Lee code, such as 5^i x 5^i, all ports, circuits",
    .serves = every({Collective::Gossip}, {PortModel::All}, {Duplex::Full}),
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
    .switching = Switching::Circuit,
    .combining = true,
};

}  // namespace gossamer
