#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fabric/origin_colours.hpp"
#include "page/pictures.hpp"
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

std::string whole_svg(double width, double height, const std::string& title,
                      const std::string& body) {
  width = std::max(width, 24 + kTitleWidth * static_cast<double>(title.size()));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.2f} {1:.2f}\" font-family=\"Helvetica, Arial, sans-serif\" "
      "font-size=\"11\">\n"
      "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"12\" y=\"18\" font-size=\"13\" fill=\"#222\">{2}</text>\n{3}</svg>\n",
      width, height, xml_escaped(title), body);
}

std::string narrowed(const std::string& text, double room) {
  const auto characters =
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });  // of UTF-8
  if (kTextWidth * static_cast<double>(characters) <= room) return "";
  return fmt::format(" textLength=\"{:.0f}\" lengthAdjust=\"spacingAndGlyphs\"", room);
}

std::string space_time_svg(const Topology& topology, const std::vector<LinkRun>& runs,
                           const std::vector<LinkRun>& lost, const Timeline& time,
                           const std::string& title) {
  const double scale = kWidth / static_cast<double>(time.last_arrival + 1);
  const double top = kTop + 22;
  std::vector<std::size_t> row(std::size_t{topology.nodes()} * topology.ports(), 0);
  std::string body;
  const auto out = std::back_inserter(body);
  std::size_t rows = 0;
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint to = topology.peer(x, p);
      if (!topology.sends(x, p)) continue;
      const std::string link = topology.name(x) + " → " + topology.name(to.node);
      fmt::format_to(
          out, "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\" fill=\"#555\"{}>{}</text>\n",
          kLeft - 8, top + static_cast<double>(rows) * kRow + 11, narrowed(link, kLeft - 12), link);
      row[std::size_t{x} * topology.ports() + p] = rows++;
    }
  }
  const double bottom = top + static_cast<double>(rows) * kRow;
  for (std::size_t r = 0; r < time.start.size(); ++r) {
    const double x = kLeft + static_cast<double>(time.start[r]) * scale;
    const double width = static_cast<double>(time.length[r]) * scale;
    fmt::format_to(
        out, "<rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\"/>\n",
        x, top, width, bottom - top, r % 2 == 0 ? "#eef1f4" : "#f8f9fa");
    const std::string name = width > 50 ? fmt::format("round {}", r + 1) : std::to_string(r + 1);
    if (width > 9 * static_cast<double>(std::to_string(r + 1).size())) {
      fmt::format_to(out, "<text x=\"{:.2f}\" y=\"{:.0f}\" fill=\"#555\">{}</text>\n", x + 3,
                     top - 5, name);
    }
  }
  const auto y_of = [&](const LinkRun& run) {
    return top +
           static_cast<double>(row[std::size_t{run.from} * topology.ports() + run.port]) * kRow;
  };
  for (const LinkRun& run : lost) {
    fmt::format_to(out,
                   "<rect class=\"lost\" x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" "
                   "height=\"{:.0f}\" fill=\"none\" "
                   "stroke=\"#b00\" stroke-dasharray=\"1.5 2\"/>\n",
                   kLeft + static_cast<double>(run.begin) * scale + 0.5, y_of(run) + 2,
                   std::max(run.flits * scale - 1.6, 0.3), kRow - 4);
  }
  if (!lost.empty()) {
    fmt::format_to(out,
                   "<text x=\"{:.0f}\" y=\"{:.0f}\" fill=\"#b00\">dotted frames: what the faults "
                   "take away</text>\n",
                   kLeft, bottom + 32);
  }
  for (const LinkRun& run : runs) {
    const double x = kLeft + static_cast<double>(run.begin) * scale, width = run.flits * scale;
    const double y = y_of(run);
    fmt::format_to(
        out, "<rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\"/>", x,
        y + 1.5, std::max(width - 0.6, 0.3), kRow - 3,
        kOriginColours[run.message.origin % kOriginColours.size()].css);
    std::string name = topology.name(run.message.origin);
    if (run.message.destination != kNoNode) name += "›" + topology.name(run.message.destination);
    if (width > kTextWidth * static_cast<double>(name.size()) + 4) {
      fmt::format_to(out,
                     "<text x=\"{:.2f}\" y=\"{:.0f}\" font-size=\"9.5\" fill=\"#fff\">{}</text>",
                     x + 3, y + 10.3, name);
    }
    body += '\n';
  }
  for (std::uint64_t c = 0, step = mark_distance(time.last_arrival, 12); c <= time.last_arrival;
       c += step) {
    const double x = kLeft + static_cast<double>(c) * scale;
    fmt::format_to(
        out,
        "<path d=\"M{0:.2f} {1:.0f}v4\" stroke=\"#555\"/><text x=\"{0:.2f}\" y=\"{2:.0f}\" "
        "text-anchor=\"middle\" fill=\"#555\">{3}</text>\n",
        x, bottom, bottom + 16, c);
  }
  fmt::format_to(out,
                 "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\" fill=\"#555\">cycle</text>\n",
                 kLeft - 8, bottom + 16);
  return whole_svg(kLeft + kWidth + 24, bottom + (lost.empty() ? 28 : 44), title, body);
}

}  // namespace gossamer
