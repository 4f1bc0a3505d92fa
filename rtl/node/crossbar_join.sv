// SPDX-License-Identifier: Apache-2.0
// The crossbar of nodes whose lanes join. Every output is a lane: in each cycle it joins the inputs that its mask
// names, and its own read channel's word; bit p of lane o is input p, and bit o, as there are no U-turns, the word. One
// bit is a copy, an input in several masks is a fork, several bits are a join. It takes two cycles. In the first one operands
// are only taken, so that a mask costs no more than a register's reset; in the second one they are joined, in pairs and
// then pair after pair: of adders one after the other each begins while the one before still carries.
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
  localparam int PARTS = (FLIT_W + 31) / 32;  // of a flit, which are compared apart

  logic busy, busy_q;

  assign busy = !SKIP_IDLE || |(rx_valid_i & forward_i) || |local_valid_i;

  always_ff @(posedge clk_i) busy_q <= busy;

  // ---- How lanes join, in the cycle of the pairs and in the next one.
  logic [7:0]              how, how_q;
  logic [FLIT_W-1:0]       none, none_q;  // in place of what is not there
  logic [PORTS*FLIT_W-1:0] flips;         // with all operators, of words as join_all takes them

  join_how #(.FLIT_W(FLIT_W), .ALL(ALL_OPS)) i_how (.op_i, .how_o(how), .none_o(none));

  always_ff @(posedge clk_i) begin
    how_q  <= how;
    none_q <= none;
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_flip
    localparam logic INVERTED = p == 1 || (p > 1 && p % 2 == 0 && p + 1 < PORTS);
    assign flips[p*FLIT_W+:FLIT_W] = ALL_OPS ? none ^ {FLIT_W{INVERTED && how[2]}} : '0;
  end

  for (genvar o = 0; o < PORTS; o++) begin : gen_lane
    localparam int C = (CHANNELS == 1) ? 0 : o;
    logic [PORTS-1:0]        mask, valid, last;
    logic [PORTS*FLIT_W-1:0] words, words_q;
    logic [PAIRS*FLIT_W-1:0] pairs, joined;
    logic                    valid_q, last_q;

    assign mask = mask_i[o*PORTS+:PORTS];

    for (genvar p = 0; p < PORTS; p++) begin : gen_operand
      assign valid[p] = mask[p] && ((p == o) ? local_valid_i[C] : rx_valid_i[p]);
      assign last[p]  = (p == o) ? local_last_i[C] : rx_last_i[p];
      assign words[p*FLIT_W+:FLIT_W] =
          ((p == o) ? local_data_i[C*FLIT_W+:FLIT_W] : rx_data_i[p*FLIT_W+:FLIT_W]) ^ flips[p*FLIT_W+:FLIT_W];

      always_ff @(posedge clk_i) begin
        if (busy) words_q[p*FLIT_W+:FLIT_W] <= valid[p] ? words[p*FLIT_W+:FLIT_W] : ALL_OPS ? '0 : none;
      end
    end

    // With all operators a pair is already compared as it is taken. Every pair but the first one comes inverted.
    for (genvar k = 0; k < PAIRS; k++) begin : gen_pair
      if (2 * k + 1 == PORTS) begin : gen_one
        assign pairs[k*FLIT_W+:FLIT_W] = words_q[2*k*FLIT_W+:FLIT_W] ^ {FLIT_W{ALL_OPS && how_q[2]}};
      end else if (ALL_OPS) begin : gen_all
        logic [PARTS-1:0] carry, larger_q;

        join_compare #(.FLIT_W(FLIT_W)) i_compare (
          .a_i(words[2*k*FLIT_W+:FLIT_W]), .b_i(words[(2*k+1)*FLIT_W+:FLIT_W]), .carry_o(carry)
        );

        always_ff @(posedge clk_i) begin
          for (int l = 0; l < PARTS; l++) begin
            larger_q[l] <= (k == 0) ? !valid[1] || (valid[0] && carry[l])
                                    : valid[2*k] && !(valid[2*k+1] && carry[l]);
          end
        end

        join_all #(.FLIT_W(FLIT_W)) i_op (
          .how_i(how_q), .larger_i(larger_q),
          .a_i(words_q[2*k*FLIT_W+:FLIT_W]), .b_i(words_q[(2*k+1)*FLIT_W+:FLIT_W]), .y_o(pairs[k*FLIT_W+:FLIT_W])
        );
      end else begin : gen_sum
        join_op #(.FLIT_W(FLIT_W)) i_op (
          .how_i(how_q), .a_i(words_q[2*k*FLIT_W+:FLIT_W]), .b_i(words_q[(2*k+1)*FLIT_W+:FLIT_W]),
          .y_o(pairs[k*FLIT_W+:FLIT_W])
        );
      end
    end

    assign joined[FLIT_W-1:0] = pairs[FLIT_W-1:0];

    for (genvar k = 1; k < PAIRS; k++) begin : gen_join
      if (ALL_OPS) begin : gen_all
        logic [PARTS-1:0] larger;

        join_compare #(.FLIT_W(FLIT_W)) i_compare (
          .a_i(joined[(k-1)*FLIT_W+:FLIT_W]), .b_i(pairs[k*FLIT_W+:FLIT_W]), .carry_o(larger)
        );

        join_all #(.FLIT_W(FLIT_W)) i_op (
          .how_i(how_q), .larger_i(larger),
          .a_i(joined[(k-1)*FLIT_W+:FLIT_W]), .b_i(pairs[k*FLIT_W+:FLIT_W]), .y_o(joined[k*FLIT_W+:FLIT_W])
        );
      end else begin : gen_sum
        join_op #(.FLIT_W(FLIT_W)) i_op (
          .how_i(how_q), .a_i(joined[(k-1)*FLIT_W+:FLIT_W]), .b_i(pairs[k*FLIT_W+:FLIT_W]),
          .y_o(joined[k*FLIT_W+:FLIT_W])
        );
      end
    end

    always_ff @(posedge clk_i) begin
      valid_q <= busy && |valid;
      last_q  <= |(last & valid);
      if (busy_q) data_o[o*FLIT_W+:FLIT_W] <= joined[(PAIRS-1)*FLIT_W+:FLIT_W] ^ (ALL_OPS ? none_q : '0);
    end

    assign tx_valid_o[o] = valid_q;
    assign tx_last_o[o]  = last_q;
    assign uneven_o[o]   = busy && |valid && valid != mask;
  end

  logic unused;  // without all operators
  assign unused = ^none_q;

endmodule

`default_nettype wire
