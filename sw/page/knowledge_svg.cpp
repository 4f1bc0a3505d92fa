#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "page/picture_svg.hpp"
#include "play/sums.hpp"
#include "schedule/chunks.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"

namespace gossamer {
namespace {

constexpr Node kMostNodes = 400;
constexpr double kLeft = 60, kTop = 52, kSide = 640;

/// Rounds by row and column; 0: held from the beginning.
using Matrix = std::vector<std::vector<std::uint32_t>>;
constexpr std::uint32_t kNever = ~std::uint32_t{0};

/// When whose part came into the sum of a node; of a reduce-scatter into that of its own block.
Matrix parts_of_sums(const Schedule& s) {
  const Node nodes = s.topology().nodes();
  std::map<std::pair<Node, Message>, std::vector<std::uint32_t>> sums;  // by node: rounds of parts
  const auto at = [&](Node x, const Message& m) -> std::vector<std::uint32_t>& {
    const auto [found, is_new] = sums.try_emplace({x, m}, nodes, kNever);
    if (is_new && is_initial(s, x, m)) found->second[x] = 0;
    return found->second;
  };
  const auto note = [&](Node x, const Message& m, const std::vector<Node>& parts,
                        std::uint32_t round) {
    for (const Node part : parts) at(x, m)[part] = std::min(at(x, m)[part], round);
  };
  play_sums(s, [](Node, const Message&, const std::vector<Node>&, std::uint32_t) {}, note);
  Matrix matrix(nodes, std::vector<std::uint32_t>(nodes, kNever));
  for (Node x = 0; x < nodes; ++x) {
    const Node origin = has_root(s.collective()) ? s.root_of(x) : x;
    for (std::uint32_t k = 0; k < s.pieces(); ++k) {
      const Message m{origin, kNoNode, k};
      if (why_no_chunk(s, m)) continue;  // of a node that only passes on, or of no flits
      const auto& parts = at(x, m);
      for (Node y = 0; y < nodes; ++y) {
        matrix[x][y] = k == 0 ? parts[y] : std::max(matrix[x][y], parts[y]);
      }
    }
  }
  return matrix;
}

Matrix arrivals(const Schedule& schedule, const std::vector<PageStream>& streams) {
  if (reduces(schedule.collective())) return parts_of_sums(schedule);
  const Topology& topology = schedule.topology();
  const bool all = same_to_all(schedule.collective());
  const Matrix never(topology.nodes(), std::vector<std::uint32_t>(topology.nodes(), kNever));
  std::vector<Matrix> pieces(schedule.pieces(), never);
  // A message of fewer flits has fewer pieces.
  for (std::uint32_t k = 1; k < schedule.pieces() && !schedule.sizes.equal(); ++k) {
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Node y = 0; y < topology.nodes(); ++y) {
        if (schedule.sizes.of(all ? y : x, y) <= k) pieces[k][x][y] = 0;
      }
    }
  }
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (const Message& m : own_messages(schedule, x)) {
      if (all) pieces[m.piece][x][m.origin] = 0;
    }
    if (all || !schedule.members.has(x)) continue;
    if (has_root(schedule.collective()) && x != schedule.root_of(x)) continue;
    for (Matrix& matrix : pieces) matrix[x][x] = 0;
  }
  const FaultSet& faults = schedule.faults;
  const auto moved = [&](Node x, Node by) { return by == 0 ? x : topology.translate(x, by); };
  const std::vector<Node> moves = schedule.symmetry().elements();
  for (const PageStream& stream : streams) {
    const Transfer& t = schedule.transfers()[stream.transfer];
    const auto hops = hops_of(schedule, stream);
    const TransferHop last = hops.back();
    const std::uint32_t round = schedule.round_of(t, last);
    if (!last.stored || stream.lost || (round >= faults.from_round && faults.dead(last.to))) continue;
    for (const Message& m : stream.messages) {
      if (!all && m.destination != last.to) continue;
      for (const Node by : moves) {
        const Node at = moved(last.to, by), origin = moved(m.origin, by);
        Matrix& matrix = pieces[m.piece];
        std::uint32_t& came = all ? matrix[at][origin] : matrix[origin][at];
        came = std::min(came, round);
      }
    }
  }
  // A message has come when its last piece has.
  for (const Matrix& piece : pieces) {
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Node y = 0; y < topology.nodes(); ++y)
        pieces[0][x][y] = std::max(pieces[0][x][y], piece[x][y]);
    }
  }
  return pieces[0];
}

/// From light to dark as the rounds go on; what never arrived is hatched.
std::string colour_of(std::uint32_t round, std::uint32_t rounds) {
  if (round == kNever) return "url(#never)";
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
  const Matrix matrix = arrivals(schedule, streams);
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
        if (round == kNever) continue;
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
