// Total exchange on a ring of n nodes. The paper cites it from elsewhere ([7], [8]); this
// construction is ours.
//
// If all nodes do the same and each round makes one hop in one direction, no two messages meet. So
// any order is right in which each message makes its hops in sequence. We take hop 1 of all
// messages that go one way, then hop 2 of those that go on, and so on, always in the order of their
// destinations: a node then reads runs of what it holds.

#include "algorithms/dimension_exchange/dimension_exchange_ring.hpp"

namespace gossamer::dimension_exchange {
namespace {

/// Hop number `hop` of the message with offset `offset`, forwards.
struct Step {
  Node hop = 0, offset = 0;
};

/// All hops forwards of the messages with offsets 1 .. farthest.
std::vector<Step> forward_steps(Node farthest) {
  std::vector<Step> steps;
  for (Node hop = 1; hop <= farthest; ++hop) {
    for (Node offset = hop; offset <= farthest; ++offset) steps.push_back({hop, offset});
  }
  return steps;
}

/// A step as digit `from` makes it.
Hop forward(Node n, Node from, Step step) {
  const Node origin = (from + n - (step.hop - 1)) % n;
  return {from, (from + 1) % n, origin, (origin + step.offset) % n};
}

/// The same backwards: digits x and `sum` - x are exchanged.
Hop mirror(Node n, Node sum, const Hop& hop) {
  const auto image = [&](Node x) { return (n + sum - x) % n; };
  return {image(hop.from), image(hop.to), image(hop.origin), image(hop.destination)};
}

/// n odd: both directions in the same rounds.
Exchange odd_all_port(Node n) {
  Exchange exchange{1, {}};
  for (const Step step : forward_steps(n / 2)) {
    const Hop hop = forward(n, 0, step);
    exchange.stages.push_back({{hop, mirror(n, 0, hop)}});
  }
  return exchange;
}

/// n = 2h: the halfway messages of even digits go forwards, those of odd digits backwards, so that
/// each halfway hop uses every other link. Two of them share their two rounds with one hop of the
/// others:
///
///   round a: even digits make halfway hop 2p-1, odd digits the other hop,
///   round b: odd digits make halfway hop 2p, even digits the other hop.
///
/// With h(h-1)/2 other hops that makes h(h-1)/2 + ceil(h/2) = ceil(n^2/8) rounds. If h is odd, the
/// last halfway hop has a round of its own.
class EvenAllPort {
 public:
  explicit EvenAllPort(Node n) : n_(n), half_(n / 2) {}

  Exchange exchange() {
    const std::vector<Step> others = forward_steps(half_ - 1);
    std::size_t next = 0;
    for (Node hop = 1; hop + 1 <= half_; hop += 2, ++next) {
      add({forward(n_, 0, halfway(hop)), forward(n_, 1, others[next])});
      add({forward(n_, 1, halfway(hop + 1)), forward(n_, 0, others[next])});
    }
    for (; next < others.size(); ++next) {
      add({forward(n_, 0, others[next]), forward(n_, 1, others[next])});
    }
    if (half_ % 2 == 1) add({forward(n_, 0, halfway(half_))});
    return std::move(exchange_);
  }

 private:
  Step halfway(Node hop) const { return {hop, half_}; }

  /// Backwards, even and odd digits are exchanged.
  void add(Round round) {
    const std::size_t size = round.size();
    for (std::size_t i = 0; i < size; ++i) round.push_back(mirror(n_, 1, round[i]));
    exchange_.stages.push_back({std::move(round)});
  }

  Node n_, half_;
  Exchange exchange_{2, {}};
};

}  // namespace

/// Each hop number is a stage.
Exchange ring_single_port(Node n) {
  Exchange exchange{1, {}};
  for (Node hop = 1, farthest = n / 2; hop <= farthest; ++hop) {
    Stage& stage = exchange.stages.emplace_back();
    for (Node offset = hop; offset <= farthest; ++offset) {
      stage.push_back({forward(n, 0, {hop, offset})});
    }
  }
  for (Node hop = 1, farthest = (n - 1) / 2; hop <= farthest; ++hop) {
    Stage& stage = exchange.stages.emplace_back();
    for (Node offset = farthest; offset >= hop; --offset) {
      stage.push_back({mirror(n, 0, forward(n, 0, {hop, offset}))});
    }
  }
  return exchange;
}

Exchange ring_all_port(Node n) { return n % 2 == 1 ? odd_all_port(n) : EvenAllPort(n).exchange(); }

}  // namespace gossamer::dimension_exchange
