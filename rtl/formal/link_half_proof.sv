// SPDX-License-Identifier: Apache-2.0
// Two ends of a half-duplex link, each with its own table, the tables up to one cycle apart.
//
//  1. The wire never has two drivers, whatever the skew, and no end reports a collision.
//  2. Without skew there is no error at all, and what a table sends is driven one cycle later: no
//     flit is held back. With it a flit may come too early: then it is held back and reported.
//  3. Under any tables: two drivers last one cycle, and both ends report it.
//
// A legal table leaves TIME_GUARD undriven cycles when the link reverses (timing.md); nothing else
// is assumed. Rules 1 and 2 are about ends i_a and i_b, rule 3 about i_c and i_d.
`default_nettype none

module link_half_proof (
  input logic       clk_i,
  input logic       plan_a_i,     // the schedule lets end a drive in this cycle
  input logic       plan_b_i,     // ... end b
  input logic       any_c_i,      // an end without a schedule
  input logic       any_d_i,
  input logic [3:0] last_i,
  input logic [3:0] window_i
);

  (* anyconst *) logic [1:0] skew;  // of end b against end a, plus 1: 0, 1, 2

  // ---- Legal: one driver, and a guard cycle between two of them.
  logic plan_a_q = 1'b0, plan_b_q = 1'b0;
  logic started = 1'b0;

  always_ff @(posedge clk_i) begin
    plan_a_q <= plan_a_i && started;
    plan_b_q <= plan_b_i && started;
    started  <= 1'b1;
  end

  always_comb begin
    assume (skew <= 2'd2);
    assume (!(plan_a_i && plan_b_i));
    assume (!(plan_a_i && plan_b_q) && !(plan_b_i && plan_a_q));
    if (!started) assume (!plan_a_i && !plan_b_i);
  end

  // ---- Each end follows the schedule in its own time.
  logic       a_q = 1'b0, tx_a, tx_b;
  logic [1:0] b_q = 2'b00;

  always_ff @(posedge clk_i) begin
    a_q <= plan_a_i;
    b_q <= {b_q[0], plan_b_i};
  end

  assign tx_a = a_q;
  assign tx_b = (skew == 2'd0) ? plan_b_i : (skew == 2'd1) ? b_q[0] : b_q[1];

  // ---- The ends.
  logic [3:0] drive, last, collision, turnaround, sent;

  assign sent = {any_d_i, any_c_i, tx_b, tx_a};

  for (genvar e = 0; e < 4; e++) begin : gen_end
    link_half #(.PORTS(1)) i_end (
      .clk_i, .rst_ni(started),
      .tx_valid_i(sent[e] && started), .tx_last_i(last_i[e]), .tx_close_i(window_i[0]),
      .rx_begin_next_i(window_i[1]), .rx_close_i(window_i[2]), .rx_expect_i(window_i[3]),
      .rx_forward_i(1'b0), .rx_take_o(),
      .link_valid_o(drive[e]), .link_last_o(last[e]),
      .link_valid_i(drive[e ^ 1]), .link_last_i(last[e ^ 1]),
      .collision_o(collision[e]), .turnaround_o(turnaround[e]),
      .unexpected_o(), .missing_o(), .cut_o(), .tx_cut_o()
    );
  end

  // ---- Rules.
  logic [3:0] sent_q = 4'b0000;
  logic [1:0] held_q = 2'b00;  // held back, and reported
  logic       both_q = 1'b0;

  always_ff @(posedge clk_i) begin
    sent_q <= started ? sent : 4'b0000;
    held_q <= started ? turnaround[1:0] : 2'b00;
    both_q <= started && drive[2] && drive[3];
  end

  always_comb begin
    if (started) begin
      assert (!(drive[0] && drive[1]));                            // 1
      assert (collision[1:0] == 2'b00);                            // 1
      if (skew == 2'd1) assert (turnaround[1:0] == 2'b00);         // 2
      if (skew == 2'd1) assert (drive[1:0] == sent_q[1:0]);        // 2
      assert ((drive[1:0] | held_q) == sent_q[1:0]);               // 2
      assert (!(both_q && (drive[2] || drive[3])));                // 3
      if (drive[2] && drive[3]) assert (collision[3:2] == 2'b11);  // 3
      cover (drive[0] && skew == 2'd2);
      cover (both_q);
    end
  end

endmodule

`default_nettype wire
