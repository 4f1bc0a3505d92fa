// The switch without its message store, for measuring: crossbar, links, sequencer, errors, and the
// tables in their RAM, writable. The store's ports are ports of this module, and so is the
// configuration after the address decoder. Parameters and ports as in switch_core and node_table.
`default_nettype none

module switch_only #(
  parameter int   PORTS        = 4,
  parameter int   FLIT_W       = 32,
  parameter logic [31:0] MODEL = 1 << gossamer_pkg::MODEL_SINGLE_PORT,
  parameter int   SLOT_DEPTH   = 256,
  parameter int   LIST_DEPTH   = 256,
  parameter int   STORE_DEPTH  = 256,
  parameter int   LEN_W        = gossamer_pkg::SLOT_LEN_W,
  parameter int   REPEAT_W     = gossamer_pkg::SLOT_REPEAT_W,
  parameter int   CHANNELS     = 1,
  parameter logic ENTRY_CHECK  = 1'b1,
  parameter logic TABLE_PARITY = 1'b1,
  parameter logic ERROR_DETAIL = 1'b1,
  localparam int ADDR_W   = $clog2(STORE_DEPTH + 1),
  localparam int TABLE_AW = $clog2(SLOT_DEPTH),
  localparam int LIST_AW  = $clog2(LIST_DEPTH),
  localparam int LOGS     = MODEL[gossamer_pkg::MODEL_SINGLE_PORT] ? 1 : PORTS,
  localparam int LOG_W    = $clog2(PORTS + 1),
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, MODEL[gossamer_pkg::MODEL_JOIN])
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic                                 start_i,
  input  logic                                 cfg_slot_write_i,
  input  logic                                 cfg_list_write_i,
  input  logic [27:0]                          cfg_addr_i,
  input  logic [31:0]                          cfg_wdata_i,
  output logic [PORTS-1:0]                     link_valid_o,
  output logic [PORTS-1:0]                     link_last_o,
  output logic [PORTS*FLIT_W-1:0]              link_data_o,
  input  logic [PORTS-1:0]                     link_valid_i,
  input  logic [PORTS-1:0]                     link_last_i,
  input  logic [PORTS*FLIT_W-1:0]              link_data_i,
  input  logic [ADDR_W-1:0]                    own_words_i,
  output logic [CHANNELS-1:0]                  read_en_o,
  output logic [CHANNELS*LOG_W-1:0]            read_log_o,
  output logic [CHANNELS*ADDR_W-1:0]           read_addr_o,
  input  logic [CHANNELS*FLIT_W-1:0]           read_data_i,
  output logic [LOGS-1:0]                      write_en_o,
  output logic [LOGS*ADDR_W-1:0]               write_addr_o,
  output logic [LOGS*FLIT_W-1:0]               write_data_o,
  output logic                                 done_o,
  output logic [gossamer_pkg::ERROR_CODES-1:0] errors_o,
  output logic [3:0]                           first_error_o,
  output logic [REPEAT_W-1:0]                  first_error_slot_o,
  output logic [7:0]                           first_error_port_o
);

  logic                                    slot_en;
  logic [CHANNELS-1:0]                     list_en;
  logic [TABLE_AW-1:0]                     slot_addr;
  logic [CHANNELS*LIST_AW-1:0]             list_addr;
  logic [SLOT_W-1:0]                       slot_data;
  logic [CHANNELS*gossamer_pkg::SEG_W-1:0] list_data;

  node_table #(
    .PORTS(PORTS), .CHANNELS(CHANNELS), .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .ADDR_W(ADDR_W),
    .MODEL(MODEL)
  ) i_node_table (
    .clk_i, .bank_i(1'b0), .cfg_slot_write_i, .cfg_list_write_i, .cfg_bank_i(1'b0), .cfg_addr_i, .cfg_wdata_i,
    .slot_en_i(slot_en), .slot_addr_i(slot_addr), .slot_data_o(slot_data),
    .list_en_i(list_en), .list_addr_i(list_addr), .list_data_o(list_data)
  );

  switch_core #(
    .PORTS(PORTS), .FLIT_W(FLIT_W), .MODEL(MODEL), .CHANNELS(CHANNELS),
    .TABLE_AW(TABLE_AW), .LIST_AW(LIST_AW), .ADDR_W(ADDR_W), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W),
    .ENTRY_CHECK(ENTRY_CHECK), .TABLE_PARITY(TABLE_PARITY), .ERROR_DETAIL(ERROR_DETAIL)
  ) i_core (
    .clk_i, .rst_ni, .start_i, .program_i('0), .keep_i(1'b0), .own_words_i, .capacity_i(ADDR_W'(STORE_DEPTH)),
    .dead_i('0), .dead_after_i('0), .shift_i('0), .partner_i('0), .initiated_i(1'b0),
    .initiator_i('0), .query_i('0), .arrived_o(),
    .link_valid_o, .link_last_o, .link_data_o, .link_valid_i, .link_last_i, .link_data_i,
    .slot_en_o(slot_en), .slot_addr_o(slot_addr), .slot_data_i(slot_data),
    .list_en_o(list_en), .list_addr_o(list_addr), .list_data_i(list_data),
    .read_en_o, .read_log_o, .read_addr_o, .read_data_i, .clash_i('0),
    .write_en_o, .write_addr_o, .write_data_o,
    .taken_o(), .joined_o(), .busy_o(), .done_o,
    .errors_o, .first_error_o, .first_error_slot_o, .first_error_port_o
  );

endmodule

`default_nettype wire
