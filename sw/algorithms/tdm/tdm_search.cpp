// The schedules that a search has found, each as short as the bound (docs/research/beyond.md).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "algorithms/common/all.hpp"

namespace gossamer {
namespace {

/// `half` has routes for half of all offsets, one of v and -v: "10:EESS" is injected in slot 10 and
/// goes east, east, south, south. The other half is their mirror image: last slot first, and every
/// step in the opposite direction. A route to (n/2, n/2), which is its own opposite, turns once,
/// and the two legs of its mirror image are the routes to (n/2, 0) and (0, n/2).
struct Row {
  std::uint32_t side;
  std::uint32_t slots;
  std::string_view half;
};

constexpr std::array<Row, 10> kRows = {{
    {3, 9, "1:N 2:E 4:EN 6:NW"},
    {4, 17, "1:WNW 3:SSE 4:N 8:NW 10:EESS 11:NE 16:E"},
    {5, 26, "1:E 5:N 7:NWW 8:NNWW 10:NEN 13:ENEN 14:EN 17:NW 19:NEE 21:NNW 23:EE 24:NN"},
    {6, 38,
     "1:NNWW 2:ENENE 3:E 4:NE 5:WWWSSS 6:NEEN 7:NW 9:ENN 11:WNW 12:ENEE 13:SSSEE 14:N "
     "16:SSES 17:NN 19:EEN 23:EE 27:NNW"},
    {7, 51,
     "1:WWNNN 6:NW 8:NNNW 10:WNN 13:NNENE 17:NNEN 19:NENE 22:NNE 23:WWNN 24:NEEE 27:NNNEEE "
     "29:WNWNNW 31:N 33:ENENE 34:ENE 36:WNW 38:EEE 39:NNN 42:WWWN 43:E 44:NWWNW 46:NE 48:EE "
     "49:NN"},
    {8, 67,
     "2:NEEE 3:WNWW 5:NEEENN 6:NNN 11:NWNWWW 12:NENN 17:NNNW 19:SESSSE 23:NNEEE 25:NWWWN "
     "26:NNNEN 31:NNENE 32:WN 34:WNWWNNW 36:NNW 37:EEE 40:NN 42:NEE 43:NNWWWN 45:EE "
     "46:SSSEEES 47:E 49:WWNWW 50:N 51:WNNW 54:NE 55:NNNWW 56:WWN 57:EEEENNNN 59:NNE 64:ENNE"},
    {9, 93,
     "4:NN 5:WN 6:ENENEE 7:ENEN 11:NNNWNW 12:WWNW 14:EEEE 16:NWWNWWN 17:NE 18:NENNEN 24:NNN "
     "26:WWN 27:NEEE 29:NNENNEE 31:NEE 34:NNNN 36:WWNNW 40:NNNNW 41:E 43:EENNN 44:NWWWWN "
     "48:N 49:WNNN 51:EEENE 52:WNWWW 55:NNWWN 56:ENNENE 60:ENN 62:ENNEENNE 63:EE 65:NNWWNNW "
     "69:WWNNWN 70:EEE 73:NWN 75:ENNNN 80:NNNEEEE 81:WWNN 85:NNNNWWWW 87:EENEN 90:NENN"},
    {10, 128,
     "3:NWNWWWW 4:N 5:ENEEENN 7:NNNEEEN 10:WWN 11:SSESSEES 12:WWNNNWWW 14:EE 17:NNNEEE "
     "18:ESSSSS 19:EN 20:WWWWWNNNNN 21:NNNNWWW 30:NWWWW 31:NNN 34:NNWWNWW 35:WNNW 36:EEEE "
     "39:NNNE 40:EENEEN 43:NNENEN 46:ENEN 49:ENNEEEENN 50:WWNWNW 53:NW 55:NWWNNNWW "
     "59:EEENNNNE 61:NEEEE 66:NNNN 69:EEN 70:NWWWNN 71:ENN 76:NENNEEENN 77:NWWNN 82:NEENNNN "
     "85:EEE 88:ENNNN 93:NWWW 94:NNNW 97:NNEEE 98:WWWWWN 99:NN 101:NNWWW 104:NNW 112:NNEEN "
     "113:E 119:NNNNW 123:NNWWNN 124:ENEE"},
    {11, 168,
     "2:NWWNNNN 4:NW 6:WWWWWNN 9:NNWWNNNW 13:E 16:NWWNWWN 17:NNWNNWWW 19:EEEEN 24:NNW 25:ENN "
     "28:NWW 29:NNWNNN 31:NEEEEE 35:NNN 37:ENNNNN 41:EENEN 43:ENEN 47:NNNEEN 50:NNENNENEE "
     "52:WWWNW 56:ENNEEEE 57:WWNN 61:NNWWNNW 62:WNNWW 63:EE 65:EEEEENNNNN 67:NNNEE 75:NNNNN "
     "77:EEEEE 78:WWNNNN 82:EENNNNNE 84:EEE 87:EENNNNN 92:EEEENN 93:WWWWWN 94:NNEEEENE "
     "99:NENNN 104:NNNNEEE 108:NNNN 112:NNNWN 114:EN 116:WNNNWWWW 118:EEENNNE 120:NEEENENN "
     "125:N 126:EEEE 128:NWWW 129:NEENNNEEE 130:NNEEEN 136:NNNW 138:WNWNWW 140:NEE "
     "141:WNNNWW 144:ENNN 148:NN 150:NNNWWWNWWN 151:WWNNN 154:EEEN 158:NWWNNWWWN "
     "160:NWWNNNWWN"},
    {12, 219,
     "1:SEEESSSSSEE 2:NWWNNN 4:NEEENNNNNE 13:NEEN 14:NNWW 17:NWNWNNWN 18:NE 19:WNWWN "
     "24:WNWWNNWN 25:WNNWWNWWW 28:EEEENNNNN 32:EEEEENE 37:ENNEEE 39:ENNNEN 43:NENNN "
     "47:WWWWNNW 48:NNNW 52:WNNNWWWW 54:WWN 56:ENNNEENNEE 60:NNEENNNN 66:EENNN 68:EE "
     "70:EEENEE 71:NNENNNN 76:WWNNNW 81:NNN 82:E 83:ENNNNEN 85:EEENENN 92:NNNNN 96:WNNNNWW "
     "101:NNNNWWWNW 103:WWNNNWNNWW 105:EEE 110:WNNNNNW 116:NWWWWW 117:NNNE 120:NEEE 121:NW "
     "122:NWWWW 123:NNEEEEE 125:NNW 127:NWWW 128:NNEEE 130:NNNN 133:EEEE 134:NNNEENEEE "
     "136:WNNWN 140:WWWWWNNNN 141:NNNNEEE 148:EENENNNN 149:NEN 152:EEEENNNN 156:EEEEENNN "
     "160:NWWWNNWWWN 165:WNNNWWW 170:NNWWWW 172:NNNEEENNN 174:ENNNEE 180:EEEEN 181:NNNENN "
     "185:EEN 188:NNNNNW 193:NNWWWWWW 194:WNNNN 199:NNNNNNEEEEEE 202:WWWNNNWNNWW 208:N "
     "211:EEEEE 216:NN"},
}};

/// What every node does for the node at some offset: hop k uses the link through port steps[k] in
/// slot `slot` + k. Slots count from 1.
struct Route {
  std::uint32_t slot = 0;
  std::vector<Port> steps;

  bool turns() const { return std::ranges::count(steps, steps.front()) < std::ssize(steps); }
};

/// The ports of a torus of two dimensions: 0 leads east (x grows), 1 west, 2 north (y grows), 3
/// south.
constexpr std::string_view kLetters = "EWNS";

Port opposite(Port p) { return p ^ 1u; }

/// The next of the routes of a text, which is removed from it.
Route take_route(std::string_view& text) {
  Route route;
  const std::size_t length = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  const std::size_t colon = word.find(':');
  std::from_chars(word.data(), word.data() + colon, route.slot);
  for (const char letter : word.substr(colon + 1)) {
    route.steps.push_back(static_cast<Port>(kLetters.find(letter)));
  }
  return route;
}

Route mirrored(const Route& route, std::uint32_t slots) {
  Route image;
  image.slot = slots + 2 - route.slot - static_cast<std::uint32_t>(route.steps.size());
  for (auto step = route.steps.rbegin(); step != route.steps.rend(); ++step) {
    image.steps.push_back(opposite(*step));
  }
  return image;
}

/// Is the node at the end of a route as far in either direction, in both dimensions?
bool own_opposite(const Route& route, std::uint32_t side) {
  const auto hops = [&route](Port one, Port other) {
    return 2 * (std::ranges::count(route.steps, one) + std::ranges::count(route.steps, other));
  };
  return hops(0, 1) % side == 0 && hops(2, 3) % side == 0;
}

/// A route for each offset, in the order of the slots in which they begin.
std::vector<Route> all_routes(const Row& row) {
  std::vector<Route> routes;
  for (std::string_view half = row.half; !half.empty();) {
    const Route route = take_route(half);
    routes.push_back(route);
    const Route image = mirrored(route, row.slots);
    if (!own_opposite(route, row.side)) {
      routes.push_back(image);
    } else if (image.turns()) {
      const auto turn = std::ranges::find_if(
          image.steps, [&image](Port step) { return step != image.steps.front(); });
      const auto before = static_cast<std::uint32_t>(turn - image.steps.begin());
      routes.push_back({image.slot, {image.steps.begin(), turn}});
      routes.push_back({image.slot + before, {turn, image.steps.end()}});
    }
  }
  std::ranges::stable_sort(routes, {}, &Route::slot);
  return routes;
}

/// Null if the table has no schedule for the topology.
const Row* row_of(const Topology& topology) {
  const auto is_it = [&topology](const Row& row) {
    const auto factors = topology.factors();
    return factors.size() == 2 && std::ranges::all_of(factors, [&row](const Graph& factor) {
             return factor.nodes == row.side && factor.spec.starts_with("ring:");
           });
  };
  const auto found = std::ranges::find_if(kRows, is_it);
  return found == kRows.end() ? nullptr : &*found;
}

std::optional<std::string> refuses(const Request& request) {
  if (row_of(request.topology) != nullptr) return std::nullopt;
  return fmt::format("tdm-search has schedules of torus:{0}x{0} to torus:{1}x{1}, none of {2}",
                     kRows.front().side, kRows.back().side, request.topology.spec());
}

Formula formula(const Request& request) {
  return {"slots of the table", row_of(request.topology)->slots};
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  Schedule schedule(topology, Collective::TotalExchange,
                    {PortModel::Single, Duplex::Full, Switching::Pipelined, /*combining=*/false},
                    Symmetry(topology, std::vector<Node>{topology.stride(0), topology.stride(1)}));
  for (const Route& route : all_routes(*row_of(topology))) {
    std::vector<Node> path = {0};
    for (const Port step : route.steps) path.push_back(topology.peer(path.back(), step).node);
    const Message message{0, path.back()};
    schedule.add(route.slot, path, {&message, 1});
  }
  return schedule;
}

}  // namespace

const Algorithm kTdmSearch = {
    .name = "tdm-search",
    .summary = "total exchange on torus:3x3 to torus:12x12, single port, pipelined circuits",
    .serves = every({Collective::TotalExchange}, {PortModel::Single}, {Duplex::Full}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
    .switching = Switching::Pipelined,
};

}  // namespace gossamer
