#include "algorithms/gossip_room.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support/memory.hpp"

namespace gossamer {
namespace {

constexpr double kBytesOfHop = sizeof(Transfer) + 2 * sizeof(Node) + sizeof(Message);

}  // namespace

void make_room_for_gossip(Schedule& schedule) {
  const Node nodes = schedule.topology().nodes(), order = schedule.symmetry().order();
  const std::uint64_t transfers = std::uint64_t{nodes} * (nodes - 1) / order;
  const double need = kBytesOfHop * static_cast<double>(transfers);
  require_memory(need,
                 fmt::format("{}: the schedule of {} transfers (translations of one another counted "
                             "once)",
                             schedule.topology().spec(), transfers),
                 [&](double free) {
                   // How the group grows with the fabric is not known: this is for one of the same
                   // order.
                   const double fit = std::sqrt(free / kBytesOfHop * order);
                   return fmt::format("enough for about {:.0f} nodes", fit);
                 });
  schedule.reserve(transfers);
}

}  // namespace gossamer
