#include "views/flit_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "fabric/operators.hpp"
#include "fabric/origin_colours.hpp"
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

/// What the nodes of a reduction hold, round by round; each sum is named when it is first sent.
class Sums {
 public:
  Sums(const Schedule& schedule, const Payload& payload, Names& names)
      : s_(schedule), payload_(payload), names_(names) {}

  void name() {
    struct Arrival {
      Node to;
      Message message;
      Sum sum;
    };
    const auto transfers = s_.transfers();
    std::vector<Arrival> arrivals;
    for (std::size_t i = 0; i < transfers.size() && !names_.full(); ++i) {
      if (i > 0 && transfers[i].round != transfers[i - 1].round) {
        // Of what comes in a round a whole sum counts last: it takes the place of all else.
        std::stable_partition(arrivals.begin(), arrivals.end(), [&](const Arrival& a) {
          return a.sum.parts.size() != contributors(s_, a.message);
        });
        for (const Arrival& a : arrivals) arrive(at(a.to, a.message), a.message, a.sum);
        arrivals.clear();
      }
      for (const Message& m : s_.messages(transfers[i])) {
        const Sum& sum = at(s_.source(transfers[i]), m);
        name(m, sum);
        for (const TransferHop hop : s_.stored_hops(transfers[i]))
          arrivals.push_back({hop.to, m, sum});
      }
    }
  }

 private:
  struct Sum {
    std::vector<Node> parts;
    std::vector<std::uint32_t> words;
  };

  Sum& at(Node x, const Message& m) {
    const auto [found, is_new] = held_.try_emplace({x, m});
    if (is_new && is_initial(s_, x, m)) {
      found->second.parts = {x};
      for (unsigned i = 0; i < payload_.flits(m); ++i) {
        found->second.words.push_back(payload_.part(x, m, i));
      }
    }
    return found->second;
  }
  void arrive(Sum& to, const Message& m, const Sum& came) const {
    if (to.parts.empty() || came.parts.size() == contributors(s_, m)) {
      to = came;
      return;
    }
    for (std::size_t i = 0; i < std::min(to.words.size(), came.words.size()); ++i) {
      to.words[i] = combined(s_.op, came.words[i], to.words[i]);
    }
    const auto middle = to.parts.insert(to.parts.end(), came.parts.begin(), came.parts.end());
    std::inplace_merge(to.parts.begin(), middle, to.parts.end());
  }

  void name(const Message& m, const Sum& sum) {
    if (!named_.insert({m, sum.parts}).second) return;
    std::string whose =
        sum.parts.size() == contributors(s_, m) ? "all" : runs_text(sum.parts, sum.parts.size());
    std::erase(whose, ' ');
    if (!has_root(s_.collective())) whose = fmt::format("{}:{}", m.origin, whose);
    if (m.piece != 0) whose += fmt::format("/{}", m.piece);
    for (std::size_t i = 0; i < sum.words.size(); ++i) {
      names_.add(sum.words[i], sum.parts.size(),
                 payload_.flits() > 1 ? fmt::format("{}.{}", whose, i) : whose);
    }
  }

  const Schedule& s_;
  const Payload& payload_;
  Names& names_;
  std::map<std::pair<Node, Message>, Sum> held_;
  std::set<std::pair<Message, std::vector<Node>>> named_;
};

}  // namespace

std::string flit_names(const Schedule& schedule, const Payload& payload,
                       const std::vector<Node>& first) {
  Names names;
  if (payload.adds()) {
    Sums(schedule, payload, names).name();
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
