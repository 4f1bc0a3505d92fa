#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "checks/scoreboard.hpp"
#include "gossamer_constants.hpp"
#include "support/job.hpp"

namespace gossamer::tb {
namespace {

/// How a piece comes to a node.
struct Coming {
  Port port = kNoPort;
  bool may_lack = false;  ///< something on its way is dead
};

/// By node and piece.
std::vector<std::vector<Coming>> all_coming(const Schedule& schedule) {
  std::vector<std::vector<Coming>> coming(schedule.topology().nodes(),
                                          std::vector<Coming>(schedule.pieces()));
  for (const Transfer& t : schedule.transfers()) {
    if (schedule.messages(t).empty()) continue;
    const std::uint32_t piece = schedule.messages(t)[0].piece;
    std::vector<bool> dead;
    for (const TransferHop hop : schedule.hops(t)) {
      dead.push_back(schedule.faults.dead(hop.from, hop.to) ||
                     (hop.before != TransferHop::kNone && dead[hop.before]));
      if (hop.stored) coming[hop.to][piece] = {port_in(schedule.topology(), hop), dead.back()};
    }
  }
  return coming;
}

}  // namespace

Score score_pieces(const Fabric& fabric, const Payload& payload, const Schedule& schedule,
                   const Scoring& how, std::vector<WorkedOut>& worked_out) {
  Score score;
  std::map<Node, NodeError> errors;
  for (const NodeError& e : fabric.errors()) errors[e.node] = e;
  std::vector<std::vector<std::uint32_t>> sent(schedule.pieces());
  for (std::uint32_t k = 0; k < sent.size(); ++k) {
    const Message piece{schedule.root, kNoNode, k};
    for (std::uint32_t i = 0; i < payload.flits(piece); ++i) {
      sent[k].push_back(payload.word({piece, i}));
    }
  }
  const auto coming = all_coming(schedule);
  for (Node x = 0; x < coming.size(); ++x) {
    stop_if_interrupted();
    if (x == schedule.root || schedule.faults.dead(x)) continue;
    ++score.expected;
    std::string problem;
    const auto differ = [&](std::uint32_t k, const auto& words, std::size_t from,
                            const char* how_got) {
      for (std::size_t i = from; i < words.size() && problem.empty(); ++i) {
        if (i < sent[k].size() && words[i] == sent[k][i]) continue;
        problem = fmt::format("piece {}, flit {}: {:#010x} {}", k, i, words[i], how_got);
      }
    };
    std::vector<std::uint32_t> sum(sent[0].size());
    std::optional<WorkedOut> lacks;
    for (std::uint32_t k = 0; k < sent.size(); ++k) {
      const Coming& come = coming[x][k];
      const std::vector<std::uint32_t> words =
          come.port == kNoPort ? std::vector<std::uint32_t>() : fabric.log(x, come.port);
      score.words_checked += words.size();
      differ(k, words, 0, "came, which is not what was sent");
      for (std::size_t i = 0; i < std::min(words.size(), sum.size()); ++i) sum[i] ^= words[i];
      if (words.size() >= sent[k].size()) {
        if (come.may_lack && schedule.faults.from_cycle == 0) {
          problem = fmt::format("piece {} came over what is dead", k);
        }
        continue;
      }
      if (lacks) problem = fmt::format("pieces {} and {} are not whole", lacks->piece, k);
      if (!come.may_lack)
        problem = fmt::format("piece {} is not whole, and nothing on its way is dead", k);
      lacks = {x, come.port, k, static_cast<std::uint32_t>(sent[k].size() - words.size())};
    }
    const auto error = errors.find(x);
    const bool raised = error != errors.end();
    if (raised != lacks.has_value() ||
        (lacks && (rtl::error_e{error->second.first_code} != rtl::error_e::ERR_MISSING ||
                   error->second.first_port != lacks->port))) {
      if (problem.empty()) problem = "its first error does not say which piece is not whole";
    }
    if (lacks && problem.empty()) {
      // Where the piece itself came, the sum of all is 0.
      sum.resize(sent[lacks->piece].size());
      differ(lacks->piece, sum, sum.size() - lacks->words,
             "worked out, which is not what was sent");
      worked_out.push_back(*lacks);
    }
    if (problem.empty()) {
      ++score.delivered;
    } else if (score.problems.size() < how.max_problems) {
      score.problems.push_back(fmt::format("node {}: {}", x, problem));
    }
  }
  return score;
}

}  // namespace gossamer::tb
