#include "schedule/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "support/file.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

/// Numbers in ascending order as runs: "3", "5-9".
struct Runs {
  std::vector<std::string> parts;
  std::size_t numbers = 0;  ///< in these
};

Runs runs_of(std::span<const Node> numbers, std::size_t most) {
  Runs runs;
  while (runs.numbers < numbers.size() && runs.parts.size() < most) {
    const std::size_t first = runs.numbers;
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    runs.parts.push_back(last == first ? std::to_string(numbers[first])
                                       : fmt::format("{}-{}", numbers[first], numbers[last]));
    runs.numbers = last + 1;
  }
  return runs;
}

/// Calls take(line, number) with each line of a file. `where` then names the file and the line, and
/// at the end the file.
template <typename Take>
void each_line(const std::string& file, std::string& where, const Take& take) {
  const std::string content = read_file(file), what = where;
  std::string_view rest = content;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    where = fmt::format("{}: {}:{}", what, file, number);
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    take(rest.substr(0, end), number);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  where = fmt::format("{}: {}", what, file);
}

/// "5" or "3-7", or a node's name.
void add_range(std::string_view word, const Topology& topology, std::vector<Node>& group) {
  if (const auto named = topology.node_named(word)) return group.push_back(*named);
  const std::vector<std::string_view> ends = split(word, '-');
  const auto first = number_of<Node>(ends.front()), last = number_of<Node>(ends.back());
  if (ends.size() > 2 || !first || !last || *first > *last) {
    refuse("'{}' is neither a node such as 5 nor a range such as 3-7", word);
  }
  if (*last >= topology.nodes()) {
    refuse("{} is no node of {}; expected 0 to {}", *last, topology.spec(), topology.nodes() - 1);
  }
  for (Node x = *first; x <= *last; ++x) group.push_back(x);
}

using Groups = std::vector<std::vector<Node>>;

/// The words of a line, which commas and blanks part, and slashes part the groups.
void add_line(std::string_view line, const Topology& topology, Groups& groups) {
  constexpr std::string_view kBetween = ", \t\r", kEnds = ", \t\r/";
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kBetween), line.size()));
    if (line.empty()) return;
    const std::size_t end = std::min(line.find_first_of(kEnds), line.size());
    if (end > 0) {
      add_range(line.substr(0, end), topology, groups.back());
      line.remove_prefix(end);
    } else {
      groups.emplace_back();
      line.remove_prefix(1);
    }
  }
}

}  // namespace

Members::Members(std::vector<Node> group, const Topology& topology) : group_(std::move(group)) {
  if (group_.empty()) throw InputError("there are none; name one node at least");
  std::ranges::sort(group_);
  if (group_.back() >= topology.nodes()) {
    refuse("{} is no node of {}; expected 0 to {}", group_.back(), topology.spec(),
           topology.nodes() - 1);
  }
  const auto twice = std::ranges::adjacent_find(group_);
  if (twice != group_.end()) refuse("node {} is named twice", *twice);
  if (group_.size() == topology.nodes()) group_.clear();
}

Members::Members(Groups groups, const Topology& topology) {
  if (groups.size() == 1) {
    *this = Members(groups[0], topology);
    roots_ = {groups[0][0]};
    return;
  }
  std::vector<Node> all;
  for (const std::vector<Node>& group : groups) all.insert(all.end(), group.begin(), group.end());
  if (std::ranges::any_of(groups, &std::vector<Node>::empty)) {
    throw InputError("a group has no node; name one node at least");
  }
  *this = Members(all, topology);  // which finds fault with nodes
  group_ = std::move(all);
  std::ranges::sort(group_);
  group_of_.resize(group_.size());
  groups_ = std::move(groups);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    roots_.push_back(groups_[i][0]);
    std::ranges::sort(groups_[i]);
    for (const Node x : groups_[i]) {
      const auto at = std::ranges::lower_bound(group_, x);
      group_of_[static_cast<std::size_t>(at - group_.begin())] = i;
    }
  }
}

std::string Members::text() const {
  const auto all_runs = [](std::span<const Node> nodes) {
    return fmt::format("{}", fmt::join(runs_of(nodes, nodes.size()).parts, ","));
  };
  if (!several()) return all_runs(group_);
  std::string text;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (i > 0) text += '/';
    std::vector<Node> rest = groups_[i];
    if (roots_[i] != rest[0]) {
      std::erase(rest, roots_[i]);
      text += fmt::format("{},", roots_[i]);
    }
    text += all_runs(rest);
  }
  return text;
}

Members parse_members(std::string_view text, const Topology& topology) {
  if (text.empty()) return {};
  std::string where = "members";
  return in_place(where, [&]() -> Members {
    Groups groups(1);
    if (text.starts_with('@')) {
      each_line(std::string(text.substr(1)), where,
                [&](std::string_view line, std::size_t) { add_line(line, topology, groups); });
    } else {
      add_line(text, topology, groups);
    }
    return {std::move(groups), topology};
  });
}

std::string members_from(std::string_view text, const std::string& folder) {
  if (!text.starts_with('@') || folder.empty()) return std::string(text);
  return "@" + file_beside(folder, std::string(text.substr(1)));
}

namespace {

/// The numbers of a line, which commas part; blanks around them mean nothing.
std::vector<std::uint64_t> numbers_of(std::string_view line) {
  std::vector<std::uint64_t> numbers;
  for (const std::string_view part : split(line, ',')) {
    const std::string_view word = trimmed(part, " \t\r");
    const auto value = number_of<std::uint64_t>(word);
    if (!value) {
      refuse("'{}' is no number; expected origin,flits or origin,destination,flits", word);
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
      refuse("{} numbers after lines of {}; expected one kind of line", row.size(), columns_);
    }
    square_ ? add_of_origin(row) : add_named(row);
    ++rows_;
  }

  Sizes finish() {
    if (columns_ == 0) throw InputError("there are none; expected a line origin,flits at least");
    if (square_ && rows_ < nodes_) {
      refuse("a square of {} rows; expected {}", rows_, nodes_);
    }
    if (!named_kind_ && nodes_ == 3 && columns_ == 3 && rows_ == 3) {
      refuse("3 lines of 3 numbers are a square, or {0}: let a first line say {1} or {0}", kPairs,
             kSquare);
    }
    return {nodes_, std::move(flits_)};
  }

 private:
  void start(std::size_t columns) {
    /// A number for each pair is held in memory.
    constexpr Node kMostNodesOfPairs = 1u << 13;
    if (!named_kind_) square_ = columns == nodes_ && nodes_ > 3;
    if (square_ ? columns != nodes_ : columns != 2 && columns != 3) {
      refuse("{} number{}; expected origin,flits or {}, or {} of a square: from each node to each",
             columns, columns == 1 ? "" : "s", kPairs, nodes_);
    }
    if (columns > 2 && nodes_ > kMostNodesOfPairs) {
      refuse("sizes of pairs are for {} nodes at most, here are {}", kMostNodesOfPairs, nodes_);
    }
    columns_ = columns;
    flits_.assign(columns == 2 && !square_ ? nodes_ : std::size_t{nodes_} * nodes_, 0);
    named_.assign(square_ ? 0 : flits_.size(), false);
  }

  static std::uint32_t flits(std::uint64_t number) {
    if (number <= kMaxFlits) return static_cast<std::uint32_t>(number);
    refuse("{} flits of a message; expected 0 to {}", number, kMaxFlits);
  }

  /// A row of the square.
  void add_of_origin(const std::vector<std::uint64_t>& row) {
    if (rows_ == nodes_) refuse("a row more than {} of a square", nodes_);
    for (std::size_t i = 0; i < nodes_; ++i) flits_[rows_ * nodes_ + i] = flits(row[i]);
  }

  void add_named(const std::vector<std::uint64_t>& row) {
    for (std::size_t i = 0; i + 1 < columns_; ++i) {
      if (row[i] < nodes_) continue;
      refuse("{} is no node; expected 0 to {}", row[i], nodes_ - 1);
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
  return in_place(where, [&] {
    SizesReader reader(nodes);
    each_line(file, where, [&](std::string_view line, std::size_t number) {
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (number == 1 && reader.names(line)) return;
      if (line.find_first_not_of(" \t") != std::string_view::npos) reader.add(line);
    });
    return reader.finish();
  });
}

void MissingByNode::add(Node node, std::vector<Node> origins, std::uint64_t count) {
  const auto known = numbers_.find({count, origins});
  if (known != numbers_.end()) {
    groups_[known->second].nodes.push_back(node);
  } else if (groups_.size() < most_) {
    numbers_.emplace(std::pair(count, origins), groups_.size());
    groups_.push_back({{node}, std::move(origins), count});
  }
}

/// What a message names at most.
constexpr std::size_t kMostRuns = 6;

std::string runs_text(std::span<const Node> numbers, std::uint64_t count) {
  const Runs runs = runs_of(numbers, kMostRuns);
  return fmt::format("{}{}", fmt::join(runs.parts, ", "), runs.numbers == count ? "" : ", ...");
}

std::string nodes_text(std::span<const Node> nodes) {
  if (nodes.size() == 1) return fmt::format("node {}", nodes[0]);
  Runs runs = runs_of(nodes, kMostRuns);
  if (runs.numbers < nodes.size())
    return fmt::format("nodes {}, ... ({})", fmt::join(runs.parts, ", "), nodes.size());
  const std::string last = std::move(runs.parts.back());
  runs.parts.pop_back();
  return fmt::format("nodes {}{}{}", fmt::join(runs.parts, ", "), runs.parts.empty() ? "" : " and ",
                     last);
}

}  // namespace gossamer
