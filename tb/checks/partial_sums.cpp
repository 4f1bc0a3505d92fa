#include "checks/partial_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "schedule/members.hpp"
#include "support/job.hpp"

namespace gossamer::tb {
namespace {

/// One word of the two, in lanes of 32 bits, as the words of the schedule's operators say.
std::uint32_t combined(Operator op, std::uint32_t a, std::uint32_t b) {
  const auto lanes = [a, b](unsigned bits) {
    std::uint32_t sum = 0;
    for (unsigned at = 0; at < 32; at += bits) {
      const std::uint32_t most = (1u << bits) - 1;
      sum |= (((a >> at) + (b >> at)) & most) << at;
    }
    return sum;
  };
  const auto less = [a, b] { return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b); };
  switch (op) {
    case Operator::OP_SUM: return a + b;
    case Operator::OP_SUM16: return lanes(16);
    case Operator::OP_SUM8: return lanes(8);
    case Operator::OP_MIN: return less() ? a : b;
    case Operator::OP_MAX: return less() ? b : a;
    case Operator::OP_MINU: return a < b ? a : b;
    case Operator::OP_MAXU: return a < b ? b : a;
    case Operator::OP_AND: return a & b;
    case Operator::OP_OR: return a | b;
    case Operator::OP_XOR: return a ^ b;
  }
  throw std::logic_error("an operator without a meaning");
}

/// What a node has of a message.
struct Sum {
  std::vector<std::uint32_t> words;  ///< empty: nothing
  Node parts = 0;                    ///< of so many members
};

/// Has the node a part of the message?
bool adds(const Schedule& s, Node x, const Message& m) {
  return s.members.has(x) && s.members.together(x, m.origin);
}

}  // namespace

std::vector<Node> adding(const Schedule& s, const Message& m) {
  std::vector<Node> all;
  for (Node x = 0; x < s.topology().nodes(); ++x) {
    if (adds(s, x, m)) all.push_back(x);
  }
  return all;
}

namespace {

class Replay {
 public:
  Replay(const Schedule& schedule, const Payload& payload) : s_(schedule), payload_(payload) {}

  const Sum& at(Node x, const Message& m) {
    const auto [found, is_new] = sums_.try_emplace({x, m});
    Sum& sum = found->second;
    if (is_new && adds(s_, x, m)) {
      for (std::uint32_t i = 0; i < payload_.flits(m); ++i) {
        sum.words.push_back(payload_.part(x, m, i));
      }
      sum.parts = 1;
    }
    return sum;
  }
  /// A sum that a transfer brings to those of its nodes that store it.
  void send(const Transfer& t, const Message& m, const Sum& sum) {
    const bool whole = !t.join && sum.parts == all(m);
    for (const TransferHop hop : s_.stored_hops(t)) {
      const Port in = port_in(s_.topology(), hop);
      under_way_.emplace(std::tuple(s_.stored_round(t, hop), whole, in),
                         std::pair(std::pair(hop.to, m), sum));
    }
  }
  void store_before(std::uint32_t round) {
    for (; !under_way_.empty() && std::get<0>(under_way_.begin()->first) < round;
         under_way_.erase(under_way_.begin())) {
      const auto& [order, coming] = *under_way_.begin();
      const auto& [of, more] = coming;
      at(of.first, of.second);
      if (more.parts == 0) continue;  // from a node that held nothing
      Sum& sum = sums_[of];
      if (std::get<1>(order)) sum = {};
      add(sum, more);
    }
  }
  void add(Sum& to, const Sum& more) const {
    if (to.words.empty() || more.words.empty()) {
      if (to.words.empty()) to = more;
      return;
    }
    for (std::size_t i = 0; i < to.words.size(); ++i) {
      to.words[i] = combined(s_.op, more.words[i], to.words[i]);
    }
    to.parts += more.parts;
  }
  std::map<std::pair<Node, Message>, std::vector<std::uint32_t>> last() {
    std::map<std::pair<Node, Message>, std::vector<std::uint32_t>> words;
    for (auto& [of, sum] : sums_) words.emplace_hint(words.end(), of, std::move(sum.words));
    return words;
  }

 private:
  Node all(const Message& m) {
    Node& all = adding_[m.origin];
    if (all == 0) all = static_cast<Node>(adding(s_, m).size());
    return all;
  }

  const Schedule& s_;
  const Payload& payload_;
  std::map<std::pair<Node, Message>, Sum> sums_;
  /// What comes, in the order in which it counts: by the round that stores it, whole sums last, for
  /// they take the place of all else, and by port.
  std::multimap<std::tuple<std::uint32_t, bool, Port>, std::pair<std::pair<Node, Message>, Sum>>
      under_way_;
  std::map<Node, Node> adding_;  ///< how many, by origin
};

}  // namespace

PartialSums::PartialSums(const Schedule& schedule, const Payload& payload) : begin_{0} {
  Replay replay(schedule, payload);
  const auto carry = [&](const Sum& sum, const Message& m) {
    words_.insert(words_.end(), sum.words.begin(), sum.words.end());
    words_.resize(held_.size() + payload.flits(m));
    held_.resize(words_.size(), sum.parts != 0);
  };
  for (const Transfer& t : schedule.transfers()) {
    stop_if_interrupted();
    replay.store_before(t.round);
    for (const Message& m : schedule.messages(t)) {
      if (!t.join) {
        carry(replay.at(schedule.source(t), m), m);
        replay.send(t, m, replay.at(schedule.source(t), m));
        continue;
      }
      // What has come to a node, with what it holds; the source adds that in the end.
      std::map<Node, Sum> coming = {{schedule.source(t), {}}};
      const auto with_own = [&](Node x) {
        const auto [at, is_new] = coming.try_emplace(x);
        if (is_new) at->second = replay.at(x, m);
        return at;
      };
      for (const TransferHop hop : schedule.hops(t)) {
        const Sum sum = with_own(hop.from)->second;
        carry(sum, m);
        replay.add(with_own(hop.to)->second, sum);
      }
      replay.send(t, m, with_own(schedule.source(t))->second);
    }
    begin_.push_back(words_.size());
  }
  replay.store_before(~std::uint32_t{0});
  last_ = replay.last();
}

double PartialSums::bytes(const Schedule& schedule, std::size_t own) {
  // Every message is a part of the vector of each node.
  constexpr double kBytesOfSum = 120;
  const Node nodes = schedule.topology().nodes();
  const double blocks = has_root(schedule.collective()) ? 1 : schedule.members.count(nodes);
  const double messages = blocks * schedule.pieces() * nodes;
  double carried = 0;
  for (const Transfer& t : schedule.transfers()) carried += t.messages_size;
  const double word = sizeof(std::uint32_t);
  return word * static_cast<double>(own) * (1 + carried / messages) + kBytesOfSum * messages;
}

namespace {

/// One flit of the sum of some nodes' parts.
std::uint32_t sum_of(const Schedule& s, const Payload& payload, const Message& m,
                     const std::vector<Node>& parts, std::uint32_t flit) {
  std::uint32_t sum = payload.part(parts[0], m, flit);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    sum = combined(s.op, sum, payload.part(parts[i], m, flit));
  }
  return sum;
}

}  // namespace

std::vector<std::uint32_t> whole_sum(const Schedule& schedule, const Payload& payload,
                                     const Message& m) {
  const std::vector<Node> parts = adding(schedule, m);
  std::vector<std::uint32_t> sum;
  for (std::uint32_t i = 0; i < payload.flits(m); ++i) {
    sum.push_back(sum_of(schedule, payload, m, parts, i));
  }
  return sum;
}

std::vector<Node> parts_carried(const Schedule& s, const Transfer& transfer, const Message& m) {
  std::vector<std::set<Node>> held(s.topology().nodes());
  for (const Node x : adding(s, m)) held[x] = {x};
  std::vector<std::set<Node>> before = held;  // the round
  std::uint32_t round = 0;
  for (const Transfer& t : s.transfers()) {
    if (t.round != round) before = held;
    round = t.round;
    const std::set<Node>& sent = before[s.source(t)];
    if (&t == &transfer) return {sent.begin(), sent.end()};
    const MessageList messages = s.messages(t);
    if (std::ranges::find(messages, m) == messages.end()) continue;
    for (const TransferHop hop : s.stored_hops(t)) held[hop.to].insert(sent.begin(), sent.end());
  }
  throw std::logic_error("no transfer of the schedule");
}

std::string wrong_parts(const Schedule& s, const Payload& payload, const Message& m,
                        const std::vector<Node>& parts, std::uint32_t flit, std::uint32_t is) {
  constexpr std::size_t kFew = 12;  // nodes whose sets are all tried; of more each by itself
  using Nodes = std::vector<Node>;
  const auto fits = [&](const Nodes& once, const Nodes& again) {
    const std::uint32_t word = sum_of(s, payload, m, once, flit);
    return is == (again.empty() ? word : combined(s.op, word, sum_of(s, payload, m, again, flit)));
  };
  std::map<std::size_t, std::vector<std::string>> guesses;  // by how many nodes they blame
  const auto guess = [&](const Nodes& who, const char* how) {
    const bool one = who.size() == 1;
    guesses[who.size()].push_back(
        fmt::format(": {} {} {}",
                    one ? fmt::format("node {}'s part", who[0]) : "the parts of " + nodes_text(who),
                    one ? "is" : "are", how));
  };
  const auto look_at = [&](const Nodes& who) {
    Nodes rest;
    std::ranges::set_difference(parts, who, std::back_inserter(rest));
    if (s.op != Operator::OP_XOR && fits(parts, who)) guess(who, "there twice");
    if (!rest.empty() && fits(rest, {})) guess(who, "missing");
  };
  for (const Node x : parts) look_at({x});
  for (std::uint32_t set = 0; parts.size() <= kFew && set < 1u << parts.size(); ++set) {
    Nodes who;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (set >> i & 1) who.push_back(parts[i]);
    }
    if (who.size() > 1) look_at(who);
  }
  for (const Node x : adding(s, m)) {
    const bool wanted = std::ranges::find(parts, x) != parts.end();
    if (!wanted && fits(parts, {x})) guess({x}, "there, too");
  }
  return guesses.empty() || guesses.begin()->second.size() > 1 ? ""
                                                               : guesses.begin()->second.front();
}

}  // namespace gossamer::tb
