// SPDX-License-Identifier: Apache-2.0
// Receiving sides of a node's links, full or half duplex: compares what arrives with what the table
// expects. A slot whose receive bit is set wants exactly one stream on that port, without gaps,
// ended by its `last` flit before the slot's window closes.
//
// There is a state machine per port. The two state bits of all ports are kept as two vectors, so that
// all ports are computed at once. `gen_port[p].state` shows the states by name in a waveform.
`default_nettype none

module link_rx #(
  parameter int   PORTS     = 4,     // link ports
  parameter logic ADAPTIVE  = 1'b0,  // 1: any number of streams a slot, even none
  parameter logic ONE_CYCLE = 1'b0,  // 1: every slot is one cycle, every flit a stream
  parameter int   WINDOWS   = 1      // receive windows: 1 for all ports, or PORTS
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [PORTS-1:0] begin_next_i,  // a slot's receive window that expects a stream opens in the next cycle
  input  logic [WINDOWS-1:0] close_i,     // last cycle of a slot's receive window
  input  logic [PORTS-1:0] expect_i,      // the slot's entry expects a stream; for waveforms
  input  logic [PORTS-1:0] forward_i,     // the crossbar takes this input now
  input  logic [PORTS-1:0] valid_i,       // a flit is on the link
  input  logic [PORTS-1:0] last_i,        // ... the last of its stream
  output logic [PORTS-1:0] take_o,        // write this flit into the store
  output logic [PORTS-1:0] unexpected_o,  // ERR_UNEXPECTED
  output logic [PORTS-1:0] missing_o,     // ERR_MISSING
  output logic [PORTS-1:0] cut_o          // ERR_CUT
);

  logic [PORTS-1:0] want_q, want_d;    // a flit of the stream is to come
  logic [PORTS-1:0] begun_q, begun_d;  // ... and its first one has come; never when a window opens
  logic [PORTS-1:0] gap;               // within a stream
  logic [PORTS-1:0] closing;           // of each port's window

  assign closing = ONE_CYCLE ? {PORTS{1'b1}} : (WINDOWS == 1) ? {PORTS{close_i[0]}} : PORTS'(close_i);

  assign take_o  = valid_i & want_q;
  assign begun_d = ONE_CYCLE ? '0 : take_o & ~last_i;
  assign want_d  = ADAPTIVE ? want_q : (want_q & ~begun_q & ~valid_i) | begun_d;

  // An error is reported once; the rest of the stream is then unexpected.
  assign gap          = begun_q & ~valid_i;
  assign unexpected_o = valid_i & ~forward_i & ~want_q;

  assign missing_o = gap | (closing & (ADAPTIVE ? '0 : want_q & ~valid_i));
  assign cut_o     = closing & begun_d;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      want_q  <= '0;
      begun_q <= '0;
    end else begin
      want_q  <= begin_next_i | (want_d & ~closing);
      begun_q <= begun_d & ~closing;
    end
  end

  typedef enum logic [1:0] {
    IDLE    = 2'd0,  // nothing is expected
    WAIT    = 2'd1,  // a stream is expected, its first flit has not come
    RECEIVE = 2'd2,  // a flit of the stream is on the link, or was and more are to follow
    DONE    = 2'd3   // the stream has ended
  } state_e;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    /* verilator lint_off UNUSEDSIGNAL */  // for the waveform
    state_e state;
    logic   waits, receives, expects;
    /* verilator lint_on UNUSEDSIGNAL */
    assign waits    = want_q[p];
    assign receives = begun_q[p] | take_o[p];
    assign expects  = expect_i[p];
    always_comb begin
      state = IDLE;
      if (receives) state = RECEIVE;
      else if (waits) state = WAIT;
      else if (expects) state = DONE;
    end
  end

endmodule

`default_nettype wire
