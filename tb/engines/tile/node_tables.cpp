#include "engines/tile/node_tables.hpp"

namespace gossamer::tb {
namespace {

void append(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

}  // namespace

std::vector<NodeTables> node_tables(const FabricImage& image) {
  std::vector<NodeTables> tables;
  for (const NodeProgram& program : image.programs) {
    NodeTables& t = tables.emplace_back();
    for (const SlotEntry& e : program.slots) append(t.slots, encode(e, image.kind));
    // Zeros after the final entry.
    t.slots.resize(t.slots.size() + slot_words(image.kind.ports));
    for (unsigned c = 0; c < image.kind.channels; ++c) {
      auto& list = t.lists.emplace_back();
      for (const Segment& s : program.channels[c]) append(list, encode(s));
      list.resize(list.size() + kListWords);  // a segment of count 0 ends the list
    }
  }
  return tables;
}

}  // namespace gossamer::tb
