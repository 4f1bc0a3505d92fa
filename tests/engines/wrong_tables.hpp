#pragma once

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::test {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) { return engine_() % n; }
  /// One more, one less, nothing, or a small number.
  std::uint32_t near(std::uint32_t value) {
    switch (below(4)) {
      case 0: return value + 1;
      case 1: return value == 0 ? 1 : value - 1;
      case 2: return 0;
      default: return below(12);
    }
  }

 private:
  std::mt19937 engine_;
};

/// Every node gets its own program, so that a single one can be wrong.
inline FabricImage with_own_programs(FabricImage image) {
  std::vector<NodeProgram> programs;
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    programs.push_back(image.programs[image.program_of[x]]);
    image.program_of[x] = x;
  }
  image.programs = std::move(programs);
  return image;
}

inline void spoil(SlotEntry& e, const NodeKind& kind, Dice& dice) {
  const std::uint32_t codes = 1u << std::bit_width(kind.ports);
  switch (dice.below(9)) {
    case 0: e.length = dice.near(e.length); break;
    case 1: e.stream = dice.near(e.stream); break;
    case 2: e.repeat = dice.near(e.repeat); break;
    case 3: e.loops = dice.near(e.loops); break;
    case 4: e.begins = !e.begins; break;
    case 5: e.loop = !e.loop; break;
    case 6: e.final = !e.final; break;
    case 7: e.receive ^= std::uint64_t{1} << dice.below(kind.ports); break;
    default: e.select[dice.below(kind.ports)] = dice.below(codes);
  }
}

inline void spoil(std::vector<Segment>& list, const NodeKind& kind, Dice& dice) {
  if (list.empty()) return;
  const std::size_t at = dice.below(static_cast<std::uint32_t>(list.size()));
  Segment& s = list[at];
  switch (dice.below(kind.adaptive ? 8 : 7)) {
    case 0: s.base = dice.near(s.base); break;
    case 1: s.run = dice.near(s.run); break;
    case 2: s.stride = dice.near(s.stride); break;
    case 3: s.count = dice.near(s.count); break;
    case 4: s.log = dice.below(kind.ports + 1); break;
    case 5: s.stop = !s.stop; break;
    case 7: s.same = !s.same; break;
    default: list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

/// Changes dead outputs, or an adaptive node's position.
inline void spoil_registers(FabricImage& image, Dice& dice) {
  const Node nodes = image.topology.nodes();
  if (image.kind.adaptive && dice.below(2) == 0) {
    if (dice.below(3) == 0) {
      image.initiator.resize(nodes);
      image.initiator[dice.below(nodes)] = dice.below(nodes) << image.message_shift;
    } else {
      image.partner[dice.below(image.topology.ports())] = dice.below(nodes) << image.message_shift;
    }
  } else {
    image.dead.resize(nodes);
    image.dead[dice.below(nodes)] = dice.below(1u << image.kind.ports);
    image.dead_after = dice.below(6);
  }
}

/// Changes one thing in one program.
inline void spoil(FabricImage& image, Dice& dice) {
  const auto programs = static_cast<std::uint32_t>(image.programs.size());
  NodeProgram& program = image.programs[dice.below(programs)];
  if (dice.below(10) < 7) {
    const auto entries = static_cast<std::uint32_t>(program.slots.size());
    spoil(program.slots[dice.below(entries)], image.kind, dice);
  } else {
    const auto lists = static_cast<std::uint32_t>(program.channels.size());
    spoil(program.channels[dice.below(lists)], image.kind, dice);
  }
}

/// Changes a few things: in tables, and now and then the capacity of logs or a node's registers.
inline FabricImage spoiled(FabricImage image, std::uint32_t seed) {
  Dice dice(seed);
  for (std::uint32_t n = 1 + dice.below(3); n > 0; --n) spoil(image, dice);
  if (dice.below(8) == 0) --image.capacity;
  if (dice.below(4) == 0) spoil_registers(image, dice);
  return image;
}

}  // namespace gossamer::test
