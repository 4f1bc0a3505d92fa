// rtl/fabric/torus_part.sv: a torus of two parts does what a whole one does, in every cycle.
#define VM_TRACE_FST 0  // these models write no waveforms
#include <fmt/format.h>

#include "Vparts_fabric.h"
#include "Vparts_fabric_half.h"
#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/flat/flat_engine.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

struct Planned {
  const char* algorithm;
  Collective collective;
};

std::string first_errors(const Fabric& fabric) {
  std::string text;
  for (const NodeError& e : fabric.errors()) {
    text += fmt::format("{}: {} in {} at {}\n", e.node, e.first_code, e.first_slot, e.first_port);
  }
  return text;
}

/// A node, and all that run its table, expects nothing that comes.
FabricImage without_reception(FabricImage image, Node x) {
  for (SlotEntry& slot : image.programs[image.program_of[x]].slots) slot.receive = 0;
  return image;
}

/// Runs the schedules one after the other on the same parts; then each node in turn expects
/// nothing, and reports what comes.
template <class Model>
void check_parts(const std::string& topology, Duplex duplex, std::uint32_t stages,
                 const std::vector<Planned>& plans) {
  tb::FlatEngine<Model> parts(3);
  const PortStages at_ports(stages == 0 ? 0 : Topology::parse(topology).ports(), stages);
  for (const Planned& planned : plans) {
    Request request{.topology = Topology::parse(topology), .cycle = {}};
    request.collective = planned.collective;
    request.ports = PortModel::All;
    request.duplex = duplex;
    const Schedule schedule = algorithm(planned.algorithm).plan(request);
    const Node nodes = schedule.topology().nodes();
    const Port ports = schedule.topology().ports();
    const FabricImage of_parts = prepare(schedule, 5, ports, nullptr, at_ports);
    const FabricImage of_tiles = prepare(schedule, 5, tb::tile_ports(ports), nullptr, at_ports);
    const auto whole = tb::make_tile_fabric(of_tiles.kind, false, 3, stages != 0);
    CAPTURE(topology, planned.algorithm);
    parts.load(of_parts);
    whole->load(of_tiles);
    CHECK(first_disagreement(parts, *whole, schedule.topology()) == "");
    CHECK(first_errors(parts) == "");
    for (Node x = 0; x < nodes; ++x) {
      for (unsigned g = 0; g < of_parts.kind.logs(); ++g) {
        CHECK((parts.log(x, g) == whole->log(x, g)));
      }
    }
    Node reporting = 0;
    for (Node x = 0; x < nodes; ++x) {  // what is sent after an error is any word
      CAPTURE(x);
      parts.load(without_reception(of_parts, x));
      whole->load(without_reception(of_tiles, x));
      parts.run(1000);
      whole->run(1000);
      CHECK(first_errors(parts) == first_errors(*whole));
      reporting += first_errors(parts) != "" ? 1 : 0;
    }
    CHECK(reporting > 0);
  }
}

}  // namespace

TEST_CASE("torus part: a ring in two halves") {
  check_parts<Vparts_fabric>("ring:4", Duplex::Full, 0,
                             {{"reversed", Collective::AllReduce},
                              {"reversed", Collective::ReduceScatter},
                              {"reversed", Collective::Reduce}});
}

TEST_CASE("torus part: two rings side by side, half duplex, over links with registers") {
  check_parts<Vparts_fabric_half>(
      "torus:3x2", Duplex::Half, 2,
      {{"any-graph", Collective::TotalExchange}, {"any-graph", Collective::Gossip}});
}
