#include "tables/gossip_logs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "play/play.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "topology/node_trees.hpp"

namespace gossamer {
namespace {

/// Sets of a bit for each class and node take this much at most.
constexpr double kBytesOfBits = 1u << 26;

/// Adds a run, as part of the last one if it goes on where that ends.
void join(std::vector<GossipLogs::Run>& runs, const GossipLogs::Run& run) {
  if (run.length == 0) return;
  if (!runs.empty()) {
    GossipLogs::Run& last = runs.back();
    if (last.sequence == 0 && run.sequence == 0 && last.begin + last.length == run.begin &&
        last.shift == run.shift && last.first == run.first) {
      last.length += run.length;
      return;
    }
  }
  runs.push_back(run);
}

}  // namespace

/// The messages that the classes hold: trees, which answer for whole sequences, or else a bit for
/// each message. Messages of lists come one by one, which is faster with bits while they are few.
class GossipLogs::Held {
 public:
  explicit Held(const Schedule& s) : classes_(s.symmetry().classes()) {
    const Node nodes = s.topology().nodes();
    const bool listed = std::ranges::any_of(
        s.transfers(), [](const Transfer& t) { return t.carry == Carry::Listed; });
    const bool few = static_cast<double>(classes_) * nodes / 8 <= kBytesOfBits;
    if ((listed && few) || !NodeTrees::suits(s.topology())) {
      require_memory(static_cast<double>(classes_) * nodes / 8,
                     s.topology().spec() + ": the set of its tables");
      bits_.assign(classes_, std::vector<bool>(nodes, false));
    } else {
      trees_ = std::make_unique<NodeTrees>(
          s.topology(),
          std::make_shared<MemoryWatch>(s.topology().spec() + ": the set of its tables"));
      now_.assign(classes_, NodeTrees::kEmpty);
    }
  }

  /// Of one message: whether it is new.
  bool add(Node c, Node origin) {
    if (trees_ == nullptr) {
      const bool is_new = !bits_[c][origin];
      bits_[c][origin] = true;
      return is_new;
    }
    const auto before = now_[c];
    now_[c] = trees_->merge(before, trees_->single(origin), 0);
    return now_[c] != before;
  }

  /// What a class held when the round began, as a set; 0 if sets are not known.
  NodeTrees::Tree at_begin(Node c) const { return trees_ == nullptr ? 0 : begin_[c]; }
  void begin_round() { begin_ = now_; }
  bool has(Node c, Node origin) const { return trees_->contains(now_[c], origin); }
  bool knows_sets() const { return trees_ != nullptr; }

  enum class News { All, None, Some };
  /// What of a set is new to a class, if it comes translated.
  News news(Node c, NodeTrees::Tree set, Node by) {
    if (trees_ == nullptr) return News::Some;
    const auto both = trees_->merge(now_[c], set, by);
    if (both == now_[c]) return News::None;
    const bool all = trees_->size(both) == trees_->size(now_[c]) + trees_->size(set);
    return all ? News::All : News::Some;
  }
  void add_set(Node c, NodeTrees::Tree set, Node by) { now_[c] = trees_->merge(now_[c], set, by); }

 private:
  Node classes_;
  std::vector<std::vector<bool>> bits_;       ///< by class and origin
  std::unique_ptr<NodeTrees> trees_;          ///< null: bits are the sets
  std::vector<NodeTrees::Tree> now_, begin_;  ///< by class
};

GossipLogs::GossipLogs(const Schedule& schedule, const NodeKind& kind, const DigitPacking& packing,
                       std::uint32_t written_out)
    : s_(schedule),
      symmetry_(schedule.symmetry()),
      kind_(kind),
      packing_(packing),
      written_out_(written_out),
      all_logs_(kind.logs() + 1),
      sequences_(1),
      logs_(symmetry_.classes() * all_logs_),
      held_(std::make_unique<Held>(schedule)),
      sent_(symmetry_.classes()) {
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    const Message own[] = {{symmetry_.representative(c), kNoNode}};
    append_one_by_one(c, kind_.own_log(), listed(own, 0), true);
  }
}

GossipLogs::~GossipLogs() = default;

void GossipLogs::play(std::span<const Transfer> round) {
  held_->begin_round();
  std::vector<Node> senders;
  for (const Transfer& t : round) {
    const Node from = symmetry_.class_of(s_.source(t));
    if (t.carry != Carry::Everything || sent_[from].length != 0) continue;
    sent_[from] = everything(from);
    senders.push_back(from);
  }
  for (const auto& [t, hop, in] : stored_hops(s_, round)) {
    stop_if_interrupted();
    deliver(*t, hop, kind_.single_port ? 0 : in);
  }
  for (const Node c : senders) sent_[c] = {};
}

/// "Everything" is each message once, from the log in which it came first.
GossipLogs::Run GossipLogs::everything(Node c) {
  Sequence all{held_->at_begin(c), {}};
  std::uint64_t messages = 0;
  const auto take = [&](unsigned log) {
    for (const Run& run : logs_[at(c, log)].runs) {
      if (!run.first) continue;
      join(all.parts, run);
      messages += run.length;
    }
  };
  if (!kind_.single_port) take(kind_.own_log());
  for (unsigned g = 0; g < kind_.logs(); ++g) take(g);
  if (all.parts.size() == 1) return all.parts.front();
  Run whole{kNowhere, static_cast<std::uint32_t>(messages), 0,
            static_cast<std::uint32_t>(sequences_.size()), true};
  if (messages <= written_out_) whole.begin = write_out(all.parts, messages);
  sequences_.push_back(std::move(all));
  return whole;
}

/// Writes the origins of runs one behind the other into the array; says where they begin.
std::uint32_t GossipLogs::write_out(std::span<const Run> runs, std::uint64_t messages) {
  const std::size_t begin = origins_.size();
  if (begin + messages >= kNowhere) {
    throw TooLarge(s_.topology().spec() + ": the lists of what its logs hold are too long");
  }
  for (const Run& run : runs) {
    for (std::uint32_t i = 0; i < run.length; ++i) {
      origins_.push_back(packing_.translate(origins_[run.begin + i], run.shift));
    }
  }
  return static_cast<std::uint32_t>(begin);
}

GossipLogs::Run GossipLogs::listed(std::span<const Message> messages, std::uint32_t by) {
  const Run run{static_cast<std::uint32_t>(origins_.size()),
                static_cast<std::uint32_t>(messages.size())};
  for (const Message& m : messages)
    origins_.push_back(packing_.translate(packing_.pack(m.origin), by));
  return run;
}

void GossipLogs::deliver(const Transfer& t, const TransferHop& hop, unsigned log) {
  const Topology& topology = s_.topology();
  const Node source = s_.source(t);
  const Node from = symmetry_.class_of(source), to = symmetry_.class_of(hop.to);
  const Node back = topology.negate(symmetry_.shift(hop.to));
  if (t.carry == Carry::Listed) {
    const MessageList messages = s_.messages(t);
    const std::vector<Message> all(messages.begin(), messages.end());
    append_one_by_one(to, log, listed(all, packing_.pack(back)), true);
    return;
  }
  const Node by = topology.translate(symmetry_.shift(source), back);
  Run run = sent_[from];
  run.shift = packing_.translate(run.shift, packing_.pack(by));
  receive(to, log, run);
  if (held_->knows_sets()) held_->add_set(to, held_->at_begin(from), by);
}

/// A run of what is sent. Nothing stands twice in that, so its parts can be looked at one by one
/// before any is added.
void GossipLogs::receive(Node c, unsigned log, Run run) {
  const bool divisible = run.sequence != 0 && (held_->knows_sets() || run.begin == kNowhere);
  if (!divisible) return append_one_by_one(c, log, run, !held_->knows_sets());
  const Sequence& sequence = sequences_[run.sequence];
  const Held::News news = held_->news(c, sequence.set, packing_.node(run.shift));
  if (news != Held::News::Some) {
    run.first = news == Held::News::All;
    return append(c, log, run);
  }
  for (Run part : sequence.parts) {
    part.shift = packing_.translate(part.shift, run.shift);
    receive(c, log, part);
  }
}

void GossipLogs::append(Node c, unsigned log, const Run& run) {
  Log& l = logs_[at(c, log)];
  l.length += run.length;
  join(l.runs, run);
}

/// A run of messages of which some may be held already; `adding`: from now on they are.
void GossipLogs::append_one_by_one(Node c, unsigned log, const Run& run, bool adding) {
  Run part{run.begin, 0, run.shift};
  for (std::uint32_t i = 0; i < run.length; ++i) {
    const Node origin = packing_.node(packing_.translate(origins_[run.begin + i], run.shift));
    const bool is_new = adding ? held_->add(c, origin) : !held_->has(c, origin);
    if (is_new != part.first) {
      append(c, log, part);
      part = {run.begin + i, 0, run.shift, 0, is_new};
    }
    ++part.length;
  }
  append(c, log, part);
}

}  // namespace gossamer
