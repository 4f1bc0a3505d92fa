// SPDX-License-Identifier: Apache-2.0
// A switch core in any surroundings: every error code that its build has can be raised, and the first
// one is reported with its code. The core's memories and links are free inputs. The rules:
//
//  1. The first error is one of those seen, and there is a first error if any is seen.
//  2. A flit that the table takes is stored or reported as an overflow at its port, never both.
//  3. Before the start nothing is taken.
`default_nettype none

module error_cover #(
  parameter logic [31:0] MODEL = 1 << gossamer_pkg::MODEL_SINGLE_PORT,  // bits as in CFG_MODEL
  localparam int PORTS    = 2,
  localparam int FLIT_W   = 1,
  localparam int ADDR_W   = 3,
  localparam int LEN_W    = 2,
  localparam int REPEAT_W = 3,
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, 1'b0),
  localparam int LOGS     = MODEL[gossamer_pkg::MODEL_SINGLE_PORT] ? 1 : PORTS
) (
  input logic                           clk_i,
  input logic                           start_i,
  input logic [ADDR_W-1:0]              own_words_i,
  input logic [PORTS-1:0]               valid_i,
  input logic [PORTS-1:0]               last_i,
  input logic [SLOT_W-1:0]              slot_data_i,
  input logic [gossamer_pkg::SEG_W-1:0] list_data_i
);

  logic [1:0] reset_cycles = 2'd0;
  logic       started;

  assign started = reset_cycles == 2'd3;
  always_ff @(posedge clk_i) if (!started) reset_cycles <= reset_cycles + 2'd1;

  logic [gossamer_pkg::ERROR_CODES-1:0] errors;
  logic [3:0]                           first;
  logic [LOGS-1:0]                      write;

  // Inside the core.
  (* hierconn *) logic [PORTS-1:0] \i_core.take , \i_core.overflow ;

  switch_core #(
    .PORTS(PORTS), .FLIT_W(FLIT_W), .MODEL(MODEL),
    .TABLE_AW(3), .LIST_AW(3), .ADDR_W(ADDR_W), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W)
  ) i_core (
    .clk_i, .rst_ni(started), .start_i(start_i && started), .program_i('0), .keep_i(1'b0), .own_words_i, .capacity_i(3'd4),
    .dead_i('0), .dead_after_i('0), .shift_i('0), .partner_i('0), .initiated_i(1'b0),
    .initiator_i('0), .query_i('0), .arrived_o(),
    .link_valid_o(), .link_last_o(), .link_data_o(),
    .link_stages_i('0), .link_valid_i(valid_i), .link_last_i(last_i), .link_data_i(2'b00),
    .slot_en_o(), .slot_addr_o(), .slot_data_i, .list_en_o(), .list_addr_o(), .list_data_i,
    .read_en_o(), .read_log_o(), .read_addr_o(), .read_data_i(1'b0), .clash_i('0),
    .write_en_o(write), .write_addr_o(), .write_data_o(), .taken_o(), .done_o(),
    .errors_o(errors), .first_error_o(first), .first_error_slot_o(), .first_error_port_o()
  );

  always_comb begin
    if (started && reset_cycles == 2'd3) begin
      if (MODEL[gossamer_pkg::MODEL_HALF_DUPLEX]) cover (first == gossamer_pkg::ERR_COLLISION);
      if (MODEL[gossamer_pkg::MODEL_HALF_DUPLEX]) cover (first == gossamer_pkg::ERR_TURNAROUND);
      cover (first == gossamer_pkg::ERR_UNEXPECTED);
      cover (first == gossamer_pkg::ERR_MISSING);
      if (!MODEL[gossamer_pkg::MODEL_ONE_CYCLE]) cover (first == gossamer_pkg::ERR_CUT);
      cover (first == gossamer_pkg::ERR_LIMIT);
      cover (first == gossamer_pkg::ERR_UNWRITTEN);
      cover (first == gossamer_pkg::ERR_OVERFLOW);
      cover (first == gossamer_pkg::ERR_MALFORMED);
      cover (first == gossamer_pkg::ERR_EXHAUSTED);
      cover (first == gossamer_pkg::ERR_PARITY);
    end
  end

  logic running = 1'b0;
  always_ff @(posedge clk_i) if (started && start_i) running <= 1'b1;

  always_comb begin
    if (running && first != 4'd0) assert (errors[first]);                                     // 1
    if (running) assert ((errors == '0) == (first == 4'd0));                                  // 1
    if (running && MODEL[gossamer_pkg::MODEL_SINGLE_PORT]) assert (\i_core.overflow == (|write ? '0 : \i_core.take ));   // 2
    if (started && !running) assert (\i_core.take == '0);                                    // 3
  end

endmodule

`default_nettype wire
