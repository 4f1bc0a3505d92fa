#pragma once

#include <array>
#include <string_view>

namespace gossamer {

/// A colour by its name in GTKWave (X11's) and as browsers write it.
struct OriginColour {
  std::string_view x11, css;
};

/// The colour of origin x's flits is number x modulo their count, in waveforms and reports alike.
/// Dark enough for white text. Neighbouring origins differ.
inline constexpr std::array<OriginColour, 8> kOriginColours = {{{"DarkGreen", "#006400"},
                                                                {"DarkBlue", "#00008b"},
                                                                {"DarkRed", "#8b0000"},
                                                                {"DarkCyan", "#008b8b"},
                                                                {"DarkMagenta", "#8b008b"},
                                                                {"Sienna4", "#8b4726"},
                                                                {"DarkSlateGray", "#2f4f4f"},
                                                                {"DarkOliveGreen", "#556b2f"}}};

}  // namespace gossamer
