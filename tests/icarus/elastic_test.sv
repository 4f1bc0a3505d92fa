// A torus in which every node has a clock of its own, at its own phase, and a start pulse of its own; all links
// are link_elastic. Tells what happens, a line each, all times in the local cycles of the node named:
//
//   flit CYCLE NODE PORT LAST WORD    what a node puts on its link; its cycle 0 is that of its start pulse
//   error NODE CODE                   for every node that raised one, the first
//   skew NODE PORT                    for every link that gave up, by its receiver
//   parity NODE PORT                  for every link that received a place with a wrong parity
//   flip CYCLE NODE PORT VALID BITS   bits that changed on the wire behind a node's port: parity, valid, last, data
//   word NODE LOG INDEX WORD          what the logs hold, read through the configuration port
//
// +seed=N chooses phases, and skews of less than K cycles; +late=NODE +by=CYCLES delays one node's start pulse more;
// +lost=NODE: that of the second run never comes.
// +flips=N +bits=B changes B bits of up to N places on random wires in random cycles: of flits, or with +idle of idle
// places. A run may end before all of them have come; a wire gets one at most.
// All of it happens twice: between both runs the nodes are set back by their control registers.
`default_nettype none
`timescale 1ps/1ps

module elastic_fabric #(
  parameter int                 DIMS        = 2,  // as in torus_fabric
  parameter logic [DIMS*16-1:0] RADICES     = {DIMS{16'd4}},
  parameter logic [DIMS-1:0]    WRAP        = {DIMS{1'b1}},
  parameter logic [DIMS*8-1:0]  LINK_STAGES = {DIMS{8'd8}},
  parameter logic               SINGLE_PORT = 1'b0,
  parameter                     KIND        = "full_duplex",
  parameter int                 CHANNELS    = 1,
  parameter logic               PARITY      = 1'b0, // of the links
  parameter int                 SLOT_DEPTH  = 256,
  parameter int                 LIST_DEPTH  = 256,
  parameter int                 STORE_DEPTH = 1024,
  parameter                     IMAGES      = "",
  localparam int NODES = torus_pkg::stride(256'(RADICES), DIMS),
  localparam int PORTS = torus_pkg::first_port(256'(RADICES), DIMS)
) (
  input  logic [NODES*PORTS*35-1:0] flip_i,      // bits that change on the wire behind each port
  input  logic [NODES-1:0]          clk_i,       // of each node
  input  logic [NODES-1:0]          rst_ni,
  input  logic [NODES-1:0]          start_i,
  input  logic [NODES-1:0]          cfg_valid_i,
  input  logic                      cfg_write_i,
  input  logic [NODES*32-1:0]       cfg_addr_i,
  input  logic [31:0]               cfg_wdata_i,
  output logic [NODES*32-1:0]       cfg_rdata_o,
  output logic [NODES*PORTS-1:0]    link_valid_o,
  output logic [NODES*PORTS-1:0]    link_last_o,
  output logic [NODES*PORTS*32-1:0] link_data_o,
  output logic [NODES*PORTS-1:0]    skew_o,
  output logic [NODES*PORTS-1:0]    parity_o,
  output logic [NODES-1:0]          done_o,
  output logic [NODES-1:0]          error_o
);

  localparam logic [511:0] ALL_STAGES =
      torus_pkg::port_stages(256'(RADICES), 128'(LINK_STAGES), DIMS);
  localparam logic [PORTS*8-1:0] PORT_STAGES = ALL_STAGES[PORTS*8-1:0];

  logic [NODES*PORTS-1:0]    rx_valid, rx_last;
  logic [NODES*PORTS*32-1:0] rx_data;

  // The wires, behind each port: parity, valid, last, data. The parity is made where they begin.
  logic [NODES*PORTS*35-1:0] wires;

  for (genvar w = 0; w < NODES * PORTS; w++) begin : gen_wire
    logic [33:0] sent;
    assign sent             = {link_valid_o[w], link_last_o[w], link_data_o[w*32+:32]};
    assign wires[w*35+:35] = {~^sent, sent} ^ flip_i[w*35+:35];
  end

  for (genvar d = 0; d < DIMS; d++) begin : gen_dim
    localparam int RADIX  = 32'(RADICES[d*16+:16]);
    localparam int STRIDE = torus_pkg::stride(256'(RADICES), d);
    localparam int UP     = torus_pkg::first_port(256'(RADICES), d);

    for (genvar n = 0; n < NODES; n++) begin : gen_link
      localparam int DIGIT = (n / STRIDE) % RADIX;
      localparam int NEXT  = (DIGIT == RADIX - 1) ? n - DIGIT * STRIDE : n + STRIDE;
      localparam int HERE  = n * PORTS + UP;
      localparam int THERE = NEXT * PORTS + UP + 1;

      link_elastic #(.STAGES(32'(LINK_STAGES[d*8+:8])), .FLIT_W(32), .PARITY(PARITY)) i_there (
        .tx_clk_i(clk_i[n]), .tx_rst_ni(rst_ni[n]), .tx_start_i(start_i[n]),
        .tx_valid_i(wires[HERE*35+33]), .tx_last_i(wires[HERE*35+32]),
        .tx_data_i(wires[HERE*35+:32]), .tx_parity_i(wires[HERE*35+34]),
        .rx_clk_i(clk_i[NEXT]), .rx_rst_ni(rst_ni[NEXT]), .rx_start_i(start_i[NEXT]),
        .rx_valid_o(rx_valid[THERE]), .rx_last_o(rx_last[THERE]),
        .rx_data_o(rx_data[THERE*32+:32]), .skew_o(skew_o[THERE]), .parity_o(parity_o[THERE])
      );
      link_elastic #(.STAGES(32'(LINK_STAGES[d*8+:8])), .FLIT_W(32), .PARITY(PARITY)) i_back (
        .tx_clk_i(clk_i[NEXT]), .tx_rst_ni(rst_ni[NEXT]), .tx_start_i(start_i[NEXT]),
        .tx_valid_i(wires[THERE*35+33]), .tx_last_i(wires[THERE*35+32]),
        .tx_data_i(wires[THERE*35+:32]), .tx_parity_i(wires[THERE*35+34]),
        .rx_clk_i(clk_i[n]), .rx_rst_ni(rst_ni[n]), .rx_start_i(start_i[n]),
        .rx_valid_o(rx_valid[HERE]), .rx_last_o(rx_last[HERE]),
        .rx_data_o(rx_data[HERE*32+:32]), .skew_o(skew_o[HERE]), .parity_o(parity_o[HERE])
      );
    end
  end

  for (genvar n = 0; n < NODES; n++) begin : gen_node
    localparam logic [31:0] DIGITS = {8'(48 + n / 1000 % 10), 8'(48 + n / 100 % 10),
                                      8'(48 + n / 10 % 10), 8'(48 + n % 10)};
    switch_node #(
      .PORTS(PORTS), .KIND(KIND), .SINGLE_PORT(SINGLE_PORT), .CHANNELS(CHANNELS),
      .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH),
      .LINK_STAGES(PORT_STAGES), .IMAGE({IMAGES, "node_", DIGITS})
    ) i_node (
      .clk_i(clk_i[n]), .rst_ni(rst_ni[n]), .start_i(start_i[n]),
      .cfg_valid_i(cfg_valid_i[n]), .cfg_write_i, .cfg_addr_i(cfg_addr_i[n*32+:32]), .cfg_wdata_i,
      .cfg_rdata_o(cfg_rdata_o[n*32+:32]),
      .link_valid_o(link_valid_o[n*PORTS+:PORTS]), .link_last_o(link_last_o[n*PORTS+:PORTS]),
      .link_data_o(link_data_o[n*PORTS*32+:PORTS*32]),
      .link_valid_i(rx_valid[n*PORTS+:PORTS]), .link_last_i(rx_last[n*PORTS+:PORTS]),
      .link_data_i(rx_data[n*PORTS*32+:PORTS*32]),
      .done_o(done_o[n]), .error_o(error_o[n])
    );
  end

endmodule

module elastic_test;

  parameter int NODES      = 9;     // as in the fabric
  parameter int PORTS      = 4;
  parameter int LOGS       = 4;     // logs of a node that are read
  parameter int K          = 3;     // start pulses differ by less
  parameter int MAX_CYCLES = 2000;  // then the run is stopped
  parameter logic PARITY   = 1'b0;

  localparam int PERIOD = 1000;

  logic [NODES-1:0]          clk = '0, rst_n = '0, start = '0, cfg_valid = '0;
  logic                      cfg_write = 1'b0;
  logic [31:0]               cfg_wdata = 32'd1;  // back to the start
  logic [NODES*32-1:0]       cfg_addr = '0, cfg_rdata;
  logic [NODES*PORTS-1:0]    link_valid, link_last, skew, parity;
  logic [NODES*PORTS*35-1:0] flip = '0;
  logic [NODES*PORTS*32-1:0] link_data;
  logic [NODES-1:0]          done, error;

  elastic_fabric #(
    .PARITY(PARITY),
`include "fabric.vh"
  ) i_fabric (
    .flip_i(flip),
    .clk_i(clk), .rst_ni(rst_n), .start_i(start),
    .cfg_valid_i(cfg_valid), .cfg_write_i(cfg_write), .cfg_addr_i(cfg_addr),
    .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(cfg_rdata),
    .link_valid_o(link_valid), .link_last_o(link_last), .link_data_o(link_data),
    .skew_o(skew), .parity_o(parity), .done_o(done), .error_o(error)
  );

  localparam int MOST = 16;  // flips of a run
  int   seed, late, by, lost, flips, bits;
  logic idle, here;
  int   flip_wire [0:MOST-1], flip_from [0:MOST-1];  // and the cycle from which on it may come
  logic [MOST-1:0] flipped = '0;
  int   phase [0:NODES-1], delay [0:NODES-1];
  logic go = 1'b0, back = 1'b0, ask = 1'b0, again = 1'b0;
  logic [NODES-1:0] told = '0;

  // Each node's clock, reset, start pulse and local cycle. Inputs change at its falling edges, and outputs are
  // read there: in the middle of its cycles.
  for (genvar n = 0; n < NODES; n++) begin : gen_node
    int cycle;

    initial begin
      #1;
      #(phase[n]);
      forever #(PERIOD / 2) clk[n] = !clk[n];
    end

    initial begin
      #1;
      repeat (6 + phase[n] % 5) @(negedge clk[n]);
      rst_n[n] = 1'b1;
    end

    always @(posedge go) begin
      repeat (1 + delay[n]) @(negedge clk[n]);
      start[n] = !(again && n == lost);
      cycle    = 0;
      while (go) begin
        @(negedge clk[n]);
        start[n] = 1'b0;
        cycle    = cycle + 1;
        for (int p = 0; p < PORTS; p++) begin
          if (link_valid[n*PORTS+p] !== 1'b0) begin
            $display("flit %0d %0d %0d %b %h", cycle, n, p, link_last[n*PORTS+p],
                     link_data[(n*PORTS+p)*32+:32]);
          end
          if (flips != 0) flip_bits(n, p, cycle);
        end
      end
    end

    task automatic transfer(input int region, input int address);
      @(negedge clk[n]);
      cfg_valid[n]        = 1'b1;
      cfg_addr[n*32+:32] = 32'(address) | (32'(region) << gossamer_pkg::CFG_REGION_LSB);
      @(negedge clk[n]);
      cfg_valid[n] = 1'b0;
    endtask

    int length;

    always @(posedge back) transfer(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CONTROL);

    always @(posedge ask) begin
      told[n] = 1'b0;
      if (error[n] !== 1'b0) begin
        transfer(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_FIRST_CODE);
        $display("error %0d %0d", n, cfg_rdata[n*32+:32]);
      end
      for (int p = 0; p < PORTS; p++) if (skew[n*PORTS+p] !== 1'b0) $display("skew %0d %0d", n, p);
      for (int p = 0; p < PORTS; p++) if (parity[n*PORTS+p] !== 1'b0) $display("parity %0d %0d", n, p);
      for (int g = 0; g < LOGS; g++) begin
        transfer(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_LOG_LENGTH + g);
        length = int'(cfg_rdata[n*32+:32]);
        for (int i = 0; i < length; i++) begin
          transfer(gossamer_pkg::CFG_STORE, (g << gossamer_pkg::CFG_LOG_LSB) + i);
          $display("word %0d %0d %0d %h", n, g, i, cfg_rdata[n*32+:32]);
        end
      end
      told[n] = 1'b1;
    end
  end

  // Chooses wires and cycles of a run's flips.
  task automatic plan_flips;
    logic taken;
    flipped = '0;
    for (int i = 0; i < flips; i++) begin
      flip_from[i] = $unsigned($random(seed)) % 24;
      taken        = 1'b1;
      while (taken) begin
        flip_wire[i] = $unsigned($random(seed)) % (NODES * PORTS);
        taken        = 1'b0;
        for (int k = 0; k < i; k++) if (flip_wire[k] == flip_wire[i]) taken = 1'b1;
      end
    end
  endtask

  // What is on the wire behind a node's port changes in this cycle, if it is time. Words that were never written
  // are unknown here: their parity is, too.
  task automatic flip_bits(input int n, input int p, input int cycle);
    logic [34:0] mask;
    int          w;
    w    = n * PORTS + p;
    mask = '0;
    for (int i = 0; i < flips; i++) begin
      here = flip_wire[i] == w && !flipped[i] && cycle >= flip_from[i] && link_valid[w] === !idle &&
             ^{link_last[w], link_data[w*32+:32]} !== 1'bx;
      if (here) begin
        while ($countones(mask) < bits) mask = mask | (35'd1 << ($unsigned($random(seed)) % 35));
        flipped[i] = 1'b1;
        $display("flip %0d %0d %0d %b %h", cycle, n, p, link_valid[w], mask);
      end
    end
    flip[w*35+:35] = mask;
  endtask

  task automatic run;
    int waited;
    plan_flips();
    go     = 1'b1;
    waited = 0;
    while ((waited < 4 * K + by + 20 || done !== '1) && waited < MAX_CYCLES) begin
      #PERIOD;
      waited = waited + 1;
    end
    #(PERIOD * 20);
    if (done !== '1) $display("stalled");
    go = 1'b0;
    #(PERIOD * 4);
    ask = 1'b1;
    #PERIOD;
    wait (told === '1);
    ask = 1'b0;
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("late=%d", late)) late = -1;
    if (!$value$plusargs("by=%d", by)) by = 0;
    if (!$value$plusargs("lost=%d", lost)) lost = -1;
    if (!$value$plusargs("flips=%d", flips)) flips = 0;
    if (!$value$plusargs("bits=%d", bits)) bits = 1;
    idle = $test$plusargs("idle");
    for (int n = 0; n < NODES; n++) begin
      phase[n] = $unsigned($random(seed)) % PERIOD;
      delay[n] = $unsigned($random(seed)) % K + ((n == late) ? by : 0);
    end
    #(PERIOD * 30);
    run();
    $display("again");
    again     = 1'b1;
    cfg_write = 1'b1;
    back      = 1'b1;
    #(PERIOD * 10);
    cfg_write = 1'b0;
    run();
    $finish(0);
  end

endmodule

`default_nettype wire
