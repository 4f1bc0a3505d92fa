#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "page/pictures.hpp"
#include "schedule/message_sets.hpp"
#include "support/error.hpp"

namespace gossamer {
namespace {

constexpr Node kMostNodes = 400;
constexpr double kLeft = 60, kTop = 52, kSide = 640;

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
    throw InputError(fmt::format("knowledge: {} nodes are too many for a picture; {} at most",
                                 nodes, kMostNodes));
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
  fmt::format_to(out, "<text x=\"{:.0f}\" y=\"{:.0f}\" fill=\"#555\">{}</text>\n", kLeft, kTop - 18,
                 reduces(schedule.collective()) ? "part of node →, in the sum of node ↓"
                 : all                          ? "message of node →, held by node ↓"
                                                : "to node →, from node ↓");
  for (Node row = 0; row < nodes; ++row) {
    for (Node first = 0; first < nodes;) {
      Node last = first;
      while (last < nodes && matrix[row][last] == matrix[row][first]) ++last;
      fmt::format_to(
          out, "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
          kLeft + first * cell, kTop + row * cell, (last - first) * cell, cell,
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
            kLeft + (column + 0.5) * cell, kTop + (row + 0.5) * cell + 4,
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
        kLeft + (x + 0.5) * cell, kTop - 5, narrowed(name, step * cell - 4), name, kLeft - 6,
        kTop + (x + 0.5) * cell + 4, narrowed(name, kLeft - 10), name);
  }
  const double y = kTop + kSide + 22;
  double x = kLeft;
  const std::uint32_t rounds = schedule.rounds(), step = std::max(1u, rounds / 8);
  for (std::uint32_t r = 0; r <= rounds; r += r == 0 ? 1 : step) {
    const std::string name = r == 0 ? "its own" : fmt::format("round {}", r);
    fmt::format_to(out,
                   "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"12\" height=\"12\" fill=\"{}\"/>"
                   "<text x=\"{:.0f}\" y=\"{:.0f}\" fill=\"#222\">{}</text>\n",
                   x, y - 10, colour_of(r, rounds), x + 16, y, name);
    x += 26 + 7 * static_cast<double>(name.size());
  }
  return whole_svg(std::max(kLeft + kSide, x) + 24, y + 16, title, body);
}

}  // namespace gossamer
