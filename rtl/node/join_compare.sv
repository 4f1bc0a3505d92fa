// SPDX-License-Identifier: Apache-2.0
// Which of two operands is the larger one, if one of them comes inverted: a + ~b has a carry if it is a. Flits of more than 32
// bits are lanes of 32.
`default_nettype none

module join_compare #(
  parameter int  FLIT_W = 32,  // up to 32, or a multiple of 32
  localparam int LANES  = (FLIT_W + 31) / 32
) (
  input  logic [FLIT_W-1:0] a_i,
  input  logic [FLIT_W-1:0] b_i,
  output logic [LANES-1:0]  carry_o
);

  localparam int LANE_W = (FLIT_W < 32) ? FLIT_W : 32;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    /* verilator lint_off UNUSEDSIGNAL */
    logic [LANE_W:0] sum;
    /* verilator lint_on UNUSEDSIGNAL */
    assign sum        = {1'b0, a_i[l*LANE_W+:LANE_W]} + {1'b0, b_i[l*LANE_W+:LANE_W]};
    assign carry_o[l] = sum[LANE_W];
  end

endmodule

`default_nettype wire
