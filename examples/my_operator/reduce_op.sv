// The product in place of the operators of rtl/node/reduce_op.sv: y = a * b in 32 bits, which wrap, whatever operator the
// tables name but OP_COPY, which gives a. It takes gossamer_pkg::TIME_OP = 2 cycles, as that one does.
`default_nettype none

module reduce_op #(
  parameter int FLIT_W = 32
) (
  input  logic              clk_i,
  input  logic [3:0]        op_i,
  input  logic [FLIT_W-1:0] a_i,
  input  logic [FLIT_W-1:0] b_i,
  output logic [FLIT_W-1:0] y_o
);

  logic              copies_q;
  logic [FLIT_W-1:0] a_q, b_q;

  always_ff @(posedge clk_i) begin
    copies_q <= 32'(op_i) == gossamer_pkg::OP_COPY || 32'(op_i) >= gossamer_pkg::REDUCE_OPS;
    a_q      <= a_i;
    b_q      <= b_i;
    y_o      <= copies_q ? a_q : a_q * b_q;
  end

endmodule

`default_nettype wire
