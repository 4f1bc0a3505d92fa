#include "schedule/faults.hpp"

#include <algorithm>

#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

/// Drawing takes time and memory that grow with the number of nodes.
constexpr Node kMostNodes = 4096;
constexpr std::uint32_t kSeed = 7;

template <typename T>
bool sorted_once(const std::vector<T>& list) {
  return std::ranges::adjacent_find(list, std::greater_equal<>()) == list.end();
}

void demand_sound(const FaultSet& set, const Topology& t) {
  demand(sorted_once(set.nodes) && sorted_once(set.arcs), "faults should be sorted, each once");
  for (const Node x : set.nodes) demand(x < t.nodes(), "a fault names a node that does not exist");
  for (const Arc& a : set.arcs) {
    demand(a.from < t.nodes() && a.to < t.nodes() && t.port_to(a.from, a.to) != kNoPort,
           "a fault names a link that does not exist");
    demand(set.dead(a.from, a.to) && set.silent(a.from, a.to), "a dead arc should be dead");
  }
  for (const Node x : set.nodes) demand(set.dead(x), "a dead node should be dead");
}

}  // namespace

void faults(std::string_view input) {
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return;
  const auto t = answer("", [&] { return Topology::parse(input.substr(0, end)); });
  if (!t || t->nodes() > kMostNodes) return;
  const std::string_view text = input.substr(end + 1);
  const auto set = answer("faults: ", [&] { return parse_faults(text, *t, kSeed); });
  if (!set) return;
  demand_sound(*set, *t);
  demand(parse_faults(text, *t, kSeed) == *set, "the same text should draw the same faults");
  FaultSet written = parse_faults(to_string(*set), *t, kSeed);
  if (set->empty()) written.from_round = set->from_round;
  demand(written == *set, "faults written and read again should be the same: " + to_string(*set));
  const auto spared = answer("faults: ", [&] { return parse_faults(text, *t, kSeed, Node{0}); });
  if (spared) demand_sound(*spared, *t);
}

}  // namespace gossamer::fuzz
