#include "topology/topology.hpp"

#include <fmt/format.h>

#include <vector>

#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

/// The most link ends that are checked one by one.
constexpr std::uint64_t kFewLinkEnds = 1000;

void demand_link(const Topology& t, Node x, Port p) {
  const Endpoint e = t.peer(x, p);
  if (!e.connected()) return;
  const auto at = [&] { return fmt::format("port {} of node {} of {}", p, x, t.spec()); };
  demand(e.node < t.nodes() && e.port < t.ports(), at() + " leads outside");
  demand(e.node != x, at() + " leads back to its own node");
  demand(t.peer(e.node, e.port) == Endpoint{x, p}, at() + " is not its neighbour's neighbour");
  demand(t.sends(x, p) || t.sends(e.node, e.port), at() + " leads neither way");
  if (!t.sends(x, p)) return;
  std::uint32_t lane = 0;  // several links between two nodes are numbered from 0 on
  while (t.port_to(x, e.node, lane) != p && t.port_to(x, e.node, lane) != kNoPort) ++lane;
  demand(t.port_to(x, e.node, lane) == p, at() + " is not the port of a link to its neighbour");
}

void demand_connected(const Topology& t) {
  std::vector<bool> seen(t.nodes(), false);
  std::vector<Node> stack = {0};
  seen[0] = true;
  Node reached = 0;
  while (!stack.empty()) {
    const Node x = stack.back();
    stack.pop_back();
    ++reached;
    for (Port p = 0; p < t.ports(); ++p) {
      const Endpoint e = t.peer(x, p);
      if (!e.connected() || seen[e.node]) continue;
      seen[e.node] = true;
      stack.push_back(e.node);
    }
  }
  demand(reached == t.nodes(), t.spec() + " is not connected");
}

/// Translations form a group and map links to links.
void demand_translations(const Topology& t, Node by) {
  demand(t.translate(by, t.negate(by)) == 0, "a translation and its inverse do not cancel");
  for (Port p = 0; p < t.ports(); ++p) {
    const Endpoint e = t.peer(0, p);
    const Endpoint moved = t.peer(t.translate(0, by), p);
    demand(e.connected() == moved.connected(), "a translation takes a link to none");
    if (e.connected()) demand(t.translate(e.node, by) == moved.node, "a translation breaks a link");
  }
}

}  // namespace

void demand_consistent(const Topology& t) {
  demand(t.nodes() >= 2 && t.ports() >= 1, t.spec() + " has no link");
  const bool small = std::uint64_t{t.nodes()} * t.ports() <= kFewLinkEnds;
  const Node step = small ? 1 : 1 + t.nodes() / 16;
  for (std::uint64_t x = 0; x < t.nodes(); x += step) {
    const Node node = static_cast<Node>(x);
    Port degree = 0;
    for (Port p = 0; p < t.ports(); ++p) {
      demand_link(t, node, p);
      degree += t.peer(node, p).connected();
      if (!small && p > 62) break;
    }
    if (small) demand(degree == t.degree(node), "degree() counts other links than there are");
    if (t.translatable()) demand_translations(t, node);
  }
  if (small) demand_connected(t);
}

void topology(std::string_view input) {
  // Messages about edge files name other places.
  const bool file = input.find("edges:") != std::string_view::npos;
  const auto t = answer(file ? "" : "topology '", [&] { return Topology::parse(input); });
  if (!t) return;
  demand(t->spec() == input, "a topology should keep its text");
  demand_consistent(*t);
}

void edges(std::string_view input) {
  const std::string file = scratch_folder().file("edges.json", input);
  const auto t = answer(file + ": ", [&] { return Topology::parse("edges:" + file); });
  if (!t) return;
  demand_consistent(*t);
  const std::string text = edges_text(*t);
  if (text.empty()) return;
  const std::string again = scratch_folder().file("again.json", text);
  demand(t->factors()[0].peers == Topology::parse("edges:" + again).factors()[0].peers,
         "edges written and read again should make the same graph");
}

std::string edges_text(const Topology& t) {
  if (std::uint64_t{t.nodes()} * t.ports() > kFewLinkEnds) return "";
  std::string list;
  const auto& stages = t.factors()[0].stages;
  for (Node x = 0; x < t.nodes(); ++x) {
    for (Port p = 0; p < t.ports(); ++p) {
      const Endpoint e = t.peer(x, p);
      if (!t.sends(x, p)) continue;
      const bool back = t.sends(e.node, e.port);
      if (back && x > e.node) continue;
      list += fmt::format(R"(,{{"link":[{},{}],"stages":{},"one_way":{}}})", x, e.node,
                          stages.empty() ? 0 : stages[p], !back);
    }
  }
  return fmt::format("{{\"n\":{},\"edges\":[{}]}}", t.nodes(), list.substr(1));
}

}  // namespace gossamer::fuzz
