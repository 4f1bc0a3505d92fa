#include "page/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>


namespace gossamer {
namespace {

/// Pixels of a step of the grid: small fabrics fill the page's width, in large ones the numbers are
/// readable.
double unit_of(const Layout& layout) {
  return std::clamp(800 / (layout.high.x - layout.low.x), 44.0, 96.0);
}
constexpr Node kMostNumbers = 1000;  ///< nodes with their numbers in them

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
      fmt::format_to(std::back_inserter(svg), "<path {} d=\"{}\"/>\n", attributes(x, p),
                     layout.link(topology, x, p));
    }
  }
  return svg + "</g>\n";
}

std::string nodes_svg(const Topology& topology, const Layout& layout) {
  std::string svg = "<g class=\"nodes\">\n";
  const auto out = std::back_inserter(svg);
  for (Node x = 0; x < topology.nodes(); ++x) {
    const Point at = layout.nodes[x];
    fmt::format_to(out,
                   "<g class=\"node\" data-n=\"{}\"><circle cx=\"{:.2f}\" cy=\"{:.2f}\" "
                   "r=\"{:.2f}\"/>",
                   x, at.x, at.y, layout.radius);
    if (topology.nodes() <= kMostNumbers) {
      const std::string name = topology.name(x);
      const std::string narrow = !topology.named() || name.size() <= kFits ? "" : kNarrow;
      fmt::format_to(out, "<text x=\"{:.2f}\" y=\"{:.2f}\"{}>{}</text>", at.x, at.y, narrow, name);
    }
    svg += "</g>\n";
  }
  svg += "</g>\n";
  for (const auto& [at, text] : layout.labels) {
    fmt::format_to(out, "<text class=\"slice\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", at.x, at.y,
                   text);
  }
  return svg;
}

std::string broken_nodes_svg(const Layout& layout, const FaultSet& faults) {
  std::string svg;
  for (const Node x : faults.nodes) {
    const Point at = layout.nodes[x];
    const double r = layout.radius * 0.7;
    fmt::format_to(std::back_inserter(svg),
                   "<path class=\"cross\" d=\"M{0:.2f} {1:.2f}L{2:.2f} {3:.2f}M{0:.2f} "
                   "{3:.2f}L{2:.2f} {1:.2f}\" "
                   "stroke=\"#b00\" stroke-width=\".06\"/>\n",
                   at.x - r, at.y - r, at.x + r, at.y + r);
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
  std::string body = fmt::format(
      "<style>.node circle{{fill:#fff;stroke:#5b6570;stroke-width:.03}}text.slice,.node "
      "text{{font-size:.17px;text-anchor:middle;dominant-baseline:central;fill:#1d2329}}</style>\n"
      "<svg x=\"0\" y=\"26\" width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"{}\" "
      "stroke-linecap=\"round\">\n{}{}</svg>\n",
      width, height, view_box(layout),
      arcs_svg(topology, layout,
               [&](Node x, Port p) -> std::string {
                 if (faults.dead(x, topology.peer(x, p).node)) {
                   return "class=\"broken\" stroke=\"#b00\" stroke-width=\".035\" "
                          "stroke-dasharray=\".02 .1\"";
                 }
                 const unsigned k = load_class(carried[{x, p}], most);
                 return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", kLoadColours[k],
                                    kLoadWidths[k], k == 0 ? " stroke-dasharray=\".03 .09\"" : "");
               }),
      nodes_svg(topology, layout) + broken_nodes_svg(layout, faults));
  double x = 12;
  for (unsigned k = 0; k < kLoadColours.size(); ++k) {
    const std::uint64_t low = k == 0 ? 0 : (k - 1) * most / 5 + 1, high = k * most / 5;
    if (low > high) continue;
    const std::string text = k == 0        ? "messages on a link: none"
                             : low == high ? std::to_string(low)
                                           : fmt::format("{}–{}", low, high);
    fmt::format_to(std::back_inserter(body),
                   "<path d=\"M{:.0f} {:.0f}h22\" stroke=\"{}\" stroke-width=\"{:.1f}\"{}/><text "
                   "x=\"{:.0f}\" y=\"{:.0f}\" fill=\"#222\">{}</text>\n",
                   x, height + 38, kLoadColours[k], kLoadWidths[k] * unit,
                   k == 0 ? " stroke-dasharray=\"2 4\"" : "", x + 28, height + 42, text);
    x += 44 + 6.2 * static_cast<double>(text.size());
  }
  if (!faults.empty()) {
    fmt::format_to(
        std::back_inserter(body),
        "<path d=\"M12 {0:.0f}h22\" stroke=\"#b00\" stroke-width=\"2\" stroke-dasharray=\"1.5 4\"/>"
        "<text x=\"40\" y=\"{1:.0f}\" fill=\"#222\">broken; nodes are crossed out</text>\n",
        height + 54, height + 58);
  }
  return whole_svg(std::max(width, x), height + (faults.empty() ? 54 : 70), title, body);
}

}  // namespace gossamer
