// SPDX-License-Identifier: Apache-2.0
// Periods, the guard of new tables, and the part of two nodes that both of these see, TREE cycles away.
//
//  1. While a node runs its table, nobody starts it, and the bank that it runs stays; it is restarted by an abort alone.
//  2. All nodes start together, each after the three cycles of its restart, in the same bank.
//  3. A swap takes place only between two periods, and only to tables that were written in a
//     transaction and whose number of words and checksum are as announced. A commit of any other
//     tables changes nothing.
//  4. From the first word that is taken to the commit, and on to the swap, the bank that runs stays:
//     all words go to the other one.
//  5. TREE + 2 cycles after an abort is written no node runs its table.
//
// A table may end after any number of cycles; nothing else is assumed. Rules 1 and 2 are proved by
// induction with GUARDED = 0, where new tables may be good at any time. With the guard, whose registers
// cannot be seen from here, all rules are proved for the first cycles.
`default_nettype none

module axi_swap_proof #(
  parameter logic GUARDED = 1'b1,
  parameter int   TREE    = 0
) (
  input logic        clk_i,
  input logic [1:0]  ends_i,      // the node's table ends in this cycle, if it runs
  input logic [1:0]  error_i,
  input logic        hold_i,
  input logic        missing_i,
  input logic        wait_i,
  input logic        run_i,
  input logic        start_i,
  input logic        repeat_i,
  input logic        abort_i,
  input logic        block_i,
  input logic [31:0] limit_i,
  input logic [31:0] patience_i,
  input logic        write_i,     // a word of tables
  input logic [31:0] addr_i,
  input logic [31:0] data_i,
  input logic        begin_i,
  input logic        length_i,
  input logic        checksum_i,
  input logic        commit_i,
  input logic [31:0] value_i
);

  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  logic        pending, accepted, swap, bank, idle, running, ended, restart, start, refuse, lock;
  logic        bad_length, bad_checksum;
  logic [31:0] periods, cycles, control, count, crc;
  logic [1:0]  done;
  logic        restarts, bank_sent, starts, all_done, aborts, stopped;  // TREE cycles later
  logic        stop_q = 1'b0;                                          // an abort was written a cycle ago

  always_ff @(posedge clk_i) stop_q <= started && run_i && abort_i;

  broadcast_tree #(.STAGES(TREE), .LEAVES(1), .WIDTH(6)) i_delay (
    .clk_i, .rst_ni(started), .data_i({restart, control[1], start, &done, restart && idle, stop_q}),
    .data_o({restarts, bank_sent, starts, all_done, aborts, stopped})
  );

  axi_table_guard i_guard (
    .clk_i, .rst_ni(started), .write_i, .addr_i, .data_i, .begin_i, .length_i, .checksum_i,
    .commit_i, .value_i, .lock_o(lock), .refuse_o(refuse), .count_o(count), .crc_o(crc),
    .bad_length_o(bad_length), .bad_checksum_o(bad_checksum), .pending_o(accepted), .swapped_i(swap)
  );

  axi_period #(.ROUND_TRIP(2 * TREE), .DOUBLE_BUFFERED(1'b1)) i_period (
    .clk_i, .rst_ni(started), .start_i(start_i && !running), .run_i, .repeat_i, .abort_i, .block_i, .limit_i, .patience_i,
    .hold_i, .missing_i, .wait_i, .pending_i(pending),
    .swap_o(swap), .bank_o(bank), .idle_o(idle), .shut_o(), .after_o(), .free_o(), .running_o(running), .ended_o(ended), .late_o(),
    .periods_o(periods), .cycles_o(cycles), .restart_o(restart), .control_o(control),
    .start_o(start), .done_i(all_done), .error_i(|error_i)
  );

  // ---- Two nodes: each waits for the start, runs its table, or has ended it. A restart takes its own
  // cycle and two more, in which a start would be ignored.
  logic [1:0] first = 2'b11, runs = 2'b00, banks = 2'b00, rests;

  assign done = ~first & ~runs;

  for (genvar n = 0; n < 2; n++) begin : gen_node
    logic restart_q, restart_q2;
    assign rests[n] = restart_q || restart_q2;
    always_ff @(posedge clk_i) begin
      restart_q  <= started && restarts;
      restart_q2 <= started && restart_q;
      if (!started || restarts) begin
        first[n] <= 1'b1;
        runs[n]  <= 1'b0;
        banks[n] <= started && bank_sent;
      end else if (starts && first[n] && !rests[n]) begin
        first[n] <= 1'b0;
        runs[n]  <= 1'b1;
      end else if (runs[n] && ends_i[n]) begin
        runs[n] <= 1'b0;
      end
    end
  end

  logic free_q = 1'b0;  // pending, at any time
  always_ff @(posedge clk_i) free_q <= started && (commit_i || free_q) && !swap;
  assign pending = GUARDED ? accepted : free_q;

  // ---- What was announced, and what came.
  logic [31:0] length_q = 32'd0, checksum_q = 32'd0, came_q = 32'd0;
  logic        good_q = 1'b0;  // since the last swap, good tables were committed
  logic        open_q = 1'b0;  // a transaction is open
  logic        good;

  assign good = commit_i && open_q && came_q == length_q && crc == checksum_q;

  always_ff @(posedge clk_i) begin
    if (!started) begin
      {length_q, checksum_q, came_q, good_q, open_q} <= '0;
    end else begin
      if (begin_i) open_q <= 1'b1;
      if (good && !pending) open_q <= 1'b0;
      if (length_i) length_q <= value_i;
      if (checksum_i) checksum_q <= value_i;
      if (begin_i) came_q <= '0;
      else if (write_i) came_q <= came_q + 32'd1;
      if (swap) good_q <= 1'b0;
      if (good && !pending) good_q <= 1'b1;
    end
  end

  // ---- Rules.
  logic bank_q = 1'b0, swap_q = 1'b0, any_q = 1'b0, refused_q = 1'b0, stopped_q = 1'b0;
  logic aborting;  // the nodes are restarted, or will be in so many cycles

  assign aborting = restart && idle;

  logic word_q = 1'b0, word_bank_q = 1'b0;  // a word of this transaction was taken, in this bank

  always_ff @(posedge clk_i) begin
    bank_q    <= started && bank;
    swap_q    <= started && swap;
    any_q     <= started && |runs;
    stopped_q <= started && stopped;
    word_q      <= started && !begin_i && !swap && (word_q || (write_i && !lock));
    word_bank_q <= word_q ? word_bank_q : bank;
    refused_q <= started && ((commit_i && refuse && running) || (refused_q && !swap));
  end

  always_comb begin
    if (started) begin
      // The rules depend on this: the guard counts as the proof does.
      assert (count == came_q);
      if (GUARDED) assert (pending == good_q);
      // 1.
      if (|runs) assert (!starts);
      if (|runs && restarts) assert (aborts);
      if (|runs && !aborting) assert (!idle && !(swap && !ended));
      if (|runs && any_q && !aborting) assert (bank == bank_q);
      for (int n = 0; n < 2; n++) if (runs[n] && !aborting) assert (banks[n] == bank);
      // 2.
      if (starts) assert (first == 2'b11 && rests == 2'b00 && banks[0] == banks[1]);
      if (starts && !aborting) assert (banks == {2{bank}});
      // 3.
      if (swap) assert ((runs == 2'b00 || aborting) && (good_q || !GUARDED));
      if (bank != bank_q) assert (swap_q);
      if (GUARDED && commit_i && !good) assert (refuse);
      // 4.
      if (GUARDED) assert (lock == (!open_q || pending));
      if (GUARDED && word_q) assert (word_bank_q == bank);
      // 5.
      if (stopped_q) assert (runs == 2'b00);
    end
  end

  always_ff @(posedge clk_i) begin
    if (started) begin
      cover (swap && ended);                             // at a period's end
      cover (starts && bank && periods == 32'd1);         // ... and the next one runs the new tables
      cover (refused_q && ended && bad_length);          // refused, and the old tables continued
      cover (refused_q && ended && !bad_length && bad_checksum);
    end
  end

endmodule

`default_nettype wire
