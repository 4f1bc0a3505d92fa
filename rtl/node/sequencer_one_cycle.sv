// SPDX-License-Identifier: Apache-2.0
// Executes the slot table of a one-cycle node, as in time-division networks: entry after entry, a cycle each.
// The table's output register holds the current entry. The ports are those of `sequencer`, where they
// are explained.
//
// Half of the errors of a single entry are reported one cycle late, so that the table's RAM has the
// whole cycle.
`default_nettype none
`ifdef __ICARUS__
`define STRUCT(NAME) import gossamer_pkg::NAME; NAME  // Icarus wants it imported, Yosys knows no import
`else
`define STRUCT(NAME) gossamer_pkg::NAME
`endif

module sequencer_one_cycle #(
  parameter int PORTS       = 4,     // link ports
  parameter logic        SINGLE_PORT = 1'b0,  // 1: at most one send and one receive a slot
  parameter int TABLE_AW    = 8,     // address bits of the slot table
  parameter int LEN_W       = gossamer_pkg::SLOT_LEN_W,     // bits used of the lengths
  parameter int REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits used of the counts
  parameter logic        ENTRY_CHECK = 1'b1,  // 0: errors of a single entry are not detected
  parameter logic        TABLE_PARITY = 1'b1,  // 0: the parity of entries is not checked
  localparam int SELECT_W = $clog2(PORTS + 1),
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, 1'b0)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      start_i,
  input  logic [TABLE_AW-1:0]       first_i,
  input  logic [PORTS-1:0]          dead_i,
  input  logic [REPEAT_W-1:0]       dead_after_i,
  output logic                      slot_en_o,
  output logic [TABLE_AW-1:0]       slot_addr_o,
  input  logic [SLOT_W-1:0]         slot_data_i,
  output logic                      prime_o,
  output logic                      read_o,
  output logic [PORTS-1:0]          sources_o,
  output logic [PORTS-1:0]          local_o,
  output logic                      stream_last_o,
  output logic                      slot_close_o,
  output logic [PORTS*SELECT_W-1:0] select_o,
  output logic [PORTS-1:0]          send_o,
  output logic [PORTS-1:0]          forward_o,
  output logic                      tx_close_o,
  output logic [PORTS-1:0]          expect_next_o,
  output logic [PORTS-1:0]          expect_o,
  output logic                      rx_open_next_o,
  output logic [PORTS-1:0]          rx_begin_next_o,
  output logic                      rx_close_o,
  output logic [REPEAT_W-1:0]       slot_o,
  output logic                      done_o,
  output logic                      malformed_o,
  output logic                      parity_o,
  output logic                      cut_o,
  output logic [PORTS-1:0]          limit_o
);

  localparam logic [PORTS*SELECT_W-1:0] NO_SELECT = {PORTS{SELECT_W'(PORTS)}};
  localparam logic [SELECT_W-1:0] ALL   = {SELECT_W{1'b1}};  // as in sequencer
  localparam logic [SELECT_W-1:0] NAMES = ((PORTS & (PORTS - 1)) == 0 && PORTS > 1) ? ALL >> 1 : ALL;

  typedef enum logic [1:0] {  // bit 0: no slot is under way; bit 1: nor was one before
    RUN  = 2'd0,  // a slot is under way
    DONE = 2'd1,  // the table has ended
    IDLE = 2'd3   // waits for the start pulse; entry 0 is being read
  } state_e;

  // ---- The current entry.
  `STRUCT(slot_t)            entry;
  logic [LEN_W-1:0]          len, stream;
  logic [REPEAT_W-1:0]       repeats;
  logic                      loop, final_entry;
  logic [PORTS-1:0]          receive;
  logic [PORTS*SELECT_W-1:0] select;
  logic [PORTS-1:0]          sources;  // outputs whose source is the local store

  assign entry       = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB-1:0];
  assign len         = entry.length[LEN_W-1:0];
  assign stream      = entry.stream[LEN_W-1:0];
  assign repeats     = entry.repeats[REPEAT_W-1:0];
  assign loop        = entry.ends_loop;
  assign final_entry = entry.ends_table;
  assign receive     = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+:PORTS];
  assign select      = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+PORTS+:PORTS*SELECT_W];

  // Lengths and counts are only compared with 1.
  logic unused;
  assign unused = ^entry;

  // ---- The position in the table.
  (* fsm_encoding = "none" *)  // binary: one flip-flop a state takes more logic
  state_e              state_q;
  logic [TABLE_AW-1:0] addr_q;  // of the next entry
  logic [REPEAT_W-1:0] slot_q;
  logic                running, table_ends;

  assign running     = !state_q[0];
  assign table_ends  = running && final_entry;
  assign prime_o     = state_q[1];
  assign slot_addr_o = addr_q;
  assign slot_en_o   = 1'b1;

  always_ff @(posedge clk_i) begin  // written in full: a reset or a clock enable would arrive later than the next state
    if (!rst_ni || (prime_o && !start_i)) state_q <= IDLE;
    else if (!prime_o && (!running || table_ends || malformed_o || parity_o)) state_q <= DONE;
    else state_q <= RUN;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      addr_q <= first_i;
      slot_q <= '0;
    end else begin
      if (running) slot_q <= slot_q + REPEAT_W'(1);
      if (prime_o && !start_i) addr_q <= first_i; else addr_q <= addr_q + TABLE_AW'(1);
    end
  end

  // ---- Reads.
  always_comb begin
    for (int p = 0; p < PORTS; p++) sources[p] = select[p*SELECT_W+:SELECT_W] == SELECT_W'(p);
  end

  assign read_o        = running && stream != '0;
  assign stream_last_o = 1'b1;
  assign slot_close_o  = running;
  assign sources_o     = sources;
  assign local_o       = read_o ? sources : '0;

  // ---- Select and receive window follow the data.
  logic [PORTS-1:0] expect_q, forward_q;
  logic             opened_q;
  logic [1:0]       stopped_q;     // there was no slot one and two cycles ago
  logic [PORTS-1:0] sends;         // outputs that have a source
  logic [PORTS-1:0] forwards;      // inputs that the crossbar uses
  logic             bad_select;
  logic             dead, dead_q;  // the slot has come after which dead outputs transmit nothing; stays 1

  assign dead = dead_q || slot_q >= dead_after_i;

  always_comb begin
    bad_select = 1'b0;
    sends      = '0;
    forwards   = '0;
    for (int o = 0; o < PORTS; o++) begin
      bad_select |= 32'(select[o*SELECT_W+:SELECT_W]) > PORTS;
      sends[o] = select[o*SELECT_W+:SELECT_W] != SELECT_W'(PORTS);
      for (int p = 0; p < PORTS; p++) begin
        if (p != o && ((select[o*SELECT_W+:SELECT_W] ^ SELECT_W'(p)) & (p > 0 ? NAMES : ALL)) == '0) forwards[p] = 1'b1;
      end
    end
  end

  // No reset: while the sequencer is held in reset, these follow within two cycles.
  always_ff @(posedge clk_i) begin
    if (running) begin
      select_o  <= select;
      dead_q    <= dead;
      if (dead) begin  // a dead output has no source; everything else goes on as if it had one
        for (int p = 0; p < PORTS; p++) begin
          if (dead_i[p]) select_o[p*SELECT_W+:SELECT_W] <= SELECT_W'(PORTS);
        end
      end
      send_o    <= sends;
      forward_q <= forwards;
      expect_q  <= receive;
    end else begin
      select_o  <= NO_SELECT;
      send_o    <= '0;
      forward_q <= '0;
      expect_q  <= '0;
    end
    if (prime_o) dead_q <= 1'b0;
    expect_o   <= expect_q;
    opened_q   <= running;
    rx_close_o <= opened_q;
    stopped_q  <= {stopped_q[0], !running};
  end

  assign forward_o     = forward_q;
  assign expect_next_o = expect_q;
  assign rx_open_next_o  = opened_q;
  assign rx_begin_next_o = expect_q;
  assign tx_close_o    = opened_q;  // a slot's first cycle is its last
  assign done_o        = state_q == DONE && stopped_q == '1;
  assign slot_o        = slot_q;

  // ---- Errors of a single entry: half of the check follows one cycle later, from registers that are empty
  // when no slot is under way.
  logic [PORTS*SELECT_W-1:0] select_q;  // select_o before dead outputs are removed
  logic                      wrong_q, wrong_select_q, wrong_form, stream_q;
  logic                      odd_q;  // of the bits that this node uses
  logic [PORTS-1:0]          check_sources;
  logic [PORTS-1:0]          but_source, but_receive;  // drops one port that is set, keeps the others

  always_ff @(posedge clk_i) begin
    select_q <= running ? select : NO_SELECT;
    stream_q <= read_o;
    wrong_q        <= running && (len != LEN_W'(1) || repeats != REPEAT_W'(1) || loop);
    wrong_select_q <= running && bad_select;
    odd_q          <= running && (^slot_data_i[SLOT_W-1:gossamer_pkg::SLOT_RECEIVE_LSB] ^
                                  ^{entry.loops[REPEAT_W-1:0], repeats, stream, len, final_entry, loop,
                                    entry.begins_loop, entry.parity});
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_source
    assign check_sources[p] = select_q[p*SELECT_W+:SELECT_W] == SELECT_W'(p);
  end

  assign wrong_form = wrong_q || wrong_select_q || stream_q != |check_sources;
  assign cut_o      = 1'b0;

  assign malformed_o = ENTRY_CHECK && wrong_form;
  assign parity_o    = TABLE_PARITY && odd_q;

  if (ENTRY_CHECK && SINGLE_PORT) begin : gen_limit
    always_comb begin  // all ports above one that is set: less logic than a subtraction
      but_source  = check_sources << 1;
      but_receive = expect_q << 1;
      for (int s = 0; s < SELECT_W; s++) begin
        but_source  |= but_source << (1 << s);
        but_receive |= but_receive << (1 << s);
      end
      limit_o = '0;
      if ((check_sources & but_source) != '0) limit_o |= check_sources;
      if ((expect_q & but_receive) != '0) limit_o |= expect_q;
    end
  end else begin : gen_no_limit
    assign but_source  = '0;
    assign but_receive = '0;
    assign limit_o     = '0;

    logic unused_limit;
    assign unused_limit = ^{but_source, but_receive};
  end

endmodule

`undef STRUCT
`default_nettype wire
