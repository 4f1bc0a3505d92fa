#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "gossamer_constants.hpp"
#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// Signals of a node, full names with their ranges; empty: the waveform does not have it.
struct NodeSignals {
  std::string start = {}, done = {}, state = {};
  std::string entry = {};           ///< address of the slot table's entry in use
  std::string next_entry = {};      ///< where no signal shows the one in use
  std::string round = {};           ///< from 1, 0: none
  std::string slots_finished = {};  ///< where no signal shows the round
  std::string cycle = {};           ///< of the round, from 1
  std::string first_error = {};
  std::string error_round = {};  ///< from 1
  std::string error_slot = {};   ///< from 0
  std::string error_port = {};
  std::string errors = {};  ///< without its range
  std::string keeps = {};   ///< reduce nodes: the result is written to the own words
};

/// Signals of a node's port. Flits are a valid bit and a word, 0 while they are not valid.
struct PortSignals {
  std::string link = {}, source = {}, out = {}, out_last = {};
  std::string expected = {};  ///< what should be on the output
  std::string receiver = {}, in = {}, in_last = {};
};

/// Files that name the values of states, for waveforms that do not; empty: the waveform does.
struct StateFiles {
  std::string sequencer = {}, link = {}, receiver = {}, error = {};
  std::string operation = {};  ///< reduce nodes
};

/// The names that a fabric's signals have in a waveform.
class Signals {
 public:
  virtual ~Signals() = default;
  virtual std::string clock(Node x) const = 0;
  virtual NodeSignals node(Node x) const = 0;
  virtual PortSignals port(Node x, Port p) const = 0;
  /// Of reduce nodes: a valid bit, and the operator for which a channel has read a word.
  virtual std::string operation(Node x, unsigned channel) const = 0;
  /// How many words one of a node's logs holds; empty: not shown.
  virtual std::string words_in_log(Node x, unsigned log) const = 0;
};

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
