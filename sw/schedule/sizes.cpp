#include "schedule/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "support/error.hpp"
#include "support/file.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

/// The numbers of a line, which commas part; blanks around them mean nothing.
std::vector<std::uint64_t> numbers_of(std::string_view line) {
  std::vector<std::uint64_t> numbers;
  for (const std::string_view part : split(line, ',')) {
    const std::string_view word = trimmed(part, " \t\r");
    const auto value = number_of<std::uint64_t>(word);
    if (!value) {
      throw InputError(
          fmt::format("'{}' is no number; expected origin,flits or "
                      "origin,destination,flits",
                      word));
    }
    numbers.push_back(*value);
  }
  return numbers;
}

constexpr std::string_view kPairs = "origin,destination,flits", kSquare = "square";

/// Takes one line after the other. Lines of as many numbers as there are nodes are a square; of two
/// or three nodes only if a first line says so.
class SizesReader {
 public:
  explicit SizesReader(Node nodes) : nodes_(nodes) {}

  /// Is it a first line that says what the others are?
  bool names(std::string_view line) {
    square_ = line == kSquare;
    named_kind_ = square_ || line == "origin,flits" || line == kPairs;
    return named_kind_;
  }

  void add(std::string_view line) {
    const std::vector<std::uint64_t> row = numbers_of(line);
    if (columns_ == 0) start(row.size());
    if (row.size() != columns_) {
      throw InputError(fmt::format("{} numbers after lines of {}; expected one kind of line",
                                   row.size(), columns_));
    }
    square_ ? add_of_origin(row) : add_named(row);
    ++rows_;
  }

  Sizes finish() {
    if (columns_ == 0) throw InputError("there are none; expected a line origin,flits at least");
    if (square_ && rows_ < nodes_) {
      throw InputError(fmt::format("a square of {} rows; expected {}", rows_, nodes_));
    }
    if (!named_kind_ && nodes_ == 3 && columns_ == 3 && rows_ == 3) {
      throw InputError(
          fmt::format("3 lines of 3 numbers are a square, or {0}: let a first line say {1} or {0}",
                      kPairs, kSquare));
    }
    return {nodes_, std::move(flits_)};
  }

 private:
  void start(std::size_t columns) {
    /// A number for each pair is held in memory.
    constexpr Node kMostNodesOfPairs = 1u << 13;
    if (!named_kind_) square_ = columns == nodes_ && nodes_ > 3;
    if (square_ ? columns != nodes_ : columns != 2 && columns != 3) {
      throw InputError(fmt::format(
          "{} number{}; expected origin,flits or {}, or {} of a square: from each node to each",
          columns, columns == 1 ? "" : "s", kPairs, nodes_));
    }
    if (columns > 2 && nodes_ > kMostNodesOfPairs) {
      throw InputError(fmt::format("sizes of pairs are for {} nodes at most, here are {}",
                                   kMostNodesOfPairs, nodes_));
    }
    columns_ = columns;
    flits_.assign(columns == 2 && !square_ ? nodes_ : std::size_t{nodes_} * nodes_, 0);
    named_.assign(square_ ? 0 : flits_.size(), false);
  }

  static std::uint32_t flits(std::uint64_t number) {
    if (number <= kMaxFlits) return static_cast<std::uint32_t>(number);
    throw InputError(fmt::format("{} flits of a message; expected 0 to {}", number, kMaxFlits));
  }

  /// A row of the square.
  void add_of_origin(const std::vector<std::uint64_t>& row) {
    if (rows_ == nodes_) throw InputError(fmt::format("a row more than {} of a square", nodes_));
    for (std::size_t i = 0; i < nodes_; ++i) flits_[rows_ * nodes_ + i] = flits(row[i]);
  }

  void add_named(const std::vector<std::uint64_t>& row) {
    for (std::size_t i = 0; i + 1 < columns_; ++i) {
      if (row[i] < nodes_) continue;
      throw InputError(fmt::format("{} is no node; expected 0 to {}", row[i], nodes_ - 1));
    }
    const std::size_t place = columns_ == 2 ? row[0] : row[0] * nodes_ + row[1];
    if (named_[place]) {
      throw InputError(columns_ == 2
                           ? fmt::format("origin {} is named twice", row[0])
                           : fmt::format("the pair {},{} is named twice", row[0], row[1]));
    }
    named_[place] = true;
    flits_[place] = flits(row.back());
  }

  Node nodes_;
  std::size_t columns_ = 0;  ///< of every line; 0: none was read
  std::size_t rows_ = 0;
  bool square_ = false;
  bool named_kind_ = false;  ///< by a first line
  std::vector<std::uint32_t> flits_;
  std::vector<bool> named_;
};

}  // namespace

std::uint32_t Sizes::most() const { return std::max(1u, std::ranges::max(*flits_)); }

Sizes read_sizes(const std::string& file, Node nodes) {
  if (file.empty()) return {};
  std::string where = "sizes";
  try {
    const std::string content = read_file(file);
    SizesReader reader(nodes);
    std::string_view rest = content;
    for (std::size_t number = 1; !rest.empty(); ++number) {
      where = fmt::format("sizes: {}:{}", file, number);
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (number == 1 && reader.names(line)) continue;
      if (line.find_first_not_of(" \t") != std::string_view::npos) reader.add(line);
    }
    where = "sizes: " + file;
    return reader.finish();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()));
  }
}

}  // namespace gossamer
