#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "support/error.hpp"
#include "topology/families.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kExample = R"({"n":6,"edges":[[0,1],[1,2],...]})";

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw InputError(fmt::format("{}: {}", file, why));
}

/// The parser's message without its name and number: "at line 2, column 5: ...".
std::string reason(const Json::parse_error& error) {
  const std::string text = error.what();
  const std::size_t at = text.find("parse error ");
  std::string tail = at == std::string::npos ? text : text.substr(at + 12);
  std::replace(tail.begin(), tail.end(), '\n', ' ');
  return tail;
}

Json load(const std::string& file) {
  std::ifstream in(file);
  if (!in) fail(file, "cannot open the file of edges");
  try {
    return Json::parse(in);
  } catch (const Json::parse_error& error) {
    fail(file, fmt::format("no JSON, {}", reason(error)));
  } catch (const Json::exception&) {
    fail(file, fmt::format("cannot be read as JSON; expected {}", kExample));
  }
}

Node node_count(const std::string& file, const Json& json) {
  if (!json.is_object() || !json.contains("n") || !json.contains("edges")) {
    fail(file, fmt::format("expected {}", kExample));
  }
  const Json& n = json["n"];
  if (!n.is_number_unsigned() || n < 2 || n > std::uint64_t{1} << 27) {
    fail(file, fmt::format("\"n\" is {}; expected a number of nodes from 2 to 2^27", n.dump()));
  }
  return n.get<Node>();
}

Edge edge_of(const std::string& file, const Json& json, std::size_t index, Node nodes) {
  const auto is_node = [&](const Json& x) { return x.is_number_unsigned() && x < nodes; };
  if (!json.is_array() || json.size() != 2 || !is_node(json[0]) || !is_node(json[1])) {
    fail(file, fmt::format("edge {} is {}; expected [a,b] with nodes from 0 to {}", index,
                           json.dump(), nodes - 1));
  }
  const Node a = json[0].get<Node>(), b = json[1].get<Node>();
  if (a == b) fail(file, fmt::format("edge {} is a self loop at node {}", index, a));
  return std::minmax(a, b);
}

/// A node that cannot be reached from node 0; kNoNode if all can.
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

  std::set<Edge> edges;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Edge edge = edge_of(file, list[i], i, nodes);
    if (!edges.insert(edge).second) {
      fail(file, fmt::format("edge {} repeats the link {}-{}", i, edge.first, edge.second));
    }
  }
  Graph graph = graph_of_edges("edges:" + file, nodes, {edges.begin(), edges.end()});
  if (const Node x = unreached(graph); x != kNoNode) {
    fail(file, fmt::format("not connected: node {} cannot be reached from node 0", x));
  }
  return graph;
}

}  // namespace gossamer
