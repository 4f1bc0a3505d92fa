// SPDX-License-Identifier: Apache-2.0
// How lanes join by an operator, for rtl/node/join_op.sv and join_all.sv, and what stands for an operand that is not there: it leaves the
// other one as it is.
`default_nettype none

module join_how #(
  parameter int   FLIT_W = 32,   // up to 32, or a multiple of 32
  parameter logic ALL    = 1'b1  // 0: sums only
) (
  input  logic [3:0]        op_i,   // gossamer_pkg::OP_...; what has no name, and without ALL what is no sum, means OP_SUM
  output logic [7:0]        how_o,
  output logic [FLIT_W-1:0] none_o
);

  logic cuts_8, compares, is_signed, wants_max, is_and, ors;
  logic rest, sign;  // bits of `none`: the highest one, and all others

  assign cuts_8    = op_i == gossamer_pkg::OP_SUM8;
  assign is_signed = op_i == gossamer_pkg::OP_MIN || op_i == gossamer_pkg::OP_MAX;
  assign wants_max = op_i == gossamer_pkg::OP_MAX || op_i == gossamer_pkg::OP_MAXU;
  assign compares  = is_signed || wants_max || op_i == gossamer_pkg::OP_MINU;
  assign is_and    = op_i == gossamer_pkg::OP_AND;
  assign ors       = is_and || op_i == gossamer_pkg::OP_OR;
  assign how_o     = {3'b000, ors, !(compares || ors || op_i == gossamer_pkg::OP_XOR), compares,
                      op_i == gossamer_pkg::OP_SUM16 || cuts_8, cuts_8};
  assign rest      = ALL && (is_and || (compares && !wants_max));
  assign sign      = rest != (ALL && is_signed);

  for (genvar i = 0; i < FLIT_W; i++) begin : gen_none
    assign none_o[i] = (i % 32 == 31 || i == FLIT_W - 1) ? sign : rest;
  end

endmodule

`default_nettype wire
