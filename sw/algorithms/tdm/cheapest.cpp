#include "algorithms/tdm/cheapest.hpp"

#include <algorithm>

namespace gossamer::tdm {
namespace {

using Price = Board::Price;

// A search spends nearly all its time in the loops below: CMakeLists.txt has this file vectorized.

/// sum[t] += price[t]
void add(Price* __restrict sum, const Price* __restrict price, std::uint32_t count) {
  for (std::uint32_t t = 0; t < count; ++t) sum[t] = static_cast<Price>(sum[t] + price[t]);
}

/// to[t] = from[t] + price[t]
void extend(Price* __restrict to, const Price* __restrict from, const Price* __restrict price,
            std::uint32_t count) {
  for (std::uint32_t t = 0; t < count; ++t) to[t] = static_cast<Price>(from[t] + price[t]);
}

/// The cheaper of two.
void extend(Price* __restrict to, const Price* __restrict from_a, const Price* __restrict price_a,
            const Price* __restrict from_b, const Price* __restrict price_b, std::uint32_t count) {
  for (std::uint32_t t = 0; t < count; ++t) {
    const auto a = static_cast<Price>(from_a[t] + price_a[t]);
    const auto b = static_cast<Price>(from_b[t] + price_b[t]);
    to[t] = a < b ? a : b;
  }
}

/// A unit and its mirror image cannot use the same injection.
void forbid(Price* total, std::int64_t twice_slot, std::uint32_t count) {
  if (twice_slot < 0 || twice_slot % 2 != 0 || twice_slot / 2 >= count) return;
  total[twice_slot / 2] = CheapestPlace::kForbidden;
}

}  // namespace

CheapestPlace::CheapestPlace(const Torus& torus, const Board& board)
    : board_(board), rows_(std::max(torus.width, torus.height) / 2 + 1) {
  costs_.resize(std::size_t{rows_} * rows_ * board.slots());
}

std::optional<Placement> CheapestPlace::find(const Unit& unit, Dice& dice) {
  price_ = kForbidden;
  Placement place;
  place.corner = unit.corner;
  const auto ways = static_cast<std::uint32_t>(unit.ways.size());
  const std::uint32_t first = ways == 1 ? 0 : dice.roll(ways);
  for (std::uint32_t i = 0; i < ways; ++i) {
    const Way& way = unit.ways[(first + i) % ways];
    if (unit.corner) {
      price_one_turn(unit, way);
    } else {
      price_any_order(unit, way);
    }
    if (choose(unit, way, dice)) place.steps = steps_of(way, unit.corner, dice);
  }
  if (price_ >= kForbidden) return std::nullopt;
  place.slot = slot_;
  return place;
}

void CheapestPlace::price_ports(const Unit& unit, Price* total) const {
  const std::uint32_t count = slots_to_begin(unit);
  extend(total, board_.injection_prices(), board_.arrival_prices() + unit.hops - 1, count);
  forbid(total, std::int64_t{board_.slots()} - unit.hops, count);
}

/// Prices of a corner's ports at the turn.
void CheapestPlace::price_turns(const Unit& unit, const Way& way, Price* total) const {
  const std::uint32_t count = slots_to_begin(unit), turn = way.hops[0];
  const std::int64_t slots = board_.slots();
  add(total, board_.injection_prices() + turn, count);
  add(total, board_.arrival_prices() + turn - 1, count);
  forbid(total, slots - turn, count);
  forbid(total, slots - unit.hops - turn, count);
  forbid(total, slots - 2 * std::int64_t{turn}, count);
}

void CheapestPlace::price_any_order(const Unit& unit, const Way& way) {
  const std::uint32_t count = slots_to_begin(unit);
  price_ports(unit, costs(0, 0));
  for (std::uint32_t i = 0; i <= way.hops[0]; ++i) {
    for (std::uint32_t j = 0; j <= way.hops[1]; ++j) {
      if (i + j == 0) continue;
      const Price* const a = board_.link_prices(way.directions[0]) + i + j - 1;
      const Price* const b = board_.link_prices(way.directions[1]) + i + j - 1;
      if (j == 0) {
        extend(costs(i, j), costs(i - 1, j), a, count);
      } else if (i == 0) {
        extend(costs(i, j), costs(i, j - 1), b, count);
      } else {
        extend(costs(i, j), costs(i - 1, j), a, costs(i, j - 1), b, count);
      }
    }
  }
}

void CheapestPlace::price_one_turn(const Unit& unit, const Way& way) {
  const std::uint32_t count = slots_to_begin(unit);
  Price* const total = costs(way.hops[0], way.hops[1]);
  price_ports(unit, total);
  price_turns(unit, way, total);
  for (std::uint32_t k = 0; k < unit.hops; ++k) {
    const Direction d = way.directions[k < way.hops[0] ? 0 : 1];
    add(total, board_.link_prices(d) + k, count);
  }
}

/// Is there a cheaper slot than the best so far, or an equal one that the dice choose?
bool CheapestPlace::choose(const Unit& unit, const Way& way, Dice& dice) {
  const Price* const total = costs(way.hops[0], way.hops[1]);
  const std::uint32_t count = slots_to_begin(unit);
  const Price least = *std::min_element(total, total + count);
  if (least > price_ || least >= kForbidden) return false;
  if (least < price_) equal_ = 0;
  price_ = least;
  bool chosen = false;
  for (std::uint32_t t = 0; t < count; ++t) {
    if (total[t] != least || dice.roll(++equal_) != 0) continue;
    slot_ = t;
    chosen = true;
  }
  return chosen;
}

/// Back from the last hop to the first, along costs that add up.
std::vector<Direction> CheapestPlace::steps_of(const Way& way, bool corner, Dice& dice) {
  std::uint32_t i = way.hops[0], j = way.hops[1];
  std::vector<Direction> steps(i + j);
  if (corner) {
    for (std::uint32_t k = 0; k < i + j; ++k) steps[k] = way.directions[k < i ? 0 : 1];
    return steps;
  }
  while (i + j > 0) {
    const std::uint32_t k = i + j - 1;
    const auto leads_here = [&](std::uint32_t from_i, std::uint32_t from_j, Direction d) {
      return costs(from_i, from_j)[slot_] + board_.link_prices(d)[slot_ + k] == costs(i, j)[slot_];
    };
    const bool a = i > 0 && leads_here(i - 1, j, way.directions[0]);
    const bool b = j > 0 && leads_here(i, j - 1, way.directions[1]);
    const bool take_a = a && b ? dice.roll(2) == 0 : a;
    steps[k] = way.directions[take_a ? 0 : 1];
    --(take_a ? i : j);
  }
  return steps;
}

}  // namespace gossamer::tdm
