// A torus of several torus_part, each with a clock of its own, at its own phase, and a start pulse of its own; the links between
// them are link_elastic, those within a part have the same number of registers. With COMMON all have one clock, and the
// registers of all links are in the parts. Tells what happens, a line each, nodes by their number in the whole torus, times in
// the local cycles of their part:
//
//   flit CYCLE NODE PORT LAST WORD    what a node puts on its link; cycle 0 is that of its part's start pulse
//   done CYCLE                        first cycle in which all tables of all parts have ended
//   error NODE                        for every node that raised one
//   skew PART                         for every part at which a link from another one gave up
//   word NODE LOG INDEX WORD          what the logs hold, read through the configuration port
//
// +seed=N chooses phases, and skews of less than K cycles; +lost=PART: its start pulse of the second run never comes.
// All of it happens twice: between both runs the nodes are set back by their control registers.
`default_nettype none
`timescale 1ps/1ps

module parts_test;

  parameter int                 DIMS        = 2;
  parameter logic [DIMS*16-1:0] RADICES     = {DIMS{16'd4}};
  parameter logic [DIMS*16-1:0] SIZES       = {DIMS{16'd2}};
  parameter logic [DIMS*8-1:0]  LINK_STAGES = '0;
  parameter logic               COMMON      = 1'b0;
  parameter logic [31:0]        MODEL       = '0;
  parameter int                 CHANNELS    = 1;
  parameter int                 SLOT_DEPTH  = 256;
  parameter int                 LIST_DEPTH  = 256;
  parameter int                 STORE_DEPTH = 1024;
  parameter                     IMAGES      = "";    // part P reads IMAGESP/node_NNNN_*.mem
  parameter int                 K           = 3;     // start pulses differ by less
  parameter int                 MAX_CYCLES  = 4000;  // then the run is stopped

  localparam int NODES  = torus_pkg::stride(256'(SIZES), DIMS);  // of a part
  localparam int PARTS  = torus_pkg::stride(256'(RADICES), DIMS) / NODES;
  localparam int PORTS  = torus_pkg::first_port(256'(RADICES), DIMS);
  localparam int EDGES  = torus_pkg::first_edge(256'(RADICES), 256'(SIZES), NODES, DIMS);
  localparam int LOGS   = MODEL[gossamer_pkg::MODEL_SINGLE_PORT] ? 1 : PORTS;  // of arrivals
  localparam int PERIOD = 1000;

  // Nodes of the parts in the whole torus, dimension by dimension.
  function automatic int whole_node(input int part, input int node);
    int step, radix, size;
    step       = 1;
    whole_node = 0;
    for (int d = 0; d < DIMS; d++) begin
      radix      = 32'(RADICES[d*16+:16]);
      size       = 32'(SIZES[d*16+:16]);
      whole_node = whole_node + step * (part % (radix / size) * size + node % size);
      part       = part / (radix / size);
      node       = node / size;
      step       = step * radix;
    end
  endfunction

  // The part behind this one along dimension dim.
  function automatic int next_part(input int part, input int dim);
    int step, count;
    step = 1;
    for (int d = 0; d < dim; d++) step = step * (32'(RADICES[d*16+:16]) / 32'(SIZES[d*16+:16]));
    count     = 32'(RADICES[dim*16+:16]) / 32'(SIZES[dim*16+:16]);
    next_part = part + ((part / step % count == count - 1) ? (1 - count) * step : step);
  endfunction

  logic [PARTS-1:0]                clk = '0, rst_n = '0, start = '0, cfg_valid = '0;
  logic                            cfg_write = 1'b0;
  logic [PARTS*16-1:0]             cfg_node = '0;
  logic [PARTS*32-1:0]             cfg_addr = '0, cfg_rdata;
  logic [PARTS*EDGES-1:0]          out_valid, out_last, in_valid, in_last, skew;
  logic [PARTS*EDGES*32-1:0]       out_data, in_data;
  logic [PARTS*NODES-1:0]          done, error;
  logic [PARTS*NODES*PORTS-1:0]    link_valid, link_last;
  logic [PARTS*NODES*PORTS*32-1:0] link_data;

  // ---- Links between parts: the last nodes of one are the neighbours of the first nodes of the next.
  for (genvar d = 0; d < DIMS; d++) begin : gen_dim
    localparam int RADIX = 32'(RADICES[d*16+:16]);
    localparam int FACE  = (RADIX == 32'(SIZES[d*16+:16])) ? 0 : NODES / 32'(SIZES[d*16+:16]);
    localparam int FIRST = torus_pkg::first_edge(256'(RADICES), 256'(SIZES), NODES, d);

    for (genvar l = 0; l < PARTS * FACE; l++) begin : gen_link
      localparam int FROM  = l / FACE;
      localparam int TO    = next_part(FROM, d);
      localparam int HERE  = FROM * EDGES + FIRST + l % FACE;
      localparam int THERE = TO * EDGES + FIRST + l % FACE + ((RADIX == 2) ? 0 : FACE);

      parts_link #(.STAGES(32'(LINK_STAGES[d*8+:8])), .COMMON(COMMON)) i_there (
        .tx_clk_i(clk[FROM]), .tx_rst_ni(rst_n[FROM]), .tx_start_i(start[FROM]), .tx_valid_i(out_valid[HERE]),
        .tx_last_i(out_last[HERE]), .tx_data_i(out_data[HERE*32+:32]),
        .rx_clk_i(clk[TO]), .rx_rst_ni(rst_n[TO]), .rx_start_i(start[TO]), .rx_valid_o(in_valid[THERE]),
        .rx_last_o(in_last[THERE]), .rx_data_o(in_data[THERE*32+:32]), .skew_o(skew[THERE])
      );
      if (RADIX != 2) begin : gen_back
        parts_link #(.STAGES(32'(LINK_STAGES[d*8+:8])), .COMMON(COMMON)) i_back (
          .tx_clk_i(clk[TO]), .tx_rst_ni(rst_n[TO]), .tx_start_i(start[TO]), .tx_valid_i(out_valid[THERE]),
          .tx_last_i(out_last[THERE]), .tx_data_i(out_data[THERE*32+:32]),
          .rx_clk_i(clk[FROM]), .rx_rst_ni(rst_n[FROM]), .rx_start_i(start[FROM]), .rx_valid_o(in_valid[HERE]),
          .rx_last_o(in_last[HERE]), .rx_data_o(in_data[HERE*32+:32]), .skew_o(skew[HERE])
        );
      end
    end
  end

  int   seed, lost;
  int   phase [0:PARTS-1], delay [0:PARTS-1], ended [0:PARTS-1];
  logic go = 1'b0, back = 1'b0, ask = 1'b0, again = 1'b0;
  logic [PARTS-1:0] told = '0;

  // ---- Each part with its clock, reset, start pulse and local cycle. Inputs change at its falling edges, and outputs are
  // read there: in the middle of its cycles.
  for (genvar p = 0; p < PARTS; p++) begin : gen_part
    localparam int FIRST = p * NODES;

    torus_part #(
      .DIMS(DIMS), .RADICES(RADICES), .SIZES(SIZES), .LINK_STAGES(LINK_STAGES), .EDGE_STAGES(COMMON ? LINK_STAGES : '0),
      .MODEL(MODEL), .CHANNELS(CHANNELS),
      .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH), .IMAGES({IMAGES, 8'(48 + p), "/"})
    ) i_part (
      .clk_i(clk[p]), .rst_ni(rst_n[p]), .start_i(start[p]),
      .cfg_valid_i(cfg_valid[p]), .cfg_write_i(cfg_write), .cfg_node_i(cfg_node[p*16+:16]),
      .cfg_addr_i(cfg_addr[p*32+:32]), .cfg_wdata_i(32'd1), .cfg_rdata_o(cfg_rdata[p*32+:32]),
      .edge_valid_i(in_valid[p*EDGES+:EDGES]), .edge_last_i(in_last[p*EDGES+:EDGES]),
      .edge_data_i(in_data[p*EDGES*32+:EDGES*32]), .edge_valid_o(out_valid[p*EDGES+:EDGES]),
      .edge_last_o(out_last[p*EDGES+:EDGES]), .edge_data_o(out_data[p*EDGES*32+:EDGES*32]),
      .link_valid_o(link_valid[FIRST*PORTS+:NODES*PORTS]), .link_last_o(link_last[FIRST*PORTS+:NODES*PORTS]),
      .link_data_o(link_data[FIRST*PORTS*32+:NODES*PORTS*32]),
      .done_o(done[FIRST+:NODES]), .error_o(error[FIRST+:NODES])
    );

    int cycle, length;

    initial begin
      #1;
      #(phase[p]);
      forever #(PERIOD / 2) clk[p] = !clk[p];
    end

    initial begin
      #1;
      repeat (8) @(negedge clk[p]);
      rst_n[p] = 1'b1;
    end

    always @(posedge go) begin
      repeat (1 + delay[p]) @(negedge clk[p]);
      start[p] = !(again && p == lost);
      cycle    = 0;
      ended[p] = 0;
      while (go) begin
        @(negedge clk[p]);
        start[p] = 1'b0;
        cycle    = cycle + 1;
        for (int l = 0; l < NODES * PORTS; l++) begin
          if (link_valid[FIRST*PORTS+l] !== 1'b0) begin
            $display("flit %0d %0d %0d %b %h", cycle, whole_node(p, l / PORTS), l % PORTS, link_last[FIRST*PORTS+l],
                     link_data[(FIRST*PORTS+l)*32+:32]);
          end
        end
        if (ended[p] == 0 && done[FIRST+:NODES] === '1) ended[p] = cycle;
      end
    end

    task automatic transfer(input int node, input int region, input int address);
      @(negedge clk[p]);
      cfg_valid[p]        = 1'b1;
      cfg_node[p*16+:16] = 16'(node);
      cfg_addr[p*32+:32] = 32'(address) | (32'(region) << gossamer_pkg::CFG_REGION_LSB);
      @(negedge clk[p]);
      cfg_valid[p] = 1'b0;
    endtask

    always @(posedge back) begin
      told[p] = 1'b0;
      for (int n = 0; n < NODES; n++) transfer(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CONTROL);
      told[p] = 1'b1;
    end

    // A read in every cycle: what is asked for in one is there in the next.
    always @(posedge ask) begin
      told[p] = 1'b0;
      if (!COMMON && skew[p*EDGES+:EDGES] !== '0) $display("skew %0d", p);
      for (int n = 0; n < NODES; n++) begin
        if (error[FIRST+n] !== 1'b0) $display("error %0d", whole_node(p, n));
        for (int g = 0; g < LOGS; g++) begin
          transfer(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_LOG_LENGTH + g);
          length       = int'(cfg_rdata[p*32+:32]);
          cfg_valid[p] = 1'b1;
          for (int i = 0; i < length; i++) begin
            cfg_addr[p*32+:32] = 32'((g << gossamer_pkg::CFG_LOG_LSB) + i) | (32'(gossamer_pkg::CFG_STORE) << gossamer_pkg::CFG_REGION_LSB);
            @(negedge clk[p]);
            $display("word %0d %0d %0d %h", whole_node(p, n), g, i, cfg_rdata[p*32+:32]);
          end
          cfg_valid[p] = 1'b0;
        end
      end
      told[p] = 1'b1;
    end
  end

  task automatic run;
    int waited, last;
    go     = 1'b1;
    waited = 0;
    while ((waited < K + 10 || done !== '1) && waited < MAX_CYCLES) begin
      #PERIOD;
      waited = waited + 1;
    end
    #(PERIOD * 4);
    last = 0;
    for (int p = 0; p < PARTS; p++) if (ended[p] > last) last = ended[p];
    if (done === '1) $display("done %0d", last);
    else $display("stalled");
    go = 1'b0;
    #(PERIOD * 4);
    ask = 1'b1;
    #PERIOD;
    wait (told === '1);
    ask = 1'b0;
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("lost=%d", lost)) lost = -1;
    for (int p = 0; p < PARTS; p++) begin
      phase[p] = COMMON ? 0 : $unsigned($random(seed)) % PERIOD;
      delay[p] = COMMON ? 0 : $unsigned($random(seed)) % K;
    end
    #(PERIOD * 12);
    run();
    $display("again");
    again     = 1'b1;
    cfg_write = 1'b1;
    back      = 1'b1;
    #PERIOD;
    wait (told === '1);
    #(PERIOD * 10);
    cfg_write = 1'b0;
    run();
    $finish(0);
  end

endmodule

// A link from a part to another: its registers are here and bridge two clocks, or all of them are in the part that receives.
module parts_link #(
  parameter int   STAGES = 8,
  parameter logic COMMON = 1'b0
) (
  input  logic        tx_clk_i, tx_rst_ni, tx_start_i, tx_valid_i, tx_last_i,
  input  logic [31:0] tx_data_i,
  input  logic        rx_clk_i, rx_rst_ni, rx_start_i,
  output logic        rx_valid_o, rx_last_o,
  output logic [31:0] rx_data_o,
  output logic        skew_o
);
  if (COMMON) begin : gen_wire
    assign {rx_valid_o, rx_last_o, rx_data_o, skew_o} = {tx_valid_i, tx_last_i, tx_data_i, 1'b0};
  end else begin : gen_elastic
    link_elastic #(.STAGES(STAGES), .FLIT_W(32)) i_link (
      .tx_clk_i, .tx_rst_ni, .tx_start_i, .tx_valid_i, .tx_last_i, .tx_data_i, .tx_parity_i(1'b0),
      .rx_clk_i, .rx_rst_ni, .rx_start_i, .rx_valid_o, .rx_last_o, .rx_data_o, .skew_o, .parity_o()
    );
  end
endmodule

`default_nettype wire
