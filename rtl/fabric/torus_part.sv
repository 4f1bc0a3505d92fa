// SPDX-License-Identifier: Apache-2.0
// A block of a larger torus, for one FPGA or one die: SIZES nodes along each dimension, of RADICES in the whole torus.
// Where a dimension is split, the links of its last and of its first nodes are ports: edge_*. They are numbered dimension by
// dimension; in each, first those to the next part, then those to the previous one, by node; a dimension of two nodes has
// a single link at each. Nodes, their ports and what they do are those of the whole torus, so each runs its own part of
// the whole torus' tables (gossamer export --part), and link_elastic may be between parts with clocks of their own.
`default_nettype none
`ifdef __ICARUS__
`define ELABORATION initial  // Icarus allows $fatal in procedures only: it stops before cycle 0
`else
`define ELABORATION
`endif

module torus_part #(
  parameter int                 DIMS        = 2,              // the whole torus: as in torus_fabric
  parameter logic [DIMS*16-1:0] RADICES     = {DIMS{16'd4}},
  parameter logic [DIMS-1:0]    WRAP        = {DIMS{1'b1}},
  parameter logic [DIMS*8-1:0]  LINK_STAGES = '0,             // what the tables are made for
  parameter logic [DIMS*16-1:0] SIZES       = {DIMS{16'd2}},  // nodes of this part along each dimension
  parameter logic [DIMS*8-1:0]  EDGE_STAGES = LINK_STAGES,    // how many of a link's registers are here, where it comes in
  // ---- Its nodes: as in switch_node.
  parameter int                 FLIT_W      = 32,
  parameter                     KIND        = "full_duplex",
  parameter logic               SINGLE_PORT = 1'b0,
  parameter int                 CHANNELS    = 1,
  parameter logic               IN_ORDER    = 1'b0,
  parameter logic               JOIN        = 1'b0,
  parameter logic               ALL_OPS     = 1'b0,
  parameter logic [31:0]        MODEL       = '0,
  parameter int                 SLOT_DEPTH  = 256,
  parameter int                 LIST_DEPTH  = 256,
  parameter int                 STORE_DEPTH = 1024,
  parameter int                 OWN_DEPTH   = 0,
  parameter                     SHARED      = 1'b0,
  parameter int                 LEN_W       = gossamer_pkg::SLOT_LEN_W,
  parameter int                 REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,
  parameter                     IMAGES      = "",  // but: node N reads files IMAGESnode_NNNN_*.mem
  localparam int NODES = torus_pkg::stride(256'(SIZES), DIMS),
  localparam int PORTS = torus_pkg::first_port(256'(RADICES), DIMS),
  localparam int EDGES = torus_pkg::first_edge(256'(RADICES), 256'(SIZES), NODES, DIMS)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,        // synchronous
  input  logic                          start_i,       // one cycle: all nodes of the part run their tables
  // Configuration of one node.
  input  logic                          cfg_valid_i,
  input  logic                          cfg_write_i,
  input  logic [15:0]                   cfg_node_i,
  input  logic [31:0]                   cfg_addr_i,
  input  logic [31:0]                   cfg_wdata_i,
  output logic [31:0]                   cfg_rdata_o,   // of the read in the cycle before
  // Links from and to other parts.
  input  logic [EDGES-1:0]              edge_valid_i,
  input  logic [EDGES-1:0]              edge_last_i,
  input  logic [EDGES*FLIT_W-1:0]       edge_data_i,
  output logic [EDGES-1:0]              edge_valid_o,
  output logic [EDGES-1:0]              edge_last_o,
  output logic [EDGES*FLIT_W-1:0]       edge_data_o,
  // What each node sends on its links, for monitors: node 0's ports lowest.
  output logic [NODES*PORTS-1:0]        link_valid_o,
  output logic [NODES*PORTS-1:0]        link_last_o,
  output logic [NODES*PORTS*FLIT_W-1:0] link_data_o,
  // Status of every node.
  output logic [NODES-1:0]              done_o,
  output logic [NODES-1:0]              error_o
);

  // ---- Illegal parameters.
  if (DIMS < 1 || DIMS > 16) begin : gen_illegal_dims
    `ELABORATION $fatal(1, "torus_part: DIMS must be 1 to 16");
  end
  localparam logic TOO_MANY = NODES > 10000 || torus_pkg::too_many(256'(SIZES), DIMS);
  if (EDGES == 0 && !TOO_MANY) begin : gen_illegal_whole
    `ELABORATION $fatal(1, "torus_part: SIZES must be smaller than RADICES in a dimension, else it is a torus_fabric");
  end
  if (TOO_MANY) begin : gen_illegal_nodes
    `ELABORATION $fatal(1, "torus_part: at most 10000 nodes");
  end
  for (genvar d = 0; d < DIMS; d++) begin : gen_check
    if (RADICES[d*16+:16] < 2 || SIZES[d*16+:16] < 1 || SIZES[d*16+:16] > RADICES[d*16+:16]) begin : gen_illegal_size
      `ELABORATION $fatal(1, "torus_part: every radix must be at least 2, and every size 1 to the radix");
    end
    if (EDGE_STAGES[d*8+:8] > LINK_STAGES[d*8+:8]) begin : gen_illegal_stages
      `ELABORATION $fatal(1, "torus_part: EDGE_STAGES must be at most LINK_STAGES");
    end
  end

  // ---- Links: what comes in at every port.
  logic [NODES*PORTS-1:0]        rx_valid, rx_last;
  logic [NODES*PORTS*FLIT_W-1:0] rx_data;

  for (genvar d = 0; d < DIMS; d++) begin : gen_dim
    localparam int   RADIX  = 32'(RADICES[d*16+:16]);
    localparam int   SIZE   = 32'(SIZES[d*16+:16]);
    localparam int   STRIDE = torus_pkg::stride(256'(SIZES), d);
    localparam int   FACE   = NODES / SIZE;  // links to one neighbouring part
    localparam int   FIRST  = torus_pkg::first_edge(256'(RADICES), 256'(SIZES), NODES, d);
    localparam logic SPLIT  = SIZE != RADIX;
    localparam int   UP     = torus_pkg::first_port(256'(RADICES), d);  // port to the next node, then to the previous one
    localparam int   SIDES  = (RADIX == 2) ? 1 : 2;

    for (genvar n = 0; n < NODES && !TOO_MANY; n++) begin : gen_node
      for (genvar side = 0; side < SIDES; side++) begin : gen_side
        localparam int   DIGIT = (n / STRIDE) % SIZE;
        // The last node of the block, or the first one. Of a dimension of two nodes each is both.
        localparam logic ENDS  = (side == 0) ? DIGIT == SIZE - 1 : DIGIT == 0;
        localparam int   PEER  = (side == 0) ? (ENDS ? n - DIGIT * STRIDE : n + STRIDE)
                                             : (ENDS ? n + (SIZE - 1) * STRIDE : n - STRIDE);
        localparam int   HERE  = n * PORTS + UP + side;
        localparam int   THERE = PEER * PORTS + UP + ((RADIX == 2) ? 0 : 1 - side);
        localparam int   AT    = FIRST + side * FACE + n / (STRIDE * SIZE) * STRIDE + n % STRIDE;

        if (ENDS && SPLIT) begin : gen_edge
          assign edge_valid_o[AT]                = link_valid_o[HERE];
          assign edge_last_o[AT]                 = link_last_o[HERE];
          assign edge_data_o[AT*FLIT_W+:FLIT_W]  = link_data_o[HERE*FLIT_W+:FLIT_W];
          link_stages #(.STAGES(32'(EDGE_STAGES[d*8+:8])), .FLIT_W(FLIT_W)) i_in (
            .clk_i, .rst_ni,
            .valid_i(edge_valid_i[AT]), .last_i(edge_last_i[AT]), .data_i(edge_data_i[AT*FLIT_W+:FLIT_W]),
            .valid_o(rx_valid[HERE]), .last_o(rx_last[HERE]), .data_o(rx_data[HERE*FLIT_W+:FLIT_W])
          );
        end else if (!ENDS || WRAP[d] || RADIX == 2) begin : gen_within
          link_stages #(.STAGES(32'(LINK_STAGES[d*8+:8])), .FLIT_W(FLIT_W)) i_link (
            .clk_i, .rst_ni,
            .valid_i(link_valid_o[THERE]), .last_i(link_last_o[THERE]), .data_i(link_data_o[THERE*FLIT_W+:FLIT_W]),
            .valid_o(rx_valid[HERE]), .last_o(rx_last[HERE]), .data_o(rx_data[HERE*FLIT_W+:FLIT_W])
          );
        end else begin : gen_none  // the end of a path
          assign rx_valid[HERE]                = 1'b0;
          assign rx_last[HERE]                 = 1'b0;
          assign rx_data[HERE*FLIT_W+:FLIT_W]  = '0;
        end
      end
    end
  end

  // ---- Nodes.
  localparam int NODE_PORTS = torus_pkg::node_ports(PORTS, CHANNELS, JOIN || MODEL[gossamer_pkg::MODEL_JOIN]);
  localparam logic [511:0] ALL_STAGES =
      torus_pkg::port_stages(256'(RADICES), 128'(LINK_STAGES), DIMS);
  localparam logic [NODE_PORTS*8-1:0] PORT_STAGES = ALL_STAGES[NODE_PORTS*8-1:0];

  logic [NODES*32-1:0] cfg_rdata;

  for (genvar n = 0; n < NODES; n++) begin : gen_node
    localparam logic [31:0] DIGITS = {8'(48 + n / 1000 % 10), 8'(48 + n / 100 % 10),
                                      8'(48 + n / 10 % 10), 8'(48 + n % 10)};

    // Ports of the node; the last ones may have no link.
    logic [NODE_PORTS-1:0]        valid_out, last_out;
    logic [NODE_PORTS*FLIT_W-1:0] data_out;

    assign link_valid_o[n*PORTS+:PORTS]              = valid_out[PORTS-1:0];
    assign link_last_o[n*PORTS+:PORTS]               = last_out[PORTS-1:0];
    assign link_data_o[n*PORTS*FLIT_W+:PORTS*FLIT_W] = data_out[PORTS*FLIT_W-1:0];

    logic unused_out;
    assign unused_out = ^{valid_out, last_out, data_out};

    switch_node #(
      .PORTS(NODE_PORTS), .FLIT_W(FLIT_W), .LINK_STAGES(PORT_STAGES), .KIND(KIND), .SINGLE_PORT(SINGLE_PORT),
      .CHANNELS(CHANNELS), .IN_ORDER(IN_ORDER), .JOIN(JOIN), .ALL_OPS(ALL_OPS), .MODEL(MODEL), .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH),
      .STORE_DEPTH(STORE_DEPTH), .OWN_DEPTH(OWN_DEPTH), .SHARED(SHARED), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W), .IMAGE((IMAGES == "") ? "" : {IMAGES, "node_", DIGITS})
    ) i_node (
      .clk_i, .rst_ni, .start_i,
      .cfg_valid_i(cfg_valid_i && 32'(cfg_node_i) == n), .cfg_write_i, .cfg_addr_i, .cfg_wdata_i,
      .cfg_rdata_o(cfg_rdata[n*32+:32]),
      .link_valid_o(valid_out), .link_last_o(last_out), .link_data_o(data_out),
      .link_valid_i(NODE_PORTS'(rx_valid[n*PORTS+:PORTS])), .link_last_i(NODE_PORTS'(rx_last[n*PORTS+:PORTS])),
      .link_data_i((NODE_PORTS*FLIT_W)'(rx_data[n*PORTS*FLIT_W+:PORTS*FLIT_W])),
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

`undef ELABORATION
`default_nettype wire
