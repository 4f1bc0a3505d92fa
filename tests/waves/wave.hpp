#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gossamer::test {

/// The text of a waveform file as a VCD file with enum tables: by Verilator's own reader, or by
/// GTKWave's fst2vcd if this Verilator has none. Throws std::runtime_error.
std::string vcd_of(const std::string& fst);

/// A waveform file, read completely: .fst, or SystemC's .vcd.
class Wave {
 public:
  explicit Wave(const std::string& file);

  /// By full name with range, e.g. "node_0.switch_tile.i_core.i_view.round[19:0]".
  bool has(const std::string& signal) const { return changes_of_.count(signal) != 0; }
  std::vector<std::string> signals() const;
  /// The value in cycle `cycle`, while the clock is high (or low). Throws std::out_of_range for an
  /// unknown signal.
  std::uint64_t value(const std::string& signal, std::uint64_t cycle, bool clock_high = true) const;
  /// Every value that a signal takes.
  std::set<std::uint64_t> values(const std::string& signal) const;
  /// The names that an enumerated type has for its values, "sequencer.state_e" for example.
  const std::map<std::uint64_t, std::string>& names(const std::string& type) const {
    return names_.at(type);
  }
  std::uint64_t first_cycle() const;
  std::uint64_t last_cycle() const;

 private:
  using Changes = std::map<std::uint64_t, std::uint64_t>;  ///< time to value
  std::map<std::string, std::string> changes_of_;          ///< signal to the code of its changes
  std::map<std::string, Changes> changes_;
  std::map<std::string, std::map<std::uint64_t, std::string>> names_;
  std::uint64_t first_time_ = 0, last_time_ = 0;
};

}  // namespace gossamer::test
