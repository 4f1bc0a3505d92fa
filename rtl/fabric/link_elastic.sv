// SPDX-License-Identifier: Apache-2.0
// One direction of a link between two nodes with clocks of their own: of the same frequency, at any phase, with
// start pulses that differ by up to K = STAGES - 5 cycles (phase, flight and a late sample included). It has
// exactly the latency of STAGES register stages: the flit on the sender's output in its local cycle c is on the
// receiver's input in the receiver's local cycle c + STAGES. So schedules, tables and predictions are the same as
// for such a link, and no other module knows of two clocks. Local cycle 0 is the cycle of the start pulse.
//
// The sender's clock comes with the data. The sender writes a place of a small memory in every cycle, and marks
// the place of its local cycle 0, the token. The receiver waits until its own local cycle STAGES - 1, then begins
// to read at the token, one place per cycle. If a place has not been written by then, or is about to be
// overwritten, that is an error (ERR_SKEW in docs/hardware/links.md), and nothing is passed on until the next start.
//
// A token counts in the sender's cycles that end at STAGES - 1 + K, as the receiver sees it, and for one start of the receiver.
// So a run whose start was lost, or came at another time, never gets the places of one before: the receiver finds the token
// old, or taken. A token that grows old before a receiver that does not wait for its cycle took it is the same error: its
// start is missing. A start of the sender whose last token still counts makes it old: starts of an end are 2 * STAGES cycles
// apart, or more.
//
// With PARITY every place has a parity bit, idle ones too: it covers valid, last and data, and the sender makes it where
// its wires begin, of its outputs: tx_parity_i = ~^{valid, last, data}. A place in which an odd number of bits has changed
// is an error (ERR_PARITY in docs/hardware/links.md), and as after the other one nothing is passed on until the next start: the
// node would not miss a single flit. Nobody notices an even number.
//
// A sender that is reset counts its places from 0 again, so that a receiver would take old ones for new: it gives up
// (ERR_SKEW), and passes again from a start of both ends on.
//
// Three signals cross through two flip-flops: the write pointer, in Gray code, a bit that says whether the token
// is fresh, neither old nor yet to come, and one that says that the sender is not in reset. They say when the rest is stable: the memory, and
// the token's place.
`default_nettype none
`ifdef __ICARUS__
`define ELABORATION initial  // Icarus allows $fatal in procedures only: it stops before cycle 0
`else
`define ELABORATION
`endif

module link_elastic #(
  parameter int   STAGES = 8,    // latency in cycles, 5 to 63: K is 5 less
  parameter int   FLIT_W = 32,
  parameter logic PARITY = 1'b0  // a parity bit with each place
) (
  // The sender: its clock, its start pulse, and the output of its port.
  input  logic              tx_clk_i,
  input  logic              tx_rst_ni,
  input  logic              tx_start_i,
  input  logic              tx_valid_i,
  input  logic              tx_last_i,
  input  logic [FLIT_W-1:0] tx_data_i,
  input  logic              tx_parity_i,  // of a link with PARITY
  // The receiver: its clock, its start pulse, and the input of its port.
  input  logic              rx_clk_i,
  input  logic              rx_rst_ni,
  input  logic              rx_start_i,
  output logic              rx_valid_o,
  output logic              rx_last_o,
  output logic [FLIT_W-1:0] rx_data_o,
  // Both are sticky until the next start.
  output logic              skew_o,     // skew beyond K, a start that is missing, or different frequencies
  output logic              parity_o    // a place came with a wrong parity
);

  localparam int LEGAL   = (STAGES < 5) ? 5 : STAGES;  // so that tools come to the message
  localparam int INDEX_W = $clog2(2 * LEGAL);
  localparam int DEPTH   = 1 << INDEX_W;  // places
  localparam int PLACE_W = FLIT_W + 2 + 32'(PARITY);
  localparam int MARGIN  = 5;             // the sender's cycles that the receiver may not know of yet, and one
  // The token is fresh in the sender's cycles 1 to FRESH; the receiver sees it two cycles later, in its cycle STAGES - 1.
  localparam int FRESH   = 2 * LEGAL - 8;   // STAGES - 1 + K, less two
  localparam int AGE_W   = $clog2(FRESH);

  if (STAGES < 5 || STAGES > gossamer_pkg::MAX_LINK_STAGES) begin : gen_illegal_stages
    `ELABORATION $fatal(1, "link_elastic: STAGES must be 5 to 63");
  end

  // ---- The sender's side.
  logic [PLACE_W-1:0]       places [0:DEPTH-1];
  logic [INDEX_W:0]         write_q, write_d, gray_q;
  logic [INDEX_W:0]         token_q;    // where the place of local cycle 0 is
  logic [AGE_W:0]           age_q;      // the topmost bit says that the token is fresh, until the others overflow
  logic                     live_q;     // not in reset

  assign write_d = write_q + (INDEX_W+1)'(1);

  always_ff @(posedge tx_clk_i) begin
    if (!tx_rst_ni) begin
      write_q <= '0;
      gray_q  <= '0;
      age_q[AGE_W] <= 1'b0;
      live_q  <= 1'b0;
    end else begin
      write_q <= write_d;
      gray_q  <= write_d ^ (write_d >> 1);
      live_q  <= 1'b1;
      if (tx_start_i) begin
        if (!age_q[AGE_W]) token_q <= write_q;
        age_q   <= {!age_q[AGE_W], AGE_W'(-FRESH)};
      end else if (age_q[AGE_W]) begin
        age_q   <= age_q + {AGE_W'(0), 1'b1};
      end
    end
  end

  logic [PLACE_W-1:0] arriving;

  if (PARITY) begin : gen_parity
    assign arriving = {tx_parity_i, tx_valid_i, tx_last_i, tx_data_i};
  end else begin : gen_no_parity
    logic unused;
    assign unused   = tx_parity_i;
    assign arriving = {tx_valid_i, tx_last_i, tx_data_i};
  end

  always_ff @(posedge tx_clk_i) begin
    places[write_q[INDEX_W-1:0]] <= arriving;
  end

  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    always @(posedge tx_clk_i) begin
      if (tx_rst_ni && tx_start_i) assert (!age_q[AGE_W]);
    end
  end

  // ---- The signals that cross, and the write pointer as the receiver knows it.
  (* async_reg = "true" *) logic [INDEX_W:0] gray_1q, gray_2q;
  (* async_reg = "true" *) logic             fresh_1q, fresh_2q, live_1q, live_2q;
  logic [INDEX_W:0] written;  // places

  always_ff @(posedge rx_clk_i) begin
    gray_1q <= gray_q;
    gray_2q <= gray_1q;
    fresh_1q <= age_q[AGE_W];
    fresh_2q <= fresh_1q;
    live_1q <= live_q;
    live_2q <= live_1q;
  end

  for (genvar b = 0; b <= INDEX_W; b++) begin : gen_binary
    assign written[b] = ^(gray_2q >> b);
  end

  // ---- The receiver's side.
  typedef enum logic [1:0] {
    IDLE = 2'd0,  // before the start, or after an error
    WAIT = 2'd1,  // until local cycle STAGES - 1
    PASS = 2'd2   // reads a place per cycle
  } state_e;

  state_e           state_q;
  logic [6:0]       cycle_q;           // local, in WAIT
  logic [INDEX_W:0] read_q, from, ahead;
  logic [PLACE_W-1:0] place;
  logic             fresh_3q, taken_q;  // the token was fresh a cycle ago; it has been asked for
  logic             due, passes, good, broken, missed;

  assign due    = state_q == WAIT && 32'(cycle_q) == STAGES - 1;
  assign passes = due || state_q == PASS;
  assign from   = due ? token_q : read_q;
  // How many places have been written and not yet read, including the next one to be read.
  assign ahead  = written - from;

  assign place  = places[from[INDEX_W-1:0]];
  assign broken = PARITY && !(^place);
  assign missed = fresh_3q && !fresh_2q && !taken_q && live_2q && state_q != WAIT;

  always_comb begin
    good = live_2q && ahead != '0 && 32'(ahead) <= DEPTH - MARGIN;
    if (due) good = good && fresh_2q && !taken_q;
  end

  always_ff @(posedge rx_clk_i) begin
    if (!rx_rst_ni) begin
      state_q    <= IDLE;
      rx_valid_o <= 1'b0;
      skew_o     <= 1'b0;
      parity_o   <= 1'b0;
      taken_q    <= 1'b0;
    end else if (rx_start_i) begin
      state_q    <= WAIT;
      cycle_q    <= 7'd1;
      rx_valid_o <= 1'b0;
      skew_o     <= 1'b0;
      parity_o   <= 1'b0;
    end else begin
      cycle_q    <= cycle_q + 7'd1;
      rx_valid_o <= 1'b0;
      if (due) taken_q <= 1'b1;
      if (missed) begin
        state_q  <= IDLE;
        skew_o   <= 1'b1;
      end else if (passes && (!good || broken)) begin
        state_q  <= IDLE;
        skew_o   <= !good;
        parity_o <= good;
      end else if (passes) begin
        state_q    <= PASS;
        read_q     <= from + (INDEX_W+1)'(1);
        rx_valid_o <= place[FLIT_W+1];
      end
    end
    if (!fresh_2q) taken_q <= 1'b0;
    fresh_3q <= fresh_2q;
    if (passes) begin
      rx_last_o <= place[FLIT_W];
      rx_data_o <= place[FLIT_W-1:0];
    end
  end

endmodule

`undef ELABORATION
`default_nettype wire
