#include "export/rtl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "export/deliveries.hpp"
#include "export/gtkw.hpp"
#include "export/mem.hpp"
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
  for (Node x = 0; x < graph.nodes; ++x) {
    for (Port p = 0; p < most; ++p) {
      const Endpoint e = topology.peer(x, p);
      if (!e.connected()) continue;
      const Port here = number[std::size_t{x} * most + p];
      const Port there = number[std::size_t{e.node} * most + e.port];
      graph.peers[std::size_t{x} * graph.ports + here] = {e.node, there};
    }
  }
  return Topology(topology.spec(), {std::move(graph)});
}

/// The same schedule where the ports of each node are numbered in a row.
Schedule with_ports_in_a_row(const Schedule& schedule) {
  const Schedule each = without_orbits(schedule);
  Schedule same(ports_in_a_row(schedule.topology()), schedule.collective(), schedule.model());
  same.root = schedule.root;
  for (const Transfer& t : each.transfers()) {
    switch (t.carry) {
      case Carry::Listed: same.add(t.round, each.path(t), each.messages(t)); break;
      case Carry::Everything: same.add_everything(t.round, each.path(t)); break;
      case Carry::New: throw InputError("rtl: the nodes of adaptive schedules have no images");
    }
  }
  return same;
}

/// The first port of each node among those of all nodes; at the end how many there are.
std::vector<std::uint64_t> first_ports(const Topology& topology) {
  std::vector<std::uint64_t> first = {0};
  for (Node x = 0; x < topology.nodes(); ++x) first.push_back(first.back() + topology.degree(x));
  return first;
}

/// The first log of each node among those of all nodes; at the end how many there are.
std::vector<std::uint64_t> first_logs(const FabricImage& image) {
  std::vector<std::uint64_t> first = {0};
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    first.push_back(first.back() + kind_of_links(image, x).logs());
  }
  return first;
}

/// The words that the log of a node with one link may have to hold, which are also its own.
std::uint32_t words_of_single_logs(const FabricImage& image) {
  std::uint32_t most = 0;
  for (Node x = 0; x < image.topology.nodes() && !image.kind.single_port; ++x) {
    if (kind_of_links(image, x).single_port) most = std::max(most, image.own_size(x));
  }
  return most == 0 ? 0 : most + image.capacity;
}

/// The link at each port, as a comment of fabric.sv: this is the documentation of the wiring.
std::string links_text(const Topology& topology) {
  const auto first = first_ports(topology);
  std::string text;
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.degree(x); ++p) {
      const Endpoint e = topology.peer(x, p);
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

std::string fabric_text(const FabricImage& image, const NodeDepths& depths) {
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
      .PORTS(PORTS), .FLIT_W(FLIT_W), .SINGLE_PORT({single_port}), .HALF_DUPLEX(1'b{half_duplex:d}),
      .CHANNELS({channels}), .SLOT_DEPTH({slots}), .LIST_DEPTH({segments}), .STORE_DEPTH({words}),
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
      fmt::arg("ports", first.back()), fmt::arg("links", links_text(topology)),
      fmt::arg("ports_of", by_node(topology, [&](Node x) { return topology.degree(x); })),
      fmt::arg("first_of", by_node(topology, [&](Node x) { return first[x]; })),
      fmt::arg("single_port", image.kind.single_port ? "1'b1" : "1'(PORTS == 1)"),
      fmt::arg("half_duplex", image.kind.half_duplex),
      fmt::arg("channels", image.kind.channels > 1 ? "PORTS" : "1"),
      fmt::arg("slots", depths.slots), fmt::arg("segments", depths.segments),
      fmt::arg("words", depths.words));
}

/// The words that each log must hold at the end: the messages that arrive there, and in a node with
/// one log, because of a single port or a single link, also its own. This is the schedule's word,
/// independent of the tables.
struct ExpectedWords {
  std::vector<std::uint64_t> begin = {0};  ///< by node and log; one more at the end
  std::string words;                       ///< a line each
};

ExpectedWords expected_words(const Schedule& schedule, const FabricImage& image,
                             const Payload& payload) {
  const auto first = first_logs(image);
  std::vector<std::vector<Message>> held(first.back());
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    if (first[x + 1] == first[x] + 1) held[first[x]] = own_messages(schedule, x);
  }
  for (const Delivery& d : deliveries(schedule)) {
    auto& log = held[first[d.to] + (image.kind.single_port ? 0 : d.in)];
    log.insert(log.end(), d.messages.begin(), d.messages.end());
  }
  ExpectedWords all;
  for (const auto& log : held) {
    for (const Message& message : log) {
      for (std::uint32_t i = 0; i < payload.flits(); ++i) {
        all.words += fmt::format("{:08x}\n", payload.word({message, i}));
      }
    }
    all.begin.push_back(all.begin.back() + log.size() * payload.flits());
  }
  return all;
}

std::string test_text(const FabricImage& image, const ExpectedWords& expected, unsigned flits,
                      std::uint64_t cycles) {
  std::uint64_t longest = 0;  // words of a log
  for (std::size_t g = 0; g + 1 < expected.begin.size(); ++g) {
    longest = std::max(longest, expected.begin[g + 1] - expected.begin[g]);
  }
  return fmt::format(
      R"sv(// Runs the fabric once and checks the cycle in which the last flit arrives, the error codes of all
// nodes, and every log, read through the configuration port: as many words as expected, and each
// expected message in it. Prints PASS, or what is wrong and FAIL; +waves writes waves.vcd.
`default_nettype none
`timescale 1ns/1ns

module fabric_test;

  localparam int NODES    = {nodes};
  localparam int PORTS    = {ports};   // of all nodes
  localparam int LOGS     = {logs};    // of all nodes
  localparam int FLITS    = {flits};   // of each message
  localparam int EXPECTED = {cycles};  // the cycle of the last flit; cycle 0 is that of the start pulse
  localparam int WORDS    = {words};   // expected in all logs

  logic                      clk = 1'b0, rst_n = 1'b0, start = 1'b0;
  logic                      cfg_valid = 1'b0;
  logic [15:0]               cfg_node = '0;
  logic [31:0]               cfg_addr = '0, cfg_rdata;
  logic [PORTS-1:0]          link_valid, link_last;
  logic [PORTS*32-1:0]       link_data;
  logic [NODES-1:0]          done, error;

  fabric i_fabric (
    .clk_i(clk), .rst_ni(rst_n), .start_i(start),
    .cfg_valid_i(cfg_valid), .cfg_write_i(1'b0), .cfg_node_i(cfg_node),
    .cfg_addr_i(cfg_addr), .cfg_wdata_i(32'd0), .cfg_rdata_o(cfg_rdata),
    .link_valid_o(link_valid), .link_last_o(link_last), .link_data_o(link_data),
    .done_o(done), .error_o(error)
  );

  always #5 clk = !clk;

  logic [31:0] first_log [0:NODES];  // of each node
  logic [31:0] first [0:LOGS];       // of each log's expected words
  logic [31:0] words [0:WORDS];
  int cycle, last_flit, problems, compared;

  // Inputs change at falling edges, and outputs are read there: in the middle of a cycle.
  task automatic read(input int node, input int region, input int address);
    cfg_valid = 1'b1;
    cfg_node  = 16'(node);
    cfg_addr  = 32'(address) | (32'(region) << gossamer_pkg::CFG_REGION_LSB);
    @(negedge clk);
    cfg_valid = 1'b0;
  endtask

  logic [31:0] log [0:{longest}];  // as it was read

  task automatic check_log(input int node, input int g);
    int length, should, begin_at, found, same;
    begin_at = int'(first[int'(first_log[node])+g]);
    should   = int'(first[int'(first_log[node])+g+1]) - begin_at;
    read(node, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_LOG_LENGTH + g);
    length = int'(cfg_rdata);
    if (length != should) begin
      $display("node %0d log %0d: %0d words, expected %0d", node, g, length, should);
      problems++;
    end else begin
      for (int i = 0; i < length; i++) begin
        read(node, gossamer_pkg::CFG_STORE, (g << gossamer_pkg::CFG_LOG_LSB) + i);
        log[i] = cfg_rdata;
      end
      for (int m = 0; m < length; m += FLITS) begin
        found = 0;
        for (int k = 0; k < length; k += FLITS) begin
          same = 1;
          for (int i = 0; i < FLITS; i++) begin
            if (log[k+i] !== words[begin_at+m+i]) same = 0;
          end
          if (same != 0) found = 1;
        end
        compared += FLITS;
        if (found == 0) begin
          $display("node %0d log %0d: the message that begins with %h is missing", node, g,
                   words[begin_at+m]);
          problems++;
        end
      end
    end
  endtask

  initial begin
    if ($test$plusargs("waves")) begin
      $dumpfile("waves.vcd");
      $dumpvars(0, fabric_test);
    end
    $readmemh("expected_logs.mem", first_log);
    $readmemh("expected_first.mem", first);
    $readmemh("expected_words.mem", words);
    problems  = 0;
    compared  = 0;
    last_flit = 0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    repeat (2) @(negedge clk);
    start = 1'b1;
    cycle = 0;
    do begin
      @(negedge clk);
      start = 1'b0;
      cycle++;
      if (link_valid !== '0) last_flit = cycle;
    end while ((done !== '1 || link_valid !== '0) && cycle < 2 * EXPECTED + 100);
    if (last_flit != EXPECTED) begin
      $display("the last flit arrived in cycle %0d, expected %0d", last_flit, EXPECTED);
      problems++;
    end
    for (int n = 0; n < NODES; n++) begin
      if (error[n] !== 1'b0) begin
        read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_FIRST_CODE);
        $display("node %0d raised error %0d", n, cfg_rdata);
        problems++;
      end
      for (int g = 0; g < int'(first_log[n+1]) - int'(first_log[n]); g++) check_log(n, g);
    end
    if (compared != WORDS) begin
      $display("%0d words compared, expected %0d", compared, WORDS);
      problems++;
    end
    if (problems == 0) $display("PASS: %0d cycles, %0d words compared", last_flit, compared);
    else $display("FAIL: %0d problems", problems);
    $finish(0);
  end

endmodule

`default_nettype wire
)sv",
      fmt::arg("nodes", image.topology.nodes()),
      fmt::arg("ports", first_ports(image.topology).back()),
      fmt::arg("logs", first_logs(image).back()), fmt::arg("flits", flits),
      fmt::arg("cycles", cycles), fmt::arg("words", expected.begin.back()),
      fmt::arg("longest", longest));
}

constexpr const char* kMakefile =
    R"make(# make RTL=GOSSAMER/rtl: runs the testbench under Icarus and under Verilator; `make icarus` and
# `make verilator` run one of them, `make lint` checks the design, `make wave` opens GTKWave. With
# WAVES=+waves Icarus writes waves.vcd; OPTIONS are Verilator's.
RTL ?= rtl
WAVES ?=
OPTIONS ?=
SOURCES = $(addprefix $(RTL)/../,$(shell grep -v '^ *//' $(RTL)/files.f)) fabric.sv
.PHONY: all icarus verilator lint wave
.DELETE_ON_ERROR:

all: icarus verilator

icarus:
	iverilog -g2012 -o fabric.vvp -s fabric_test $(SOURCES) fabric_test.sv
	vvp -n fabric.vvp $(WAVES) | tee icarus.log
	@grep -q '^PASS' icarus.log

verilator:
	verilator --binary $(OPTIONS) -Wno-fatal --Mdir obj -o fabric_test --top-module fabric_test $(SOURCES) fabric_test.sv > verilator.log
	obj/fabric_test | tee verilator.log
	@grep -q '^PASS' verilator.log

lint:
	verilator --lint-only -Wall --top-module fabric $(SOURCES)

wave:
	iverilog -g2012 -o fabric.vvp -s fabric_test $(SOURCES) fabric_test.sv
	vvp -n fabric.vvp +waves
	gtkwave waves.vcd waves.gtkw
)make";

/// For $readmemh.
std::string lines_of(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t n : numbers) text += fmt::format("{:08x}\n", n);
  return text;
}

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
                const std::string& folder) {
  const Schedule schedule = with_ports_in_a_row(asked);
  const Topology& topology = schedule.topology();
  if (topology.ports() > rtl::MAX_PORTS) {
    throw InputError(fmt::format("rtl: a node of {} has {} ports; the RTL allows {}",
                                 topology.spec(), topology.ports(), rtl::MAX_PORTS));
  }
  const Payload payload(schedule, flits, seed);
  FabricImage image = compile(schedule, flits, topology.ports()).image;
  set_own_words(image, schedule, payload);
  const NodeDepths depths = depths_for(image, {.words = words_of_single_logs(image)});
  const ExpectedWords expected = expected_words(schedule, image, payload);
  const OwnView view = waves(schedule, image, depths, payload);
  std::map<std::string, std::string> others = {
      {"fabric.sv", fabric_text(image, depths)},
      {"fabric_test.sv", test_text(image, expected, flits, cycles)},
      {"expected_logs.mem", lines_of(first_logs(image))},
      {"expected_first.mem", lines_of(expected.begin)},
      {"expected_words.mem", expected.words + "00000000\n"},
      {"waves.gtkw", view.rows},
      {"Makefile", kMakefile}};
  for (const auto& [extension, text] : view.names) others["waves" + extension] = text;
  write_node_images(image, depths, folder, others);
}

}  // namespace gossamer
