// Sixteen nodes of a 4x4 torus add up their vectors of 1,024 words, and each gets the sum: an all-reduce. A host on
// AXI4-Lite loads the tables; each node's vector comes on its stream, and all that has arrived leaves on another, where
// every word that is said to be a sum is compared with the sum.
`timescale 1ns/1ps
`default_nettype none

module my_allreduce;

`ifdef MY_OPERATOR  // a smaller one, whose operator is that of ../my_operator
  localparam int DIMS = 1, NODES = 4, PORTS = 2, WORDS = 16;
  localparam logic MULTIPLIES = 1'b1;
`else
  localparam int DIMS = 2, NODES = 16, PORTS = 4, WORDS = 1024;
  localparam logic MULTIPLIES = 1'b0;
`endif
  localparam int PERIODS = 2;

  logic clk = 1'b0, reset_n = 1'b0;
  always #5 clk = !clk;
  initial #10ms $fatal(1, "no end after 10 ms");

  `include "axi_host.svh"

  // The nodes' streams: node 0 is lowest.
  logic [NODES*32-1:0] in_data = '0, out_data;
  logic [NODES-1:0]    in_valid = '0, in_last = '0, in_ready, out_valid, out_last;
  logic [NODES*8-1:0]  out_log;  // the port at which it arrived

  axi_fabric #(
    .DIMS(DIMS), .RADICES({DIMS{16'd4}}), .CHANNELS(PORTS), .JOIN(1'b1), .SLOT_DEPTH(16), .LIST_DEPTH(32), .STORE_DEPTH(WORDS)
  ) i_fabric (
    .clk_i(clk), .rst_ni(reset_n), .start_i(1'b0), .irq_o(),
    .s_axi_awaddr_i(awaddr), .s_axi_awvalid_i(awvalid), .s_axi_awready_o(awready),
    .s_axi_wdata_i(wdata), .s_axi_wstrb_i(4'hf), .s_axi_wvalid_i(wvalid), .s_axi_wready_o(wready),
    .s_axi_bresp_o(bresp), .s_axi_bvalid_o(bvalid), .s_axi_bready_i(bready),
    .s_axi_araddr_i(araddr), .s_axi_arvalid_i(arvalid), .s_axi_arready_o(arready),
    .s_axi_rdata_o(rdata), .s_axi_rresp_o(rresp), .s_axi_rvalid_o(rvalid), .s_axi_rready_i(rready),
    .s_axis_tdata_i(in_data), .s_axis_tlast_i(in_last), .s_axis_tvalid_i(in_valid), .s_axis_tready_o(in_ready),
    .m_axis_tdata_o(out_data), .m_axis_tuser_o(out_log), .m_axis_tlast_o(out_last),
    .m_axis_tvalid_o(out_valid), .m_axis_tready_i({NODES{1'b1}})
  );

  // ---- Where the sums are: of each word of each log the number of the word of the vector that it is, or -1.
  int is_sum [NODES*PORTS*WORDS];

  task automatic read_places(input string name);
    int               file, node, log, first, count;
    int               next [NODES];  // word of the vector
    logic [8*200-1:0] line;
    string            text;
    file = $fopen(name, "r");
    if (file == 0) $fatal(1, "there is no file %s", name);
    for (int i = 0; i < NODES * PORTS * WORDS; i++) is_sum[i] = -1;
    for (int n = 0; n < NODES; n++) next[n] = 0;
    while ($fgets(line, file) != 0) begin
      text = $sformatf("%0s", line);
      if ($sscanf(text, "# sum %d: %d %d %d", node, log, first, count) == 4) begin
        for (int i = 0; i < count; i++) is_sum[(node*PORTS+log)*WORDS+first+i] = next[node] + i;
        next[node] = next[node] + count;
      end
    end
    $fclose(file);
  endtask

  // ---- The vectors, and their sum.
  int          period = 0;
  logic [31:0] total [WORDS];

  function automatic logic [31:0] word_of(input int node, input int index);
    return (32'(node) * 32'd1031 + 32'(index) + 32'(period) * 32'd77) * 32'h9e3779b1;
  endfunction

  task automatic add_up;
    for (int i = 0; i < WORDS; i++) begin
      total[i] = word_of(0, i);
      for (int n = 1; n < NODES; n++) total[i] = MULTIPLIES ? total[i] * word_of(n, i) : total[i] + word_of(n, i);
    end
  endtask

  // ---- Streams.
  int sent [NODES];       // words of its vector that a node has got
  int at [NODES];         // words of this packet that it has given
  int right, of_others;   // words given by all: sums; partial sums and the like

  always @(posedge clk) begin
    for (int n = 0; n < NODES; n++) begin
      if (in_valid[n] && in_ready[n]) sent[n] = sent[n] + 1;
      in_valid[n]         <= sent[n] < WORDS;
      in_last[n]          <= sent[n] == WORDS - 1;
      in_data[n*32+:32]   <= word_of(n, sent[n]);
      if (out_valid[n]) begin
        if (is_sum[(n*PORTS+32'(out_log[n*8+:8]))*WORDS+at[n]] < 0) of_others = of_others + 1;
        else if (out_data[n*32+:32] == total[is_sum[(n*PORTS+32'(out_log[n*8+:8]))*WORDS+at[n]]]) right = right + 1;
        else wrong = wrong + 1;
        at[n] = out_last[n] ? 0 : at[n] + 1;
      end
    end
  end

  // ---- Cycles from the start pulse to the last flit on its last link, as a monitor of the links counts them.
  int since_start = 0, last_flit = 0;
  always @(posedge clk) begin
    since_start <= i_fabric.start ? 1 : since_start + 1;
    if (i_fabric.tx_valid != '0) last_flit <= since_start;
  end

  string       tables;
  logic [31:0] status, cycles;
  initial begin
    for (int n = 0; n < NODES; n++) sent[n] = WORDS;
    for (int n = 0; n < NODES; n++) at[n] = 0;
    $dumpfile("my_allreduce.vcd");
    $dumpvars(1, my_allreduce);
    repeat (4) @(negedge clk);
    reset_n = 1'b1;
    if (!$value$plusargs("tables=%s", tables)) tables = "tables.txt";
    read_places(tables);
    load(tables);
    for (int p = 1; p <= PERIODS && wrong == 0; p++) begin
      period    = p;
      right     = 0;
      of_others = 0;
      add_up;
      for (int n = 0; n < NODES; n++) sent[n] = 0;
      @(negedge clk);
      while (in_valid != '0) @(negedge clk);
      write(control(axi_pkg::AXI_RUN), 32'd1);
      do read(control(axi_pkg::AXI_STATUS), status); while (status[axi_pkg::AXI_RUNNING]);
      read(control(axi_pkg::AXI_CYCLES), cycles);
      if (status[axi_pkg::AXI_ERROR] || right != NODES * WORDS) wrong = wrong + 1;
      $display("period %0d: status %h, %0d of %0d sums right, last flit in cycle %0d, tables end after %0d", p, status,
               right, NODES * WORDS, last_flit, cycles);
    end
    if (wrong == 0) $display("PASS");
    else $display("FAIL: %0d", wrong);
    $finish;
  end

endmodule

`default_nettype wire
