#include "checks/partial_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
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

/// Follows the sums of a schedule, with any words of the nodes.
class Replay {
 public:
  using Words = std::vector<std::uint32_t>;
  /// What a node has of a message at the start.
  using Own = std::function<Words(Node, const Message&)>;
  /// Is told what each transfer carries, a join hop by hop.
  using Carry = std::function<void(const Transfer&, const Message&, const Sum&)>;

  Replay(const Schedule& schedule, Operator op, const Own& own, const Carry& carry)
      : s_(schedule), op_(op), own_(own) {
    for (const Transfer& t : s_.transfers()) {
      stop_if_interrupted();
      store_before(t.round);
      for (const Message& m : s_.messages(t)) {
        if (!t.join) {
          carry(t, m, at(s_.source(t), m));
          send(t, m, at(s_.source(t), m));
          continue;
        }
        // What has come to a node, with what it holds; the source adds that in the end.
        std::map<Node, Sum> coming = {{s_.source(t), {}}};
        const auto with_own = [&](Node x) {
          const auto [found, is_new] = coming.try_emplace(x);
          if (is_new) found->second = at(x, m);
          return found;
        };
        for (const TransferHop hop : s_.hops(t)) {
          const Sum sum = with_own(hop.from)->second;
          carry(t, m, sum);
          add(with_own(hop.to)->second, sum);
        }
        send(t, m, with_own(s_.source(t))->second);
      }
    }
    store_before(~std::uint32_t{0});
  }

  std::map<std::pair<Node, Message>, Words> last() && {
    std::map<std::pair<Node, Message>, Words> words;
    for (auto& [of, sum] : sums_) words.emplace_hint(words.end(), of, std::move(sum.words));
    return words;
  }

 private:
  const Sum& at(Node x, const Message& m) {
    const auto [found, is_new] = sums_.try_emplace({x, m});
    if (is_new && adds(s_, x, m)) found->second = {own_(x, m), 1};
    return found->second;
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
      to.words[i] = combined(op_, more.words[i], to.words[i]);
    }
    to.parts += more.parts;
  }
  Node all(const Message& m) {
    Node& all = adding_[m.origin];
    if (all == 0) all = static_cast<Node>(adding(s_, m).size());
    return all;
  }

  const Schedule& s_;
  const Operator op_;
  const Own own_;
  std::map<std::pair<Node, Message>, Sum> sums_;
  /// What comes, in the order in which it counts: by the round that stores it, whole sums last, for
  /// they take the place of all else, and by port.
  std::multimap<std::tuple<std::uint32_t, bool, Port>, std::pair<std::pair<Node, Message>, Sum>>
      under_way_;
  std::map<Node, Node> adding_;  ///< how many, by origin
};

}  // namespace

PartialSums::PartialSums(const Schedule& schedule, const Payload& payload) {
  const auto own = [&](Node x, const Message& m) {
    Replay::Words words;
    for (std::uint32_t i = 0; i < payload.flits(m); ++i) words.push_back(payload.part(x, m, i));
    return words;
  };
  const auto carry = [&](const Transfer& t, const Message& m, const Sum& sum) {
    begin_.resize(&t - schedule.transfers().data() + 1, words_.size());
    words_.insert(words_.end(), sum.words.begin(), sum.words.end());
    words_.resize(held_.size() + payload.flits(m));
    held_.resize(words_.size(), sum.parts != 0);
  };
  last_ = Replay(schedule, schedule.op, own, carry).last();
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

std::vector<Node> parts_carried(const Schedule& s, const Transfer& transfer, std::uint32_t hop,
                                const Message& m) {
  std::vector<Node> parts;
  // A bit for each node: sets are sums, too.
  const auto own = [&](Node x, const Message& of) {
    Replay::Words set(of == m ? s.topology().nodes() / 32 + 1 : 0);
    if (of == m) set[x / 32] = 1u << x % 32;
    return set;
  };
  const auto carry = [&](const Transfer& t, const Message& of, const Sum& sum) {
    if (&t != &transfer || of != m || hop-- != 0) return;
    for (Node x = 0; x < 32 * sum.words.size(); ++x) {
      if (sum.words[x / 32] >> x % 32 & 1) parts.push_back(x);
    }
  };
  const Replay all(s, Operator::OP_OR, own, carry);
  return parts;
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
