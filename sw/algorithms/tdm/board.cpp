#include "algorithms/tdm/board.hpp"

#include <algorithm>

namespace gossamer::tdm {

Board::Board(std::uint32_t slots)
    : slots_(slots),
      injection_prices_(slots),
      arrival_prices_(slots),
      injection_users_(slots, kNobody) {
  for (auto& prices : link_prices_) prices.resize(slots);
  for (auto& users : link_users_) users.assign(slots, kNobody);
}

template <typename Link, typename Injection>
void Board::visit(const Placement& place, Link link, Injection injection) const {
  const auto hops = static_cast<std::uint32_t>(place.steps.size());
  const std::uint32_t last = slots_ - 1;
  for (std::uint32_t k = 0; k < hops; ++k) link(place.steps[k], place.slot + k);
  injection(place.slot);
  injection(last - (place.slot + hops - 1));  // of the mirror image
  if (!place.corner) return;
  std::uint32_t turn = place.slot + 1;
  while (place.steps[turn - place.slot] == place.steps[0]) ++turn;
  injection(turn);
  injection(last - (turn - 1));
}

void Board::set(const Placement& place, std::uint32_t unit, Price price) {
  const std::uint32_t last = slots_ - 1;
  visit(
      place,
      [&](Direction d, std::uint32_t slot) {
        link_prices_[d][slot] = link_prices_[opposite(d)][last - slot] = price;
        link_users_[d][slot] = link_users_[opposite(d)][last - slot] = unit;
      },
      [&](std::uint32_t slot) {
        injection_prices_[slot] = arrival_prices_[last - slot] = price;
        injection_users_[slot] = unit;
      });
}

void Board::put(std::uint32_t unit, const Placement& place, Price price) {
  set(place, unit, price);
}

void Board::remove(const Placement& place) { set(place, kNobody, 0); }

void Board::reprice(const Placement& place, Price price) {
  set(place, injection_users_[place.slot], price);
}

std::vector<std::uint32_t> Board::in_the_way(const Placement& place) const {
  std::vector<std::uint32_t> users;
  const auto add = [&users](std::uint32_t user) {
    if (user != kNobody && std::ranges::find(users, user) == users.end()) users.push_back(user);
  };
  visit(
      place, [&](Direction d, std::uint32_t slot) { add(link_users_[d][slot]); },
      [&](std::uint32_t slot) { add(injection_users_[slot]); });
  return users;
}

}  // namespace gossamer::tdm
