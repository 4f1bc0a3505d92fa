// One node of the tile engine: the switch core with the output registers of its synchronous-read
// memories. The memory arrays are in the testbench: before each edge it puts the addressed words on
// *_mem_i. The store's write port is not needed: after the edge, `taken_o` says which flits were stored,
// and the engine knows what was on the links. link_data_i and *_mem_i go to registers only, and nothing
// else depends on them; the engine makes use of that.
`default_nettype none

module switch_tile #(
  parameter int   PORTS       = 4,
  parameter int   FLIT_W      = 32,
  parameter logic [31:0] MODEL = '0,  // its variant: bits MODEL_... of gossamer_pkg
  parameter int   CHANNELS    = 1,
  parameter logic STAGED      = 1'b0,
  parameter int   MESSAGES    = gossamer_pkg::ADAPTIVE_MESSAGES,
  parameter int   TABLE_AW    = 16,
  parameter int   ADDR_W      = 24,
  parameter int   LEN_W       = gossamer_pkg::SLOT_LEN_W,
  parameter int   REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,
  localparam logic JOIN       = MODEL[gossamer_pkg::MODEL_JOIN],
  localparam int  SLOT_W      = gossamer_pkg::slot_w(PORTS, JOIN),
  localparam int  LOG_W       = $clog2(PORTS + 1),
  localparam int  LOGS        = MODEL[gossamer_pkg::MODEL_SINGLE_PORT] ? 1 : PORTS
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  logic                                    start_i,
  input  logic [gossamer_pkg::CONTROL_PROGRAM_W-1:0] program_i,
  input  logic                                    keep_i,
  input  logic [ADDR_W-1:0]                       own_words_i,
  input  logic [ADDR_W-1:0]                       capacity_i,
  input  logic [PORTS-1:0]                        dead_i,
  input  logic [REPEAT_W-1:0]                     dead_after_i,
  input  logic [4:0]                              shift_i,
  input  logic [PORTS*32-1:0]                     partner_i,    // an address in 32 bits
  input  logic                                    initiated_i,
  input  logic [ADDR_W-1:0]                       initiator_i,
  input  logic [(STAGED ? PORTS*32 : 32)-1:0]     link_stages_i, // of each port's link, in 32 bits
  output logic [PORTS-1:0]                        link_valid_o,
  output logic [PORTS-1:0]                        link_last_o,
  output logic [PORTS*FLIT_W-1:0]                 link_data_o,
  input  logic [PORTS-1:0]                        link_valid_i,
  input  logic [PORTS-1:0]                        link_last_i,
  input  logic [PORTS*FLIT_W-1:0]                 link_data_i,
  output logic                                    slot_en_o,
  output logic [TABLE_AW-1:0]                     slot_addr_o,
  input  logic [SLOT_W-1:0]                       slot_mem_i,
  output logic [CHANNELS-1:0]                     list_en_o,
  output logic [CHANNELS*TABLE_AW-1:0]            list_addr_o,
  input  logic [CHANNELS*gossamer_pkg::SEG_W-1:0] list_mem_i,
  output logic [CHANNELS-1:0]                     read_en_o,
  output logic [CHANNELS*LOG_W-1:0]               read_log_o,
  output logic [CHANNELS*32-1:0]                  read_addr_o,  // a channel's address in 32 bits
  input  logic [CHANNELS*FLIT_W-1:0]              read_mem_i,
  output logic [PORTS-1:0]                        joined_o,     // of taken_o: what the node's lanes made, ...
  output logic [(JOIN ? PORTS*FLIT_W : 1)-1:0]    joined_data_o,  // ... these words
  output logic [PORTS-1:0]                        taken_o,
  output logic [LOGS*32-1:0]                      taken_addr_o,  // adaptive: where, in each log
  output logic                                    done_o,
  output logic [gossamer_pkg::ERROR_CODES-1:0]    errors_o,
  output logic [3:0]                              first_error_o,
  output logic [REPEAT_W-1:0]                     first_error_slot_o,
`ifdef TRACED
  input  logic [PORTS*(FLIT_W+1)-1:0]             expected_i,   // for the waveform: valid bit and word of each output
`endif
  output logic [7:0]                              first_error_port_o
);

`ifdef TRACED
  for (genvar p = 0; p < PORTS; p++) begin : gen_expected
    logic [FLIT_W:0] flit;
    assign flit = expected_i[p*(FLIT_W+1)+:FLIT_W+1];
  end
`endif

  logic [SLOT_W-1:0]                       slot_data_q;
  logic [CHANNELS*gossamer_pkg::SEG_W-1:0] list_data_q;
  logic [CHANNELS*FLIT_W-1:0]              read_data_q;
  logic [CHANNELS*ADDR_W-1:0]              read_addr;

  localparam int STAGES_W = gossamer_pkg::LINK_STAGES_W;

  logic [PORTS*STAGES_W-1:0]               link_stages;
  logic [PORTS*ADDR_W-1:0]                 partner;
  logic [LOGS*ADDR_W-1:0]                  write_addr;

  always_ff @(posedge clk_i) begin
    if (slot_en_o) slot_data_q <= slot_mem_i;
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_link
    if (STAGED) begin : gen_stages
      assign link_stages[p*STAGES_W+:STAGES_W] = link_stages_i[p*32+:STAGES_W];
    end else begin : gen_none
      assign link_stages[p*STAGES_W+:STAGES_W] = '0;
    end
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_partner
    assign partner[p*ADDR_W+:ADDR_W] = partner_i[p*32+:ADDR_W];
  end

  for (genvar g = 0; g < LOGS; g++) begin : gen_write
    if (MODEL[gossamer_pkg::MODEL_ADAPTIVE]) begin : gen_addr
      always_ff @(posedge clk_i) begin
        taken_addr_o[g*32+:32] <= 32'(write_addr[g*ADDR_W+:ADDR_W]);
      end
    end else begin : gen_next
      assign taken_addr_o[g*32+:32] = '0;
    end
  end

  for (genvar c = 0; c < CHANNELS; c++) begin : gen_channel
    assign read_addr_o[c*32+:32] = 32'(read_addr[c*ADDR_W+:ADDR_W]);

    always_ff @(posedge clk_i) begin
      if (list_en_o[c]) begin
        list_data_q[c*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W] <=
            list_mem_i[c*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W];
      end
      if (read_en_o[c]) read_data_q[c*FLIT_W+:FLIT_W] <= read_mem_i[c*FLIT_W+:FLIT_W];
    end
  end

  if (JOIN) begin : gen_joined
    always_ff @(posedge clk_i) joined_data_o <= link_data_o;
  end else begin : gen_none
    assign joined_data_o = '0;
  end

  switch_core #(
    .PORTS(PORTS), .FLIT_W(FLIT_W), .MODEL(MODEL | (32'd3 << gossamer_pkg::MODEL_PROGRAMS)), .MESSAGES(MESSAGES),
    .CHANNELS(CHANNELS), .TABLE_AW(TABLE_AW), .LIST_AW(TABLE_AW), .ADDR_W(ADDR_W), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W), .STAGED(STAGED)
  ) i_core (
    .clk_i, .rst_ni, .start_i, .program_i, .keep_i, .own_words_i, .capacity_i, .dead_i, .dead_after_i,
    .shift_i, .partner_i(partner), .initiated_i, .initiator_i, .query_i('0), .arrived_o(),
    .link_stages_i(link_stages),
    .link_valid_o, .link_last_o, .link_data_o, .link_valid_i, .link_last_i, .link_data_i,
    .slot_en_o, .slot_addr_o, .slot_data_i(slot_data_q),
    .list_en_o, .list_addr_o, .list_data_i(list_data_q),
    .read_en_o, .read_log_o, .read_addr_o(read_addr), .read_data_i(read_data_q), .clash_i('0),
    .write_en_o(), .write_addr_o(write_addr), .write_data_o(),
    .taken_o, .joined_o, .busy_o(), .done_o,
    .errors_o, .first_error_o, .first_error_slot_o, .first_error_port_o
  );

endmodule

`default_nettype wire
