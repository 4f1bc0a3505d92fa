// SPDX-License-Identifier: Apache-2.0
// Nodes and links of a torus of any radices and any number of dimensions, or of a mesh: each
// dimension is a ring or a path (torus_links). A configuration port reaches one node at a time. Start
// and configuration reach every node TREE_STAGES cycles after they are here, in order, and a read is
// answered as many cycles later again.
`default_nettype none
`ifdef __ICARUS__
`define ELABORATION initial  // Icarus allows $fatal in procedures only: it stops before cycle 0
`else
`define ELABORATION
`endif

module torus_fabric #(
  // ---- The fabric.
  parameter int                 DIMS        = 2,              // dimensions, 1 to 16
  parameter logic [DIMS*16-1:0] RADICES     = {DIMS{16'd4}},  // nodes along each, dim. 0 lowest
  parameter logic [DIMS-1:0]    WRAP        = {DIMS{1'b1}},   // 1: a ring, 0: a path
  parameter logic [DIMS*8-1:0]  LINK_STAGES = '0,  // registers of a link of each dimension, up to 63
  parameter int                 TREE_STAGES = 0,   // registers on the way to every node, and on the way back
  // ---- Its nodes: all as in switch_node.
  parameter int                 FLIT_W      = 32,
  parameter                     KIND        = "full_duplex",
  parameter int                 MESSAGES    = gossamer_pkg::ADAPTIVE_MESSAGES,
  parameter logic               SINGLE_PORT = 1'b0,
  parameter int                 CHANNELS    = 1,     // with JOIN also more than there are links (torus_pkg::node_ports)
  parameter logic               IN_ORDER    = 1'b0,
  parameter logic               JOIN        = 1'b0,
  parameter logic               ALL_OPS     = 1'b0,
  parameter logic [31:0]        MODEL       = '0,
  parameter int                 SLOT_DEPTH  = 256,
  parameter int                 LIST_DEPTH  = 256,
  parameter int                 STORE_DEPTH = 1024,
  parameter int                 OWN_DEPTH   = 0,
  parameter                     SHARED      = 1'b0,
  parameter logic               DOUBLE_BUFFERED = 1'b0,
  parameter                     IMAGES      = "",  // but: node N reads files IMAGESnode_NNNN_*.mem
  parameter int                 LEN_W       = gossamer_pkg::SLOT_LEN_W,
  parameter int                 REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,
  parameter logic               ENTRY_CHECK  = 1'b1,
  parameter logic               TABLE_PARITY = 1'b1,
  parameter logic               FAULTS       = 1'b1,
  parameter logic               ERROR_DETAIL = 1'b1,
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
  output logic [31:0]                   cfg_rdata_o,   // of the read 1 + 2 * TREE_STAGES cycles before
  // What each node sends on its links, for monitors: node 0's ports lowest.
  output logic [NODES*PORTS-1:0]        link_valid_o,
  output logic [NODES*PORTS-1:0]        link_last_o,
  output logic [NODES*PORTS*FLIT_W-1:0] link_data_o,
  output logic [NODES*PORTS-1:0]        link_arrived_o,  // the same flits at the links' other ends
  // Status of every node.
  output logic [NODES-1:0]              done_o,
  output logic [NODES-1:0]              error_o
);

  if (IMAGES != "" && NODES > 10000) begin : gen_illegal_images
    `ELABORATION $fatal(1, "torus_fabric: images are numbered with 4 digits, for 10000 nodes");
  end
  if (TREE_STAGES < 0 || TREE_STAGES > 15) begin : gen_illegal_tree
    `ELABORATION $fatal(1, "torus_fabric: TREE_STAGES must be 0 to 15");
  end
  localparam int TREE = (TREE_STAGES < 0) ? 0 : TREE_STAGES;  // a negative one comes to the message

  // ---- Start and configuration, to all nodes.
  localparam int COMMAND_W = 1 + 1 + 1 + 16 + 32 + 32;

  logic [NODES*COMMAND_W-1:0] command;

  broadcast_tree #(.STAGES(TREE), .LEAVES(NODES), .WIDTH(COMMAND_W)) i_commands (
    .clk_i, .rst_ni,
    .data_i({start_i, cfg_valid_i, cfg_write_i, cfg_node_i, cfg_addr_i, cfg_wdata_i}),
    .data_o(command)
  );

  // ---- Links.
  logic [NODES*PORTS-1:0]        rx_valid, rx_last;
  logic [NODES*PORTS*FLIT_W-1:0] rx_data;

  torus_links #(
    .DIMS(DIMS), .RADICES(RADICES), .WRAP(WRAP), .FLIT_W(FLIT_W), .STAGES(LINK_STAGES)
  ) i_links (
    .clk_i, .rst_ni,
    .tx_valid_i(link_valid_o), .tx_last_i(link_last_o), .tx_data_i(link_data_o),
    .rx_valid_o(rx_valid), .rx_last_o(rx_last), .rx_data_o(rx_data)
  );

  assign link_arrived_o = rx_valid;

  // ---- Nodes.
  localparam int NODE_PORTS = torus_pkg::node_ports(PORTS, CHANNELS, JOIN || MODEL[gossamer_pkg::MODEL_JOIN]);
  localparam logic [511:0] ALL_STAGES =
      torus_pkg::port_stages(256'(RADICES), 128'(LINK_STAGES), DIMS);
  localparam logic [NODE_PORTS*8-1:0] PORT_STAGES = ALL_STAGES[NODE_PORTS*8-1:0];

  logic [NODES*32-1:0] cfg_rdata;
  logic [NODES-1:0]    asked;  // the transfer is at this node

  for (genvar n = 0; n < NODES; n++) begin : gen_node
    localparam logic [31:0] DIGITS = {8'(48 + n / 1000 % 10), 8'(48 + n / 100 % 10),
                                      8'(48 + n / 10 % 10), 8'(48 + n % 10)};

    // Here and now.
    logic        start, valid, write;
    logic [15:0] node;
    logic [31:0] addr, wdata;

    assign {start, valid, write, node, addr, wdata} = command[n*COMMAND_W+:COMMAND_W];

    assign asked[n] = valid && 32'(node) == n;

    // Ports of the node; the last ones may have no link.
    logic [NODE_PORTS-1:0]        valid_out, last_out;
    logic [NODE_PORTS*FLIT_W-1:0] data_out;

    assign link_valid_o[n*PORTS+:PORTS]              = valid_out[PORTS-1:0];
    assign link_last_o[n*PORTS+:PORTS]               = last_out[PORTS-1:0];
    assign link_data_o[n*PORTS*FLIT_W+:PORTS*FLIT_W] = data_out[PORTS*FLIT_W-1:0];

    logic unused_out;
    assign unused_out = ^{valid_out, last_out, data_out};

    switch_node #(
      .PORTS(NODE_PORTS), .FLIT_W(FLIT_W), .LINK_STAGES(PORT_STAGES), .KIND(KIND), .MESSAGES(MESSAGES),
      .SINGLE_PORT(SINGLE_PORT), .CHANNELS(CHANNELS), .IN_ORDER(IN_ORDER), .JOIN(JOIN), .ALL_OPS(ALL_OPS), .MODEL(MODEL),
      .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH), .OWN_DEPTH(OWN_DEPTH), .SHARED(SHARED), .DOUBLE_BUFFERED(DOUBLE_BUFFERED), .LEN_W(LEN_W),
      .REPEAT_W(REPEAT_W), .ENTRY_CHECK(ENTRY_CHECK), .FAULTS(FAULTS), .ERROR_DETAIL(ERROR_DETAIL),
      .TABLE_PARITY(TABLE_PARITY),
      .IMAGE((IMAGES == "") ? "" : {IMAGES, "node_", DIGITS})
    ) i_node (
      .clk_i, .rst_ni, .start_i(start),
      .cfg_valid_i(asked[n]), .cfg_write_i(write), .cfg_addr_i(addr),
      .cfg_wdata_i(wdata),
      .cfg_rdata_o(cfg_rdata[n*32+:32]),
      .link_valid_o(valid_out), .link_last_o(last_out), .link_data_o(data_out),
      .link_valid_i(NODE_PORTS'(rx_valid[n*PORTS+:PORTS])), .link_last_i(NODE_PORTS'(rx_last[n*PORTS+:PORTS])),
      .link_data_i((NODE_PORTS*FLIT_W)'(rx_data[n*PORTS*FLIT_W+:PORTS*FLIT_W])),
      .done_o(done_o[n]), .error_o(error_o[n])
    );
  end

  // ---- Read data, from the node that was addressed.
  if (TREE == 0) begin : gen_gates
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
  end else begin : gen_tree
    logic [NODES-1:0]    asked_q;
    logic [NODES*32-1:0] answers;
    logic                unused_sum, unused_report;
    logic                unused_name;

    always_ff @(posedge clk_i) asked_q <= asked;

    for (genvar n = 0; n < NODES; n++) begin : gen_answer
      assign answers[n*32+:32] = asked_q[n] ? cfg_rdata[n*32+:32] : '0;
    end

    reduction_tree #(.STAGES(TREE), .LEAVES(NODES), .OR_W(32), .SUM_W(1), .NAME_W(1)) i_answers (
      .clk_i, .rst_ni, .or_i(answers), .sum_i({NODES{1'b0}}), .report_i({NODES{1'b0}}),
      .name_i({NODES{1'b0}}), .or_o(cfg_rdata_o), .sum_o(unused_sum), .report_o(unused_report), .name_o(unused_name)
    );
  end

endmodule

`undef ELABORATION
`default_nettype wire
