#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "support/file.hpp"
#include "support/job.hpp"
#include "support/json.hpp"
#include "support/memory.hpp"
#include "support/refuse.hpp"
#include "topology/families.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEdges = "edges:", kProduct = "product:";

template <typename Change>
std::string changed(std::string_view spec, Change change) {
  if (!spec.starts_with(kEdges)) return std::string(spec);
  return std::string(kEdges) + change(fs::path(spec.substr(kEdges.size())));
}

/// Changes the file names of all edge lists: of the topology itself, or of a product's factors.
template <typename Change>
std::string changed_lists(std::string_view spec, Change change) {
  if (!spec.starts_with(kProduct)) return changed(spec, change);
  std::vector<std::string> factors;
  for (const std::string_view factor : factors_of_product(spec.substr(kProduct.size()))) {
    factors.push_back(changed(factor, change));
  }
  return fmt::format("{}{}", kProduct, fmt::join(factors, ","));
}

}  // namespace

std::vector<std::string_view> factors_of_product(std::string_view list) {
  std::vector<std::string_view> factors;
  for (std::size_t begin = 0, end = 0; end < list.size(); begin = end + 1) {
    end = std::min(list.find(',', begin), list.size());
    // A factor has a colon: what has none is the rest of an edge list's name.
    while (end < list.size() && list.substr(begin).starts_with(kEdges)) {
      const std::size_t next = std::min(list.find(',', end + 1), list.size());
      if (list.substr(end, next - end).find(':') != std::string_view::npos) break;
      end = next;
    }
    factors.push_back(list.substr(begin, end - begin));
  }
  return factors;
}

std::string edge_lists_from(std::string_view spec, const std::string& folder) {
  if (folder.empty()) return std::string(spec);
  return changed_lists(spec,
                       [&](const fs::path& file) { return file_beside(folder, file.string()); });
}

std::string edge_lists_in(std::string_view spec, const std::string& folder) {
  if (folder.empty()) return std::string(spec);
  return changed_lists(spec, [&](const fs::path& file) {
    if (file.is_absolute()) return file.string();
    return fs::proximate(file, folder).string();
  });
}

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().string(); }

namespace {

/// The neighbours of every node, in increasing order; without repetition unless links are parallel.
class Neighbours {
 public:
  Neighbours(Node nodes, const std::vector<Edge>& edges, bool parallel)
      : begin_(std::size_t{nodes} + 1, 0) {
    for (const auto& [a, b] : edges) {
      stop_if_interrupted();
      if (a == b) continue;
      ++begin_[a + 1];
      ++begin_[b + 1];
    }
    for (Node x = 0; x < nodes; ++x) begin_[x + 1] += begin_[x];
    list_.resize(begin_[nodes]);
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (const auto& [a, b] : edges) {
      stop_if_interrupted();
      if (a == b) continue;
      list_[next[a]++] = b;
      list_[next[b]++] = a;
    }
    sort_each(nodes, parallel);
  }

  std::span<const Node> of(Node x) const {
    return {list_.data() + begin_[x], begin_[x + 1] - begin_[x]};
  }

 private:
  void sort_each(Node nodes, bool parallel) {
    std::size_t kept = 0;
    for (Node x = 0; x < nodes; ++x) {
      stop_if_interrupted();
      const auto first = list_.begin() + static_cast<std::ptrdiff_t>(begin_[x]);
      const auto last = list_.begin() + static_cast<std::ptrdiff_t>(begin_[x + 1]);
      std::sort(first, last);
      const auto end = parallel ? last : std::unique(first, last);
      const std::size_t begin = kept;
      for (auto y = first; y != end; ++y) list_[kept++] = *y;
      begin_[x] = begin;
    }
    begin_[nodes] = kept;
  }

  std::vector<std::size_t> begin_;
  std::vector<Node> list_;
};

}  // namespace

Graph graph_of_edges(std::string spec, Node nodes, std::vector<Edge> edges, bool parallel) {
  const Neighbours neighbours(nodes, edges, parallel);
  Graph graph{std::move(spec), nodes, 0, /*cyclic=*/false, {}};
  for (Node x = 0; x < nodes; ++x) {
    graph.ports = std::max(graph.ports, static_cast<Port>(neighbours.of(x).size()));
  }
  require_link_table(graph.spec, nodes, graph.ports);
  graph.peers.resize(std::size_t{nodes} * graph.ports);
  for (Node x = 0; x < nodes; ++x) {
    stop_if_interrupted();
    Endpoint* const row = graph.peers.data() + std::size_t{x} * graph.ports;
    for (std::size_t p = 0; p < neighbours.of(x).size(); ++p) {
      const Node y = neighbours.of(x)[p];
      const auto first = [&](Node from, Node to) {
        const auto all = neighbours.of(from);
        return static_cast<Port>(std::ranges::lower_bound(all, to) - all.begin());
      };
      const Port lane = static_cast<Port>(p) - first(x, y);
      row[p] = {y, first(y, x) + lane};
      graph.parallel = graph.parallel || lane > 0;
    }
  }
  return graph;
}

void require_link_table(const std::string& spec, std::uint64_t nodes, std::uint64_t ports) {
  const double bytes = static_cast<double>(nodes) * static_cast<double>(ports) * sizeof(Endpoint);
  const std::string what =
      fmt::format("{}: the table of links of {} nodes with up to {} each", spec, nodes, ports);
  if (bytes > static_cast<double>(kMaxLinkEnds * sizeof(Endpoint))) {
    throw TooLarge(fmt::format("{} needs {}; it may have {}", what, in_bytes(bytes),
                               in_bytes(static_cast<double>(kMaxLinkEnds * sizeof(Endpoint)))));
  }
  require_memory(bytes, what);
}

namespace {

/// The most register stages that a link of the hardware can have.
constexpr std::uint32_t kMostStages = 63;

constexpr std::string_view kExample = R"({"n":6,"edges":[[0,1],[1,2],...]})";

/// The most links between two nodes: as many as a node has ports.
constexpr std::uint32_t kMostParallel = 63;

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Graph read() {
    const Json json = load();
    read_nodes(json);
    const Json& list = json["edges"];
    if (!list.is_array()) fail("\"edges\" is no list; expected {}", kExample);
    if (list.size() + 1 < nodes_) {
      fail("not connected: {} nodes need {} links at least, and there are {}", nodes_, nodes_ - 1,
           list.size());
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      stop_if_interrupted();
      read_edge(list[i], i);
    }
    Graph graph = joined();
    check_connected(graph);
    graph.names = std::move(names_);
    return graph;
  }

 private:
  /// Links that are alike go through ports side by side.
  struct Alike {
    enum class Way : std::uint8_t { Up, Down, Both };  ///< to higher numbers, to lower ones
    std::uint32_t stages = 0;
    Way way = Way::Both;
    auto operator<=>(const Alike&) const = default;
  };

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> why, Args&&... args) const {
    refuse("{}: {}", file_, fmt::format(why, std::forward<Args>(args)...));
  }

  Json load() const {
    const std::string text = read_file(file_);
    ParsedJson parsed;
    try {
      parsed = parse_json(text);
    } catch (const InputError& error) {
      fail("{}; expected {}", error.what(), kExample);
    }
    if (!parsed.repeated_key.empty()) {
      fail("key \"{}\" appears twice", parsed.repeated_key);
    }
    return std::move(parsed.value);
  }

  /// Reads how many nodes there are, or what they are called.
  void read_nodes(const Json& json) {
    const bool named = json.is_object() && json.contains("nodes");
    const char* const key = named ? "nodes" : "n";
    if (!json.is_object()) fail("expected {}", kExample);
    for (const auto& [other, value] : json.items()) {
      if (other == key || other == "edges") continue;
      fail(R"(unknown key {}; expected {}, "nodes":["a",...] for "n", and as an edge )"
           R"(also {{"link":[0,1],"stages":3,"one_way":true}})",
           shown(Json(other)), kExample);
    }
    if (json.size() < 2) fail("expected {}", kExample);
    if (named) return read_names(json["nodes"]);
    const Json& n = json["n"];
    if (!n.is_number_unsigned() || n < 2 || n > std::uint64_t{1} << 27) {
      fail("\"n\" is {}; expected a number of nodes from 2 to 2^27", shown(n));
    }
    nodes_ = n.get<Node>();
  }

  void read_names(const Json& list) {
    if (!list.is_array() || list.size() < 2) {
      fail("\"nodes\" is {}; expected a list of two names at least", shown(list));
    }
    for (const Json& name : list) {
      stop_if_interrupted();
      if (!name.is_string() || !is_name(name.get<std::string>())) {
        fail(
            "node {} is called {}; expected a letter or '_', then letters, digits, '_' or '.', 32 "
            "in all at most",
            nodes_, shown(name));
      }
      names_.push_back(name.get<std::string>());
      if (!number_of_.emplace(names_.back(), nodes_).second) {
        fail("node {} is called {}, as node {} is", nodes_, names_.back(),
             number_of_.at(names_.back()));
      }
      ++nodes_;
    }
  }

  static bool is_name(std::string_view name) {
    constexpr std::string_view kLetters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789";
    constexpr std::size_t kOnlyLater = 11;  // of these
    return !name.empty() && name.size() <= 32 &&
           name.find_first_not_of(kLetters) == std::string_view::npos &&
           kLetters.find(name[0]) < kLetters.size() - kOnlyLater;
  }

  std::optional<Node> node_of(const Json& json) const {
    if (json.is_number_unsigned() && json < nodes_) return json.get<Node>();
    const auto known =
        json.is_string() ? number_of_.find(json.get<std::string>()) : number_of_.end();
    return known == number_of_.end() ? std::nullopt : std::optional(known->second);
  }

  /// [a,b], or [a,b,k] for so many links, or {"link":[a,b,k],"stages":3,"one_way":true}.
  void read_edge(const Json& json, std::size_t index) {
    Alike like;
    const Json* ends = &json;
    if (json.is_object() && json.contains("link")) {
      ends = &json["link"];
      like.stages = stages_of(json, index);
      if (is_one_way(json, index)) like.way = Alike::Way::Up;
    }
    const auto is_count = [](const Json& x) {
      return x.is_number_unsigned() && x >= 1 && x <= kMostParallel;
    };
    const bool counted = ends->is_array() && ends->size() == 3 && is_count((*ends)[2]);
    const bool is_list = ends->is_array() && (ends->size() == 2 || counted);
    const auto a = is_list ? node_of((*ends)[0]) : std::nullopt;
    const auto b = is_list ? node_of((*ends)[1]) : std::nullopt;
    if (!a || !b) {
      fail(
          "edge {} is {}; expected [a,b] with nodes from 0 to {}{}, or [a,b,k] for k links, 1 to "
          "{}",
          index, shown(json), nodes_ - 1, names_.empty() ? "" : " or their names", kMostParallel);
    }
    if (*a == *b) fail("edge {} is a self loop at node {}", index, name(*a));
    if (like.way == Alike::Way::Up && *a > *b) like.way = Alike::Way::Down;
    const Edge edge = std::minmax(*a, *b);
    const std::uint32_t count = counted ? (*ends)[2].get<std::uint32_t>() : 1;
    auto& edges = edges_[like];
    edges.insert(edges.end(), count, edge);
    if ((links_[edge] += count) > kMostParallel) {
      fail("edge {} is one more of {} links between {} and {}; expected {} at most", index,
           links_[edge], name(edge.first), name(edge.second), kMostParallel);
    }
  }

  std::uint32_t stages_of(const Json& edge, std::size_t index) const {
    if (!edge.contains("stages")) return 0;
    const Json& stages = edge["stages"];
    if (!stages.is_number_unsigned() || stages > kMostStages) {
      fail("\"stages\" of edge {} is {}; expected 0 to {} registers", index, shown(stages),
           kMostStages);
    }
    return stages.get<std::uint32_t>();
  }

  bool is_one_way(const Json& edge, std::size_t index) const {
    for (const auto& [key, value] : edge.items()) {
      if (key == "link" || key == "stages" || key == "one_way") continue;
      fail("unknown key {} of edge {}; expected \"link\", \"stages\" and \"one_way\"",
           shown(Json(key)), index);
    }
    if (!edge.contains("one_way")) return false;
    const Json& one_way = edge["one_way"];
    if (!one_way.is_boolean()) {
      fail("\"one_way\" of edge {} is {}; expected true or false", index, shown(one_way));
    }
    return one_way.get<bool>();
  }

  /// The ports of links that are alike, side by side: of short links first, of one-way links before
  /// others as long, so that they are taken before links that the other end may need.
  Graph joined() {
    const std::string spec = "edges:" + file_;
    if (edges_.size() == 1 && edges_.begin()->first == Alike{}) {
      return graph_of_edges(spec, nodes_, std::move(edges_.begin()->second), /*parallel=*/true);
    }
    std::vector<std::pair<Alike, Graph>> parts;
    Graph all{spec, nodes_, 0, /*cyclic=*/false, {}};
    bool one_way = false;
    for (auto& [like, edges] : edges_) {
      parts.emplace_back(like, graph_of_edges(spec, nodes_, std::move(edges), /*parallel=*/true));
      const Graph& part = parts.back().second;
      all.ports += part.ports;
      all.stages.insert(all.stages.end(), part.ports, like.stages);
      one_way = one_way || like.way != Alike::Way::Both;
    }
    require_link_table(spec, nodes_, all.ports);
    for (Node x = 0; x < nodes_; ++x) {
      stop_if_interrupted();
      std::vector<Node> neighbours;
      Port first = 0;
      for (const auto& [like, part] : parts) {
        for (Port p = 0; p < part.ports; ++p) {
          Endpoint e = part.peer(x, p);
          const bool sends =
              like.way == Alike::Way::Both || (like.way == Alike::Way::Up) == (x < e.node);
          if (one_way) all.silent.push_back(e.connected() && !sends);
          if (e.connected()) {
            neighbours.push_back(e.node);
            e.port += first;
          }
          all.peers.push_back(e);
        }
        first += part.ports;
      }
      std::ranges::sort(neighbours);
      all.parallel = all.parallel || std::ranges::adjacent_find(neighbours) != neighbours.end();
    }
    if (std::ranges::all_of(all.stages, [](std::uint32_t s) { return s == 0; })) all.stages.clear();
    return all;
  }

  /// A node that cannot be reached from node 0, or that cannot reach it; kNoNode if all can.
  Node unreached(const Graph& graph, bool from_0) const {
    std::vector<bool> seen(graph.nodes, false);
    reached_from(0, seen, [&](Node x, const auto& reach) {
      for (Port p = 0; p < graph.ports; ++p) {
        const Endpoint e = graph.peer(x, p);
        if (!e.connected()) continue;
        const std::size_t sender =
            from_0 ? std::size_t{x} * graph.ports + p : std::size_t{e.node} * graph.ports + e.port;
        if (graph.silent.empty() || !graph.silent[sender]) reach(e.node);
      }
    });
    const auto gap = std::find(seen.begin(), seen.end(), false);
    return gap == seen.end() ? kNoNode : static_cast<Node>(gap - seen.begin());
  }

  void check_connected(const Graph& graph) const {
    if (const Node x = unreached(graph, true); x != kNoNode) {
      fail("not connected: node {} cannot be reached from node {}", name(x), name(0));
    }
    if (graph.silent.empty()) return;
    if (const Node x = unreached(graph, false); x != kNoNode) {
      fail("not connected: node {} cannot be reached from node {}, for links are one-way", name(0),
           name(x));
    }
  }

  std::string name(Node x) const { return names_.empty() ? std::to_string(x) : names_[x]; }

  const std::string& file_;
  Node nodes_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, Node> number_of_;
  std::map<Alike, std::vector<Edge>> edges_;
  std::map<Edge, std::uint32_t> links_;
};

}  // namespace

Graph read_edges(const std::string& file) { return Reader(file).read(); }

}  // namespace gossamer
