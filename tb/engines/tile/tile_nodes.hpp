#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "engines/verilated_model.hpp"
#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// The Verilated nodes of a tile engine, one after the other in memory.
///
/// A Verilator model has objects that evaluation does not need (names, symbol table, context). With
/// them a node takes some 2 KB, in several places of the heap. If this version of Verilator allows
/// it and there is no waveform, a node is only its state, and all share one model's symbol table.
template <class Tile>
class TileNodes {
 public:
  using Model = typename Tile::Model;
  using Root = typename Tile::Root;

  TileNodes() = default;
  TileNodes(const TileNodes&) = delete;
  TileNodes& operator=(const TileNodes&) = delete;
  ~TileNodes() { clear(); }

  void clear() {
    if (arena_ != nullptr) {
      for (std::size_t i = 0; i < size_; ++i) arena_[i].~Root();
      std::free(arena_);
    }
    arena_ = nullptr;
    models_.clear();
    size_ = 0;
  }

  /// All registers start with random values, by the context's seed. `number(i)` is what waveforms
  /// call node i.
  template <class Number>
  void build(VerilatedContext& context, std::size_t nodes, const Number& number) {
    clear();
    if constexpr (kArena) {
      models_.push_back(std::make_unique<Model>(&context, "node"));
      arena_ = allocate(nodes);
      for (; size_ < nodes; ++size_) Tile::make_root(arena_ + size_, *models_[0]);
    } else {
      for (; size_ < nodes; ++size_) {
        const std::string name = "node_" + std::to_string(number(size_));
        models_.push_back(std::make_unique<Model>(&context, name.c_str()));
        models_.back()->clk_i = 0;
        models_.back()->eval();  // initial values
      }
    }
  }

  std::size_t size() const { return size_; }
  Root& root(std::size_t i) {
    if constexpr (kArena)
      return arena_[i];
    else
      return *models_[i]->rootp;
  }
  const Root& root(std::size_t i) const {
    if constexpr (kArena)
      return arena_[i];
    else
      return *models_[i]->rootp;
  }
  /// Prefetches the state of a node that will be evaluated soon; there may be no such node.
  void prefetch(std::size_t i) const {
    if constexpr (kArena) {
      // Written out, not in a loop: engines for short runs are compiled without unrolling, and the
      // loop would take a twentieth of all their instructions.
      const char* at = reinterpret_cast<const char*>(arena_ + i);
      [at]<std::size_t... kLine>(std::index_sequence<kLine...>) {
        (__builtin_prefetch(at + kLine * kLineBytes, 1), ...);
      }
      (std::make_index_sequence<(sizeof(Root) + kLineBytes - 1) / kLineBytes>());
    }
  }
  /// Only if each node has its own model, so always with tracing.
  Model& model(std::size_t i) { return *models_[kArena ? 0 : i]; }

  /// One clock cycle of node i, whose root this is; see gossamer::tb::clock.
  void clock(Root& root, std::size_t i, bool inputs_changed) {
    tb::clock<Tile>(model(i), root, inputs_changed);
  }
  /// What follows from a node's inputs is worked out, without an edge.
  void settle(std::size_t i) {
    if constexpr (kArena)
      Tile::eval_inputs(root(i));
    else
      model(i).eval();
  }

 private:
  static constexpr bool kArena = Tile::kArena;
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  static constexpr std::size_t kLineBytes = 64;  ///< of a cache

  /// Huge pages, if the system has them, because every cycle goes through all nodes.
  static Root* allocate(std::size_t nodes) {
    const std::size_t bytes = (nodes * sizeof(Root) + kHugePage - 1) / kHugePage * kHugePage;
    void* memory = std::aligned_alloc(kHugePage, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<Root*>(memory);
  }

  Root* arena_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<Model>> models_;
};

inline constexpr unsigned kListWords = rtl::SEG_W / 32;
/// Words of a slot entry of a node with so many ports.
constexpr unsigned slot_words(Port ports, bool join) {
  const unsigned bits = join ? 2 * ports + ports * ports : ports + ports * std::bit_width(ports);
  return (rtl::SLOT_RECEIVE_LSB + bits + 31) / 32;
}

/// A memory with a table or a list of each program of a node, each followed by zeros.
struct TableMemory {
  std::vector<std::uint32_t> words;
  std::vector<std::size_t> ends;   ///< by program: words of it and of those before it
  std::vector<std::size_t> first;  ///< by program: where it begins in the node's memory

  /// Ends a program with zeros.
  void end(unsigned zeros, std::size_t begins) {
    words.resize(words.size() + zeros);
    ends.push_back(words.size());
    first.push_back(begins);
  }
};

/// The memories of a node, as the table ports read them.
struct NodeTables {
  TableMemory slots;
  std::vector<TableMemory> lists;  ///< by channel
};

/// The words of an entry of a memory; of its program's last one, if there are not so many.
template <unsigned kWords>
const std::uint32_t* words_at(const TableMemory& memory, std::size_t index) {
  std::size_t begin = 0, end = memory.words.size();
  if (memory.ends.size() > 1) [[unlikely]] {
    std::size_t program = memory.ends.size() - 1;
    while (index < memory.first[program]) --program;
    begin = program == 0 ? 0 : memory.ends[program - 1], end = memory.ends[program];
    index -= memory.first[program];
  }
  return memory.words.data() + begin + std::min(index, (end - begin) / kWords - 1) * kWords;
}

/// The memories of a range of nodes: those of nodes with the same programs once.
class TableMemories {
 public:
  /// `addresses`: of each memory.
  void load(const FabricImage& image, Node first, Node last, std::uint32_t addresses) {
    program_of_.clear();
    programs_.clear();
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    for (Node x = first; x < last; ++x) {
      std::vector<std::uint32_t> its{image.program_of[x]};
      for (const auto& later : image.later) its.push_back(later.program_of[x]);
      const auto [at, fresh] = known.emplace(its, programs_.size());
      program_of_.push_back(at->second);
      if (!fresh) continue;
      NodeTables& t = programs_.emplace_back();
      t.lists.resize(image.kind.channels);
      for (std::size_t k = 0; k < image.held(); ++k) {
        add(t, image.program(x, k), image.kind, image.begin(k, addresses));
      }
    }
  }
  /// Of local node `i`.
  const NodeTables& operator[](Node i) const { return programs_[program_of_[i]]; }
  std::uint32_t program(Node i) const { return program_of_[i]; }

 private:
  static void add(NodeTables& to, const NodeProgram& program, const NodeKind& kind,
                  std::size_t begins) {
    for (const SlotEntry& e : program.slots) append(to.slots, encode(e, kind));
    to.slots.end(slot_words(kind.ports, kind.join), begins);
    for (unsigned c = 0; c < kind.channels; ++c) {
      for (const Segment& s : program.channels[c]) append(to.lists[c], encode(s));
      to.lists[c].end(kListWords, begins);  // a segment of count 0 ends the list
    }
  }
  static void append(TableMemory& to, const std::vector<std::uint32_t>& words) {
    to.words.insert(to.words.end(), words.begin(), words.end());
  }

  std::vector<NodeTables> programs_;
  std::vector<std::uint32_t> program_of_;
};

}  // namespace gossamer::tb
