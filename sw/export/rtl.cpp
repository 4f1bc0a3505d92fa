#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "export/export.hpp"
#include "fabric/operators.hpp"
#include "fabric/payload.hpp"
#include "gossamer_constants.hpp"
#include "play/stores.hpp"
#include "schedule/chunks.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"
#include "tables/mem_image.hpp"

namespace gossamer {
namespace {

/// The words that the nodes must hold at the end, by runs of a log: all that comes to each log, and
/// in a node with one log, because of a single port or a single link, also its own. Of a reduction,
/// the sums that each node must have, where it has them.
struct ExpectedWords {
  std::vector<std::uint64_t> runs = {};  ///< node, log, first word and words of each
  std::uint64_t count = 0;
  std::string words = {};  ///< a line each

  void add_run(Node x, unsigned log, std::uint64_t first) {
    runs.insert(runs.end(), {x, log, first, 0});
  }
  /// To the last run.
  void add(std::uint32_t word) {
    words += fmt::format("{:08x}\n", word);
    ++runs.back();
    ++count;
  }
};

/// This is the schedule's word, independent of the tables.
ExpectedWords expected_words(const Schedule& schedule, const FabricImage& image,
                             const Payload& payload) {
  const Port ports = image.kind.single_port ? 1 : schedule.topology().ports();
  std::vector<std::vector<Message>> held(std::size_t{schedule.topology().nodes()} * ports);
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    if (kind_of_links(image, x).logs() == 1)
      held[std::size_t{x} * ports] = own_messages(schedule, x);
  }
  Stores stores(schedule, payload.cut(), ports);
  const auto store = [&](const auto& brought) {
    auto& log = held[std::size_t{brought.hop.to} * ports + (ports == 1 ? 0 : brought.in)];
    stores.visit(*brought.transfer, brought.carried, 0,
                 [&](const Message& m) { log.push_back(m); });
    stores.store(brought, 0);
  };
  Story<Stores::Carried>(schedule).tell(
      [&](const Transfer& t) { return stores.carried(t); },
      [&](const auto& all) { std::ranges::for_each(all, store); });
  ExpectedWords all;
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    for (unsigned log = 0; log < kind_of_links(image, x).logs(); ++log) {
      all.add_run(x, log, 0);
      for (const Message& message : held[std::size_t{x} * ports + log]) {
        for (std::uint32_t i = 0; i < payload.flits(message); ++i)
          all.add(payload.word({message, i}));
      }
    }
  }
  return all;
}

/// What all members' parts of a message make.
std::vector<std::uint32_t> sum_of(const Schedule& schedule, const Payload& payload,
                                  const Message& m) {
  std::vector<std::uint32_t> sum;
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    if (!is_initial(schedule, x, m)) continue;
    const bool first = sum.empty();
    sum.resize(payload.flits(m));
    for (std::uint32_t i = 0; i < sum.size(); ++i) {
      const std::uint32_t part = payload.part(x, m, i);
      sum[i] = first ? part : combine(schedule.op, part, sum[i], 32);
    }
  }
  return sum;
}

ExpectedWords expected_sums(const Schedule& schedule, const CompiledSchedule& compiled,
                            const Payload& payload) {
  ExpectedWords all;
  std::map<Message, std::vector<std::uint32_t>> sums;
  for (const auto& [x, m, place] : compiled.held) {
    const auto [sum, is_new] = sums.try_emplace(m);
    if (is_new) sum->second = sum_of(schedule, payload, m);
    const bool own = place.log == compiled.image.kind.own_log();
    all.add_run(x, own ? kind_of_links(compiled.image, x).own_log() : place.log, place.index);
    for (const std::uint32_t word : sum->second) all.add(word);
  }
  return all;
}

/// A log holds what is expected and nothing else; beside a sum there is more.
constexpr const char* kCheckLength =
    R"sv(    read(node, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_LOG_LENGTH + g);
    if (cfg_rdata !== runs[4*r+3]) begin
      $display("node %0d log %0d: %0d words, expected %0d", node, g, cfg_rdata, runs[4*r+3]);
      problems++;
    end
)sv";

/// Cycles from the one in which the last sum is written until all nodes say that they are done.
constexpr unsigned kUntilDone = 4;

std::string test_text(const FabricImage& image, const ExpectedWords& expected, std::uint64_t cycles,
                      unsigned stages, bool ends_merging) {
  const bool adds = image.kind.join;
  return fmt::format(
      R"sv(// SPDX-License-Identifier: Apache-2.0
// Runs the fabric once and checks the cycle in which the last {last}, the error codes of all
// nodes, and every {what}, read through the configuration port, word by word. Prints PASS, or what
// is wrong and FAIL; +waves writes waves.vcd.
`default_nettype none
`timescale 1ns/1ns

module fabric_test;

  localparam int NODES    = {nodes};
  localparam int PORTS    = {ports};   // of all nodes
  localparam int RUNS     = {runs};    // of expected words
  localparam int EXPECTED = {cycles};  // the cycle of the last flit; cycle 0 is that of the start pulse
  localparam int WORDS    = {words};   // expected in all

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

  logic [31:0] runs [0:4*RUNS];  // node, log, first word and words of each
  logic [31:0] words [0:WORDS];  // of all runs
  int cycle, last_flit, problems, compared;

  // Inputs change at falling edges, and outputs are read there: in the middle of a cycle.
  task automatic read(input int node, input int region, input int address);
    cfg_valid = 1'b1;
    cfg_node  = 16'(node);
    cfg_addr  = 32'(address) | (32'(region) << gossamer_pkg::CFG_REGION_LSB);
    @(negedge clk);
    cfg_valid = 1'b0;
  endtask

  task automatic check_run(input int r);
    int node, g, at, wrong;
    node  = int'(runs[4*r]);
    g     = int'(runs[4*r+1]);
    wrong = 0;
{check_length}    for (int i = 0; i < int'(runs[4*r+3]); i++) begin
      at = int'(runs[4*r+2]) + i;
      read(node, gossamer_pkg::CFG_STORE, (g << gossamer_pkg::CFG_LOG_LSB) + at);
      if (cfg_rdata !== words[compared] && wrong == 0) begin
        $display("node %0d log %0d word %0d: %h, expected %h", node, g, at, cfg_rdata, words[compared]);
        wrong = 1;
      end
      compared++;
    end
    problems += wrong;
  endtask

  initial begin
    if ($test$plusargs("waves")) begin
      $dumpfile("waves.vcd");
      $dumpvars(0, fabric_test);
    end
    $readmemh("expected_runs.mem", runs);
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
      if ({arriving} !== '0) last_flit = cycle;
    end while ((done !== '1 || link_valid !== '0) && cycle < 2 * EXPECTED + 100);
{until_done}    if (last_flit != EXPECTED) begin
      $display("the last {last_was} in cycle %0d, expected %0d", last_flit, EXPECTED);
      problems++;
    end
    for (int n = 0; n < NODES; n++) begin
      if (error[n] !== 1'b0) begin
        read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_FIRST_CODE);
        $display("node %0d raised error %0d", n, cfg_rdata);
        problems++;
      end
    end
    for (int r = 0; r < RUNS; r++) check_run(r);
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
      fmt::arg("nodes", image.topology.nodes()), fmt::arg("ports", first_ports(image).back()),
      fmt::arg("runs", expected.runs.size() / 4),
      fmt::arg("last", ends_merging ? "sum is written" : "flit arrives"),
      fmt::arg("last_was", ends_merging ? "sum was written" : "flit arrived"),
      fmt::arg("what", adds ? "sum" : "log"), fmt::arg("check_length", adds ? "" : kCheckLength),
      fmt::arg("until_done",
               ends_merging
                   ? fmt::format("    last_flit = cycle - {};  // no flit tells\n",
                                 kUntilDone + stages - (image.kind.join ? rtl::TIME_JOIN : 0))
                   : ""),
      fmt::arg("cycles", cycles), fmt::arg("words", expected.count),
      // Over links with stages the last flit arrives later than it is sent.
      fmt::arg("arriving", stages != 0 ? "i_fabric.rx_valid" : "link_valid"));
}

}  // namespace

std::vector<std::uint64_t> first_ports(const FabricImage& image) {
  std::vector<std::uint64_t> first = {0};
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    first.push_back(first.back() + kind_of_links(image, x).ports);
  }
  return first;
}

std::map<std::string, std::string> testbench(const Schedule& schedule,
                                             const CompiledSchedule& compiled,
                                             const Payload& payload, std::uint64_t cycles,
                                             const PortStages& stages) {
  const FabricImage& image = compiled.image;
  const ExpectedWords expected = image.kind.join ? expected_sums(schedule, compiled, payload)
                                                 : expected_words(schedule, image, payload);
  const unsigned most_stages = stages.empty() ? 0 : std::ranges::max(stages);
  std::string runs;
  for (const std::uint64_t n : expected.runs) runs += fmt::format("{:08x}\n", n);
  // $readmemh wants as many lines as the memory has.
  return {{"fabric_test.sv",
           test_text(image, expected, cycles, most_stages, compiled.time.ends_merging())},
          {"expected_runs.mem", runs + "00000000\n"},
          {"expected_words.mem", expected.words + "00000000\n"}};
}

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
/// by port of the topology, and which of its ports a node has may differ from node to node. Each
/// has the first `all`, with links or without.
std::vector<std::uint32_t> stages_of_links(const Topology& topology, const PortStages& stages,
                                           Port all) {
  std::vector<std::uint32_t> links;
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < std::max(all, topology.ports()); ++p) {
      if (p < all || topology.peer(x, p).connected()) {
        links.push_back(p < stages.size() ? stages[p] : 0);
      }
    }
  }
  return links;
}

/// The link that comes in at each port, and where from; nothing comes where there is none. `stages`
/// as stages_of_links returns them.
std::string links_text(const FabricImage& image, const std::vector<std::uint32_t>& stages) {
  const auto first = first_ports(image);
  std::string text;
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    for (Port p = 0; first[x] + p < first[x + 1]; ++p) {
      const Endpoint e = p < image.topology.ports() ? image.topology.peer(x, p) : Endpoint{};
      const std::uint64_t from = e.connected() ? first[e.node] + e.port : 0;
      text += fmt::format(
          "  link_stages #(.STAGES({0}), .FLIT_W(FLIT_W)) i_link_{1} (  // node {2} port {3} {4}\n"
          "    .clk_i, .rst_ni, .valid_i({5}link_valid_o[{6}]), .last_i(link_last_o[{6}]),\n"
          "    .data_i(link_data_o[{6}*FLIT_W+:FLIT_W]), .valid_o(rx_valid[{1}]),\n"
          "    .last_o(rx_last[{1}]), .data_o(rx_data[{1}*FLIT_W+:FLIT_W])\n"
          "  );\n",
          stages[first[x] + p], first[x] + p, x, p,
          e.connected() ? fmt::format("<- node {} port {}", e.node, e.port) : "has no link",
          e.connected() ? "" : "1'b0 & ", from);
    }
  }
  return text;
}

/// So many numbers as a parameter, of so many bits each, number 0 lowest.
template <typename Number>
std::string listed(std::size_t count, unsigned bits, Number number) {
  const std::size_t in_line = bits == 8 ? 16 : 8;
  std::string text;
  for (std::size_t i = count; i-- > 0;) {
    text += fmt::format("{}'d{}{}", bits, number(i),
                        i == 0             ? ""
                        : i % in_line == 0 ? ",\n    "
                                           : ", ");
  }
  return fmt::format("{{\n    {}}}", text);
}

/// `stages` as stages_of_links returns them.
std::string fabric_text(const FabricImage& image, const NodeDepths& depths,
                        const std::vector<std::uint32_t>& stages) {
  const Node nodes = image.topology.nodes();
  const auto first = first_ports(image);
  return fmt::format(
      R"sv(// SPDX-License-Identifier: Apache-2.0
// {nodes} nodes and the links of {spec}, made by gossamer. Each node has as many ports as links, in
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
  // The register stages of the link at each of all ports.
  localparam logic [8*{ports}-1:0] STAGES_OF = {stages_of};

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
      .PORTS(PORTS), .FLIT_W(FLIT_W), .MODEL(32'h{model:08x}), .SINGLE_PORT(1'(PORTS == 1)),
      .LINK_STAGES(STAGES_OF[FIRST*8+:PORTS*8]), .CHANNELS({channels}),
      .SLOT_DEPTH({slots}), .LIST_DEPTH({segments}), .STORE_DEPTH({words}),
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
      fmt::arg("nodes", nodes), fmt::arg("spec", image.topology.spec()),
      fmt::arg("ports", first.back()), fmt::arg("links", links_text(image, stages)),
      fmt::arg("stages_of", listed(stages.size(), 8, [&](auto i) { return stages[i]; })),
      fmt::arg("ports_of", listed(nodes, 32, [&](auto x) { return first[x + 1] - first[x]; })),
      fmt::arg("first_of", listed(nodes, 32, [&](auto x) { return first[x]; })),
      fmt::arg("model", model_register(image.kind)),
      fmt::arg("channels", image.kind.channels > 1 ? "PORTS" : "1"),
      fmt::arg("slots", depths.slots), fmt::arg("segments", depths.segments),
      fmt::arg("words", depths.words));
}

constexpr const char* kMakefile =
    R"make(# SPDX-License-Identifier: Apache-2.0
# make RTL=GOSSAMER/rtl: runs the testbench under Icarus and under Verilator; `make icarus` and
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
                           [&](Node x) { return kind_of_links(image, x).ports; });
  OwnView view = own_view(schedule, image, payload, signals, "waves");
  view.rows = "[dumpfile] \"waves.vcd\"\n[savefile] \"waves.gtkw\"\n" + view.rows;
  return view;
}

}  // namespace

void export_rtl(const Schedule& asked, unsigned flits, std::uint32_t seed, std::uint64_t cycles,
                const std::string& folder, const PortStages& stages) {
  const Schedule each = without_orbits(asked);
  const bool joins = reduces(asked.collective());
  const Schedule schedule = joins ? each : with_ports_in_a_row(each);
  const Topology& topology = schedule.topology();
  const Payload payload(schedule, flits, seed);
  // Times are those of the topology's own ports, for which `stages` are. The image has none: at one
  // of its ports the link of the next node may be of another dimension.
  const std::shared_ptr<const ScheduleTiming> times = timed(each, flits, stages);
  CompiledSchedule compiled =
      compile(schedule, flits, topology.ports(), false, nullptr, times, stages);
  FabricImage& image = compiled.image;
  image.stages.clear();
  const std::vector<std::uint32_t> links =
      stages_of_links(asked.topology(), stages, joins ? image.kind.ports : 0);
  add_own_words(image, schedule, payload);
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
  write_node_images(image, build_for(image, depths), folder, others);
}

}  // namespace gossamer
