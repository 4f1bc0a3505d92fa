// SPDX-License-Identifier: Apache-2.0
// A node only copies words. The topmost of a flit's 32 bits is a mark: it says of every word (the other 31
// bits) that enters whether it is the chosen one, an arbitrary constant.
//
//  1. A word that is sent with a flit or goes to the store still has the right mark. A single-port node that receives at
//     several ports, an error, may store what stands on a link without a flit (docs/hardware/table-format.md): that is a word, too, but
//     for nodes whose entries receive at one port at most (ONE_RECEIVE).
//
// The other half (`apart` in `prove`) is about the same core: marks depend on marks and control only, and control
// depends on no bit of a word. sw/fabric/quotient.hpp says what follows from both. Tables, segments, arrivals, starts
// and resets are arbitrary, in any order.
`default_nettype none

module data_proof #(
  parameter int   PORTS       = 4,
  parameter logic [31:0] MODEL = '0,  // bits as in CFG_MODEL
  parameter int   CHANNELS    = 1,
  parameter logic STAGED      = 1'b0,
  parameter logic ONE_RECEIVE = 1'b0,  // 1: entries receive at one port at most, and a reset comes first;
                                       // resets last three cycles or more
  localparam int WORD_W   = 31,
  localparam int FLIT_W   = WORD_W + 1,
  localparam int TABLE_AW = 3,
  localparam int ADDR_W   = 4,
  localparam int LEN_W    = 4,
  localparam int REPEAT_W = 3,
  localparam int SELECT_W = $clog2(PORTS + 1),
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, 1'b0),
  localparam logic SINGLE_PORT = MODEL[gossamer_pkg::MODEL_SINGLE_PORT],
  localparam int LOGS     = SINGLE_PORT ? 1 : PORTS,
  localparam logic IDLE_WORDS = SINGLE_PORT && !STAGED && !ONE_RECEIVE,  // what stands on a link without a flit may be stored
  localparam logic [2:0] READY = ONE_RECEIVE ? 3'd5 : 3'd2
) (
  input logic                                    clk_i,
  input logic                                    rst_ni,
  input logic                                    start_i,
  input logic [ADDR_W-1:0]                       own_words_i,
  input logic [ADDR_W-1:0]                       capacity_i,
  input logic [PORTS-1:0]                        dead_i,
  input logic [REPEAT_W-1:0]                     dead_after_i,
  input logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] stages_i,  // STAGED: of the links, any
  input logic [PORTS-1:0]                        valid_i,
  input logic [PORTS-1:0]                        last_i,
  input logic [PORTS*WORD_W-1:0]                 word_i,
  input logic [PORTS-1:0]                        junk_i,       // the bit where there is no flit
  input logic [SLOT_W-1:0]                       slot_data_i,
  input logic [CHANNELS*gossamer_pkg::SEG_W-1:0] list_data_i,
  input logic [CHANNELS*WORD_W-1:0]              read_word_i,
  input logic [CHANNELS-1:0]                     read_junk_i   // the bit where nothing was read
);

  (* anyconst *) logic [WORD_W-1:0] chosen;

  logic [2:0] cycle = 3'd0;  // counts to READY, from any state
  always_ff @(posedge clk_i) if (cycle != READY) cycle <= cycle + 3'd1;

  logic [PORTS-1:0] receive;
  logic [2:0]       reset_q = '0;  // in the last cycles
  always_ff @(posedge clk_i) reset_q <= {reset_q[1:0], !rst_ni};
  assign receive = slot_data_i[gossamer_pkg::SLOT_RECEIVE_LSB+:PORTS];
  always_comb begin
    if (ONE_RECEIVE) begin
      assume ((receive & (receive - PORTS'(1))) == '0);
      assume (!rst_ni || (cycle == READY && (!reset_q[0] || reset_q == '1)));  // three cycles or more
    end
  end

  // ---- Words with their bits.
  logic [PORTS*FLIT_W-1:0]    data, link_data;
  logic [CHANNELS*FLIT_W-1:0] read_data;
  logic [CHANNELS-1:0]        read_en, read_q;
  logic [PORTS-1:0]           link_valid;
  logic [LOGS-1:0]            write_en;
  logic [LOGS*FLIT_W-1:0]     write_data;

  always_ff @(posedge clk_i) read_q <= read_en;

  for (genvar p = 0; p < PORTS; p++) begin : gen_arrives
    assign data[p*FLIT_W+:FLIT_W] =
        {(valid_i[p] || IDLE_WORDS) ? word_i[p*WORD_W+:WORD_W] == chosen : junk_i[p], word_i[p*WORD_W+:WORD_W]};
  end

  for (genvar c = 0; c < CHANNELS; c++) begin : gen_read
    assign read_data[c*FLIT_W+:FLIT_W] =
        {read_q[c] ? read_word_i[c*WORD_W+:WORD_W] == chosen : read_junk_i[c], read_word_i[c*WORD_W+:WORD_W]};
  end

  switch_core #(
    .PORTS(PORTS), .FLIT_W(FLIT_W), .MODEL(MODEL),
    .CHANNELS(CHANNELS), .TABLE_AW(TABLE_AW), .LIST_AW(TABLE_AW), .ADDR_W(ADDR_W), .LEN_W(LEN_W),
    .REPEAT_W(REPEAT_W), .STAGED(STAGED)
  ) i_core (
    .clk_i, .rst_ni, .start_i, .program_i('0), .keep_i(1'b0), .own_words_i, .capacity_i, .dead_i, .dead_after_i,
    .shift_i('0), .partner_i('0), .initiated_i(1'b0), .initiator_i('0), .query_i('0), .arrived_o(),
    .link_valid_o(link_valid), .link_last_o(), .link_data_o(link_data),
    .link_stages_i(stages_i), .link_valid_i(valid_i), .link_last_i(last_i), .link_data_i(data),
    .slot_en_o(), .slot_addr_o(), .slot_data_i, .list_en_o(), .list_addr_o(), .list_data_i,
    .read_en_o(read_en), .read_log_o(), .read_addr_o(), .read_data_i(read_data), .clash_i('0),
    .write_en_o(write_en), .write_addr_o(), .write_data_o(write_data),
    .taken_o(), .busy_o(), .done_o(), .errors_o(), .first_error_o(), .first_error_slot_o(),
    .first_error_port_o()
  );

  for (genvar p = 0; p < PORTS; p++) begin : gen_leaves
    always_comb begin
      if (cycle == READY && link_valid[p]) begin
        assert (link_data[p*FLIT_W+WORD_W] == (link_data[p*FLIT_W+:WORD_W] == chosen));  // 1
      end
    end
  end

  for (genvar g = 0; g < LOGS; g++) begin : gen_stored
    always_comb begin
      if (cycle == READY && write_en[g]) begin
        assert (write_data[g*FLIT_W+WORD_W] == (write_data[g*FLIT_W+:WORD_W] == chosen));  // 1
      end
    end
  end

  always_comb cover (cycle == READY && link_valid[0] && link_data[WORD_W] && read_q[0]);
  always_comb cover (cycle == READY && write_en[0] && write_data[WORD_W]);

endmodule

`default_nettype wire
