#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "algorithms/tdm/board.hpp"

namespace gossamer::tdm {

/// Random numbers that are the same on every machine: the standard's generator, without the
/// library's distributions.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : generator_(seed) {}
  /// 0 ... sides-1
  std::uint32_t roll(std::uint32_t sides) {
    return static_cast<std::uint32_t>(std::uint64_t{generator_()} * sides >> 32);
  }

 private:
  std::mt19937 generator_;
};

/// Finds the placement of a unit with the lowest sum of prices, over all start slots, all ways and
/// all orders of the hops. Ties are broken at random.
class CheapestPlace {
 public:
  using Price = Board::Price;
  /// Small enough that its double is still a Price.
  static constexpr Price kForbidden = 15000;

  CheapestPlace(const Torus& torus, const Board& board);

  /// Nothing if no placement costs less than kForbidden.
  std::optional<Placement> find(const Unit& unit, Dice& dice);
  /// Of the last find.
  Price price() const { return price_; }

 private:
  /// costs(i, j)[t]: the lowest price of i + j hops in the way's two directions, beginning in slot
  /// t.
  Price* costs(std::uint32_t i, std::uint32_t j) {
    return costs_.data() + (std::size_t{i} * rows_ + j) * board_.slots();
  }
  std::uint32_t slots_to_begin(const Unit& unit) const { return board_.slots() - unit.hops + 1; }

  void price_ports(const Unit& unit, Price* total) const;
  void price_turns(const Unit& unit, const Way& way, Price* total) const;
  void price_any_order(const Unit& unit, const Way& way);
  void price_one_turn(const Unit& unit, const Way& way);
  bool choose(const Unit& unit, const Way& way, Dice& dice);
  std::vector<Direction> steps_of(const Way& way, bool corner, Dice& dice);

  const Board& board_;
  std::uint32_t rows_;
  std::vector<Price> costs_;
  Price price_ = kForbidden;  ///< of the best so far
  std::uint32_t equal_ = 0;   ///< places at this price
  std::uint32_t slot_ = 0;
};

}  // namespace gossamer::tdm
