#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "adaptive/adaptive.hpp"
#include "gossamer_constants.hpp"
#include "page/pictures.hpp"
#include "play/play.hpp"
#include "play/stores.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"

namespace gossamer {
namespace {

/// A stream for each message that an adaptive transfer really sends.
std::vector<PageStream> adaptive_streams(const Schedule& schedule, const ScheduleTiming& timed) {
  const Offers& offered = *timed.offers;
  const Timeline& time = timed.time;
  const AdaptiveRun outcome = play(schedule, offered, schedule.faults);
  std::vector<PageStream> streams;
  for (std::uint32_t i = 0; i < schedule.transfers().size(); ++i) {
    const Transfer& t = schedule.transfers()[i];
    std::uint64_t begin = time.start[t.round - 1] + 1 + rtl::TIME_DELTA;
    for (const Node origin : offered.at(t.round, schedule.source(t))) {
      if (outcome.carries(i, origin)) streams.push_back({i, begin, 1, {{origin, kNoNode}}});
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
  std::optional<Stores> stores;
  if (lists(schedule, carried, most)) {
    stores.emplace(schedule, schedule.chunk_flits(timed.flits),
                   schedule.model().ports == PortModel::Single ? 1 : schedule.topology().ports());
  }
  std::vector<PageStream> streams;
  const auto add = [&](const Transfer& t) {
    const auto i = static_cast<std::size_t>(&t - transfers.data());
    const Stores::Carried everything = stores ? stores->carried(t) : nullptr;
    if (carried[i] == 0) return everything;
    PageStream stream{static_cast<std::uint32_t>(i), time.first_flit(t.round), carried[i], {}};
    const auto take = [&](const Message& m) { stream.messages.push_back(m); };
    if (stores) {
      stores->visit(t, everything, 0, take);
    } else {
      std::ranges::for_each(schedule.messages(t), take);
    }
    if (!t.tree) {
      streams.push_back(std::move(stream));
      return everything;
    }
    const std::uint64_t at_source = stream.begin;
    const auto cycles = arrival_cycles(schedule, t, time.stages);
    for (const TransferHop hop : schedule.hops(t)) {
      ++stream.hop;  // from kPath to 0
      const std::size_t number = stream.hop;
      stream.begin = at_source + cycles[number] - time.hop(port_out(schedule.topology(), hop));
      streams.push_back(stream);
    }
    return everything;
  };
  Story<Stores::Carried>(schedule).tell(add, [&](const auto& all) {
    for (const auto& brought : all) {
      if (stores) stores->store(brought, 0);
    }
  });
  return streams;
}

std::vector<TransferHop> hops_of(const Schedule& schedule, const PageStream& stream) {
  const TransferHops hops = schedule.hops(schedule.transfers()[stream.transfer]);
  if (stream.hop != PageStream::kPath) return {hops[stream.hop]};
  return {hops.begin(), hops.end()};
}

std::vector<LinkRun> link_runs(const Schedule& schedule, const Timeline& time,
                               const std::vector<PageStream>& streams, unsigned flits) {
  const Topology& topology = schedule.topology();
  const auto moved = [&](Node x, Node by) {
    return by == 0 || x == kNoNode ? x : topology.translate(x, by);
  };
  const ChunkFlits chunks = schedule.chunk_flits(flits);
  std::vector<LinkRun> runs;
  const std::vector<Node> moves = schedule.symmetry().elements();
  for (const PageStream& stream : streams) {
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

std::uint64_t count_runs(const Schedule& schedule, const std::vector<PageStream>& streams) {
  std::uint64_t runs = 0;
  for (const PageStream& stream : streams) {
    runs += stream.messages.size() * hops_of(schedule, stream).size();
  }
  return runs * schedule.symmetry().order();
}

namespace {

/// When whose part came into the sum of a node; of a reduce-scatter into that of its own block.
Knowledge parts_of_sums(const Schedule& s) {
  const Node nodes = s.topology().nodes();
  std::map<std::pair<Node, Message>, std::vector<std::uint32_t>> sums;  // by node: rounds of parts
  const auto at = [&](Node x, const Message& m) -> std::vector<std::uint32_t>& {
    const auto [found, is_new] = sums.try_emplace({x, m}, nodes, Knowledge::kNever);
    if (is_new && is_initial(s, x, m)) found->second[x] = 0;
    return found->second;
  };
  const auto note = [&](Node x, const Message& m, const std::vector<Node>& parts,
                        std::uint32_t round) {
    for (const Node part : parts) at(x, m)[part] = std::min(at(x, m)[part], round);
  };
  play_sums(
      s, [](Node, const Message&, const std::vector<Node>&, std::uint32_t) {}, note);
  Knowledge known{{nodes, std::vector<std::uint32_t>(nodes, Knowledge::kNever)}, {}};
  for (Node x = 0; x < nodes; ++x) {
    const Node origin = has_root(s.collective()) ? s.root_of(x) : x;
    for (std::uint32_t k = 0; k < s.pieces(); ++k) {
      const Message m{origin, kNoNode, k};
      if (why_no_chunk(s, m)) continue;  // of a node that only passes on, or of no flits
      const auto& parts = at(x, m);
      for (Node y = 0; y < nodes; ++y) {
        known.came[x][y] = k == 0 ? parts[y] : std::max(known.came[x][y], parts[y]);
      }
    }
  }
  return known;
}

}  // namespace

Knowledge knowledge(const Schedule& s, const std::vector<PageStream>& streams) {
  if (reduces(s.collective())) return parts_of_sums(s);
  using Rounds = decltype(Knowledge::came);
  const Topology& topology = s.topology();
  const FaultSet& faults = s.faults;
  const bool all = same_to_all(s.collective());
  const Symmetry& symmetry = s.symmetry();
  const Rounds never(s.symmetry().classes(),
                     std::vector<std::uint32_t>(topology.nodes(), Knowledge::kNever));
  std::vector<Rounds> came(s.pieces(), never);
  Rounds left = all ? Rounds{} : never;
  for (Node c = 0; c < never.size(); ++c) {
    const Node x = s.symmetry().representative(c);
    if (faults.dead(x) || !s.members.has(x)) continue;
    if (has_root(s.collective()) && x != s.root_of(x)) continue;
    for (Rounds& piece : came) piece[c][x] = 0;
    if (!all) left[c][x] = 0;
  }
  const auto note = [](std::uint32_t& at, std::uint32_t round) { at = std::min(at, round); };
  for (const PageStream& stream : streams) {
    stop_if_interrupted();
    const Transfer& t = s.transfers()[stream.transfer];
    const TransferHop last = hops_of(s, stream).back();
    const std::uint32_t round = s.round_of(t, last);
    if (round >= faults.from_round && faults.dead(last.to)) continue;
    if (!all) {
      for (const Message& m : stream.messages) {
        const Node c = symmetry.class_of(m.origin), to = s.view_of(m.origin)(m.destination);
        note(left[c][to], t.round);
        if (last.stored && m.destination == last.to) note(came[m.piece][c][to], round);
      }
      continue;
    }
    if (!last.stored) continue;
    const Node source = s.source(t), from = symmetry.class_of(source),
               to = symmetry.class_of(last.to);
    const Translation moved(topology, s.change(source, last.to));
    const auto bring = [&](Rounds& piece, Node origin) {
      if (piece[from][origin] < t.round) note(piece[to][moved(origin)], round);
    };
    const Translation seen = s.view_of(source);
    for (const Message& m : stream.messages) bring(came[m.piece], seen(m.origin));
    for (Rounds& piece : came) {
      for (Node x = 0; stream.messages.empty() && x < topology.nodes(); ++x) bring(piece, x);
    }
  }
  // A message has come when its last piece has; one of fewer flits has fewer pieces.
  for (std::uint32_t k = 1; k < s.pieces(); ++k) {
    for (Node c = 0; c < never.size(); ++c) {
      const Node x = s.symmetry().representative(c);
      for (Node y = 0; y < topology.nodes(); ++y) {
        const bool there = s.sizes.equal() || s.sizes.of(all ? y : x, y) > k;
        if (there) came[0][c][y] = std::max(came[0][c][y], came[k][c][y]);
      }
    }
  }
  return {std::move(came[0]), std::move(left)};
}

SeenDifference difference(const std::vector<LinkRun>& expected, const LinkRecord& record) {
  // Only flits up to the end of the recording could be seen.
  std::vector<LinkRun> wanted;
  for (LinkRun run : expected) {
    if (run.begin > record.last) break;
    run.flits =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(run.flits, record.last + 1 - run.begin));
    wanted.push_back(run);
  }
  std::vector<LinkRun> seen = record.runs;
  std::ranges::sort(seen);
  SeenDifference d;
  std::ranges::set_difference(wanted, seen, std::back_inserter(d.missing));
  std::ranges::set_difference(seen, wanted, std::back_inserter(d.extra));
  return d;
}

}  // namespace gossamer
