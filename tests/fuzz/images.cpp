#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mem_reader.hpp"
#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

/// Kinds of nodes; the input's first byte chooses one.
constexpr std::array<NodeKind, 6> kKinds = {{
    {.ports = 1, .single_port = true},
    {.ports = 1, .half_duplex = true, .channels = 1},
    {.ports = 2, .single_port = true},
    {.ports = 2, .channels = 2},
    {.ports = 2, .single_port = true, .one_cycle = true},
    {.ports = 6, .channels = 6},
}};
constexpr std::size_t kFewWords = 256;

/// The parts of an input after its first line, separated by lines "--", in the order of the node's
/// files: slot table, number of own words, own words, a list for each channel.
std::array<std::string_view, 4> parts_of(std::string_view text) {
  std::array<std::string_view, 4> parts = {};
  for (std::string_view& part : parts) {
    const std::size_t end = text.find("--\n");
    part = text.substr(0, end);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 3);
  }
  return parts;
}

/// A program as node 0 of an image; the other nodes have it too.
FabricImage image_of(const NodeProgram& program, const std::vector<std::uint32_t>& own,
                     const NodeKind& kind) {
  FabricImage image{.topology = Topology::parse(kind.ports == 1 ? "path:2" : "ring:3"),
                    .kind = kind};
  image.programs = {program};
  image.own_begin = {0};
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    image.program_of.push_back(0);
    image.own_words.insert(image.own_words.end(), own.begin(), own.end());
    image.own_begin.push_back(image.own_words.size());
  }
  return image;
}

}  // namespace

void images(std::string_view input) {
  if (input.empty()) return;
  const NodeKind kind = kKinds[static_cast<unsigned char>(input[0]) % kKinds.size()];
  const auto [slots, count, own, list] = parts_of(input.substr(1));
  const Scratch& scratch = scratch_folder();
  scratch.file("node_0000_slots.mem", slots);
  scratch.file("node_0000_own_words.mem", count);
  scratch.file("node_0000_own.mem", own);
  for (unsigned c = 0; c < kind.channels; ++c) {
    scratch.file(fmt::format("node_0000_list_{:02}.mem", c), list);
  }
  const std::string folder = scratch.path("");
  const auto words = answer(folder, [&] { return read_mem_own_words(folder, 0); });
  const auto program = answer(folder, [&] { return read_mem_program(folder, 0, kind); });
  if (!words || !program) return;
  demand(std::ranges::all_of(program->channels,
                             [](const auto& l) { return std::ranges::all_of(l, &Segment::count); }),
         "a list should end with the first segment without words");
  for (const SlotEntry& e : program->slots) {
    demand(decode_slot(encode(e, kind), kind) == e,
           "a slot encoded and decoded should be the same");
  }
  if (kind.ports > 2 || words->size() > kFewWords) return;
  const FabricImage image = image_of(*program, *words, kind);
  const std::string out = scratch.path("again");
  const bool written = answer("", [&] {
                         write_mem_images(image, depths_for(image), out);
                         return true;
                       }).has_value();
  if (!written) return;
  demand(read_mem_own_words(out, 0) == *words, "own words written and read should be the same");
  const NodeProgram again = read_mem_program(out, 0, kind);
  demand(again.channels == program->channels, "lists written and read should be the same");
  // A table without an end is followed by the zeros that fill the memory.
  demand(again.slots.size() >= program->slots.size() &&
             std::equal(program->slots.begin(), program->slots.end(), again.slots.begin()),
         "a table written and read should be the same");
}

}  // namespace gossamer::fuzz
