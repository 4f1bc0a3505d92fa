#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <set>

#include "catch.hpp"
#include "export/export.hpp"
#include "export/plans.hpp"
#include "fabric/payload.hpp"
#include "mem_reader.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "tables/compiler.hpp"
#include "tables/mem_image.hpp"

using namespace gossamer;
using export_test::planned;

namespace {

/// Requires the images in the folder to be those of the schedule.
void check_images(const Schedule& schedule, unsigned flits, std::uint32_t seed,
                  const Scratch& scratch) {
  const FabricImage image = compile(schedule, flits, schedule.topology().ports()).image;
  const Payload payload(schedule, flits, seed);
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    const NodeProgram program = read_mem_program(scratch.folder().string(), x, image.kind);
    CHECK(program == image.programs[image.program_of[x]]);
    std::vector<std::uint32_t> own;
    for (const Message& m : own_messages(schedule, x)) {
      for (unsigned i = 0; i < payload.flits(m); ++i) {
        own.push_back(payload.adds() ? payload.part(x, m, i) : payload.word({m, i}));
      }
    }
    CHECK(read_mem_own_words(scratch.folder().string(), x) == own);
  }
}

}  // namespace

TEST_CASE("exported images of every algorithm and model") {
  for (const Schedule& schedule : export_test::of_every_model(/*sums=*/true)) {
    if (schedule.topology().nodes() > 25) continue;
    CAPTURE(export_test::title(schedule));
    const Scratch scratch;
    const unsigned flits = schedule.algorithm == "translation" ? 3 : schedule.pieces();
    try {
      export_mem(export_test::alone(schedule, flits, {}, 5), {}, scratch.folder().string());
    } catch (const InputError& error) {  // not every sample is a torus
      CHECK(std::string(error.what()).find("is neither") != std::string::npos);
      continue;
    }
    check_images(schedule, flits, 5, scratch);
  }
}

TEST_CASE("the RTL takes the parameters that are written for the smallest topologies") {
  const Scratch scratch;
  std::set<std::string> instances;
  for (const char* topology : {"ring:2", "ring:3", "path:2", "hypercube:1"}) {
    for (const Collective collective :
         {Collective::Gossip, Collective::TotalExchange, Collective::AllReduce}) {
      for (const PortModel ports : {PortModel::Single, PortModel::All}) {
        for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
          CAPTURE(topology, collective, ports, duplex);
          Case c;
          c.topology = topology;
          c.collective = collective;
          c.ports = ports;
          c.duplex = duplex;
          c.flits = 1;
          const Schedule schedule = make_plan(c).schedule;
          for (const std::string part : {"", "1@1"}) {
            if (!part.empty() && schedule.topology().factors().size() > 1) continue;
            export_mem(export_test::alone(schedule, 1), {.part = part}, scratch.folder().string());
            const std::string text = read_file(scratch.path("fabric.vh"));
            instances.insert((part.empty() ? "torus_fabric #(" : "torus_part #(") +
                             text.substr(0, text.find(",\n.IMAGES(")));
          }
          const std::string text = axi_wrapper(export_test::alone(schedule, 1), "t");
          const std::size_t at = text.find("axi_fabric #(\n");
          instances.insert(text.substr(at, text.find(") i_fabric", at) - at));
        }
      }
    }
  }
  REQUIRE(instances.size() > 30);
  std::string text = "module top;\n";
  for (const std::string& instance : instances) {
    text += fmt::format("{}) i_{} ();\n", instance, text.size());
  }
  const std::string file = scratch.file("top.sv", text + "endmodule\n");
  CHECK(std::system(fmt::format("iverilog -g2012 -s top -o '{0}.vvp' -f rtl/files.f '{0}' && "
                                "vvp -n '{0}.vvp'",
                                file)
                        .c_str()) == 0);
}
