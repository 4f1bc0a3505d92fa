#include "algorithms/tdm/attempt.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/tdm/cheapest.hpp"
#include "support/interrupt.hpp"

namespace gossamer::tdm {
namespace {

constexpr Board::Price kMaxPrice = 200;
/// The last placed unit must not be moved at once, or two units would displace each other forever.
constexpr Board::Price kFreshPrice = 300;
/// Insertions between two readings of the clock.
constexpr std::uint64_t kClockEvery = 512;

class Attempt {
 public:
  Attempt(const Torus& torus, std::uint32_t slots, std::uint32_t seed);

  bool run(const Limit& limit);
  std::uint64_t insertions() const { return insertions_; }
  std::vector<Route> routes() const;

 private:
  std::uint32_t next();
  void insert(std::uint32_t unit);
  void grow_dearer(std::uint32_t unit);

  std::vector<Unit> units_;
  Board board_;
  CheapestPlace cheapest_;
  Dice dice_;
  std::vector<Placement> places_;
  std::vector<bool> placed_;
  std::vector<Board::Price> prices_;
  std::vector<std::uint32_t> waiting_;
  std::uint32_t fresh_ = Board::kNobody;  ///< the unit placed last
  std::uint64_t insertions_ = 0;
};

Attempt::Attempt(const Torus& torus, std::uint32_t slots, std::uint32_t seed)
    : units_(units_of(torus)),
      board_(slots),
      cheapest_(torus, board_),
      dice_(seed),
      places_(units_.size()),
      placed_(units_.size(), false),
      prices_(units_.size(), 1),
      waiting_(units_.size()) {
  // The longest routes are taken first, from the back.
  std::iota(waiting_.begin(), waiting_.end(), 0);
  std::ranges::stable_sort(waiting_, {}, [this](std::uint32_t u) { return units_[u].hops; });
}

bool Attempt::run(const Limit& limit) {
  while (!waiting_.empty()) {
    if (insertions_ >= limit.insertions) return false;
    if (insertions_ % kClockEvery == 0) {
      stop_if_interrupted();
      if (limit.until && std::chrono::steady_clock::now() >= *limit.until) return false;
    }
    insert(next());
    ++insertions_;
  }
  return true;
}

/// In order of length at first, at random later.
std::uint32_t Attempt::next() {
  const auto count = static_cast<std::uint32_t>(waiting_.size());
  if (insertions_ >= units_.size()) std::swap(waiting_[dice_.roll(count)], waiting_.back());
  const std::uint32_t unit = waiting_.back();
  waiting_.pop_back();
  return unit;
}

void Attempt::insert(std::uint32_t unit) {
  const std::optional<Placement> place = cheapest_.find(units_[unit], dice_);
  if (!place) return waiting_.push_back(unit);
  if (cheapest_.price() > 0) grow_dearer(unit);
  for (const std::uint32_t other : board_.in_the_way(*place)) {
    board_.remove(places_[other]);
    placed_[other] = false;
    waiting_.push_back(other);
  }
  board_.put(unit, *place, static_cast<Board::Price>(prices_[unit] + kFreshPrice));
  if (fresh_ != Board::kNobody && placed_[fresh_]) board_.reprice(places_[fresh_], prices_[fresh_]);
  fresh_ = unit;
  places_[unit] = *place;
  placed_[unit] = true;
}

void Attempt::grow_dearer(std::uint32_t unit) {
  if (++prices_[unit] < kMaxPrice) return;
  // The new prices take effect when units are placed again.
  for (Board::Price& price : prices_) price = static_cast<Board::Price>((price + 1) / 2);
}

std::vector<Route> Attempt::routes() const {
  std::vector<Route> routes;
  for (const Placement& place : places_) routes.push_back({place.slot + 1, place.steps});
  std::ranges::stable_sort(routes, {}, &Route::slot);
  return routes;
}

}  // namespace

std::optional<std::vector<Route>> attempt(const Torus& torus, std::uint32_t slots,
                                          std::uint32_t seed, const Limit& limit,
                                          std::uint64_t& insertions) {
  Attempt one(torus, slots, seed);
  const bool complete = one.run(limit);
  insertions += one.insertions();
  if (!complete) return std::nullopt;
  return one.routes();
}

}  // namespace gossamer::tdm
