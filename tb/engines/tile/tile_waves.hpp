#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/tile/tile_nodes.hpp"
#include "engines/wave_file.hpp"
#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// The waveform of a tile engine's nodes; nothing if the engine is built without tracing.
template <class Tile>
class TileWaves {
 public:
  explicit TileWaves(TileNodes<Tile>& nodes) : nodes_(nodes) {}
  ~TileWaves() { close(); }

  void set(const TraceOptions& options) { options_ = options; }

  /// Begins with the present state as that of cycle 0. `number(i)` is what the waveform calls node
  /// i.
  template <class Number>
  void open([[maybe_unused]] const Number& number) {
    if constexpr (Tile::kTrace) {
      traced_ = options_.nodes;
      if (traced_.empty()) {
        for (Node x = 0; x < nodes_.size(); ++x) traced_.push_back(x);
      }
      file_.begin(options_, [&](TraceFile& file) {
        // Newer Verilators always trace all models together.
        for (Node x : options_.nodes) {
          file.dumpvars(kAllLevels, "node_" + std::to_string(number(x)));
        }
        for (Node x : traced_) nodes_.model(x).trace(&file, kAllLevels);
      });
      dump(0);
    }
  }

  /// The inputs have changed since the clock rose; signals that depend on them are evaluated only
  /// for the waveform.
  void dump(std::uint64_t cycle) {
    if (!file_.in_window(cycle)) return;
    show_expected(cycle);
    evaluate(1);
    file_.rising(cycle);
    evaluate(0);
    file_.falling(cycle);
  }

  void close() { file_.close(); }

 private:
  void show_expected(std::uint64_t cycle) {
    if (!options_.expected) return;
    for (Node x : traced_) {
      for (Port p = 0; p < Tile::kPorts; ++p) {
        const auto word = options_.expected(x, p, cycle);
        set_bits(nodes_.root(x).expected_i, p * 33, word.value_or(0));
        set_bits(nodes_.root(x).expected_i, p * 33 + 32, word ? 1 : 0, 1);
      }
    }
  }
  void evaluate(CData clk) {
    for (Node x : traced_) {
      nodes_.root(x).clk_i = clk;
      nodes_.model(x).eval();
    }
  }

  TileNodes<Tile>& nodes_;
  TraceOptions options_;
  std::vector<Node> traced_;
  WaveFile file_;
};

}  // namespace gossamer::tb
