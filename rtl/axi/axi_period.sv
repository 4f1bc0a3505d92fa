// SPDX-License-Identifier: Apache-2.0
// Runs the tables of a fabric period after period. A period is one pass of the tables, in all nodes
// at once. It begins when every node has the words for it. Between two periods all nodes are restarted
// together and receive the bank of tables to use, so tables are swapped only between periods. Runs once or
// repeatedly; a period in which a node raised an error is the last one, and its errors stay readable: while
// `block_i` says that nobody has seen them, nothing begins, and what was requested is cancelled.
//
// An abort, by the host or because a table or a stream takes too long, restarts all nodes at once, and again until
// nothing is on the links. What has not been sent out is dropped.
//
// If the nodes are far away, what they report is of before a command until ROUND_TRIP cycles after
// it, and is not believed for so long: at a period's beginning and at its end, and before it, when
// incoming packets are shut out. Cycles are counted from when the start comes back, so their
// number is that at the nodes.
`default_nettype none

module axi_period #(
  parameter int   ROUND_TRIP      = 0,     // cycles to the nodes and back
  parameter int   DRAIN           = 0,     // register stages of the longest link
  parameter logic DOUBLE_BUFFERED = 1'b0   // 1: nodes have two banks of tables
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // Control.
  input  logic             start_i,     // not while running_o
  input  logic             run_i,       // the next two are written; without both the period that runs is the last
  input  logic             repeat_i,
  input  logic             abort_i,
  input  logic             block_i,     // nothing may begin, and what was requested is cancelled
  input  logic [31:0]      limit_i,     // cycles that a period may take; 0: any number
  input  logic [31:0]      patience_i,  // cycles that streams may keep one waiting; 0: any number
  input  logic             hold_i,      // words are being received or sent
  input  logic             missing_i,   // words have not come yet
  input  logic             wait_i,      // a node is waited for
  input  logic             pending_i,   // new tables are waiting
  output logic             swap_o,      // the new tables are taken in this cycle
  output logic             bank_o,      // the bank that runs, or will run next
  output logic             idle_o,      // no period is running
  output logic             shut_o,      // one is about to begin: no incoming packet may
  output logic             after_o,     // one has ended, and its arrivals are sent out
  output logic             free_o,      // the stores are free, unless nodes say that they are sending
  output logic             running_o,   // a period is running or requested
  output logic             ended_o,     // one cycle: a period has ended
  output logic             late_o,      // one cycle: it takes too long
  output logic [31:0]      periods_o,   // number of periods that have ended
  output logic [31:0]      cycles_o,    // cycles since the last start pulse, up to the period's end
  // The nodes.
  output logic             restart_o,   // one cycle: restart all of them ...
  output logic [31:0]      control_o,   // ... with this in CFG_CONTROL
  output logic             start_o,
  input  logic             done_i,      // in all of them the table has ended
  input  logic             error_i      // one raised an error
);

  typedef enum logic [2:0] {
    IDLE  = 3'd0,  // nothing to do
    CLEAR = 3'd1,  // restarts all nodes
    PRIME = 3'd2,  // waits until they have restarted
    GO    = 3'd3,  // start pulse
    RUN   = 3'd4,  // a period is running
    HOLD  = 3'd5,  // it has ended; arrivals are sent out
    SHUT  = 3'd6,  // no packet may begin, until all that nodes report is of now, where they are far away
    ABORT = 3'd7   // restarts all nodes until the links are empty and no report is older
  } state_e;

  localparam logic FAR    = ROUND_TRIP != 0;
  localparam int   AWAY_W = $clog2(ROUND_TRIP + DRAIN + 2);

  state_e            state_q;
  logic              asked_q, repeat_q;
  logic              primed_q;  // the second cycle of PRIME
  logic [AWAY_W-1:0] away_q;    // cycles until the last command's effect can be seen
  logic [31:0]       waited_q;  // cycles between periods, while one is requested or arrivals are sent out
  logic              away, runs, waits, repeats, stops, aborts;

  assign away        = FAR && away_q != '0;
  assign runs        = state_q == RUN && !away;
  assign waits       = (state_q == IDLE && asked_q) || shut_o || after_o;
  assign repeats     = run_i ? repeat_i : repeat_q;
  assign stops       = run_i && abort_i;
  assign late_o      = (runs && !done_i && limit_i != '0 && cycles_o >= limit_i) ||
                       (waits && wait_i && patience_i != '0 && waited_q >= patience_i);
  assign aborts      = late_o || (stops && state_q != IDLE && state_q != ABORT);
  assign idle_o      = !(state_q == CLEAR || state_q == PRIME || state_q == GO || state_q == RUN);
  assign running_o   = state_q != IDLE || asked_q;
  assign shut_o      = state_q == SHUT;
  assign after_o     = state_q == HOLD;
  assign free_o      = idle_o && !shut_o && !(after_o && away);
  assign ended_o     = runs && done_i;
  assign swap_o      = pending_i && (ended_o || (idle_o && !shut_o));
  assign restart_o   = state_q == CLEAR || state_q == ABORT;
  assign control_o   = {30'b0, bank_o, 1'b1};
  assign start_o     = state_q == GO;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= IDLE;
      asked_q   <= 1'b0;
      repeat_q  <= 1'b0;
      bank_o    <= 1'b0;
      primed_q  <= 1'b0;
      away_q    <= '0;
      waited_q  <= '0;
      periods_o <= '0;
      cycles_o  <= '0;
    end else begin
      primed_q <= state_q == PRIME && !primed_q;
      if (start_o) cycles_o <= 32'd1;
      else if (runs && !done_i) cycles_o <= cycles_o + 32'd1;
      waited_q <= waits ? waited_q + 32'd1 : '0;
      repeat_q <= repeats;
      if (run_i && (abort_i || !repeat_i)) asked_q <= 1'b0;
      if (start_i) asked_q <= 1'b1;
      if (block_i) asked_q <= 1'b0;
      if (swap_o && DOUBLE_BUFFERED) bank_o <= !bank_o;
      if (away_q != '0) away_q <= away_q - AWAY_W'(1);
      case (state_q)
        IDLE:
          if (asked_q && !hold_i && !missing_i && !pending_i && !stops && !block_i) begin
            state_q <= FAR ? SHUT : CLEAR;
            away_q  <= AWAY_W'(ROUND_TRIP);
          end
        SHUT:
          if (!asked_q || (!away && missing_i)) state_q <= IDLE;
          else if (!away && !hold_i) state_q <= CLEAR;
        CLEAR: begin
          state_q <= PRIME;
          asked_q <= 1'b0;
        end
        PRIME: if (primed_q) state_q <= GO;
        GO: begin
          state_q <= RUN;
          away_q  <= AWAY_W'(ROUND_TRIP);
        end
        RUN:
          if (ended_o) begin
            state_q   <= HOLD;
            away_q    <= AWAY_W'(ROUND_TRIP);
            periods_o <= periods_o + 32'd1;
          end
        ABORT: if (away_q == '0) state_q <= IDLE;
        default:  // HOLD
          if (!away && !hold_i) begin
            state_q <= IDLE;
            asked_q <= repeats && !error_i && !stops && !block_i;
          end
      endcase
      if (aborts) begin
        state_q <= ABORT;
        away_q  <= AWAY_W'(ROUND_TRIP + DRAIN);
      end
    end
  end

endmodule

`default_nettype wire
