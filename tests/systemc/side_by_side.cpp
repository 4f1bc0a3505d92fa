#include "side_by_side.hpp"

#include <fmt/format.h>

#include "engine_library.hpp"

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

}  // namespace

Pair load_both(const FabricImage& for_tile, const FabricImage& for_model) {
  Pair pair{tb::make_tile_fabric(for_tile.kind, false, 21), tb::make_systemc_fabric()};
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

std::string text(const std::vector<NodeError>& errors) {
  std::string all;
  for (const NodeError& e : errors) {
    all += fmt::format("node {}: {:#x}, first {} in slot {} at port {}\n", e.node, e.seen,
                       e.first_code, e.first_slot, e.first_port);
  }
  return all;
}

}  // namespace gossamer::test
