#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>

#include "page/pictures.hpp"

namespace gossamer {
namespace {

/// If later factors have more nodes than this together, their links are drawn as short ends instead
/// of across the picture.
constexpr Node kFewNodes = 64;
constexpr double kLane = 0.07;  ///< between the two directions of a link

bool is_ring(const Graph& g) { return g.spec.starts_with("ring:") && g.nodes > 2; }
bool is_path(const Graph& g) {
  return g.spec.starts_with("path:") || (g.spec.starts_with("ring:") && g.nodes == 2);
}
bool is_line_like(const Graph& g) {
  return is_ring(g) || is_path(g) || g.spec.starts_with("complete:");
}

Layout circle(Node nodes) {
  Layout l;
  const double around = std::max(1.0, nodes * 0.9 / (2 * std::numbers::pi));
  for (Node x = 0; x < nodes; ++x) {
    const double angle = 2 * std::numbers::pi * x / nodes - std::numbers::pi / 2;
    l.nodes.push_back({around * std::cos(angle), around * std::sin(angle)});
  }
  return l;
}

/// The most slices in a line.
constexpr Node kSlicesInLine = 4;

/// The slices of a product of three factors, side by side in about as many lines.
void place_slices(const Topology& topology, Layout& l, double width, double height) {
  const Node slices = topology.factors()[2].nodes;
  const auto root = static_cast<Node>(std::ceil(std::sqrt(slices * height / width)));
  const Node in_line = slices <= kSlicesInLine ? slices : std::max<Node>(root, 2);
  const auto corner = [&](Node slice) {
    return Point{(slice % in_line) * (width + 1.8), (slice / in_line) * (height + 2.2)};
  };
  for (Node x = 0; x < topology.nodes(); ++x) {
    const Point at = corner(topology.digit(x, 2));
    l.nodes[x] = {at.x + topology.digit(x, 0), at.y + topology.digit(x, 1)};
  }
  for (Node slice = 0; slice < slices; ++slice) {
    l.labels.push_back(
        {{corner(slice).x + width / 2, corner(slice).y - 0.75}, fmt::format("z = {}", slice)});
  }
}

/// Factors 0, 2, 4, ... go to the right, the others down; each repeats the picture of those before.
Layout grid(const Topology& topology) {
  Layout l;
  l.kind = Layout::Kind::Grid;
  const auto factors = topology.factors();
  std::vector<double> step(factors.size());
  double extent[2] = {0, 0};
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const std::size_t way = f % 2;
    l.level.push_back(f / 2);
    step[f] = f < 2 ? 1 : extent[way] + 1 + 0.6 * static_cast<double>(f / 2);
    extent[way] += step[f] * (factors[f].nodes - 1);
  }
  for (Node x = 0; x < topology.nodes(); ++x) {
    Point at;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      (f % 2 == 0 ? at.x : at.y) += step[f] * topology.digit(x, f);
    }
    l.nodes.push_back(at);
  }
  if (factors.size() == 3 && topology.nodes() > 8) {
    place_slices(topology, l, factors[0].nodes - 1, factors[1].nodes - 1);
  }
  return l;
}

std::size_t factor_of(const Topology& topology, Port p) {
  std::size_t f = 0;
  while (f + 1 < topology.factors().size() && p >= topology.first_port(f + 1)) ++f;
  return f;
}

Point along(Point a, Point b, double way) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  return {a.x + (b.x - a.x) / length * way, a.y + (b.y - a.y) / length * way};
}

/// A shift to the right of the direction from `a` to `b`, with y growing downwards.
Point right_of(Point a, Point b) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  return {-(b.y - a.y) / length, (b.x - a.x) / length};
}

std::string curve(Point a, Point b, double bulge, double radius) {
  const Point right = right_of(a, b);
  const auto beside = [&](Point p, double by) {
    return Point{p.x + right.x * by, p.y + right.y * by};
  };
  const Point middle = beside({(a.x + b.x) / 2, (a.y + b.y) / 2}, 2 * bulge);
  const Point from = along(beside(a, kLane), middle, radius),
              to = along(beside(b, kLane), middle, radius);
  return fmt::format("M{:.2f} {:.2f}Q{:.2f} {:.2f} {:.2f} {:.2f}", from.x, from.y, middle.x,
                     middle.y, to.x, to.y);
}

/// Out of one end of a row or column, beside its nodes, and in at the other.
std::string around(Point a, Point b, double radius) {
  const bool across = std::abs(a.x - b.x) > std::abs(a.y - b.y);
  const double sign = (across ? b.x > a.x : b.y > a.y) ? 1 : -1;
  const double lane = 0.36 + (sign > 0 ? kLane : -kLane), out = 0.42 + (sign > 0 ? kLane : -kLane);
  // (u, v): along the row, and beside it.
  const auto text = [&](double u, double v) {
    return across ? fmt::format("{:.2f} {:.2f}", u, a.y + v)
                  : fmt::format("{:.2f} {:.2f}", a.x + v, u);
  };
  const double begin = across ? a.x : a.y, end = across ? b.x : b.y;
  return "M" + text(begin - sign * radius, 0) + "C" + text(begin - sign * out, 0) + " " +
         text(begin - sign * out, lane) + " " + text(begin, lane) + "L" + text(end, lane) + "C" +
         text(end + sign * out, lane) + " " + text(end + sign * out, 0) + " " +
         text(end + sign * radius, 0);
}

/// The beginning of a link, slanted: each port has its own direction among `ports`, and forward and
/// back are opposite.
std::string short_end(Point a, Port port, Port ports, double radius) {
  const double angle =
      2 * std::numbers::pi * (0.06 + (port % 2) / 2.0 + (port / 2) / (1.0 * ports));
  const double c = std::cos(angle), s = -std::sin(angle);
  return fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", a.x + c * radius, a.y + s * radius,
                     a.x + c * (radius + 0.18), a.y + s * (radius + 0.18));
}

}  // namespace

std::string Layout::link(const Topology& topology, Node x, Port p) const {
  const Node to = topology.peer(x, p).node;
  const Point a = nodes[x], b = nodes[to];
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  double beside = 0;  // of several links between two nodes each is a little farther out
  for (Port q = 0; q < p; ++q) beside += topology.peer(x, q).node == to ? kLane : 0;
  if (kind == Kind::Circle) {
    return curve(a, b, (length < 1.5 ? kLane : 0.03 * length) + beside, radius);
  }
  const std::size_t f = factor_of(topology, p);
  const Graph& graph = topology.factors()[f];
  const Node from_digit = topology.digit(x, f), to_digit = topology.digit(to, f);
  const Node apart = std::max(from_digit, to_digit) - std::min(from_digit, to_digit);
  if (level[f] > 0 && topology.nodes() > kFewNodes) {
    return short_end(a, p, topology.ports(), radius);
  }
  if (level[f] == 0 && apart == 1) return curve(a, b, kLane + beside, radius);
  if (level[f] == 0 && is_ring(graph)) return around(a, b, radius);
  return curve(a, b, 0.16 * length + beside, radius);
}

Layout layout_of(const Topology& topology) {
  const auto factors = topology.factors();
  const bool lines = std::ranges::all_of(factors, is_line_like);
  const bool line = factors.size() == 1 && is_path(factors[0]);
  Layout l = line || (lines && factors.size() > 1) ? grid(topology) : circle(topology.nodes());
  l.low = l.high = l.nodes[0];
  for (const Point& at : l.nodes) {
    l.low = {std::min(l.low.x, at.x), std::min(l.low.y, at.y)};
    l.high = {std::max(l.high.x, at.x), std::max(l.high.y, at.y)};
  }
  const double margin = l.kind == Layout::Kind::Grid ? (l.labels.empty() ? 0.75 : 1) : 0.6;
  // Links of later factors bend out of the picture.
  double bend = 0;
  if (l.kind == Layout::Kind::Grid && topology.nodes() <= kFewNodes) {
    bend = 0.1 * std::max(l.high.x - l.low.x, l.high.y - l.low.y);
  }
  l.low = {l.low.x - margin - bend, l.low.y - margin - bend};
  l.high = {l.high.x + margin + bend, l.high.y + margin + bend};
  return l;
}

namespace {

/// Pixels of a step of the grid: small fabrics fill the page's width, in large ones the numbers are
/// readable.
double unit_of(const Layout& layout) {
  return std::clamp(800 / (layout.high.x - layout.low.x), 44.0, 96.0);
}
constexpr Node kMostWithNumbers = 1000;  ///< nodes with their numbers in them

/// Links by load, thicker and darker for more; idle ones dotted.
constexpr std::array<std::string_view, 6> kLoadColours = {"#c9d0d6", "#9cc3dd", "#6ba6cd",
                                                          "#3d86b8", "#1f6498", "#0d3f6b"};
constexpr std::array<double, 6> kLoadWidths = {0.035, 0.035, 0.047, 0.059, 0.071, 0.083};

/// A longer name than a node has room for is drawn as wide as the node.
constexpr std::size_t kFits = 3;
const std::string kNarrow = R"( textLength=".46" lengthAdjust="spacingAndGlyphs")";

/// The class of a load, of which the largest is `most`: 0 if there is none, else 1 to 5.
unsigned load_class(std::uint64_t load, std::uint64_t most) {
  if (load == 0) return 0;
  return static_cast<unsigned>(1 + (load * 5 - 1) / most);
}

std::string arcs_svg(const Topology& topology, const Layout& layout,
                     const std::function<std::string(Node, Port)>& attributes) {
  std::string svg = "<g class=\"arcs\" fill=\"none\">\n";
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      if (!topology.sends(x, p)) continue;
      svg += fmt::format("<path {} d=\"{}\"/>\n", attributes(x, p), layout.link(topology, x, p));
    }
  }
  return svg + "</g>\n";
}

std::string nodes_svg(const Topology& topology, const Layout& layout) {
  std::string svg = "<g class=\"nodes\">\n";
  for (Node x = 0; x < topology.nodes(); ++x) {
    const Point at = layout.nodes[x];
    svg += fmt::format(
        "<g class=\"node\" data-n=\"{}\"><circle cx=\"{:.2f}\" cy=\"{:.2f}\" "
        "r=\"{:.2f}\"/>",
        x, at.x, at.y, layout.radius);
    if (topology.nodes() <= kMostWithNumbers) {
      const std::string name = topology.name(x);
      const std::string narrow = !topology.named() || name.size() <= kFits ? "" : kNarrow;
      svg += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\"{}>{}</text>", at.x, at.y, narrow, name);
    }
    svg += "</g>\n";
  }
  svg += "</g>\n";
  for (const auto& [at, text] : layout.labels) {
    svg += fmt::format("<text class=\"slice\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", at.x, at.y,
                       text);
  }
  return svg;
}

std::string view_box(const Layout& layout) {
  return fmt::format("{:.2f} {:.2f} {:.2f} {:.2f}", layout.low.x, layout.low.y,
                     layout.high.x - layout.low.x, layout.high.y - layout.low.y);
}

}  // namespace

std::string fabric_svg(const Topology& topology) {
  const Layout layout = layout_of(topology);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fabric\" role=\"img\" aria-label=\"nodes "
      "and "
      "links of the fabric\" viewBox=\"{}\" width=\"{:.0f}\" height=\"{:.0f}\">\n{}{}</svg>\n",
      view_box(layout), (layout.high.x - layout.low.x) * unit_of(layout),
      (layout.high.y - layout.low.y) * unit_of(layout),
      arcs_svg(topology, layout,
               [&](Node x, Port p) {
                 return fmt::format("class=\"arc\" data-a=\"{}\"",
                                    std::size_t{x} * topology.ports() + p);
               }),
      nodes_svg(topology, layout));
}

std::string fabric_picture(const Topology& topology, const Loads& loads, const FaultSet& faults,
                           const std::string& title) {
  std::uint64_t most = 1;
  std::map<std::pair<Node, Port>, std::uint64_t> carried;
  for (const LinkLoad& load : loads.in_sum) {
    carried[{load.from, load.port}] = load.messages;
    most = std::max(most, load.messages);
  }
  const Layout layout = layout_of(topology);
  const double unit = unit_of(layout);
  const double width = (layout.high.x - layout.low.x) * unit;
  const double height = (layout.high.y - layout.low.y) * unit;
  const auto attributes = [&](Node x, Port p) -> std::string {
    if (faults.dead(x, topology.peer(x, p).node)) {
      return R"(class="broken" stroke="#b00" stroke-width=".035" stroke-dasharray=".02 .1")";
    }
    const unsigned k = load_class(carried[{x, p}], most);
    return fmt::format(R"(stroke="{}" stroke-width="{}"{})", kLoadColours[k], kLoadWidths[k],
                       k == 0 ? R"( stroke-dasharray=".03 .09")" : "");
  };
  Svg svg;
  svg.add(fmt::format(
      "<style>.node circle{{fill:#fff;stroke:#5b6570;stroke-width:.03}}text.slice,.node "
      "text{{font-size:.17px;text-anchor:middle;dominant-baseline:central;fill:#1d2329}}</style>\n"
      R"(<svg x="0" y="26" width="{:.0f}" height="{:.0f}" viewBox="{}" stroke-linecap="round">)"
      "\n{}{}",
      width, height, view_box(layout), arcs_svg(topology, layout, attributes),
      nodes_svg(topology, layout)));
  for (const Node x : faults.nodes) {
    const Point at = layout.nodes[x];
    const double r = layout.radius * 0.7;
    svg.path(fmt::format("M{0:.2f} {1:.2f}L{2:.2f} {3:.2f}M{0:.2f} {3:.2f}L{2:.2f} {1:.2f}",
                         at.x - r, at.y - r, at.x + r, at.y + r),
             "#b00", R"( class="cross" stroke-width=".06")");
  }
  svg.add("</svg>\n");
  double x = 12;
  for (unsigned k = 0; k < kLoadColours.size(); ++k) {
    const std::uint64_t low = k == 0 ? 0 : (k - 1) * most / 5 + 1, high = k * most / 5;
    if (low > high) continue;
    const std::string text = k == 0        ? "messages on a link: none"
                             : low == high ? std::to_string(low)
                                           : fmt::format("{}–{}", low, high);
    svg.path(fmt::format("M{:.6g} {:.6g}h22", x, height + 38), kLoadColours[k],
             fmt::format(R"( stroke-width="{:.1f}"{})", kLoadWidths[k] * unit,
                         k == 0 ? R"( stroke-dasharray="2 4")" : ""));
    svg.text(x + 28, height + 42, text, {.fill = "#222"});
    x += 44 + 6.2 * static_cast<double>(text.size());
  }
  if (!faults.empty()) {
    svg.path(fmt::format("M12 {:.6g}h22", height + 54), "#b00",
             R"( stroke-width="2" stroke-dasharray="1.5 4")");
    svg.text(40, height + 58, "broken; nodes are crossed out", {.fill = "#222"});
  }
  return svg.whole(std::max(width, x), height + (faults.empty() ? 54 : 70), title);
}

}  // namespace gossamer
