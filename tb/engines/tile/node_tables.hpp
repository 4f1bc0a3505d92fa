#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

inline constexpr unsigned kListWords = rtl::SEG_W / 32;
/// Words of a slot entry of a node with so many ports.
constexpr unsigned slot_words(Port ports) {
  return (rtl::SLOT_RECEIVE_LSB + ports + ports * std::bit_width(ports) + 31) / 32;
}

/// The memories of a program, as the table ports read them.
struct NodeTables {
  std::vector<std::uint32_t> slots;
  std::vector<std::vector<std::uint32_t>> lists;  ///< by channel
};

/// The memories of each program of an image.
std::vector<NodeTables> node_tables(const FabricImage& image);

}  // namespace gossamer::tb
