// SPDX-License-Identifier: Apache-2.0
// The configuration port of a node: a synchronous bus of 32-bit words with one transfer per cycle;
// the read data come one cycle after the address. This module holds the registers and chooses
// between them and the memories. gossamer_pkg has the addresses.
`default_nettype none

module config_port #(
  parameter int   PORTS       = 4,     // link ports
  parameter logic [31:0] MODEL = '0,   // the node's variant: bits MODEL_... of gossamer_pkg
  parameter logic FAULTS      = 1'b1,  // 0: no registers of faults
  parameter int   FLIT_W      = 32,
  parameter int   MESSAGES    = gossamer_pkg::ADAPTIVE_MESSAGES,
  parameter int   CHANNELS    = 1,     // read channels
  parameter int   SLOT_DEPTH  = 256,   // entries of the slot table
  parameter int   LIST_DEPTH  = 256,   // segments of a list
  parameter int   STORE_DEPTH = 1024,  // words of a memory of the store
  parameter int   OWN_DEPTH   = STORE_DEPTH,  // own words
  parameter int   LOG_DEPTH   = STORE_DEPTH,  // words of a log
  parameter       SHARED      = 1'b0,  // as in switch_node
  parameter int   LOGS        = 4,     // logs with a write pointer
  parameter int   LEN_W       = gossamer_pkg::SLOT_LEN_W,     // bits of a slot's length
  parameter int   REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits of a slot's number
  parameter logic [PORTS*8-1:0] LINK_STAGES = '0,  // registers of the link at each port
  parameter       IMAGE       = "",    // file IMAGE_own_words.mem, their number; empty: none
  localparam int ADDR_W = $clog2(STORE_DEPTH + 1)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // The bus.
  input  logic                                 valid_i,        // a transfer in this cycle
  input  logic                                 write_i,        // ... is a write
  input  logic [31:0]                          addr_i,
  input  logic [31:0]                          wdata_i,
  output logic [31:0]                          rdata_o,        // of the read one cycle before
  // The transfer is for one of these memories.
  output logic                                 slot_write_o,
  output logic                                 list_write_o,
  output logic                                 store_write_o,
  output logic                                 store_read_o,
  input  logic [31:0]                          store_rdata_i,  // one cycle later
  // To and from the core.
  output logic                                 restart_o,      // reset the core in this cycle
  output logic                                 bank_o,         // the bank of tables that runs
  output logic [gossamer_pkg::CONTROL_PROGRAM_W-1:0] program_o, // the program that runs ...
  output logic                                 keep_o,         // ... and goes on with the logs of the last run
  input  logic                                 busy_i,         // the table runs, or starts now
  output logic [ADDR_W-1:0]                    own_words_o,
  output logic [PORTS-1:0]                     dead_o,
  output logic [REPEAT_W-1:0]                  dead_after_o,
  output logic [4:0]                           shift_o,
  output logic [PORTS*ADDR_W-1:0]              partner_o,
  output logic                                 initiated_o,
  output logic [ADDR_W-1:0]                    initiator_o,
  input  logic [PORTS-1:0]                     arrived_i,      // of the message addressed
  input  logic                                 done_i,
  input  logic [gossamer_pkg::ERROR_CODES-1:0] errors_i,
  input  logic [3:0]                           first_error_i,
  input  logic [REPEAT_W-1:0]                  first_error_slot_i,
  input  logic [7:0]                           first_error_port_i,
  input  logic [LOGS*ADDR_W-1:0]               log_length_i
);

  localparam int REGISTER_W = 8;  // bits of a register's number
  localparam logic ADAPTIVE        = MODEL[gossamer_pkg::MODEL_ADAPTIVE];
  localparam logic DOUBLE_BUFFERED = MODEL[gossamer_pkg::MODEL_DOUBLE_BUFFERED];

  logic [gossamer_pkg::CFG_REGION_W-1:0] region;
  logic [REGISTER_W-1:0]                 register;
  logic                                  low;  // the bits of the address between them are 0
  logic                                  write_bank, for_registers, for_store, for_arrived,
                                         for_tables, register_write;

  // With the bank's bit set, only the tables of nodes with two banks can be addressed. A table does
  // not change while it runs.
  assign region         = addr_i[gossamer_pkg::CFG_REGION_LSB+:gossamer_pkg::CFG_REGION_W];
  assign register       = addr_i[REGISTER_W-1:0];
  assign low            = addr_i[gossamer_pkg::CFG_REGION_LSB-1:REGISTER_W] == '0;
  assign write_bank     = addr_i[gossamer_pkg::CFG_BANK_LSB];
  assign for_registers  = valid_i && !write_bank && low && 32'(region) == gossamer_pkg::CFG_REGISTERS;
  assign for_store      = valid_i && !write_bank && 32'(region) == gossamer_pkg::CFG_STORE;
  assign for_arrived    = valid_i && !write_bank && 32'(region) == gossamer_pkg::CFG_ARRIVED;
  assign for_tables     = valid_i && write_i &&
                          (DOUBLE_BUFFERED ? !(busy_i && write_bank == bank_o)
                                           : !(busy_i || write_bank));
  assign slot_write_o   = for_tables && 32'(region) == gossamer_pkg::CFG_SLOTS;
  assign list_write_o   = for_tables && 32'(region) == gossamer_pkg::CFG_LISTS;
  assign store_write_o  = for_store && write_i;
  assign store_read_o   = for_store && !write_i;
  assign register_write = for_registers && write_i;

  // ---- Restart: the core is in reset for three cycles, this one and the next two. In nodes with two
  // banks of tables, the restart also chooses the bank that runs.
  logic       restart;
  logic [1:0] restart_q;  // in each of the last two cycles

  assign restart   = register_write && wdata_i[0] && 32'(register) == gossamer_pkg::CFG_CONTROL;
  assign restart_o = restart || restart_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      restart_q <= '0;
      bank_o    <= 1'b0;
    end else begin
      restart_q <= {restart_q[0], restart};
      if (restart) bank_o <= wdata_i[1];
    end
  end

  // ---- What the restart says of the next run, of several programs. After a reset there are no logs to go on with.
  if (MODEL[gossamer_pkg::MODEL_PROGRAMS+:2] != '0) begin : gen_programs
    logic keep_q, ran_q;

    assign keep_o = keep_q && ran_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        program_o <= '0;
        keep_q    <= 1'b0;
        ran_q     <= 1'b0;
      end else begin
        if (restart) begin
          program_o <= wdata_i[gossamer_pkg::CONTROL_PROGRAM_LSB+:gossamer_pkg::CONTROL_PROGRAM_W];
          keep_q    <= wdata_i[gossamer_pkg::CONTROL_KEEP];
        end
        if (busy_i) ran_q <= 1'b1;
      end
    end
  end else begin : gen_program
    assign program_o = '0;
    assign keep_o    = 1'b0;
  end

  // ---- Own words: kept over a reset, as the memories are; 0 at power-up.
  logic own_write, own_clear;

  /* verilator lint_off CMPCONST */  // a STORE_DEPTH of 2^k-1 is all that the bits can hold
  assign own_write = register_write && !busy_i && wdata_i >> ADDR_W == '0 && 32'(wdata_i[ADDR_W-1:0]) <= OWN_DEPTH &&
                     32'(register) == gossamer_pkg::CFG_OWN_WORDS;
  /* verilator lint_on CMPCONST */
  assign own_clear = restart && wdata_i[gossamer_pkg::CONTROL_NO_WORDS];

  if (IMAGE != "") begin : gen_image
    // An array of one word, because $readmemh needs one. It is read at the clock, because Icarus does not
    // update what depends on an array when $readmemh fills it.
    (* mem2reg *) logic [ADDR_W-1:0] own_words_mem [0:0];

    initial $readmemh({IMAGE, "_own_words.mem"}, own_words_mem);

    always_ff @(posedge clk_i) begin
      if (own_write || own_clear) begin
        own_words_mem[0] <= own_clear ? '0 : wdata_i[ADDR_W-1:0];
        own_words_o      <= own_clear ? '0 : wdata_i[ADDR_W-1:0];
      end else begin
        own_words_o <= (32'(own_words_mem[0]) > OWN_DEPTH) ? ADDR_W'(OWN_DEPTH) : own_words_mem[0];
      end
    end
  end else begin : gen_no_image
    logic [ADDR_W-1:0] own_words_q;  // no always_ff, which does not go with a first value

    initial own_words_q = '0;

    assign own_words_o = own_words_q;
    always @(posedge clk_i) begin
      if (own_write || own_clear) own_words_q <= own_clear ? '0 : wdata_i[ADDR_W-1:0];
    end
  end

  // ---- Faults.
  if (FAULTS) begin : gen_faults
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        dead_after_o <= '0;
      end else if (register_write && wdata_i >> REPEAT_W == '0 &&
                   32'(register) == gossamer_pkg::CFG_DEAD_AFTER) begin
        dead_after_o <= wdata_i[REPEAT_W-1:0];
      end
    end

    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          dead_o[p] <= 1'b0;
        end else if (register_write && 32'(register) == gossamer_pkg::CFG_DEAD + p / 32) begin
          dead_o[p] <= wdata_i[p%32];
        end
      end
    end
  end else begin : gen_no_faults
    assign dead_after_o = '0;
    assign dead_o       = '0;
  end

  // ---- What an adaptive node knows about its neighbours. It cannot be changed while the table runs.
  if (ADAPTIVE) begin : gen_adaptive
    logic place_write, address_fits;

    assign place_write  = register_write && !busy_i;
    assign address_fits = wdata_i[30:0] >> ADDR_W == '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        shift_o     <= '0;
        initiated_o <= 1'b0;
        initiator_o <= '0;
      end else if (place_write) begin
        if (wdata_i >> 5 == '0 && 32'(register) == gossamer_pkg::CFG_SHIFT) begin
          shift_o <= wdata_i[4:0];
        end
        if (address_fits && 32'(register) == gossamer_pkg::CFG_INITIATOR) begin
          initiated_o <= wdata_i[31];
          initiator_o <= wdata_i[ADDR_W-1:0];
        end
      end
    end

    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          partner_o[p*ADDR_W+:ADDR_W] <= '0;
        end else if (place_write && address_fits && !wdata_i[31] &&
                     32'(register) == gossamer_pkg::CFG_PARTNER + p) begin
          partner_o[p*ADDR_W+:ADDR_W] <= wdata_i[ADDR_W-1:0];
        end
      end
    end
  end else begin : gen_not_adaptive
    assign shift_o     = '0;
    assign initiated_o = 1'b0;
    assign initiator_o = '0;
    assign partner_o   = '0;
  end

  // ---- A write that does nothing. Regions beyond the node's are those of what is in front of it.
  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    logic fits, place, place_fits;

    assign place      = 32'(register) == gossamer_pkg::CFG_INITIATOR ||
                        (32'(register) >= gossamer_pkg::CFG_PARTNER && 32'(register) < gossamer_pkg::CFG_PARTNER + PORTS);
    assign place_fits = place && wdata_i[30:0] >> ADDR_W == '0;

    always_comb begin
      case (32'(register))
        gossamer_pkg::CFG_CONTROL, gossamer_pkg::CFG_DEAD, gossamer_pkg::CFG_DEAD + 1: fits = 1'b1;
        gossamer_pkg::CFG_OWN_WORDS:  fits = own_write;
        gossamer_pkg::CFG_DEAD_AFTER: fits = wdata_i >> REPEAT_W == '0;
        gossamer_pkg::CFG_SHIFT:      fits = ADAPTIVE && !busy_i && wdata_i >> 5 == '0;
        default:                      fits = ADAPTIVE && !busy_i && place_fits;
      endcase
    end

    always @(posedge clk_i) begin
      if (valid_i && write_i && 32'(region) <= gossamer_pkg::CFG_ARRIVED)
        assert (slot_write_o || list_write_o || store_write_o || (register_write && fits));
    end
  end

  // ---- Reads. A register with a bit for each port takes two words.
  logic [63:0] dead, arrived;
  logic [31:0] value, value_q, dead_low, dead_high;
  logic        store_q, high;

  assign dead      = 64'(dead_o);
  assign dead_low  = dead[31:0];
  assign dead_high = dead[63:32];

  assign high      = addr_i[gossamer_pkg::CFG_ARRIVED_LSB];
  assign arrived   = (for_arrived && addr_i[gossamer_pkg::CFG_REGION_LSB-1:gossamer_pkg::CFG_ARRIVED_LSB+1] == '0)
                         ? 64'(arrived_i) >> (high ? 32 : 0) : '0;

  always_comb begin
    value = '0;
    case (32'(register))
      gossamer_pkg::CFG_STATUS:     value = {30'b0, |errors_i, done_i};
      gossamer_pkg::CFG_OWN_WORDS:  value = 32'(own_words_o);
      gossamer_pkg::CFG_ERRORS:     value = 32'(errors_i);
      gossamer_pkg::CFG_FIRST_CODE: value = 32'(first_error_i);
      gossamer_pkg::CFG_FIRST_SLOT: value = 32'(first_error_slot_i);
      gossamer_pkg::CFG_FIRST_PORT: value = 32'(first_error_port_i);
      gossamer_pkg::CFG_FLIT_W:     value = FLIT_W;
      gossamer_pkg::CFG_PORTS:      value = PORTS;
      gossamer_pkg::CFG_CHANNELS:   value = CHANNELS;
      gossamer_pkg::CFG_MODEL:      value = MODEL;
      gossamer_pkg::CFG_DEAD:       value = dead_low;
      gossamer_pkg::CFG_DEAD + 1:   value = dead_high;
      gossamer_pkg::CFG_DEAD_AFTER: value = 32'(dead_after_o);
      gossamer_pkg::CFG_SHIFT:      value = 32'(shift_o);
      gossamer_pkg::CFG_INITIATOR:  value = {initiated_o, 31'(initiator_o)};
      gossamer_pkg::CFG_SLOT_DEPTH: value = SLOT_DEPTH;
      gossamer_pkg::CFG_LIST_DEPTH: value = LIST_DEPTH;
      gossamer_pkg::CFG_CAPACITY:   value = LOG_DEPTH;
      gossamer_pkg::CFG_OWN_CAPACITY: value = OWN_DEPTH;
      gossamer_pkg::CFG_LEN_W:      value = LEN_W;
      gossamer_pkg::CFG_REPEAT_W:   value = REPEAT_W;
      gossamer_pkg::CFG_MESSAGES:   value = ADAPTIVE ? MESSAGES : 0;
      default: ;
    endcase
    for (int g = 0; g < LOGS; g++) begin
      if (32'(register) == gossamer_pkg::CFG_LOG_LENGTH + g) begin
        value = 32'(log_length_i[g*ADDR_W+:ADDR_W]);
      end
    end
    for (int p = 0; p < PORTS; p++) begin
      if (32'(register) == gossamer_pkg::CFG_LINK_STAGES + p) value = 32'(LINK_STAGES[p*8+:8]);
      if (32'(register) == gossamer_pkg::CFG_PARTNER + p) begin
        value = 32'(partner_o[p*ADDR_W+:ADDR_W]);
      end
    end
  end

  // ---- Which copies of logs are shared.
  localparam int WORDS = ((MODEL[gossamer_pkg::MODEL_SINGLE_PORT] ? 1 : PORTS + 1) * CHANNELS + 1) / 2;
  localparam logic [WORDS*32-1:0] HOMES = (WORDS*32)'(SHARED);
  logic [31:0] shared;

  assign shared = (addr_i >= gossamer_pkg::CFG_SHARED && addr_i < gossamer_pkg::CFG_SHARED + WORDS)
                      ? HOMES[(addr_i-gossamer_pkg::CFG_SHARED)*32+:32] : '0;

  always_ff @(posedge clk_i) begin
    if (valid_i && !write_i) begin
      store_q <= for_store;
      value_q <= for_registers ? value : arrived[31:0] | shared;
    end
  end

  assign rdata_o = store_q ? store_rdata_i : value_q;

  // Variants of the node leave some inputs unused.
  logic unused;
  assign unused = ^{arrived, arrived_i};

endmodule

`default_nettype wire
