// The product in place of the operators of rtl/node/join_op.sv and join_how.sv: y = a * b in 32 bits, which wrap, whatever
// operator the tables name.
`default_nettype none

module join_op #(parameter int FLIT_W = 32) (
  input  logic [7:0]        how_i,
  input  logic [FLIT_W-1:0] a_i,
  input  logic [FLIT_W-1:0] b_i,
  output logic [FLIT_W-1:0] y_o
);
  assign y_o = a_i * b_i;
endmodule

// What stands for an operand that is not there: of a product 1.
module join_how #(parameter int FLIT_W = 32, parameter logic ALL = 1'b1) (
  input  logic [3:0]        op_i,
  output logic [7:0]        how_o,
  output logic [FLIT_W-1:0] none_o
);
  assign how_o  = '0;
  assign none_o = FLIT_W'(1);
endmodule

`default_nettype wire
