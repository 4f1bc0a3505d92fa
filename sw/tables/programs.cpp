#include "tables/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "fabric/payload.hpp"
#include "gossamer_axi.hpp"
#include "schedule/chunks.hpp"
#include "schedule/remains.hpp"
#include "support/refuse.hpp"
#include "tables/expected_logs.hpp"
#include "tables/program_builder.hpp"

namespace gossamer {

LogPlace Programs::Place::of(const NodeKind& kind, unsigned log, std::uint32_t index) const {
  if (log != kind.own_log()) return {log, logs[log] + index};
  if (index >= own_words) return {log, logs[log] + index - own_words};  // of the only log
  if (taken.empty()) return {log, own + index};
  auto run = taken.begin();
  for (; index >= run->words; ++run) index -= run->words;
  return {run->log, run->first + index};
}

std::uint64_t Programs::cycles(std::size_t number) const {
  std::uint64_t cycles = 0;
  for (const std::size_t k : starts[number]) cycles = std::max(cycles, alone[k].time.last_arrival);
  return cycles;
}

namespace {

/// Of a single program in more nodes than these nobody is told what is where.
constexpr Node kMostTold = 256;

using Run = Programs::Run;
using Place = Programs::Place;

/// Appends a run of words to others, to the last one if it goes on there.
void append(std::vector<Run>& runs, const Run& run) {
  if (run.words == 0) return;
  const bool goes_on = !runs.empty() && runs.back().log == run.log &&
                       runs.back().first + runs.back().words == run.first;
  if (!goes_on) runs.push_back({run.log, run.first, 0});
  runs.back().words += run.words;
}

/// The same words at their places among those of other programs.
NodeProgram moved(const NodeProgram& program, const NodeKind& kind, const Place& place) {
  NodeProgram result{program.slots, {}};
  for (const auto& segments : program.channels) {
    SegmentList list;
    for (const Segment& s : segments) {
      for (std::uint32_t i = 0; i < s.count * s.run; ++i) {
        const LogPlace at = place.of(kind, s.log, s.base + i / s.run * s.stride + i % s.run);
        list.read(at.log, at.index, 1);
      }
      if (s.stop) list.stop();
    }
    result.channels.push_back(list.finish());
  }
  return result;
}

void refuse_unlike(const Programs& all, std::span<const Program> programs, std::size_t k) {
  const FabricImage &a = all.alone[0].image, &b = all.alone[k].image;
  const char* const why = b.kind.adaptive                            ? "decides as it runs"
                          : b.topology.spec() != a.topology.spec()   ? "is for another topology"
                          : b.stages != a.stages                     ? "is for other link stages"
                          : b.kind.half_duplex != a.kind.half_duplex ? "is for another duplex"
                          : b.kind != a.kind                         ? "is for other nodes"
                          : b.dead != a.dead ? "is planned around other dead links"
                                             : nullptr;
  if (why == nullptr) return;
  refuse("{} {} than {}: nodes that run both must be alike", programs[k].name, why,
         programs[0].name);
}

/// What a node has of a collective in the end, in order of the messages, and what it starts with
/// where that is of the same kind; where the program alone has it.
std::vector<Run> result_runs(const Program& program, const CompiledSchedule& compiled, Node x) {
  const Schedule& s = *program.schedule;
  const ChunkFlits sizes = s.chunk_flits(program.flits);
  std::map<Message, LogPlace> found;
  auto held = std::ranges::lower_bound(compiled.held, x, {}, &Held::node);
  for (; held != compiled.held.end() && held->node == x; ++held) found[held->message] = held->place;
  if (same_to_all(s.collective()) && !reduces(s.collective())) {
    std::uint32_t at = 0;
    for (const Message& m : own_messages(s, x)) {
      found[m] = {compiled.image.kind.own_log(), at};
      at += sizes.of(m);
    }
  }
  std::vector<Run> runs;
  for (const auto& [m, place] : found) append(runs, {place.log, place.index, sizes.of(m)});
  return runs;
}

/// What a program takes in a node, which needs so many words.
std::vector<Run> taken_by(const Program& program, std::span<const Program> programs,
                          const Programs& all, Node x, std::uint32_t words, bool own_words_come) {
  std::vector<Run> runs;
  if (!program.takes || words == 0) return runs;
  const std::size_t from = *program.takes, nodes = all.image.topology.nodes();
  std::uint32_t brought = 0;
  for (const Run& run : result_runs(programs[from], all.alone[from], x)) {
    brought += run.words;
    for (std::uint32_t i = 0; i < run.words; ++i) {
      const LogPlace at = all.places[from][x].of(all.image.kind, run.log, run.first + i);
      append(runs, {at.log, at.index, 1});
    }
  }
  for (auto p = program.after; own_words_come && p && all.numbers[*p] != all.numbers[from];
       p = programs[*p].after) {
    const std::uint32_t packet = all.packets[all.numbers[*p] * nodes + x];
    const auto replaced = [&](const Run& run) {
      return run.log == all.image.kind.own_log() &&
             (!all.image.kind.single_port || run.first < packet);
    };
    if (packet == 0 || std::ranges::none_of(runs, replaced)) continue;
    refuse("{} starts with words of node {} that the packet for {} replaces", program.name, x,
           programs[*p].name);
  }
  if (brought == words) return runs;
  refuse("{} starts with {} words in node {}, but {} brings {} there", program.name, words, x,
         programs[from].name, brought);
}

/// Gives each program its number, and each node what it runs of those that have the same.
void number(Programs& all, std::span<const Program> programs) {
  std::vector<std::vector<bool>> taken;  // nodes, by number
  for (std::size_t k = 0; k < programs.size(); ++k) {
    const auto& lead = programs[k].beside;
    const std::size_t n = lead ? all.numbers[*lead] : all.starts.size();
    const std::vector<bool> used = nodes_used(*programs[k].schedule);
    all.numbers.push_back(n);
    if (!lead) {
      all.starts.emplace_back();
      all.runs.emplace_back(used.size(), k);
      taken.emplace_back(used.size());
    }
    all.starts[n].push_back(k);
    for (Node x = 0; x < used.size(); ++x) {
      if (!used[x]) continue;
      if (taken[n][x]) {
        refuse("{} needs node {}, and so does {}, which runs at the same time", programs[k].name, x,
               programs[all.runs[n][x]].name);
      }
      taken[n][x] = true;
      all.runs[n][x] = k;
    }
  }
}

}  // namespace

void share_nodes(std::span<Schedule* const> schedules) {
  const auto kind_of = [](const Schedule* s) { return node_kind(*s, s->topology().ports()); };
  SharedNodes nodes{.all_ports = std::ranges::any_of(
                        schedules, [&](const Schedule* s) { return !kind_of(s).single_port; })};
  for (Schedule* s : schedules) {
    s->nodes.all_ports = nodes.all_ports;
    const NodeKind kind = kind_of(s);
    nodes.join |= kind.join != 0;
    nodes.all_ops |= kind.all_ops != 0;
    nodes.channels |= kind.channels > 1;
  }
  for (Schedule* s : schedules) s->nodes = nodes;
}

Programs programs_of(std::span<const Program> programs, Port ports, bool own_words_come) {
  const auto held = static_cast<std::size_t>(
      std::ranges::count_if(programs, [](const Program& p) { return !p.beside; }));
  if (held > kMostPrograms) {
    refuse("{} programs are too many; a node holds {} at most", held, kMostPrograms);
  }
  for (const Program& p : programs) {
    ports = std::max(ports, p.schedule->topology().ports());
    ports = std::max(ports, node_kind(*p.schedule, ports).ports);
  }
  const bool nodes_told = programs[0].schedule->topology().nodes() <= kMostTold;
  std::vector<CompiledSchedule> alone;
  for (const Program& p : programs) {
    CompiledSchedule& compiled =
        alone.emplace_back(compile(*p.schedule, p.flits, ports, false, nullptr, p.timed, p.stages,
                                   programs.size() > 1 || nodes_told));
    const Payload payload(*p.schedule, p.flits, p.seed);
    add_own_words(compiled.image, *p.schedule, payload);
  }
  Programs all{.image = alone[0].image, .alone = {}, .places = {}, .packets = {}};
  all.alone = std::move(alone);
  FabricImage& image = all.image;
  const Node nodes = image.topology.nodes();
  for (std::size_t k = 0; k < programs.size(); ++k) refuse_unlike(all, programs, k);
  number(all, programs);
  for (const auto& runs : all.runs) {
    for (Node x = 0; x < nodes; ++x) {
      const std::size_t k = runs[x];
      all.packets.push_back(programs[k].takes ? 0 : all.alone[k].image.own_size(x));
    }
  }
  if (programs.size() == 1) {
    image.arrivals = static_cast<std::uint32_t>(std::ranges::max(all.alone[0].log_words));
    all.places.resize(1);
    for (Node x = 0; x < nodes; ++x) {
      all.places[0].push_back(
          {.own_words = image.own_size(x), .logs = std::vector<std::uint32_t>(image.kind.logs())});
    }
    return all;
  }
  std::vector<FabricImage::Later> tables(held);
  std::vector<std::map<std::pair<std::uint32_t, Place>, std::uint32_t>> known(programs.size());
  all.places.resize(programs.size());
  image.own_begin.assign(1, 0);
  image.own_words.clear();
  const bool single = image.kind.single_port != 0;
  for (Node x = 0; x < nodes; ++x) {
    const auto runs = [&](std::size_t k) { return all.runs[all.numbers[k]][x] == k; };
    const auto brings_own = [&](std::size_t k) {
      return runs(k) && !programs[k].takes && !own_words_come;
    };
    for (std::size_t k = 0; k < programs.size(); ++k) {
      const FabricImage& its = all.alone[k].image;
      for (auto i = its.own_begin[x]; brings_own(k) && i < its.own_begin[x + 1]; ++i) {
        image.own_words.push_back(its.own_words[i]);
      }
    }
    image.own_begin.push_back(image.own_words.size());
    image.capacity = std::max(image.capacity, image.own_size(x));
    std::uint32_t own = 0;
    std::vector<std::vector<std::uint32_t>> ends(held);  // of logs, by number
    for (std::size_t k = 0; k < programs.size(); ++k) {
      const Program& program = programs[k];
      const FabricImage& its = all.alone[k].image;
      // In a reduction others have words, too, which do not matter.
      const bool starts = runs(k) && (!program.takes || program.schedule->members.has(x));
      const std::uint32_t words = starts ? its.own_size(x) : 0, table = its.program_of[x];
      std::vector<std::uint32_t> logs(image.kind.logs());
      // In the only log of a single-port node what comes is behind the own words.
      const std::uint32_t before =
          own_words_come ? all.packets[all.numbers[k] * nodes + x] : image.own_size(x);
      if (single) logs[0] = before;
      if (program.after) logs = ends[all.numbers[*program.after]];
      if (single && !logs.empty() && logs[0] < before) {
        refuse("{} has a packet of {} words for node {}, whose one log goes on at word {}",
               program.name, before, x, logs[0]);
      }
      const Place place{.own = own,
                        .own_words = words,
                        .taken = taken_by(program, programs, all, x, words, own_words_come),
                        .logs = logs};
      all.places[k].push_back(place);
      if (!runs(k)) continue;
      if (brings_own(k)) own += words;
      for (unsigned g = 0; g < logs.size(); ++g) {
        logs[g] += static_cast<std::uint32_t>(
            all.alone[k].log_words[std::size_t{table} * logs.size() + g] - (single ? words : 0));
        image.capacity = std::max(image.capacity, logs[g]);
        image.arrivals = std::max(image.arrivals, logs[g]);
      }
      ends[all.numbers[k]] = std::move(logs);
      FabricImage::Later& to = tables[all.numbers[k]];
      const auto [at, fresh] =
          known[k].emplace(std::pair{table, place}, static_cast<std::uint32_t>(to.programs.size()));
      if (fresh) to.programs.push_back(moved(its.programs[table], image.kind, place));
      to.program_of.push_back(at->second);
    }
  }
  image.programs = std::move(tables[0].programs);
  image.program_of = std::move(tables[0].program_of);
  image.later.assign(tables.begin() + 1, tables.end());
  image.kind.programs = static_cast<std::uint8_t>(std::bit_width(held - 1));
  return all;
}

std::vector<HeldWords> results_of(std::span<const Program> programs, const Programs& all,
                                  std::size_t number) {
  std::vector<HeldWords> results;
  for (const std::size_t k : all.starts[number]) {
    const ChunkFlits sizes = programs[k].schedule->chunk_flits(programs[k].flits);
    for (const Held& h : all.alone[k].held) {
      const LogPlace at = all.places[k][h.node].of(all.image.kind, h.place.log, h.place.index);
      const std::uint32_t words = sizes.of(h.message), origin = h.message.origin,
                          flit = sizes.cut(h.message).first(h.message.piece);
      if (words == 0) continue;
      const auto goes_on = [&](const HeldWords& last) {
        return last.node == h.node && last.log == at.log && last.origin == origin &&
               last.first + last.words == at.index && last.flit + last.words == flit;
      };
      if (results.empty() || !goes_on(results.back()))
        results.push_back({h.node, at.log, at.index, 0, origin, flit});
      results.back().words += words;
    }
  }
  return results;
}

std::string to_string(const HeldWords& r) {
  return fmt::format("at {} {} {} {} {} {}", r.node, r.log, r.first, r.words, r.origin, r.flit);
}

std::vector<TableWrite> table_writes(const FabricImage& image, const NodeDepths& depths,
                                     std::span<const std::uint32_t> packets) {
  const Node nodes = image.topology.nodes();
  std::map<std::pair<unsigned, std::uint32_t>, std::map<std::uint32_t, std::vector<Node>>> places;
  for (Node x = 0; x < nodes; ++x) {
    const auto write = [&](unsigned region, std::uint32_t address,
                           const std::vector<std::uint32_t>& words) {
      for (const std::uint32_t word : words) places[{region, address++}][word].push_back(x);
    };
    for (std::size_t k = 0; k < image.held(); ++k) {
      write_program(image.program(x, k), image.kind, write, image.begin(k, depths.slots),
                    image.begin(k, depths.segments));
      if (!packets.empty())
        write(rtl::AXI_PACKET, static_cast<std::uint32_t>(k), {packets[k * nodes + x]});
    }
  }
  std::vector<TableWrite> writes;
  for (const auto& [place, words] : places) {
    const auto [region, address] = place;
    const auto most =
        std::ranges::max_element(words, {}, [](const auto& w) { return w.second.size(); });
    const bool all = most->second.size() > 1;
    if (all) writes.push_back({kNoNode, region, address, most->first});
    for (const auto& [word, its] : words) {
      if (all && word == most->first) continue;
      for (const Node x : its) writes.push_back({x, region, address, word});
    }
  }
  return writes;
}

}  // namespace gossamer
