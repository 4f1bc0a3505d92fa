// SPDX-License-Identifier: Apache-2.0
// Executes the slot table: one entry after the other, each for its length in cycles, repeated and
// looped as the entry says. The table is a synchronous-read memory outside. Its output register
// holds the entry that comes next, and registers here hold the current one. What happens in a cycle
// is decided in the cycle before, from registers or from the next entry, so that no path leads from
// the table through a count back to the table.
//
// Control travels with the data. A slot's first store read happens in its first cycle; its select
// acts one cycle later, when the word comes out of the store, and its receive window opens two
// cycles later, when the flit is on the neighbour's input.
`default_nettype none
`ifdef __ICARUS__
`define STRUCT(NAME) import gossamer_pkg::NAME; NAME  // Icarus wants it imported, Yosys knows no import
`else
`define STRUCT(NAME) gossamer_pkg::NAME
`endif

module sequencer #(
  parameter int PORTS       = 4,     // link ports
  parameter logic [31:0] MODEL = '0,  // the node's variant: bits MODEL_... of gossamer_pkg
  parameter int TABLE_AW    = 8,     // address bits of the slot table
  parameter int LEN_W       = gossamer_pkg::SLOT_LEN_W,     // bits used of the lengths
  parameter int REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits used of the counts
  parameter logic        ENTRY_CHECK = 1'b1,  // 0: errors of a single entry are not detected
  parameter logic        TABLE_PARITY = 1'b1,  // 0: the parity of entries is not checked
  localparam logic JOIN   = MODEL[gossamer_pkg::MODEL_JOIN],  // masks in place of selects (crossbar_join)
  localparam int SELECT_W = JOIN ? PORTS : $clog2(PORTS + 1),
  localparam int SELECTS  = gossamer_pkg::SLOT_RECEIVE_LSB + (JOIN ? 2 : 1) * PORTS,  // first bit of the selects
  localparam int SLOT_W   = SELECTS + PORTS * SELECT_W
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      start_i,        // one cycle: begin with the first entry
  input  logic [TABLE_AW-1:0]       first_i,        // its number, an even one
  input  logic [PORTS-1:0]          dead_i,         // outputs that transmit nothing ...
  input  logic [REPEAT_W-1:0]       dead_after_i,   // ... after so many slots, to the run's end
  // Slot table.
  output logic                      slot_en_o,
  output logic [TABLE_AW-1:0]       slot_addr_o,
  input  logic [SLOT_W-1:0]         slot_data_i,    // entry at the address of the last cycle with slot_en_o
  // Store reads, in the slot's own cycles.
  output logic                      prime_o,        // fetch the first segments
  output logic                      read_o,         // a word of the slot's stream is to be read
  output logic [PORTS-1:0]          sources_o,      // ... for these outputs
  output logic [PORTS-1:0]          local_o,        // these outputs, if a word is to be read
  output logic                      stream_last_o,  // ... the stream's last one
  output logic                      slot_close_o,   // last cycle of the slot
  // Crossbar, one cycle later.
  output logic [PORTS*SELECT_W-1:0] select_o,
  output logic [PORTS-1:0]          stores_o,       // JOIN: lanes whose result is stored, not sent
  output logic [3:0]                op_o,           // JOIN: how lanes join
  output logic [PORTS-1:0]          send_o,         // outputs that may have a source
  output logic [PORTS-1:0]          forward_o,      // inputs that the select takes
  output logic                      tx_close_o,
  // Receive window, two cycles later.
  output logic [PORTS-1:0]          expect_next_o,  // expect_o of the next cycle
  output logic [PORTS-1:0]          expect_o,
  output logic                      rx_open_next_o,   // the window opens in the next cycle
  output logic [PORTS-1:0]          rx_begin_next_o,  // ... and expects a stream
  output logic                      rx_close_o,
  output logic [REPEAT_W-1:0]       slot_o,         // slots finished
  output logic                      done_o,         // the table has ended, and the errors of its last cycles are counted
  // Errors, one cycle each.
  output logic                      malformed_o,
  output logic                      parity_o,       // ERR_PARITY
  output logic                      cut_o,          // the slot ends before its stream: in its last cycle
  output logic [PORTS-1:0]          limit_o
);

  localparam logic SINGLE_PORT = MODEL[gossamer_pkg::MODEL_SINGLE_PORT];
  localparam logic [PORTS*SELECT_W-1:0] NO_SELECT = JOIN ? '0 : {PORTS{SELECT_W'(PORTS)}};
  // Where PORTS is a power of two, the highest bit of a select says "nothing", and inputs but 0 are known without it.
  localparam logic [SELECT_W-1:0] ALL   = {SELECT_W{1'b1}};
  localparam logic [SELECT_W-1:0] NAMES = ((PORTS & (PORTS - 1)) == 0 && PORTS > 1) ? ALL >> 1 : ALL;

  typedef enum logic [1:0] {  // bit 0: no slot is under way; bit 1: nor was one before
    RUN  = 2'd0,  // a slot is under way
    DONE = 2'd1,  // the table has ended
    IDLE = 2'd3   // waits for the start pulse; entry 0 is being read
  } state_e;

  // ---- The next entry.
  `STRUCT(slot_t)            entry;
  `STRUCT(slot_high_t)       high;  // where no loop ends
  logic [LEN_W-1:0]          len, stream;
  logic [REPEAT_W-1:0]       repeats, loops;
  logic                      loop_begins, loop, final_entry;
  logic [PORTS-1:0]          receive;
  logic [PORTS*SELECT_W-1:0] select;
  logic [PORTS-1:0]          stores;

  assign entry = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB-1:0];
  assign high  = entry.loops;

  logic unused;
  assign unused = ^{entry, high};

  if (LEN_W > gossamer_pkg::SLOT_LEN_W) begin : gen_long
    localparam int HIGH_W = LEN_W - gossamer_pkg::SLOT_LEN_W;

    assign len    = {loop ? HIGH_W'(0) : high.length[HIGH_W-1:0], entry.length};
    assign stream = {loop ? HIGH_W'(0) : high.stream[HIGH_W-1:0], entry.stream};
  end else begin : gen_short
    assign len    = entry.length[LEN_W-1:0];
    assign stream = entry.stream[LEN_W-1:0];
  end

  assign repeats     = entry.repeats[REPEAT_W-1:0];
  assign loops       = entry.loops[REPEAT_W-1:0];
  assign loop_begins = entry.begins_loop;
  assign loop        = entry.ends_loop;
  assign final_entry = entry.ends_table;
  assign receive     = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+:PORTS];
  assign select      = slot_data_i[SELECTS+:PORTS*SELECT_W];
  assign stores      = JOIN ? slot_data_i[SELECTS-PORTS+:PORTS] : '0;

  // ---- The position in the table.
  (* fsm_encoding = "none" *)  // binary: one flip-flop a state takes more logic
  state_e              state_q;
  logic                first_q, last_q;  // the slot's first and last cycle
  logic                repeat_last_q;    // the entry's last slot
  logic                final_q;          // the table ends with the entry
  logic                ends;             // the last cycle of the entry's last slot
  logic                loads, table_ends, stops, running, goes_on;

  assign running    = !state_q[0];
  assign goes_on    = running && !last_q;  // the slot's next cycle follows
  assign prime_o    = state_q[1];
  assign ends       = last_q && repeat_last_q;
  assign slot_en_o  = prime_o || ends;
  assign loads      = (prime_o && start_i) || ends;  // the next entry becomes the current one
  assign table_ends = ends && final_q;
  assign stops      = malformed_o || parity_o || table_ends;

  always_ff @(posedge clk_i) begin  // written in full: a clock enable would arrive late
    if (!rst_ni) state_q <= IDLE;
    else if (prime_o) state_q <= start_i ? RUN : IDLE;
    else state_q <= (!running || stops) ? DONE : RUN;
  end

  // ---- Cycles of the slot, slots of the entry and passes of the loop are counted down. The carry of a sum with the
  // entry's number says that more are still to come. Slots start at -3; cycles and passes start at -4, and their
  // carry goes to a register first.
  logic [LEN_W-1:0]    cycle_n_q;  // within the slot, plus 3, all bits inverted
  /* verilator lint_off UNUSEDSIGNAL */
  logic [LEN_W-1:0]    cycle;      // ... without it and as it is, for waveforms
  /* verilator lint_on UNUSEDSIGNAL */
  assign cycle = ~cycle_n_q - LEN_W'(2);

  // The slots' and the passes' sum goes back to its first operand; the second one is -1 from then on.
  logic [REPEAT_W-1:0] repeat_q, repeat_step_q, loop_q, loop_step_q;

  logic                looping_q;   // within a loop, from its second pass on
  logic                loop_goes_q; // another pass follows after the one that ends next
  logic                again;       // another pass follows of the loop that ends with the next entry
  logic                passes;      // that entry becomes the current one

  // ---- The current entry. Before the start it follows entry 0.
  logic [LEN_W-1:0]          len_q, stream_q;
  logic [PORTS-1:0]          receive_q, sources_q;  // sources: outputs whose source is the local store
  logic [PORTS*SELECT_W-1:0] select_q;
  logic [PORTS-1:0]          stores_q;
  logic [3:0]                op_q;
  logic                      sends_q;             // its stream is read
  logic                      streams_q;           // from a slot's second cycle on: it has a stream
  logic                      one_flit_q;          // likewise: it is at most one flit
  logic                      two_cycles_q;        // its slots are at most two cycles
  logic                      two_flits_q;         // its stream is at most two flits

  // Its cycles and slots.
  logic              stream_now_q;   // within the slot's stream
  logic              stream_last_q;  // the stream's last cycle, or one after it
  // From a slot's second cycle on: the next cycle is the last one; the stream's last one, or one after it.
  logic              cycle_end_q, stream_end_q;

  // Registers are written below all that reads them, so that Verilator needs no copies.
  always_ff @(posedge clk_i) begin : advance
    logic [PORTS-1:0]  sources;
    logic [LEN_W:0]    cycles_left, stream_left;  // sums, with their carries
    logic [REPEAT_W:0] repeat_left;
    sources     = '0;
    cycles_left = '0;
    stream_left = '0;
    repeat_left = '0;
    first_q <= loads || last_q;
    // A slot begins with the next entry, or with what the slot before it, of the same entry, began with. If its first
    // cycle was its last one, that is what the registers hold.
    if (loads) begin
      last_q       <= len >> 1 == '0 && len[0];
      stream_now_q <= |stream;
    end else begin
      last_q       <= first_q ? two_cycles_q : goes_on && cycle_end_q;
      stream_now_q <= (goes_on && stream_now_q && !stream_last_q) ||
                      (last_q && (first_q ? stream_now_q : streams_q));
    end
    if (slot_en_o) stream_last_q <= stream >> 1 == '0;
    else if (first_q) stream_last_q <= (goes_on && two_flits_q) || (!goes_on && stream_last_q);
    else stream_last_q <= goes_on ? stream_end_q : one_flit_q;
    if (goes_on) begin
      cycles_left = {1'b0, cycle_n_q} + {1'b0, len_q};
      stream_left = {1'b0, cycle_n_q} + {1'b0, stream_q};
      cycle_end_q  <= !cycles_left[LEN_W];
      stream_end_q <= !stream_left[LEN_W];
    end
    cycle_n_q <= goes_on ? cycle_n_q - LEN_W'(1) : LEN_W'(-4);
    if (prime_o || last_q) begin
      if (slot_en_o) begin
        repeat_q      <= REPEAT_W'(-3);
        repeat_step_q <= repeats;
        repeat_last_q <= repeats >> 1 == '0;
      end else begin
        repeat_left = {1'b0, repeat_q} + {1'b0, repeat_step_q};
        repeat_q      <= repeat_left[REPEAT_W-1:0];
        repeat_step_q <= '1;
        repeat_last_q <= !repeat_left[REPEAT_W];
      end
    end
    if (slot_en_o) begin
      for (int p = 0; p < PORTS; p++) begin
        sources[p] = JOIN ? select[p*SELECT_W+(JOIN?p:0)] : select[p*SELECT_W+:SELECT_W] == SELECT_W'(p);
      end
      len_q         <= len;
      stream_q      <= stream;
      receive_q     <= receive;
      select_q      <= select;
      stores_q      <= stores;
      op_q          <= entry.op;
      sources_q     <= sources;
      sends_q       <= MODEL[gossamer_pkg::MODEL_ADAPTIVE] || |sources;
      final_q       <= final_entry && !again;
      two_cycles_q  <= len >> 2 == '0 && (32'(len) & 32'd3) != 32'd3;  // not <= 2: that is a carry
      two_flits_q   <= stream >> 2 == '0 && (32'(stream) & 32'd3) != 32'd3;
    end
    if (first_q) begin
      streams_q  <= stream_now_q;
      one_flit_q <= stream_last_q;
    end
    if (!rst_ni || stops) begin
      first_q      <= 1'b0;
      last_q       <= 1'b0;
      stream_now_q <= 1'b0;
    end
  end

  assign read_o        = stream_now_q && sends_q;
  assign stream_last_o = stream_last_q;
  assign slot_close_o  = last_q;
  assign sources_o     = sources_q;
  assign local_o       = stream_now_q ? sources_q : '0;

  // ---- The entry after the next one is read when the next one becomes the current one: the one that follows it,
  // or the first one of its loop. Before the start it is entry 0.
  logic [TABLE_AW-1:0] addr_q;       // of the next entry
  logic [TABLE_AW-1:0] loop_addr_q;  // of the entry with which a loop began last; the first one if none did
  logic [TABLE_AW-1:0] follows;      // what follows in the table
  logic                lowest;       // its lowest bit: before the start it is entry 0

  assign lowest      = prime_o ? start_i && rst_ni : !addr_q[0];
  assign again       = loop && loop_goes_q;
  assign passes      = loads && loop;
  assign slot_addr_o = again ? loop_addr_q : follows;

  always_comb begin
    follows    = addr_q + TABLE_AW'(1);
    follows[0] = lowest;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      addr_q      <= first_i;
      loop_addr_q <= first_i;
    end else if (slot_en_o) begin
      addr_q <= slot_addr_o;
      if (loads && loop_begins) loop_addr_q <= addr_q;
    end
  end

  always_ff @(posedge clk_i) begin : pass
    logic [REPEAT_W:0] loop_left;    // the sum, with its carry
    logic              enters, goes;
    loop_left = '0;
    enters    = 1'b0;
    goes      = 1'b0;
    if (passes) begin
      loop_left   = {1'b0, loop_q} + {1'b0, loop_step_q};
      enters      = loop_goes_q;
      goes        = looping_q ? !loop_goes_q || loop_left[REPEAT_W] : 32'(loops) != 32'd2;
      loop_q      <= looping_q ? loop_left[REPEAT_W-1:0] : REPEAT_W'(-4);
      loop_step_q <= looping_q ? '1 : loops;
    end
    // Not only if (passes): a clock enable from the table would arrive late.
    looping_q   <= enters || (!passes && looping_q);
    loop_goes_q <= goes || (!passes && loop_goes_q);
    if (!rst_ni) begin
      looping_q   <= 1'b0;
      loop_goes_q <= 1'b1;
    end
  end

  // ---- Slots, counted down, so that a comparison with dead_after_i is the carry of their sum.
  logic [REPEAT_W-1:0] slot_n_q;
  logic [REPEAT_W:0]   slots_left;  // before dead outputs transmit nothing: none if there is no carry

  always_ff @(posedge clk_i) begin
    if (last_q) slot_n_q <= slot_n_q - REPEAT_W'(1);
    if (!rst_ni) slot_n_q <= '1;
  end

  assign slot_o     = ~slot_n_q;
  assign slots_left = {1'b0, slot_n_q} + {1'b0, dead_after_i};

  // ---- Select and receive window follow the data. They are loaded once a slot.
  logic [PORTS-1:0] expect_q, forward_q;
  logic             opened_q, closed_q;
  logic             dead_q;  // the slot has come after which dead outputs transmit nothing; stays 1
  logic [3:0]       ending_q;  // the table had not ended one to four cycles ago

  // In the slot's first cycle: outputs that have a source, and inputs that the crossbar uses.
  logic [PORTS-1:0] sends, forwards;

  always_comb begin
    sends    = '0;
    forwards = '0;
    if (first_q) begin
      for (int o = 0; o < PORTS; o++) begin
        sends[o] = JOIN ? |select_q[o*SELECT_W+:SELECT_W] && !stores_q[o] : select_q[o*SELECT_W+:SELECT_W] != SELECT_W'(PORTS);
        for (int p = 0; p < PORTS; p++) begin
          if (p != o && (JOIN ? select_q[o*SELECT_W+(JOIN?p:0)]
                              : ((select_q[o*SELECT_W+:SELECT_W] ^ SELECT_W'(p)) & (p > 0 ? NAMES : ALL)) == '0)) begin
            forwards[p] = 1'b1;
          end
        end
      end
    end
  end

  // No reset: while the sequencer is held in reset, these follow within two cycles.
  always_ff @(posedge clk_i) begin : follow
    logic dead;
    if (first_q) begin
      dead      = dead_q || !slots_left[REPEAT_W];
      select_o  <= select_q;
      stores_o  <= stores_q;
      op_o      <= op_q;
      dead_q    <= dead;
      // A dead output has no source: with the bits of PORTS any code is PORTS or more. Everything else goes on as if
      // it had one.
      if (dead) begin
        for (int p = 0; p < PORTS; p++) begin
          if (dead_i[p] && !stores_q[p]) begin
            select_o[p*SELECT_W+:SELECT_W] <= JOIN ? '0 : select_q[p*SELECT_W+:SELECT_W] | SELECT_W'(PORTS);
          end
        end
      end
      forward_q <= forwards;
      expect_q  <= receive_q;
    end else if (closed_q || !rst_ni) begin
      select_o  <= NO_SELECT;
      forward_q <= '0;
      expect_q  <= '0;
    end
    if (prime_o) dead_q <= 1'b0;
    expect_o        <= expect_q;
    rx_begin_next_o <= first_q ? receive_q : '0;
    opened_q        <= first_q;
    closed_q        <= last_q;
    if (first_q || closed_q || !rst_ni) send_o <= sends;
    rx_close_o      <= closed_q;
  end

  assign forward_o      = forward_q;
  assign expect_next_o  = expect_q;
  assign rx_open_next_o = opened_q;
  assign tx_close_o     = closed_q;
  assign done_o        = state_q == DONE && !ending_q[3];

  always_ff @(posedge clk_i) begin
    if (!running) ending_q <= prime_o ? 4'b1111 : {ending_q[2:0], 1'b0};
  end

  // ---- Errors of a single entry, reported in its first cycle. Its form and its numbers are checked a
  // cycle before, while it is still the next entry.
  localparam int FIELD_W = (LEN_W < gossamer_pkg::SLOT_LEN_W) ? LEN_W : gossamer_pkg::SLOT_LEN_W;
  logic             wrong_loop_q, wrong_select_q, wrong_len_q, wrong_repeat_q, too_wide_q;
  logic             odd_q;  // of the bits that this node uses
  logic [PORTS-1:0] takes;
  logic             any_source, any_receive, several_sources, several_receives;

  always_ff @(posedge clk_i) begin : check
    logic wrong;
    if (slot_en_o) begin
      wrong = 1'b0;
      for (int o = 0; o < PORTS; o++) wrong |= 32'(select[o*SELECT_W+:SELECT_W]) > PORTS;
      wrong_select_q <= wrong && !JOIN;
      wrong_loop_q   <= loop && (loop_begins || loops >> 1 == '0);
      wrong_len_q    <= len == '0;
      wrong_repeat_q <= repeats == '0;
      too_wide_q    <=  // is a field larger than this node can count?
          entry.length >> LEN_W != '0 || entry.stream >> LEN_W != '0 ||
          entry.repeats >> REPEAT_W != '0 || entry.loops >> REPEAT_W != '0;
      odd_q <= ^slot_data_i[SLOT_W-1:gossamer_pkg::SLOT_RECEIVE_LSB] ^ (JOIN && ^entry.op) ^
               ^(32'(entry.length[FIELD_W-1:0]) ^ 32'(entry.stream[FIELD_W-1:0]) ^ 32'(repeats) ^ 32'(loops) ^
                 32'({final_entry, loop, loop_begins, entry.parity}));
    end
  end

  assign malformed_o = ENTRY_CHECK && first_q &&
                       (wrong_loop_q || wrong_select_q || wrong_len_q || wrong_repeat_q || too_wide_q);
  assign parity_o    = TABLE_PARITY && first_q && odd_q;
  assign cut_o       = ENTRY_CHECK && last_q && stream_now_q && !stream_last_q;

  always_comb begin
    takes            = '0;
    limit_o          = '0;
    any_source       = 1'b0;
    any_receive      = 1'b0;
    several_sources  = 1'b0;
    several_receives = 1'b0;
    if (first_q && ENTRY_CHECK) begin
      takes = receive_q | forwards;
      if (MODEL[gossamer_pkg::MODEL_HALF_DUPLEX]) limit_o |= sends & takes;
      if (SINGLE_PORT) begin
        for (int p = 0; p < PORTS; p++) begin
          several_sources  |= any_source && sources_q[p];
          several_receives |= any_receive && receive_q[p];
          any_source       |= sources_q[p];
          any_receive      |= receive_q[p];
        end
        if (several_sources) limit_o |= sources_q;
        if (several_receives) limit_o |= receive_q;
        if (MODEL[gossamer_pkg::MODEL_HALF_DUPLEX] && any_source && any_receive) limit_o |= sources_q | receive_q;
      end
    end
  end

endmodule

`undef STRUCT
`default_nettype wire
