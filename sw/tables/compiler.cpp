#include "tables/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "play/stores.hpp"
#include "schedule/chunks.hpp"
#include "schedule/schedule.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/refuse.hpp"
#include "tables/adaptive.hpp"
#include "tables/expected_logs.hpp"
#include "tables/program_builder.hpp"
#include "topology/topology.hpp"

namespace gossamer {

NodeKind node_kind(const Schedule& s, Port ports) {
  // If every node sends the same on all its ports in every round, one channel is enough.
  const auto multicasts_only = [&] {
    return std::ranges::all_of(s.transfers(),
                               [](const Transfer& t) { return t.carry == Carry::Everything; });
  };
  NodeKind kind;
  kind.single_port = s.model().ports == PortModel::Single && !s.nodes.all_ports;
  kind.half_duplex = s.model().duplex == Duplex::Half;
  kind.adaptive = adaptive(s);
  kind.join = s.nodes_join();
  if (kind.join) {  // an output adds while others send
    kind.single_port = false;
    kind.all_ops = s.op > Operator::OP_SUM8 || s.nodes.all_ops;
    if (!s.joins()) ports = std::max(ports, ports_that_add(s.topology()));
  }
  const bool one = kind.single_port || kind.adaptive || (multicasts_only() && !s.nodes.channels);
  kind.channels = one ? 1 : kind.ports;
  return kind.with_ports(ports);
}

namespace {

/// What one node does in one slot.
struct SlotUse {
  std::uint64_t receive = 0;
  std::vector<Port> select;                             ///< empty: nothing
  std::vector<std::pair<Port, const Transfer*>> sends;  ///< output port and what starts there
};

/// What an output of a node that joins does from one cycle to another, or what it receives.
struct LaneUse {
  std::uint64_t begin = 0, end = 0;
  Port port = 0;
  Port mask = 0;  ///< inputs that the output joins, and itself for the word that its channel reads
  bool stores = false;  ///< the output stores what it makes; without a mask: what comes is stored
  LogPlace read = {};   ///< from where its channel reads
};

/// Words that a node can address, and one more than the cycles that a slot can have.
constexpr std::uint64_t words_of_node(bool wide) {
  return std::uint64_t{1} << (wide ? rtl::SEG_RUN_W : rtl::SLOT_LEN_W);
}

/// Entries of a table that the tile engine's usual nodes can address.
constexpr std::size_t kEntries = std::size_t{1} << 16;

/// Memory for a message in a store with known contents, and for an entry of a slot table.
constexpr std::uint64_t kBytesOfMessage = 80, kBytesOfSlot = 160;

class Compiler {
 public:
  Compiler(const Schedule& schedule, std::shared_ptr<const ScheduleTiming> timed, Port ports,
           bool wide, bool places)
      : s_(schedule),
        symmetry_(schedule.symmetry()),
        flits_(schedule.chunk_flits(timed->flits)),
        wide_(wide),
        timed_(std::move(timed)),
        sizes_(timed_->sizes),
        time_(timed_->time),
        kind_(node_kind(schedule, ports)),
        places_(places || kind_.join),
        contents_(places_ || needs_contents()),
        logs_(whole_logs()) {}

  CompiledSchedule compile(std::shared_ptr<const Quotient> quotient);

 private:
  bool needs_contents() const;
  std::unique_ptr<GossipLogs> whole_logs() const;
  /// In words.
  std::uint64_t length(Node c, unsigned log) const {
    if (logs_) return logs_->length(c, log) * flits_.longest().flits;
    return stores_->length(c, log);
  }
  std::vector<unsigned> log_order() const;
  void refuse_too_long() const;
  void refuse_too_deep(std::uint64_t words) const;
  std::uint64_t size(const Transfer& t) const { return sizes_[&t - s_.transfers().data()]; }
  double bytes_before() const;
  void prepare();
  void play(std::uint32_t slot, std::span<const Transfer> starting);
  void use(const Transfer& t);
  void use_lanes(const Transfer& t);
  void use_own(const Transfer& t, Node x, std::uint64_t begin, Port out);
  void store_sums(const SumLanes::Round& round, std::uint64_t now);
  LaneUse& lane_use(Node x, std::uint64_t begin, std::uint64_t flits, Port port);
  void add_lanes(std::uint32_t slot, Node c);
  SlotUse& slot_use(std::uint32_t slot, Node x);
  void read(SegmentList& channel, const Transfer& t);
  std::vector<Held> results() const;
  void add_slot(std::uint32_t slot, Node c, const SlotUse& use);
  void store_until(std::uint32_t slot);

  const Schedule& s_;
  const Symmetry& symmetry_;
  ChunkFlits flits_;
  bool wide_;
  std::shared_ptr<const ScheduleTiming> timed_;
  const std::vector<std::uint64_t>& sizes_;
  const Timeline& time_;
  NodeKind kind_;
  bool places_;                       ///< they are asked for, or nodes join
  bool contents_;                     ///< it must be known where each message stands
  std::unique_ptr<GossipLogs> logs_;  ///< that, if whole logs are sent; else null
  MemoryWatch watch_{s_.topology().spec() + ": the set of its tables"};
  std::optional<Stores> stores_;  ///< without both of them
  Story<Stores::Carried> story_{s_};
  std::vector<ProgramBuilder> builders_;
  std::map<std::uint32_t, std::unordered_map<Node, SlotUse>> uses_;  ///< slot -> class -> use
  std::vector<std::vector<LaneUse>> lanes_;  ///< by class, of nodes that join
  /// Joins by their last slot, with the cycle in which their sources begin to add.
  std::map<std::uint32_t, std::vector<std::pair<const Transfer*, std::uint64_t>>> ending_;
};

/// Must the place of each message be known? Not if every transfer carries everything and nothing
/// arrives twice: then "everything" is simply all that has been written.
bool Compiler::needs_contents() const {
  std::vector<std::uint64_t> written(symmetry_.classes());
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    written[c] = initial_flits(s_, symmetry_.representative(c), flits_);
  }
  std::vector<std::uint64_t> at_start = written;
  std::uint32_t round = 0;
  for (const Transfer& t : s_.transfers()) {
    if (t.carry == Carry::Listed) return true;
    if (t.round != round) at_start = written;
    round = t.round;
    if (size(t) != at_start[symmetry_.class_of(s_.source(t))]) return true;
    for (const TransferHop hop : s_.stored_hops(t)) {
      written[symmetry_.class_of(hop.to)] += size(t);
    }
  }
  return false;
}

/// Logs of which everything is sent are followed as a whole, not message by message.
std::unique_ptr<GossipLogs> Compiler::whole_logs() const {
  const bool everything = std::ranges::all_of(
      s_.transfers(), [](const Transfer& t) { return t.carry == Carry::Everything; });
  return contents_ && everything && !places_ ? GossipLogs::of(s_, kind_) : nullptr;
}

/// The logs in the order of "everything it holds": its own first, then by port.
std::vector<unsigned> Compiler::log_order() const {
  std::vector<unsigned> logs;
  if (!kind_.single_port) logs.push_back(kind_.own_log());
  for (unsigned g = 0; g < kind_.logs(); ++g) logs.push_back(g);
  return logs;
}

SlotUse& Compiler::slot_use(std::uint32_t slot, Node x) {
  SlotUse& use = uses_[slot][symmetry_.class_of(x)];
  if (use.select.empty()) use.select.assign(kind_.ports, select_none(kind_));
  return use;
}

/// Adds a transfer to the slots of the nodes on its way.
void Compiler::use(const Transfer& t) {
  const Topology& topology = s_.topology();
  const TransferHops hops = s_.hops(t);
  for (const TransferHop hop : hops) {
    const std::uint32_t slot = s_.round_of(t, hop);
    const Port out = port_out(topology, hop);
    if (out == kNoPort) throw InputError(*why_not(s_));
    SlotUse& from = slot_use(slot, hop.from);
    if (hop.before == TransferHop::kNone) {
      from.select[out] = select_of(kind_, out);
      from.sends.emplace_back(out, &t);
    } else {
      from.select[out] = select_of(kind_, port_in(topology, hops[hop.before]));
    }
    if (hop.stored) {
      slot_use(slot, hop.to).receive |= std::uint64_t{1} << port_in(topology, hop);
    }
  }
}

LaneUse& Compiler::lane_use(Node x, std::uint64_t begin, std::uint64_t flits, Port port) {
  watch_.grew(sizeof(LaneUse));
  return lanes_[symmetry_.class_of(x)].emplace_back(LaneUse{begin, begin + flits, port});
}

/// An output takes a node's own words, of those messages of the transfer that it holds now.
void Compiler::use_own(const Transfer& t, Node x, std::uint64_t begin, Port out) {
  const Node c = symmetry_.class_of(x);
  stores_->visit(t, nullptr, x, [&](const Message& m) {
    const LogPlace* const place = stores_->find(c, m);
    const LogPlace missing{stores_->own_log(),
                           static_cast<std::uint32_t>(stores_->length(c, stores_->own_log()))};
    if (flits_.of(m) != 0 && (place != nullptr || !t.join)) {
      LaneUse& use = lane_use(x, begin, flits_.of(m), out);
      use.mask = select_of(kind_, out);
      use.read = place != nullptr ? *place : missing;
      use.stores = t.join && x == s_.source(t);
    }
    begin += flits_.of(m);
  });
}

/// What a transfer does in nodes that join. The words that a node adds to what comes by a join, or
/// sends by a path, are read where they stand now; the source of a join reads in the last round.
void Compiler::use_lanes(const Transfer& t) {
  const Topology& topology = s_.topology();
  const TransferHops hops = s_.hops(t);
  const std::uint64_t now = time_.start[t.round - 1];
  const std::vector<std::uint64_t> ways = arrival_cycles(s_, t, time_.stages);
  const auto begin_of = [&](std::uint32_t i) {
    return now + ways[i] - cycles_of_hop(s_, time_.stages, port_out(topology, hops[i]));
  };
  const auto count = static_cast<std::uint32_t>(hops.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const Port out = port_out(topology, hops[i]);
    if (t.join) {
      use_own(t, hops[i].from, begin_of(i), out);
      const bool ends = hops[i].before == TransferHop::kNone;
      const Port lane = ends ? s_.lane_of_join(t) : port_out(topology, hops[hops[i].before]);
      LaneUse& use = lane_use(hops[i].to, now + ways[i], size(t), lane);
      use.mask = select_of(kind_, port_in(topology, hops[i]));
      use.stores = ends;
    } else if (hops[i].before == TransferHop::kNone) {
      use_own(t, hops[i].from, begin_of(i), out);
    } else {
      LaneUse& use = lane_use(hops[i].from, begin_of(i), size(t), out);
      use.mask = select_of(kind_, port_in(topology, hops[hops[i].before]));
    }
  }
  if (t.join) ending_[s_.last_round(t)].emplace_back(&t, now + ways.back());
  if (t.join || timed_->sums != nullptr) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!hops[i].stored) continue;
    lane_use(hops[i].to, begin_of(i), size(t), port_in(topology, hops[i])).stores = true;
  }
}

/// What comes to the ends of paths in a round of packets or circuits.
void Compiler::store_sums(const SumLanes::Round& round, std::uint64_t now) {
  std::vector<SumLanes::Sum> in_order;
  for (const auto& [of, sum] : round) in_order.push_back(sum);
  std::ranges::stable_sort(in_order, {}, &SumLanes::Sum::begin);
  for (const SumLanes::Sum& sum : in_order) {
    const std::uint64_t flits = flits_.of(sum.message);
    const auto each_of = [&](std::uint64_t ports, const auto& visit) {
      for (Port p = 0; p < kind_.ports; ++p) {
        if (ports >> p & 1) visit(p);
      }
    };
    if (!sum.adds) {
      const auto store = [&](Port p) {
        const std::uint64_t hop = cycles_of_hop(s_, time_.stages, p);
        lane_use(sum.node, now + sum.begin - hop, flits, p).stores = true;
        stores_->append(sum.node, p, sum.message);
      };
      each_of(sum.inputs & ~sum.whole, store);
      each_of(sum.whole, store);
      continue;
    }
    LaneUse& use = lane_use(sum.node, now + sum.begin, flits, sum.lane);
    each_of(sum.inputs, [&](Port p) { use.mask |= select_of(kind_, p); });
    use.stores = true;
    if (sum.held) {
      use.mask |= select_of(kind_, sum.lane);
      use.read = *stores_->find(sum.node, sum.message);
    }
    stores_->append(sum.node, sum.lane, sum.message);
  }
}

/// Entries of one cycle, repeated as long as all outputs do the same.
void Compiler::add_lanes(std::uint32_t slot, Node c) {
  std::uint64_t at = time_.start[slot - 1];
  const std::uint64_t end = at + time_.length[slot - 1];
  std::vector<LaneUse>& uses = lanes_[c];
  std::ranges::stable_sort(uses, {}, &LaneUse::begin);
  while (at < end) {
    SlotEntry entry;
    entry.select.assign(kind_.ports, select_none(kind_));
    entry.op = static_cast<std::uint32_t>(s_.op);
    std::uint64_t next = end;
    for (const LaneUse& use : uses) {
      if (use.begin > at) {
        next = std::min(next, use.begin);
        break;
      }
      next = std::min(next, use.end);
      if (use.mask == 0) {
        entry.receive |= std::uint64_t{1} << use.port;
        continue;
      }
      entry.select[use.port] |= use.mask;
      if (use.stores) entry.stores |= std::uint64_t{1} << use.port;
      const bool reads = (use.mask & select_of(kind_, use.port)) != 0;
      if (!reads) continue;
      entry.stream = 1;
      if (use.begin == at) {
        builders_[c].channel(use.port).read(use.read.log, use.read.index,
                                            static_cast<std::uint32_t>(use.end - use.begin));
      }
    }
    builders_[c].slot(entry, next - at);
    at = next;
    std::erase_if(uses, [&](const LaneUse& use) { return use.end <= at; });
  }
}

std::vector<Held> Compiler::results() const {
  std::vector<Held> results;
  for (Node x = 0; places_ && x < s_.topology().nodes(); ++x) {
    // A class has the names of its representative.
    const Translation back = s_.view_of(x);
    for_each_expected(s_, x, [&](const Message& m) {
      const LogPlace* const at = stores_->find(symmetry_.class_of(x), moved(m, back));
      if (at != nullptr) results.push_back({x, m, {at->log, at->index}});
      return true;
    });
  }
  return results;
}

/// Appends the words of a transfer to its source's read list.
void Compiler::read(SegmentList& channel, const Transfer& t) {
  const Node source = s_.source(t);
  if (logs_) {
    for (unsigned log : log_order()) {
      std::uint64_t at = 0;
      for (const GossipLogs::Run& run : logs_->runs(symmetry_.class_of(source), log)) {
        const std::uint64_t words = std::uint64_t{run.length} * flits_.longest().flits;
        if (run.first) {
          channel.read(log, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(words));
        }
        at += words;
      }
    }
    return;
  }
  const Node c = symmetry_.class_of(source);
  if (!contents_) {
    for (unsigned log : log_order()) {
      channel.read(log, 0, static_cast<std::uint32_t>(length(c, log)));
    }
    return;
  }
  // A missing message is read from the place of the next arrival: the hardware notices it if the
  // schedule is run without the check.
  const unsigned own = stores_->own_log();
  const LogPlace missing{own, static_cast<std::uint32_t>(stores_->length(c, own))};
  stores_->visit(t, stores_->carried(t), source, [&](const Message& m) {
    const LogPlace* place = stores_->find(c, m);
    if (place == nullptr) place = &missing;
    if (flits_.of(m) > 0) channel.read(place->log, place->index, flits_.of(m));
  });
}

void Compiler::add_slot(std::uint32_t slot, Node c, const SlotUse& use) {
  SlotEntry entry;
  if (!use.select.empty()) watch_.grew(kBytesOfSlot + use.select.size() * sizeof(Port));
  entry.length = static_cast<std::uint32_t>(time_.length[slot - 1]);
  entry.receive = use.receive;
  entry.select = use.select;
  if (entry.select.empty()) entry.select.assign(kind_.ports, select_none(kind_));
  std::uint64_t stream = 0;
  for (const auto& [port, t] : use.sends) stream = std::max(stream, size(*t));
  entry.stream = static_cast<std::uint32_t>(stream);
  for (std::size_t i = 0; i < use.sends.size(); ++i) {
    const auto& [port, t] = use.sends[i];
    if (kind_.channels == 1 && i > 0) break;  // one channel serves all outputs
    SegmentList& channel = builders_[c].channel(kind_.channels == 1 ? 0 : port);
    read(channel, *t);
    if (size(*t) < stream && size(*t) > 0) channel.stop();
  }
  builders_[c].slot(std::move(entry));
}

void Compiler::store_until(std::uint32_t slot) {
  story_.store_until(slot, [&](const auto& all) {
    for (const auto& brought : all) {
      const Transfer& t = *brought.transfer;
      const std::size_t messages = brought.carried ? brought.carried->size() : t.messages_size;
      if (contents_) watch_.grew(messages * kBytesOfMessage);
      stores_->store(brought, size(t));
      const unsigned log = kind_.single_port ? 0 : brought.in;
      refuse_too_deep(stores_->length(symmetry_.class_of(brought.hop.to), log));
    }
  });
}

/// Throws if a slot or a log does not fit into the fields that describe it.
void Compiler::refuse_too_long() const {
  const std::uint64_t kMost = words_of_node(wide_) - 1;
  for (std::size_t r = 0; r < time_.length.size(); ++r) {
    if (time_.length[r] <= kMost) continue;
    refuse("round {} takes {} cycles with messages of {} flits; a slot can have at most {}", r + 1,
           time_.length[r], flits_.longest().flits, kMost);
  }
}

/// Throws if an address in a store needs more bits than there are.
void Compiler::refuse_too_deep(std::uint64_t words) const {
  const std::uint64_t kMost = words_of_node(wide_);
  if (words <= kMost) return;
  throw TooLarge(fmt::format(
      "{}: a node's log fills with {} words with messages of {} flits; it can have at most {}",
      s_.topology().spec(), words, flits_.longest().flits, kMost));
}

/// Memory for programs and stores of all classes before the first slot.
double Compiler::bytes_before() const {
  constexpr double kBytesOfClass = sizeof(ProgramBuilder) + 256;
  constexpr double kBytesOfLog = sizeof(std::uint64_t) + sizeof(SegmentList);
  double messages = 0;
  for (Node c = 0; contents_ && !logs_ && c < symmetry_.classes(); ++c) {
    messages += static_cast<double>(count_initial(s_, symmetry_.representative(c)));
  }
  return symmetry_.classes() * (kBytesOfClass + kBytesOfLog * (kind_.logs() + kind_.channels)) +
         messages * kBytesOfMessage;
}

void Compiler::prepare() {
  require_memory(bytes_before(), s_.topology().spec() + ": the set of its tables");
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    stop_if_interrupted();
    builders_.emplace_back(kind_.channels);
  }
  if (kind_.join) lanes_.resize(symmetry_.classes());
  if (logs_) return;
  stores_.emplace(s_, flits_, kind_.logs(), contents_);
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    refuse_too_deep(stores_->length(c, stores_->own_log()));
  }
}

/// One slot of every class; `starting` are the transfers that begin in it.
void Compiler::play(std::uint32_t slot, std::span<const Transfer> starting) {
  for (const Transfer& t : starting) kind_.join ? use_lanes(t) : use(t);
  for (const auto& [t, begin] : ending_[slot]) {
    use_own(*t, s_.source(*t), begin, s_.lane_of_join(*t));
  }
  ending_.erase(slot);
  if (timed_->sums != nullptr) store_sums(timed_->sums->rounds[slot - 1], time_.start[slot - 1]);
  const auto uses = uses_.extract(slot);
  const SlotUse idle;
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    stop_if_interrupted();
    if (kind_.join) {
      add_lanes(slot, c);
      continue;
    }
    const SlotUse* use = &idle;
    if (!uses.empty()) {
      const auto it = uses.mapped().find(c);
      if (it != uses.mapped().end()) use = &it->second;
    }
    add_slot(slot, c, *use);
  }
  if (timed_->sums != nullptr) return;
  if (logs_) {
    logs_->play(starting);
    return;
  }
  story_.send(starting, [&](const Transfer& t) { return stores_->carried(t); });
  store_until(slot);
}

CompiledSchedule Compiler::compile(std::shared_ptr<const Quotient> quotient) {
  refuse_too_long();
  prepare();
  begin_steps(time_.length.size(), "slots");
  for (std::uint32_t slot = 1; slot <= time_.length.size(); ++slot) {
    step_done(slot - 1);
    play(slot, s_.transfers_of(slot));
  }
  store_until(~std::uint32_t{0});

  std::uint64_t deepest = 0;
  std::vector<NodeProgram> programs;
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    programs.push_back(builders_[c].finish());
    for (unsigned g = 0; g < kind_.logs(); ++g) deepest = std::max(deepest, length(c, g));
  }
  if (kind_.join) deepest = std::max(deepest, length(0, kind_.own_log()));
  refuse_too_deep(deepest);
  const std::uint64_t longest = time_.length.empty() ? 0 : std::ranges::max(time_.length);
  std::size_t entries = 0;  // with the one that ends each table
  for (const NodeProgram& program : programs) {
    entries = std::max(entries, program.slots.size() + 1);
    for (const auto& list : program.channels) entries = std::max(entries, list.size() + 1);
  }
  kind_.wide =
      std::max(deepest, longest + 1) > words_of_node(false) || (wide_ && entries > kEntries);

  CompiledSchedule result{FabricImage{.topology = quotient ? quotient->topology() : s_.topology(),
                                      .kind = kind_,
                                      .programs = std::move(programs),
                                      .capacity = static_cast<std::uint32_t>(deepest)},
                          time_, timed_, 0, results()};
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    for (unsigned g = 0; g < kind_.logs(); ++g) result.log_words.push_back(length(c, g));
  }
  result.image.quotient = std::move(quotient);
  const Node nodes = result.image.topology.nodes();
  require_memory(sizeof(std::uint32_t) * static_cast<double>(nodes),
                 s_.topology().spec() + ": the set of its tables");
  result.image.program_of.reserve(nodes);
  for (Node x = 0; x < nodes; ++x) {
    result.image.program_of.push_back(result.image.quotient ? x : symmetry_.class_of(x));
  }
  for (const Transfer& t : s_.transfers()) {
    result.flits_expected += size(t) * (t.path_size - 1) * symmetry_.order();
  }
  return result;
}

}  // namespace

std::uint64_t own_words(const Schedule& s, Node x, const ChunkFlits& flits) {
  if (!reduces(s.collective())) return initial_flits(s, x, flits);
  std::uint64_t words = 0;
  for (const Node origin : origins_of_sums(s)) words += flits.cut({origin}).flits;
  return words;
}

std::vector<Message> own_messages(const Schedule& s, Node x) {
  // Nodes of one class share a program, which identifies messages by their places in the log: those
  // of the representative, translated.
  const Symmetry& symmetry = s.symmetry();
  const Node first = symmetry.representative(symmetry.class_of(x));
  const Translation move(s.topology(), symmetry.shift(x));
  std::vector<Message> own;
  for_each_initial(s, first, [&](const Message& m) { own.push_back(moved(m, move)); });
  return own;
}

CompiledSchedule compile(const Schedule& schedule, unsigned flits, Port ports, bool wide,
                         std::shared_ptr<const Quotient> quotient,
                         std::shared_ptr<const ScheduleTiming> timed, const PortStages& stages,
                         bool places) {
  refuse_unrunnable(schedule.topology(), schedule.collective(),
                    schedule.chunk_flits(flits).longest().flits);
  if (timed == nullptr || timed->flits != flits || timed->time.stages != stages) {
    timed = gossamer::timed(schedule, flits, stages);
  }
  CompiledSchedule result =
      adaptive(schedule)
          ? compile_adaptive(schedule, timed, ports)
          : Compiler(schedule, timed, ports, wide, places).compile(std::move(quotient));
  result.timed = std::move(timed);
  result.image.stages = stages;
  if (!stages.empty()) result.image.stages.resize(result.image.kind.ports);
  result.image.dead = dead_outputs(schedule.topology(), schedule.faults);
  result.image.dead_after = schedule.faults.from_round - 1;
  result.image.dead_cycle = schedule.faults.from_cycle;
  const ChunkFlits chunks = schedule.chunk_flits(flits);
  result.image.own_begin.assign(1, 0);
  for (Node i = 0; i < result.image.topology.nodes(); ++i) {
    const std::uint64_t own = own_words(schedule, result.image.node_of(i), chunks);
    result.image.own_begin.push_back(result.image.own_begin.back() + own);
  }
  return result;
}

}  // namespace gossamer
