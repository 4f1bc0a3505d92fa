// SPDX-License-Identifier: Apache-2.0
// What a restart leaves behind, and what a start pulse changes: two switch cores at one configuration port,
// in any states, until they are restarted. One of them receives every start pulse, the
// other one only those that come while it waits for one.
//
//  1. From the restart's end on their outputs are the same, with any tables, flits, pulses and later restarts.
//     So a restart always leads to the same state, and a pulse at any other time changes nothing.
//  2. From then on, until the start, nothing is sent, read or stored.
//
// Outputs without a meaning are not compared: words and addresses without a flit, read or write; and, before
// the first start, the logs' lengths, which that start sets.
`default_nettype none

module restart_proof #(
  parameter logic [31:0] MODEL = '0,   // bits as in CFG_MODEL
  parameter logic STAGED      = 1'b0,  // links of 1 and 2 stages
  parameter int   CHANNELS    = 1,
  localparam int PORTS    = 2,
  localparam int FLIT_W   = 1,
  localparam int TABLE_AW = 2,
  localparam int LIST_AW  = 2,
  localparam int ADDR_W   = 3,  // of logs of 4 words
  localparam int LEN_W    = 3,
  localparam int REPEAT_W = 3,
  localparam int LOG_W    = 2,
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, MODEL[gossamer_pkg::MODEL_JOIN]),
  localparam int LOGS     = MODEL[gossamer_pkg::MODEL_SINGLE_PORT] ? 1 : PORTS
) (
  input logic                                    clk_i,
  input logic                                    start_i,
  input logic                                    cfg_valid_i,
  input logic                                    cfg_write_i,
  input logic [31:0]                             cfg_addr_i,
  input logic [31:0]                             cfg_wdata_i,
  input logic [PORTS-1:0]                        valid_i,
  input logic [PORTS-1:0]                        last_i,
  input logic [PORTS*FLIT_W-1:0]                 data_i,
  input logic [SLOT_W-1:0]                       slot_data_i,  // what the memories hold
  input logic [CHANNELS*gossamer_pkg::SEG_W-1:0] list_data_i,
  input logic [CHANNELS*FLIT_W-1:0]              read_data_i
);

  // The configuration port has its reset in cycle 0, and a restart is written in cycle 1; the cores have
  // only that restart.
  logic [1:0] cycle = 2'd0;
  logic       ready, first;

  assign ready = cycle != 2'd0;
  assign first = cycle == 2'd1;
  always_ff @(posedge clk_i) if (cycle != 2'd2) cycle <= cycle + 2'd1;

  logic                          restart;
  logic [gossamer_pkg::CONTROL_PROGRAM_W-1:0] number;  // of the program
  logic [1:0]                    busy, done;
  logic [ADDR_W-1:0]             own_words, initiator;
  logic [PORTS-1:0]              dead;
  logic [REPEAT_W-1:0]           dead_after;
  logic [4:0]                    shift;
  logic [PORTS*ADDR_W-1:0]       partner;
  logic                          initiated;

  config_port #(
    .PORTS(PORTS), .MODEL(MODEL), .FLIT_W(FLIT_W), .MESSAGES(2), .CHANNELS(CHANNELS), .SLOT_DEPTH(4),
    .LIST_DEPTH(4), .STORE_DEPTH(4), .LOGS(LOGS), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W)
  ) i_config_port (
    .clk_i, .rst_ni(ready),
    .valid_i(first || cfg_valid_i), .write_i(first || cfg_write_i),
    .addr_i(first ? gossamer_pkg::CFG_CONTROL : cfg_addr_i), .wdata_i(first ? 32'd1 : cfg_wdata_i), .rdata_o(),
    .slot_write_o(), .list_write_o(), .store_write_o(), .store_read_o(), .store_rdata_i('0),
    .restart_o(restart), .bank_o(), .program_o(number), .keep_o(), .busy_i(busy[0]), .own_words_o(own_words), .dead_o(dead),
    .dead_after_o(dead_after), .shift_o(shift), .partner_o(partner), .initiated_o(initiated),
    .initiator_o(initiator), .arrived_i('0), .done_i(done[0]), .errors_i('0), .first_error_i('0),
    .first_error_slot_i('0), .first_error_port_i('0), .log_length_i('0)
  );

  // ---- The cores, each behind the output registers of its memories.
  localparam int ERRORS_W = gossamer_pkg::ERROR_CODES + 4 + REPEAT_W + 8;
  logic [2*PORTS-1:0]           valid, last, taken;
  logic [2*PORTS*FLIT_W-1:0]    data;
  logic [1:0]                   slot_en;
  logic [2*TABLE_AW-1:0]        slot_addr;
  logic [2*CHANNELS-1:0]        list_en, read_en;
  logic [2*CHANNELS*LIST_AW-1:0] list_addr;
  logic [2*CHANNELS*LOG_W-1:0]  read_log;
  logic [2*CHANNELS*ADDR_W-1:0] read_addr;
  logic [2*LOGS-1:0]            write_en;
  logic [2*LOGS*ADDR_W-1:0]     write_addr;
  logic [2*LOGS*FLIT_W-1:0]     write_data;
  logic [2*ERRORS_W-1:0]        errors;
  logic                         waits;

  // Inside.
  (* hierconn *) logic \gen_core[0].i_core.prime ;

  for (genvar c = 0; c < 2; c++) begin : gen_core
    logic [SLOT_W-1:0]                       slot_q;
    logic [CHANNELS*gossamer_pkg::SEG_W-1:0] list_q;
    logic [CHANNELS*FLIT_W-1:0]              read_q;

    always_ff @(posedge clk_i) begin
      if (slot_en[c]) slot_q <= slot_data_i;
      for (int n = 0; n < CHANNELS; n++) begin
        if (list_en[c*CHANNELS+n]) begin
          list_q[n*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W] <=
              list_data_i[n*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W];
        end
        if (read_en[c*CHANNELS+n]) read_q[n*FLIT_W+:FLIT_W] <= read_data_i[n*FLIT_W+:FLIT_W];
      end
    end

    switch_core #(
      .PORTS(PORTS), .FLIT_W(FLIT_W), .MODEL(MODEL), .MESSAGES(2), .CHANNELS(CHANNELS), .TABLE_AW(TABLE_AW), .LIST_AW(LIST_AW),
      .ADDR_W(ADDR_W), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W),
      .STAGED(STAGED)
    ) i_core (
      .clk_i, .rst_ni(!restart), .start_i(start_i && (c == 1 || waits)), .program_i(number), .keep_i(1'b0), .own_words_i(own_words),
      .capacity_i(3'd4), .dead_i(dead), .dead_after_i(dead_after), .shift_i(shift), .partner_i(partner),
      .initiated_i(initiated), .initiator_i(initiator), .query_i('0), .arrived_o(),
      .link_valid_o(valid[c*PORTS+:PORTS]), .link_last_o(last[c*PORTS+:PORTS]),
      .link_data_o(data[c*PORTS*FLIT_W+:PORTS*FLIT_W]),
      .link_stages_i(STAGED ? 16'h0201 : 16'h0), .link_valid_i(valid_i), .link_last_i(last_i), .link_data_i(data_i),
      .slot_en_o(slot_en[c]), .slot_addr_o(slot_addr[c*TABLE_AW+:TABLE_AW]), .slot_data_i(slot_q),
      .list_en_o(list_en[c*CHANNELS+:CHANNELS]),
      .list_addr_o(list_addr[c*CHANNELS*LIST_AW+:CHANNELS*LIST_AW]), .list_data_i(list_q),
      .read_en_o(read_en[c*CHANNELS+:CHANNELS]),
      .read_log_o(read_log[c*CHANNELS*LOG_W+:CHANNELS*LOG_W]),
      .read_addr_o(read_addr[c*CHANNELS*ADDR_W+:CHANNELS*ADDR_W]), .read_data_i(read_q), .clash_i('0),
      .write_en_o(write_en[c*LOGS+:LOGS]), .write_addr_o(write_addr[c*LOGS*ADDR_W+:LOGS*ADDR_W]),
      .write_data_o(write_data[c*LOGS*FLIT_W+:LOGS*FLIT_W]),
      .taken_o(taken[c*PORTS+:PORTS]), .busy_o(busy[c]), .done_o(done[c]),
      .errors_o(errors[c*ERRORS_W+:gossamer_pkg::ERROR_CODES]),
      .first_error_o(errors[c*ERRORS_W+gossamer_pkg::ERROR_CODES+:4]),
      .first_error_slot_o(errors[c*ERRORS_W+gossamer_pkg::ERROR_CODES+4+:REPEAT_W]),
      .first_error_port_o(errors[c*ERRORS_W+gossamer_pkg::ERROR_CODES+4+REPEAT_W+:8])
    );
  end

  assign waits = \gen_core[0].i_core.prime && !restart;

  // ---- Since the first restart has ended.
  logic restart_q = 1'b0, restarted = 1'b0, started = 1'b0;
  logic same;

  assign same = ready && !restart && (restarted || restart_q);

  always_ff @(posedge clk_i) begin
    restart_q  <= ready && restart;
    restarted  <= restarted || same;
    started    <= started || (same && start_i && waits);
  end

  always_comb begin
    if (same) begin  // 1
      assert (valid[PORTS+:PORTS] == valid[0+:PORTS]);
      if (restarted) assert (taken[PORTS+:PORTS] == taken[0+:PORTS]);  // before, it is of the restart's last cycle
      for (int p = 0; p < PORTS; p++) begin
        if (valid[p]) assert (last[PORTS+p] == last[p]);
        if (valid[p]) assert (data[(PORTS+p)*FLIT_W+:FLIT_W] == data[p*FLIT_W+:FLIT_W]);
      end
      assert (busy[1] == busy[0] && done[1] == done[0] && slot_en[1] == slot_en[0]);
      if (slot_en[0]) assert (slot_addr[TABLE_AW+:TABLE_AW] == slot_addr[0+:TABLE_AW]);
      assert (list_en[CHANNELS+:CHANNELS] == list_en[0+:CHANNELS]);
      assert (read_en[CHANNELS+:CHANNELS] == read_en[0+:CHANNELS]);
      for (int n = 0; n < CHANNELS; n++) begin
        if (list_en[n]) begin
          assert (list_addr[(CHANNELS+n)*LIST_AW+:LIST_AW] == list_addr[n*LIST_AW+:LIST_AW]);
        end
        if (read_en[n]) begin
          assert (read_log[(CHANNELS+n)*LOG_W+:LOG_W] == read_log[n*LOG_W+:LOG_W]);
          assert (read_addr[(CHANNELS+n)*ADDR_W+:ADDR_W] == read_addr[n*ADDR_W+:ADDR_W]);
        end
      end
      assert (write_en[LOGS+:LOGS] == write_en[0+:LOGS]);
      for (int n = 0; n < LOGS; n++) begin
        if (write_en[n] || (started && !MODEL[gossamer_pkg::MODEL_ADAPTIVE])) begin
          assert (write_addr[(LOGS+n)*ADDR_W+:ADDR_W] == write_addr[n*ADDR_W+:ADDR_W]);
        end
        if (write_en[n]) assert (write_data[(LOGS+n)*FLIT_W+:FLIT_W] == write_data[n*FLIT_W+:FLIT_W]);
      end
      assert (errors[ERRORS_W+:ERRORS_W] == errors[0+:ERRORS_W]);
    end
    if (same && waits) assert (valid == '0 && read_en == '0 && write_en == '0);  // 2
  end

  // Covers: a pulse counts in the first cycle after a restart; a run that is restarted has sent something.
  logic sent = 1'b0;
  always_ff @(posedge clk_i) sent <= sent || (same && valid[0]);

  always_comb cover (same && start_i && waits && restart_q && sent);
  always_comb cover (same && start_i && !waits && valid[0]);

endmodule

`default_nettype wire
