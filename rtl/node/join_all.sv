// SPDX-License-Identifier: Apache-2.0
// What a lane with all operators makes of two operands: a sum, the larger one, or bit by bit a | b or a ^ b. The other
// operators are these of words that differ by join_how.sv's `none`: the smaller one of two is the larger one of their
// complements. So 0 stands for an operand that is not there. Flits of more than 32 bits are lanes of 32.
//
// If they are compared, one of the operands comes inverted: a + ~b has a carry if a is larger than b. Both that and what
// follows take two LUTs of four inputs a bit at most: the adder's, which leaves carries out where nothing is added, and a
// choice.
`default_nettype none

module join_all #(
  parameter int  FLIT_W = 32,  // up to 32, or a multiple of 32
  localparam int LANES  = (FLIT_W + 31) / 32
) (
  input  logic [7:0]        how_i,   // of join_how.sv
  input  logic [LANES-1:0]  larger_i,  // of a comparison: a, else b, of which one is inverted, and comes out as a is
  input  logic [FLIT_W-1:0] a_i,
  input  logic [FLIT_W-1:0] b_i,
  output logic [FLIT_W-1:0] y_o
);

  localparam int LANE_W = (FLIT_W < 32) ? FLIT_W : 32;

  logic [FLIT_W-1:0] sum;
  logic              compares, adds, ors;
  logic              unused;

  assign {ors, adds, compares} = how_i[4:2];
  assign unused = ^how_i;

  join_op #(.FLIT_W(FLIT_W)) i_sum (.how_i, .a_i, .b_i, .y_o(sum));

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [LANE_W-1:0] a, bits;
    logic              with_a;  // a, or a and what differs from it

    assign a      = a_i[l*LANE_W+:LANE_W];
    assign bits   = adds ? sum[l*LANE_W+:LANE_W] : a ^ b_i[l*LANE_W+:LANE_W];
    assign with_a = ors || (compares && larger_i[l]);

    always_comb begin
      case ({compares, with_a})
        2'd0:    y_o[l*LANE_W+:LANE_W] = bits;
        2'd1:    y_o[l*LANE_W+:LANE_W] = bits | a;
        2'd2:    y_o[l*LANE_W+:LANE_W] = bits ~^ a;
        default: y_o[l*LANE_W+:LANE_W] = a;
      endcase
    end
  end

endmodule

`default_nettype wire
