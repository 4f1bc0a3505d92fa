#include "page/streams.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>

#include "adaptive/play.hpp"
#include "checker/messages.hpp"
#include "gossamer_constants.hpp"
#include "schedule/arrivals.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"

namespace gossamer {
namespace {

/// Plays a schedule for one node of each class and records the order of messages in its logs, in
/// which it sends everything.
class Orders {
 public:
  explicit Orders(const Schedule& schedule)
      : s_(schedule),
        frames_(schedule),
        single_(schedule.model().ports == PortModel::Single),
        logs_(s_.symmetry().classes(), std::vector<Log>(s_.topology().ports() + 1)),
        held_(logs_.size()) {
    for (Node c = 0; c < logs_.size(); ++c) {
      for (const Message& m : own_messages(s_.symmetry().representative(c))) append(c, own(), m);
    }
  }

  /// The messages of a round's transfers; call it round by round.
  std::vector<std::vector<Message>> play(std::span<const Transfer> round) {
    std::vector<std::vector<Message>> carried;
    for (const Transfer& t : round) {
      const auto listed = s_.messages(t);
      carried.emplace_back(listed.begin(), listed.end());
      if (t.carry == Carry::Everything) carried.back() = everything(s_.source(t));
    }
    for (const auto& [t, hop, in] : stored_hops(s_, round)) {
      arrive(hop.to, single_ ? 0 : in, carried[static_cast<std::size_t>(t - round.data())]);
    }
    return carried;
  }

 private:
  using Log = std::vector<Message>;

  std::size_t own() const { return single_ ? 0 : s_.topology().ports(); }

  std::vector<Message> own_messages(Node x) const {
    if (same_to_all(s_.collective())) {
      std::vector<Message> own;
      for_each_initial(s_, x, [&](const Message& m) { own.push_back(m); });
      return own;
    }
    return {};  // personalised messages are listed
  }

  void append(Node c, std::size_t log, const Message& m) {
    if (held_[c].insert(m).second) logs_[c][log].push_back(m);
  }

  std::vector<Message> everything(Node x) const {
    std::vector<Message> all;
    const std::vector<Log>& logs = logs_[frames_.class_of(x)];
    const auto add = [&](const Log& log) {
      for (Message m : log) {
        if (s_.symmetry().order() > 1) {
          const Node shift = s_.symmetry().shift(x);
          m.origin = s_.topology().translate(m.origin, shift);
          if (m.destination != kNoNode)
            m.destination = s_.topology().translate(m.destination, shift);
        }
        all.push_back(m);
      }
    };
    if (!single_) add(logs.back());
    for (std::size_t g = 0; g + 1 < logs.size(); ++g) add(logs[g]);
    return all;
  }

  void arrive(Node to, Port log, const std::vector<Message>& messages) {
    const checking::Frames::View of_class = frames_.view_of(to);
    for (const Message& m : messages) append(frames_.class_of(to), log, of_class(m));
  }

  const Schedule& s_;
  checking::Frames frames_;
  const bool single_;
  std::vector<std::vector<Log>> logs_;  ///< by class and port, the own messages last
  std::vector<std::set<Message>> held_;
};

/// A stream for each message that an adaptive transfer really sends, or would send without the
/// faults.
std::vector<PageStream> adaptive_streams(const Schedule& schedule, const ScheduleTiming& timed) {
  const Offers& offered = *timed.offers;
  const Timeline& time = timed.time;
  const Outcome outcome = play(schedule, offered, schedule.faults);
  std::optional<Outcome> healthy;
  if (!schedule.faults.empty()) healthy = play(schedule, offered, {});
  std::vector<PageStream> streams;
  for (std::uint32_t i = 0; i < schedule.transfers().size(); ++i) {
    const Transfer& t = schedule.transfers()[i];
    std::uint64_t begin = time.start[t.round - 1] + 1 + rtl::TIME_DELTA;
    for (const Node origin : offered.at(t.round, schedule.source(t))) {
      if (outcome.carries(i, origin)) {
        streams.push_back({i, begin, 1, {{origin, kNoNode}}, false});
      } else if (healthy && healthy->carries(i, origin)) {
        streams.push_back({i, begin, 1, {{origin, kNoNode}}, true});
      }
      begin += timed.flits;
    }
  }
  return streams;
}

bool lists(const Schedule& schedule, const std::vector<std::uint64_t>& carried,
           std::uint64_t most) {
  const bool any = std::ranges::any_of(
      schedule.transfers(), [](const Transfer& t) { return t.carry == Carry::Everything; });
  std::uint64_t sum = 0;
  for (const std::uint64_t messages : carried) sum += messages;
  return any && sum <= most;
}

}  // namespace

std::vector<PageStream> page_streams(const Schedule& schedule, const ScheduleTiming& timed,
                                     const std::vector<std::uint64_t>& carried,
                                     std::uint64_t most) {
  if (adaptive(schedule)) return adaptive_streams(schedule, timed);
  const Timeline& time = timed.time;
  const auto transfers = schedule.transfers();
  std::optional<Orders> orders;
  if (lists(schedule, carried, most)) orders.emplace(schedule);
  std::vector<PageStream> streams;
  for (std::size_t first = 0; first < transfers.size();) {
    const auto round = schedule.transfers_of(transfers[first].round);
    std::vector<std::vector<Message>> messages;
    if (orders) messages = orders->play(round);
    for (std::size_t i = first; i < first + round.size(); ++i) {
      if (carried[i] == 0) continue;
      const std::uint32_t slot = transfers[i].round - 1;
      PageStream stream{
          static_cast<std::uint32_t>(i),
          time.start[slot] + time.parts[slot].merging + time.combining + 1 + rtl::TIME_DELTA,
          carried[i],
          {},
          {}};
      const auto listed = schedule.messages(transfers[i]);
      stream.messages.assign(listed.begin(), listed.end());
      if (orders) stream.messages = std::move(messages[i - first]);
      if (!transfers[i].tree) {
        streams.push_back(std::move(stream));
        continue;
      }
      const std::uint64_t at_source = stream.begin;
      const auto cycles = arrival_cycles(schedule, transfers[i], time.stages);
      for (const TransferHop hop : schedule.hops(transfers[i])) {
        ++stream.hop;  // from kPath to 0
        stream.begin = at_source + (hop.before == TransferHop::kNone ? 0 : cycles[hop.before]);
        streams.push_back(stream);
      }
    }
    first += round.size();
  }
  return streams;
}

std::vector<TransferHop> hops_of(const Schedule& schedule, const PageStream& stream) {
  const TransferHops hops = schedule.hops(schedule.transfers()[stream.transfer]);
  if (stream.hop != PageStream::kPath) return {hops[stream.hop]};
  return {hops.begin(), hops.end()};
}

namespace {

/// The messages on the links of the streams: those that are there, or those that the faults take.
std::vector<LinkRun> runs_of(const Schedule& schedule, const Timeline& time,
                             const std::vector<PageStream>& streams, unsigned flits, bool lost) {
  const Topology& topology = schedule.topology();
  const auto moved = [&](Node x, Node by) {
    return by == 0 || x == kNoNode ? x : topology.translate(x, by);
  };
  const ChunkFlits chunks = schedule.chunk_flits(flits);
  std::vector<LinkRun> runs;
  const std::vector<Node> moves = schedule.symmetry().elements();
  for (const PageStream& stream : streams) {
    if (stream.lost != lost) continue;
    std::uint64_t first = stream.begin;
    for (const TransferHop& hop : hops_of(schedule, stream)) {
      const Port port = port_out(topology, hop);
      for (const Node by : moves) {
        std::uint64_t begin = first;
        for (const Message& m : stream.messages) {
          const std::uint64_t at = begin;
          begin += chunks.of(m);
          runs.push_back({at,
                          moved(hop.from, by),
                          port,
                          chunks.of(m),
                          {moved(m.origin, by), moved(m.destination, by), m.piece},
                          0});
        }
      }
      first += time.hop(port);
    }
  }
  std::ranges::sort(runs);
  return runs;
}

}  // namespace

std::uint64_t count_runs(const Schedule& schedule, const std::vector<PageStream>& streams) {
  std::uint64_t runs = 0;
  for (const PageStream& stream : streams) {
    runs += stream.messages.size() * hops_of(schedule, stream).size();
  }
  return runs * schedule.symmetry().order();
}

std::vector<LinkRun> expected_runs(const Schedule& schedule, const Timeline& time,
                                   const std::vector<PageStream>& streams, unsigned flits) {
  return runs_of(schedule, time, streams, flits, /*lost=*/false);
}

std::vector<LinkRun> lost_runs(const Schedule& schedule, const Timeline& time,
                               const std::vector<PageStream>& streams, unsigned flits) {
  return runs_of(schedule, time, streams, flits, /*lost=*/true);
}

namespace {

constexpr Node kMostBlocks = 64;
constexpr std::uint32_t kMostGroups = 400;

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

nlohmann::ordered_json sums_json(const Schedule& schedule, const CheckReport& checked,
                                 unsigned flits) {
  const ChunkFlits chunks = schedule.chunk_flits(flits);
  const Topology& topology = schedule.topology();
  std::uint32_t rounds = schedule.rounds();
  for (const Transfer& t : schedule.transfers()) {
    rounds = std::max(rounds, schedule.last_round(t));
  }
  const auto nodes_each = static_cast<Node>(divide_up(topology.nodes(), kMostBlocks));
  const auto rounds_each = static_cast<std::uint32_t>(divide_up(std::max(rounds, 1u), kMostGroups));
  std::vector<std::vector<std::uint64_t>> by_block(divide_up(topology.nodes(), nodes_each),
                                                   std::vector<std::uint64_t>(topology.ports(), 0));
  std::vector<std::uint64_t> by_rounds(divide_up(std::max(rounds, 1u), rounds_each), 0);
  const std::vector<Node> moves = schedule.symmetry().elements();
  for (std::size_t i = 0; i < schedule.transfers().size(); ++i) {
    const Transfer& t = schedule.transfers()[i];
    const std::uint64_t cycles = checked.flits_of(i, chunks);
    for (const TransferHop hop : schedule.hops(t)) {
      stop_if_interrupted();
      const Port port = port_out(topology, hop);
      by_rounds[(schedule.round_of(t, hop) - 1) / rounds_each] += cycles * moves.size();
      for (const Node by : moves) {
        const Node x = by == 0 ? hop.from : topology.translate(hop.from, by);
        by_block[x / nodes_each][port] += cycles;
      }
    }
  }
  return {{"nodes_each", nodes_each},
          {"rounds_each", rounds_each},
          {"busy_by_block_and_port", by_block},
          {"busy_by_rounds", by_rounds}};
}

}  // namespace gossamer
