#pragma once

#include <string>

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

}  // namespace gossamer
