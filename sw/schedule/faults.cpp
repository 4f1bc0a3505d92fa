#include "schedule/faults.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gossamer {

bool FaultSet::dead(Node node) const { return std::ranges::binary_search(nodes, node); }

bool FaultSet::dead(Node from, Node to) const { return silent(from, to) || dead(to); }

bool FaultSet::silent(Node from, Node to) const {
  return dead(from) || std::ranges::binary_search(arcs, Arc{from, to});
}

void add_link(FaultSet& faults, Node a, Node b) {
  faults.arcs.push_back({a, b});
  faults.arcs.push_back({b, a});
}

void normalize(FaultSet& faults) {
  const auto once = [](auto& list) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  once(faults.nodes);
  once(faults.arcs);
}

FaultLinks links_of(const FaultSet& faults) {
  FaultLinks out;
  std::vector<Arc> sorted = faults.arcs;
  std::ranges::sort(sorted);
  for (const Arc& arc : faults.arcs) {
    const Arc back{arc.to, arc.from};
    if (!std::ranges::binary_search(sorted, back)) {
      out.arcs.push_back(arc);
    } else if (arc.from < arc.to) {
      out.links.emplace_back(arc.from, arc.to);
    }
  }
  return out;
}

std::string to_string(const FaultSet& faults) {
  if (faults.empty()) return "none";
  std::string text;
  const auto part = [&text](std::string_view key, const std::vector<std::string>& words) {
    if (words.empty()) return;
    text += fmt::format("{}{}={}", text.empty() ? "" : ";", key, fmt::join(words, ","));
  };
  const FaultLinks parts = links_of(faults);
  std::vector<std::string> nodes, links, arcs;
  for (const Node x : faults.nodes) nodes.push_back(std::to_string(x));
  for (const auto& [a, b] : parts.links) links.push_back(fmt::format("{}-{}", a, b));
  for (const Arc& arc : parts.arcs) arcs.push_back(fmt::format("{}>{}", arc.from, arc.to));
  part("nodes", nodes);
  part("links", links);
  part("arcs", arcs);
  if (faults.from_round != 1) text += fmt::format(";from={}", faults.from_round);
  return text;
}

}  // namespace gossamer
