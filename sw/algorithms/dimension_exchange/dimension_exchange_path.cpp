// Total exchange on a path of n nodes. The paper cites it from elsewhere ([7]); this construction
// is ours.
//
// Node i sends to the right, in this order: all messages for node n-1, then all for n-2, and so on;
// of those for one node its own first, then that of i-1, i-2, ... They are i+1 each, and node i-1,
// which sends i each, is always ahead: what node i forwards in round (i+1) k + s + 1 (s >= 1) it
// received in round i k + s. So the link from i to i+1 is busy without a gap from round 1 to
// (i+1)(n-1-i), which is its load; the link in the middle, or the two, are busy longest.

#include "algorithms/dimension_exchange/dimension_exchange_path.hpp"

namespace gossamer::dimension_exchange {
namespace {

std::size_t middle_load(Node n) { return std::size_t{n / 2} * (n - n / 2); }

/// What node `i` sends to the right in `round`, unless it has finished.
void add_right(Node n, Node i, Node round, Round& hops) {
  const Node k = (round - 1) / (i + 1), s = (round - 1) % (i + 1);
  if (k >= n - 1 - i) return;
  hops.push_back({i, i + 1, i - s, n - 1 - k});
}

Round to_the_right(Node n, Node round) {
  Round hops;
  for (Node i = 0; i + 1 < n; ++i) add_right(n, i, round, hops);
  return hops;
}

/// The same from the other end.
Hop mirrored(Node n, const Hop& hop) {
  return {n - 1 - hop.from, n - 1 - hop.to, n - 1 - hop.origin, n - 1 - hop.destination};
}

/// The same with time reversed.
Hop reversed(const Hop& hop) { return {hop.to, hop.from, hop.destination, hop.origin}; }

}  // namespace

Exchange path_all_port(Node n) {
  Exchange exchange{n, {}};
  for (Node round = 1; round <= middle_load(n); ++round) {
    Round hops = to_the_right(n, round);
    const std::size_t right = hops.size();
    for (std::size_t h = 0; h < right; ++h) hops.push_back(mirrored(n, hops[h]));
    exchange.stages.push_back({std::move(hops)});
  }
  return exchange;
}

/// First everything to the right, then everything to the left, which is the same with time
/// reversed: every node sends one message per round, and receives one. If n is even, only the link
/// in the middle is busy in the last round to the right; the first round to the left, in which only
/// that link is busy too, can be the same round.
Exchange path_single_port(Node n) {
  const std::size_t load = middle_load(n), shared = n % 2 == 0 ? 1 : 0;
  std::vector<Round> rounds(2 * load - shared);
  for (std::size_t t = 0; t < load; ++t) {
    const Round right = to_the_right(n, static_cast<Node>(t + 1));
    Round& forwards = rounds[t];
    forwards.insert(forwards.end(), right.begin(), right.end());
    Round& backwards = rounds[rounds.size() - 1 - t];
    for (const Hop& hop : right) backwards.push_back(reversed(hop));
  }
  Exchange exchange{n, {}};
  for (Round& round : rounds) exchange.stages.push_back({std::move(round)});
  return exchange;
}

}  // namespace gossamer::dimension_exchange
