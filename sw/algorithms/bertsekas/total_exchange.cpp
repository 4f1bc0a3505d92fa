// Total exchange (section 4): 2^(d-1) rounds, d 2^(2d-1) transmissions, every link busy in every
// round and in both directions.

#include "algorithms/bertsekas/bertsekas.hpp"

namespace gossamer::bertsekas {

/// Link k carries the packets for the other half of the k-cube. First, row by row, come the packets
/// for the counterparts of the destinations in the previous table, because the neighbour over link
/// k forwards them in that order; the neighbour's own packet comes last.
std::vector<std::vector<Node>> own_packets(unsigned d) {
  std::vector<std::vector<Node>> table;
  for (unsigned k = 1; k <= d; ++k) {
    std::vector<Node> last;
    const std::size_t rows = table.empty() ? 0 : table.back().size();
    for (std::size_t row = 0; row < rows; ++row) {
      for (const auto& column : table) {
        if (row < column.size()) last.push_back(column[row] | unit(k));
      }
    }
    last.push_back(unit(k));
    table.push_back(std::move(last));
  }
  return table;
}

/// Link k carries groups of 2^(k-1) packets: the node's own first, then, when those of the k-cube
/// are all sent, what came over the links above k, origin by origin in lexicographic order. Each
/// group repeats the node's own order, because phase 3 on the (k+1)-cube is the total exchange of
/// the k-cube with the counterparts' packets.
Schedule total_exchange(const Topology& topology) {
  const unsigned d = dimension(topology);
  Schedule schedule = empty_schedule(topology, Collective::TotalExchange, /*all_alike=*/true);
  const auto own = own_packets(d);
  for (std::uint32_t round = 1; round <= unit(d); ++round) {
    for (unsigned k = 1; k <= d; ++k) {
      const Node group = (round - 1) / unit(k), place = (round - 1) % unit(k);
      const Node origin = group << k;  // differs from this node only in links above k
      const Node path[] = {0, unit(k)};
      const Message message[] = {{.origin = origin, .destination = own[k - 1][place]}};
      schedule.add(round, path, message);
    }
  }
  return schedule;
}

}  // namespace gossamer::bertsekas
