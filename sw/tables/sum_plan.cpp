#include "tables/sum_plan.hpp"

#include <algorithm>
#include <set>

#include "gossamer_constants.hpp"
#include "play/play.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"

namespace gossamer {
namespace {

using Read = SumPlan::Read;
using Merge = SumPlan::Merge;
using Transfers = std::span<const Transfer>;

/// From the read of a word that is kept to the first cycle in which its result can be read.
constexpr std::uint64_t kKeepCycles = rtl::TIME_OP + rtl::TIME_KEEP;

Read read_at(LogPlace place, bool combines = false, bool keeps = false) {
  return {place.index, static_cast<std::uint16_t>(place.log), combines, keeps};
}

/// Follows a reduction, and notes what its nodes read.
class SumPlayer {
 public:
  SumPlayer(const Schedule& schedule, SumPlan& plan)
      : s_(schedule),
        flits_(plan.flits),
        plan_(plan),
        nodes_(schedule.topology().nodes()),
        waiting_(nodes_) {
    plan_.block_of.resize(nodes_);
    for (const Node origin : origins_of_sums(s_)) {
      plan_.block_of[origin] = static_cast<std::uint32_t>(blocks());
      plan_.own_begin.push_back(plan_.own_begin.back() + flits_.cut({origin}).flits);
    }
    const double held = static_cast<double>(std::uint64_t{nodes_} * blocks() * s_.pieces());
    require_memory(held * sizeof(Held),
                   s_.topology().spec() + ": where the parts of its sums stand");
    held_.resize(static_cast<std::size_t>(held));
    plan_.reads.resize(s_.listed());
    plan_.lengths.resize(std::size_t{nodes_} * plan_.logs);
    for (Node x = 0; x < nodes_; ++x) {
      for_each_initial(s_, x, [&](const Message& m) { this->held(x, m) = {{}, 1, true}; });
    }
  }

  void play() {
    for (std::uint32_t number = 1; number <= s_.rounds(); ++number) {
      stop_if_interrupted();
      note(number, play(s_.transfers_of(number)));
    }
    SumPlan::Round last;
    for (Node x = 0; x < nodes_; ++x) {
      Merging merging{*this, x};
      for_each_expected(s_, x, [&](const Message& m) {
        Held& h = held(x, m);
        while (!h.whole && !h.came.empty()) merging.merge(m, last.merges);
        if (h.whole) {
          plan_.results.push_back({x, m, h.came[0]});
        } else if (h.own && h.parts == contributors(s_, m)) {
          plan_.results.push_back({x, m, {plan_.logs, plan_.own_address(m)}});
        }
        return true;
      });
      last.before = std::max(last.before, merging.end);
    }
    note(s_.rounds() + 1, std::move(last));
  }

 private:
  /// What a node holds of a message.
  struct Held {
    std::vector<LogPlace> came;  ///< not yet merged; or the whole sum
    std::uint32_t parts = 0;     ///< of how many members
    bool own = false;            ///< own words belong to it
    bool whole = false;          ///< it has come as a whole
  };

  /// The reads of one node's channel 0 that merge, one after the other.
  struct Merging {
    SumPlayer& player;
    Node x;
    std::uint64_t end = 0;  ///< when the next one can begin
    std::map<Message, std::uint64_t> begun = {};

    /// When what was merged last can be read; 0 if nothing was.
    std::uint64_t ready(const Message& m) const {
      const auto last = begun.find(m);
      return last == begun.end() ? 0 : last->second + kKeepCycles;
    }
    /// Merges what came first.
    void merge(const Message& m, std::vector<Merge>& merges) {
      Held& h = player.held(x, m);
      const std::uint64_t at = std::max(end, ready(m));
      merges.push_back({x, static_cast<std::uint32_t>(at), m,
                        read_at(h.came.front(), h.own, true)});
      h.came.erase(h.came.begin());
      h.own = true;
      begun[m] = at;
      end = at + player.flits_.of(m);
    }
    /// Merges whatever has come, without a pause, as long as it is done before `until`.
    void merge_until(std::uint64_t until, std::vector<Merge>& merges) {
      const auto fits = [&](const Message& m) {
        const Held& h = player.held(x, m);
        return h.came.size() + (h.own ? 1 : 0) > 1 && ready(m) <= end &&
               end + std::max<std::uint64_t>(kKeepCycles, player.flits_.of(m)) <= until;
      };
      std::vector<Message>& waiting = player.waiting_[x];
      std::erase_if(waiting, [&](const Message& m) {
        return player.held(x, m).came.empty() || player.held(x, m).whole;
      });
      while (end + kKeepCycles <= until) {
        const auto next = std::ranges::find_if(waiting, fits);
        if (next == waiting.end()) return;
        merge(*next, merges);
      }
    }
  };

  std::size_t blocks() const { return plan_.own_begin.size() - 1; }
  Held& held(Node x, const Message& m) {
    return held_[(std::size_t{x} * blocks() + plan_.block_of[m.origin]) * s_.pieces() + m.piece];
  }
  std::uint64_t& length(Node x, unsigned log) {
    return plan_.lengths[std::size_t{x} * plan_.logs + log];
  }
  void note(std::uint32_t number, SumPlan::Round round) {
    std::ranges::stable_sort(round.merges, {}, &Merge::node);
    std::ranges::stable_sort(round.meanwhile, {}, &Merge::node);
    round.merges.shrink_to_fit();
    round.meanwhile.shrink_to_fit();
    const bool idle = round.merges.empty() && round.meanwhile.empty();
    if (!idle) plan_.rounds.emplace(number, std::move(round));
  }

  SumPlan::Round play(Transfers starting) {
    SumPlan::Round round;
    std::map<Node, std::multimap<Port, const Transfer*>> sent;  // by the first port
    for (const Transfer& t : starting) sent[s_.source(t)].emplace(first_port(t), &t);
    std::map<Node, Merging> merging_at;
    for (const auto& [x, transfers] : sent) {
      Merging& merging = merging_at.try_emplace(x, Merging{*this, x}).first->second;
      for (const auto& [port, t] : transfers) {
        std::uint64_t position = 0;
        for (const Message& m : s_.messages(*t)) {
          while (held(x, m).came.size() > 1) merging.merge(m, round.merges);
          const std::uint64_t ready = merging.ready(m);
          round.before = std::max({round.before, merging.end, ready - std::min(ready, position)});
          position += flits_.of(m);
        }
      }
    }
    // What need not be merged yet costs no time while others merge.
    for (Node x = 0; round.before != 0 && x < nodes_; ++x) {
      if (waiting_[x].empty()) continue;
      Merging& merging = merging_at.try_emplace(x, Merging{*this, x}).first->second;
      merging.merge_until(round.before, round.merges);
    }
    for (const Transfer& t : starting) {
      Read* read = plan_.reads.data() + t.messages_begin;
      for (const Message& m : s_.messages(t)) *read++ = read_of(s_.source(t), m);
    }
    const std::vector<Coming> all = coming(starting);
    for (const auto& [x, transfers] : sent) {
      keep(x, transfers, round);
    }
    const std::uint64_t end = round.before + least_cycles(starting);
    for (Node x = 0; x < nodes_; ++x) {
      if (waiting_[x].empty() || sent.contains(x)) continue;
      Merging{*this, x, round.before}.merge_until(end, round.meanwhile);
    }
    for (const Coming& c : all) store(c);
    return round;
  }

  /// The lowest port over which a transfer sets out.
  Port first_port(const Transfer& t) const {
    Port first = kNoPort;
    for (const TransferHop hop : s_.hops(t)) {
      if (hop.before == TransferHop::kNone) first = std::min(first, port_out(s_.topology(), hop));
    }
    return first;
  }

  Read read_of(Node x, const Message& m) {
    const Held& h = held(x, m);
    if (!h.came.empty()) return read_at(h.came[0], h.own);
    if (h.own) return read_at({plan_.logs, plan_.own_address(m)});
    // What a node does not hold is read where nothing has come: the hardware notices.
    return read_at({0, static_cast<std::uint32_t>(length(x, 0))});
  }

  /// What channel 0 sends of a sum, or could read at the same time as the others, it keeps, if all
  /// channels read it in the same cycles.
  void keep(Node x, const auto& sent, SumPlan::Round& round) {
    std::map<Message, std::set<std::uint64_t>> positions;
    for (const auto& [port, t] : sent) {
      std::uint64_t at = 0;
      for (const Message& m : s_.messages(*t)) {
        positions[m].insert(at);
        at += flits_.of(m);
      }
    }
    const auto& [port, first] = *sent.begin();
    const bool sends = plan_.logs == 1 || port == 0;
    Read* read = plan_.reads.data() + first->messages_begin;
    std::vector<Merge> reads;
    std::uint64_t at = round.before;
    bool any = false;
    for (const Message& m : s_.messages(*first)) {
      const bool keeps = read->combines && positions[m].size() == 1;
      if (keeps) held(x, m).came.clear();
      any = any || keeps;
      reads.push_back({x, static_cast<std::uint32_t>(at), m, *read});
      reads.back().read.keeps = keeps;
      if (sends) read->keeps = keeps;
      at += flits_.of(m);
      ++read;
    }
    if (any && !sends) round.meanwhile.insert(round.meanwhile.end(), reads.begin(), reads.end());
  }

  /// The cycles that a round takes at least.
  std::uint64_t least_cycles(Transfers starting) const {
    const bool circuits = s_.model().switching == Switching::Circuit;
    std::uint64_t least = circuits ? 0 : rtl::TIME_LAT + rtl::TIME_OP;
    for (const Transfer& t : starting) {
      std::uint64_t flits = circuits ? rtl::TIME_DELTA : 0;
      for (const Message& m : s_.messages(t)) flits += flits_.of(m);
      least = std::max(least, flits);
    }
    return circuits ? least + rtl::TIME_ALPHA + rtl::TIME_OP : least;
  }

  struct Coming {
    Node at;
    Message message;
    std::uint32_t parts;
    LogPlace place;
  };
  /// What is stored, port by port; whole sums last, because they take the place of all else.
  std::vector<Coming> coming(Transfers starting) {
    std::vector<Coming> all;
    for (const auto& [t, hop, in] : stored_hops(s_, starting)) {
      const unsigned log = plan_.logs == 1 ? 0 : in;
      for (const Message& m : s_.messages(*t)) {
        const auto place = static_cast<std::uint32_t>(length(hop.to, log));
        all.push_back({hop.to, m, held(s_.source(*t), m).parts, {log, place}});
        length(hop.to, log) += flits_.of(m);
      }
    }
    std::stable_partition(all.begin(), all.end(), [&](const Coming& c) {
      return c.parts != contributors(s_, c.message);
    });
    return all;
  }
  void store(const Coming& c) {
    Held& h = held(c.at, c.message);
    if (c.parts == contributors(s_, c.message)) {
      h = {{c.place}, c.parts, false, true};
    } else if (!h.whole) {
      if (h.came.empty()) waiting_[c.at].push_back(c.message);
      h.came.push_back(c.place);
      h.parts += c.parts;
    }
  }

  const Schedule& s_;
  ChunkFlits flits_;
  SumPlan& plan_;
  Node nodes_;
  std::vector<Held> held_;
  std::vector<std::vector<Message>> waiting_;  ///< by node: of which something has come
};

}  // namespace

SumPlan::SumPlan(const Schedule& s, unsigned words)
    : flits(s.chunk_flits(words)),
      own_begin{0},
      logs(s.model().ports == PortModel::Single ? 1 : s.topology().ports()) {
  SumPlayer(s, *this).play();
}

const SumPlan::Round SumPlan::kIdle;

const SumPlan::Round& SumPlan::round(std::uint32_t number) const {
  const auto found = rounds.find(number);
  return found == rounds.end() ? kIdle : found->second;
}

std::span<const SumPlan::Merge> SumPlan::of_node(const std::vector<Merge>& merges, Node x) {
  const auto first = std::ranges::lower_bound(merges, x, {}, &Merge::node);
  return {first, std::ranges::upper_bound(first, merges.end(), x, {}, &Merge::node)};
}

}  // namespace gossamer
