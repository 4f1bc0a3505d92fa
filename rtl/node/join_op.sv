// What a lane makes of two operands, in the cycle in which they come. Flits of more than 32 bits are lanes of 32. Another
// operator may stand in its place, and in that of join_how.sv, if its order does not matter.
`default_nettype none

module join_op #(
  parameter int   FLIT_W = 32,   // up to 32, or a multiple of 32
  parameter logic ALL    = 1'b1  // 0: sums only
) (
  input  logic [7:0]        how_i,  // of join_how.sv
  input  logic [FLIT_W-1:0] a_i,
  input  logic [FLIT_W-1:0] b_i,
  output logic [FLIT_W-1:0] y_o
);

  localparam int LANES  = (FLIT_W + 31) / 32;
  localparam int LANE_W = (FLIT_W < 32) ? FLIT_W : 32;
  localparam int BYTES  = (LANE_W + 7) / 8;
  localparam int SUM_W  = LANE_W + BYTES + 1;

  logic       cuts_8, cuts_16;                // of a sum: carries do not leave a byte, a half
  logic       adds, compares, is_signed, wants_max;  // a sum, or the smaller one, or the larger one
  logic [1:0] bits;                           // else bit by bit: 1: a & b, 2: a | b, 3: a ^ b
  logic       unused;                         // by narrow flits, and without ALL

  assign {bits, wants_max, is_signed, compares, adds, cuts_16, cuts_8} = ALL ? how_i : {6'b0, how_i[1:0]};
  assign unused = ^{how_i, cuts_8, cuts_16, adds, wants_max, bits};

  // One adder for sums and comparisons: a - b is a + ~b + 1, whose carry says that a is not the smaller one. Below each
  // byte but the first stands a bit that passes the carry on, or cuts it; below the first one the carry that begins.
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [LANE_W-1:0] a, b, sum;
    logic [SUM_W-1:0]  left, right;
    /* verilator lint_off UNUSEDSIGNAL */
    logic [SUM_W-1:0]  wide;
    /* verilator lint_on UNUSEDSIGNAL */

    assign a = a_i[l*LANE_W+:LANE_W];
    assign b = b_i[l*LANE_W+:LANE_W];

    for (genvar i = 0; i < LANE_W; i++) begin : gen_bit
      // Signed numbers as unsigned ones, from the smallest one on.
      localparam logic SIGN = i == LANE_W - 1;
      assign left[i+i/8+1]  = a[i] ^ (SIGN && is_signed);
      assign right[i+i/8+1] = b[i] ^ compares ^ (SIGN && is_signed);
      assign sum[i]         = wide[i+i/8+1];
    end
    for (genvar k = 0; k < BYTES; k++) begin : gen_between
      assign left[k*9]  = (k == 0) ? compares : (k == 2) ? !cuts_16 : !cuts_8;
      assign right[k*9] = (k == 0) && compares;
    end
    assign left[SUM_W-1]  = 1'b0;
    assign right[SUM_W-1] = 1'b0;

    assign wide = left + right;

    if (ALL) begin : gen_all
      // A comparison is decided by the carry; then it takes one of both, bit by bit as well.
      logic              takes_b;
      logic [LANE_W-1:0] each;  // bit by bit
      assign takes_b = wide[SUM_W-1] != wants_max;
      always_comb begin
        case (compares ? {1'b0, takes_b} : bits)
          2'd0:    each = compares ? a : a & b;
          2'd1:    each = compares ? b : a & b;
          2'd2:    each = a | b;
          default: each = a ^ b;
        endcase
      end
      assign y_o[l*LANE_W+:LANE_W] = adds ? sum : each;
    end else begin : gen_sums
      assign y_o[l*LANE_W+:LANE_W] = sum;
    end
  end

endmodule

`default_nettype wire
