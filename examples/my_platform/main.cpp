// A small virtual platform: the fabric's RTL on a TLM-2.0 bus, a host that programs it, and an
// endpoint at every node. Gossip on a 4x4 torus; exit status 0 if every message arrived, in exactly
// the cycles predicted.
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <vector>

#include "algorithms/registry.hpp"
#include "fabric_target.hpp"
#include "masters.hpp"
#include "tables/compiler.hpp"

namespace gossamer::platform {
namespace {

constexpr const char* kTopology = "torus:4x4";  // what fabric_rtl was Verilated for
constexpr const char* kAlgorithm = "product";
constexpr unsigned kFlits = 4;

int run() {
  const Request request{.topology = Topology::parse(kTopology), .cycle = {}};
  const Schedule schedule = algorithm(kAlgorithm).plan(request);
  const Node nodes = schedule.topology().nodes();
  const CompiledSchedule compiled = compile(schedule, kFlits, schedule.topology().ports());
  const Payload payload(schedule, kFlits, 1);

  Milestones milestones;
  FabricTarget fabric("fabric", nodes, {10, sc_core::SC_NS});
  Host host("host", compiled.image, milestones);
  host.socket.bind(fabric.socket);
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  for (Node x = 0; x < nodes; ++x) {
    endpoints.push_back(std::make_unique<Endpoint>(fmt::format("endpoint_{}", x).c_str(), x,
                                                   compiled.image, payload, milestones));
    endpoints.back()->socket.bind(fabric.socket);
  }
  sc_core::sc_start(1, sc_core::SC_MS);

  std::uint64_t transactions = host.transactions();
  Node delivered = 0;
  for (const auto& e : endpoints) {
    transactions += e->transactions();
    delivered += e->messages();
  }
  fmt::print("{} on {} by {}, messages of {} flits, {} TLM-2.0 initiators\n",
             to_string(schedule.collective()), kTopology, schedule.algorithm, kFlits, nodes + 1);
  fmt::print("messages held by their nodes  {} of {}\n", delivered, nodes * nodes);
  fmt::print("cycles, start to last flit    {} measured, {} predicted\n", fabric.last_arrival(),
             compiled.time.last_arrival);
  fmt::print("nodes that raised an error    {}\n", host.errors());
  fmt::print("bad transactions not refused  {}\n", host.wrong_answers());
  fmt::print("transactions                  {}\n", transactions);
  const bool passed = host.finished() && host.errors() == 0 && host.wrong_answers() == 0 &&
                      delivered == nodes * nodes &&
                      fabric.last_arrival() == compiled.time.last_arrival;
  fmt::print("{}\n", passed ? "PASS" : "FAIL");
  return passed ? 0 : 1;
}

}  // namespace
}  // namespace gossamer::platform

int sc_main(int, char*[]) {
  try {
    return gossamer::platform::run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "platform: {}\n", e.what());
    return 1;
  }
}
