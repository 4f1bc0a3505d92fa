#pragma once

#include <verilated.h>
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#endif

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "fabric/fabric.hpp"
#include "support/error.hpp"

namespace gossamer::tb {

#if VM_TRACE_FST
using TraceFile = VerilatedFstC;
#else
struct TraceFile {
  void open(const char*) {}
  bool isOpen() const { return false; }
  void dumpvars(int, const std::string&) {}
  void dump(std::uint64_t) {}
  void close() {}
};
#endif

/// Verilator notes the latest context of all threads in a variable of its own, without a lock.
/// Suites run several models at once, so everything here that sets a context takes this one.
inline std::mutex& context_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// From now on the context is that of the calling thread.
inline void enter_context(VerilatedContext& context) {
  const std::lock_guard lock(context_mutex());
  Verilated::threadContextp(&context);
}

/// Registers start with random values that depend on the seed only.
inline std::unique_ptr<VerilatedContext> make_context(std::uint32_t seed, bool trace) {
  const std::lock_guard lock(context_mutex());
  auto context = std::make_unique<VerilatedContext>();
  context->randReset(2);
  context->randSeed(static_cast<int>(seed));
  context->traceEverOn(trace);
  return context;
}

/// One clock cycle of a model whose outputs change only at the rising edge.
///
/// eval() finds out what to do: which inputs may have changed, which edges there were, whether
/// anything happened that needs another round. Here the answers are known, so if this version of
/// Verilator allows it, its two steps are called directly: the logic after the inputs, then the
/// rising edge. Otherwise both edges are evaluated as usual.
///
/// `inputs_changed` is false if no input has changed since the previous edge except data that only
/// registers use: then all logic after the inputs is up to date.
template <class Tile>
inline void clock([[maybe_unused]] typename Tile::Model& model, typename Tile::Root& root,
                  [[maybe_unused]] bool inputs_changed) {
  if constexpr (Tile::kArena) {
    Tile::eval_rising_edge(root, inputs_changed);
  } else {
    root.clk_i = 0;
    model.eval();
    root.clk_i = 1;
    model.eval();
  }
}

/// The 32-bit words of a port of any width, the least significant one first.
inline std::uint32_t* words(IData& port) { return &port; }
inline const std::uint32_t* words(const IData& port) { return &port; }
inline std::uint32_t* words(QData& port) { return reinterpret_cast<std::uint32_t*>(&port); }
inline const std::uint32_t* words(const QData& port) {
  return reinterpret_cast<const std::uint32_t*>(&port);
}
template <std::size_t N>
std::uint32_t* words(VlWide<N>& port) {
  return port.data();
}
template <std::size_t N>
const std::uint32_t* words(const VlWide<N>& port) {
  return port.data();
}

/// `width` (at most 32) bits of a port from bit `lsb`.
template <class Scalar>
std::uint32_t get_field(const Scalar& port, unsigned lsb, unsigned width) {
  return static_cast<std::uint32_t>(std::uint64_t{port} >> lsb & ((std::uint64_t{1} << width) - 1));
}
template <std::size_t N>
std::uint32_t get_field(const VlWide<N>& port, unsigned lsb, unsigned width) {
  std::uint64_t pair = port.data()[lsb / 32];
  if (lsb / 32 + 1 < N) pair |= std::uint64_t{port.data()[lsb / 32 + 1]} << 32;
  return static_cast<std::uint32_t>(pair >> lsb % 32 & ((std::uint64_t{1} << width) - 1));
}

/// Sets `width` bits of a port of more than 32 bits from bit `lsb`.
template <class Port>
void set_bits(Port& port, unsigned lsb, std::uint32_t value, unsigned width = 32) {
  for (unsigned i = 0; i < width; ++i) {
    std::uint32_t& word = words(port)[(lsb + i) / 32];
    const std::uint32_t bit = std::uint32_t{1} << (lsb + i) % 32;
    word = (value >> i & 1) != 0 ? word | bit : word & ~bit;
  }
}

#if VM_TRACE_FST
/// The system's number of the first error in this thread's waveform; 0: none. Defined where that is
/// written (wave_writer.cpp). A new waveform forgets it.
int wave_error(bool forget = false);
#else
inline int wave_error(bool = false) { return 0; }
#endif

/// Levels of the hierarchy, for a model's trace().
inline constexpr int kAllLevels = 99;

/// The waveform of a run, an FST file. Engines built without tracing never open one.
class WaveFile {
 public:
  bool open() const { return file_ != nullptr; }
  bool in_window(std::uint64_t cycle) const {
    return open() && cycle >= options_.first_cycle && cycle <= options_.last_cycle;
  }

  /// Opens the file; `add` passes every model to trace to the given TraceFile.
  template <class Add>
  void begin(const TraceOptions& options, Add add) {
    options_ = options;
    wave_error(/*forget=*/true);
    if (options_.file.empty()) return;
    file_ = std::make_unique<TraceFile>();
    add(*file_);
    file_->open(options_.file.c_str());
    if (!file_->isOpen()) throw InputError(options_.file + ": cannot be written");
  }
  /// The values of all signals in the first half of the cycle, while the clock is high.
  void rising(std::uint64_t cycle) { file_->dump(cycle * kWaveUnitsPerCycle); }
  /// The values in the second half.
  void falling(std::uint64_t cycle) {
    file_->dump(cycle * kWaveUnitsPerCycle + kWaveUnitsPerCycle / 2);
  }
  void close() {
    if (file_) file_->close();
    file_.reset();
  }

 private:
  TraceOptions options_;
  std::unique_ptr<TraceFile> file_;
};

}  // namespace gossamer::tb
