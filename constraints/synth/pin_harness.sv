// A switch_only between two shift registers, so that place and route needs three pins and times
// every path of the switch from register to register. For measuring; parameters as in switch_only.
`default_nettype none

module pin_harness #(
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
  parameter logic ERROR_DETAIL = 1'b1
) (
  input  logic clk_i,
  input  logic serial_i,
  output logic serial_o
);

  localparam int LINK_W = PORTS * (FLIT_W + 2);
  localparam int ADDR_W = $clog2(STORE_DEPTH + 1);
  localparam int LOG_W  = $clog2(PORTS + 1);
  localparam int LOGS   = MODEL[gossamer_pkg::MODEL_SINGLE_PORT] ? 1 : PORTS;
  localparam int READ_W = CHANNELS * (1 + LOG_W + ADDR_W);  // reads of the store
  localparam int STORE_W = LOGS * (1 + ADDR_W + FLIT_W);  // writes to the store
  localparam int IN_W   = LINK_W + CHANNELS * FLIT_W + ADDR_W + 64;
  localparam int OUT_W  = LINK_W + READ_W + STORE_W + gossamer_pkg::ERROR_CODES + REPEAT_W + 13;

  logic [IN_W-1:0]  in_q;
  logic [OUT_W-1:0] out, out_q, folded_q;

  switch_only #(
    .PORTS(PORTS), .FLIT_W(FLIT_W), .MODEL(MODEL), .CHANNELS(CHANNELS), .SLOT_DEPTH(SLOT_DEPTH),
    .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W),
    .ENTRY_CHECK(ENTRY_CHECK), .TABLE_PARITY(TABLE_PARITY), .ERROR_DETAIL(ERROR_DETAIL)
  ) i_switch (
    .clk_i,
    .link_valid_i(in_q[PORTS-1:0]), .link_last_i(in_q[2*PORTS-1:PORTS]),
    .link_data_i(in_q[LINK_W-1:2*PORTS]),
    .read_data_i(in_q[LINK_W+:CHANNELS*FLIT_W]), .own_words_i(in_q[LINK_W+CHANNELS*FLIT_W+:ADDR_W]),
    .cfg_addr_i(in_q[IN_W-1:IN_W-28]), .cfg_wdata_i(in_q[IN_W-29:IN_W-60]),
    .rst_ni(in_q[IN_W-61]), .start_i(in_q[IN_W-62]),
    .cfg_slot_write_i(in_q[IN_W-63]), .cfg_list_write_i(in_q[IN_W-64]),
    .link_valid_o(out[PORTS-1:0]), .link_last_o(out[2*PORTS-1:PORTS]),
    .link_data_o(out[LINK_W-1:2*PORTS]),
    .read_en_o(out[LINK_W+:CHANNELS]), .read_log_o(out[LINK_W+CHANNELS+:CHANNELS*LOG_W]),
    .read_addr_o(out[LINK_W+CHANNELS*(1+LOG_W)+:CHANNELS*ADDR_W]),
    .write_en_o(out[LINK_W+READ_W+:LOGS]), .write_addr_o(out[LINK_W+READ_W+LOGS+:LOGS*ADDR_W]),
    .write_data_o(out[LINK_W+READ_W+LOGS*(1+ADDR_W)+:LOGS*FLIT_W]),
    .done_o(out[OUT_W-1]), .first_error_o(out[OUT_W-2-:4]), .first_error_port_o(out[OUT_W-6-:8]),
    .first_error_slot_o(out[OUT_W-14-:REPEAT_W]),
    .errors_o(out[LINK_W+READ_W+STORE_W+:gossamer_pkg::ERROR_CODES])
  );

  always_ff @(posedge clk_i) begin
    in_q     <= {in_q[IN_W-2:0], serial_i};
    out_q    <= out;
    folded_q <= {folded_q[OUT_W-2:0], folded_q[OUT_W-1]} ^ out_q;
  end

  assign serial_o = folded_q[OUT_W-1];

endmodule

`default_nettype wire
