#pragma once

#include <fmt/format.h>

#include <sstream>

#include "support/error.hpp"
#include "support/file.hpp"
#include "tables/mem_image.hpp"

/// Reads what write_mem_images wrote for a node.
namespace gossamer {

inline std::string mem_file(const std::string& folder, Node x, const std::string& what) {
  return fmt::format("{}/node_{:04}_{}.mem", folder, x, what);
}

/// The lines of a hex file with 8 digits per word, least significant word first.
inline std::vector<std::vector<std::uint32_t>> mem_lines(const std::string& file,
                                                         unsigned words_per_line) {
  std::vector<std::vector<std::uint32_t>> lines;
  std::istringstream in(read_file(file));
  for (std::string line; std::getline(in, line);) {
    if (line.size() != 8 * words_per_line ||
        line.find_first_not_of("0123456789abcdef") != std::string::npos) {
      throw InputError(
          fmt::format("{}:{}: expected {} hex digits", file, lines.size() + 1, 8 * words_per_line));
    }
    auto& words = lines.emplace_back();
    for (std::size_t at = line.size(); at > 0; at -= 8) {
      words.push_back(static_cast<std::uint32_t>(std::stoul(line.substr(at - 8, 8), nullptr, 16)));
    }
  }
  return lines;
}

/// A node's program without the padding.
inline NodeProgram read_mem_program(const std::string& folder, Node node, const NodeKind& kind) {
  NodeProgram program;
  for (const auto& words :
       mem_lines(mem_file(folder, node, "slots"), (slot_bits(kind) + 31) / 32)) {
    program.slots.push_back(decode_slot(words, kind));
    if (program.slots.back().final) break;
  }
  for (unsigned c = 0; c < kind.channels; ++c) {
    std::vector<Segment>& list = program.channels.emplace_back();
    const std::string file = mem_file(folder, node, fmt::format("list_{:02}", c));
    for (const auto& words : mem_lines(file, rtl::SEG_W / 32)) {
      const Segment segment = decode_segment(words);
      if (segment.count == 0) break;
      list.push_back(segment);
    }
  }
  return program;
}

inline std::vector<std::uint32_t> read_mem_own_words(const std::string& folder, Node node) {
  const std::string count_file = mem_file(folder, node, "own_words");
  std::istringstream in(read_file(count_file));
  std::size_t count = 0;
  const auto lines = mem_lines(mem_file(folder, node, "own"), 1);
  if (!(in >> std::hex >> count) || count > lines.size()) {
    throw InputError(fmt::format("{}: expected a hex number up to {:x}", count_file, lines.size()));
  }
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(lines[i][0]);
  return words;
}

}  // namespace gossamer
