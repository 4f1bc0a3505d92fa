// Where arriving flits go: one append-only log per link port, or a single log for all of them in a
// single-port node, which begins with its own words. Nothing is ever overwritten, and "not
// yet written" is an address at or past the write pointer.
`default_nettype none

module receive_log #(
  parameter int PORTS    = 4,   // link ports
  parameter int LOGS     = 4,   // 1 (single-port node) or PORTS
  parameter int CHANNELS = 1,   // read channels
  parameter int ADDR_W   = 16,  // address bits of a log
  parameter int LOG_W    = 3    // bits of a log's number
) (
  input  logic                       clk_i,
  input  logic                       start_i,      // the run begins
  input  logic [ADDR_W-1:0]          own_words_i,  // words that the node starts with
  input  logic [ADDR_W-1:0]          capacity_i,   // words that a log can hold
  // Writes.
  input  logic [PORTS-1:0]           take_i,       // flits to be written
  output logic [LOGS-1:0]            write_o,
  output logic [LOGS*ADDR_W-1:0]     write_addr_o,
  output logic [PORTS-1:0]           overflow_o,   // what is taken is lost: ERR_OVERFLOW
  // Reads, to be compared with what is written.
  input  logic [CHANNELS-1:0]        read_i,
  input  logic [CHANNELS*LOG_W-1:0]  read_log_i,
  input  logic [CHANNELS*ADDR_W-1:0] read_addr_i,
  output logic [CHANNELS-1:0]        unwritten_o   // ERR_UNWRITTEN
);

  logic [LOGS-1:0]          take;
  logic [LOGS-1:0]          full_q;   // the pointer has reached the capacity
  logic [CHANNELS*LOGS-1:0] too_soon;  // by channel and log

  if (LOGS == 1) begin : gen_one_log
    assign take       = |take_i;
    assign overflow_o = take_i & {PORTS{full_q[0]}};
  end else begin : gen_own_logs
    assign take       = take_i;
    assign overflow_o = take_i & full_q;
  end

  assign write_o = take & ~full_q;

  for (genvar g = 0; g < LOGS; g++) begin : gen_log
    logic [ADDR_W-1:0] pointer_q, first;

    assign first = (LOGS == 1) ? own_words_i : '0;
    assign write_addr_o[g*ADDR_W+:ADDR_W] = pointer_q;

    always_ff @(posedge clk_i) begin
      if (take[g]) begin  // not write_o: that would be a late clock enable
        full_q[g] <= full_q[g] || pointer_q == capacity_i - ADDR_W'(1);
        pointer_q <= pointer_q + ADDR_W'(!full_q[g]);
      end
      if (start_i) begin
        full_q[g] <= first >= capacity_i;
        pointer_q <= first;
      end
    end

    for (genvar c = 0; c < CHANNELS; c++) begin : gen_channel
      logic              read, late;
      logic [ADDR_W-1:0] addr;

      assign read = read_i[c] && (LOGS == 1 || read_log_i[c*LOG_W+:LOG_W] == LOG_W'(g));
      assign addr = read_addr_i[c*ADDR_W+:ADDR_W];
      assign too_soon[c*LOGS+g] = late;

      always_comb begin
        late = 1'b0;
        if (read) late = addr >= pointer_q;
      end
    end
  end

  // The own log holds the words that the node started with; no log has a higher number.
  for (genvar c = 0; c < CHANNELS; c++) begin : gen_own
    logic              read, late;
    logic [LOGS-1:0]   soon;
    logic [LOG_W-1:0]  log;
    logic [ADDR_W-1:0] addr;

    assign read           = read_i[c];
    assign log            = read_log_i[c*LOG_W+:LOG_W];
    assign addr           = read_addr_i[c*ADDR_W+:ADDR_W];
    assign soon           = too_soon[c*LOGS+:LOGS];
    assign unwritten_o[c] = late;

    always_comb begin
      if (!read) late = 1'b0;
      else if (LOGS > 1 && 32'(log) >= LOGS) late = log != LOG_W'(LOGS) || addr >= own_words_i;
      else late = |soon;
    end
  end

endmodule

`default_nettype wire
