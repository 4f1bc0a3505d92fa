// The operator of nodes built with REDUCE: y = op(a, b), TIME_OP cycles later, in every cycle. It has no handshake and
// no state beyond its pipeline. Another operator may stand in its place if it keeps OP_COPY and takes exactly
// gossamer_pkg::TIME_OP cycles. Flits of more than 32 bits are lanes of 32.
`default_nettype none

module reduce_op #(
  parameter int FLIT_W = 32  // up to 32, or a multiple of 32
) (
  input  logic              clk_i,
  input  logic [3:0]        op_i,  // gossamer_pkg::OP_...; a larger number means OP_COPY
  input  logic [FLIT_W-1:0] a_i,
  input  logic [FLIT_W-1:0] b_i,
  output logic [FLIT_W-1:0] y_o
);

  localparam int LANES  = (FLIT_W + 31) / 32;
  localparam int LANE_W = (FLIT_W < 32) ? FLIT_W : 32;
  localparam int BYTES  = (LANE_W + 7) / 8;

  // ---- First cycle: what the operator is, beside its operands. For a comparison b is inverted: a - b is a + ~b + 1,
  // whose carry says that a is not the smaller one.
  logic       compares, compares_q, signed_q, wants_max_q, adds_q, cuts_8_q, cuts_16_q;
  logic [1:0] bits_q;  // bit by bit: a, a & b, a | b, a ^ b

  assign compares = 32'(op_i) == gossamer_pkg::OP_MIN || 32'(op_i) == gossamer_pkg::OP_MAX ||
                    32'(op_i) == gossamer_pkg::OP_MINU || 32'(op_i) == gossamer_pkg::OP_MAXU;

  always_ff @(posedge clk_i) begin
    compares_q  <= compares;
    signed_q    <= 32'(op_i) == gossamer_pkg::OP_MIN || 32'(op_i) == gossamer_pkg::OP_MAX;
    wants_max_q <= 32'(op_i) == gossamer_pkg::OP_MAX || 32'(op_i) == gossamer_pkg::OP_MAXU;
    cuts_8_q    <= 32'(op_i) == gossamer_pkg::OP_SUM8;
    cuts_16_q   <= 32'(op_i) == gossamer_pkg::OP_SUM8 || 32'(op_i) == gossamer_pkg::OP_SUM16;
    adds_q      <= 32'(op_i) == gossamer_pkg::OP_SUM || 32'(op_i) == gossamer_pkg::OP_SUM16 ||
                   32'(op_i) == gossamer_pkg::OP_SUM8;
    bits_q[0]   <= 32'(op_i) == gossamer_pkg::OP_AND || 32'(op_i) == gossamer_pkg::OP_XOR;
    bits_q[1]   <= 32'(op_i) == gossamer_pkg::OP_OR || 32'(op_i) == gossamer_pkg::OP_XOR;
  end

  // ---- Second cycle: one adder for sums and comparisons. Below each byte but the first stands a bit that passes the
  // carry on, or cuts it; below the first one the carry that begins.
  localparam int SUM_W = LANE_W + BYTES + 1;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [LANE_W-1:0] a_q, b_q;         // b may be inverted
    logic [LANE_W-1:0] sum, each;        // each: bit by bit
    logic [LANE_W-1:0] other_q, b_2q;    // what is not b, and b, which is inverted where it is taken
    logic              takes_b_q;
    logic [SUM_W-1:0]  left, right;      // the adder's operands
    /* verilator lint_off UNUSEDSIGNAL */
    logic [SUM_W-1:0]  wide;             // their sum, with the bits between bytes
    /* verilator lint_on UNUSEDSIGNAL */

    for (genvar i = 0; i < LANE_W; i++) begin : gen_bit
      // Signed numbers as unsigned ones, from the smallest one on.
      assign left[i+i/8+1]  = a_q[i] ^ (signed_q && i == LANE_W - 1);
      assign right[i+i/8+1] = b_q[i] ^ (signed_q && i == LANE_W - 1);
      assign sum[i]         = wide[i+i/8+1];
    end
    for (genvar k = 0; k < BYTES; k++) begin : gen_between
      assign left[k*9]  = (k == 0) ? compares_q : (k == 2) ? !cuts_16_q : !cuts_8_q;
      assign right[k*9] = (k == 0) && compares_q;
    end
    assign left[SUM_W-1]  = 1'b0;
    assign right[SUM_W-1] = 1'b0;

    assign wide = left + right;

    always_comb begin
      case (bits_q)
        2'd0:    each = a_q;
        2'd1:    each = a_q & b_q;
        2'd2:    each = a_q | b_q;
        default: each = a_q ^ b_q;
      endcase
    end

    always_ff @(posedge clk_i) begin
      a_q       <= a_i[l*LANE_W+:LANE_W];
      b_q       <= b_i[l*LANE_W+:LANE_W] ^ {LANE_W{compares}};
      other_q   <= adds_q ? sum : each;
      b_2q      <= b_q;
      takes_b_q <= compares_q && wide[SUM_W-1] != wants_max_q;
    end

    assign y_o[l*LANE_W+:LANE_W] = takes_b_q ? ~b_2q : other_q;
  end

endmodule

`default_nettype wire
