// Broadcast around a perfect code: property 5.6 of Delmas-Perennes 1996, for every code and level.
// The same calls scatter, and backwards they gather.

#include <cstdlib>
#include <utility>

#include "algorithms/lee_code/lee_code.hpp"
#include "support/job.hpp"

namespace gossamer::lee_code {
namespace {

/// From one offset along a ring to another.
struct Span {
  std::int64_t from = 0, to = 0;
};

std::int64_t middle(const Interval& part) { return part.first + (part.last - part.first) / 2; }

/// A ring is cut into parts whose middle nodes know the message, at first one. In each round the
/// middle node of a part informs those of its left and its right third.
std::vector<std::vector<Span>> thirds(Node side) {
  const std::int64_t n = side;
  std::vector<std::vector<Span>> rounds;
  std::vector<Interval> parts = {{-((n - 1) / 2), n / 2}};
  while (parts.size() < side) {
    std::vector<Interval> smaller;
    rounds.emplace_back();
    for (const Interval& part : parts) {
      const std::int64_t size = part.last - part.first + 1;
      const std::int64_t left = size == 2 ? 0 : (size + 1) / 3, right = size == 2 ? 1 : left;
      const Interval thirds[] = {{part.first, part.first + left - 1},
                                 {part.first + left, part.last - right},
                                 {part.last - right + 1, part.last}};
      for (const Interval& third : thirds) {
        if (third.first > third.last) continue;
        smaller.push_back(third);
        if (middle(third) != middle(part)) rounds.back().push_back({middle(part), middle(third)});
      }
    }
    parts = std::move(smaller);
  }
  return rounds;
}

class Caller {
 public:
  Caller(const Topology& topology, const Choice& choice, Node root)
      : topology_(topology), choice_(choice), informed_{root} {}

  std::vector<std::vector<Call>> rounds() {
    level(0, 1);
    return std::move(rounds_);
  }

 private:
  /// First the root's family of code vertices, then their gossip's dipaths, then the neighbours.
  void level(unsigned l, std::int64_t dilation) {
    if (l == choice_.levels) return coarse(dilation);
    const Code& code = *choice_.code;
    level(l + 1, dilation * code.side);
    for (const std::vector<Dipath>& dipaths : code.gossip) call(dipaths, dilation);
    std::vector<Dipath> units;
    for (unsigned j = 1; j <= code.dimensions; ++j) units.push_back({static_cast<Hop>(j)});
    call(units, dilation);
  }

  /// All who know the message call along these dipaths and their opposites.
  void call(const std::vector<Dipath>& dipaths, std::int64_t dilation) {
    const std::vector<Node> callers = informed_;
    rounds_.emplace_back();
    for (const Node x : callers) {
      for (const Dipath& dipath : dipaths) {
        add(walk({x}, dipath, dilation));
        add(walk({x}, opposite(dipath), dilation));
      }
    }
  }

  /// Ring by ring.
  void coarse(std::int64_t dilation) {
    for (std::size_t j = 0; j < choice_.coarse.size(); ++j) {
      const auto axis = static_cast<Hop>(j + 1);
      const std::vector<Node> bases = informed_;
      for (const std::vector<Span>& spans : thirds(choice_.coarse[j])) {
        rounds_.emplace_back();
        for (const Node base : bases) {
          for (const Span& span : spans) {
            const Node from = walk({base}, {axis}, span.from * dilation).back();
            add(walk({from}, {axis}, (span.to - span.from) * dilation));
          }
        }
      }
    }
  }

  void add(Call path) {
    stop_if_interrupted();
    informed_.push_back(path.back());
    rounds_.back().push_back(std::move(path));
  }

  /// Every hop of the dipath so many times, backwards if negative.
  Call walk(Call path, const Dipath& dipath, std::int64_t dilation) const {
    for (const Hop hop : dipath) {
      const Node forwards = topology_.stride(static_cast<std::size_t>(std::abs(hop) - 1));
      const Node by = (hop > 0) == (dilation > 0) ? forwards : topology_.negate(forwards);
      for (std::int64_t link = 0; link < std::abs(dilation); ++link) {
        path.push_back(topology_.translate(path.back(), by));
      }
    }
    return path;
  }

  const Topology& topology_;
  const Choice& choice_;
  std::vector<Node> informed_;
  std::vector<std::vector<Call>> rounds_;
};

}  // namespace

Choice choose_for_broadcast(const Topology& topology) {
  Choice choice = choose(topology);
  if (choice.code == nullptr) choice.coarse = sides_of(topology);
  return choice;
}

std::vector<std::vector<Call>> broadcast_calls(const Topology& topology, const Choice& choice,
                                               Node root) {
  return Caller(topology, choice, root).rounds();
}

std::uint64_t broadcast_round_count(const Choice& choice) {
  std::uint64_t rounds = 0;
  if (choice.code != nullptr) rounds += choice.levels * (choice.code->gossip.size() + 1);
  for (const Node side : choice.coarse) rounds += thirds(side).size();
  return rounds;
}

}  // namespace gossamer::lee_code
