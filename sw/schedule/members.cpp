#include "schedule/members.hpp"

#include <fmt/format.h>

#include <optional>

#include "support/error.hpp"
#include "support/file.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

/// "5" or "3-7", or a node's name.
void add_range(std::string_view word, const Topology& topology, std::vector<Node>& group) {
  if (const auto named = topology.node_named(word)) return group.push_back(*named);
  const std::vector<std::string_view> ends = split(word, '-');
  const auto first = number_of<Node>(ends.front()), last = number_of<Node>(ends.back());
  if (ends.size() > 2 || !first || !last || *first > *last) {
    throw InputError(fmt::format("'{}' is neither a node such as 5 nor a range such as 3-7", word));
  }
  if (*last >= topology.nodes()) {
    throw InputError(fmt::format("{} is no node of {}; expected 0 to {}", *last, topology.spec(),
                                 topology.nodes() - 1));
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
    throw InputError(fmt::format("{} is no node of {}; expected 0 to {}", group_.back(),
                                 topology.spec(), topology.nodes() - 1));
  }
  const auto twice = std::ranges::adjacent_find(group_);
  if (twice != group_.end()) throw InputError(fmt::format("node {} is named twice", *twice));
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

namespace {

std::string runs_of(std::span<const Node> group) {
  std::string text;
  for (std::size_t i = 0; i < group.size();) {
    std::size_t last = i;
    while (last + 1 < group.size() && group[last + 1] == group[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", group[i]);
    if (last > i) text += fmt::format("-{}", group[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

std::string Members::text() const {
  if (!several()) return runs_of(group_);
  std::string text;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (i > 0) text += '/';
    std::vector<Node> rest = groups_[i];
    if (roots_[i] != rest[0]) {
      std::erase(rest, roots_[i]);
      text += fmt::format("{},", roots_[i]);
    }
    text += runs_of(rest);
  }
  return text;
}

Members parse_members(std::string_view text, const Topology& topology) {
  if (text.empty()) return {};
  std::string where = "members";
  try {
    Groups groups(1);
    if (!text.starts_with('@')) {
      add_line(text, topology, groups);
      return {std::move(groups), topology};
    }
    const std::string file(text.substr(1)), content = read_file(file);
    std::string_view rest = content;
    for (std::size_t line = 1; !rest.empty(); ++line) {
      where = fmt::format("members: {}:{}", file, line);
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      add_line(rest.substr(0, end), topology, groups);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    where = "members: " + file;
    return {std::move(groups), topology};
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()));
  }
}

std::string members_from(std::string_view text, const std::string& folder) {
  if (!text.starts_with('@') || folder.empty()) return std::string(text);
  return "@" + file_beside(folder, std::string(text.substr(1)));
}

}  // namespace gossamer
