#include "schedule/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "support/error.hpp"
#include "support/file.hpp"

namespace gossamer {
namespace {

/// The numbers of a line, which commas part; blanks around them mean nothing.
std::vector<std::uint64_t> numbers_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::uint64_t> numbers;
  for (std::string_view rest = line;;) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::string_view word = rest.substr(0, end);
    word.remove_prefix(std::min(word.find_first_not_of(kBlanks), word.size()));
    word = word.substr(0, word.find_last_not_of(kBlanks) + 1);
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || stop != word.data() + word.size()) {
      throw InputError(
          fmt::format("'{}' is no number; expected origin,flits or "
                      "origin,destination,flits",
                      word));
    }
    numbers.push_back(value);
    if (end == rest.size()) return numbers;
    rest.remove_prefix(end + 1);
  }
}

/// Takes one line after the other.
class Reader {
 public:
  explicit Reader(Node nodes) : nodes_(nodes) {}

  void add(std::string_view line) {
    const std::vector<std::uint64_t> row = numbers_of(line);
    if (row.size() != 2 && row.size() != 3) {
      throw InputError(fmt::format("{} number{}; expected origin,flits or origin,destination,flits",
                                   row.size(), row.size() == 1 ? "" : "s"));
    }
    if (columns_ == 0) start(row.size());
    if (row.size() != columns_) {
      throw InputError(fmt::format("{} numbers after lines of {}; expected one kind of line",
                                   row.size(), columns_));
    }
    for (std::size_t i = 0; i + 1 < columns_; ++i) {
      if (row[i] < nodes_) continue;
      throw InputError(fmt::format("{} is no node; expected 0 to {}", row[i], nodes_ - 1));
    }
    if (row.back() > kMaxFlits) {
      throw InputError(
          fmt::format("{} flits of a message; expected 0 to {}", row.back(), kMaxFlits));
    }
    const std::size_t place = columns_ == 2 ? row[0] : row[0] * nodes_ + row[1];
    if (named_[place]) {
      throw InputError(columns_ == 2
                           ? fmt::format("origin {} is named twice", row[0])
                           : fmt::format("the pair {},{} is named twice", row[0], row[1]));
    }
    named_[place] = true;
    flits_[place] = static_cast<std::uint32_t>(row.back());
  }

  Sizes finish() {
    if (columns_ == 0) throw InputError("there are none; expected a line origin,flits at least");
    return {nodes_, std::move(flits_)};
  }

 private:
  void start(std::size_t columns) {
    /// A number for each pair is held in memory.
    constexpr Node kMostNodesOfPairs = 1u << 13;
    if (columns == 3 && nodes_ > kMostNodesOfPairs) {
      throw InputError(fmt::format("sizes of pairs are for {} nodes at most, here are {}",
                                   kMostNodesOfPairs, nodes_));
    }
    columns_ = columns;
    flits_.assign(columns == 2 ? nodes_ : std::size_t{nodes_} * nodes_, 0);
    named_.assign(flits_.size(), false);
  }

  Node nodes_;
  std::size_t columns_ = 0;  ///< of every line; 0: none was read
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
    Reader reader(nodes);
    std::string_view rest = content;
    for (std::size_t number = 1; !rest.empty(); ++number) {
      where = fmt::format("sizes: {}:{}", file, number);
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      const bool names =
          number == 1 && (line == "origin,flits" || line == "origin,destination,flits");
      if (!names && line.find_first_not_of(" \t") != std::string_view::npos) reader.add(line);
    }
    where = "sizes: " + file;
    return reader.finish();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()));
  }
}

}  // namespace gossamer
