#include "views/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "fabric/operators.hpp"
#include "fabric/origin_colours.hpp"
#include "play/sums.hpp"
#include "schedule/chunks.hpp"
#include "schedule/missing_by_node.hpp"
#include "tables/compiler.hpp"

namespace gossamer {
namespace {

constexpr std::size_t kMostFlitNames = 20'000;

}  // namespace

std::string flit_text(const FlitId& flit, unsigned flits) {
  std::string text = std::to_string(flit.message.origin);
  if (flit.message.destination != kNoNode) text += fmt::format(">{}", flit.message.destination);
  if (flit.message.piece != 0) text += fmt::format("/{}", flit.message.piece);
  if (flits > 1) text += fmt::format(".{}", flit.index);
  return text;
}

namespace {

/// Writes a line for each word that may be on a link.
class Names {
 public:
  bool full() const { return lines_ >= kMostFlitNames; }
  void add(std::uint32_t word, std::size_t colour, const std::string& name) {
    if (lines_++ >= kMostFlitNames) return;
    text_ += fmt::format("1{:08X} ?{}?{}\n", word,
                         kOriginColours[colour % kOriginColours.size()].x11, name);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_ =
      "# valid bit and word of a link, and what it is: origin.flit\n000000000 ?black?\n";
  std::size_t lines_ = 0;
};

/// Each sum of a reduction is named when it is first sent.
void name_sums(const Schedule& s, const Payload& payload, Names& names) {
  std::set<std::pair<Message, std::vector<Node>>> named;
  const auto name = [&](Node, const Message& m, const std::vector<Node>& parts, std::uint32_t) {
    if (names.full() || !named.insert({m, parts}).second || parts.empty()) return;
    std::string whose =
        parts.size() == contributors(s, m) ? "all" : runs_text(parts, parts.size());
    std::erase(whose, ' ');
    if (!has_root(s.collective())) whose = fmt::format("{}:{}", m.origin, whose);
    if (m.piece != 0) whose += fmt::format("/{}", m.piece);
    for (unsigned i = 0; i < payload.flits(m); ++i) {
      std::uint32_t word = payload.part(parts[0], m, i);
      for (std::size_t k = 1; k < parts.size(); ++k) {
        word = combine(operator_number(s.op), payload.part(parts[k], m, i), word, 32);
      }
      names.add(word, parts.size(), payload.flits() > 1 ? fmt::format("{}.{}", whose, i) : whose);
    }
  };
  play_sums(s, name, [](Node, const Message&, const std::vector<Node>&, std::uint32_t) {});
}

}  // namespace

std::string flit_names(const Schedule& schedule, const Payload& payload,
                       const std::vector<Node>& first) {
  Names names;
  if (payload.adds()) {
    name_sums(schedule, payload, names);
    return std::move(names).text();
  }
  const auto add = [&](Node x) {
    for (const Message& m : own_messages(schedule, x)) {
      for (unsigned i = 0; i < payload.flits(m) && !names.full(); ++i) {
        names.add(payload.word({m, i}), x, flit_text({m, i}, payload.flits()));
      }
    }
  };
  for (Node x : first) add(x);
  for (Node x = 0; x < schedule.topology().nodes() && !names.full(); ++x) {
    if (std::find(first.begin(), first.end(), x) == first.end()) add(x);
  }
  return std::move(names).text();
}

}  // namespace gossamer
