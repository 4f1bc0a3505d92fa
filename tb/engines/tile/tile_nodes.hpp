#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
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
