#pragma once

#include <cstdint>
#include <vector>

#include "fabric/node_program.hpp"

namespace gossamer::test {

/// The slots of a table, one by one and in order: repeats and loops expanded.
inline std::vector<SlotEntry> expand(const std::vector<SlotEntry>& table) {
  std::vector<SlotEntry> slots;
  std::size_t first = 0;  // of the loop, in slots
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].begins) first = slots.size();
    SlotEntry once = table[i];
    once.repeat = once.loops = 1;
    once.begins = once.loop = once.final = false;
    slots.insert(slots.end(), table[i].repeat, once);
    if (!table[i].loop) continue;
    const auto begin = slots.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<SlotEntry> body(begin, slots.end());
    for (std::uint32_t pass = 1; pass < table[i].loops; ++pass) {
      slots.insert(slots.end(), body.begin(), body.end());
    }
  }
  return slots;
}

/// A word in a read channel's list.
struct ListedWord {
  unsigned log = 0;
  std::uint32_t addr = 0;
  bool stops = false;  ///< the stream of its slot ends with it
  bool operator==(const ListedWord&) const = default;
};

/// The words of a list, one by one and in order.
inline std::vector<ListedWord> expand(const std::vector<Segment>& list) {
  std::vector<ListedWord> words;
  for (const Segment& s : list) {
    for (std::uint32_t run = 0; run < s.count; ++run) {
      for (std::uint32_t i = 0; i < s.run; ++i) {
        words.push_back({s.log, s.base + run * s.stride + i, false});
      }
    }
    words.back().stops = s.stop;
  }
  return words;
}

}  // namespace gossamer::test
