// SPDX-License-Identifier: Apache-2.0
// What a lane makes of two operands, in the cycle in which they come, in nodes without ALL_OPS (join_all.sv): their sum.
// Flits of more than 32 bits are lanes of 32. Another operator may stand in its place, and in that of join_how.sv, if its
// order does not matter.
`default_nettype none

module join_op #(
  parameter int FLIT_W = 32  // up to 32, or a multiple of 32
) (
  input  logic [7:0]        how_i,  // of join_how.sv
  input  logic [FLIT_W-1:0] a_i,
  input  logic [FLIT_W-1:0] b_i,
  output logic [FLIT_W-1:0] y_o
);

  localparam int LANES  = (FLIT_W + 31) / 32;
  localparam int LANE_W = (FLIT_W < 32) ? FLIT_W : 32;
  localparam int BYTES  = (LANE_W + 7) / 8;
  localparam int SUM_W  = LANE_W + BYTES - 1;

  logic cuts_8, cuts_16;  // carries do not leave a byte, a half
  logic unused;           // by narrow flits

  assign {cuts_16, cuts_8} = how_i[1:0];
  assign unused = ^{how_i, cuts_8, cuts_16};

  // Between two bytes stands a bit that passes the carry on, or cuts it.
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [SUM_W-1:0] left, right;
    /* verilator lint_off UNUSEDSIGNAL */
    logic [SUM_W-1:0] wide;
    /* verilator lint_on UNUSEDSIGNAL */

    for (genvar i = 0; i < LANE_W; i++) begin : gen_bit
      assign left[i+i/8]     = a_i[l*LANE_W+i];
      assign right[i+i/8]    = b_i[l*LANE_W+i];
      assign y_o[l*LANE_W+i] = wide[i+i/8];
    end
    for (genvar k = 1; k < BYTES; k++) begin : gen_between
      assign left[k*9-1]  = (k == 2) ? !cuts_16 : !cuts_8;
      assign right[k*9-1] = 1'b0;
    end

    assign wide = left + right;
  end

endmodule

`default_nettype wire
