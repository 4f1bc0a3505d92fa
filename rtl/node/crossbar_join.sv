// The crossbar of nodes whose lanes join. Every output is a lane: in each cycle it joins the inputs that its mask
// names, and its own read channel's word; bit p of lane o is input p, and bit o, as there are no U-turns, the word. One
// bit is a copy, an input in several masks is a fork, several bits are a join. It takes two cycles: operands are joined
// in pairs in the first one, and the pairs in the second.
`default_nettype none

module crossbar_join #(
  parameter int   PORTS    = 4,   // link ports
  parameter int   FLIT_W   = 32,  // bits of a flit: up to 32, or a multiple of 32
  parameter int   CHANNELS = 1,   // local read channels: 1 (multicast) or PORTS
  parameter logic ALL_OPS  = 1'b0,  // 0: lanes can add only
  parameter logic SKIP_IDLE = simulation_pkg::SKIP_IDLE
) (
  input  logic                       clk_i,
  input  logic [3:0]                 op_i,           // gossamer_pkg::OP_...: how lanes join
  input  logic [PORTS*PORTS-1:0]     mask_i,         // what each lane joins
  input  logic [PORTS-1:0]           forward_i,      // inputs that some lane joins
  input  logic [PORTS-1:0]           rx_valid_i,     // a flit is on the input
  input  logic [PORTS-1:0]           rx_last_i,      // ... the last of its stream
  input  logic [PORTS*FLIT_W-1:0]    rx_data_i,
  input  logic [CHANNELS-1:0]        local_valid_i,  // a word from the store
  input  logic [CHANNELS-1:0]        local_last_i,
  input  logic [CHANNELS*FLIT_W-1:0] local_data_i,
  output logic [PORTS-1:0]           tx_valid_o,     // a cycle later: the lane has a flit, before the register
  output logic [PORTS-1:0]           tx_last_o,      // ... the last of its stream
  output logic [PORTS-1:0]           uneven_o,       // some of what the lane joins is there, and some is not
  output logic [PORTS*FLIT_W-1:0]    data_o          // two cycles later
);

  localparam int PAIRS = (PORTS + 1) / 2;

  logic busy, busy_q;

  assign busy = !SKIP_IDLE || |(rx_valid_i & forward_i) || |local_valid_i;

  always_ff @(posedge clk_i) busy_q <= busy;

  // ---- How lanes join, in the cycle of the pairs and in the next one.
  logic [7:0]        how, how_q;
  logic [FLIT_W-1:0] none;  // in place of what is not there

  join_how #(.FLIT_W(FLIT_W), .ALL(ALL_OPS)) i_how (.op_i, .how_o(how), .none_o(none));

  logic unused_how;  // with two ports there is one pair
  assign unused_how = ^how_q;

  always_ff @(posedge clk_i) how_q <= how;

  for (genvar o = 0; o < PORTS; o++) begin : gen_lane
    localparam int C = (CHANNELS == 1) ? 0 : o;
    logic [PORTS-1:0]        mask, valid, last;
    logic [PORTS*FLIT_W-1:0] operands;
    logic [PAIRS*FLIT_W-1:0] pairs, pairs_q, sums;
    logic                    valid_q, last_q;

    assign mask = mask_i[o*PORTS+:PORTS];

    for (genvar p = 0; p < PORTS; p++) begin : gen_operand
      assign valid[p] = mask[p] && ((p == o) ? local_valid_i[C] : rx_valid_i[p]);
      assign last[p]  = (p == o) ? local_last_i[C] : rx_last_i[p];
      assign operands[p*FLIT_W+:FLIT_W] =
          ((p == o) ? local_data_i[C*FLIT_W+:FLIT_W] : rx_data_i[p*FLIT_W+:FLIT_W]) & {FLIT_W{valid[p]}} |
          none & {FLIT_W{!valid[p]}};
    end

    for (genvar k = 0; k < PAIRS; k++) begin : gen_pair
      if (2 * k + 1 < PORTS) begin : gen_two
        join_op #(.FLIT_W(FLIT_W), .ALL(ALL_OPS)) i_op (
          .how_i(how), .a_i(operands[2*k*FLIT_W+:FLIT_W]), .b_i(operands[(2*k+1)*FLIT_W+:FLIT_W]),
          .y_o(pairs[k*FLIT_W+:FLIT_W])
        );
      end else begin : gen_one
        assign pairs[k*FLIT_W+:FLIT_W] = operands[2*k*FLIT_W+:FLIT_W];
      end
    end

    assign sums[FLIT_W-1:0] = pairs_q[FLIT_W-1:0];

    for (genvar k = 1; k < PAIRS; k++) begin : gen_sum
      join_op #(.FLIT_W(FLIT_W), .ALL(ALL_OPS)) i_op (
        .how_i(how_q), .a_i(sums[(k-1)*FLIT_W+:FLIT_W]), .b_i(pairs_q[k*FLIT_W+:FLIT_W]),
        .y_o(sums[k*FLIT_W+:FLIT_W])
      );
    end

    always_ff @(posedge clk_i) begin
      valid_q <= busy && |valid;
      last_q  <= |(last & valid);
      if (busy) pairs_q <= pairs;
      if (busy_q) data_o[o*FLIT_W+:FLIT_W] <= sums[(PAIRS-1)*FLIT_W+:FLIT_W];
    end

    assign tx_valid_o[o] = valid_q;
    assign tx_last_o[o]  = last_q;
    assign uneven_o[o]   = busy && |valid && valid != mask;
  end

endmodule

`default_nettype wire
