// SPDX-License-Identifier: Apache-2.0
// Two nodes that were started together, each with a table of its own: entries may be repeated and
// looped in one where the other has several. Legal tables give the same length to slots of the same
// number, and end after the same number of slots.
//
//  1. Slots stay in lockstep: both nodes are in the same cycle of the same slot, always.
//  2. The windows are the same: the last cycles of reads and select, the first and last cycle of the receive window.
//  3. A legal table raises no error of an entry.
//  4. Outside a slot no word is read, no select acts, nothing is expected: silence.
//  5. Every output with a source is among those that may have one.
`default_nettype none

module sequencer_proof #(
  parameter logic ONE_CYCLE = 1'b0,
  localparam int  PORTS     = 2,
  localparam int  TABLE_AW  = 3,
  localparam int  LEN_W     = 3,
  localparam int  REPEAT_W  = 3,
  localparam int  SLOT_W    = gossamer_pkg::slot_w(PORTS, 1'b0)
) (
  input logic              clk_i,
  input logic              start_i,
  input logic [SLOT_W-1:0] entry_a_i,  // the entry in the table's output register
  input logic [SLOT_W-1:0] entry_b_i
);

  // The windows have no reset of their own; they follow while the sequencer is held in reset.
  logic [1:0] reset_cycles = 2'd0;
  logic       started;

  assign started = reset_cycles == 2'd3;
  always_ff @(posedge clk_i) if (!started) reset_cycles <= reset_cycles + 2'd1;

  // ---- The tables' output registers: they change only when the sequencer reads.
  logic [SLOT_W-1:0] entry_a_q, entry_b_q;
  logic              en_a, en_b;

  always_ff @(posedge clk_i) begin
    if (en_a || !started) entry_a_q <= entry_a_i;
    if (en_b || !started) entry_b_q <= entry_b_i;
  end

  // ---- The nodes.
  logic [PORTS-1:0]    local_a, local_b, send_a, forward_a, forward_b, expect_a, expect_b, limit_a, limit_b;
  logic [2*PORTS-1:0]  select_a, select_b;
  logic [REPEAT_W-1:0] slot_a, slot_b;
  logic [5:0]          when_a, when_b;  // closing, windows, end
  logic                malformed_a, malformed_b, cut_a, cut_b;

  if (ONE_CYCLE) begin : gen
    sequencer_one_cycle #(
      .PORTS(PORTS), .TABLE_AW(TABLE_AW), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W)
    ) i_a (
      .clk_i, .rst_ni(started), .start_i, .first_i('0), .dead_i('0), .dead_after_i('0),
      .slot_en_o(en_a), .slot_addr_o(), .slot_data_i(entry_a_q),
      .prime_o(when_a[0]), .read_o(), .local_o(local_a), .stream_last_o(), .slot_close_o(when_a[1]),
      .select_o(select_a), .send_o(send_a), .forward_o(forward_a), .tx_close_o(when_a[2]),
      .expect_next_o(), .expect_o(expect_a), .rx_open_next_o(when_a[3]), .rx_close_o(when_a[4]),
      .slot_o(slot_a), .done_o(when_a[5]),
      .malformed_o(malformed_a), .cut_o(cut_a), .limit_o(limit_a)
    );

    sequencer_one_cycle #(
      .PORTS(PORTS), .TABLE_AW(TABLE_AW), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W)
    ) i_b (
      .clk_i, .rst_ni(started), .start_i, .first_i('0), .dead_i('0), .dead_after_i('0),
      .slot_en_o(en_b), .slot_addr_o(), .slot_data_i(entry_b_q),
      .prime_o(when_b[0]), .read_o(), .local_o(local_b), .stream_last_o(), .slot_close_o(when_b[1]),
      .select_o(select_b), .send_o(), .forward_o(forward_b), .tx_close_o(when_b[2]),
      .expect_next_o(), .expect_o(expect_b), .rx_open_next_o(when_b[3]), .rx_close_o(when_b[4]),
      .slot_o(slot_b), .done_o(when_b[5]),
      .malformed_o(malformed_b), .cut_o(cut_b), .limit_o(limit_b)
    );
  end else begin : gen
    sequencer #(
      .PORTS(PORTS), .TABLE_AW(TABLE_AW), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W)
    ) i_a (
      .clk_i, .rst_ni(started), .start_i, .first_i('0), .dead_i('0), .dead_after_i('0),
      .slot_en_o(en_a), .slot_addr_o(), .slot_data_i(entry_a_q),
      .prime_o(when_a[0]), .read_o(), .local_o(local_a), .stream_last_o(), .slot_close_o(when_a[1]),
      .select_o(select_a), .send_o(send_a), .forward_o(forward_a), .tx_close_o(when_a[2]),
      .expect_next_o(), .expect_o(expect_a), .rx_open_next_o(when_a[3]), .rx_close_o(when_a[4]),
      .slot_o(slot_a), .done_o(when_a[5]),
      .malformed_o(malformed_a), .cut_o(cut_a), .limit_o(limit_a)
    );

    sequencer #(
      .PORTS(PORTS), .TABLE_AW(TABLE_AW), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W)
    ) i_b (
      .clk_i, .rst_ni(started), .start_i, .first_i('0), .dead_i('0), .dead_after_i('0),
      .slot_en_o(en_b), .slot_addr_o(), .slot_data_i(entry_b_q),
      .prime_o(when_b[0]), .read_o(), .local_o(local_b), .stream_last_o(), .slot_close_o(when_b[1]),
      .select_o(select_b), .send_o(), .forward_o(forward_b), .tx_close_o(when_b[2]),
      .expect_next_o(), .expect_o(expect_b), .rx_open_next_o(when_b[3]), .rx_close_o(when_b[4]),
      .slot_o(slot_b), .done_o(when_b[5]),
      .malformed_o(malformed_b), .cut_o(cut_b), .limit_o(limit_b)
    );
  end

  // Inside the nodes.
  (* hierconn *) logic [1:0]       \gen.i_a.state_q , \gen.i_b.state_q ;
  (* hierconn *) logic             \gen.i_a.table_ends , \gen.i_b.table_ends ;
  (* hierconn *) logic             \gen.i_a.wrong_form , \gen.i_b.wrong_form , \gen.i_a.bad_select , \gen.i_b.bad_select ;
  (* hierconn *) logic             \gen.i_a.opened_q , \gen.i_b.opened_q , \gen.i_a.odd_q , \gen.i_b.odd_q ;
  (* hierconn *) logic [PORTS-1:0] \gen.i_a.expect_q ;

  // ---- Legal tables: what every entry says, and that slots of the same number are equally long. The register of a
  // one-cycle node holds the current entry, that of others the next one.
  gossamer_pkg::slot_t slot_a_q, slot_b_q;
  logic [LEN_W-1:0]    len_a, len_b;
  assign slot_a_q = entry_a_q[gossamer_pkg::SLOT_RECEIVE_LSB-1:0];
  assign slot_b_q = entry_b_q[gossamer_pkg::SLOT_RECEIVE_LSB-1:0];
  assign len_a    = slot_a_q.length[LEN_W-1:0];
  assign len_b    = slot_b_q.length[LEN_W-1:0];

  always_comb begin
    if (started) begin
      assume (len_a >= slot_a_q.stream[LEN_W-1:0]);
      assume (len_b >= slot_b_q.stream[LEN_W-1:0]);
      if (slot_a == slot_b) assume (\gen.i_a.table_ends == \gen.i_b.table_ends );
    end
  end

  // Of a node that is not a one-cycle node.
  (* hierconn *) logic [LEN_W-1:0] \gen.i_a.cycle_n_q , \gen.i_a.len_q , \gen.i_a.stream_q ;
  (* hierconn *) logic [LEN_W-1:0] \gen.i_b.cycle_n_q , \gen.i_b.len_q , \gen.i_b.stream_q ;
  (* hierconn *) logic [3:0]       \gen.i_a.ending_q , \gen.i_b.ending_q ;
  (* hierconn *) logic             \gen.i_a.first_q , \gen.i_a.last_q , \gen.i_a.stream_now_q , \gen.i_a.stream_last_q , \gen.i_a.two_cycles_q ;
  (* hierconn *) logic             \gen.i_a.one_flit_q , \gen.i_a.streams_q , \gen.i_a.two_flits_q , \gen.i_a.cycle_end_q , \gen.i_a.stream_end_q ;
  (* hierconn *) logic             \gen.i_a.wrong_loop_q , \gen.i_a.wrong_select_q ;
  (* hierconn *) logic             \gen.i_a.wrong_len_q , \gen.i_a.wrong_repeat_q , \gen.i_a.too_wide_q ;
  (* hierconn *) logic             \gen.i_b.first_q , \gen.i_b.last_q , \gen.i_b.stream_now_q , \gen.i_b.stream_last_q , \gen.i_b.two_cycles_q ;
  (* hierconn *) logic             \gen.i_b.one_flit_q , \gen.i_b.streams_q , \gen.i_b.two_flits_q , \gen.i_b.cycle_end_q , \gen.i_b.stream_end_q ;
  (* hierconn *) logic             \gen.i_b.wrong_loop_q , \gen.i_b.wrong_select_q ;
  (* hierconn *) logic             \gen.i_b.wrong_len_q , \gen.i_b.wrong_repeat_q , \gen.i_b.too_wide_q ;

  logic [LEN_W-1:0] cycle_a, cycle_b;  // from 1 on
  assign cycle_a = ~\gen.i_a.cycle_n_q - LEN_W'(2);
  assign cycle_b = ~\gen.i_b.cycle_n_q - LEN_W'(2);

  if (ONE_CYCLE) begin : gen_legal
    always_comb begin
      if (started) begin
        assume (!\gen.i_a.wrong_form && !\gen.i_b.wrong_form && !\gen.i_a.bad_select && !\gen.i_b.bad_select );
        assume (!\gen.i_a.odd_q && !\gen.i_b.odd_q );
        if (slot_a == slot_b) assume (len_a == len_b);
      end
    end
  end else begin : gen_legal
    always_comb begin
      if (started) begin
        if (\gen.i_a.state_q == 2'd0) begin
          assume ({\gen.i_a.wrong_loop_q , \gen.i_a.wrong_select_q , \gen.i_a.wrong_len_q , \gen.i_a.wrong_repeat_q , \gen.i_a.too_wide_q , \gen.i_a.odd_q } == 6'b000000);
        end
        if (\gen.i_b.state_q == 2'd0) begin
          assume ({\gen.i_b.wrong_loop_q , \gen.i_b.wrong_select_q , \gen.i_b.wrong_len_q , \gen.i_b.wrong_repeat_q , \gen.i_b.too_wide_q , \gen.i_b.odd_q } == 6'b000000);
        end
        if (slot_a == slot_b && \gen.i_a.state_q == 2'd0 && \gen.i_b.state_q == 2'd0) begin
          assume (\gen.i_a.len_q == \gen.i_b.len_q );
        end
        assert (cycle_a == cycle_b);  // 1
        assert (\gen.i_a.ending_q == \gen.i_b.ending_q );
        // What the registers say of the current entry: lemmas.
        if (\gen.i_a.state_q  == 2'd0) begin
          assert (\gen.i_a.len_q != '0 && \gen.i_a.stream_q <= \gen.i_a.len_q );
          assert (\gen.i_a.two_cycles_q == (\gen.i_a.len_q <= LEN_W'(2)) && \gen.i_a.two_flits_q == (\gen.i_a.stream_q <= LEN_W'(2)));
          assert (\gen.i_a.first_q == (cycle_a == LEN_W'(1)) && \gen.i_a.last_q == (cycle_a == \gen.i_a.len_q ));
          assert (cycle_a - LEN_W'(1) < \gen.i_a.len_q );
          if (!\gen.i_a.first_q ) begin
            assert (\gen.i_a.one_flit_q == (\gen.i_a.stream_q <= LEN_W'(1)) && \gen.i_a.streams_q == (\gen.i_a.stream_q != '0));
            assert (\gen.i_a.last_q || \gen.i_a.cycle_end_q == (cycle_a + LEN_W'(1) == \gen.i_a.len_q ));
            if (\gen.i_a.stream_now_q && !\gen.i_a.stream_last_q ) assert (\gen.i_a.stream_end_q == (cycle_a + LEN_W'(1) == \gen.i_a.stream_q ));
          end
          if (\gen.i_a.stream_now_q ) assert (\gen.i_a.stream_last_q == (cycle_a == \gen.i_a.stream_q ));
          assert (\gen.i_a.stream_now_q == (cycle_a - LEN_W'(1) < \gen.i_a.stream_q ));
        end else begin
          assert (!\gen.i_a.first_q && !\gen.i_a.last_q && !\gen.i_a.stream_now_q );
        end
        if (\gen.i_b.state_q  == 2'd0) begin
          assert (\gen.i_b.len_q != '0 && \gen.i_b.stream_q <= \gen.i_b.len_q );
          assert (\gen.i_b.two_cycles_q == (\gen.i_b.len_q <= LEN_W'(2)) && \gen.i_b.two_flits_q == (\gen.i_b.stream_q <= LEN_W'(2)));
          assert (\gen.i_b.first_q == (cycle_b == LEN_W'(1)) && \gen.i_b.last_q == (cycle_b == \gen.i_b.len_q ));
          assert (cycle_b - LEN_W'(1) < \gen.i_b.len_q );
          if (!\gen.i_b.first_q ) begin
            assert (\gen.i_b.one_flit_q == (\gen.i_b.stream_q <= LEN_W'(1)) && \gen.i_b.streams_q == (\gen.i_b.stream_q != '0));
            assert (\gen.i_b.last_q || \gen.i_b.cycle_end_q == (cycle_b + LEN_W'(1) == \gen.i_b.len_q ));
            if (\gen.i_b.stream_now_q && !\gen.i_b.stream_last_q ) assert (\gen.i_b.stream_end_q == (cycle_b + LEN_W'(1) == \gen.i_b.stream_q ));
          end
          if (\gen.i_b.stream_now_q ) assert (\gen.i_b.stream_last_q == (cycle_b == \gen.i_b.stream_q ));
          assert (\gen.i_b.stream_now_q == (cycle_b - LEN_W'(1) < \gen.i_b.stream_q ));
        end else begin
          assert (!\gen.i_b.first_q && !\gen.i_b.last_q && !\gen.i_b.stream_now_q );
        end
      end
    end
  end

  // ---- Rules.
  logic running;
  assign running = \gen.i_a.state_q == 2'd0;

  logic running_q1 = 1'b0, running_q2 = 1'b0;  // select and receive window follow the data

  always_ff @(posedge clk_i) begin
    running_q1 <= running && started;
    running_q2 <= running_q1 && started;
  end

  always_comb begin
    if (started) begin
      assert (slot_a == slot_b && \gen.i_a.state_q == \gen.i_b.state_q );  // 1
      assert (\gen.i_a.state_q != 2'd2);
      assert ({malformed_a, malformed_b, cut_a, cut_b} == 4'b0000);  // 3
      assert (limit_a == '0 && limit_b == '0);                     // 3
      if (!running) assert (local_a == '0 && local_b == '0);       // 4
      assert (when_a == when_b);                                   // 2
      assert (\gen.i_a.opened_q == \gen.i_b.opened_q );
      if (!running_q1) assert (select_a == {PORTS{2'd2}} && forward_a == '0);  // 4
      if (!running_q1) assert (\gen.i_a.expect_q == '0);
      for (int p = 0; p < PORTS; p++) assert (send_a[p] || select_a[2*p+:2] == 2'd2);  // 5
      if (!running_q2) assert (expect_a == '0);                    // 4
      cover (slot_a == 3'd3 && when_a[5] && entry_a_q != entry_b_q);
    end
  end

endmodule

`default_nettype wire
