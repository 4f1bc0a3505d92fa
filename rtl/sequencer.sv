// Executes the slot table: one entry after the other, each for its length in cycles, repeated and
// looped as the entry says. The table is a synchronous-read memory outside; its output register
// holds the current entry, so that a slot may be one cycle long.
//
// Control travels with the data. A slot's first store read happens in its first cycle; its select
// acts one cycle later, when the word comes out of the store, and its receive window opens two
// cycles later, when the flit stands on the neighbour's input.
`default_nettype none

module sequencer #(
  parameter int PORTS       = 4,     // link ports
  parameter logic        SINGLE_PORT = 1'b0,  // 1: at most one send and one receive a slot
  parameter logic        HALF_DUPLEX = 1'b0,  // 1: a link carries one direction a slot
  parameter int TABLE_AW    = 8,     // address bits of the slot table
  parameter int LEN_W       = gossamer_pkg::SLOT_LEN_W,     // bits used of the lengths
  parameter int REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits used of the counts
  localparam int SELECT_W = $clog2(PORTS + 1),
  localparam int SLOT_W   = gossamer_pkg::SLOT_RECEIVE_LSB + PORTS + PORTS * SELECT_W
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      start_i,        // one cycle: begin with entry 0
  // Slot table.
  output logic                      slot_en_o,
  output logic [TABLE_AW-1:0]       slot_addr_o,
  input  logic [SLOT_W-1:0]         slot_data_i,    // entry at the address of the cycle before
  // Store reads, in the slot's own cycles.
  output logic                      prime_o,        // fetch the first segments
  output logic [PORTS-1:0]          local_o,        // outputs for which a word is to be read
  output logic                      stream_last_o,  // ... the stream's last one
  output logic                      slot_close_o,   // last cycle of the slot
  // Crossbar, one cycle later.
  output logic [PORTS*SELECT_W-1:0] select_o,
  output logic [PORTS-1:0]          forward_o,      // inputs that the select takes
  output logic                      tx_close_o,
  // Receive window, two cycles later.
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

  typedef enum logic [1:0] {
    IDLE = 2'd0,  // waits for the start pulse; entry 0 is being read
    RUN  = 2'd1,  // a slot is under way
    DONE = 2'd2   // the table has ended
  } state_e;

  // ---- The current entry.
  logic [LEN_W-1:0]          len, stream;
  logic [REPEAT_W-1:0]       repeats, loops;
  logic [TABLE_AW-1:0]       back;
  logic                      loop, final_entry;
  logic [PORTS-1:0]          receive;
  logic [PORTS*SELECT_W-1:0] select;
  logic [PORTS-1:0]          sources;  // outputs whose source is the local store

  for (genvar p = 0; p < PORTS; p++) begin : gen_source
    assign sources[p] = select[p*SELECT_W+:SELECT_W] == SELECT_W'(p);
  end

  assign len         = slot_data_i[gossamer_pkg::SLOT_LEN_LSB+:LEN_W];
  assign stream      = slot_data_i[gossamer_pkg::SLOT_STREAM_LSB+:LEN_W];
  assign repeats     = slot_data_i[gossamer_pkg::SLOT_REPEAT_LSB+:REPEAT_W];
  assign loops       = slot_data_i[gossamer_pkg::SLOT_LOOPS_LSB+:REPEAT_W];
  assign back        = TABLE_AW'(slot_data_i[gossamer_pkg::SLOT_BACK_LSB+:gossamer_pkg::SLOT_BACK_W]);
  assign loop        = slot_data_i[gossamer_pkg::SLOT_LOOP_LSB];
  assign final_entry = slot_data_i[gossamer_pkg::SLOT_FINAL_LSB];
  assign receive     = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+:PORTS];
  assign select      = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+PORTS+:PORTS*SELECT_W];

  // ---- Where we are.
  state_e              state_q;
  logic [LEN_W-1:0]    cycle_q, cycle_next;   // within the slot
  logic [REPEAT_W-1:0] repeat_q, repeat_next; // repetitions finished of this entry
  logic [REPEAT_W-1:0] loop_q, loop_next;     // passes finished of the loop
  logic [TABLE_AW-1:0] addr_q, addr_next;
  logic [REPEAT_W-1:0] slot_q;
  logic                running, opening, closing, entry_ends, loop_again;

  assign running     = state_q == RUN;
  assign opening     = running && cycle_q == '0;
  assign cycle_next  = cycle_q + LEN_W'(1);
  assign closing     = running && cycle_next == len;

  // ---- The next entry is read in the last cycle of this one.
  always_comb begin
    repeat_next = repeat_q;
    loop_next   = loop_q;
    entry_ends  = 1'b0;
    loop_again  = 1'b0;
    addr_next   = '0;
    if (closing) begin
      repeat_next = repeat_q + REPEAT_W'(1);
      entry_ends  = repeat_next >= repeats;
      if (entry_ends) begin
        repeat_next = '0;
        if (loop) loop_next = loop_q + REPEAT_W'(1);
        loop_again = loop && loop_next < loops;
        if (loop && !loop_again) loop_next = '0;
        addr_next = loop_again ? addr_q - back : addr_q + TABLE_AW'(1);
      end
    end
  end

  assign slot_addr_o = addr_next;
  assign slot_en_o   = prime_o || entry_ends;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= IDLE;
      cycle_q  <= '0;
      repeat_q <= '0;
      loop_q   <= '0;
      addr_q   <= '0;
      slot_q   <= '0;
    end else begin
      if (prime_o && start_i) state_q <= RUN;
      if (malformed_o || (entry_ends && final_entry && !loop_again)) state_q <= DONE;
      if (running) cycle_q <= closing ? '0 : cycle_next;
      if (closing) begin
        slot_q   <= slot_q + REPEAT_W'(1);
        repeat_q <= repeat_next;
      end
      if (entry_ends) begin
        addr_q <= addr_next;
        loop_q <= loop_next;
      end
    end
  end

  // ---- Reads.
  assign stream_last_o = cycle_next == stream;
  assign slot_close_o  = closing;
  assign prime_o       = state_q == IDLE;

  always_comb begin
    local_o = '0;
    if (running && cycle_q < stream) local_o = sources;
  end

  // ---- Select and receive window follow the data. They are loaded once a slot.
  logic [PORTS-1:0] expect_q;
  logic             opened_q, closed_q;
  logic [PORTS-1:0] sends, takes;  // outputs and inputs that the crossbar or the store uses
  logic [PORTS-1:0] forwards;      // inputs that the crossbar uses

  // No reset: while the sequencer is held in reset, these follow within two cycles.
  always_ff @(posedge clk_i) begin
    if (opening) begin
      select_o  <= select;
      forward_o <= forwards;
      expect_q  <= receive;
    end else if (closed_q || !rst_ni) begin
      select_o  <= NO_SELECT;
      forward_o <= '0;
      expect_q  <= '0;
    end
    expect_o   <= expect_q;
    opened_q   <= opening;
    closed_q   <= closing;
    rx_open_o  <= opened_q;
    rx_close_o <= closed_q;
  end

  assign tx_close_o  = closed_q;
  assign done_o      = state_q == DONE && !closed_q && !rx_close_o;
  assign slot_o      = slot_q;

  // ---- What an entry alone can do wrong; looked at in its first cycle.
  logic bad_select;

  always_comb begin
    bad_select  = 1'b0;
    sends       = '0;
    forwards    = '0;
    takes       = '0;
    malformed_o = 1'b0;
    cut_o       = 1'b0;
    limit_o     = '0;
    if (opening) begin
      for (int o = 0; o < PORTS; o++) begin
        bad_select |= 32'(select[o*SELECT_W+:SELECT_W]) > PORTS;
        sends[o] = select[o*SELECT_W+:SELECT_W] != SELECT_W'(PORTS);
        for (int p = 0; p < PORTS; p++) begin
          if (p != o && select[o*SELECT_W+:SELECT_W] == SELECT_W'(p)) forwards[p] = 1'b1;
        end
      end
      takes       = receive | forwards;
      malformed_o = bad_select || len == '0 || repeats == '0 || (loop && (loops == '0 ||
                    back > addr_q));
      cut_o = len < stream;
      if (HALF_DUPLEX) limit_o |= sends & takes;
      if (SINGLE_PORT) begin
        if ((sources & (sources - PORTS'(1))) != '0) limit_o |= sources;
        if ((receive & (receive - PORTS'(1))) != '0) limit_o |= receive;
        if (HALF_DUPLEX && sources != '0 && receive != '0) limit_o |= sources | receive;
      end
    end
  end

endmodule

`default_nettype wire
