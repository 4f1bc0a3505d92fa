#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "checker/messages.hpp"
#include "checker/replay.hpp"
#include "checker/rules.hpp"
#include "schedule/chunks.hpp"
#include "schedule/missing_by_node.hpp"
#include "support/interrupt.hpp"
#include "support/memory.hpp"

namespace gossamer::checking {
namespace {

/// A message about losses names the nodes that lack the same together, at most so many groups.
constexpr std::size_t kNamed = 4;

/// Plays a schedule without orbits whose transfers list their messages or carry everything.
class LossyReplay {
 public:
  LossyReplay(const Schedule& schedule, const ChunkFlits& flits)
      : schedule_(schedule),
        flits_(flits),
        held_(schedule),
        dead_(schedule.topology().nodes(), false) {
    for (const Node x : schedule.faults.nodes) dead_[x] = true;
  }

  Replay run() {
    for (std::size_t i = 0; i < schedule_.transfers().size(); ++i) {
      arrive_before(schedule_.transfers()[i].round);
      send(i);
    }
    arrive_before(~std::uint32_t{0});
    count();
    return std::move(replay_);
  }

 private:
  struct Arrival {
    Node at = 0;
    std::vector<Message> listed;
    std::shared_ptr<const MessageSet> everything;
  };

  /// What happens to a transfer on its way over a hop.
  enum class Fate : std::uint8_t { Nothing, Lost, Arrives };

  /// What its words do on each hop: they are not there, or are lost at its end, or arrive.
  std::vector<Fate> fates(const Transfer& t) const {
    const FaultSet& faults = schedule_.faults;
    std::vector<Fate> fates;
    for (const TransferHop hop : schedule_.hops(t)) {
      const bool comes = hop.before == TransferHop::kNone || fates[hop.before] == Fate::Arrives;
      const bool broken = schedule_.round_of(t, hop) >= faults.from_round;
      if (!comes || (broken && faults.silent(hop.from, hop.to))) {
        fates.push_back(Fate::Nothing);
      } else {
        fates.push_back(broken && dead_[hop.to] ? Fate::Lost : Fate::Arrives);
      }
    }
    return fates;
  }

  void send(std::size_t index) {
    stop_if_interrupted();
    const Transfer& t = schedule_.transfers()[index];
    const MessageSet& held = *held_[schedule_.source(t)];
    Arrival arrival;
    std::uint64_t messages = 0;
    if (t.carry == Carry::Everything) {
      arrival.everything = held.clone();
      messages = held.size();
    } else {
      for (const Message& m : schedule_.messages(t)) {
        if (held.contains(m)) arrival.listed.push_back(m);
      }
      messages = arrival.listed.size();
    }
    const std::vector<Fate> fates = this->fates(t);
    const std::uint64_t hops_used =
        fates.size() - static_cast<std::size_t>(std::ranges::count(fates, Fate::Nothing));
    replay_.transmissions += messages * hops_used;
    if (!flits_.equal()) {
      std::uint64_t sent = arrival.everything ? arrival.everything->flits(flits_) : 0;
      for (const Message& m : arrival.listed) sent += flits_.of(m);
      replay_.flits_sent += sent * hops_used;
    }
    const TransferHops hops = schedule_.hops(t);
    for (std::uint32_t i = 0; i < hops.size(); ++i) {
      const TransferHop hop = hops[i];
      if (!hop.stored || fates[i] != Fate::Arrives) continue;
      arrival.at = hop.to;
      arrivals_[schedule_.stored_round(t, hop)].push_back(arrival);
    }
  }

  /// Delivers what has arrived when this round starts.
  void arrive_before(std::uint32_t round) {
    while (!arrivals_.empty() && arrivals_.begin()->first < round) {
      for (const Arrival& arrival : arrivals_.begin()->second) {
        for (const Message& m : arrival.listed) held_[arrival.at]->insert(m);
        if (arrival.everything) held_[arrival.at]->merge(*arrival.everything, 0);
      }
      arrivals_.erase(arrivals_.begin());
    }
  }

  void count() {
    MemoryWatch watch("what is missing on " + schedule_.topology().spec());
    for (Node x = 0; x < schedule_.topology().nodes(); ++x) {
      if (dead_[x]) continue;
      stop_if_interrupted();
      const MessageSet& held = *held_[x];
      for_each_expected(schedule_, x, [&](const Message& m) {
        if (dead_[m.origin]) return true;
        const MissingPair pair{x, m.origin};
        if (m.piece == 0) ++replay_.expected;
        if (held.contains(m)) return true;
        if (!replay_.missing.empty() && replay_.missing.back() == pair) return true;
        replay_.missing.push_back(pair);
        watch.grew(sizeof(MissingPair));
        return true;
      });
    }
  }

  const Schedule& schedule_;
  const ChunkFlits& flits_;
  MessageSets held_;
  std::vector<bool> dead_;                                  ///< by node
  std::map<std::uint32_t, std::vector<Arrival>> arrivals_;  ///< by the round in which they arrive
  Replay replay_;
};

}  // namespace

Replay replay_with_losses(const Schedule& schedule, const ChunkFlits& flits) {
  return LossyReplay(schedule, flits).run();
}

std::string missing_text(const Replay& replay) {
  const auto& missing = replay.missing;
  std::string text = fmt::format("{} of {} messages are missing at healthy nodes: ", missing.size(),
                                 replay.expected);
  MissingByNode lacking(kNamed + 1);
  for (std::size_t i = 0; i < missing.size();) {
    const Node node = missing[i].node;
    std::vector<Node> origins;
    for (; i < missing.size() && missing[i].node == node; ++i) origins.push_back(missing[i].origin);
    const std::uint64_t count = origins.size();
    lacking.add(node, std::move(origins), count);
  }
  for (std::size_t g = 0; g < lacking.groups().size(); ++g) {
    const auto& [nodes, origins, count] = lacking.groups()[g];
    if (g == kNamed) return text + "; ...";
    text += fmt::format("{}{} lack{} {}", g > 0 ? "; " : "", nodes_text(nodes),
                        nodes.size() > 1 ? "" : "s", runs_text(origins, count));
    if (count > 1) text += fmt::format(" ({})", count);
  }
  return text;
}

}  // namespace gossamer::checking
