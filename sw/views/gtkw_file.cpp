#include "views/gtkw_file.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gossamer {
namespace {

// Flag bits in a save file that select a row's format.
constexpr std::uint64_t kHexadecimal = 0x2;
constexpr std::uint64_t kDecimal = 0x4;
constexpr std::uint64_t kBinary = 0x8;
constexpr std::uint64_t kRightJustified = 0x20;
constexpr std::uint64_t kBlank = 0x200;
constexpr std::uint64_t kCollapsed = 0x1000;
constexpr std::uint64_t kTranslated = 0x2000;
constexpr std::uint64_t kClosed = 0x400000;
constexpr std::uint64_t kGroupBegin = 0x800000;
constexpr std::uint64_t kGroupEnd = 0x1000000;
constexpr std::uint64_t kEnumerated = 0x100000000;  // its names belong to binary values

/// The frame of the window, and the collapsed signal tree at its left.
constexpr int kOtherWidth = 60;
/// GTKWave's zoom is minus the logarithm of the time that this many pixels show.
constexpr double kZoomPixels = 200;
/// Named markers of a save file beside the first one.
constexpr int kOtherMarkers = 25;

}  // namespace

void GtkwFile::open_group(const std::string& name, bool closed) {
  rows_ += fmt::format("@{:x}\n-{}\n", kGroupBegin | kBlank | (closed ? kClosed : 0), name);
  groups_.push_back({name, closed});
}

void GtkwFile::close_group() {
  const Group group = groups_.back();
  groups_.pop_back();
  rows_ += fmt::format("@{:x}\n-{}\n",
                       kGroupEnd | kBlank | (group.closed ? kClosed | kCollapsed : 0), group.name);
}

void GtkwFile::row(std::uint64_t flags, const std::string& label, const std::string& signal,
                   Colour colour, const std::string& table) {
  const bool several = signal.find(' ') != std::string::npos;
  rows_ += fmt::format("@{:x}\n", flags);
  if (colour != kUsual) rows_ += fmt::format("[color] {}\n", static_cast<int>(colour));
  if (!table.empty()) rows_ += fmt::format("^1 {}\n", table);
  rows_ += fmt::format("{}{{{}}} {}\n", several ? '#' : '+', label, signal);
}

std::string GtkwFile::bit_of(const std::string& vector, unsigned width, unsigned index) {
  // GTKWave counts from the leftmost bit.
  return fmt::format("({}){}[{}:0]", width - 1 - index, vector, width - 1);
}

void GtkwFile::bit(const std::string& label, const std::string& signal, Colour colour) {
  row(kBinary | kRightJustified, label, signal, colour);
}
void GtkwFile::number(const std::string& label, const std::string& signal, Colour colour) {
  row(kDecimal | kRightJustified, label, signal, colour);
}
void GtkwFile::state(const std::string& label, const std::string& signal, Colour colour) {
  row(kEnumerated | kBinary | kRightJustified, label, signal, colour);
}
void GtkwFile::translated(const std::string& label, const std::string& signal,
                          const std::string& table, Colour colour) {
  row(kTranslated | kHexadecimal | kRightJustified, label, signal, colour, table);
}

int GtkwFrame::waves_width() const { return width - names_width - kOtherWidth; }

std::string gtkw_text(const GtkwFile& file, const GtkwFrame& frame, const std::string& dump,
                      const std::string& save) {
  std::string text = fmt::format("[dumpfile] \"{}\"\n[savefile] \"{}\"\n", dump, save);
  text += fmt::format("[timestart] {}\n[size] {} {}\n[pos] -1 -1\n", frame.start, frame.width,
                      frame.height);
  text += fmt::format("*{:f} {} {}", -std::log2(kZoomPixels * frame.units_per_pixel), frame.marker,
                      frame.marker);
  for (int m = 0; m < kOtherMarkers; ++m) text += " -1";
  text += '\n';
  if (!frame.marker_name.empty()) text += fmt::format("[markername] A{}\n", frame.marker_name);
  if (frame.ruler_step != 0) text += fmt::format("[ruler] 0 {}\n", frame.ruler_step);
  text += fmt::format("[sst_width] 20\n[signals_width] {}\n[sst_expanded] 0\n", frame.names_width);
  return text + file.rows();
}

}  // namespace gossamer
