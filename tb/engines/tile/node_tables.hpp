#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

inline constexpr unsigned kListWords = rtl::SEG_W / 32;
/// Words of a slot entry of a node with so many ports.
constexpr unsigned slot_words(Port ports, bool join) {
  const unsigned bits = join ? 2 * ports + ports * ports : ports + ports * std::bit_width(ports);
  return (rtl::SLOT_RECEIVE_LSB + bits + 31) / 32;
}

/// The memories of a program, as the table ports read them.
struct NodeTables {
  std::vector<std::uint32_t> slots;
  std::vector<std::vector<std::uint32_t>> lists;  ///< by channel
};

/// The words of an entry of a memory; of the last one, if there are not so many.
template <unsigned kWords>
const std::uint32_t* words_at(const std::vector<std::uint32_t>& memory, std::size_t index) {
  return memory.data() + std::min(index, memory.size() / kWords - 1) * kWords;
}

/// The memories of a range of nodes: those of each program once.
class TableMemories {
 public:
  void load(const FabricImage& image, Node first, Node last) {
    program_of_.assign(image.program_of.begin() + first, image.program_of.begin() + last);
    programs_.clear();
    for (const NodeProgram& program : image.programs) {
      NodeTables& t = programs_.emplace_back();
      for (const SlotEntry& e : program.slots) append(t.slots, encode(e, image.kind));
      // Zeros after the final entry.
      t.slots.resize(t.slots.size() + slot_words(image.kind.ports, image.kind.join));
      for (unsigned c = 0; c < image.kind.channels; ++c) {
        auto& list = t.lists.emplace_back();
        for (const Segment& s : program.channels[c]) append(list, encode(s));
        list.resize(list.size() + kListWords);  // a segment of count 0 ends the list
      }
    }
  }
  /// Of local node `i`.
  const NodeTables& operator[](Node i) const { return programs_[program_of_[i]]; }
  std::uint32_t program(Node i) const { return program_of_[i]; }

 private:
  static void append(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& words) {
    to.insert(to.end(), words.begin(), words.end());
  }

  std::vector<NodeTables> programs_;
  std::vector<std::uint32_t> program_of_;
};

}  // namespace gossamer::tb
