// Multinode broadcast (section 2): ceil((2^d-1)/d) rounds, 2^d (2^d-1) transmissions.

#include "algorithms/bertsekas/bertsekas.hpp"

namespace gossamer::bertsekas {
namespace {

/// The rotation of `t` with a 1 in position m and a 0 to the right of it, cyclically. The paper
/// asks for the 0 in the classes R_k1 only; elsewhere it does no harm.
Node first_of_class(Node t, unsigned m, unsigned d) {
  const Node one = unit(m), zero = rotate_left(one, d - 1, d);
  while ((t & one) == 0 || (t & zero) != 0) t = rotate_left(t, 1, d);
  return t;
}

}  // namespace

std::vector<Node> numbered_strings(unsigned d) {
  std::vector<Node> strings = {0};
  for (const RotationClass& r : rotation_classes(d)) {
    Node t = first_of_class(r.smallest, m_of(static_cast<Node>(strings.size()), d), d);
    for (unsigned i = 0; i < r.size; ++i, t = rotate_left(t, 1, d)) strings.push_back(t);
  }
  strings.push_back(all_ones(d));
  return strings;
}

/// Node 0 broadcasts so that the links of a round are of different types: string number n receives
/// the packet in round ceil(n/d) over its link m(n). So all nodes can do the same at once.
Schedule gossip(const Topology& topology) {
  const unsigned d = dimension(topology);
  Schedule schedule = empty_schedule(topology, Collective::Gossip, /*all_alike=*/true);
  const std::vector<Node> strings = numbered_strings(d);
  for (Node n = 1; n < strings.size(); ++n) {
    const Node t = strings[n];
    schedule.add_hop((n - 1) / d + 1, t ^ unit(m_of(n, d)), t, /*origin=*/0);
  }
  return schedule;
}

}  // namespace gossamer::bertsekas
