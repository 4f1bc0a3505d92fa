#include "schedule/missing_by_node.hpp"

#include <fmt/format.h>

namespace gossamer {
namespace {

constexpr std::size_t kMostRuns = 6;

struct Runs {
  std::vector<std::string> parts;
  bool all = false;
};

Runs runs_of(std::span<const Node> numbers, std::uint64_t count) {
  Runs runs;
  std::size_t i = 0;
  while (i < numbers.size() && runs.parts.size() < kMostRuns) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    runs.parts.push_back(last == i ? std::to_string(numbers[i])
                                   : fmt::format("{}-{}", numbers[i], numbers[last]));
    i = last + 1;
  }
  runs.all = i == count;
  return runs;
}

}  // namespace

void MissingByNode::add(Node node, std::vector<Node> origins, std::uint64_t count) {
  const auto known = numbers_.find({count, origins});
  if (known != numbers_.end()) {
    groups_[known->second].nodes.push_back(node);
  } else if (groups_.size() < most_) {
    numbers_.emplace(std::pair(count, origins), groups_.size());
    groups_.push_back({{node}, std::move(origins), count});
  }
}

std::string runs_text(std::span<const Node> numbers, std::uint64_t count) {
  const Runs runs = runs_of(numbers, count);
  return fmt::format("{}{}", fmt::join(runs.parts, ", "), runs.all ? "" : ", ...");
}

std::string nodes_text(std::span<const Node> nodes) {
  if (nodes.size() == 1) return fmt::format("node {}", nodes[0]);
  Runs runs = runs_of(nodes, nodes.size());
  if (!runs.all)
    return fmt::format("nodes {}, ... ({})", fmt::join(runs.parts, ", "), nodes.size());
  const std::string last = std::move(runs.parts.back());
  runs.parts.pop_back();
  return fmt::format("nodes {}{}{}", fmt::join(runs.parts, ", "), runs.parts.empty() ? "" : " and ",
                     last);
}

}  // namespace gossamer
