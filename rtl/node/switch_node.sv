// SPDX-License-Identifier: Apache-2.0
// A node of the fabric: the switch core, its memories, and the port through which they are filled
// and read. Everything that leaves the node comes from a register, except the configuration's answers.
`default_nettype none
`ifdef __ICARUS__
`define ELABORATION initial  // Icarus allows $fatal in procedures only: it stops before cycle 0
`else
`define ELABORATION
`endif

module switch_node #(
  // ---- The fabric.
  parameter int   PORTS       = 4,     // link ports, 1 to 62
  parameter int   FLIT_W      = 32,    // bits of a flit: up to 32, or a multiple of 32
  parameter logic [PORTS*8-1:0] LINK_STAGES = '0,  // registers of the link at each port, up to 63
  // ---- The kind of node. Packets and circuits over "full_duplex" or "half_duplex" links; "one_cycle": slots of one
  // cycle, as in time-division networks; "adaptive": the node decides what it sends (exchange_log).
  parameter       KIND        = "full_duplex",
  parameter int   MESSAGES    = gossamer_pkg::ADAPTIVE_MESSAGES,  // adaptive: messages that it can tell apart
  parameter logic SINGLE_PORT = 1'b0,  // 1: one send, one receive a slot, and a single log
  parameter int   CHANNELS    = 1,     // read channels: 1 (multicasts) or, with all ports, PORTS
  parameter logic IN_ORDER    = 1'b0,  // 1: own words are sent in their order, without a list
  parameter logic JOIN        = 1'b0,  // 1: outputs join what they send (crossbar_join)
  parameter logic ALL_OPS     = 1'b0,   // 1: ... by all operators, 0: by sums alone
  parameter logic [31:0] MODEL = '0,   // the same, and what has no name here: bits MODEL_... of gossamer_pkg
  // ---- Its memories.
  parameter int   SLOT_DEPTH  = 256,   // entries of the slot table, 2 to 2^16
  parameter int   LIST_DEPTH  = 256,   // segments of each list, 2 to 2^16
  parameter int   STORE_DEPTH = 1024,  // words of each log, 2 to 2^20; of flits of more than 128 bits, as many as 2^22 addresses hold
  parameter int   OWN_DEPTH   = 0,     // own words, 2 to STORE_DEPTH; 0: STORE_DEPTH
  parameter       SHARED      = 1'b0,  // which read channels share copies of logs (docs/hardware/table-format.md)
  parameter logic DOUBLE_BUFFERED = 1'b0,  // 1: two banks of tables, see CFG_CONTROL
  parameter int   PROGRAMS    = 1,     // programs in the tables, 1, 2, 4 or 8, see CFG_CONTROL
  parameter       IMAGE       = "",    // their contents: files IMAGE_*.mem; empty: none
  // ---- What makes it smaller (docs/hardware/fpga.md).
  parameter int   LEN_W       = gossamer_pkg::SLOT_LEN_W,     // bits used of the lengths
  parameter int   REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits used of the counts
  parameter logic ENTRY_CHECK  = 1'b1,  // 0: errors of a single entry are not detected
  parameter logic TABLE_PARITY = 1'b1,  // 0: the parity of the tables is not checked
  parameter logic FAULTS       = 1'b1,  // 0: outputs cannot be made to fail
  parameter logic ERROR_DETAIL = 1'b1,  // 0: the first error's code, slot and port are not kept
  localparam int ADDR_W = $clog2(STORE_DEPTH + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,        // synchronous; the memories keep their contents
  input  logic                    start_i,       // one cycle: run the table
  // Configuration (config_port.sv). The tables are not read there while they run.
  input  logic                    cfg_valid_i,
  input  logic                    cfg_write_i,
  input  logic [31:0]             cfg_addr_i,
  input  logic [31:0]             cfg_wdata_i,
  output logic [31:0]             cfg_rdata_o,   // one cycle after the address
  // Links.
  output logic [PORTS-1:0]        link_valid_o,
  output logic [PORTS-1:0]        link_last_o,
  output logic [PORTS*FLIT_W-1:0] link_data_o,
  input  logic [PORTS-1:0]        link_valid_i,
  input  logic [PORTS-1:0]        link_last_i,
  input  logic [PORTS*FLIT_W-1:0] link_data_i,
  // Status.
  output logic                    done_o,        // the table has ended
  output logic                    error_o        // an error was raised
);

  // ---- All that is said of its variant.
  localparam logic [127:0] KIND_NAME = 128'(KIND);  // strings are compared in one width
  localparam logic [31:0]  VARIANT   = MODEL | (32'(SINGLE_PORT) << gossamer_pkg::MODEL_SINGLE_PORT) |
                                       (32'(KIND_NAME == 128'("half_duplex")) << gossamer_pkg::MODEL_HALF_DUPLEX) |
                                       (32'(KIND_NAME == 128'("adaptive")) << gossamer_pkg::MODEL_ADAPTIVE) |
                                       (32'(KIND_NAME == 128'("one_cycle")) << gossamer_pkg::MODEL_ONE_CYCLE) |
                                       (32'(IN_ORDER) << gossamer_pkg::MODEL_IN_ORDER) |
                                       (32'(JOIN) << gossamer_pkg::MODEL_JOIN) | (32'(ALL_OPS) << gossamer_pkg::MODEL_ALL_OPS) |
                                       (32'(DOUBLE_BUFFERED) << gossamer_pkg::MODEL_DOUBLE_BUFFERED) |
                                       (32'($clog2(PROGRAMS)) << gossamer_pkg::MODEL_PROGRAMS);
  localparam logic SINGLE      = VARIANT[gossamer_pkg::MODEL_SINGLE_PORT];
  localparam logic HALF_DUPLEX = VARIANT[gossamer_pkg::MODEL_HALF_DUPLEX];
  localparam logic ADAPTIVE    = VARIANT[gossamer_pkg::MODEL_ADAPTIVE];
  localparam logic ONE_CYCLE   = VARIANT[gossamer_pkg::MODEL_ONE_CYCLE];
  localparam logic ORDERED     = VARIANT[gossamer_pkg::MODEL_IN_ORDER];
  localparam logic JOINS       = VARIANT[gossamer_pkg::MODEL_JOIN];

  localparam int SELECT_W = $clog2(PORTS + 1);
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, JOINS);
  localparam int LOGS     = SINGLE ? 1 : PORTS;
  // With a width or CHANNELS below 1 or a depth of 1, which are refused below, everything else is read.
  localparam int LENGTH_W = (LEN_W < 1) ? 1 : LEN_W;
  localparam int COUNT_W  = (REPEAT_W < 1) ? 1 : REPEAT_W;
  localparam int TABLE_AW = (SLOT_DEPTH > 1) ? $clog2(SLOT_DEPTH) : 1;
  localparam int LIST_AW  = (LIST_DEPTH > 1) ? $clog2(LIST_DEPTH) : 1;
  localparam int OWN_WORDS = (OWN_DEPTH == 0) ? STORE_DEPTH : OWN_DEPTH;
  localparam int READERS  = (CHANNELS < 1) ? 1 : CHANNELS;
  localparam int PAIRS    = (SINGLE ? 1 : PORTS + 1) * READERS;  // of a log and a channel that reads it
  localparam logic [PAIRS*16-1:0] HOMES = (PAIRS*16)'(SHARED);
  // Own words may stand behind those of a log.
  function automatic logic behind(input logic [PAIRS*16-1:0] homes);
    behind = 1'b0;
    for (int i = PAIRS - READERS; i < PAIRS; i++) begin
      if (homes[i*16+:16] != '0 && 32'(homes[i*16+:16]) <= PAIRS - READERS) behind = 1'b1;
    end
  endfunction
  localparam int LOG_DEPTH = behind(HOMES) ? STORE_DEPTH - OWN_WORDS : STORE_DEPTH;
  localparam int HELD     = 1 << VARIANT[gossamer_pkg::MODEL_PROGRAMS+:2];  // programs

  // ---- Illegal parameters.
  if (PORTS < 1 || PORTS > gossamer_pkg::MAX_PORTS) begin : gen_illegal_ports
    `ELABORATION $fatal(1, "switch_node: PORTS must be 1 to 62");
  end
  if (FLIT_W < 1 || (FLIT_W > 32 && FLIT_W % 32 != 0)) begin : gen_illegal_flit
    `ELABORATION $fatal(1, "switch_node: FLIT_W must be 1 to 32, or a multiple of 32");
  end
  if (PORTS == 1 && !SINGLE) begin : gen_illegal_single
    // With one log alone, own words would have to be in it.
    `ELABORATION $fatal(1, "switch_node: SINGLE_PORT must be 1 where PORTS is 1");
  end
  if (CHANNELS != 1 && (SINGLE || CHANNELS != PORTS)) begin : gen_illegal_channels
    `ELABORATION $fatal(1, "switch_node: CHANNELS must be 1, or PORTS where SINGLE_PORT is 0");
  end
  if ((!HALF_DUPLEX && !ONE_CYCLE && !ADAPTIVE && KIND_NAME != 128'("full_duplex")) ||
      (HALF_DUPLEX && (ONE_CYCLE || ADAPTIVE)) || (ONE_CYCLE && ADAPTIVE)) begin : gen_illegal_kind
    `ELABORATION $fatal(1, "switch_node: KIND must be full_duplex, half_duplex, one_cycle or adaptive");
  end
  if (ADAPTIVE && (CHANNELS != 1 || ORDERED || REPEAT_W < gossamer_pkg::ADAPTIVE_SLOT_W)) begin : gen_illegal_adaptive
    `ELABORATION $fatal(1, "switch_node: adaptive nodes need 1 channel, no IN_ORDER, and REPEAT_W of at least ADAPTIVE_SLOT_W");
  end
  if (ADAPTIVE && (MESSAGES < 2 || MESSAGES > 65536 || (MESSAGES & (MESSAGES - 1)) != 0))
  begin : gen_illegal_messages
    `ELABORATION $fatal(1, "switch_node: MESSAGES must be a power of two, 2 to 2^16");
  end
  if (VARIANT[gossamer_pkg::MODEL_FLAT] && (ADAPTIVE || ORDERED)) begin : gen_illegal_flat
    `ELABORATION $fatal(1, "switch_node: adaptive nodes and those in order have no flat lists");
  end
  if (JOINS && (ONE_CYCLE || ADAPTIVE || SINGLE || ORDERED)) begin : gen_illegal_join
    // A lane's result goes to the log of its port, and its own word may come again.
    `ELABORATION $fatal(1, "switch_node: JOIN needs KIND full_duplex or half_duplex, all ports, and no IN_ORDER");
  end
  if (SLOT_DEPTH < 2 || SLOT_DEPTH > 65536 || LIST_DEPTH < 2 || LIST_DEPTH > 65536 ||
      STORE_DEPTH < 2 || STORE_DEPTH > 1048576) begin : gen_illegal_depth
    `ELABORATION $fatal(1, "switch_node: depths must be 2 to 2^16, of the store 2 to 2^20");
  end
  if (STORE_DEPTH > (1 << gossamer_pkg::CFG_LOG_LSB) >> $clog2((FLIT_W + 31) / 32)) begin : gen_illegal_store
    `ELABORATION $fatal(1, "switch_node: STORE_DEPTH words of FLIT_W bits must fit in a log's 2^22 addresses");
  end
  if (LEN_W < 1 || LEN_W > gossamer_pkg::SLOT_LEN_W || REPEAT_W < 1 ||
      REPEAT_W > gossamer_pkg::SLOT_REPEAT_W) begin : gen_illegal_width
    `ELABORATION $fatal(1, "switch_node: LEN_W and REPEAT_W must fit their fields");
  end

  if (OWN_WORDS < 2 || OWN_WORDS > STORE_DEPTH || (OWN_WORDS != STORE_DEPTH && (SINGLE || ADAPTIVE))) begin : gen_illegal_own
    `ELABORATION $fatal(1, "switch_node: OWN_DEPTH must be 0, or 2 to STORE_DEPTH of nodes with all ports that are not adaptive");
  end
  if (LOG_DEPTH < 2 || (LOG_DEPTH != STORE_DEPTH && (STORE_DEPTH & (STORE_DEPTH - 1)) != 0)) begin : gen_illegal_behind
    `ELABORATION $fatal(1, "switch_node: where own words share copies of logs, STORE_DEPTH must be a power of two, and 2 more than OWN_DEPTH");
  end
  for (genvar g = 0; g < PAIRS / READERS; g++) begin : gen_log
    for (genvar c = 0; c < READERS; c++) begin : gen_home
      localparam int M    = g * READERS + c;
      localparam int HOME = 32'(HOMES[M*16+:16]);  // and one; 0: its own
      localparam int AT   = (HOME == 0 || HOME > PAIRS) ? M : HOME - 1;
      if (HOME != 0 && (AT == M || HOMES[AT*16+:16] != '0 || (M < PAIRS - READERS && AT / READERS != g))) begin : gen_illegal_shared
        `ELABORATION $fatal(1, "switch_node: SHARED must name, for each log and channel, a memory of the same log, or any for own words");
      end
    end
  end

  if (PROGRAMS < 1 || PROGRAMS > 8 || (PROGRAMS & (PROGRAMS - 1)) != 0 ||
      (HELD > 1 && (ADAPTIVE || ORDERED || SLOT_DEPTH != 1 << TABLE_AW || LIST_DEPTH != 1 << LIST_AW ||
                        SLOT_DEPTH < 2 * HELD || LIST_DEPTH < 2 * HELD))) begin : gen_illegal_programs
    `ELABORATION $fatal(1, "switch_node: PROGRAMS must be 1, or 2, 4 or 8 of nodes neither adaptive nor IN_ORDER, with twice as many entries and segments, powers of two");
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_check
    if (32'(LINK_STAGES[p*8+:8]) > gossamer_pkg::MAX_LINK_STAGES) begin : gen_illegal_stages
      `ELABORATION $fatal(1, "switch_node: LINK_STAGES must be 0 to 63 for every port");
    end
  end

  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    logic [2:0] reset_q;  // rst_ni of the last cycles

    always @(posedge clk_i) begin
      reset_q <= {reset_q[1:0], rst_ni};
      if (rst_ni && !reset_q[0]) assert (reset_q == '0);
    end
  end

  // ---- Configuration.
  logic                                 cfg_slot_write, cfg_list_write, cfg_store_write,
                                        cfg_store_read, restart, bank, keep, busy;
  logic [gossamer_pkg::CONTROL_PROGRAM_W-1:0] number;  // of the program

  logic [31:0]                          cfg_store_rdata;
  logic [ADDR_W-1:0]                    own_words, initiator;
  logic [PORTS-1:0]                     dead;
  logic [COUNT_W-1:0]                   dead_after;
  logic [4:0]                           shift;
  logic [PORTS*ADDR_W-1:0]              partner;
  logic                                 initiated;
  logic [PORTS-1:0]                     arrived;
  logic [gossamer_pkg::ERROR_CODES-1:0] errors;
  logic [3:0]                           first_error;
  logic [COUNT_W-1:0]                   first_error_slot;
  logic [7:0]                           first_error_port;
  logic [LOGS*ADDR_W-1:0]               write_addr;  // of each log; it is the log's length

  config_port #(
    .PORTS(PORTS), .MODEL(VARIANT), .FAULTS(FAULTS), .FLIT_W(FLIT_W), .MESSAGES(MESSAGES), .CHANNELS(READERS),
    .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH), .OWN_DEPTH(OWN_WORDS), .LOG_DEPTH(LOG_DEPTH), .SHARED(SHARED), .LOGS(LOGS),
    .LEN_W(LENGTH_W), .REPEAT_W(COUNT_W), .LINK_STAGES(LINK_STAGES), .IMAGE(IMAGE)
  ) i_config_port (
    .clk_i, .rst_ni,
    .valid_i(cfg_valid_i), .write_i(cfg_write_i), .addr_i(cfg_addr_i), .wdata_i(cfg_wdata_i),
    .rdata_o(cfg_rdata_o),
    .slot_write_o(cfg_slot_write), .list_write_o(cfg_list_write),
    .store_write_o(cfg_store_write), .store_read_o(cfg_store_read),
    .store_rdata_i(cfg_store_rdata),
    .restart_o(restart), .bank_o(bank), .program_o(number), .keep_o(keep), .busy_i(busy), .own_words_o(own_words), .dead_o(dead),
    .dead_after_o(dead_after),
    .shift_o(shift), .partner_o(partner), .initiated_o(initiated), .initiator_o(initiator),
    .arrived_i(arrived),
    .done_i(done_o),
    .errors_i(errors), .first_error_i(first_error), .first_error_slot_i(first_error_slot),
    .first_error_port_i(first_error_port), .log_length_i(write_addr)
  );

  assign error_o = |errors;

  // ---- Memories.
  logic                                    slot_en;
  logic [TABLE_AW-1:0]                     slot_addr;
  logic [SLOT_W-1:0]                       slot_data;
  logic [CHANNELS-1:0]                     list_en;
  logic [CHANNELS*LIST_AW-1:0]             list_addr;
  logic [CHANNELS*gossamer_pkg::SEG_W-1:0] list_data;

  node_table #(
    .PORTS(PORTS), .CHANNELS(CHANNELS), .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .ADDR_W(ADDR_W),
    .LEN_W(LENGTH_W), .REPEAT_W(COUNT_W), .MODEL(VARIANT), .IMAGE(IMAGE)
  ) i_node_table (
    .clk_i, .bank_i(bank),
    .cfg_slot_write_i(cfg_slot_write), .cfg_list_write_i(cfg_list_write),
    .cfg_bank_i(cfg_addr_i[gossamer_pkg::CFG_BANK_LSB]),
    .cfg_addr_i(cfg_addr_i[gossamer_pkg::CFG_REGION_LSB-1:0]), .cfg_wdata_i,
    .slot_en_i(slot_en), .slot_addr_i(slot_addr), .slot_data_o(slot_data),
    .list_en_i(list_en), .list_addr_i(list_addr), .list_data_o(list_data)
  );

  logic [CHANNELS-1:0]          read_en;
  logic [CHANNELS*SELECT_W-1:0] read_log;
  logic [CHANNELS*ADDR_W-1:0]   read_addr;
  logic [CHANNELS*FLIT_W-1:0]   read_data;
  logic [CHANNELS-1:0]          clash;
  logic [LOGS-1:0]              write_en;
  logic [LOGS*FLIT_W-1:0]       write_data;

  message_store #(
    .PORTS(PORTS), .FLIT_W(FLIT_W), .SINGLE_PORT(SINGLE), .CHANNELS(READERS),
    .DEPTH(STORE_DEPTH), .OWN_DEPTH(OWN_WORDS), .SHARED(SHARED), .LATE(JOINS), .IMAGE(IMAGE)
  ) i_message_store (
    .clk_i,
    .cfg_write_i(cfg_store_write), .cfg_read_i(cfg_store_read),
    .cfg_addr_i(cfg_addr_i[gossamer_pkg::CFG_REGION_LSB-1:0]), .cfg_wdata_i,
    .cfg_rdata_o(cfg_store_rdata),
    .read_en_i(read_en), .read_log_i(read_log), .read_addr_i(read_addr), .read_data_o(read_data), .clash_o(clash),
    .write_en_i(write_en), .write_addr_i(write_addr), .write_data_i(write_data)
  );

  // ---- The core. Which flits it stored is an output for the tile engine only.
  logic [PORTS-1:0] unused_taken, unused_joined;

  switch_core #(
    .PORTS(PORTS), .FLIT_W(FLIT_W), .MODEL(VARIANT), .MESSAGES(MESSAGES), .CHANNELS(CHANNELS), .TABLE_AW(TABLE_AW),
    .LIST_AW(LIST_AW), .ADDR_W(ADDR_W), .LEN_W(LENGTH_W), .REPEAT_W(COUNT_W),
    .ENTRY_CHECK(ENTRY_CHECK), .TABLE_PARITY(TABLE_PARITY), .ERROR_DETAIL(ERROR_DETAIL), .STAGED(LINK_STAGES != '0)
  ) i_core (
    .clk_i, .rst_ni(rst_ni && !restart), .start_i, .program_i(number), .keep_i(keep),
    .own_words_i(own_words), .capacity_i(ADDR_W'(LOG_DEPTH)),
    .dead_i(dead), .dead_after_i(dead_after),
    .shift_i(shift), .partner_i(partner), .initiated_i(initiated), .initiator_i(initiator),
    .query_i(cfg_addr_i[15:0]), .arrived_o(arrived),
    .link_stages_i(LINK_STAGES),
    .link_valid_o, .link_last_o, .link_data_o, .link_valid_i, .link_last_i, .link_data_i,
    .slot_en_o(slot_en), .slot_addr_o(slot_addr), .slot_data_i(slot_data),
    .list_en_o(list_en), .list_addr_o(list_addr), .list_data_i(list_data),
    .read_en_o(read_en), .read_log_o(read_log), .read_addr_o(read_addr), .read_data_i(read_data), .clash_i(clash),
    .write_en_o(write_en), .write_addr_o(write_addr), .write_data_o(write_data),
    .taken_o(unused_taken), .joined_o(unused_joined), .busy_o(busy), .done_o,
    .errors_o(errors), .first_error_o(first_error), .first_error_slot_o(first_error_slot),
    .first_error_port_o(first_error_port)
  );

endmodule

`undef ELABORATION
`default_nettype wire
