#include "side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engines/engine_library.hpp"
#include "schedule/adaptive_rules.hpp"

namespace gossamer::test {
namespace {

std::string text(const Flit& f) {
  return f.valid ? fmt::format("{:08x}{}", f.data, f.last ? " last" : "") : "nothing";
}

std::string link_difference(const Pair& pair, const Topology& topology, Compare compare) {
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      Flit rtl = pair.tile->link(x, p), model = pair.model->link(x, p);
      if (compare == Compare::NotData) rtl.data = model.data = 0;
      if (rtl == model) continue;
      return fmt::format("cycle {}, node {}, port {}: RTL {}, SystemC {}", pair.tile->cycle(), x, p,
                         text(rtl), text(model));
    }
  }
  return "";
}

/// The words that have arrived; for an adaptive node preceded by their places.
std::vector<std::uint32_t> arrivals(const Fabric& fabric, Node x, unsigned g) {
  const std::vector<std::uint32_t> log = fabric.log(x, g);
  const std::vector<bool> arrived = fabric.arrived(x, g);
  if (arrived.empty()) return log;
  std::vector<std::uint32_t> where, words;
  for (std::uint32_t at = 0; at < log.size(); ++at) {
    if (!arrived[at]) continue;
    where.push_back(at);
    words.push_back(log[at]);
  }
  where.insert(where.end(), words.begin(), words.end());
  return where;
}

}  // namespace

Port ports_of_tile(const Schedule& schedule) {
  constexpr Port kAdaptive = 8;  // those that the regression builds
  const Port ports = schedule.topology().ports();
  return adaptive(schedule) ? std::max(ports, kAdaptive) : tb::tile_ports(ports);
}

Pair load_both(const FabricImage& for_tile, const FabricImage& for_model) {
  Pair pair{tb::make_tile_fabric(for_tile.kind, false, 21, for_tile.most_stages() != 0),
            tb::make_systemc_fabric()};
  pair.tile->load(for_tile);
  pair.model->load(for_model);
  return pair;
}

std::string first_difference(Pair& pair, const Topology& topology, std::uint64_t limit,
                             Compare compare) {
  while (!pair.tile->done() && pair.tile->cycle() < limit) {
    pair.tile->run(1);
    pair.model->run(1);
    const std::string difference = link_difference(pair, topology, compare);
    if (difference != "") return difference;
    if (pair.tile->done() != pair.model->done()) {
      return fmt::format("cycle {}: RTL {}, SystemC {}", pair.tile->cycle(),
                         pair.tile->done() ? "at rest" : "runs",
                         pair.model->done() ? "at rest" : "runs");
    }
  }
  return "";
}

std::string log_difference(const Pair& pair, const FabricImage& image, Port ports) {
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    for (unsigned g = 0; g < image.kind.logs() && g < ports; ++g) {
      if (arrivals(*pair.model, x, g) != arrivals(*pair.tile, x, g)) {
        return fmt::format("node {}, log {}", x, g);
      }
    }
  }
  return "";
}

std::string text(const std::vector<NodeError>& errors) {
  std::string all;
  for (const NodeError& e : errors) {
    all += fmt::format("node {}: {:#x}, first {} in slot {} at port {}\n", e.node, e.seen,
                       e.first_code, e.first_slot, e.first_port);
  }
  return all;
}

}  // namespace gossamer::test
