#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fabric/fabric.hpp"
#include "schedule/schedule.hpp"
#include "views/gtkw_file.hpp"
#include "views/signals.hpp"

namespace gossamer {

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
  void operations(Node x, const NodeSignals& node);
  void errors(const NodeSignals& node, std::uint32_t seen);
  void port(Node x, Port p);
  void words_in_log(Node x, unsigned log);
  void bit(const char* label, const std::string& signal,
           GtkwFile::Colour colour = GtkwFile::kUsual);
  void number(const char* label, const std::string& signal,
              GtkwFile::Colour colour = GtkwFile::kUsual);
  void state(const char* label, const std::string& signal, const std::string& names,
             GtkwFile::Colour colour);
  template <class Uses>
  bool any_slot(Node x, Uses uses) const;
  bool sends(Node x, Port p) const;
  bool receives(Node x, Port p) const;

  const RowsOf& of_;
  GtkwFile gtkw_;
};

}  // namespace gossamer
