// A host on AXI4-Lite loads a schedule into a 3x3 torus and runs it for two periods. In each period every node
// gets one word on its stream, and must send out those of the eight other nodes.
`timescale 1ns/1ps
`default_nettype none

module my_bus;

  localparam int NODES = 9, OTHERS = NODES - 1, PERIODS = 2;

  logic clk = 1'b0, reset_n = 1'b0;
  always #5 clk = !clk;
  initial #1ms $fatal(1, "no end after 1 ms");

  `include "axi_host.svh"

  // The nodes' streams: node 0 is lowest.
  logic [NODES*32-1:0] in_data, out_data;
  logic [NODES-1:0]    in_valid = '0, in_ready, out_valid, out_last;
  logic [NODES*8-1:0]  out_port;

  axi_fabric #(
    .DIMS(2), .RADICES(32'h00030003), .SINGLE_PORT(1'b1), .SLOT_DEPTH(16), .LIST_DEPTH(16), .STORE_DEPTH(64)
  ) i_fabric (
    .clk_i(clk), .rst_ni(reset_n), .start_i(1'b0), .irq_o(),
    .s_axi_awaddr_i(awaddr), .s_axi_awvalid_i(awvalid), .s_axi_awready_o(awready),
    .s_axi_wdata_i(wdata), .s_axi_wstrb_i(4'hf), .s_axi_wvalid_i(wvalid), .s_axi_wready_o(wready),
    .s_axi_bresp_o(bresp), .s_axi_bvalid_o(bvalid), .s_axi_bready_i(bready),
    .s_axi_araddr_i(araddr), .s_axi_arvalid_i(arvalid), .s_axi_arready_o(arready),
    .s_axi_rdata_o(rdata), .s_axi_rresp_o(rresp), .s_axi_rvalid_o(rvalid), .s_axi_rready_i(rready),
    .s_axis_tdata_i(in_data), .s_axis_tlast_i({NODES{1'b1}}), .s_axis_tvalid_i(in_valid), .s_axis_tready_o(in_ready),
    .m_axis_tdata_o(out_data), .m_axis_tuser_o(out_port), .m_axis_tlast_o(out_last),
    .m_axis_tvalid_o(out_valid), .m_axis_tready_i({NODES{1'b1}})
  );

  // ---- Streams. A node's word says which node and which period it is of.
  int period = 0;
  function automatic logic [31:0] word_of(input int node, input int of_period);
    return 32'hc0de0000 | 32'(of_period) << 8 | 32'(node);
  endfunction

  for (genvar n = 0; n < NODES; n++) begin : gen_words
    assign in_data[n*32+:32] = word_of(n, period);
  end

  logic [NODES*NODES-1:0] seen = '0;  // bit n*NODES+k: node n has sent out the word of node k in this period
  int                     words = 0;  // that all nodes have sent out
  always @(posedge clk) begin
    for (int n = 0; n < NODES; n++) begin
      if (in_valid[n] && in_ready[n]) in_valid[n] <= 1'b0;
      if (out_valid[n]) words = words + 1;
      for (int k = 0; k < NODES; k++) begin
        if (out_valid[n] && out_data[n*32+:32] == word_of(k, period)) seen[n*NODES+k] <= 1'b1;
      end
    end
  end

  string       tables;
  logic [31:0] status;
  initial begin
    $dumpfile("my_bus.vcd");
    $dumpvars(0, my_bus);
    repeat (4) @(negedge clk);
    reset_n = 1'b1;
    if (!$value$plusargs("tables=%s", tables)) tables = "tables.txt";
    load(tables);
    for (int p = 1; p <= PERIODS && wrong == 0; p++) begin
      period   = p;
      seen     = '0;
      words    = 0;
      in_valid = '1;
      while (in_valid != '0) @(negedge clk);
      write(control(axi_pkg::AXI_RUN), 32'd1);
      do read(control(axi_pkg::AXI_STATUS), status); while (status[axi_pkg::AXI_RUNNING]);
      for (int n = 0; n < NODES; n++) if (seen[n*NODES+n]) wrong = wrong + 1;  // nobody sends a node its own word
      if (status[axi_pkg::AXI_ERROR] || words != NODES * OTHERS || $countones(seen) != NODES * OTHERS) wrong = wrong + 1;
      $display("period %0d: status %h, %0d of %0d words received", p, status, words, NODES * OTHERS);
    end
    if (wrong == 0) $display("PASS");
    else $display("FAIL: %0d", wrong);
    $finish;
  end

endmodule

`default_nettype wire
