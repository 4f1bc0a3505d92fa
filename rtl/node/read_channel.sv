// Reads streams from the message store: walks a list of strided segments, reads as many words in a
// slot as the sequencer asks for, and continues from there in the next slot. The list is a
// synchronous-read memory outside whose output register holds the current segment.
`default_nettype none

module read_channel #(
  parameter int LIST_AW = 8,   // address bits of the segment list
  parameter int ADDR_W  = 16,  // address bits of a log
  parameter int LOG_W   = 3,   // bits of a log's number
  parameter logic IN_ORDER = 1'b0,  // 1: no list; the own words are read one after the other ...
  parameter int OWN_LOG = 0    // ... from this log
) (
  input  logic                           clk_i,
  input  logic                           prime_i,       // fetch the first segment
  input  logic                           read_i,        // read the next word of the stream
  input  logic                           last_i,        // ... which is the slot's last one
  input  logic                           slot_close_i,  // last cycle of the slot
  // Segment list.
  output logic                           list_en_o,
  output logic [LIST_AW-1:0]             list_addr_o,
  input  logic [gossamer_pkg::SEG_W-1:0] list_data_i,   // segment at the address of the cycle before
  // Message store: the word comes one cycle after the address.
  output logic                           store_en_o,
  output logic [LOG_W-1:0]               store_log_o,
  output logic [ADDR_W-1:0]              store_addr_o,
  output logic                           same_o,        // the segment's bit for adaptive nodes
  output logic                           word_valid_o,  // the store's output is a word of the stream
  output logic                           word_last_o,   // ... the last one
  output logic                           run_last_o,    // ... the last one of its run
  output logic                           exhausted_o    // ERR_EXHAUSTED
);

  logic [ADDR_W-1:0] base, run, stride, count;
  logic [LOG_W-1:0]  log;
  logic              stop;

  if (ADDR_W > gossamer_pkg::SEG_BASE_W) begin : gen_long
    assign base = {list_data_i[gossamer_pkg::SEG_BASE_HIGH_LSB+:ADDR_W-gossamer_pkg::SEG_BASE_W],
                   list_data_i[gossamer_pkg::SEG_BASE_LSB+:gossamer_pkg::SEG_BASE_W]};
  end else begin : gen_short
    assign base = list_data_i[gossamer_pkg::SEG_BASE_LSB+:ADDR_W];
  end

  assign run    = list_data_i[gossamer_pkg::SEG_RUN_LSB+:ADDR_W];
  assign stride = list_data_i[gossamer_pkg::SEG_STRIDE_LSB+:ADDR_W];
  assign count  = list_data_i[gossamer_pkg::SEG_COUNT_LSB+:ADDR_W];
  assign stop   = list_data_i[gossamer_pkg::SEG_STOP_LSB];
  assign log    = list_data_i[gossamer_pkg::SEG_LOG_LSB+:LOG_W];
  assign same_o = list_data_i[gossamer_pkg::SEG_SAME_LSB];

  assign store_log_o = IN_ORDER ? LOG_W'(OWN_LOG) : log;

  // A core with small logs uses a part of each field.
  logic unused;
  assign unused = ^list_data_i;

  logic [LIST_AW-1:0] index_q;             // current segment
  logic [ADDR_W-1:0]  word_q, word_next;   // words read of this run
  logic [ADDR_W-1:0]  runs_q, runs_next;   // runs finished of this segment
  logic [ADDR_W-1:0]  start_q;             // offset of this run from the base
  logic               stopped_q;           // the stream of this slot has ended early
  logic               wants, run_ends, segment_ends, stops;

  assign wants        = read_i && (IN_ORDER || !stopped_q);
  assign store_en_o   = wants && (IN_ORDER || count != '0);
  assign exhausted_o  = wants && !IN_ORDER && count == '0;
  assign store_addr_o = IN_ORDER ? word_q : base + start_q + word_q;

  always_comb begin
    word_next    = '0;
    runs_next    = '0;
    run_ends     = 1'b0;
    segment_ends = 1'b0;
    if (store_en_o) begin
      word_next    = word_q + ADDR_W'(1);
      run_ends     = !IN_ORDER && word_next == run;
      if (run_ends) begin
        runs_next    = runs_q + ADDR_W'(1);
        segment_ends = runs_next == count;
      end
    end
  end

  assign stops       = segment_ends && stop;
  assign list_en_o   = segment_ends || prime_i;
  assign list_addr_o = segment_ends ? index_q + LIST_AW'(1) : '0;

  always_ff @(posedge clk_i) begin
    word_valid_o <= store_en_o;
    if (store_en_o) word_last_o <= last_i || stops;
    if (store_en_o) run_last_o <= run_ends;
    if (prime_i) begin
      index_q   <= '0;
      word_q    <= '0;
      runs_q    <= '0;
      start_q   <= '0;
      stopped_q <= 1'b0;
    end else if (read_i) begin
      if (store_en_o) word_q <= run_ends ? '0 : word_next;
      if (run_ends) begin
        runs_q  <= segment_ends ? '0 : runs_next;
        start_q <= segment_ends ? '0 : start_q + stride;
      end
      if (segment_ends) index_q <= list_addr_o;
      if (stops) stopped_q <= 1'b1;
    end
    if (slot_close_i) stopped_q <= 1'b0;
    if (IN_ORDER) begin  // counts without a clock enable, which would arrive too late
      if (prime_i) word_q <= '0;
      else word_q <= word_q ^ ((word_q ^ (word_q + ADDR_W'(1))) & {ADDR_W{read_i}});
    end
  end

endmodule

`default_nettype wire
