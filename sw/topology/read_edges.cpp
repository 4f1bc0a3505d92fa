#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "support/error.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"
#include "support/json.hpp"
#include "topology/families.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kExample = R"({"n":6,"edges":[[0,1],[1,2],...]})";

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw InputError(fmt::format("{}: {}", file, why));
}

Json load(const std::string& file) {
  const std::string text = read_file(file);
  ParsedJson parsed;
  try {
    parsed = parse_json(text);
  } catch (const InputError& error) {
    fail(file, fmt::format("{}; expected {}", error.what(), kExample));
  }
  if (!parsed.repeated_key.empty()) {
    fail(file, fmt::format("key \"{}\" appears twice", parsed.repeated_key));
  }
  return std::move(parsed.value);
}

Node node_count(const std::string& file, const Json& json) {
  if (!json.is_object() || !json.contains("n") || !json.contains("edges")) {
    fail(file, fmt::format("expected {}", kExample));
  }
  for (const auto& [key, value] : json.items()) {
    if (key == "n" || key == "edges") continue;
    fail(file, fmt::format("unknown key {}; expected {}, links in both directions",
                           shown(Json(key)), kExample));
  }
  const Json& n = json["n"];
  if (!n.is_number_unsigned() || n < 2 || n > std::uint64_t{1} << 27) {
    fail(file, fmt::format("\"n\" is {}; expected a number of nodes from 2 to 2^27", shown(n)));
  }
  return n.get<Node>();
}

/// The most links between two nodes: as many as a node has ports.
constexpr std::uint32_t kMostParallel = 63;

/// [a,b], or [a,b,k]: so many links.
std::pair<Edge, std::uint32_t> edge_of(const std::string& file, const Json& json, std::size_t index,
                                       Node nodes) {
  const auto is_node = [&](const Json& x) { return x.is_number_unsigned() && x < nodes; };
  const auto is_count = [](const Json& x) {
    return x.is_number_unsigned() && x >= 1 && x <= kMostParallel;
  };
  const bool counted = json.is_array() && json.size() == 3 && is_count(json[2]);
  if (!json.is_array() || !(json.size() == 2 || counted) || !is_node(json[0]) ||
      !is_node(json[1])) {
    fail(file, fmt::format("edge {} is {}; expected [a,b] with nodes from 0 to {}, or [a,b,k] for "
                           "k links, 1 to {}",
                           index, shown(json), nodes - 1, kMostParallel));
  }
  const Node a = json[0].get<Node>(), b = json[1].get<Node>();
  if (a == b) fail(file, fmt::format("edge {} is a self loop at node {}", index, a));
  return {std::minmax(a, b), counted ? json[2].get<std::uint32_t>() : 1};
}

/// A node that cannot be reached from node 0; kNoNode if all can be reached.
Node unreached(const Graph& graph) {
  std::vector<bool> seen(graph.nodes, false);
  std::vector<Node> stack = {0};
  seen[0] = true;
  while (!stack.empty()) {
    const Node x = stack.back();
    stack.pop_back();
    for (Port p = 0; p < graph.ports; ++p) {
      const Endpoint e = graph.peer(x, p);
      if (!e.connected() || seen[e.node]) continue;
      seen[e.node] = true;
      stack.push_back(e.node);
    }
  }
  const auto gap = std::find(seen.begin(), seen.end(), false);
  return gap == seen.end() ? kNoNode : static_cast<Node>(gap - seen.begin());
}

}  // namespace

Graph read_edges(const std::string& file) {
  const Json json = load(file);
  const Node nodes = node_count(file, json);
  const Json& list = json["edges"];
  if (!list.is_array()) fail(file, fmt::format("\"edges\" is no list; expected {}", kExample));

  if (list.size() + 1 < nodes) {
    fail(file, fmt::format("not connected: {} nodes need {} links at least, and there are {}",
                           nodes, nodes - 1, list.size()));
  }
  std::vector<Edge> edges;
  std::map<Edge, std::uint32_t> links;
  for (std::size_t i = 0; i < list.size(); ++i) {
    stop_if_interrupted();
    const auto [edge, count] = edge_of(file, list[i], i, nodes);
    edges.insert(edges.end(), count, edge);
    if ((links[edge] += count) > kMostParallel) {
      fail(file,
           fmt::format("edge {} is one more of {} links between {} and {}; expected {} at most", i,
                       links[edge], edge.first, edge.second, kMostParallel));
    }
  }
  Graph graph = graph_of_edges("edges:" + file, nodes, std::move(edges), /*parallel=*/true);
  if (const Node x = unreached(graph); x != kNoNode) {
    fail(file, fmt::format("not connected: node {} cannot be reached from node 0", x));
  }
  return graph;
}

}  // namespace gossamer
