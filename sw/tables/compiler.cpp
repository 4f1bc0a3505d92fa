#include "tables/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "play/stores.hpp"
#include "schedule/chunks.hpp"
#include "schedule/schedule.hpp"
#include "support/error.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
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
  kind.single_port = s.model().ports == PortModel::Single;
  kind.half_duplex = s.model().duplex == Duplex::Half;
  kind.adaptive = adaptive(s);
  kind.join = s.joins();
  kind.all_ops = kind.join && operator_number(s.op) > rtl::OP_SUM8;
  kind.reduce = reduces(s.collective()) && !kind.join;
  kind.channels = kind.single_port || kind.adaptive || multicasts_only() ? 1 : kind.ports;
  return kind.with_ports(ports);
}

namespace {

/// What one node does in one slot.
struct SlotUse {
  std::uint64_t receive = 0;
  std::vector<Port> select;                             ///< empty: nothing
  std::vector<std::pair<Port, const Transfer*>> sends;  ///< output port and what starts there
  /// Output port, and what of the store is joined there.
  std::vector<std::tuple<Port, LogPlace, std::uint32_t>> parts;
  std::uint64_t stores = 0;
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
           bool wide)
      : s_(schedule),
        symmetry_(schedule.symmetry()),
        flits_(schedule.chunk_flits(timed->flits)),
        wide_(wide),
        timed_(std::move(timed)),
        sizes_(timed_->sizes),
        time_(timed_->time),
        kind_(node_kind(schedule, ports)),
        contents_(needs_contents()),
        logs_(whole_logs()),
        sums_(timed_->sums.get()) {}

  CompiledSchedule compile(std::shared_ptr<const Quotient> quotient);

 private:
  bool needs_contents() const;
  std::unique_ptr<GossipLogs> whole_logs() const;
  /// In words.
  std::uint64_t length(Node c, unsigned log) const {
    if (sums_) return log < sums_->logs ? sums_->lengths[c * sums_->logs + log] : 0;
    if (logs_) return logs_->length(c, log) * flits_.longest().flits;
    if (log == kind_.own_log()) return stores_->length(c, stores_->own_log());
    return log < stores_->own_log() ? stores_->length(c, log) : 0;
  }
  std::vector<unsigned> log_order() const;
  void refuse_too_long() const;
  void refuse_too_deep(std::uint64_t words) const;
  std::uint64_t size(const Transfer& t) const { return sizes_[&t - s_.transfers().data()]; }
  /// Nodes may have more ports than the topology.
  unsigned log_of(unsigned log) const {
    return log == (sums_ ? sums_->logs : stores_->own_log()) ? kind_.own_log() : log;
  }

  double bytes_before() const;
  void prepare();
  void play(std::uint32_t slot, std::span<const Transfer> starting);
  void use(const Transfer& t);
  void use_join(const Transfer& t);
  void join(const Transfer& t, std::uint32_t slot, Node x, Port lane);
  SlotUse& slot_use(std::uint32_t slot, Node x);
  void read(SegmentList& channel, const Transfer& t);
  void read(SegmentList& channel, const Message& m, const SumPlan::Read& r) const;
  std::vector<SumPlace> results() const;
  void merge(Node c);
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
  bool contents_;                     ///< it must be known where each message stands
  std::unique_ptr<GossipLogs> logs_;  ///< that, if whole logs are sent; else null
  const SumPlan* sums_;               ///< of a reduction; else null
  const SumPlan::Round* round_ = &SumPlan::kIdle;  ///< what it says of this slot
  MemoryWatch watch_{s_.topology().spec() + ": the set of its tables"};
  std::optional<Stores> stores_;  ///< without both of them
  Story<Stores::Carried> story_{s_};
  std::vector<ProgramBuilder> builders_;
  std::map<std::uint32_t, std::unordered_map<Node, SlotUse>> uses_;  ///< slot -> class -> use
};

/// Must the place of each message be known? Not if every transfer carries everything and nothing
/// arrives twice: then "everything" is simply all that has been written.
bool Compiler::needs_contents() const {
  if (kind_.reduce || kind_.join) return true;
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
  return contents_ && everything ? GossipLogs::of(s_, kind_) : nullptr;
}

/// The logs in the order of "everything it holds": its own first, then by port.
std::vector<unsigned> Compiler::log_order() const {
  std::vector<unsigned> logs;
  if (!kind_.single_port) logs.push_back(kind_.own_log());
  for (unsigned g = 0; g < kind_.logs(); ++g) logs.push_back(g);
  return logs;
}

Message moved(const Message& m, const Translation& by) {
  return {by(m.origin), m.destination == kNoNode ? kNoNode : by(m.destination), m.piece};
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
    const auto [tail, head, before, depth, stored, lane] = hop;
    const std::uint32_t slot = s_.round_of(t, hop);
    const Port out = port_out(topology, hop);
    if (out == kNoPort) {
      throw InputError(
          fmt::format("{}round {}: there is no link from node {} to node {}, so the "
                      "transfer cannot be put into any table",
                      t.line != 0 ? fmt::format("line {}, ", t.line) : "", t.round, tail, head));
    }
    SlotUse& from = slot_use(slot, tail);
    if (before == TransferHop::kNone) {
      from.select[out] = select_of(kind_, out);
      from.sends.emplace_back(out, &t);
    } else {
      from.select[out] = select_of(kind_, port_in(topology, hops[before]));
    }
    if (stored) slot_use(slot, head).receive |= std::uint64_t{1} << topology.peer(tail, out).port;
  }
}

/// What a node holds of the messages of a join is joined by one of its lanes.
void Compiler::join(const Transfer& t, std::uint32_t slot, Node x, Port lane) {
  const Node c = symmetry_.class_of(x);
  stores_->visit(t, nullptr, symmetry_.shift(x), [&](const Message& m) {
    const LogPlace* place = stores_->find(c, m);
    if (place == nullptr || flits_.of(m) == 0) return;
    SlotUse& use = slot_use(slot, x);
    use.select[lane] |= select_of(kind_, lane);
    use.parts.emplace_back(lane, *place, flits_.of(m));
  });
}

void Compiler::use_join(const Transfer& t) {
  const Topology& topology = s_.topology();
  const TransferHops hops = s_.hops(t);
  const Node source = s_.source(t);
  const Port last = s_.lane_of_join(t);
  const std::uint32_t end = s_.last_round(t);
  for (const TransferHop hop : hops) {
    const std::uint32_t slot = s_.round_of(t, hop);
    join(t, slot, hop.from, port_out(topology, hop));
    const bool ends = hop.before == TransferHop::kNone;
    SlotUse& next = slot_use(ends ? end : s_.round_of(t, hops[hop.before]), hop.to);
    next.select[ends ? last : port_out(topology, hops[hop.before])] |=
        select_of(kind_, port_in(topology, hop));
  }
  join(t, end, source, last);
  slot_use(end, source).stores |= std::uint64_t{1} << last;
}

void Compiler::read(SegmentList& channel, const Message& m, const SumPlan::Read& r) const {
  const unsigned log = log_of(r.log);
  if (!r.combines && !r.keeps) return channel.read(log, r.base, flits_.of(m));
  channel.combine(log, r.base, flits_.of(m), sums_->own_address(m),
                  r.combines ? operator_number(s_.op) : rtl::OP_COPY, r.keeps);
}

std::vector<SumPlace> Compiler::results() const {
  std::vector<SumPlace> results;
  if (sums_ != nullptr) results = sums_->results;
  for (SumPlace& result : results) result.place.log = log_of(result.place.log);
  for (Node x = 0; kind_.join && x < s_.topology().nodes(); ++x) {
    for_each_expected(s_, x, [&](const Message& m) {
      const LogPlace* const at = stores_->find(symmetry_.class_of(x), m);
      if (at != nullptr) results.push_back({x, m, {log_of(at->log), at->index}});
      return true;
    });
  }
  return results;
}

/// What a node combines before anything is sent in this slot.
void Compiler::merge(Node c) {
  if (round_->before == 0) return;
  SlotEntry entry;
  entry.select.assign(kind_.ports, select_none(kind_));
  std::uint64_t begin = 0, end = 0;  // of the words that are read without a gap
  const auto add = [&](std::uint64_t until) {
    entry.length = static_cast<std::uint32_t>(until - begin);
    entry.stream = static_cast<std::uint32_t>(end - begin);
    entry.reads = entry.stream != 0;
    builders_[c].slot(entry);
    begin = end = until;
  };
  for (const SumPlan::Merge& m : SumPlan::of_node(round_->merges, c)) {
    if (m.at > end) add(m.at);
    read(builders_[c].channel(0), m.message, m.read);
    end = m.at + flits_.of(m.message);
  }
  add(round_->before);
}

/// Appends the words of a transfer to its source's read list.
void Compiler::read(SegmentList& channel, const Transfer& t) {
  if (sums_) {
    const SumPlan::Read* r = sums_->reads.data() + t.messages_begin;
    for (const Message& m : s_.messages(t)) read(channel, m, *r++);
    return;
  }
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
  stores_->visit(t, stores_->carried(t), symmetry_.shift(source), [&](const Message& m) {
    const LogPlace* place = stores_->find(c, m);
    if (place == nullptr) place = &missing;
    if (flits_.of(m) > 0) channel.read(log_of(place->log), place->index, flits_.of(m));
  });
}

void Compiler::add_slot(std::uint32_t slot, Node c, const SlotUse& use) {
  SlotEntry entry;
  merge(c);
  if (time_.length[slot - 1] == round_->before) return;
  if (!use.select.empty()) watch_.grew(kBytesOfSlot + use.select.size() * sizeof(Port));
  entry.length = static_cast<std::uint32_t>(time_.length[slot - 1] - round_->before);
  entry.receive = use.receive;
  entry.select = use.select;
  if (entry.select.empty()) entry.select.assign(kind_.ports, select_none(kind_));
  std::uint64_t stream = 0;
  for (const auto& [port, t] : use.sends) stream = std::max(stream, size(*t));
  for (const auto& [port, place, words] : use.parts) {
    stream = std::max<std::uint64_t>(stream, words);
    builders_[c].channel(port).read(log_of(place.log), place.index, words);
  }
  entry.stores = use.stores;
  if (kind_.join) entry.op = operator_number(s_.op);
  const auto meanwhile = SumPlan::of_node(round_->meanwhile, c);
  std::uint64_t merged = 0;
  for (const SumPlan::Merge& m : meanwhile) {
    read(builders_[c].channel(0), m.message, m.read);
    merged += flits_.of(m.message);
  }
  stream = std::max(stream, merged);
  entry.reads = merged != 0;
  entry.stream = static_cast<std::uint32_t>(stream);
  for (std::size_t i = 0; i < use.sends.size(); ++i) {
    const auto& [port, t] = use.sends[i];
    if (kind_.channels == 1 && i > 0) break;  // one channel serves all outputs
    SegmentList& channel = builders_[c].channel(kind_.channels == 1 ? 0 : port);
    read(channel, *t);
    if (size(*t) < stream && size(*t) > 0) channel.stop();
  }
  if (merged != 0 && merged < stream) builders_[c].channel(0).stop();
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
    throw InputError(fmt::format(
        "round {} takes {} cycles with messages of {} flits; a slot can have at most {}", r + 1,
        time_.length[r], flits_.longest().flits, kMost));
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
  if (logs_ || sums_) return;
  stores_.emplace(s_, flits_, kind_.single_port, contents_);
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    refuse_too_deep(stores_->length(c, stores_->own_log()));
  }
}

/// One slot of every class; `starting` are the transfers that begin in it.
void Compiler::play(std::uint32_t slot, std::span<const Transfer> starting) {
  for (const Transfer& t : starting) t.join ? use_join(t) : use(t);
  if (sums_) round_ = &sums_->round(slot);
  const auto uses = uses_.extract(slot);
  const SlotUse idle;
  for (Node c = 0; c < symmetry_.classes(); ++c) {
    stop_if_interrupted();
    const SlotUse* use = &idle;
    if (!uses.empty()) {
      const auto it = uses.mapped().find(c);
      if (it != uses.mapped().end()) use = &it->second;
    }
    add_slot(slot, c, *use);
  }
  if (sums_) return;
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
  if (sums_) deepest = std::max(deepest, sums_->own_words());
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

std::uint32_t operator_number(Operator op) { return static_cast<std::uint32_t>(op); }

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

void refuse_too_many_ports(const Topology& topology) {
  if (topology.ports() <= rtl::MAX_PORTS) return;
  throw InputError(
      fmt::format("{} has nodes of {} ports; the hardware's nodes have at most {} ports",
                  topology.spec(), topology.ports(), std::uint32_t{rtl::MAX_PORTS}));
}

void refuse_unrunnable(const Topology& topology, Collective collective, unsigned flits) {
  refuse_too_many_ports(topology);
  Payload::refuse_too_many(topology.nodes(), collective, flits);
}

void refuse_empty_pieces(const ChunkFlits& cut) {
  const std::uint32_t flits = cut.longest().flits;
  if (cut.pieces() == 1 || cut.pieces() <= flits) return;
  throw InputError(
      fmt::format("messages of {} flit{} cannot be cut into {} pieces; expected {} flits at least",
                  flits, flits == 1 ? "" : "s", cut.pieces(), cut.pieces()));
}

CompiledSchedule compile(const Schedule& schedule, unsigned flits, Port ports, bool wide,
                         std::shared_ptr<const Quotient> quotient,
                         std::shared_ptr<const ScheduleTiming> timed, const PortStages& stages) {
  refuse_too_many_ports(schedule.topology());
  refuse_empty_pieces(schedule.chunk_flits(flits));
  if (timed == nullptr || timed->flits != flits || timed->time.stages != stages) {
    timed = gossamer::timed(schedule, flits, stages);
  }
  CompiledSchedule result =
      adaptive(schedule) ? compile_adaptive(schedule, timed, ports)
                         : Compiler(schedule, timed, ports, wide).compile(std::move(quotient));
  result.timed = std::move(timed);
  result.image.stages = stages;
  if (!stages.empty()) result.image.stages.resize(result.image.kind.ports);
  result.image.dead = dead_outputs(schedule.topology(), schedule.faults);
  result.image.dead_after = schedule.faults.from_round - 1;
  return result;
}

}  // namespace gossamer
