// A torus of two torus_part, with the ports of a torus_fabric whose last dimension is split.
`default_nettype none

module parts_fabric #(
  parameter int                 DIMS        = 2,
  parameter logic [DIMS*16-1:0] RADICES     = {DIMS{16'd4}},
  parameter logic [DIMS-1:0]    WRAP        = {DIMS{1'b1}},
  parameter int                 STAGES      = 0,  // of every link
  parameter                     KIND        = "full_duplex",
  parameter int                 CHANNELS    = 1,
  parameter logic               REDUCE      = 1'b0,
  parameter int                 SLOT_DEPTH  = 8,
  parameter int                 LIST_DEPTH  = 8,
  parameter int                 STORE_DEPTH = 64,
  localparam int NODES = torus_pkg::stride(256'(RADICES), DIMS),
  localparam int PORTS = torus_pkg::first_port(256'(RADICES), DIMS)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      start_i,
  input  logic                      cfg_valid_i,
  input  logic                      cfg_write_i,
  input  logic [15:0]               cfg_node_i,
  input  logic [31:0]               cfg_addr_i,
  input  logic [31:0]               cfg_wdata_i,
  output logic [31:0]               cfg_rdata_o,
  output logic [NODES*PORTS-1:0]    link_valid_o,
  output logic [NODES*PORTS-1:0]    link_last_o,
  output logic [NODES*PORTS*32-1:0] link_data_o,
  output logic [NODES*PORTS-1:0]    link_arrived_o,
  output logic [NODES-1:0]          done_o,
  output logic [NODES-1:0]          error_o
);

  localparam int                 LAST  = (DIMS - 1) * 16;
  localparam int                 HALF  = 32'(RADICES[LAST+:16]) / 2;
  localparam logic [DIMS*16-1:0] SIZES = (DIMS*16)'(RADICES) & ~((DIMS*16)'(16'hffff) << LAST) | ((DIMS*16)'(HALF) << LAST);
  localparam int                 N     = NODES / 2;  // of a part
  localparam int                 EDGES = torus_pkg::first_edge(256'(RADICES), 256'(SIZES), N, DIMS);
  localparam int                 FACE  = N / HALF;   // links to the next part; as many to the previous one, if there are two

  logic [2*EDGES-1:0]    out_valid, out_last, in_valid, in_last;
  logic [2*EDGES*32-1:0] out_data, in_data;
  logic [63:0]           rdata;
  logic                  asked_q;  // the part that was asked

  for (genvar p = 0; p < 2; p++) begin : gen_part
    torus_part #(
      .DIMS(DIMS), .RADICES(RADICES), .WRAP(WRAP), .LINK_STAGES({DIMS{8'(STAGES)}}), .SIZES(SIZES), .KIND(KIND), .CHANNELS(CHANNELS),
      .REDUCE(REDUCE), .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH)
    ) i_part (
      .clk_i, .rst_ni, .start_i,
      .cfg_valid_i(cfg_valid_i && 32'(cfg_node_i) / N == p), .cfg_write_i, .cfg_node_i(16'(32'(cfg_node_i) % N)), .cfg_addr_i,
      .cfg_wdata_i, .cfg_rdata_o(rdata[p*32+:32]),
      .edge_valid_i(in_valid[p*EDGES+:EDGES]), .edge_last_i(in_last[p*EDGES+:EDGES]), .edge_data_i(in_data[p*EDGES*32+:EDGES*32]),
      .edge_valid_o(out_valid[p*EDGES+:EDGES]), .edge_last_o(out_last[p*EDGES+:EDGES]), .edge_data_o(out_data[p*EDGES*32+:EDGES*32]),
      .link_valid_o(link_valid_o[p*N*PORTS+:N*PORTS]), .link_last_o(link_last_o[p*N*PORTS+:N*PORTS]),
      .link_data_o(link_data_o[p*N*PORTS*32+:N*PORTS*32]), .done_o(done_o[p*N+:N]), .error_o(error_o[p*N+:N])
    );

    // What leaves the other part on its next side comes in on the previous one here, and the other way round.
    for (genvar e = 0; e < EDGES; e++) begin : gen_edge
      localparam int HERE  = p * EDGES + e;
      localparam int THERE = (1 - p) * EDGES + (e + FACE) % EDGES;

      assign in_valid[HERE]        = out_valid[THERE];
      assign in_last[HERE]         = out_last[THERE];
      assign in_data[HERE*32+:32]  = out_data[THERE*32+:32];
    end
  end

  always_ff @(posedge clk_i) if (cfg_valid_i) asked_q <= 32'(cfg_node_i) / N == 1;
  assign cfg_rdata_o = rdata[32*asked_q+:32];

  if (STAGES == 0) begin : gen_at_once
    assign link_arrived_o = link_valid_o;
  end else begin : gen_later
    localparam int W = NODES * PORTS;

    logic [STAGES*W-1:0] way_q;

    always_ff @(posedge clk_i) way_q <= (STAGES*W)'({way_q, link_valid_o});
    assign link_arrived_o = way_q[(STAGES-1)*W+:W];
  end

endmodule

`default_nettype wire
