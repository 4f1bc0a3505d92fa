#include "engines/tile/node_tables.hpp"

namespace gossamer::tb {
namespace {

void append(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

}  // namespace

void TableMemories::load(const FabricImage& image, Node first, Node last) {
  program_of_.assign(image.program_of.begin() + first, image.program_of.begin() + last);
  programs_.clear();
  for (const NodeProgram& program : image.programs) {
    NodeTables& t = programs_.emplace_back();
    for (const SlotEntry& e : program.slots) append(t.slots, encode(e, image.kind));
    // Zeros after the final entry.
    t.slots.resize(t.slots.size() + slot_words(image.kind.ports));
    for (unsigned c = 0; c < image.kind.channels; ++c) {
      auto& list = t.lists.emplace_back();
      for (const Segment& s : program.channels[c]) append(list, encode(s));
      list.resize(list.size() + kListWords);  // a segment of count 0 ends the list
    }
  }
}

}  // namespace gossamer::tb
