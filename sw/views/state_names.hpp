#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "gossamer_constants.hpp"
#include "schedule/model.hpp"

namespace gossamer {

/// A state as the RTL names it: sequencer.sv, link_full.sv, link_half.sv and link_rx.sv. Waveforms
/// of Verilated RTL have these names themselves; a test compares them.
struct StateName {
  unsigned value;
  const char* name;
};

inline constexpr StateName kSequencerStates[] = {{0, "RUN"}, {1, "DONE"}, {3, "IDLE"}};
inline constexpr StateName kFullLinkStates[] = {{0, "IDLE"}, {1, "STREAM"}};
inline constexpr StateName kHalfLinkStates[] = {{0, "FREE"}, {1, "TRANSMIT"}, {2, "HEAR"}};
inline constexpr StateName kReceiverStates[] = {
    {0, "IDLE"}, {1, "WAIT"}, {2, "RECEIVE"}, {3, "DONE"}};

/// Names of Signals::operation(): of what is read and combined with own words.
inline std::string operation_names() {
  std::string text;
  for (unsigned op = 0; op < rtl::REDUCE_OPS; ++op) {
    const std::string_view name =
        op == rtl::OP_COPY ? "?black?" : to_string(static_cast<Operator>(op - 1));
    text += fmt::format("0{0:X} ?black?\n1{0:X} {1}\n", op, name);
  }
  return text;
}

/// The text of a file that names values for GTKWave.
template <typename Table>
std::string names_file(const Table& table) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (const auto& row : table) text += std::string(1, kDigits[row.value]) + " " + row.name + "\n";
  return text;
}

}  // namespace gossamer
