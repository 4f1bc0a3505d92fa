// What stands for an operand that is not there: of a product 1.
`default_nettype none

module join_how #(
  parameter int   FLIT_W = 32,
  parameter logic ALL    = 1'b1
) (
  input  logic [3:0]        op_i,
  output logic [7:0]        how_o,
  output logic [FLIT_W-1:0] none_o
);

  assign how_o  = '0;
  assign none_o = FLIT_W'(1);

  logic unused;
  assign unused = ^op_i ^ ALL;

endmodule

`default_nettype wire
