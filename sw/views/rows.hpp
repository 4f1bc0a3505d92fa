#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "gossamer_constants.hpp"
#include "schedule/model.hpp"
#include "schedule/schedule.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// "12.0" is flit 0 of node 12's message, "3>5.0" of its message to node 5; ".0" is omitted if
/// messages have one flit.
std::string flit_text(const FlitId& flit, unsigned flits);

/// The flits of a run by name, a line for each word of a link, valid bit first: "1<word> 12.0".
/// Each origin has one of a few colours. Messages of `first` come first; the list ends after 20,000
/// lines. Of a reduction what is sent is named by whose parts are in it, and coloured by how many:
/// "0-3,7.5", "all.5", of a reduce-scatter "2:0-3.5" of the block of node 2. Where several sums
/// happen to be the same word, the first name is meant.
std::string flit_names(const Schedule& schedule, const Payload& payload,
                       const std::vector<Node>& first);

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
  std::string errors = {};     ///< without its range
  std::string operation = {};  ///< nodes that join: the operator
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
  std::string operation = {};  ///< nodes that join
};

/// The names that a fabric's signals have in a waveform.
class Signals {
 public:
  virtual ~Signals() = default;
  virtual std::string clock(Node x) const = 0;
  virtual NodeSignals node(Node x) const = 0;
  virtual PortSignals port(Node x, Port p) const = 0;
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

/// The text of a file that names values for GTKWave.
template <typename Table>
std::string names_file(const Table& table) {
  std::string text;
  for (const auto& row : table) text += fmt::format("{:X} {}\n", row.value, row.name);
  return text;
}

/// Names of the values of NodeSignals::operation.
inline std::string operation_names() {
  std::string text;
  for (const rtl::NamedValue& op : rtl::op_e_table) {
    text += fmt::format("{:X} {}\n", op.value, to_string(static_cast<Operator>(op.value)));
  }
  return text;
}

/// The text of a GTKWave save file: the rows that the viewer shows, their formats and groups.
/// Signals are named as in the waveform file, with their range; several names with spaces between
/// are the bits of one row, the highest first. One without a name, which the waveform does not
/// have, has no row.
class GtkwFile {
 public:
  /// Colours of rows, by GTKWave's numbers; kUsual is the viewer's own.
  enum Colour { kUsual = 0, kRed = 1, kOrange = 2, kYellow = 3 };

  void open_group(const std::string& name, bool closed);
  void close_group();

  /// Bit `index` of a vector [width-1:0], as the name of a signal.
  static std::string bit_of(const std::string& vector, unsigned width, unsigned index);

  void bit(const std::string& label, const std::string& signal, Colour colour = kUsual);
  void number(const std::string& label, const std::string& signal, Colour colour = kUsual);
  /// A signal whose values are named by `table`: lines with a value in hexadecimal digits and a
  /// text; or, if it is empty, by the waveform file.
  void translated(const std::string& label, const std::string& signal, const std::string& table,
                  Colour colour = kUsual);

  const std::string& rows() const { return rows_; }

 private:
  void row(std::uint64_t flags, const std::string& label, const std::string& signal, Colour colour,
           const std::string& table = "");

  struct Group {
    std::string name;
    bool closed;
  };
  std::string rows_;
  std::vector<Group> groups_;
};

/// What the viewer shows first. Times are in units of the waveform file.
struct GtkwFrame {
  int width = 1600, height = 950;  ///< of the window, in pixels
  int names_width = 250;           ///< of the column of names and values
  std::uint64_t start = 0;         ///< at the left edge
  double units_per_pixel = 1;
  std::uint64_t ruler_step = 0;  ///< between vertical lines
  std::int64_t marker = -1;      ///< a marked time; -1: none
  std::string marker_name;

  /// Pixels left for the waves.
  int waves_width() const;
};

/// The whole save file for the waveform file `dump`, to be written as `save`. Absolute names: from
/// them the viewer finds the files after both were moved.
std::string gtkw_text(const GtkwFile& file, const GtkwFrame& frame, const std::string& dump,
                      const std::string& save);

/// What a view shows.
struct RowsOf {
  const Schedule& schedule;
  const FabricImage& image;
  const Signals& signals;
  std::string flits;       ///< file with the names of flits
  StateFiles states = {};  ///< files with the names of states
  bool expected = false;   ///< the waveform shows what should be on the links
  bool idle = false;       ///< ports without traffic according to the tables have their rows, too
};

/// Writes the rows of a fabric: a group for every node, and in it for every port.
class Rows {
 public:
  explicit Rows(const RowsOf& of) : of_(of) {}

  void clock(Node x) { gtkw_.bit("clk", of_.signals.clock(x)); }
  /// With the rows of errors if `seen` is given: a bit for each error code that was raised.
  void node(Node x, bool closed, std::optional<std::uint32_t> seen);
  const GtkwFile& file() const { return gtkw_; }

 private:
  void errors(const NodeSignals& node, std::uint32_t seen);
  void port(Node x, Port p);
  void words_in_log(Node x, unsigned log);
  template <class Uses>
  bool any_slot(Node x, Uses uses) const;
  bool sends(Node x, Port p) const;
  bool receives(Node x, Port p) const;

  const RowsOf& of_;
  GtkwFile gtkw_;
};

}  // namespace gossamer
