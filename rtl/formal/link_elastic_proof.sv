// SPDX-License-Identifier: Apache-2.0
// A link_elastic between two clocks. A step of the proof is an instant: in it the sender's clock has a rising edge, or the
// receiver's, or both, or none. `prove` lets the registers of each side follow their own edges (clock_edges.v). A flip-flop
// that samples the other clock's domain gets, each bit for itself, what is there or what was there a step ago: an edge
// of the one just before an edge of the other may be seen or missed.
//
// Clocks: of the same frequency at any phase, each edge up to a cycle early or late (WANDER); with DRIFT of different frequencies.
// The ends start once each, at any time after their resets. `lead`: the sender's local cycle less the receiver's.
//
//  1. While the lead never leaves -K to K, the link never gives up. (With DRIFT nothing promises it.)
//  2. Any flit of the sender, in its local cycle c, is on the receiver's input in its local cycle c + STAGES, until
//     the link gives up. So is an idle place.
//  3. With any lead: the place that is read has been written, and is not written at that moment. Where that cannot
//     be, the link gives up in that cycle. So it does with a token that is due more than K + 2 cycles late (a cycle for an
//     edge early or late, and one for a late sample).
//  4. After it gave up, and before its time, nothing comes out.
//  5. Of the Gray code that crosses, one bit at most changes with an edge of the sender's clock, and none without.
//  6. With PARITY, where any bits change on the wire: an odd number of them in a place is reported when the place is due, and
//     the link gives up; no other place is reported. A place with an even number passes as it came.
//  7. A receiver that has not started when its token grows old says so, three of its cycles later (where K is not 0).
`default_nettype none

module link_elastic_proof #(
  parameter int   STAGES = 8,
  parameter logic PARITY = 1'b0,
  parameter logic DRIFT  = 1'b0,
  localparam int K       = STAGES - 5,
  localparam int INDEX_W = $clog2(2 * STAGES),
  localparam int DEPTH   = 1 << INDEX_W,
  localparam int FRESH   = 2 * STAGES - 8,
  localparam int AGE_W   = $clog2(FRESH)
) (
  input logic       clk_i,      // a step
  input logic       tx_edge_i,  // the clocks that have an edge in it
  input logic       rx_edge_i,
  input logic       tx_start_i,
  input logic       rx_start_i,
  input logic       valid_i,
  input logic       last_i,
  input logic       data_i,
  input logic [3:0] flip_i,     // bits that change on the wire
  input logic       mark_i      // the place of this cycle is watched
);

  // ---- The clocks. How many edges more the sender's had than the receiver's.
  (* anyconst *) logic ahead;
  logic signed [3:0]   phase = '0, phase_d;

  always_comb begin
    phase_d = phase;
    if (tx_edge_i && !rx_edge_i) phase_d = phase + 4'sd1;
    if (rx_edge_i && !tx_edge_i) phase_d = phase - 4'sd1;
  end

  always_ff @(posedge clk_i) phase <= phase_d;

  // ---- Each end has its reset at its first edge; once both have had it, the sender an edge ago, for two edges of the
  // receiver, each starts once.
  logic       tx_ready = 1'b0, tx_live = 1'b0, rx_ready = 1'b0, tx_gone = 1'b0, rx_gone = 1'b0;
  logic [1:0] settled = 2'd0;
  logic       ready_q = 1'b0, live_q = 1'b0;  // the sender's were so a step ago
  logic       tx_start, rx_start, tx_counts, rx_counts;

  assign tx_start  = tx_start_i && settled == 2'd3 && !tx_gone;
  assign rx_start  = rx_start_i && settled == 2'd3 && !rx_gone;
  assign tx_counts = tx_edge_i && (tx_gone || tx_start);  // a local cycle ends
  assign rx_counts = rx_edge_i && (rx_gone || rx_start);

  always_ff @(posedge clk_i) begin
    if (tx_edge_i) tx_ready <= 1'b1;
    if (tx_edge_i) tx_live <= tx_ready;
    if (rx_edge_i) rx_ready <= 1'b1;
    if (tx_counts) tx_gone <= 1'b1;
    if (rx_counts) rx_gone <= 1'b1;
    if (rx_edge_i && live_q && rx_ready && settled != 2'd3) settled <= settled + 2'd1;
  end

  // ---- The link. On the wire: parity, valid, last, data.
  logic [3:0] sent, wires;
  logic       rx_valid, rx_last, rx_data, skew, parity, gave_up;

  assign sent  = {~^{valid_i, last_i, data_i}, valid_i, last_i, data_i};
  assign wires = PARITY ? sent ^ flip_i : sent;

  link_elastic #(.STAGES(STAGES), .FLIT_W(1), .PARITY(PARITY)) i_link (
    .tx_clk_i(tx_edge_i), .tx_rst_ni(tx_ready), .tx_start_i(tx_start), .tx_valid_i(wires[2]),
    .tx_last_i(wires[1]), .tx_data_i(wires[0]), .tx_parity_i(wires[3]),
    .rx_clk_i(rx_edge_i), .rx_rst_ni(rx_ready), .rx_start_i(rx_start), .rx_valid_o(rx_valid),
    .rx_last_o(rx_last), .rx_data_o(rx_data), .skew_o(skew), .parity_o(parity)
  );

  assign gave_up = rx_ready && (skew || parity);

  // Inside.
  localparam int W = INDEX_W + 1;
  (* hierconn *) logic [W-1:0] \i_link.write_q , \i_link.read_q , \i_link.token_q , \i_link.gray_q , \i_link.from ;
  (* hierconn *) logic [W-1:0] \i_link.written ;
  (* hierconn *) logic [W-1:0] \i_link.gray_1q , \i_link.gray_2q ;
  (* hierconn *) logic [AGE_W:0] \i_link.age_q ;
  (* hierconn *) logic [6:0]   \i_link.cycle_q ;
  (* hierconn *) logic [1:0]   \i_link.state_q ;
  (* hierconn *) logic         \i_link.fresh_1q , \i_link.fresh_2q , \i_link.fresh_3q , \i_link.taken_q , \i_link.live_q , \i_link.live_1q , \i_link.live_2q , \i_link.passes , \i_link.good ;
  localparam int PLACE_W = 3 + 32'(PARITY);
  (* hierconn *) logic [PLACE_W-1:0] \i_link.places[0] , \i_link.places[1] , \i_link.places[2] , \i_link.places[3] ;
  (* hierconn *) logic [PLACE_W-1:0] \i_link.places[4] , \i_link.places[5] , \i_link.places[6] , \i_link.places[7] ;
  (* hierconn *) logic [PLACE_W-1:0] \i_link.places[8] , \i_link.places[9] , \i_link.places[10] , \i_link.places[11] ;
  (* hierconn *) logic [PLACE_W-1:0] \i_link.places[12] , \i_link.places[13] , \i_link.places[14] , \i_link.places[15] ;

  logic [W-1:0] write, read, token, gray;
  logic         fresh, waits, passing, reads;

  assign write   = \i_link.write_q ;
  assign read    = \i_link.read_q ;
  assign token   = \i_link.token_q ;
  assign gray    = \i_link.gray_q ;
  assign fresh   = \i_link.age_q [AGE_W];
  assign waits   = rx_ready && \i_link.state_q == 2'd1;
  assign passing = rx_ready && \i_link.state_q == 2'd2;
  assign reads   = rx_gone && rx_edge_i && \i_link.passes ;

  // ---- The lead, up to FAR; from then on it is not counted any more.
  localparam int FAR = 2 * DEPTH - 4;
  logic signed [7:0] lead = '0, lead_d;
  logic              far = 1'b0, beyond = 1'b0;
  logic [6:0]        cycle = '0;  // the receiver's, up to STAGES
  localparam int OLD = FRESH + 10;
  logic signed [7:0] age = '0;    // the sender's, up to OLD

  always_comb begin
    lead_d = lead;
    if (tx_counts) lead_d = lead_d + 8'sd1;
    if (rx_counts) lead_d = lead_d - 8'sd1;
  end

  always_ff @(posedge clk_i) begin
    if (!far) lead <= lead_d;
    if (lead_d == FAR || lead_d == -FAR) far <= 1'b1;
    if (lead_d > K || lead_d < -K) beyond <= 1'b1;
    if (rx_counts && 32'(cycle) != STAGES) cycle <= cycle + 7'd1;
    if (tx_counts && age != OLD) age <= age + 8'sd1;
  end

  // ---- The place that is watched, and in how many cycles of the receiver it is on its input.
  logic              marked = 1'b0, odd, parity_q = 1'b0, marks;
  logic [PLACE_W-1:0] mark;
  logic [W-1:0]      at;
  logic signed [7:0] remaining = '0, remaining_d;

  assign remaining_d = lead + 8'(STAGES) - 8'(rx_counts);
  assign marks       = mark_i && tx_counts && !marked && !far && remaining_d > 0;

  always_ff @(posedge clk_i) begin
    if (marks) begin
      marked    <= 1'b1;
      mark      <= wires[PLACE_W-1:0];
      odd       <= PARITY && ^flip_i;
      at        <= write;
      remaining <= remaining_d;
    end else if (rx_counts && remaining >= 0) begin
      remaining <= remaining - 8'sd1;
    end
    if (rx_edge_i) parity_q <= rx_ready && parity;
  end

  // ---- Edges since those of the receiver, the last, the last but one ...: an edge of both belongs to them.
  logic [2:0] since1 = '0, since2 = '0, since3 = '0;

  always_ff @(posedge clk_i) begin
    since1 <= rx_edge_i ? 3'(tx_edge_i) : since1 + 3'(tx_edge_i && since1 != '1);
    since2 <= (rx_edge_i ? since1 : since2) + 3'(tx_edge_i && since2 != '1);
    since3 <= (rx_edge_i ? since2 : since3) + 3'(tx_edge_i && since3 != '1);
  end

  // ---- What crosses, a step ago.
  logic [W-1:0] gray_q;
  logic         fresh_q;
  logic         edge_q = 1'b0;

  always_ff @(posedge clk_i) begin
    gray_q  <= gray;
    fresh_q <= fresh;
    edge_q  <= tx_edge_i;
    ready_q <= tx_ready;
    live_q  <= tx_live;
  end

  // ---- What the clocks do.
  always_comb begin
    if (DRIFT) begin
      // In a cycle of the receiver there are two edges of the sender's clock at most, in two cycles three, in three four.
      assume (since1 <= 3'd2 && since2 <= 3'd3 && since3 <= 3'd4);
    end else begin
      assume (ahead ? phase_d >= 0 && phase_d <= 1 : phase_d >= -1 && phase_d <= 0);
    end
  end

  // ---- The rules.
  logic [W-1:0] distance;  // of the place that is read, from the one that will be written

  assign distance = write - \i_link.from ;

  always_comb begin
    if (!DRIFT && !beyond && rx_gone) assert (!skew);                                   // rule 1
    if (marked && remaining == 0 && !gave_up) begin                                     // rule 2
      assert (rx_valid == mark[2]);
      if (rx_valid) assert ({rx_last, rx_data} == mark[1:0]);
    end
    if (marked && remaining == 0 && !skew && !parity_q) assert (parity == odd);         // rule 6
    if (reads && \i_link.good ) assert (distance != '0 && 32'(distance) < DEPTH);       // rule 3
    if (reads && !far && (lead <= 1 - STAGES || lead >= DEPTH - STAGES + 1)) assert (! \i_link.good );
    if (!DRIFT && reads && waits && lead > K + 2) assert (! \i_link.good );
    if (K > 0 && rx_ready && !rx_gone && age - $signed({5'd0, since3}) > FRESH + 1) assert (skew); // rule 7
    if (rx_ready && (gave_up || 32'(cycle) != STAGES)) assert (!rx_valid);              // rule 4
    if (!PARITY && rx_ready) assert (!parity);
    if (rx_ready) assert (!(skew && parity));
    if (ready_q) begin                                                                  // rule 5
      assert (((gray ^ gray_q) & ((gray ^ gray_q) - W'(1))) == '0);
      if (!edge_q) assert (gray == gray_q);
    end
  end

  // ---- What follows, and makes the proof short.
  logic [W-1:0] known1, known2;  // the write pointer as the receiver's two flip-flops know it

  for (genvar b = 0; b < W; b++) begin : gen_known
    assign known1[b] = ^(\i_link.gray_1q >> b);
    assign known2[b] = ^(\i_link.gray_2q >> b);
  end

  logic [W-1:0] since_token, since_read, since_mark;  // places written since then, modulo 2^W

  assign since_token = lead[W-1:0] + cycle[W-1:0];
  assign since_read  = lead[W-1:0] + W'(STAGES - 1);
  assign since_mark  = lead[W-1:0] + W'(STAGES) - remaining[W-1:0];

  logic [16*PLACE_W-1:0] places;
  logic [3:0]            offset;  // 0 or 1
  logic signed [7:0]     sent_for;        // the sender's local cycle, until the receiver's is STAGES
  logic signed [7:0]     behind, unread;  // the sender, from the watched place and from the next that is read

  assign places = {\i_link.places[15] , \i_link.places[14] , \i_link.places[13] , \i_link.places[12] ,
                   \i_link.places[11] , \i_link.places[10] , \i_link.places[9] , \i_link.places[8] ,
                   \i_link.places[7] , \i_link.places[6] , \i_link.places[5] , \i_link.places[4] ,
                   \i_link.places[3] , \i_link.places[2] , \i_link.places[1] , \i_link.places[0] };
  assign offset = ahead ? phase : phase + 4'd1;
  assign sent_for = lead + $signed({1'b0, cycle});
  assign unread = lead + 8'(STAGES - 1);
  assign behind = lead + 8'(STAGES) - remaining;

  always_comb begin
    for (int p = 0; p < 16; p++) begin
      if (marked && remaining > 0 && !far && behind <= DEPTH && at[3:0] == 4'(p)) begin
        assert (places[p*PLACE_W+:PLACE_W] == mark);
      end
    end
    if (marked && !far && remaining > 0) assert (behind > 0);
    if (marked && 32'(cycle) != STAGES) assert (remaining + $signed({1'b0, cycle}) >= STAGES);
    if (settled != 2'd0) assert (ready_q);
    if (ready_q) assert (tx_ready && (!fresh_q || fresh == fresh_q || edge_q));
    if (ready_q && !tx_gone) assert (!fresh_q);
    if (settled != 2'd0) assert (live_q);
    if (live_q) assert (tx_live);
    if (tx_live) assert (tx_ready && \i_link.live_q );
    if (settled >= 2'd1) assert (\i_link.live_1q );
    if (settled >= 2'd2) assert (\i_link.live_2q );
    if (rx_ready) assert (\i_link.state_q != 2'd3);
    // The token's age, and what the receiver has seen of it.
    assert (age >= 0 && age <= OLD && (age != 0) == tx_gone);
    if (tx_gone && !far && 32'(cycle) != STAGES) assert (sent_for > 0 && age == (sent_for < OLD ? sent_for : 8'(OLD)));
    if (tx_ready) assert (fresh == (age >= 1 && age <= FRESH));
    if (tx_ready && fresh) assert (9'(\i_link.age_q ) == 9'(2 * (1 << AGE_W) - FRESH - 1) + 9'(age) && write - token == age[W-1:0]);
    if (ready_q && fresh_q) assert (age <= FRESH || (age == FRESH + 1 && edge_q));
    if (ready_q && !fresh_q) assert (age == 0 || (age == 1 && edge_q) || age > FRESH);
    if (settled >= 2'd1) begin
      if (\i_link.fresh_1q ) assert (age >= 1 + $signed({5'd0, since1}) && age <= FRESH + 1 + $signed({5'd0, since1}));
      else assert (age <= 1 + $signed({5'd0, since1}) || age - $signed({5'd0, since1}) > FRESH);
      if (fresh_q && ! \i_link.fresh_1q ) assert (age <= 1 + $signed({5'd0, since1}));
    end
    if (settled >= 2'd2) begin
      if (\i_link.fresh_2q ) assert (age >= 1 + $signed({5'd0, since2}) && age <= FRESH + 1 + $signed({5'd0, since2}));
      else assert (age <= 1 + $signed({5'd0, since2}) || age - $signed({5'd0, since2}) > FRESH);
      if (\i_link.fresh_1q && ! \i_link.fresh_2q ) assert (age <= 1 + $signed({5'd0, since2}));
    end
    if (settled == 2'd3) begin
      if (\i_link.fresh_3q ) assert (age >= 1 + $signed({5'd0, since3}) && age <= FRESH + 1 + $signed({5'd0, since3}));
      else assert (age <= 1 + $signed({5'd0, since3}) || age - $signed({5'd0, since3}) > FRESH);
      if (\i_link.fresh_2q && ! \i_link.fresh_3q ) assert (age <= 1 + $signed({5'd0, since3}));
    end
    if (settled >= 2'd2 && \i_link.fresh_2q && ! \i_link.fresh_1q ) assert (age > FRESH);
    if (settled == 2'd3 && \i_link.fresh_3q && ! \i_link.fresh_2q ) assert (age > FRESH);
    if (rx_ready && (!rx_gone || waits)) assert (! \i_link.taken_q );
    if (K > 0 && settled == 2'd3 && !rx_gone && ! \i_link.fresh_3q && age > 1 + $signed({5'd0, since3})) assert (skew);
    if (passing || (rx_ready && parity)) assert (\i_link.taken_q || ! (\i_link.fresh_1q || \i_link.fresh_2q || \i_link.fresh_3q ));
    if (passing || (rx_ready && parity)) assert (\i_link.fresh_2q || age > FRESH);
    if (!DRIFT && !beyond) begin
      if (cycle >= 7'd1 && age >= $signed({5'd0, since1})) assert (lead - $signed({5'd0, since1}) + 8'sd1 <= K);
      if (cycle >= 7'd2 && age >= $signed({5'd0, since2})) assert (lead - $signed({5'd0, since2}) + 8'sd2 <= K);
      if (cycle >= 7'd3 && age >= $signed({5'd0, since3})) assert (lead - $signed({5'd0, since3}) + 8'sd3 <= K);
      if (cycle >= 7'd1 && (sent_for >= $signed({5'd0, since1}) || 32'(cycle) == STAGES)) assert (lead - $signed({5'd0, since1}) + 8'sd1 >= -K);
      if (cycle >= 7'd2 && (sent_for >= $signed({5'd0, since2}) || 32'(cycle) == STAGES)) assert (lead - $signed({5'd0, since2}) + 8'sd2 >= -K);
      if (cycle >= 7'd3 && (sent_for >= $signed({5'd0, since3}) || 32'(cycle) == STAGES)) assert (lead - $signed({5'd0, since3}) + 8'sd3 >= -K);
    end
    if (far) assert (lead == FAR || lead == -FAR);
    if (lead > K || lead < -K) assert (beyond);
    if (far && 32'(cycle) != STAGES) assert (tx_gone && lead == FAR && age == OLD);
    if (tx_ready) assert (gray == (write ^ (write >> 1)));
    if (settled != 2'd0) assert (tx_ready && rx_ready);
    if (settled >= 2'd1) assert (write - known1 == W'(since1) || write - known1 == W'(since1) + W'(1));
    if (settled >= 2'd2) assert (write - known2 == W'(since2) || write - known2 == W'(since2) + W'(1));
    if (tx_gone || rx_gone) assert (settled == 2'd3);
    assert (since1 <= since2 && since2 <= since3);
    if (!DRIFT) begin
      assert (offset == 4'd0 || offset == 4'd1);
      assert ({1'b0, since1} <= offset + 4'd1 && {1'b0, since2} <= offset + 4'd2 && {1'b0, since3} <= offset + 4'd3);
      if (settled >= 2'd1) assert ({1'b0, since1} >= offset);
      if (settled >= 2'd2) assert ({1'b0, since2} >= offset + 4'd1);
      if (settled == 2'd3) assert ({1'b0, since3} >= offset + 4'd2);
    end
    if (waits) assert (rx_gone && cycle == \i_link.cycle_q && cycle != '0 && 32'(cycle) < STAGES);
    if (passing) assert (rx_gone && 32'(cycle) == STAGES && tx_gone);
    if (gave_up) assert (!waits && !passing);
    assert (32'(cycle) <= STAGES);
    if (rx_gone && !waits) assert (32'(cycle) == STAGES);
    if (rx_ready && parity) assert (32'(cycle) == STAGES && tx_gone);
    if (!rx_gone) assert (!waits && !passing && cycle == '0);
    if (rx_gone && !waits && !passing) assert (gave_up);
    if (!far && !tx_gone) assert (lead == -$signed({1'b0, cycle}) || 32'(cycle) == STAGES);
    if (!far && !tx_gone) assert (lead <= -$signed({1'b0, cycle}));
    if (!tx_gone) assert (lead <= 0);
    if (!rx_gone) assert (lead >= 0);
    if (!far && tx_gone && 32'(cycle) != STAGES) assert (write - token == since_token);
    if (passing) assert (!far && write - read == since_read);
    if (passing) assert (unread >= $signed({5'd0, since3}) && unread <= DEPTH - 5 + $signed({5'd0, since3}));
    if (marked && remaining >= 0 && !far) assert (write - at == since_mark);
    if (!far) assert (lead < FAR && lead > -FAR);
    assert (lead <= FAR && lead >= -FAR);
    if (marked) assert (odd == (PARITY && !(^mark)));
    if (marked) assert (tx_gone && remaining >= -1 && remaining <= FAR + STAGES);
  end

  always_ff @(posedge clk_i) begin
    cover (marked && remaining == 0 && rx_valid && !beyond && lead == K);
    cover (marked && remaining == 0 && rx_valid && !beyond && lead == -K);
    cover (gave_up && lead > K && rx_gone);
    cover (skew && rx_ready && !rx_gone);
    cover (gave_up && lead < -K);
    if (PARITY) cover (parity && !beyond && rx_gone);
  end

endmodule

`default_nettype wire
