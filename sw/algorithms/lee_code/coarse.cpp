// Gossip on the torus that is left after the code has divided the sides as often as it can.

#include <algorithm>
#include <utility>

#include "algorithms/lee_code/lee_code.hpp"
#include "support/interrupt.hpp"

namespace gossamer::lee_code {
namespace {

/// Appends the numbers of a box's offsets; dimensions from `j` on are already in `number`.
void list(const Box& box, std::span<const Node> sides, std::size_t j, std::uint64_t number,
          std::vector<Node>& numbers) {
  if (j == 0) {
    numbers.push_back(static_cast<Node>(number));
    return;
  }
  stop_if_interrupted();
  const std::int64_t side = sides[j - 1];
  for (std::int64_t v = box[j - 1].first; v <= box[j - 1].last; ++v) {
    list(box, sides, j - 1, number * side + static_cast<std::uint64_t>((v + side) % side), numbers);
  }
}

/// A node holds the blocks of the nodes at a box of offsets; it begins with its own.
class Coarse {
 public:
  explicit Coarse(std::span<const Node> sides) : sides_(sides.begin(), sides.end()) {
    held_.resize(sides.size());
  }

  std::vector<CoarseRound> rounds() {
    std::vector<std::size_t> even, odd;
    for (std::size_t j = 0; j < sides_.size(); ++j) (sides_[j] % 2 == 0 ? even : odd).push_back(j);
    // Small sides first: what is sent in a dimension grows with the sides before it.
    const auto smaller = [&](std::size_t a, std::size_t b) { return sides_[a] < sides_[b]; };
    std::stable_sort(even.begin(), even.end(), smaller);
    std::stable_sort(odd.begin(), odd.end(), smaller);
    std::size_t e = 0;
    for (; e + 1 < even.size(); e += 2) even_pair(even[e], even[e + 1]);
    if (e < even.size()) even_single(even[e]);
    for (const std::size_t j : odd) both_ways(j);
    return std::move(rounds_);
  }

 private:
  static Hop hop(std::size_t j) { return static_cast<Hop>(j + 1); }

  /// All rounds in which both directions bring something new.
  void both_ways(std::size_t j) {
    for (Node t = 1; t <= (sides_[j] - 1) / 2; ++t) {
      add({{hop(j), {{j, held_[j].first}}}, {static_cast<Hop>(-hop(j)), {{j, held_[j].last}}}});
      held_[j] = {held_[j].first - 1, held_[j].last + 1};
    }
  }

  /// One value is left, on the opposite side.
  void even_single(std::size_t j) {
    both_ways(j);
    add({{hop(j), {{j, held_[j].first}}}});
    --held_[j].first;
  }

  /// Two dimensions, each with one value left: three kinds of offsets in one round, each on its own
  /// path.
  void even_pair(std::size_t j, std::size_t l) {
    both_ways(j);
    both_ways(l);
    const auto back = [](Hop h) { return static_cast<Hop>(-h); };
    add({{hop(j), {{j, held_[j].first}}},
         {hop(l), {{l, held_[l].first}}},
         {{back(hop(j)), back(hop(l))}, {{j, held_[j].last}, {l, held_[l].last}}}});
    --held_[j].first;
    --held_[l].first;
  }

  /// A dipath, and the part of the box sent along it: the offsets with these values.
  struct Part {
    Part(Hop h, std::vector<std::pair<std::size_t, std::int64_t>> f) : dipath{h}, fixed(f) {}
    Part(Dipath d, std::vector<std::pair<std::size_t, std::int64_t>> f) : dipath(d), fixed(f) {}
    Dipath dipath;
    std::vector<std::pair<std::size_t, std::int64_t>> fixed;
  };

  void add(const std::vector<Part>& parts) {
    CoarseRound round;
    for (const Part& part : parts) {
      Box box = held_;
      for (const auto& [j, value] : part.fixed) box[j] = {value, value};
      const bool everything = size(box) == size(held_);
      round.push_back({part.dipath, std::move(box), everything});
    }
    rounds_.push_back(std::move(round));
  }

  std::vector<Node> sides_;
  Box held_;
  std::vector<CoarseRound> rounds_;
};

}  // namespace

std::uint64_t size(const Box& box) {
  std::uint64_t product = 1;
  for (const Interval& values : box) {
    product *= static_cast<std::uint64_t>(values.last - values.first + 1);
  }
  return product;
}

std::vector<Node> offsets(const Box& box, std::span<const Node> sides) {
  std::vector<Node> numbers;
  numbers.reserve(size(box));
  list(box, sides, box.size(), 0, numbers);
  return numbers;
}

std::vector<CoarseRound> coarse_rounds(std::span<const Node> sides) {
  return Coarse(sides).rounds();
}

std::uint64_t coarse_round_count(std::span<const Node> sides) {
  std::uint64_t halves = 0, even = 0;
  for (const Node side : sides) {
    halves += side / 2;
    even += side % 2 == 0;
  }
  return halves - even / 2;
}

}  // namespace gossamer::lee_code
