#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fabric/payload.hpp"
#include "page/pictures.hpp"
#include "schedule/message_sets.hpp"
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

namespace {

constexpr Node kMostNodes = 400;
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
  if (nodes > kMostNodes) {
    refuse("knowledge: {} nodes are too many for a picture; {} at most", nodes, kMostNodes);
  }
  const Frames frames(schedule);
  const Knowledge known = knowledge(schedule, streams);
  std::vector<std::vector<std::uint32_t>> matrix(nodes);
  for (Node x = 0; x < nodes; ++x) {
    const Frames::View back = frames.view_of(x);
    for (Node y = 0; y < nodes; ++y) {
      matrix[x].push_back(known.came[frames.class_of(x)][back({y, kNoNode}).origin]);
    }
  }
  const double cell = kSide / nodes;
  std::string body =
      "<defs><pattern id=\"never\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">"
      "<path d=\"M0 4L4 0\" stroke=\"#b00\"/></pattern></defs>\n";
  const auto out = std::back_inserter(body);
  const bool all = same_to_all(schedule.collective());
  fmt::format_to(out, "<text x=\"{:.0f}\" y=\"{:.0f}\" fill=\"#555\">{}</text>\n", kMatrixLeft,
                 kMatrixTop - 18,
                 reduces(schedule.collective()) ? "part of node →, in the sum of node ↓"
                 : all                          ? "message of node →, held by node ↓"
                                                : "to node →, from node ↓");
  for (Node row = 0; row < nodes; ++row) {
    for (Node first = 0; first < nodes;) {
      Node last = first;
      while (last < nodes && matrix[row][last] == matrix[row][first]) ++last;
      fmt::format_to(
          out, "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
          kMatrixLeft + first * cell, kMatrixTop + row * cell, (last - first) * cell, cell,
          colour_of(matrix[row][first], schedule.rounds()));
      first = last;
    }
  }
  if (cell >= 18) {
    for (Node row = 0; row < nodes; ++row) {
      for (Node column = 0; column < nodes; ++column) {
        const std::uint32_t round = matrix[row][column];
        if (round == Knowledge::kNever) continue;
        fmt::format_to(
            out, "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
            kMatrixLeft + (column + 0.5) * cell, kMatrixTop + (row + 0.5) * cell + 4,
            2 * round > schedule.rounds() ? "#fff" : "#222", round);
      }
    }
  }
  for (Node x = 0, step = std::max<Node>(1, nodes / 16); x < nodes; x += step) {
    const std::string name = schedule.topology().name(x);
    fmt::format_to(
        out,
        "<text x=\"{:.2f}\" y=\"{:.0f}\" text-anchor=\"middle\" fill=\"#555\"{}>{}</text>"
        "<text x=\"{:.0f}\" y=\"{:.2f}\" text-anchor=\"end\" fill=\"#555\"{}>{}</text>\n",
        kMatrixLeft + (x + 0.5) * cell, kMatrixTop - 5, narrowed(name, step * cell - 4), name,
        kMatrixLeft - 6, kMatrixTop + (x + 0.5) * cell + 4, narrowed(name, kMatrixLeft - 10), name);
  }
  const double y = kMatrixTop + kSide + 22;
  double x = kMatrixLeft;
  const std::uint32_t rounds = schedule.rounds(), step = std::max(1u, rounds / 8);
  for (std::uint32_t r = 0; r <= rounds; r += r == 0 ? 1 : step) {
    const std::string name = r == 0 ? "its own" : fmt::format("round {}", r);
    fmt::format_to(out,
                   "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"12\" height=\"12\" fill=\"{}\"/>"
                   "<text x=\"{:.0f}\" y=\"{:.0f}\" fill=\"#222\">{}</text>\n",
                   x, y - 10, colour_of(r, rounds), x + 16, y, name);
    x += 26 + 7 * static_cast<double>(name.size());
  }
  return whole_svg(std::max(kMatrixLeft + kSide, x) + 24, y + 16, title, body);
}

}  // namespace gossamer
