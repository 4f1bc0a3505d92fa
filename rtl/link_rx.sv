// Receiving side of a link, full or half duplex: compares what arrives with what the table expects.
// A slot whose receive bit is set wants exactly one stream, without gaps, ended by its `last` flit
// before the slot's window closes.
`default_nettype none

module link_rx (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic open_i,        // first cycle of a slot's receive window
  input  logic close_i,       // last cycle of a slot's receive window
  input  logic expect_i,      // the slot's entry expects a stream on this port
  input  logic forwarded_i,   // the crossbar takes this input now
  input  logic valid_i,       // a flit stands on the link
  input  logic last_i,        // ... the last of its stream
  output logic take_o,        // write this flit into the store
  output logic unexpected_o,  // ERR_UNEXPECTED
  output logic missing_o,     // ERR_MISSING
  output logic cut_o          // ERR_CUT
);

  typedef enum logic [1:0] {
    IDLE    = 2'd0,  // nothing is expected
    WAIT    = 2'd1,  // a stream is expected, its first flit has not come
    RECEIVE = 2'd2,  // within the stream
    DONE    = 2'd3   // the stream has ended
  } state_e;

  state_e state_q, state_now, state_d;

  always_comb begin
    state_now = state_q;
    if (open_i && expect_i) state_now = WAIT;
    else if (open_i) state_now = IDLE;
  end

  always_comb begin
    state_d      = state_now;
    take_o       = 1'b0;
    unexpected_o = 1'b0;
    missing_o    = 1'b0;
    cut_o        = 1'b0;
    unique case (state_now)
      WAIT: begin
        take_o = valid_i;
        if (valid_i && last_i) state_d = DONE;
        else if (valid_i) state_d = RECEIVE;
        missing_o = close_i && !valid_i;
        cut_o     = close_i && valid_i && !last_i;
      end
      RECEIVE: begin
        take_o = valid_i;
        if (valid_i && last_i) state_d = DONE;
        missing_o = !valid_i;
        cut_o     = close_i && !(valid_i && last_i);
      end
      default: unexpected_o = valid_i && !forwarded_i;
    endcase
    // A fault is told once; what follows of the stream is then unexpected.
    if (missing_o || cut_o) state_d = IDLE;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= IDLE;
    else state_q <= state_d;
  end

endmodule

`default_nettype wire
