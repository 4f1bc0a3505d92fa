// Nodes and links of a torus of any radices and any number of dimensions, or of a mesh: each
// dimension is a ring or a path. Node (x0, x1, ...) is number x0 + r0*(x1 + r1*(...)). Ports are
// numbered as torus_pkg says; the ports at a path's ends lead nowhere.
//
// A half-duplex link is one wire, but there is no inout: each end's drive enable and data go to the
// other end, which sees a collision if it drives as well.
`default_nettype none
`ifdef __ICARUS__
`define ELABORATION initial  // Icarus knows $fatal in procedures alone: it stops before cycle 0
`else
`define ELABORATION
`endif

module torus_fabric #(
  parameter int                 DIMS        = 2,              // dimensions, 1 to 16
  parameter logic [DIMS*16-1:0] RADICES     = {DIMS{16'd4}},  // nodes along each, dim. 0 lowest
  parameter logic [DIMS-1:0]    WRAP        = {DIMS{1'b1}},   // 1: a ring, 0: a path
  parameter int                 FLIT_W      = 32,             // the others as in switch_node
  parameter logic               SINGLE_PORT = 1'b0,
  parameter logic               HALF_DUPLEX = 1'b0,
  parameter logic               ADAPTIVE    = 1'b0,
  parameter int                 MESSAGES    = gossamer_pkg::ADAPTIVE_MESSAGES,
  parameter int                 CHANNELS    = 1,
  parameter int                 SLOT_DEPTH  = 256,
  parameter int                 LIST_DEPTH  = 256,
  parameter logic               DOUBLE_BUFFERED = 1'b0,
  parameter int                 STORE_DEPTH = 1024,
  parameter int                 LEN_W       = gossamer_pkg::SLOT_LEN_W,
  parameter int                 REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,
  parameter logic               ONE_CYCLE    = 1'b0,
  parameter logic               IN_ORDER     = 1'b0,
  parameter logic               ENTRY_CHECK  = 1'b1,
  parameter logic               FAULTS       = 1'b1,
  parameter logic               ERROR_DETAIL = 1'b1,
  parameter                     IMAGES      = "",  // node N reads files IMAGESnode_NNNN_*.mem
  localparam int NODES = torus_pkg::stride(256'(RADICES), DIMS),
  localparam int PORTS = torus_pkg::first_port(256'(RADICES), DIMS)
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
  // What each node puts on its links, for monitors: node 0's ports lowest.
  output logic [NODES*PORTS-1:0]        link_valid_o,
  output logic [NODES*PORTS-1:0]        link_last_o,
  output logic [NODES*PORTS*FLIT_W-1:0] link_data_o,
  // Status of every node.
  output logic [NODES-1:0]              done_o,
  output logic [NODES-1:0]              error_o
);

  // ---- What cannot be built.
  if (DIMS < 1 || DIMS > 16) begin : gen_illegal_dims
    `ELABORATION $fatal(1, "torus_fabric: DIMS must be 1 to 16");
  end
  if (NODES > 65536) begin : gen_illegal_nodes
    `ELABORATION $fatal(1, "torus_fabric: more than 65536 nodes");
  end
  if (IMAGES != "" && NODES > 10000) begin : gen_illegal_images
    `ELABORATION $fatal(1, "torus_fabric: images are numbered with 4 digits, for 10000 nodes");
  end
  for (genvar d = 0; d < DIMS; d++) begin : gen_check
    if (RADICES[d*16+:16] < 2) begin : gen_illegal_radix
      `ELABORATION $fatal(1, "torus_fabric: every radix must be at least 2");
    end
  end

  // ---- Links: from every node to the next one along every dimension.
  logic [NODES*PORTS-1:0]        rx_valid, rx_last;
  logic [NODES*PORTS*FLIT_W-1:0] rx_data;

  for (genvar d = 0; d < DIMS; d++) begin : gen_dim
    localparam int RADIX  = 32'(RADICES[d*16+:16]);
    localparam int STRIDE = torus_pkg::stride(256'(RADICES), d);
    localparam int UP     = torus_pkg::first_port(256'(RADICES), d);  // port to the next node
    localparam int DOWN   = (RADIX == 2) ? UP : UP + 1;               // port to the one before

    for (genvar n = 0; n < NODES; n++) begin : gen_link
      localparam int   DIGIT = (n / STRIDE) % RADIX;
      localparam logic ENDS  = DIGIT == RADIX - 1;  // the next node is that of digit 0
      localparam int   NEXT  = ENDS ? n - DIGIT * STRIDE : n + STRIDE;
      localparam int   HERE  = n * PORTS + UP;
      localparam int   THERE = NEXT * PORTS + DOWN;

      if (!ENDS || WRAP[d] || RADIX == 2) begin : gen_connected
        assign rx_valid[THERE]                 = link_valid_o[HERE];
        assign rx_last[THERE]                  = link_last_o[HERE];
        assign rx_data[THERE*FLIT_W+:FLIT_W] = link_data_o[HERE*FLIT_W+:FLIT_W];
        if (RADIX != 2) begin : gen_back
          assign rx_valid[HERE]                = link_valid_o[THERE];
          assign rx_last[HERE]                 = link_last_o[THERE];
          assign rx_data[HERE*FLIT_W+:FLIT_W] = link_data_o[THERE*FLIT_W+:FLIT_W];
        end
      end else begin : gen_edge
        assign rx_valid[THERE]                 = 1'b0;
        assign rx_last[THERE]                  = 1'b0;
        assign rx_data[THERE*FLIT_W+:FLIT_W] = '0;
        assign rx_valid[HERE]                  = 1'b0;
        assign rx_last[HERE]                   = 1'b0;
        assign rx_data[HERE*FLIT_W+:FLIT_W]  = '0;
      end
    end
  end

  // ---- Nodes.
  logic [NODES*32-1:0] cfg_rdata;

  for (genvar n = 0; n < NODES; n++) begin : gen_node
    localparam logic [31:0] DIGITS = {8'(48 + n / 1000 % 10), 8'(48 + n / 100 % 10),
                                      8'(48 + n / 10 % 10), 8'(48 + n % 10)};
    switch_node #(
      .PORTS(PORTS), .FLIT_W(FLIT_W), .SINGLE_PORT(SINGLE_PORT), .HALF_DUPLEX(HALF_DUPLEX),
      .ADAPTIVE(ADAPTIVE), .MESSAGES(MESSAGES), .CHANNELS(CHANNELS), .SLOT_DEPTH(SLOT_DEPTH),
      .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W),
      .ONE_CYCLE(ONE_CYCLE), .IN_ORDER(IN_ORDER), .ENTRY_CHECK(ENTRY_CHECK), .FAULTS(FAULTS),
      .ERROR_DETAIL(ERROR_DETAIL), .DOUBLE_BUFFERED(DOUBLE_BUFFERED),
      .IMAGE((IMAGES == "") ? "" : {IMAGES, "node_", DIGITS})
    ) i_node (
      .clk_i, .rst_ni, .start_i,
      .cfg_valid_i(cfg_valid_i && 32'(cfg_node_i) == n), .cfg_write_i, .cfg_addr_i, .cfg_wdata_i,
      .cfg_rdata_o(cfg_rdata[n*32+:32]),
      .link_valid_o(link_valid_o[n*PORTS+:PORTS]), .link_last_o(link_last_o[n*PORTS+:PORTS]),
      .link_data_o(link_data_o[n*PORTS*FLIT_W+:PORTS*FLIT_W]),
      .link_valid_i(rx_valid[n*PORTS+:PORTS]), .link_last_i(rx_last[n*PORTS+:PORTS]),
      .link_data_i(rx_data[n*PORTS*FLIT_W+:PORTS*FLIT_W]),
      .done_o(done_o[n]), .error_o(error_o[n])
    );
  end

  // ---- What was read, from the node that was asked.
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

`undef ELABORATION
`default_nettype wire
