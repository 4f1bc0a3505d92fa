// SPDX-License-Identifier: Apache-2.0
// Where arriving flits go: one append-only log per link port, or a single log for all of them in a
// single-port node, which begins with its own words. Nothing is ever overwritten, and "not
// yet written" is an address at or past the write pointer.
`default_nettype none

module receive_log #(
  parameter int PORTS    = 4,   // link ports
  parameter int LOGS     = 4,   // 1 (single-port node) or PORTS
  parameter int CHANNELS = 1,   // read channels
  parameter int ADDR_W   = 16,  // address bits of a log
  parameter int LOG_W    = 3,   // bits of a log's number
  parameter logic LATE   = 1'b0,  // 1: ERR_UNWRITTEN comes a cycle later
  localparam logic APART = LOGS > 1  // own words are not in log 0, but have a log of their own
) (
  input  logic                       clk_i,
  input  logic                       start_i,      // the run begins
  input  logic [ADDR_W-1:0]          own_words_i,  // words that the node starts with
  input  logic [ADDR_W-1:0]          capacity_i,   // words that a log can hold
  // Writes.
  input  logic [PORTS-1:0]           take_i,       // flits to be written
  output logic [LOGS-1:0]            write_o,
  output logic [LOGS*ADDR_W-1:0]     write_addr_o,
  output logic [LOGS-1:0]            overflow_o,   // what is taken is lost: ERR_OVERFLOW
  // Reads, to be compared with what is written.
  input  logic [CHANNELS-1:0]        read_i,
  input  logic [CHANNELS*LOG_W-1:0]  read_log_i,
  input  logic [CHANNELS*ADDR_W-1:0] read_addr_i,
  output logic [CHANNELS-1:0]        unwritten_o   // ERR_UNWRITTEN
);

  logic [LOGS-1:0]    take;
  logic [LOGS-1:0]    full;      // the pointer has reached the capacity
  logic [LOGS*32-1:0] pointers;  // 32 bits each, which simulation finds faster than ADDR_W

  if (LOGS == 1) begin : gen_one_log
    assign take = |take_i;
  end else begin : gen_own_logs
    assign take = take_i;
  end

  assign write_o    = take & ~full;
  assign overflow_o = take & full;

  for (genvar g = 0; g < LOGS; g++) begin : gen_log
    logic [ADDR_W-1:0] pointer_n_q;  // all bits inverted: a read's comparison is a sum with it
    logic [ADDR_W-1:0] pointer, first;
    /* verilator lint_off UNUSEDSIGNAL */
    logic [ADDR_W:0]   next;         // above a carry; means nothing at the start
    /* verilator lint_on UNUSEDSIGNAL */

    assign first   = APART ? '0 : own_words_i;
    assign pointer = ~pointer_n_q;
    // With start_i in the sum, it and the choice that ignores it fit into one LUT a bit.
    assign next    = {pointer_n_q, full[g]} + {{ADDR_W{!start_i}}, 1'b1};
    assign full[g] = !(pointer < capacity_i);
    assign write_addr_o[g*ADDR_W+:ADDR_W] = pointer;
    assign pointers[g*32+:32]             = 32'(pointer);

    always_ff @(posedge clk_i) begin
      if (start_i || take[g]) begin  // not if write_o: that would be a late clock enable
        pointer_n_q <= start_i ? ~first : next[ADDR_W:1];
      end
    end
  end

  // ---- A read's log has fewer words. The own log holds the words that the node started with; no log has a higher
  // number.
  for (genvar c = 0; c < CHANNELS; c++) begin : gen_channel
    logic [LOG_W-1:0]  log;
    logic [ADDR_W-1:0] addr;
    /* verilator lint_off UNUSEDSIGNAL */
    logic [ADDR_W+1:0] ahead;  // above a carry: the address less the pointer, with its carry
    /* verilator lint_on UNUSEDSIGNAL */
    // The read, and whether it is ahead of each log: as they are, or with registers behind the carries.
    logic              read, reads;
    logic [LOG_W-1:0]  of;
    logic [LOGS:0]     aheads, beyond;

    assign read = read_i[c];
    assign log  = read_log_i[c*LOG_W+:LOG_W];
    assign addr = read_addr_i[c*ADDR_W+:ADDR_W];

    always_comb begin
      ahead  = '0;
      aheads = '0;
      if (read) begin
        for (int g = 0; g < LOGS; g++) begin
          if (LATE || !APART || log == LOG_W'(g)) begin
            ahead     = {1'b0, addr, 1'b1} + {1'b0, ~pointers[g*32+:ADDR_W], 1'b1};
            aheads[g] = ahead >> (ADDR_W + 1) != '0;
          end
        end
        aheads[LOGS] = APART && (LATE || 32'(log) >= LOGS) && !(addr < own_words_i);
      end
    end

    if (LATE) begin : gen_late
      always_ff @(posedge clk_i) begin
        reads  <= read;
        of     <= log;
        beyond <= aheads;
      end
    end else begin : gen_now
      assign reads  = read;
      assign of     = log;
      assign beyond = aheads;
    end

    logic own_beyond;  // Icarus reads no constant bit in what follows
    assign own_beyond = beyond[LOGS];

    always_comb begin
      unwritten_o[c] = 1'b0;
      if (reads) begin
        for (int g = 0; g < LOGS; g++) if (!APART || of == LOG_W'(g)) unwritten_o[c] = beyond[g];
        if (APART && 32'(of) >= LOGS) unwritten_o[c] = of != LOG_W'(LOGS) || own_beyond;
      end
    end
  end

endmodule

`default_nettype wire
