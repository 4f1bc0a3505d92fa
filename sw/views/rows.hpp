#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "schedule/schedule.hpp"
#include "views/signals.hpp"

namespace gossamer {

/// The text of a GTKWave save file: the rows that the viewer shows, their formats and groups.
/// Signals are named as in the waveform file, with their range; several names with spaces between
/// are the bits of one row, the highest first.
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
  /// An enumerated signal, shown with the names that the waveform file has for its values.
  void state(const std::string& label, const std::string& signal, Colour colour = kUsual);
  /// A signal whose values are named by `table`: lines with a value in hexadecimal digits and a
  /// text.
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
