// Executes the slot table: one entry after the other, each for its length in cycles, repeated and
// looped as the entry says. The table is a synchronous-read memory outside; its output register
// holds the current entry, so that a slot may be one cycle long.
//
// Control travels with the data. A slot's first store read happens in its first cycle; its select
// acts one cycle later, when the word comes out of the store, and its receive window opens two
// cycles later, when the flit is on the neighbour's input.
`default_nettype none

module sequencer #(
  parameter int PORTS       = 4,     // link ports
  parameter logic        SINGLE_PORT = 1'b0,  // 1: at most one send and one receive a slot
  parameter logic        HALF_DUPLEX = 1'b0,  // 1: a link carries one direction a slot
  parameter int TABLE_AW    = 8,     // address bits of the slot table
  parameter int LEN_W       = gossamer_pkg::SLOT_LEN_W,     // bits used of the lengths
  parameter int REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits used of the counts
  parameter logic        ONE_CYCLE   = 1'b0,  // 1: slots of one cycle, neither repeated nor looped
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
  input  logic [SLOT_W-1:0]         slot_data_i,    // entry at the address of the cycle before
  // Store reads, in the slot's own cycles.
  output logic                      prime_o,        // fetch the first segments
  output logic                      stream_o,       // within the slot's stream
  output logic [PORTS-1:0]          local_o,        // outputs for which a word is to be read
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
  output logic                      rx_close_o,
  output logic [REPEAT_W-1:0]       slot_o,         // slots finished
  output logic                      done_o,         // the table has ended and its windows are closed
  // Errors, one cycle each.
  output logic                      malformed_o,
  output logic                      cut_o,          // the slot is shorter than its stream
  output logic [PORTS-1:0]          limit_o
);

  localparam logic [PORTS*SELECT_W-1:0] NO_SELECT = {PORTS{SELECT_W'(PORTS)}};

  typedef enum logic [1:0] {  // bit 0: no slot is under way; bit 1: nor was one before
    RUN  = 2'd0,  // a slot is under way
    DONE = 2'd1,  // the table has ended
    IDLE = 2'd3   // waits for the start pulse; entry 0 is being read
  } state_e;

  // ---- The current entry.
  logic [LEN_W-1:0]          len, stream;
  logic [REPEAT_W-1:0]       repeats, loops;
  logic [gossamer_pkg::SLOT_BACK_W-1:0] back;
  logic                      loop, final_entry;
  logic [PORTS-1:0]          receive;
  logic [PORTS*SELECT_W-1:0] select;
  logic [PORTS-1:0]          sources;  // outputs whose source is the local store

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
  assign back        = slot_data_i[gossamer_pkg::SLOT_BACK_LSB+:gossamer_pkg::SLOT_BACK_W];
  assign loop        = slot_data_i[gossamer_pkg::SLOT_LOOP_LSB];
  assign final_entry = slot_data_i[gossamer_pkg::SLOT_FINAL_LSB];
  assign receive     = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+:PORTS];
  assign select      = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+PORTS+:PORTS*SELECT_W];

  // ---- The position in the table.
  (* fsm_encoding = "none" *)  // binary: one flip-flop a state takes more logic
  state_e              state_q;
  logic [LEN_W-1:0]    cycle_q, cycle_next;   // within the slot
  logic [REPEAT_W-1:0] repeat_q, repeat_next; // repetitions finished of this entry
  logic [REPEAT_W-1:0] loop_q, loop_next;     // passes finished of the loop
  logic [TABLE_AW-1:0] addr_q, addr_next;
  logic [REPEAT_W-1:0] slot_q;
  logic                first_q;               // the slot's first cycle, if one is under way
  logic                running, opening, closing, entry_ends, loop_again, table_ends;

  assign running     = !state_q[0];
  assign opening     = running && (ONE_CYCLE || first_q);
  assign cycle_next  = cycle_q + LEN_W'(1);
  assign closing     = running && (ONE_CYCLE || cycle_next == len);

  // ---- The next entry is read in the last cycle of this one.
  always_comb begin
    repeat_next = '0;
    loop_next   = '0;
    entry_ends  = 1'b0;
    loop_again  = 1'b0;
    addr_next   = '0;
    table_ends  = 1'b0;
    if (closing) begin
      repeat_next = repeat_q + REPEAT_W'(1);
      entry_ends  = ONE_CYCLE || repeat_next >= repeats;
      if (entry_ends) begin
        repeat_next = '0;
        loop_next   = loop_q;
        if (loop && !ONE_CYCLE) loop_next = loop_q + REPEAT_W'(1);
        loop_again = loop && !ONE_CYCLE && loop_next < loops;
        if (loop && !loop_again) loop_next = '0;
        addr_next  = loop_again ? addr_q - TABLE_AW'(back) : addr_q + TABLE_AW'(1);
        table_ends = final_entry && !loop_again;
      end
    end
  end

  // Of one-cycle slots, addr_q is already the next entry's address.
  assign slot_addr_o = ONE_CYCLE ? addr_q : addr_next;
  assign slot_en_o   = ONE_CYCLE || prime_o || entry_ends;

  always_ff @(posedge clk_i) begin
    if (ONE_CYCLE) begin  // written in full: a reset or a clock enable would arrive later than the next state
      if (!rst_ni || (prime_o && !start_i)) state_q <= IDLE;
      else if (!prime_o && (!running || table_ends || malformed_o)) state_q <= DONE;
      else state_q <= RUN;
    end else if (!rst_ni) begin
      state_q <= IDLE;
    end else if (prime_o) begin
      if (start_i) state_q <= RUN;
    end else if (table_ends || malformed_o) begin
      state_q <= DONE;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q  <= '0;
      repeat_q <= '0;
      loop_q   <= '0;
      addr_q   <= '0;
      slot_q   <= '0;
    end else begin
      first_q <= !running || closing;
      if (running) cycle_q <= closing ? '0 : cycle_next;
      if (closing) begin
        slot_q   <= slot_q + REPEAT_W'(1);
        repeat_q <= repeat_next;
      end
      if (entry_ends) loop_q <= loop_next;
      if (ONE_CYCLE) begin
        if (prime_o && !start_i) addr_q <= '0; else addr_q <= addr_q + TABLE_AW'(1);
      end else if (entry_ends) begin
        addr_q <= addr_next;
      end
    end
  end

  // ---- Reads. They are decoded from the entry in the slot's first cycle, and kept.
  logic [PORTS-1:0] sources_q;

  always_comb begin
    if (ONE_CYCLE || opening) begin
      for (int p = 0; p < PORTS; p++) sources[p] = select[p*SELECT_W+:SELECT_W] == SELECT_W'(p);
    end else begin
      sources = sources_q;
    end
  end

  always_ff @(posedge clk_i) sources_q <= sources;

  assign stream_last_o = ONE_CYCLE || cycle_next == stream;
  assign slot_close_o  = closing;
  assign prime_o       = state_q[1];

  always_comb begin
    stream_o = running && cycle_q < stream;
    local_o  = stream_o ? sources : '0;
  end

  // ---- Select and receive window follow the data. They are loaded once a slot.
  logic [PORTS-1:0] expect_q;
  logic             opened_q, closed_q;
  logic [1:0]       stopped_q;     // one-cycle slots: there was no slot one and two cycles ago
  logic [PORTS-1:0] sends, takes;  // outputs and inputs that the crossbar or the store uses
  logic [PORTS-1:0] forwards;      // inputs that the crossbar uses
  logic [PORTS-1:0] forward_q;
  logic             dead, dead_q;  // the slot has come after which dead outputs transmit nothing; stays 1

  assign dead = dead_q || slot_q >= dead_after_i;

  // No reset: while the sequencer is held in reset, these follow within two cycles.
  always_ff @(posedge clk_i) begin
    if (opening) begin
      select_o  <= select;
      dead_q    <= dead;
      if (dead) begin  // a dead output has no source; everything else goes on as if it had one
        for (int p = 0; p < PORTS; p++) begin
          if (dead_i[p]) select_o[p*SELECT_W+:SELECT_W] <= SELECT_W'(PORTS);
        end
      end
      forward_q <= forwards;
      expect_q  <= receive;
    end else if (ONE_CYCLE || closed_q || !rst_ni) begin
      select_o  <= NO_SELECT;
      forward_q <= '0;
      expect_q  <= '0;
    end
    if (prime_o) dead_q <= 1'b0;
    expect_o   <= expect_q;
    opened_q   <= opening;
    closed_q   <= closing;
    rx_open_o  <= opened_q;
    rx_close_o <= closed_q;
    if (ONE_CYCLE) stopped_q <= {stopped_q[0], !running};
  end

  // Simulation is faster when the crossbar knows which outputs have no source.
`ifdef SYNTHESIS
  assign send_o = '1;
`else
  always_ff @(posedge clk_i) begin
    if (opening) send_o <= sends;
    else if (ONE_CYCLE || closed_q || !rst_ni) send_o <= '0;
  end
`endif

  assign forward_o     = forward_q;
  assign expect_next_o = expect_q;

  assign tx_close_o  = closed_q;
  assign done_o      = state_q == DONE && (ONE_CYCLE ? stopped_q == '1 : !closed_q && !rx_close_o);
  assign slot_o      = slot_q;

  // ---- Errors of a single entry, checked in its first cycle. One-cycle slots leave no time for all
  // of the check after the table's RAM: half of it follows one cycle later, from registers that are
  // empty when no slot is under way.
  logic             check, wrong_form, bad_select, looking;
  logic [PORTS-1:0] check_receive, check_sources;
  logic [PORTS-1:0]          but_source, but_receive;  // drops one port that is set, keeps the others

  if (ONE_CYCLE) begin : gen_check_late
    logic [PORTS*SELECT_W-1:0] select_q;  // select_o before dead outputs are removed
    logic                      wrong_q, stream_q;

    always_ff @(posedge clk_i) begin
      select_q <= opening ? select : NO_SELECT;
      stream_q <= stream_o;
      if (running) wrong_q <= len != LEN_W'(1) || repeats != REPEAT_W'(1) || loop || bad_select;
      else wrong_q <= 1'b0;
    end

    for (genvar p = 0; p < PORTS; p++) begin : gen_source
      assign check_sources[p] = select_q[p*SELECT_W+:SELECT_W] == SELECT_W'(p);
    end

    assign check         = 1'b1;
    assign check_receive = expect_q;
    assign wrong_form    = wrong_q || stream_q != |check_sources;
  end else begin : gen_check
    // Is a field larger than this node can count?
    logic too_wide;

    assign too_wide =
        slot_data_i[gossamer_pkg::SLOT_LEN_LSB+:gossamer_pkg::SLOT_LEN_W] >> LEN_W != '0 ||
        slot_data_i[gossamer_pkg::SLOT_STREAM_LSB+:gossamer_pkg::SLOT_STREAM_W] >> LEN_W != '0 ||
        slot_data_i[gossamer_pkg::SLOT_REPEAT_LSB+:gossamer_pkg::SLOT_REPEAT_W] >> REPEAT_W != '0 ||
        slot_data_i[gossamer_pkg::SLOT_LOOPS_LSB+:gossamer_pkg::SLOT_LOOPS_W] >> REPEAT_W != '0;

    assign check         = opening;
    assign check_receive = receive;
    assign check_sources = sources;
    assign wrong_form    = len == '0 || repeats == '0 ||
                           (loop && (loops == '0 || 32'(back) > 32'(addr_q))) ||
                           too_wide || bad_select;
  end

`ifdef SYNTHESIS
  assign looking = 1'b1;   // what follows is used in that cycle only
`else
  assign looking = check;  // ... and simulation skips it in all others
`endif

  always_comb begin
    bad_select  = 1'b0;
    sends       = '0;
    forwards    = '0;
    takes       = '0;
    malformed_o = 1'b0;
    cut_o       = 1'b0;
    limit_o     = '0;
    but_source  = '0;
    but_receive = '0;
    if (looking) begin
      for (int o = 0; o < PORTS; o++) begin
        bad_select |= 32'(select[o*SELECT_W+:SELECT_W]) > PORTS;
        sends[o] = select[o*SELECT_W+:SELECT_W] != SELECT_W'(PORTS);
        for (int p = 0; p < PORTS; p++) begin
          if (p != o && select[o*SELECT_W+:SELECT_W] == SELECT_W'(p)) forwards[p] = 1'b1;
        end
      end
    end
    if (check && ENTRY_CHECK) begin
      takes       = check_receive | forwards;
      malformed_o = wrong_form;
      cut_o       = !ONE_CYCLE && len < stream;
      if (HALF_DUPLEX) limit_o |= sends & takes;
      if (SINGLE_PORT) begin
        if (ONE_CYCLE) begin  // all ports above one that is set: less logic than a subtraction
          but_source  = check_sources << 1;
          but_receive = check_receive << 1;
          for (int s = 0; s < SELECT_W; s++) begin
            but_source  |= but_source << (1 << s);
            but_receive |= but_receive << (1 << s);
          end
        end else begin
          but_source  = check_sources - PORTS'(1);
          but_receive = check_receive - PORTS'(1);
        end
        if ((check_sources & but_source) != '0) limit_o |= check_sources;
        if ((check_receive & but_receive) != '0) limit_o |= check_receive;
        if (HALF_DUPLEX && check_sources != '0 && check_receive != '0) begin
          limit_o |= check_sources | check_receive;
        end
      end
    end
  end

endmodule

`default_nettype wire
