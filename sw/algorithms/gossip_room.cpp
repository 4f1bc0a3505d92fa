#include "algorithms/gossip_room.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support/error.hpp"
#include "support/memory.hpp"

namespace gossamer {
namespace {

constexpr double kBytesOfHop = sizeof(Transfer) + 2 * sizeof(Node) + sizeof(Message);

}  // namespace

void make_room_for_gossip(Schedule& schedule, std::uint64_t free) {
  const Node nodes = schedule.topology().nodes(), order = schedule.symmetry().order();
  const std::uint64_t transfers = std::uint64_t{nodes} * (nodes - 1) / order;
  const double need = kBytesOfHop * static_cast<double>(transfers);
  const double have = static_cast<double>(free);
  if (need > have) {
    // How the group grows with the fabric is not known: the estimate is for one of the same order.
    const double fit = std::sqrt(have / kBytesOfHop * order);
    throw InputError(fmt::format(
        "{}: the schedule has {} transfers (translations of one another counted once) and needs {} "
        "of memory; {} are free, enough for about {:.0f} nodes",
        schedule.topology().spec(), transfers, in_bytes(need), in_bytes(have), fit));
  }
  schedule.reserve(transfers);
}

void make_room_for_gossip(Schedule& schedule) { make_room_for_gossip(schedule, free_memory()); }

}  // namespace gossamer
