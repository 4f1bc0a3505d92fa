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

module sequencer #(
  parameter int PORTS       = 4,     // link ports
  parameter logic        SINGLE_PORT = 1'b0,  // 1: at most one send and one receive a slot
  parameter logic        HALF_DUPLEX = 1'b0,  // 1: a link carries one direction a slot
  parameter logic        ADAPTIVE    = 1'b0,  // 1: words are read also where none is to be sent
  parameter int TABLE_AW    = 8,     // address bits of the slot table
  parameter int LEN_W       = gossamer_pkg::SLOT_LEN_W,     // bits used of the lengths
  parameter int REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits used of the counts
  parameter logic        ENTRY_CHECK = 1'b1,  // 0: errors of a single entry are not detected
  localparam int SELECT_W = $clog2(PORTS + 1),
  localparam int SLOT_W   = gossamer_pkg::SLOT_RECEIVE_LSB + PORTS + PORTS * SELECT_W
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      start_i,        // one cycle: begin with entry 0
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
  output logic [PORTS-1:0]          send_o,         // outputs that may have a source
  output logic [PORTS-1:0]          forward_o,      // inputs that the select takes
  output logic                      tx_close_o,
  // Receive window, two cycles later.
  output logic [PORTS-1:0]          expect_next_o,  // expect_o of the next cycle
  output logic [PORTS-1:0]          expect_o,
  output logic                      rx_open_o,
  output logic [PORTS-1:0]          rx_begin_o,     // expect_o, if the window opens
  output logic                      rx_close_o,
  output logic [REPEAT_W-1:0]       slot_o,         // slots finished
  output logic                      done_o,         // the table has ended, and the errors of its last cycles are counted
  // Errors, one cycle each.
  output logic                      malformed_o,
  output logic                      cut_o,          // the slot ends before its stream: in its last cycle
  output logic [PORTS-1:0]          limit_o
);

  localparam logic [PORTS*SELECT_W-1:0] NO_SELECT = {PORTS{SELECT_W'(PORTS)}};

  typedef enum logic [1:0] {  // bit 0: no slot is under way; bit 1: nor was one before
    RUN  = 2'd0,  // a slot is under way
    DONE = 2'd1,  // the table has ended
    IDLE = 2'd3   // waits for the start pulse; entry 0 is being read
  } state_e;

  // ---- The next entry.
  logic [LEN_W-1:0]          len, stream;
  logic [REPEAT_W-1:0]       repeats, loops;
  logic                      loop_begins, loop, final_entry;
  logic [PORTS-1:0]          receive;
  logic [PORTS*SELECT_W-1:0] select;

  if (LEN_W > gossamer_pkg::SLOT_LEN_W) begin : gen_long
    localparam int HIGH_W = LEN_W - gossamer_pkg::SLOT_LEN_W;
    logic [HIGH_W-1:0] len_high, stream_high;  // where no loop ends, they take the place of its count

    assign len_high    = loop ? '0 : slot_data_i[gossamer_pkg::SLOT_LEN_HIGH_LSB+:HIGH_W];
    assign stream_high = loop ? '0 : slot_data_i[gossamer_pkg::SLOT_STREAM_HIGH_LSB+:HIGH_W];
    assign len    = {len_high, slot_data_i[gossamer_pkg::SLOT_LEN_LSB+:gossamer_pkg::SLOT_LEN_W]};
    assign stream = {stream_high,
                     slot_data_i[gossamer_pkg::SLOT_STREAM_LSB+:gossamer_pkg::SLOT_STREAM_W]};
  end else begin : gen_short
    assign len    = slot_data_i[gossamer_pkg::SLOT_LEN_LSB+:LEN_W];
    assign stream = slot_data_i[gossamer_pkg::SLOT_STREAM_LSB+:LEN_W];
  end

  assign repeats     = slot_data_i[gossamer_pkg::SLOT_REPEAT_LSB+:REPEAT_W];
  assign loops       = slot_data_i[gossamer_pkg::SLOT_LOOPS_LSB+:REPEAT_W];
  assign loop_begins = slot_data_i[gossamer_pkg::SLOT_BEGIN_LSB];
  assign loop        = slot_data_i[gossamer_pkg::SLOT_LOOP_LSB];
  assign final_entry = slot_data_i[gossamer_pkg::SLOT_FINAL_LSB];
  assign receive     = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+:PORTS];
  assign select      = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+PORTS+:PORTS*SELECT_W];

  // ---- The position in the table.
  (* fsm_encoding = "none" *)  // binary: one flip-flop a state takes more logic
  state_e              state_q;
  logic                first_q, last_q;  // the slot's first and last cycle
  logic                ends_q;           // the last cycle of the entry's last slot
  logic                final_q;          // ... with which the table ends
  logic                begins, loads, moves, table_ends, stops, running;

  assign running    = !state_q[0];
  assign prime_o    = state_q[1];
  assign begins     = prime_o && start_i && rst_ni;
  assign loads      = begins || ends_q;  // the next entry becomes the current one
  assign moves      = (prime_o && start_i) || ends_q;  // the same where a reset needs not count
  assign table_ends = ends_q && final_q;
  assign stops      = malformed_o || table_ends;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= IDLE;
    else if (begins) state_q <= RUN;
    else if (stops) state_q <= DONE;
  end

  // ---- Cycles of the slot, slots of the entry and passes of the loop are counted down, from -3 on. The carry
  // of a sum with the entry's number says that more than one is still to come.
  logic [LEN_W-1:0]    cycle_n_q;  // within the slot, plus 2, all bits inverted
  /* verilator lint_off UNUSEDSIGNAL */
  logic [LEN_W-1:0]    cycle;      // ... as it is, for waveforms
  /* verilator lint_on UNUSEDSIGNAL */
  assign cycle = ~cycle_n_q;

  // The slots' and the passes' sum goes back to its first operand; the second one is -1 from then on.
  logic [REPEAT_W-1:0] repeat_q, repeat_step_q, loop_q, loop_step_q;

  // Of passes a register says in advance whether there is another one, and the first one starts at -4.
  logic [REPEAT_W:0]   loop_left;   // their sum, with its carry
  logic                looping_q;   // within a loop, from its second pass on
  logic                loop_goes_q; // another pass follows after the one that ends next
  logic                again;       // another pass follows of the loop that ends with the next entry

  // ---- The current entry. Before the start it follows entry 0.
  logic [LEN_W-1:0]          len_q, stream_q;
  logic [PORTS-1:0]          receive_q, sources_q;  // sources: outputs whose source is the local store
  logic [PORTS*SELECT_W-1:0] select_q;
  logic                      one_cycle_q;         // its length is 1
  logic                      streams_q;           // it has a stream ...
  logic                      sends_q;             // ... for which words are to be read
  logic                      one_flit_q;          // its stream is at most one flit

  // Its cycles and slots.
  logic              stream_now_q;   // within the slot's stream
  logic              stream_last_q;  // the stream's last cycle, or one after it
  logic              repeat_last_q;  // the entry's last slot

  // Registers are written below all that reads them, so that Verilator needs no copies.
  always_ff @(posedge clk_i) begin : advance
    logic [PORTS-1:0]  sources;
    logic [LEN_W:0]    cycles_left, stream_left;  // sums, with their carries
    logic [REPEAT_W:0] repeat_left;
    logic              one_cycle, last;
    sources     = '0;
    one_cycle   = 1'b0;
    cycles_left = '0;
    stream_left = '0;
    repeat_left = '0;
    last        = last_q;
    first_q     <= loads || last;
    if (running && !last) begin
      cycles_left = {1'b0, cycle_n_q} + {1'b0, len_q};
      stream_left = {1'b0, cycle_n_q} + {1'b0, stream_q};
      last_q        <= !cycles_left[LEN_W];
      ends_q        <= !cycles_left[LEN_W] && repeat_last_q;
      stream_now_q  <= stream_now_q && !stream_last_q;
      stream_last_q <= !stream_left[LEN_W];
      cycle_n_q     <= cycle_n_q - LEN_W'(1);
    end else begin
      if (slot_en_o) begin
        for (int p = 0; p < PORTS; p++) sources[p] = select[p*SELECT_W+:SELECT_W] == SELECT_W'(p);
        one_cycle = len >> 1 == '0 && len[0];
      end
      repeat_left = {1'b0, repeat_q} + {1'b0, repeat_step_q};
      if (loads) begin
        last_q       <= one_cycle;
        ends_q       <= one_cycle && repeats >> 1 == '0;
        stream_now_q <= |stream;
      end else begin
        last_q       <= last && one_cycle_q;
        ends_q       <= last && one_cycle_q && !repeat_left[REPEAT_W];
        stream_now_q <= last && streams_q;
      end
      if (!slot_en_o) begin
        repeat_q      <= repeat_left[REPEAT_W-1:0];
        repeat_step_q <= '1;
        repeat_last_q <= !repeat_left[REPEAT_W];
        stream_last_q <= one_flit_q;
      end else begin
        repeat_q      <= REPEAT_W'(-3);
        repeat_step_q <= repeats;
        repeat_last_q <= repeats >> 1 == '0;
        stream_last_q <= stream >> 1 == '0;
        len_q         <= len;
        stream_q      <= stream;
        receive_q     <= receive;
        select_q      <= select;
        sources_q     <= sources;
        one_cycle_q   <= one_cycle;
        streams_q     <= |stream;
        sends_q       <= ADAPTIVE || |sources;
        one_flit_q    <= stream >> 1 == '0;
        final_q       <= final_entry && !again;
      end
      cycle_n_q <= LEN_W'(-3);
    end
    if (!rst_ni || stops) begin
      first_q      <= 1'b0;
      last_q       <= 1'b0;
      ends_q       <= 1'b0;
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
  logic [TABLE_AW-1:0] loop_addr_q;  // of the entry with which a loop began last; entry 0 if none did
  logic [TABLE_AW-1:0] follows;      // what follows in the table

  assign slot_en_o   = prime_o || ends_q;
  assign again       = loop && loop_goes_q;
  assign slot_addr_o = again ? loop_addr_q : follows;

  always_comb begin
    loop_left = '0;
    if (loads) loop_left = {1'b0, loop_q} + {1'b0, loop_step_q};
    follows = addr_q + TABLE_AW'(1);
    if (prime_o) follows[0] = begins;  // of entry 0
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      addr_q      <= '0;
      loop_addr_q <= '0;
      looping_q   <= 1'b0;
      loop_goes_q <= 1'b1;
    end else if (slot_en_o) begin
      addr_q <= slot_addr_o;
      if (moves && loop_begins) loop_addr_q <= addr_q;
      if (moves && loop) begin
        looping_q   <= loop_goes_q;
        loop_goes_q <= looping_q ? !loop_goes_q || loop_left[REPEAT_W] : 32'(loops) != 32'd2;
      end
    end
    if (moves && loop) begin
      loop_q      <= looping_q ? loop_left[REPEAT_W-1:0] : REPEAT_W'(-4);
      loop_step_q <= looping_q ? '1 : loops;
    end
  end

  // ---- Slots.
  logic [REPEAT_W-1:0] slot_q;

  always_ff @(posedge clk_i) begin
    if (last_q) slot_q <= slot_q + REPEAT_W'(1);
    if (!rst_ni) slot_q <= '0;
  end

  assign slot_o = slot_q;

  // ---- Select and receive window follow the data. They are loaded once a slot.
  logic [PORTS-1:0] expect_q, forward_q;
  logic             opened_q, closed_q;
  logic             dead_q;  // the slot has come after which dead outputs transmit nothing; stays 1
  logic [3:0]       ended_q;  // the table had ended one to four cycles ago

  // In the slot's first cycle: outputs that have a source, and inputs that the crossbar uses.
  logic [PORTS-1:0] sends, forwards;

  always_comb begin
    sends    = '0;
    forwards = '0;
    if (first_q) begin
      for (int o = 0; o < PORTS; o++) begin
        sends[o] = select_q[o*SELECT_W+:SELECT_W] != SELECT_W'(PORTS);
        for (int p = 0; p < PORTS; p++) begin
          if (p != o && select_q[o*SELECT_W+:SELECT_W] == SELECT_W'(p)) forwards[p] = 1'b1;
        end
      end
    end
  end

  // No reset: while the sequencer is held in reset, these follow within two cycles.
  always_ff @(posedge clk_i) begin : follow
    logic dead;
    if (first_q) begin
      dead      = dead_q || slot_q >= dead_after_i;
      select_o  <= select_q;
      dead_q    <= dead;
      if (dead) begin  // a dead output has no source; everything else goes on as if it had one
        for (int p = 0; p < PORTS; p++) begin
          if (dead_i[p]) select_o[p*SELECT_W+:SELECT_W] <= SELECT_W'(PORTS);
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
    expect_o   <= expect_q;
    rx_begin_o <= opened_q ? expect_q : '0;
    opened_q   <= first_q;
    closed_q   <= last_q;
    rx_open_o  <= opened_q;
    rx_close_o <= closed_q;
  end

  // Simulation is faster when the crossbar knows which outputs have no source.
`ifdef SYNTHESIS
  assign send_o = '1;
`else
  always_ff @(posedge clk_i) begin
    if (first_q || closed_q || !rst_ni) send_o <= sends;
  end
`endif

  assign forward_o     = forward_q;
  assign expect_next_o = expect_q;
  assign tx_close_o    = closed_q;
  assign done_o        = state_q == DONE && ended_q[3];

  always_ff @(posedge clk_i) begin
    if (!running) ended_q <= prime_o ? '0 : {ended_q[2:0], 1'b1};
  end

  // ---- Errors of a single entry, reported in its first cycle. Its form and its numbers are checked a
  // cycle before, while it is still the next entry.
  logic             wrong_form_q, wrong_len_q, wrong_repeat_q, too_wide_q;
  logic [PORTS-1:0] takes;
  logic             any_source, any_receive, several_sources, several_receives;

  always_ff @(posedge clk_i) begin : check
    logic wrong;
    if (slot_en_o) begin
      wrong = loop && (loop_begins || loops >> 1 == '0);
      for (int o = 0; o < PORTS; o++) wrong |= 32'(select[o*SELECT_W+:SELECT_W]) > PORTS;
      wrong_form_q   <= wrong;
      wrong_len_q    <= len == '0;
      wrong_repeat_q <= repeats == '0;
      too_wide_q    <=  // is a field larger than this node can count?
          slot_data_i[gossamer_pkg::SLOT_LEN_LSB+:gossamer_pkg::SLOT_LEN_W] >> LEN_W != '0 ||
          slot_data_i[gossamer_pkg::SLOT_STREAM_LSB+:gossamer_pkg::SLOT_STREAM_W] >> LEN_W != '0 ||
          slot_data_i[gossamer_pkg::SLOT_REPEAT_LSB+:gossamer_pkg::SLOT_REPEAT_W] >> REPEAT_W != '0 ||
          slot_data_i[gossamer_pkg::SLOT_LOOPS_LSB+:gossamer_pkg::SLOT_LOOPS_W] >> REPEAT_W != '0;
    end
  end

  assign malformed_o = ENTRY_CHECK && first_q && (wrong_form_q || wrong_len_q || wrong_repeat_q || too_wide_q);
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
      if (HALF_DUPLEX) limit_o |= sends & takes;
      if (SINGLE_PORT) begin
        for (int p = 0; p < PORTS; p++) begin
          several_sources  |= any_source && sources_q[p];
          several_receives |= any_receive && receive_q[p];
          any_source       |= sources_q[p];
          any_receive      |= receive_q[p];
        end
        if (several_sources) limit_o |= sources_q;
        if (several_receives) limit_o |= receive_q;
        if (HALF_DUPLEX && any_source && any_receive) limit_o |= sources_q | receive_q;
      end
    end
  end

endmodule

`default_nettype wire
