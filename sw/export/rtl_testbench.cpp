#include "export/rtl_testbench.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "export/deliveries.hpp"
#include "fabric/reduce_op.hpp"
#include "schedule/chunks.hpp"
#include "tables/compiler.hpp"
#include "tables/mem_image.hpp"

namespace gossamer {
namespace {

/// The first log of each node among those of all nodes; at the end how many there are.
std::vector<std::uint64_t> first_logs(const FabricImage& image) {
  std::vector<std::uint64_t> first = {0};
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    first.push_back(first.back() + kind_of_links(image, x).logs());
  }
  return first;
}

/// The words that each log must hold at the end: the messages that arrive there, and in a node with
/// one log, because of a single port or a single link, also its own. This is the schedule's word,
/// independent of the tables. Of a reduction, the sums that each node must have, and where.
struct ExpectedWords {
  std::vector<std::uint64_t> logs;         ///< first_logs; of a reduction none is compared
  std::vector<std::uint64_t> begin = {0};  ///< by node and log; one more at the end
  std::vector<std::uint64_t> sums = {};    ///< node, log, first word and words of each
  std::string words = {};                  ///< a line each; of a message's last one bit 32 is set
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
  ExpectedWords all{.logs = first};
  for (const auto& log : held) {
    std::uint64_t words = 0;
    for (const Message& message : log) {
      words += payload.flits(message);
      for (std::uint32_t i = 0; i < payload.flits(message); ++i) {
        const char* const last = i + 1 == payload.flits(message) ? "1" : "";
        all.words += fmt::format("{}{:08x}\n", last, payload.word({message, i}));
      }
    }
    all.begin.push_back(all.begin.back() + words);
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
      sum[i] = first ? part : combine(operator_number(schedule.op), part, sum[i], 32);
    }
  }
  return sum;
}

ExpectedWords expected_sums(const Schedule& schedule, const CompiledSchedule& compiled,
                            const Payload& payload) {
  ExpectedWords all{.logs = std::vector<std::uint64_t>(schedule.topology().nodes() + 1)};
  std::map<Message, std::vector<std::uint32_t>> sums;
  for (const auto& [x, m, place] : compiled.sums) {
    const auto [sum, is_new] = sums.try_emplace(m);
    if (is_new) sum->second = sum_of(schedule, payload, m);
    const bool own = place.log == compiled.image.kind.own_log();
    all.sums.insert(all.sums.end(),
                    {x, own ? kind_of_links(compiled.image, x).own_log() : place.log, place.index,
                     sum->second.size()});
    for (const std::uint32_t word : sum->second) all.words += fmt::format("{:08x}\n", word);
    all.begin.back() += sum->second.size();
  }
  return all;
}

/// The part of the testbench that is there for reductions alone.
constexpr const char* kCheckSums = R"sv(
  logic [31:0] sums [0:4*SUMS];  // node, log, first word and words of each

  task automatic check_sums;
    int at;
    at = 0;
    $readmemh("expected_sums.mem", sums);
    for (int s = 0; s < SUMS; s++) begin
      for (int i = 0; i < int'(sums[4*s+3]); i++) begin
        read(int'(sums[4*s]), gossamer_pkg::CFG_STORE, (int'(sums[4*s+1]) << gossamer_pkg::CFG_LOG_LSB) + int'(sums[4*s+2]) + i);
        if (cfg_rdata !== words[at][31:0]) begin
          $display("node %0d log %0d word %0d: %h, the sum is %h", sums[4*s], sums[4*s+1], int'(sums[4*s+2]) + i, cfg_rdata, words[at][31:0]);
          problems++;
        end
        at++;
      end
    end
    compared = at;
  endtask
)sv";

/// Cycles from the one in which the last sum is written until all nodes say that they are done.
constexpr unsigned kUntilDone = 4;

std::string test_text(const FabricImage& image, const ExpectedWords& expected, std::uint64_t cycles,
                      unsigned stages, bool ends_merging) {
  const bool adds = image.kind.reduce;
  std::uint64_t longest = 0;  // words of a log
  for (std::size_t g = 0; g + 1 < expected.begin.size(); ++g) {
    longest = std::max(longest, expected.begin[g + 1] - expected.begin[g]);
  }
  return fmt::format(
      R"sv(// Runs the fabric once and checks the cycle in which the last {last}, the error codes of all
// nodes, and every {what}. Prints PASS, or what is wrong and FAIL; +waves writes waves.vcd.
`default_nettype none
`timescale 1ns/1ns

module fabric_test;

  localparam int NODES    = {nodes};
  localparam int PORTS    = {ports};   // of all nodes
  localparam int LOGS     = {logs};    // of all nodes
  localparam int EXPECTED = {cycles};  // the cycle of the last flit; cycle 0 is that of the start pulse
  localparam int WORDS    = {words};   // expected in all {whats}
{sums}
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
  logic [32:0] words [0:WORDS];      // the last one of each message with bit 32 set
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
    int length, should, begin_at, flits, found, same;
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
      // What comes in one round may be stored in another order than it is listed here; the words of a
      // message are together.
      for (int m = 0; m < length; m += flits) begin
        flits = 1;
        while (words[begin_at+m+flits-1][32] === 1'b0) flits++;
        found = 0;
        for (int k = 0; k + flits <= length; k++) begin
          if (log[k] === words[begin_at+m][31:0]) begin
            same = 1;
            for (int i = 1; i < flits; i++) begin
              if (log[k+i] !== words[begin_at+m+i][31:0]) same = 0;
            end
            if (same != 0) found = 1;
          end
        end
        compared += flits;
        if (found == 0) begin
          $display("node %0d log %0d: the message that begins with %h is missing", node, g,
                   words[begin_at+m][31:0]);
          problems++;
        end
      end
    end
  endtask
{check_sums}
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
      for (int g = 0; g < int'(first_log[n+1]) - int'(first_log[n]); g++) check_log(n, g);
    end
{call_sums}    if (compared != WORDS) begin
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
      fmt::arg("ports", first_ports(image.topology).back()), fmt::arg("logs", expected.logs.back()),
      fmt::arg("last", ends_merging ? "sum is written" : "flit arrives"),
      fmt::arg("last_was", ends_merging ? "sum was written" : "flit arrived"),
      fmt::arg("what", adds ? "sum, read through the configuration port, word by word"
                            : "log, read through the configuration port: as many words as "
                              "expected, and each\n// expected message in it"),
      fmt::arg("whats", adds ? "sums" : "logs"),
      fmt::arg(
          "sums",
          adds ? fmt::format("  localparam int SUMS     = {};\n", expected.sums.size() / 4) : ""),
      fmt::arg("check_sums", adds ? kCheckSums : ""),
      fmt::arg("call_sums", adds ? "    check_sums();\n" : ""),
      fmt::arg("until_done", ends_merging
                                 ? fmt::format("    last_flit = cycle - {};  // no flit tells\n",
                                               kUntilDone + stages)
                                 : ""),
      fmt::arg("cycles", cycles), fmt::arg("words", expected.begin.back()),
      // Over links with stages the last flit arrives later than it is sent.
      fmt::arg("arriving", stages != 0 ? "i_fabric.rx_valid" : "link_valid"),
      fmt::arg("longest", longest));
}

/// For $readmemh.
std::string lines_of(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t n : numbers) text += fmt::format("{:08x}\n", n);
  return text;
}

}  // namespace

std::vector<std::uint64_t> first_ports(const Topology& topology) {
  std::vector<std::uint64_t> first = {0};
  for (Node x = 0; x < topology.nodes(); ++x) first.push_back(first.back() + topology.degree(x));
  return first;
}

std::map<std::string, std::string> testbench(const Schedule& schedule,
                                             const CompiledSchedule& compiled,
                                             const Payload& payload, std::uint64_t cycles,
                                             const PortStages& stages) {
  const FabricImage& image = compiled.image;
  const bool adds = image.kind.reduce;
  const ExpectedWords expected =
      adds ? expected_sums(schedule, compiled, payload) : expected_words(schedule, image, payload);
  const unsigned most_stages = stages.empty() ? 0 : std::ranges::max(stages);
  std::map<std::string, std::string> files = {
      {"fabric_test.sv",
       test_text(image, expected, cycles, most_stages, compiled.time.ends_merging())},
      {"expected_logs.mem", lines_of(expected.logs)},
      {"expected_first.mem", lines_of(expected.begin)},
      {"expected_words.mem", expected.words + "00000000\n"}};
  if (adds) files["expected_sums.mem"] = lines_of(expected.sums) + "00000000\n";
  return files;
}

}  // namespace gossamer
