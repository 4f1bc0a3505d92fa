#include "programs.hpp"

#include <algorithm>

namespace gossamer::test {
namespace {

/// Writes one program, the same for all nodes of the rings: an even port leads up, the next one
/// down.
class Planner {
 public:
  Planner(Random& random, const NodeBuild& build, std::uint32_t own)
      : random_(random), build_(build), written_(build.kind.own_log() + 1) {
    written_.back() = own;
    program_.channels.resize(build.kind.channels);
    next_.assign(build.kind.channels, {build.kind.own_log(), 0});
  }

  NodeProgram plan() {
    const std::uint32_t entries = random_.between(1, build_.slot_depth - 3);
    for (std::uint32_t e = 0; e < entries; ++e) add_entry();
    program_.slots.back().final = true;
    return std::move(program_);
  }

 private:
  void add_entry() {
    const NodeKind& kind = build_.kind;
    SlotEntry e;
    e.select.assign(kind.ports, select_none(kind));
    const bool small = kind.one_cycle;
    e.stream = small ? 1 : random_.between(1, 5);
    e.repeat = small || random_.chance(60) ? 1 : random_.between(2, 3);
    const std::uint32_t what = random_.below(10);
    const Port first = 2 * random_.below(kind.ports / 2);  // the ring's first port
    if (what == 0) {
      e.stream = small ? 0 : e.stream;  // nothing is sent
    } else if (what <= 3 && !kind.single_port && !kind.half_duplex) {
      e.receive = std::uint64_t{3} << first;
      send(e, first);
      send(e, first + 1);
    } else if (what == 4 && (!kind.half_duplex || kind.ports > 2) && !program_.slots.empty()) {
      pass_on(e, first);
    } else {
      const Port up = first + random_.below(2);
      e.receive = std::uint64_t{1} << (up ^ 1);
      if (kind.single_port && kind.half_duplex) e.receive = 0, nobody_hears_ = true;
      send(e, up);
    }
    if (kind.join) join(e);
    const std::uint32_t latency = rtl::TIME_LAT + (kind.join ? rtl::TIME_JOIN : 0);
    e.length = small ? 1 : std::max<std::uint32_t>(e.stream + random_.below(3), latency);
    if (kind.half_duplex) ++e.length;
    if (kind.adaptive) e.length = std::max(e.length, e.stream + 4);
    if (!small && random_.chance(20)) {
      const bool first = program_.slots.empty();  // a loop of entry 0 alone has no begin
      e.loops = random_.between(2, 3);
      e.loop = random_.chance(50) && (first || !program_.slots.back().loop);
      if (e.loop && !first) program_.slots.back().begins = true;
    }
    program_.slots.push_back(e);
  }

  /// Sends from the store through output `p`; adds the segments for it.
  void send(SlotEntry& e, Port p) {
    const NodeKind& kind = build_.kind;
    e.select[p] = select_of(kind, p);
    const unsigned channel = build_.kind.channels == 1 ? 0 : p;
    const bool again = p % 2 == 1 && e.select[p - 1] == select_of(kind, p - 1);
    if (build_.kind.channels == 1 && again) return;  // the same words
    auto& list = program_.channels[channel];
    if (list.size() + 3 > build_.list_depth) return;
    if (build_.kind.adaptive) {
      const std::uint32_t message = random_.below(3);
      list.push_back({0, message * 2, 2, 2, random_.between(1, 3), false, random_.chance(30)});
      return;
    }
    auto& [log, word] = next_[channel];
    const std::uint32_t words = e.stream * e.repeat;
    if (random_.chance(30)) {  // from the beginning of some log
      log = random_.below(static_cast<std::uint32_t>(written_.size()));
      word = 0;
    }
    const std::uint32_t run = random_.chance(70) ? words : random_.between(1, words);
    const std::uint32_t count = (words + run - 1) / run;
    list.push_back(
        {log, word, run, random_.chance(70) ? run : 1, count, random_.chance(10), false});
    word += words;
  }

  /// Lanes join more than they copy, and store some of it.
  void join(SlotEntry& e) {
    e.op = random_.below(16);
    for (Port p = 0; p < build_.kind.ports; ++p) {
      if (random_.chance(30)) e.select[p] |= random_.below(1u << build_.kind.ports);
      if (random_.chance(20)) e.stores |= std::uint64_t{1} << p;
    }
  }

  /// Forwards upwards what comes from below, and stores it, too, or not.
  void pass_on(SlotEntry& e, Port first) {
    const Port up = build_.kind.ports > 2 ? 2 * random_.below(build_.kind.ports / 2) : first;
    e.select[up] = select_of(build_.kind, first + 1);
    if (random_.chance(50)) e.receive |= std::uint64_t{2} << first;
    if (random_.chance(50)) e.receive |= std::uint64_t{1} << first;
  }

  Random& random_;
  const NodeBuild& build_;
  NodeProgram program_;
  std::vector<std::uint32_t> written_;
  std::vector<std::pair<unsigned, std::uint32_t>> next_;  ///< what each channel reads next
  bool nobody_hears_ = false;
};

std::uint32_t near(Random& random, std::uint32_t value) {
  switch (random.below(5)) {
    case 0: return value + 1;
    case 1: return value == 0 ? 1 : value - 1;
    case 2: return 0;
    case 3: return value | 1u << random.below(20);
    default: return random.below(12);
  }
}

void spoil(Random& random, SlotEntry& e, const NodeKind& kind) {
  switch (random.below(kind.join ? 10 : 9)) {
    case 9: e.stores ^= std::uint64_t{1} << random.below(kind.ports); break;
    case 0:
      if (!kind.one_cycle) e.length = std::min(near(random, e.length), 200u);
      break;
    case 1:
      if (!kind.one_cycle) e.stream = near(random, e.stream);
      break;
    case 2: e.repeat = near(random, e.repeat) & 15; break;
    case 3: e.loops = near(random, e.loops) & 7; break;
    case 4: e.begins = !e.begins; break;
    case 5: e.loop = !e.loop; break;
    case 6: e.final = !e.final; break;
    case 7: e.receive ^= std::uint64_t{1} << random.below(kind.ports); break;
    default: e.select[random.below(kind.ports)] = random.below(kind.ports == 2 ? 4 : 8);
  }
}

void spoil(Random& random, std::vector<Segment>& list, const NodeKind& kind) {
  if (list.empty()) return;
  Segment& s = list[random.below(static_cast<std::uint32_t>(list.size()))];
  switch (random.below(7)) {
    case 0: s.base = near(random, s.base); break;
    case 1: s.run = near(random, s.run); break;
    case 2: s.stride = near(random, s.stride); break;
    case 3: s.count = near(random, s.count); break;
    case 4: s.log = random.below(kind.ports + 2); break;
    case 5: s.stop = !s.stop; break;
    default: s.same = !s.same;
  }
}

}  // namespace

std::vector<NodeProgram> random_programs(Random& random, const NodeBuild& build, Node nodes,
                                         std::uint32_t own, unsigned spoiled) {
  const NodeProgram plan = Planner(random, build, own).plan();
  std::vector<NodeProgram> programs(nodes, plan);
  if (build.kind.single_port && build.kind.half_duplex) {
    // Half of the nodes send in a slot and the others receive; a ring of odd length has one node
    // left.
    for (Node x = 0; x < nodes; ++x) {
      for (std::size_t k = 0; k < plan.slots.size(); ++k) {
        SlotEntry& e = programs[x].slots[k];
        const bool up = e.select[0] == select_local(0), down = e.select[1] == select_local(1);
        if (!up && !down) continue;
        if ((x + k) % 2 == 0 && !(x + 1 == nodes && nodes % 2 != 0)) continue;
        e.select.assign(build.kind.ports, select_none(build.kind));
        const Node sender = up ? (x + nodes - 1) % nodes : (x + 1) % nodes;
        if ((sender + k) % 2 == 0) e.receive = up ? 2 : 1;
      }
    }
  }
  for (unsigned i = 0; i < spoiled; ++i) {
    NodeProgram& program = programs[random.below(nodes)];
    if (random.chance(70)) {
      const auto entries = static_cast<std::uint32_t>(program.slots.size());
      spoil(random, program.slots[random.below(entries)], build.kind);
    } else {
      spoil(random, program.channels[random.below(build.kind.channels)], build.kind);
    }
  }
  if (!build.kind.flat) return programs;
  for (NodeProgram& program : programs) {
    for (auto& list : program.channels) {
      for (Segment& s : list) {
        if (s.count == 1) s = {s.log, s.base, 1, 1, s.run, s.stop};
        s = {s.log, s.base, 1, s.stride & 0xff, s.count, s.stop};
      }
    }
  }
  return programs;
}

std::vector<Transfer> table_transfers(const NodeProgram& program, const NodeBuild& build,
                                      unsigned bank, std::uint32_t number) {
  std::vector<Transfer> transfers;
  const auto write = [&](std::uint32_t region, std::uint32_t address,
                         const std::vector<std::uint32_t>& words) {
    for (const std::uint32_t word : words) {
      transfers.push_back(
          {true, bank << rtl::CFG_BANK_LSB | region << rtl::CFG_REGION_LSB | address++, word});
    }
  };
  std::uint32_t entry = number * build.slot_depth / build.programs;
  const auto slot = [&] { return entry++ % build.slot_depth << rtl::CFG_SLOT_LSB; };
  for (const SlotEntry& e : program.slots) write(rtl::CFG_SLOTS, slot(), encode(e, build.kind));
  write(rtl::CFG_SLOTS, slot(), std::vector<std::uint32_t>(build.slot_words()));
  for (std::uint32_t c = 0; c < build.kind.channels; ++c) {
    std::uint32_t segment = number * build.list_depth / build.programs;
    const auto next = [&] {
      return c << rtl::CFG_CHANNEL_LSB | segment++ % build.list_depth << rtl::CFG_SEG_LSB;
    };
    for (const Segment& s : program.channels[c])
      write(rtl::CFG_LISTS, next(), encode(s, build.kind));
    write(rtl::CFG_LISTS, next(), encode(Segment{.count = 0}, build.kind));
  }
  return transfers;
}

}  // namespace gossamer::test
