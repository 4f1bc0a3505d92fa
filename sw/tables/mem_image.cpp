#include "tables/mem_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <functional>
#include <numeric>

#include "fabric/torus_shape.hpp"
#include "support/file.hpp"
#include "support/refuse.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint32_t>;

constexpr Node kMaxNodes = 10000;  // images are numbered with four digits

std::string file_of(const std::string& folder, Node n, const std::string& what) {
  return (fs::path(folder) / fmt::format("node_{:04}_{}.mem", n, what)).string();
}

std::uint32_t depth(const char* what, std::uint64_t needed, std::uint32_t least,
                    std::uint32_t most) {
  const std::uint64_t size = std::bit_ceil(std::max<std::uint64_t>(needed, least));
  if (size > most) {
    refuse("a node needs {} {}; switch_node has at most {}", needed, what, most);
  }
  return static_cast<std::uint32_t>(size);
}

/// A file's text: an entry per line, its most significant word first, padded with zeros to `depth`
/// lines.
class Lines {
 public:
  Lines(std::uint32_t depth, unsigned words_per_line)
      : depth_(depth), left_(depth), words_(words_per_line) {}

  void add(const Words& entry) {
    for (std::size_t i = entry.size(); i > 0; --i) text_ += fmt::format("{:08x}", entry[i - 1]);
    text_ += '\n';
    --left_;
  }
  void fill(std::uint32_t line) {
    while (depth_ - left_ < line) add(Words(words_));
  }
  std::string finish() {
    fill(depth_);
    return std::move(text_);
  }

 private:
  std::string text_;
  std::uint32_t depth_, left_;
  unsigned words_;
};

unsigned slot_words(const NodeKind& kind) { return (slot_bits(kind) + 31) / 32; }
unsigned list_words(const NodeKind& kind) {
  return static_cast<unsigned>(encode(Segment{}, kind).size());
}

/// A program for a node with fewer ports, of which it uses none but those. A node that has
/// one log, because it has one port, receives behind its own words, unless it reduces.
NodeProgram for_ports(NodeProgram program, const NodeKind& wide, const NodeKind& kind,
                      std::uint32_t own_words) {
  if (kind == wide) return program;
  for (SlotEntry& entry : program.slots) {
    entry.select.resize(kind.ports);
    for (Port& source : entry.select) {
      if (source == select_none(wide)) source = select_none(kind);
    }
  }
  program.channels.resize(kind.channels);
  for (std::vector<Segment>& list : program.channels) {
    for (Segment& s : list) {
      if (s.log == wide.own_log()) {
        s.log = kind.own_log();
      } else if (kind.own_log() == 0) {
        s.base += own_words;
      }
    }
  }
  return program;
}

/// The files of node `x`, which is number `n` where they are read.
void write_node(NewFiles& out, const FabricImage& image, const NodeBuild& build,
                const std::string& folder, Node x, Node n, const NodeKind& kind,
                std::span<const std::uint32_t> packets) {
  const NodeDepths& depths = build.depths;
  const unsigned banks = packets.empty() ? 1 : 2;
  Lines slots(banks * depths.slots, slot_words(kind));
  std::vector<Lines> lists(kind.channels, Lines(banks * depths.segments, list_words(kind)));
  for (std::size_t k = 0; k < image.held(); ++k) {
    const NodeProgram program = for_ports(image.program(x, k), image.kind, kind, image.own_size(x));
    slots.fill(image.begin(k, depths.slots));
    for (const SlotEntry& e : program.slots) slots.add(encode(e, kind));
    for (std::size_t c = 0; c < lists.size(); ++c) {
      lists[c].fill(image.begin(k, depths.segments));
      for (const Segment& s : program.channels[c]) lists[c].add(encode(s, kind));
    }
  }
  out.write(file_of(folder, n, "slots"), slots.finish());
  for (std::size_t c = 0; c < lists.size(); ++c) {
    out.write(file_of(folder, n, fmt::format("list_{:02}", c)), lists[c].finish());
  }

  const std::uint32_t words = packets.empty() ? image.own_size(x) : 0;
  const std::uint32_t own_depth = build.own_depth();
  Lines own(own_depth, 1);
  for (std::uint32_t i = 0; i < words; ++i) own.add({image.own_words[image.own_begin[x] + i]});
  out.write(file_of(folder, n, "own"), own.finish());
  if (build.own_behind()) {
    Lines end(depths.words, 1);
    end.fill(depths.words - words);
    for (std::uint32_t i = words; i > 0; --i)
      end.add({image.own_words[image.own_begin[x] + i - 1]});
    out.write(file_of(folder, n, "end"), end.finish());
  }
  out.write(file_of(folder, n, "own_words"), fmt::format("{:x}\n", words));
  if (packets.empty()) return;
  std::string takes;
  for (std::size_t k = 0; k < std::size_t{1} << kind.programs; ++k)
    takes += fmt::format("{:x}\n", k < image.held() ? packets[k * image.topology.nodes() + x] : 0);
  out.write(file_of(folder, n, "packets"), takes);
}

void write_images(const FabricImage& image, const NodeBuild& build, const std::string& folder,
                  const std::map<std::string, std::string>& others,
                  const std::vector<Node>& nodes_of, const std::function<NodeKind(Node)>& kind_of,
                  std::span<const std::uint32_t> packets = {}) {
  const std::size_t nodes = nodes_of.size();
  if (nodes > kMaxNodes) {
    refuse("images for {} nodes: at most {} can be numbered", nodes, kMaxNodes);
  }
  check_fits(image, build);
  NewFiles out(folder);
  for (Node n = 0; n < nodes; ++n)
    write_node(out, image, build, folder, nodes_of[n], n, kind_of(nodes_of[n]), packets);
  for (const auto& [name, text] : others) out.write((fs::path(folder) / name).string(), text);
  out.keep();
}

std::vector<Node> all_nodes(const FabricImage& image) {
  std::vector<Node> all(image.topology.nodes());
  std::iota(all.begin(), all.end(), Node{0});
  return all;
}

/// The parameter LINK_STAGES, 8 bits a number, the first number lowest; empty without stages.
std::string stages_parameter(const std::vector<std::uint32_t>& numbers) {
  if (std::ranges::all_of(numbers, [](std::uint32_t n) { return n == 0; })) return "";
  std::string hex;
  for (const std::uint32_t n : numbers) hex = fmt::format("{:02x}", n) + hex;
  return fmt::format(".LINK_STAGES({}'h{}),\n", 8 * numbers.size(), hex);
}

}  // namespace

std::string fabric_parameters(const FabricImage& image, const NodeBuild& build) {
  const TorusShape shape = torus_shape(image.topology, "; --format rtl takes any");
  const std::size_t dims = shape.dimensions.size();
  std::vector<std::uint32_t> stages;
  for (std::size_t f = 0; !image.stages.empty() && f < dims; ++f) {
    stages.push_back(image.stages[image.topology.first_port(f)]);
  }
  return fmt::format(".DIMS({}), .RADICES({}'h{}), .WRAP({}'b{}),\n{}{}", dims, 16 * dims,
                     shape.radices_hex(), dims, shape.wrap_binary(), stages_parameter(stages),
                     node_parameters(build));
}

std::string node_parameters(const NodeBuild& build) {
  const NodeDepths& depths = build.depths;
  std::string text = fmt::format(
      ".MODEL(32'h{:08x}), .CHANNELS({}),\n.SLOT_DEPTH({}), .LIST_DEPTH({}), .STORE_DEPTH({})",
      model_register(build.kind), build.kind.channels, depths.slots, depths.segments, depths.words);
  if (build.length_bits != rtl::SLOT_LEN_W || build.count_bits != rtl::SLOT_REPEAT_W) {
    text += fmt::format(",\n.LEN_W({}), .REPEAT_W({})", build.length_bits, build.count_bits);
  }
  if (depths.own != 0) text += fmt::format(",\n.OWN_DEPTH({})", depths.own);
  if (depths.shared.empty()) return text;
  std::string homes;
  for (const std::uint16_t home : depths.shared) homes = fmt::format("{:04x}", home) + homes;
  return text + fmt::format(",\n.SHARED({}'h{})", 4 * homes.size(), homes);
}

NodeDepths depths_for(const FabricImage& image, const NodeDepths& least) {
  std::uint64_t slots = 0, segments = 0, words = image.capacity;
  for (std::size_t k = 0; k < image.held(); ++k) {
    // A program has one of so many parts, which are of two at least.
    const unsigned bits = image.kind.programs;
    const auto needs = [&](std::uint64_t entries) {
      return std::max<std::uint64_t>(entries, bits > 0 ? 2 : 0) << bits;
    };
    for (const NodeProgram& program : image.programs_of(k)) {
      slots = std::max(slots, needs(program.slots.size() + 1));
      for (const auto& list : program.channels)
        segments = std::max(segments, needs(list.size() + 1));
    }
  }
  for (Node x = 0; x + 1 < image.own_begin.size(); ++x) {
    words = std::max<std::uint64_t>(words, image.own_size(x));
  }
  return {depth("entries in its slot table", slots, least.slots, kMaxEntries),
          depth("segments in a list", segments, least.segments, kMaxEntries),
          depth("words in a log", words, least.words, kMaxWords)};
}

NodeKind kind_of_links(const FabricImage& image, Node x) {
  // Of nodes that join, lanes without a link store sums.
  return image.kind.join ? image.kind : image.kind.with_ports(image.topology.degree(x));
}

void write_mem_images(const FabricImage& image, const NodeBuild& build, const std::string& folder,
                      const std::optional<TorusPart>& part,
                      std::map<std::string, std::string> others,
                      std::span<const std::uint32_t> packets) {
  // An absolute path, so that a simulator finds them from any folder, as Verilog writes a text.
  std::string images;
  for (const char c : (fs::absolute(folder) / "").lexically_normal().string()) {
    if (c == '"' || c == '\\') images += '\\';
    images += c;
  }
  std::string& parameters = others["fabric.vh"];
  if (parameters.empty()) parameters = fabric_parameters(image, build);
  if (part)
    parameters += fmt::format(",\n.SIZES({}'h{})", 16 * part->sizes.size(), part->sizes_hex());
  parameters = fmt::format("// SPDX-License-Identifier: Apache-2.0\n{},\n.IMAGES(\"{}\")\n",
                           parameters, images);
  write_images(
      image, build, folder, others, part ? part->nodes : all_nodes(image),
      [&](Node) { return image.kind; }, packets);
}

void write_node_images(const FabricImage& image, const NodeBuild& build, const std::string& folder,
                       const std::map<std::string, std::string>& others) {
  write_images(image, build, folder, others, all_nodes(image),
               [&](Node x) { return kind_of_links(image, x); });
}

}  // namespace gossamer
