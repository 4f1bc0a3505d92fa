// SPDX-License-Identifier: Apache-2.0
// Links of a torus of any radices and any number of dimensions, or of a mesh: each dimension is a
// ring or a path. Node (x0, x1, ...) is number x0 + r0*(x1 + r1*(...)). Ports are numbered as in
// torus_pkg; the ports at a path's ends have no link. Each link has the register stages of its
// dimension, in both directions.
//
// A half-duplex link is one wire, but there is no inout: each end's drive enable and data go to the
// other end, which sees a collision if it drives as well.
`default_nettype none
`ifdef __ICARUS__
`define ELABORATION initial  // Icarus allows $fatal in procedures only: it stops before cycle 0
`else
`define ELABORATION
`endif

module torus_links #(
  parameter int                 DIMS    = 2,              // dimensions, 1 to 16
  parameter logic [DIMS*16-1:0] RADICES = {DIMS{16'd4}},  // nodes along each, dim. 0 lowest
  parameter logic [DIMS-1:0]    WRAP    = {DIMS{1'b1}},   // 1: a ring, 0: a path
  parameter int                 FLIT_W  = 32,
  parameter logic [DIMS*8-1:0]  STAGES  = '0,             // registers of a link of each dimension
  localparam int NODES = torus_pkg::stride(256'(RADICES), DIMS),
  localparam int PORTS = torus_pkg::first_port(256'(RADICES), DIMS)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // What each node sends on its links: node 0's ports lowest.
  input  logic [NODES*PORTS-1:0]        tx_valid_i,
  input  logic [NODES*PORTS-1:0]        tx_last_i,
  input  logic [NODES*PORTS*FLIT_W-1:0] tx_data_i,
  // What each node receives.
  output logic [NODES*PORTS-1:0]        rx_valid_o,
  output logic [NODES*PORTS-1:0]        rx_last_o,
  output logic [NODES*PORTS*FLIT_W-1:0] rx_data_o
);

  // ---- Illegal parameters.
  if (DIMS < 1 || DIMS > 16) begin : gen_illegal_dims
    `ELABORATION $fatal(1, "torus_links: DIMS must be 1 to 16");
  end
  localparam logic TOO_MANY = torus_pkg::too_many(256'(RADICES), DIMS);
  if (TOO_MANY) begin : gen_illegal_nodes
    `ELABORATION $fatal(1, "torus_links: more than 65536 nodes");
  end
  for (genvar d = 0; d < DIMS; d++) begin : gen_check
    if (RADICES[d*16+:16] < 2) begin : gen_illegal_radix
      `ELABORATION $fatal(1, "torus_links: every radix must be at least 2");
    end
  end

  // ---- From every node to the next one along every dimension.
  for (genvar d = 0; d < DIMS; d++) begin : gen_dim
    localparam int RADIX  = 32'(RADICES[d*16+:16]);
    localparam int STRIDE = torus_pkg::stride(256'(RADICES), d);
    localparam int UP     = torus_pkg::first_port(256'(RADICES), d);  // port to the next node
    localparam int DOWN   = (RADIX == 2) ? UP : UP + 1;               // port to the previous node
    localparam int LENGTH = 32'(STAGES[d*8+:8]);

    for (genvar n = 0; n < NODES && !TOO_MANY; n++) begin : gen_link
      localparam int   DIGIT = (n / STRIDE) % RADIX;
      localparam logic ENDS  = DIGIT == RADIX - 1;  // the next node has digit 0
      localparam int   NEXT  = ENDS ? n - DIGIT * STRIDE : n + STRIDE;
      localparam int   HERE  = n * PORTS + UP;
      localparam int   THERE = NEXT * PORTS + DOWN;

      if (!ENDS || WRAP[d] || RADIX == 2) begin : gen_connected
        link_stages #(.STAGES(LENGTH), .FLIT_W(FLIT_W)) i_there (
          .clk_i, .rst_ni,
          .valid_i(tx_valid_i[HERE]), .last_i(tx_last_i[HERE]),
          .data_i(tx_data_i[HERE*FLIT_W+:FLIT_W]),
          .valid_o(rx_valid_o[THERE]), .last_o(rx_last_o[THERE]),
          .data_o(rx_data_o[THERE*FLIT_W+:FLIT_W])
        );
        if (RADIX != 2) begin : gen_back
          link_stages #(.STAGES(LENGTH), .FLIT_W(FLIT_W)) i_back (
            .clk_i, .rst_ni,
            .valid_i(tx_valid_i[THERE]), .last_i(tx_last_i[THERE]),
            .data_i(tx_data_i[THERE*FLIT_W+:FLIT_W]),
            .valid_o(rx_valid_o[HERE]), .last_o(rx_last_o[HERE]),
            .data_o(rx_data_o[HERE*FLIT_W+:FLIT_W])
          );
        end
      end else begin : gen_edge
        assign rx_valid_o[THERE]               = 1'b0;
        assign rx_last_o[THERE]                = 1'b0;
        assign rx_data_o[THERE*FLIT_W+:FLIT_W] = '0;
        assign rx_valid_o[HERE]                = 1'b0;
        assign rx_last_o[HERE]                 = 1'b0;
        assign rx_data_o[HERE*FLIT_W+:FLIT_W]  = '0;
      end
    end
  end

  // The ports at a path's ends.
  logic unused;
  assign unused = ^{clk_i, rst_ni, tx_valid_i, tx_last_i, tx_data_i};

endmodule

`undef ELABORATION
`default_nettype wire
