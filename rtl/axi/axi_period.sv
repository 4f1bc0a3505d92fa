// Runs the tables of a fabric period after period. A period is one pass of the tables, in all nodes
// at once. Between two periods all nodes are restarted together and receive the bank of tables to
// use, so tables are swapped only between periods. Runs once or repeatedly; a period in which a node
// raised an error is the last one, and its errors stay readable.
`default_nettype none

module axi_period #(
  parameter int   NODES           = 1,     // nodes
  parameter logic DOUBLE_BUFFERED = 1'b0   // 1: nodes have two banks of tables
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // Control.
  input  logic             run_i,       // the next two are written
  input  logic             start_i,
  input  logic             repeat_i,
  input  logic             pending_i,   // new tables are waiting
  input  logic             hold_i,      // do not begin the next period yet
  output logic             swap_o,      // the new tables are taken in this cycle
  output logic             bank_o,      // the bank that runs, or will run next
  output logic             idle_o,      // no period is running; the nodes' stores are free
  output logic             running_o,   // a period is running or requested
  output logic             ended_o,     // one cycle: a period has ended
  output logic [31:0]      periods_o,   // number of periods that have ended
  output logic [31:0]      cycles_o,    // cycles since the last start pulse, up to the period's end
  // The nodes.
  output logic             restart_o,   // one cycle: restart all of them ...
  output logic [31:0]      control_o,   // ... with this in CFG_CONTROL
  output logic             start_o,
  input  logic [NODES-1:0] done_i,
  input  logic [NODES-1:0] error_i
);

  typedef enum logic [2:0] {
    IDLE  = 3'd0,  // nothing to do
    CLEAR = 3'd1,  // restarts all nodes
    PRIME = 3'd2,  // waits until they have restarted
    GO    = 3'd3,  // start pulse
    RUN   = 3'd4,  // a period is running
    HOLD  = 3'd5   // it has ended; arrivals are sent out
  } state_e;

  state_e      state_q;
  logic        asked_q, repeat_q;
  logic        primed_q;  // the second cycle of PRIME
  logic        all_done;

  assign all_done    = &done_i;
  assign idle_o      = !(state_q == CLEAR || state_q == PRIME || state_q == GO || state_q == RUN);
  assign running_o   = state_q != IDLE || asked_q;
  assign ended_o     = state_q == RUN && all_done;
  assign swap_o      = pending_i && (ended_o || state_q == IDLE || state_q == HOLD);
  assign restart_o   = state_q == CLEAR;
  assign control_o   = {30'b0, bank_o, 1'b1};
  assign start_o     = state_q == GO;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= IDLE;
      asked_q   <= 1'b0;
      repeat_q  <= 1'b0;
      bank_o    <= 1'b0;
      primed_q  <= 1'b0;
      periods_o <= '0;
      cycles_o  <= '0;
    end else begin
      primed_q <= state_q == PRIME && !primed_q;
      if (start_o) cycles_o <= 32'd1;
      else if (state_q == RUN && !all_done) cycles_o <= cycles_o + 32'd1;
      if (run_i) begin
        asked_q  <= asked_q || start_i;
        repeat_q <= repeat_i;
      end
      if (swap_o && DOUBLE_BUFFERED) bank_o <= !bank_o;
      case (state_q)
        IDLE:
          if (asked_q && !hold_i && !pending_i) begin
            state_q <= CLEAR;
            asked_q <= 1'b0;
          end
        CLEAR: state_q <= PRIME;
        PRIME: if (primed_q) state_q <= GO;
        GO:    state_q <= RUN;
        RUN:
          if (all_done) begin
            state_q   <= HOLD;
            periods_o <= periods_o + 32'd1;
          end
        default:  // HOLD
          if (!hold_i) begin
            state_q <= IDLE;
            if (repeat_q && error_i == '0) begin
              state_q <= CLEAR;
              asked_q <= 1'b0;  // this period serves the request
            end
          end
      endcase
    end
  end

endmodule

`default_nettype wire
