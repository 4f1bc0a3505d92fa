// SPDX-License-Identifier: Apache-2.0
// Reads streams from the message store: walks a list of strided segments, reads as many words in a
// slot as the sequencer asks for, and continues from there in the next slot. The list is a
// synchronous-read memory outside. Its output register holds the segment that comes next, and registers
// here hold the current one. What ends with a word is known before the word is read.
`default_nettype none
`ifdef __ICARUS__
`define STRUCT(NAME) import gossamer_pkg::NAME; NAME  // Icarus wants it imported, Yosys knows no import
`else
`define STRUCT(NAME) gossamer_pkg::NAME
`endif

module read_channel #(
  parameter int LIST_AW = 8,   // address bits of the segment list
  parameter int ADDR_W  = 16,  // address bits of a log
  parameter int LOG_W   = 3,   // bits of a log's number
  parameter logic IN_ORDER = 1'b0,  // 1: no list; the own words are read one after the other ...
  parameter int OWN_LOG = 0,   // ... from this log
  parameter logic TABLE_PARITY = 1'b1,  // 0: the parity of segments is not checked
  parameter logic FLAT = 1'b0,  // 1: each run is a word
  parameter logic STAYS = 1'b0  // 1: at the list's end the address stays (adaptive nodes look at it)
) (
  input  logic                           clk_i,
  input  logic                           prime_i,       // before the run: fetch the first segment ...
  input  logic                           start_i,       // ... and in the last such cycle the second one
  input  logic [LIST_AW-1:0]             first_i,       // the first one's number, an even one
  input  logic                           read_i,        // read the next word of the stream
  input  logic                           last_i,        // ... which is the slot's last one
  input  logic                           slot_close_i,  // last cycle of the slot
  // Segment list.
  output logic                           list_en_o,
  output logic [LIST_AW-1:0]             list_addr_o,
  input  logic [gossamer_pkg::SEG_W-1:0] list_data_i,   // segment at the address of the last cycle with list_en_o
  // Message store: the word comes one cycle after the address.
  output logic                           store_en_o,
  output logic [LOG_W-1:0]               store_log_o,
  output logic [ADDR_W-1:0]              store_addr_o,
  output logic                           same_o,        // the segment's bit for adaptive nodes
  output logic                           word_valid_o,  // the store's output is a word of the stream
  output logic                           word_last_o,   // ... the last one
  output logic                           run_last_o,    // ... the last one of its run
  output logic                           exhausted_o,   // ERR_EXHAUSTED
  output logic                           parity_o       // ERR_PARITY
);

  // ---- The next segment. A core with small logs uses a part of each field.
  `STRUCT(segment_t) segment;
  logic              unused;

  assign segment = list_data_i;
  assign unused  = ^segment;

  if (IN_ORDER) begin : gen_in_order
    logic [ADDR_W-1:0] word_q;

    // Counts without a clock enable, which would arrive too late.
    always_ff @(posedge clk_i) begin
      word_valid_o <= read_i;
      if (read_i) word_last_o <= last_i;
      if (prime_i) word_q <= '0;
      else word_q <= word_q ^ ((word_q ^ (word_q + ADDR_W'(1))) & {ADDR_W{read_i}});
    end

    assign store_en_o   = read_i;
    assign store_log_o  = LOG_W'(OWN_LOG);
    assign store_addr_o = word_q;
    assign same_o       = 1'b0;
    assign run_last_o   = 1'b0;
    assign exhausted_o  = 1'b0;
    assign parity_o     = 1'b0;
    assign list_en_o    = prime_i;
    assign list_addr_o  = '0;

    logic unused_in_order;
    assign unused_in_order = ^{start_i, first_i, slot_close_i};
  end else begin : gen_list
    // ---- The current segment. Before the start it follows segment 0.
    logic [ADDR_W-1:0]  run_q, stride_q;
    logic [LOG_W-1:0]   log_q;
    logic               stop_q, same_q;
    logic               any_q;                   // it has words; otherwise the list has ended, or ...
    logic               odd_q;                   // ... its parity is wrong
    logic               one_word_q;              // a run is one word
    logic               run_last_q, last_run_q;  // the next word is the last one of its run; the run is the last one
    logic               run_last, last;          // the next word is that; both
    logic [LIST_AW-1:0] index_q, follows;        // the next segment, and the one after it
    logic               stopped_q;               // the stream of this slot has ended early
    logic               reads, stops, loads;

    assign reads        = read_i && !stopped_q;
    assign store_en_o   = reads && any_q;
    assign exhausted_o  = reads && !any_q && !odd_q;
    assign parity_o     = reads && odd_q;
    assign run_last     = FLAT || run_last_q;
    assign last         = run_last && last_run_q;
    assign stops        = store_en_o && last && stop_q;
    assign loads        = prime_i || (reads && last);  // the next segment becomes the current one
    assign store_log_o  = log_q;
    assign same_o       = same_q;
    assign list_en_o    = loads;
    assign list_addr_o  = follows;

    always_comb begin
      follows = index_q + LIST_AW'(1);
      if (prime_i) follows[0] = start_i;  // of the first segment
    end

    // ---- A word's address is the sum of two registers: the last word's address and the step from there, or
    // of a segment's first word 0 and the base. Words and runs are counted as the sequencer counts cycles and slots.
    logic [ADDR_W-1:0] addr_q, step_q;
    logic [ADDR_W-1:0] start_q;        // the run's first word
    logic              first_q;        // the next word is the run's first one
    logic [ADDR_W-1:0] word_n_q;       // its number in the run, from 2 on, all bits inverted
    logic [ADDR_W-1:0] runs_q, runs_step_q;

    assign store_addr_o = addr_q + step_q;

    // Registers are written below all that reads them, so that Verilator needs no copies.
    always_ff @(posedge clk_i) begin : advance
      logic [ADDR_W-1:0] run, count;
      logic [ADDR_W:0]   words_left, runs_left;  // sums, with their carries
      logic              one_word, last_word, odd;
      run       = '0;
      count     = '0;
      words_left = '0;
      runs_left = '0;
      one_word  = 1'b0;
      last_word = run_last;
      odd       = TABLE_PARITY && (prime_i || last) && ^(  // of the bits that this node uses, in one word
          32'(ADDR_W'({segment.base_high, segment.base})) ^ 32'(segment.run[ADDR_W-1:0]) ^
          32'(segment.stride[ADDR_W-1:0]) ^ 32'(segment.count[ADDR_W-1:0]) ^
          32'({segment.log[LOG_W-1:0], segment.same, segment.stop, segment.parity}));
      word_valid_o <= store_en_o;
      if (store_en_o) begin
        word_last_o <= last_i || stops;
        run_last_o  <= last_word;
      end
      if (prime_i || last) begin  // already before the last word is read: nothing looks at them until then
        run_q      <= segment.run[ADDR_W-1:0];
        stride_q   <= segment.stride[ADDR_W-1:0];
        one_word_q <= segment.run[ADDR_W-1:0] >> 1 == '0;
      end
      if (prime_i || (STAYS ? store_en_o : reads)) begin  // at the list's end nobody else looks at what follows
        if (prime_i || last) begin  // as loads, but early
          run      = segment.run[ADDR_W-1:0];
          count    = segment.count[ADDR_W-1:0];
          one_word = run >> 1 == '0;
          index_q     <= follows;
          log_q       <= segment.log[LOG_W-1:0];
          stop_q      <= segment.stop;
          same_q      <= segment.same;
          odd_q       <= odd;
          any_q       <= count != '0 && !odd;
          run_last_q  <= one_word;
          word_n_q    <= ADDR_W'(-3);
          first_q     <= 1'b1;
          addr_q      <= '0;
          step_q      <= ADDR_W'({segment.base_high, segment.base});
        end else begin
          if (last_word) begin
            addr_q <= first_q ? store_addr_o : start_q;
            step_q <= stride_q;
          end else begin
            addr_q <= store_addr_o;
            step_q <= ADDR_W'(1);
          end
          words_left = {1'b0, word_n_q} + {1'b0, run_q};
          run_last_q <= last_word ? one_word_q : !words_left[ADDR_W];
          word_n_q   <= last_word ? ADDR_W'(-3) : word_n_q - ADDR_W'(1);
          if (first_q) start_q <= store_addr_o;
          first_q <= last_word;
        end
      end
      if (prime_i || (store_en_o && run_last)) begin  // a run ends
        if (prime_i || last_run_q) begin
          count = segment.count[ADDR_W-1:0];
          last_run_q  <= count >> 1 == '0 && count[0] && !odd;
          runs_q      <= ADDR_W'(-3);
          runs_step_q <= count;
        end else begin
          runs_left = {1'b0, runs_q} + {1'b0, runs_step_q};
          last_run_q  <= !runs_left[ADDR_W];
          runs_q      <= runs_left[ADDR_W-1:0];
          runs_step_q <= '1;
        end
      end
      if (prime_i && !start_i) index_q <= first_i;
      if (prime_i || slot_close_i) stopped_q <= 1'b0;
      else if (stops) stopped_q <= 1'b1;
    end
  end

endmodule

`undef STRUCT
`default_nettype wire
