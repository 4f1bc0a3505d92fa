#include "schedule/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "support/error.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/words.hpp"

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
  if (faults.from_cycle != 0) text += fmt::format(";cycle={}", faults.from_cycle);
  return text;
}

namespace {

[[noreturn]] void fail(const std::string& why) { throw InputError("faults: " + why); }

/// A generator that draws the same numbers with every standard library.
class Draw {
 public:
  explicit Draw(std::uint32_t seed) : bits_(seed) {}
  /// A number below `bound`, all equally likely.
  std::uint32_t below(std::uint32_t bound) {
    const std::uint32_t too_high =
        static_cast<std::uint32_t>((std::uint64_t{1} << 32) / bound * bound - 1);
    std::uint32_t bits = draw();
    while (bits > too_high) bits = draw();
    return bits % bound;
  }
  /// True with this probability.
  bool chance(double probability) { return draw() < std::ldexp(probability, 32); }

 private:
  std::uint32_t draw() { return static_cast<std::uint32_t>(bits_()); }
  std::mt19937 bits_;
};

/// A node or a link of a topology.
struct Element {
  Node a = 0;
  Node b = kNoNode;  ///< kNoNode: the element is node a

  void add_to(FaultSet& faults) const {
    if (b == kNoNode) {
      faults.nodes.push_back(a);
    } else {
      add_link(faults, a, b);
    }
  }
};

/// All nodes, then all links.
std::vector<Element> elements_of(const Topology& topology) {
  std::vector<Element> all;
  const std::uint64_t most =
      std::uint64_t{topology.nodes()} + std::uint64_t{topology.nodes()} * topology.ports() / 2;
  require_memory(static_cast<double>(most) * sizeof(Element),
                 fmt::format("faults: the list of all nodes and links of {}", topology.spec()));
  all.reserve(most);
  for (Node x = 0; x < topology.nodes(); ++x) all.push_back({x, kNoNode});
  for (Node x = 0; x < topology.nodes(); ++x) {
    stop_if_interrupted();
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (e.connected() && x < e.node) all.push_back({x, e.node});
    }
  }
  return all;
}

/// The least of the sets' translations that has a fault at node 0: that of all in its class.
FaultSet least_translation(const FaultSet& faults, const Topology& topology) {
  std::vector<Node> ends = faults.nodes;
  for (const Arc& arc : faults.arcs) ends.push_back(arc.from);
  std::optional<FaultSet> least;
  for (const Node end : ends) {
    const Translation move(topology, topology.negate(end));
    FaultSet moved;
    for (const Node x : faults.nodes) moved.nodes.push_back(move(x));
    for (const Arc& arc : faults.arcs) moved.arcs.push_back({move(arc.from), move(arc.to)});
    normalize(moved);
    const auto key = [](const FaultSet& set) { return std::tie(set.nodes, set.arcs); };
    if (!least || key(moved) < key(*least)) least = std::move(moved);
  }
  return *least;
}

class FaultTextReader {
 public:
  FaultTextReader(const Topology& topology, std::uint32_t seed, std::optional<Node> spared)
      : topology_(topology), draw_(seed), spared_(spared) {}

  FaultSet read(std::string_view text) {
    if (text == "none") return {};
    for (const std::string_view part : split(text, ';')) read_part(part);
    if (!named_) {
      fail("'from' and 'cycle' say when; also name what is faulty (nodes, links or arcs)");
    }
    normalize(faults_);
    return std::move(faults_);
  }

 private:
  void read_part(std::string_view part) {
    const std::size_t sign = part.find_first_of("=:");
    const std::string_view key = part.substr(0, sign);
    static constexpr std::array<std::string_view, 7> kParts = {
        "nodes=", "links=", "arcs=", "random:", "rate:", "from=", "cycle="};
    const std::string_view start = sign == std::string_view::npos ? part : part.substr(0, sign + 1);
    if (std::ranges::find(kParts, start) == kParts.end()) {
      const std::string_view near = nearest_name(start, kParts);
      fail(fmt::format(
          "'{}' is no part{} nodes=3,17 links=0-1 arcs=4>5 random:4 rate:0.05 from=3, "
          "with ';' between them",
          part, near.empty() ? "; expected" : fmt::format(": did you mean '{}'? Expected", near)));
    }
    const std::string_view value = part.substr(sign + 1);
    if (key == "from") return read_first("round", part, value, faults_.from_round);
    if (key == "cycle") return read_first("cycle", part, value, faults_.from_cycle);
    named_ = true;
    if (key == "random") return read_random(value);
    if (key == "rate") return read_rate(value);
    for (const std::string_view word : split(value, ',')) {
      if (key == "nodes") {
        const Node x = node(word, word);
        once(word, {x, x});
        faults_.nodes.push_back(x);
      } else {
        const Arc arc = pair(word, key == "links" ? '-' : '>');
        faults_.arcs.push_back(once(word, arc));
        if (key == "links") faults_.arcs.push_back(once(word, {arc.to, arc.from}));
      }
    }
  }

  /// Of what is named, not drawn.
  Arc once(std::string_view word, Arc arc) {
    if (!told_.insert(arc).second) fail(fmt::format("{} is named twice", word));
    return arc;
  }

  Node node(std::string_view word, std::string_view shown) const {
    if (const auto x = topology_.node_named(word)) return *x;
    if (!number_of<Node>(word)) {
      fail(fmt::format("'{}' is no node; expected a number from 0 to {}", shown, last_node()));
    }
    fail(fmt::format("node {} is no node of {}; nodes are 0 to {}", word, topology_.spec(),
                     last_node()));
  }

  Arc pair(std::string_view word, char sign) const {
    const auto ends = split(word, sign);
    if (ends.size() != 2) {
      fail(fmt::format("'{}' is no link; expected two nodes such as 0{}1", word, sign));
    }
    const Arc arc{node(ends[0], word), node(ends[1], word)};
    const bool there = topology_.port_to(arc.from, arc.to) != kNoPort;
    if (!there && (sign == '>' || topology_.port_to(arc.to, arc.from) == kNoPort)) {
      fail(fmt::format("{} is no link of {}", word, topology_.spec()));
    }
    return arc;
  }

  void read_first(const char* what, std::string_view part, std::string_view word,
                  std::uint32_t& first) {
    const auto number = number_of<std::uint32_t>(word);
    if (!number || *number < 1 || *number > kMaxRound) {
      fail(fmt::format("{} is no {}; expected a number from 1 to {}", part, what, kMaxRound));
    }
    first = *number;
  }

  void read_random(std::string_view word) {
    std::vector<Element> all = elements();
    const auto count = number_of<std::uint32_t>(word);
    if (!count || *count > all.size()) {
      fail(fmt::format("random:{} is no number of faults; {} has {} nodes and links to draw from",
                       word, topology_.spec(), all.size()));
    }
    for (std::uint32_t i = 0; i < *count; ++i) {
      std::swap(all[i], all[i + draw_.below(static_cast<std::uint32_t>(all.size()) - i)]);
      add(all[i]);
    }
  }

  void read_rate(std::string_view word) {
    const auto rate = number_of<double>(word);
    if (!rate || !(*rate >= 0 && *rate <= 1)) {
      fail(fmt::format("rate:{} is no probability; expected a number from 0 to 1", word));
    }
    for (const Element& e : elements()) {
      if (draw_.chance(*rate)) add(e);
    }
  }

  std::vector<Element> elements() const {
    std::vector<Element> all = elements_of(topology_);
    std::erase_if(all, [&](const Element& e) { return e.b == kNoNode && e.a == spared_; });
    return all;
  }

  void add(const Element& e) { e.add_to(faults_); }

  Node last_node() const { return topology_.nodes() - 1; }

  const Topology& topology_;
  Draw draw_;
  std::optional<Node> spared_;
  FaultSet faults_;
  bool named_ = false;
  std::set<Arc> told_;
};

}  // namespace

bool names_each(std::string_view text) { return text.starts_with("each:"); }

std::vector<FaultClass> each_fault(std::string_view text, const Topology& topology, bool alike) {
  static constexpr std::array<std::string_view, 4> kKinds = {"each:link", "each:node",
                                                             "each:single", "each:2links"};
  constexpr std::uint64_t kMost = 1'000'000;
  if (std::ranges::find(kKinds, text) == kKinds.end()) {
    fail(fmt::format("'{}' is nothing to do for each: {}", text, suggestion(text, kKinds)));
  }
  const bool pairs = text == "each:2links";
  std::vector<Element> all = elements_of(topology);
  std::erase_if(all, [&](const Element& e) {
    return text != "each:single" && (e.b == kNoNode) != (text == "each:node");
  });
  if (pairs && all.size() * (all.size() - 1) / 2 > kMost) {
    fail(fmt::format("{} has more than {} pairs of links", topology.spec(), kMost));
  }
  std::vector<FaultClass> classes;
  std::map<std::string, std::size_t> number;
  const auto count = [&](FaultSet faults) {
    stop_if_interrupted();
    normalize(faults);
    if (alike && topology.translatable()) faults = least_translation(faults, topology);
    const auto [place, is_new] = number.try_emplace(to_string(faults), classes.size());
    if (is_new) {
      classes.push_back({std::move(faults)});
    } else {
      ++classes[place->second].sets;
    }
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    FaultSet faults;
    all[i].add_to(faults);
    if (!pairs) count(faults);
    for (std::size_t k = i + 1; pairs && k < all.size(); ++k) {
      FaultSet both = faults;
      all[k].add_to(both);
      count(std::move(both));
    }
  }
  return classes;
}

FaultSet parse_faults(std::string_view text, const Topology& topology, std::uint32_t seed,
                      std::optional<Node> spared) {
  return FaultTextReader(topology, seed, spared).read(text);
}

}  // namespace gossamer
