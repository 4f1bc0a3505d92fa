#include "algorithms/tdm/timetable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace gossamer::tdm {
namespace {

constexpr std::string_view kLetters = "EWNS";

Route mirrored(const Route& route, std::uint32_t slots) {
  Route image;
  image.slot = slots + 1 - route.last_slot();
  for (auto step = route.steps.rbegin(); step != route.steps.rend(); ++step) {
    image.steps.push_back(opposite(*step));
  }
  return image;
}

/// A route that turns once, split at the turn into two routes.
std::array<Route, 2> legs(const Route& route) {
  const auto turn =
      std::ranges::find_if(route.steps, [&route](Direction d) { return d != route.steps.front(); });
  const auto before = static_cast<std::uint32_t>(turn - route.steps.begin());
  return {{{route.slot, {route.steps.begin(), turn}},
           {route.slot + before, {turn, route.steps.end()}}}};
}

Route route_of(const std::string& word) {
  Route route;
  const char* const end = word.data() + word.size();
  const char* at = std::from_chars(word.data(), end, route.slot).ptr;
  for (++at; at < end; ++at) {
    route.steps.push_back(static_cast<Direction>(kLetters.find(*at)));
  }
  const auto no_letter = [](Direction d) { return d >= kDirections; };
  if (route.steps.empty() || std::ranges::any_of(route.steps, no_letter)) {
    throw std::logic_error("no route: " + word);
  }
  return route;
}

}  // namespace

std::array<std::uint32_t, 2> offset(const Torus& torus, const Route& route) {
  std::array<std::uint32_t, kDirections> hops{};
  for (const Direction d : route.steps) ++hops[d];
  return {(hops[0] + (torus.width - 1) * hops[1]) % torus.width,
          (hops[2] + (torus.height - 1) * hops[3]) % torus.height};
}

std::vector<Route> all_routes(const Timetable& timetable) {
  std::vector<Route> routes;
  for (const Route& route : timetable.half) {
    routes.push_back(route);
    const auto [x, y] = offset(timetable.torus, route);
    const bool own_opposite =
        2 * x % timetable.torus.width == 0 && 2 * y % timetable.torus.height == 0;
    const Route image = mirrored(route, timetable.slots);
    if (!own_opposite) {
      routes.push_back(image);
    } else if (x != 0 && y != 0) {
      for (const Route& leg : legs(image)) routes.push_back(leg);
    }
  }
  std::ranges::stable_sort(routes, {}, &Route::slot);
  return routes;
}

std::string to_text(const std::vector<Route>& routes) {
  std::string text;
  for (const Route& route : routes) {
    text += fmt::format("{}{}:", text.empty() ? "" : " ", route.slot);
    for (const Direction d : route.steps) text += kLetters[d];
  }
  return text;
}

std::vector<Route> routes_of(std::string_view text) {
  std::vector<Route> routes;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) routes.push_back(route_of(word));
  return routes;
}

}  // namespace gossamer::tdm
