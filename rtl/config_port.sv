// The configuration port of a node: a synchronous bus of 32-bit words, a transfer a cycle, what is
// read comes one cycle after its address. Here are the registers and the choice between them and
// the memories; addresses as in gossamer_pkg.
`default_nettype none

module config_port #(
  parameter int   PORTS       = 4,     // link ports
  parameter logic SINGLE_PORT = 1'b0,
  parameter logic HALF_DUPLEX = 1'b0,
  parameter logic ADAPTIVE    = 1'b0,
  parameter logic ONE_CYCLE   = 1'b0,
  parameter logic IN_ORDER    = 1'b0,
  parameter int   CHANNELS    = 1,     // read channels
  parameter int   SLOT_DEPTH  = 256,   // entries of the slot table
  parameter int   LIST_DEPTH  = 256,   // segments of a list
  parameter int   STORE_DEPTH = 1024,  // words of a log
  parameter int   LOGS        = 4,     // logs with a write pointer
  parameter int   REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits of a slot's number
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
  // The transfer is one of these memories' business.
  output logic                                 slot_write_o,
  output logic                                 list_write_o,
  output logic                                 store_write_o,
  output logic                                 store_read_o,
  input  logic [31:0]                          store_rdata_i,  // one cycle later
  // To and from the core.
  output logic                                 restart_o,      // reset the core in this cycle
  output logic                                 bank_o,         // the bank of tables that runs
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

  localparam int REGISTER_W = gossamer_pkg::CFG_REGION_LSB;
  localparam logic [31:0] MODEL = (32'(SINGLE_PORT) << gossamer_pkg::MODEL_SINGLE_PORT) |
                                  (32'(HALF_DUPLEX) << gossamer_pkg::MODEL_HALF_DUPLEX) |
                                  (32'(ADAPTIVE) << gossamer_pkg::MODEL_ADAPTIVE) |
                                  (32'(ONE_CYCLE) << gossamer_pkg::MODEL_ONE_CYCLE) |
                                  (32'(IN_ORDER) << gossamer_pkg::MODEL_IN_ORDER);

  logic [gossamer_pkg::CFG_REGION_W-1:0] region;
  logic [REGISTER_W-1:0]                 register;
  logic                                  for_registers, for_store, for_arrived;

  assign region        = addr_i[gossamer_pkg::CFG_REGION_LSB+:gossamer_pkg::CFG_REGION_W];
  assign register      = addr_i[REGISTER_W-1:0];
  assign for_registers = valid_i && 32'(region) == gossamer_pkg::CFG_REGISTERS;
  assign for_store     = valid_i && 32'(region) == gossamer_pkg::CFG_STORE;
  assign for_arrived   = valid_i && 32'(region) == gossamer_pkg::CFG_ARRIVED;
  assign slot_write_o  = valid_i && write_i && 32'(region) == gossamer_pkg::CFG_SLOTS;
  assign list_write_o  = valid_i && write_i && 32'(region) == gossamer_pkg::CFG_LISTS;
  assign store_write_o = for_store && write_i;
  assign store_read_o  = for_store && !write_i;
  assign restart_o     = for_registers && write_i && wdata_i[0] &&
                         32'(register) == gossamer_pkg::CFG_CONTROL;

  // ---- The bank that runs, of nodes with two banks of tables: chosen with each restart.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bank_o <= 1'b0;
    else if (restart_o) bank_o <= wdata_i[1];
  end

  // ---- Own words: kept over a reset, as the memories are. An array of one, so that it can have an
  // image; read at the clock, for Icarus does not see $readmemh change what follows from an array.
  (* mem2reg *) logic [ADDR_W-1:0] own_words_mem [0:0];

  if (IMAGE != "") begin : gen_image
    initial $readmemh({IMAGE, "_own_words.mem"}, own_words_mem);
  end

  always_ff @(posedge clk_i) begin
    own_words_o <= own_words_mem[0];
    if (for_registers && write_i && 32'(register) == gossamer_pkg::CFG_OWN_WORDS) begin
      own_words_mem[0] <= wdata_i[ADDR_W-1:0];
    end
  end

  // ---- Faults, and what adaptive nodes know of their place.
  logic        register_write;
  logic [63:0] dead;

  assign register_write = for_registers && write_i;
  assign dead           = 64'(dead_o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dead_after_o <= '0;
      shift_o      <= '0;
      initiated_o  <= 1'b0;
      initiator_o  <= '0;
    end else if (register_write) begin
      case (32'(register))
        gossamer_pkg::CFG_DEAD_AFTER: dead_after_o <= wdata_i[REPEAT_W-1:0];
        gossamer_pkg::CFG_SHIFT:      shift_o <= wdata_i[4:0];
        gossamer_pkg::CFG_INITIATOR: begin
          initiated_o <= wdata_i[31];
          initiator_o <= wdata_i[ADDR_W-1:0];
        end
        default: ;
      endcase
    end
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        dead_o[p]                     <= 1'b0;
        partner_o[p*ADDR_W+:ADDR_W] <= '0;
      end else if (register_write) begin
        if (32'(register) == gossamer_pkg::CFG_DEAD + p / 32) dead_o[p] <= wdata_i[p%32];
        if (ADAPTIVE && 32'(register) == gossamer_pkg::CFG_PARTNER + p) begin
          partner_o[p*ADDR_W+:ADDR_W] <= wdata_i[ADDR_W-1:0];
        end
      end
    end
  end

  // ---- Reads.
  logic [31:0] value, value_q, dead_low, dead_high;
  logic        store_q;

  assign dead_low  = dead[31:0];
  assign dead_high = dead[63:32];

  always_comb begin
    value = '0;
    case (32'(register))
      gossamer_pkg::CFG_STATUS:     value = {30'b0, |errors_i, done_i};
      gossamer_pkg::CFG_OWN_WORDS:  value = 32'(own_words_o);
      gossamer_pkg::CFG_ERRORS:     value = 32'(errors_i);
      gossamer_pkg::CFG_FIRST_CODE: value = 32'(first_error_i);
      gossamer_pkg::CFG_FIRST_SLOT: value = 32'(first_error_slot_i);
      gossamer_pkg::CFG_FIRST_PORT: value = 32'(first_error_port_i);
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
      gossamer_pkg::CFG_CAPACITY:   value = STORE_DEPTH;
      default: ;
    endcase
    for (int g = 0; g < LOGS; g++) begin
      if (32'(register) == gossamer_pkg::CFG_LOG_LENGTH + g) begin
        value = 32'(log_length_i[g*ADDR_W+:ADDR_W]);
      end
    end
    for (int p = 0; p < PORTS; p++) begin
      if (32'(register) == gossamer_pkg::CFG_PARTNER + p) begin
        value = 32'(partner_o[p*ADDR_W+:ADDR_W]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      store_q <= 1'b0;
      value_q <= '0;
    end else if (valid_i && !write_i) begin
      store_q <= for_store;
      value_q <= for_registers ? value : for_arrived ? 32'(arrived_i) : '0;
    end
  end

  assign rdata_o = store_q ? store_rdata_i : value_q;

  // Narrow registers take their part of the bus.
  logic unused;
  assign unused = ^wdata_i;

endmodule

`default_nettype wire
