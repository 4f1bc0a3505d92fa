#include <fmt/format.h>

#include <algorithm>

#include "fabric/payload.hpp"
#include "page/pictures.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

constexpr double kLeft = 70, kTop = 34, kWidth = 1000, kRow = 14;
constexpr double kTextWidth = 6.2;  ///< of a character, about
constexpr double kTitleWidth = 6.9;

/// Distance of the marks on an axis up to `last`: 1, 2 or 5 times a power of ten.
std::uint64_t mark_distance(std::uint64_t last, std::uint64_t marks) {
  std::uint64_t step = 1;
  while (true) {
    for (const std::uint64_t factor : {1, 2, 5}) {
      if (last / (step * factor) <= marks) return step * factor;
    }
    step *= 10;
  }
}

}  // namespace

void Svg::text(double x, double y, std::string_view what, const Text& how) {
  const auto characters =
      std::ranges::count_if(what, [](char c) { return (c & 0xc0) != 0x80; });  // of UTF-8
  const bool narrow = how.room != 0 && kTextWidth * static_cast<double>(characters) > how.room;
  body_ += fmt::format(
      R"(<text x="{:.6g}" y="{:.6g}" text-anchor="{}"{} fill="{}"{}>{}</text>)", x, y, how.anchor,
      how.size == Text{}.size ? "" : fmt::format(R"( font-size="{}")", how.size), how.fill,
      narrow ? fmt::format(R"( textLength="{:.0f}" lengthAdjust="spacingAndGlyphs")", how.room)
             : "",
      xml_escaped(what));
  body_ += '\n';
}

void Svg::rect(double x, double y, double width, double height, std::string_view fill,
               std::string_view more) {
  body_ +=
      fmt::format(R"(<rect x="{:.6g}" y="{:.6g}" width="{:.6g}" height="{:.6g}" fill="{}"{}/>)", x,
                  y, width, height, fill, more);
  body_ += '\n';
}

void Svg::path(const std::string& way, std::string_view stroke, std::string_view more) {
  body_ += fmt::format(R"(<path d="{}" stroke="{}"{}/>)", way, stroke, more);
  body_ += '\n';
}

std::string Svg::whole(double width, double height, const std::string& title) const {
  width = std::max(width, 24 + kTitleWidth * static_cast<double>(title.size()));
  return fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" )"
                     R"(viewBox="0 0 {0:.2f} {1:.2f}" )"
                     R"(font-family="Helvetica, Arial, sans-serif" font-size="11">
<title>{2}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="12" y="18" font-size="13" fill="#222">{2}</text>
{3}</svg>
)",
                     width, height, xml_escaped(title), body_);
}

std::string space_time_svg(const Topology& topology, const std::vector<LinkRun>& runs,
                           const Timeline& time, const std::string& title) {
  const double scale = kWidth / static_cast<double>(time.last_arrival + 1);
  const auto x_of = [&](std::uint64_t cycle) { return kLeft + static_cast<double>(cycle) * scale; };
  const auto place = [&](Node x, Port p) { return std::size_t{x} * topology.ports() + p; };
  const double top = kTop + 22;
  double bottom = top;
  Svg svg;
  std::vector<double> y_of(place(topology.nodes(), 0));
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      if (!topology.sends(x, p)) continue;
      svg.text(kLeft - 8, bottom + 11,
               topology.name(x) + " → " + topology.name(topology.peer(x, p).node),
               {.anchor = "end", .room = kLeft - 12});
      y_of[place(x, p)] = bottom;
      bottom += kRow;
    }
  }
  for (std::size_t r = 0; r < time.start.size(); ++r) {
    const double x = x_of(time.start[r]), width = static_cast<double>(time.length[r]) * scale;
    svg.rect(x, top, width, bottom - top, r % 2 == 0 ? "#eef1f4" : "#f8f9fa");
    const std::string number = std::to_string(r + 1);
    if (width <= 9 * static_cast<double>(number.size())) continue;
    svg.text(x + 3, top - 5, width > 50 ? "round " + number : number);
  }
  for (const LinkRun& run : runs) {
    const double x = x_of(run.begin), y = y_of[place(run.from, run.port)];
    const double width = run.flits * scale;
    svg.rect(x, y + 1.5, std::max(width - 0.6, 0.3), kRow - 3,
             kOriginColours[run.message.origin % kOriginColours.size()].css);
    std::string name = topology.name(run.message.origin);
    if (run.message.destination != kNoNode) name += "›" + topology.name(run.message.destination);
    if (width <= kTextWidth * static_cast<double>(name.size()) + 4) continue;
    svg.text(x + 3, y + 10.3, name, {.fill = "#fff", .size = 9.5});
  }
  const std::uint64_t step = mark_distance(time.last_arrival, 12);
  for (std::uint64_t c = 0; c <= time.last_arrival; c += step) {
    svg.path(fmt::format("M{:.6g} {:.6g}v4", x_of(c), bottom), "#555");
    svg.text(x_of(c), bottom + 16, std::to_string(c), {.anchor = "middle"});
  }
  svg.text(kLeft - 8, bottom + 16, "cycle", {.anchor = "end"});
  return svg.whole(kLeft + kWidth + 24, bottom + 28, title);
}

namespace {

constexpr Node kMostOfMatrix = 400;
constexpr double kMatrixLeft = 60, kMatrixTop = 52, kSide = 640;

/// From light to dark as the rounds go on; what never arrived is hatched.
std::string colour_of(std::uint32_t round, std::uint32_t rounds) {
  if (round == Knowledge::kNever) return "url(#never)";
  if (round == 0) return "#d9822b";
  const double dark = static_cast<double>(round) / std::max(rounds, 1u);
  return fmt::format("hsl(205,45%,{:.0f}%)", 88 - 62 * dark);
}

}  // namespace

std::string knowledge_svg(const Schedule& schedule, const std::vector<PageStream>& streams,
                          const std::string& title) {
  const Node nodes = schedule.topology().nodes();
  if (nodes > kMostOfMatrix) {
    refuse("knowledge: {} nodes are too many for a picture; {} at most", nodes, kMostOfMatrix);
  }
  const Knowledge known = knowledge(schedule, streams);
  const std::uint32_t rounds = schedule.rounds();
  const double cell = kSide / nodes;
  Svg svg;
  svg.add(R"(<defs><pattern id="never" width="4" height="4" patternUnits="userSpaceOnUse">)"
          R"(<path d="M0 4L4 0" stroke="#b00"/></pattern></defs>)");
  svg.text(kMatrixLeft, kMatrixTop - 18,
           reduces(schedule.collective())       ? "part of node →, in the sum of node ↓"
           : same_to_all(schedule.collective()) ? "message of node →, held by node ↓"
                                                : "to node →, from node ↓");
  for (Node x = 0; x < nodes; ++x) {
    const Translation back = schedule.view_of(x);
    std::vector<std::uint32_t> row;
    for (Node y = 0; y < nodes; ++y) {
      row.push_back(known.came[schedule.symmetry().class_of(x)][back(y)]);
    }
    for (Node first = 0, last = 0; first < nodes; first = last) {
      while (last < nodes && row[last] == row[first]) ++last;
      svg.rect(kMatrixLeft + first * cell, kMatrixTop + x * cell, (last - first) * cell, cell,
               colour_of(row[first], rounds));
    }
    for (Node y = 0; cell >= 18 && y < nodes; ++y) {
      if (row[y] == Knowledge::kNever) continue;
      svg.text(kMatrixLeft + (y + 0.5) * cell, kMatrixTop + (x + 0.5) * cell + 4,
               std::to_string(row[y]),
               {.anchor = "middle", .fill = 2 * row[y] > rounds ? "#fff" : "#222"});
    }
  }
  for (Node x = 0, step = std::max<Node>(1, nodes / 16); x < nodes; x += step) {
    const std::string name = schedule.topology().name(x);
    svg.text(kMatrixLeft + (x + 0.5) * cell, kMatrixTop - 5, name,
             {.anchor = "middle", .room = step * cell - 4});
    svg.text(kMatrixLeft - 6, kMatrixTop + (x + 0.5) * cell + 4, name,
             {.anchor = "end", .room = kMatrixLeft - 10});
  }
  const double y = kMatrixTop + kSide + 22;
  double x = kMatrixLeft;
  for (std::uint32_t r = 0; r <= rounds; r += r == 0 ? 1 : std::max(1u, rounds / 8)) {
    const std::string name = r == 0 ? "its own" : fmt::format("round {}", r);
    svg.rect(x, y - 10, 12, 12, colour_of(r, rounds));
    svg.text(x + 16, y, name, {.fill = "#222"});
    x += 26 + 7 * static_cast<double>(name.size());
  }
  return svg.whole(std::max(kMatrixLeft + kSide, x) + 24, y + 16, title);
}

}  // namespace gossamer
