#include "export/rtl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "export/gtkw.hpp"
#include "export/mem.hpp"
#include "export/rtl_testbench.hpp"
#include "fabric/payload.hpp"
#include "gossamer_constants.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"
#include "tables/mem_image.hpp"

namespace gossamer {
namespace {

/// The topology with the ports of each node renumbered, in their order, so that those with links
/// come first.
Topology ports_in_a_row(const Topology& topology) {
  const Port most = topology.ports();
  Graph graph{topology.spec(), topology.nodes(), 0, /*cyclic=*/false, {}};
  std::vector<Port> number(std::size_t{graph.nodes} * most, kNoPort);
  for (Node x = 0; x < graph.nodes; ++x) {
    Port next = 0;
    for (Port p = 0; p < most; ++p) {
      if (topology.peer(x, p).connected()) number[std::size_t{x} * most + p] = next++;
    }
    graph.ports = std::max(graph.ports, next);
  }
  graph.peers.resize(std::size_t{graph.nodes} * graph.ports);
  graph.parallel = topology.parallel();
  if (topology.one_way()) graph.silent.resize(graph.peers.size());
  for (Node x = 0; x < graph.nodes; ++x) {
    for (Port p = 0; p < most; ++p) {
      const Endpoint e = topology.peer(x, p);
      if (!e.connected()) continue;
      const Port here = number[std::size_t{x} * most + p];
      const Port there = number[std::size_t{e.node} * most + e.port];
      graph.peers[std::size_t{x} * graph.ports + here] = {e.node, there};
      if (!topology.sends(x, p)) graph.silent[std::size_t{x} * graph.ports + here] = true;
    }
  }
  return Topology(topology.spec(), {std::move(graph)});
}

/// The same schedule, which has no orbits, where the ports of each node are numbered in a row.
Schedule with_ports_in_a_row(const Schedule& each) {
  Schedule same = without_transfers(each, ports_in_a_row(each.topology()));
  for (const Transfer& t : each.transfers()) {
    if (t.carry == Carry::New) {
      throw InputError("rtl: the nodes of adaptive schedules have no images");
    }
    same.add_copy(each, t);
  }
  return same;
}

/// The words that the log of a node with one link may have to hold, if they are also its own.
std::uint32_t words_of_single_logs(const FabricImage& image) {
  std::uint32_t most = 0;
  for (Node x = 0; x < image.topology.nodes() && !image.kind.single_port; ++x) {
    if (kind_of_links(image, x).own_log() == 0) most = std::max(most, image.own_size(x));
  }
  return most == 0 ? 0 : most + image.capacity;
}

/// Register stages of the link at each port of each node, the ports numbered in a row: `stages` are
/// by port of the topology, and which of its ports a node has may differ from node to node.
std::vector<std::uint32_t> stages_of_links(const Topology& topology, const PortStages& stages) {
  std::vector<std::uint32_t> links;
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      if (topology.peer(x, p).connected()) links.push_back(p < stages.size() ? stages[p] : 0);
    }
  }
  return links;
}

/// The link at each port, as a comment of fabric.sv: this is the documentation of the wiring.
/// `stages` as stages_of_links returns them.
std::string links_text(const Topology& topology, const std::vector<std::uint32_t>& stages) {
  const auto first = first_ports(topology);
  std::string text;
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.degree(x); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (stages[first[x] + p] != 0) {
        text += fmt::format(
            "  link_stages #(.STAGES({6}), .FLIT_W(FLIT_W)) i_link_{0} (  // node {2} port {3} <- "
            "node "
            "{4} port {5}\n"
            "    .clk_i, .rst_ni, .valid_i(link_valid_o[{1}]), .last_i(link_last_o[{1}]),\n"
            "    .data_i(link_data_o[{1}*FLIT_W+:FLIT_W]), .valid_o(rx_valid[{0}]),\n"
            "    .last_o(rx_last[{0}]), .data_o(rx_data[{0}*FLIT_W+:FLIT_W])\n"
            "  );\n",
            first[x] + p, first[e.node] + e.port, x, p, e.node, e.port, stages[first[x] + p]);
        continue;
      }
      text += fmt::format(
          "  assign rx_valid[{0}] = link_valid_o[{1}];  // node {2} port {3} <- node {4} port {5}\n"
          "  assign rx_last[{0}]  = link_last_o[{1}];\n"
          "  assign rx_data[{0}*FLIT_W+:FLIT_W] = link_data_o[{1}*FLIT_W+:FLIT_W];\n",
          first[x] + p, first[e.node] + e.port, x, p, e.node, e.port);
    }
  }
  return text;
}

/// Numbers of all nodes as a parameter, 32 bits each, those of node 0 lowest.
template <typename Number>
std::string by_node(const Topology& topology, Number number) {
  std::string text;
  for (Node x = topology.nodes(); x-- > 0;) {
    text += fmt::format("32'd{}{}", number(x), x == 0 ? "" : x % 8 == 0 ? ",\n    " : ", ");
  }
  return fmt::format("{{\n    {}}}", text);
}

/// The register stages of all links as a parameter, 8 bits each, node 0's first port lowest.
std::string by_port(const std::vector<std::uint32_t>& stages) {
  std::string text;
  for (std::size_t i = stages.size(); i-- > 0;) {
    text += fmt::format("8'd{}{}", stages[i], i == 0 ? "" : i % 16 == 0 ? ",\n    " : ", ");
  }
  return fmt::format("{{\n    {}}}", text);
}

/// `stages` as stages_of_links returns them.
std::string fabric_text(const FabricImage& image, const NodeDepths& depths,
                        const std::vector<std::uint32_t>& stages) {
  const bool mixed =
      std::ranges::adjacent_find(stages, std::ranges::not_equal_to()) != stages.end();
  std::string of_node;
  if (mixed)
    of_node = ".LINK_STAGES(STAGES_OF[FIRST*8+:PORTS*8]), ";
  else if (!stages.empty() && stages[0] != 0)
    of_node = fmt::format(".LINK_STAGES({{PORTS{{8'd{}}}}}), ", stages[0]);
  const Topology& topology = image.topology;
  const auto first = first_ports(topology);
  return fmt::format(
      R"sv(// {nodes} nodes and the links of {spec}, made by gossamer. Each node has as many ports as links, in
// the topology's order: below, each port says where its link comes from.
`default_nettype none

module fabric #(
  parameter int FLIT_W = 32,
  parameter     IMAGES = "./"  // folder of the memory images
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,        // synchronous
  input  logic                          start_i,       // one cycle: all nodes run their tables
  // Configuration of one node.
  input  logic                          cfg_valid_i,
  input  logic                          cfg_write_i,
  input  logic [15:0]                   cfg_node_i,
  input  logic [31:0]                   cfg_addr_i,
  input  logic [31:0]                   cfg_wdata_i,
  output logic [31:0]                   cfg_rdata_o,   // of the read one cycle before
  // What the nodes send on their links: {ports} ports in all, node 0's first.
  output logic [{ports}-1:0]        link_valid_o,
  output logic [{ports}-1:0]        link_last_o,
  output logic [{ports}*FLIT_W-1:0] link_data_o,
  // Status of every node.
  output logic [{nodes}-1:0]              done_o,
  output logic [{nodes}-1:0]              error_o
);

  localparam int NODES = {nodes};

  // Of each node, node 0 lowest: its ports, and the first of them among all ports.
  localparam logic [32*NODES-1:0] PORTS_OF = {ports_of};
  localparam logic [32*NODES-1:0] FIRST_OF = {first_of};
{stages_of}
  // ---- Links.
  logic [{ports}-1:0]        rx_valid, rx_last;
  logic [{ports}*FLIT_W-1:0] rx_data;

{links}
  // ---- Nodes. One that has a single link is a single-port node.
  logic [NODES*32-1:0] cfg_rdata;

  for (genvar n = 0; n < NODES; n++) begin : gen_node
    localparam int PORTS = PORTS_OF[32*n+:32];
    localparam int FIRST = FIRST_OF[32*n+:32];
    localparam logic [31:0] DIGITS = {{8'(48 + n / 1000 % 10), 8'(48 + n / 100 % 10),
                                      8'(48 + n / 10 % 10), 8'(48 + n % 10)}};
    switch_node #(
      .PORTS(PORTS), .FLIT_W(FLIT_W), .KIND("{kind}"), .SINGLE_PORT({single_port}),
      {stages}{reduce}.CHANNELS({channels}), .SLOT_DEPTH({slots}), .LIST_DEPTH({segments}), .STORE_DEPTH({words}),
      .IMAGE({{IMAGES, "node_", DIGITS}})
    ) i_node (
      .clk_i, .rst_ni, .start_i,
      .cfg_valid_i(cfg_valid_i && 32'(cfg_node_i) == n), .cfg_write_i, .cfg_addr_i, .cfg_wdata_i,
      .cfg_rdata_o(cfg_rdata[n*32+:32]),
      .link_valid_o(link_valid_o[FIRST+:PORTS]), .link_last_o(link_last_o[FIRST+:PORTS]),
      .link_data_o(link_data_o[FIRST*FLIT_W+:PORTS*FLIT_W]),
      .link_valid_i(rx_valid[FIRST+:PORTS]), .link_last_i(rx_last[FIRST+:PORTS]),
      .link_data_i(rx_data[FIRST*FLIT_W+:PORTS*FLIT_W]),
      .done_o(done_o[n]), .error_o(error_o[n])
    );
  end

  // ---- Read data, from the node that was addressed.
  logic [15:0] cfg_node_q;

  always_ff @(posedge clk_i) begin
    if (cfg_valid_i) cfg_node_q <= cfg_node_i;
  end

  always_comb begin
    cfg_rdata_o = '0;
    for (int n = 0; n < NODES; n++) begin
      if (32'(cfg_node_q) == n) cfg_rdata_o = cfg_rdata[n*32+:32];
    end
  end

endmodule

`default_nettype wire
)sv",
      fmt::arg("nodes", topology.nodes()), fmt::arg("spec", topology.spec()),
      fmt::arg("ports", first.back()), fmt::arg("links", links_text(topology, stages)),
      fmt::arg("stages_of",
               mixed ? fmt::format("  // The register stages of the link at each of all ports.\n"
                                   "  localparam logic [8*{}-1:0] STAGES_OF = {};\n",
                                   first.back(), by_port(stages))
                     : ""),
      fmt::arg("stages", of_node), fmt::arg("reduce", image.kind.reduce ? ".REDUCE(1'b1), " : ""),
      fmt::arg("ports_of", by_node(topology, [&](Node x) { return topology.degree(x); })),
      fmt::arg("first_of", by_node(topology, [&](Node x) { return first[x]; })),
      fmt::arg("single_port", image.kind.single_port ? "1'b1" : "1'(PORTS == 1)"),
      fmt::arg("kind", kind_parameter(image.kind)),
      fmt::arg("channels", image.kind.channels > 1 ? "PORTS" : "1"),
      fmt::arg("slots", depths.slots), fmt::arg("segments", depths.segments),
      fmt::arg("words", depths.words));
}

constexpr const char* kMakefile =
    R"make(# make RTL=GOSSAMER/rtl: runs the testbench under Icarus and under Verilator; `make icarus` and
# `make verilator` run one of them, `make lint` checks the design, `make wave` opens GTKWave. With
# WAVES=+waves Icarus writes waves.vcd; OPTIONS are Verilator's.
RTL ?= rtl
ifeq ($(wildcard $(RTL)/files.f),)
$(error there is no $(RTL)/files.f: make RTL=GOSSAMER/rtl, with the folder of Gossamer's sources, or PREFIX/share/gossamer/rtl)
endif
WAVES ?=
OPTIONS ?=
SOURCES = $(addprefix $(RTL)/../,$(shell grep -v '^ *//' $(RTL)/files.f)) fabric.sv
.PHONY: all icarus verilator lint wave
.DELETE_ON_ERROR:

all: icarus verilator

icarus:
	iverilog -g2012 -DGOSSAMER_SIM -o fabric.vvp -s fabric_test $(SOURCES) fabric_test.sv
	vvp -n fabric.vvp $(WAVES) | tee icarus.log
	@grep -q '^PASS' icarus.log

verilator:
	verilator --binary -DGOSSAMER_SIM --timescale 1ns/1ns $(OPTIONS) -Wno-fatal --Mdir obj -o fabric_test --top-module fabric_test $(SOURCES) fabric_test.sv > verilator.log
	obj/fabric_test | tee verilator.log
	@grep -q '^PASS' verilator.log

lint:
	verilator --lint-only -Wall --top-module fabric $(SOURCES)

wave:
	iverilog -g2012 -DGOSSAMER_SIM -o fabric.vvp -s fabric_test $(SOURCES) fabric_test.sv
	vvp -n fabric.vvp +waves
	gtkwave waves.vcd waves.gtkw
)make";

/// The testbench's own signals, then a group for each node. The names are read from the working
/// directory, as the images are.
OwnView waves(const Schedule& schedule, const FabricImage& image, const NodeDepths& depths,
              const Payload& payload) {
  const OwnSignals signals("fabric_test.i_fabric", image.kind, depths,
                           [&](Node x) { return schedule.topology().degree(x); });
  OwnView view = own_view(schedule, image, payload, signals, "waves");
  view.rows = "[dumpfile] \"waves.vcd\"\n[savefile] \"waves.gtkw\"\n" + view.rows;
  return view;
}

}  // namespace

void export_rtl(const Schedule& asked, unsigned flits, std::uint32_t seed, std::uint64_t cycles,
                const std::string& folder, const PortStages& stages) {
  const Schedule each = without_orbits(asked);
  const Schedule schedule = with_ports_in_a_row(each);
  const Topology& topology = schedule.topology();
  if (topology.ports() > rtl::MAX_PORTS) {
    throw InputError(fmt::format("rtl: a node of {} has {} ports; the RTL allows {}",
                                 topology.spec(), topology.ports(), rtl::MAX_PORTS));
  }
  const Payload payload(schedule, flits, seed);
  // Times are those of the topology's own ports, for which `stages` are. The image has none: at one
  // of its ports the link of the next node may be of another dimension.
  CompiledSchedule compiled = compile(schedule, flits, topology.ports(), false, nullptr,
                                      timed(each, flits, nullptr, stages), stages);
  FabricImage& image = compiled.image;
  image.stages.clear();
  const std::vector<std::uint32_t> links = stages_of_links(asked.topology(), stages);
  set_own_words(image, schedule, payload);
  NodeDepths least;
  least.words = std::max(least.words, words_of_single_logs(image));
  const NodeDepths depths = depths_for(image, least);
  const OwnView view = waves(schedule, image, depths, payload);
  std::map<std::string, std::string> others =
      testbench(schedule, compiled, payload, cycles, stages);
  others["fabric.sv"] = fabric_text(image, depths, links);
  others["waves.gtkw"] = view.rows;
  others["Makefile"] = kMakefile;
  for (const auto& [extension, text] : view.names) others["waves" + extension] = text;
  write_node_images(image, depths, folder, others);
}

}  // namespace gossamer
