#include "tables/expected_logs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "play/play.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"
#include "tables/compiler.hpp"
#include "topology/node_sets.hpp"

namespace gossamer {
namespace {

/// Are the messages that nodes hold kept as trees, which answer for whole sequences? Messages of
/// lists come one by one, which is faster with bits while they are few.
bool takes_trees(const Schedule& s) {
  constexpr double kBytesOfBits = 1u << 26;
  const bool listed = std::ranges::any_of(
      s.transfers(), [](const Transfer& t) { return t.carry == Carry::Listed; });
  const double bits = static_cast<double>(s.symmetry().classes()) * s.topology().nodes();
  const bool few = bits / 8 <= kBytesOfBits;
  return !(listed && few) && everybody_ends_with_all(s) && NodeTrees::suits(s.topology());
}

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

std::unique_ptr<GossipLogs> GossipLogs::of(const Schedule& s, const NodeKind& kind,
                                           std::uint32_t written_out) {
  if (s.collective() != Collective::Gossip || s.model().switching == Switching::Pipelined ||
      s.symmetry().order() == 1 || s.pieces() > 1) {
    return nullptr;
  }
  const auto packing = DigitPacking::of(s.topology());
  if (!packing) return nullptr;
  return std::unique_ptr<GossipLogs>(new GossipLogs(s, kind, *packing, written_out));
}

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
      trees_(takes_trees(schedule)),
      held_(schedule, trees_ ? OriginSets::Trees : OriginSets::Bits),
      begin_(symmetry_.classes()),
      sent_(symmetry_.classes()) {
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    const Message own[] = {{symmetry_.representative(c), kNoNode}};
    append(c, kind_.own_log(), listed(own, 0));
  }
}

void GossipLogs::play(std::span<const Transfer> round) {
  for (Node c = 0; trees_ && c < begin_.size(); ++c) begin_[c] = held_[c];
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
  Sequence all{begin_[c], {}};
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
  if (trees_) held_.changing(to).merge(*begin_[from], by);
}

/// A run of what is sent. Nothing stands twice in that, so its parts can be looked at one by one
/// before any is added.
void GossipLogs::receive(Node c, unsigned log, Run run) {
  const bool divisible = run.sequence != 0 && (trees_ || run.begin == kNowhere);
  if (!divisible) return append_one_by_one(c, log, run, !trees_);
  const Sequence& sequence = sequences_[run.sequence];
  if (trees_) {
    const auto both = held_[c]->clone();
    both->merge(*sequence.set, packing_.node(run.shift));
    const std::uint64_t added = both->size() - held_[c]->size();
    run.first = added != 0;
    if (added == 0 || added == sequence.set->size()) return append(c, log, run);
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
  MessageSet& held = adding ? held_.changing(c) : *held_[c];
  Run part{run.begin, 0, run.shift};
  for (std::uint32_t i = 0; i < run.length; ++i) {
    const Message m{packing_.node(packing_.translate(origins_[run.begin + i], run.shift))};
    const bool is_new = !held.contains(m);
    if (adding && is_new) held.insert(m);
    if (is_new != part.first) {
      append(c, log, part);
      part = {run.begin + i, 0, run.shift, 0, is_new};
    }
    ++part.length;
  }
  append(c, log, part);
}

namespace {

ExpectedLogs::Log runs_of(const GossipLogs& logs, Node c, unsigned log) {
  ExpectedLogs::Log runs;
  logs.written_runs(c, log, [&](const GossipLogs::Run& run) {
    const std::uint32_t begin = runs.empty() ? 0 : runs.back().end;
    const std::uint32_t offset = run.begin - begin;
    if (!runs.empty() && runs.back().offset == offset && runs.back().shift == run.shift) {
      runs.back().end += run.length;
    } else {
      runs.push_back({begin + run.length, offset, run.shift});
    }
  });
  runs.shrink_to_fit();
  return runs;
}

}  // namespace

std::shared_ptr<const ExpectedLogs> expected_logs(const Schedule& schedule, const NodeKind& kind,
                                                  const Payload& payload,
                                                  std::uint32_t written_out) {
  const auto logs = GossipLogs::of(schedule, kind, written_out);
  if (logs == nullptr) return nullptr;
  for (auto rest = schedule.transfers(); !rest.empty();) {
    const auto round = schedule.transfers_of(rest.front().round);
    logs->play(round);
    rest = rest.subspan(round.size());
  }
  ExpectedLogs expected{payload, logs->packing(), kind.logs(), {}, {}, {}};
  for (Node c = 0; c < schedule.symmetry().classes(); ++c) {
    const Node first = schedule.symmetry().representative(c);
    expected.back.push_back(logs->packing().pack(schedule.topology().negate(first)));
    for (unsigned g = 0; g < kind.logs(); ++g) expected.runs.push_back(runs_of(*logs, c, g));
  }
  expected.origins = logs->take_origins();
  return std::make_shared<const ExpectedLogs>(std::move(expected));
}

void place_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload) {
  image.own_begin.assign(1, 0);
  for (Node i = 0; i < image.topology.nodes(); ++i) {
    image.own_begin.push_back(image.own_begin.back() +
                              own_words(schedule, image.node_of(i), payload.cut()));
  }
}

void add_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload) {
  std::vector<std::uint32_t>& words = image.own_words;
  words.clear();
  words.reserve(image.own_begin.back());
  std::vector<Message> sums;
  if (reduces(schedule.collective())) {
    for (const Node origin : origins_of_sums(schedule)) sums.push_back({origin});
  }
  for (Node i = 0; i < image.topology.nodes(); ++i) {
    stop_if_interrupted();
    const Node x = image.node_of(i);
    for (const Message& m : sums) {
      const bool has = is_initial(schedule, x, m);
      for (std::uint32_t k = 0; k < payload.cut().cut(m).flits; ++k) {
        words.push_back(has ? payload.part(x, m, k) : 0);
      }
    }
    if (!sums.empty()) continue;
    for (const Message& m : own_messages(schedule, x)) {
      for (std::uint32_t k = 0; k < payload.flits(m); ++k) words.push_back(payload.word({m, k}));
    }
  }
}

}  // namespace gossamer
