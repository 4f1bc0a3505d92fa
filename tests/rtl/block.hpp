#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engines/verilated_model.hpp"

namespace gossamer::test {

/// A Verilated block under test, with random initial values. A cycle is: write inputs, settle(),
/// read outputs, edge().
template <class Model>
class Block {
 public:
  explicit Block(std::uint32_t seed)
      : context_(tb::make_context(seed, false)), model_(std::make_unique<Model>(context_.get())) {
    settle();
  }
  /// Verilator takes a model's scopes, if it has some, out of the context that was entered last.
  ~Block() { tb::enter_context(*context_); }
  Model* operator->() { return model_.get(); }

  void settle() {
    model_->clk_i = 0;
    model_->eval();
  }
  void edge() {
    settle();
    model_->clk_i = 1;
    model_->eval();
  }
  /// Three cycles in reset, so that registers without one follow; `clock` gives an edge.
  template <class Clock>
  void reset_with(Clock clock) {
    model_->rst_ni = 0;
    for (int i = 0; i < 3; ++i) clock();
    model_->rst_ni = 1;
  }
  void reset() {
    reset_with([this] { edge(); });
  }

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> model_;
};

/// Random numbers of a test, the same ones in every run.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  /// 0 ... below-1
  std::uint32_t below(std::uint32_t below) {
    return static_cast<std::uint32_t>(std::uint64_t{engine_()} * below >> 32);
  }
  std::uint32_t between(std::uint32_t low, std::uint32_t high) {
    return low + below(high - low + 1);
  }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  std::uint32_t word() { return engine_(); }

 private:
  std::mt19937 engine_;
};

}  // namespace gossamer::test
