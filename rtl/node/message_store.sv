// SPDX-License-Identifier: Apache-2.0
// The words that a node holds. A single-port node has one log, which begins with its own words.
// Other nodes have a log per link port and one for their own words. All logs can be written and read
// in the same cycle, so each is a separate memory, with a copy for every read channel.
//
// The configuration port writes own words and reads all logs. The core has priority: a transfer of
// the configuration port is lost if the core uses the same memory port in that cycle, so use it only
// while the table does not run.
`default_nettype none

module message_store #(
  parameter int   PORTS       = 4,     // link ports
  parameter int   FLIT_W      = 32,    // bits of a flit: up to 32, or a multiple of 32
  parameter logic SINGLE_PORT = 1'b0,  // 1: a single log
  parameter int   CHANNELS    = 1,     // read channels
  parameter int   DEPTH       = 1024,  // words of a log
  parameter       IMAGE       = "",    // file IMAGE_own.mem with the own words; empty: none
  localparam int LOGS   = SINGLE_PORT ? 1 : PORTS,
  localparam int LOG_W  = $clog2(PORTS + 1),
  localparam int ADDR_W = $clog2(DEPTH + 1),
  localparam int RAM_AW = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic                                    clk_i,
  // Configuration: write or read this word.
  input  logic                                    cfg_write_i,
  input  logic                                    cfg_read_i,
  input  logic [gossamer_pkg::CFG_REGION_LSB-1:0] cfg_addr_i,
  input  logic [31:0]                             cfg_wdata_i,
  output logic [31:0]                             cfg_rdata_o,   // one cycle after the address
  // From and to the core.
  input  logic [CHANNELS-1:0]                     read_en_i,
  input  logic [CHANNELS*LOG_W-1:0]               read_log_i,
  input  logic [CHANNELS*ADDR_W-1:0]              read_addr_i,
  output logic [CHANNELS*FLIT_W-1:0]              read_data_o,   // one cycle after the address
  input  logic [LOGS-1:0]                         write_en_i,
  input  logic [LOGS*ADDR_W-1:0]                  write_addr_i,
  input  logic [LOGS*FLIT_W-1:0]                  write_data_i
);

  localparam int COLUMNS  = (FLIT_W + 31) / 32;           // words of the configuration in a flit
  localparam int COLUMN_W = (FLIT_W < 32) ? FLIT_W : 32;
  localparam int PART_W   = $clog2(COLUMNS);              // bits of an address that say which one
  localparam int MEMORIES = SINGLE_PORT ? 1 : LOGS + 1;  // the last one holds the own words
  localparam int INDEX_W  = gossamer_pkg::CFG_LOG_LSB;

  // ---- The fields of the configuration's address; words after a log's end are not written.
  logic [INDEX_W-1:0]                  index;
  logic [gossamer_pkg::CFG_PART_W-1:0] log;
  logic [COLUMNS-1:0]                  column;
  logic                                own_write;

  assign index     = cfg_addr_i[INDEX_W-1:0] >> PART_W;
  assign log       = cfg_addr_i[gossamer_pkg::CFG_LOG_LSB+:gossamer_pkg::CFG_PART_W];
  assign own_write = cfg_write_i && 32'(log) == MEMORIES - 1 && index >> RAM_AW == '0 &&
                     (DEPTH == 1 << RAM_AW || 32'(index) < DEPTH);

  for (genvar w = 0; w < COLUMNS; w++) begin : gen_column
    assign column[w] = 32'(cfg_addr_i) % (1 << PART_W) == w;
  end

  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    always @(posedge clk_i) begin
      if (cfg_write_i) assert (own_write && |column);
    end
  end

  // ---- Reads of each channel; channel 0 also serves the configuration.
  logic [CHANNELS-1:0]        read_en;
  logic [CHANNELS*LOG_W-1:0]  read_log;
  logic [CHANNELS*RAM_AW-1:0] read_addr;

  for (genvar c = 0; c < CHANNELS; c++) begin : gen_read
    logic for_config;
    assign for_config = (c == 0) && cfg_read_i && !read_en_i[c];
    assign read_en[c] = read_en_i[c] || for_config;
    assign read_log[c*LOG_W+:LOG_W] = for_config ? log[LOG_W-1:0] : read_log_i[c*LOG_W+:LOG_W];
    assign read_addr[c*RAM_AW+:RAM_AW] =
        for_config ? index[RAM_AW-1:0] : read_addr_i[c*ADDR_W+:RAM_AW];
  end

  // ---- The memories.
  logic [MEMORIES*CHANNELS*FLIT_W-1:0] words;  // outputs of the memories

  for (genvar g = 0; g < MEMORIES; g++) begin : gen_memory
    localparam logic OWN    = g == MEMORIES - 1;  // the own words are here
    localparam logic IS_LOG = g < LOGS;           // arrivals are appended here
    logic [COLUMNS-1:0] write;
    logic [RAM_AW-1:0]  write_addr;
    logic [FLIT_W-1:0]  write_data;

    if (IS_LOG) begin : gen_log
      logic for_config;
      assign for_config = OWN && own_write && !write_en_i[g];
      assign write      = for_config ? column : {COLUMNS{write_en_i[g]}};
      assign write_addr = for_config ? index[RAM_AW-1:0] : write_addr_i[g*ADDR_W+:RAM_AW];
      assign write_data = for_config ? {COLUMNS{cfg_wdata_i[COLUMN_W-1:0]}}
                                     : write_data_i[g*FLIT_W+:FLIT_W];
    end else begin : gen_own
      assign write      = own_write ? column : '0;
      assign write_addr = index[RAM_AW-1:0];
      assign write_data = {COLUMNS{cfg_wdata_i[COLUMN_W-1:0]}};
    end

    for (genvar c = 0; c < CHANNELS; c++) begin : gen_copy
      logic read;
      assign read = read_en[c] && (MEMORIES == 1 || read_log[c*LOG_W+:LOG_W] == LOG_W'(g));

      ram_1r1w #(
        .COLUMNS(COLUMNS), .COLUMN_W(COLUMN_W), .DEPTH(DEPTH),
        .IMAGE((IMAGE == "" || !OWN) ? "" : {IMAGE, "_own.mem"})
      ) i_ram (
        .clk_i,
        .write_i(write), .write_addr_i(write_addr), .write_data_i(write_data),
        .read_i(read),
        .read_addr_i(read_addr[c*RAM_AW+:RAM_AW]),
        .read_data_o(words[(g*CHANNELS+c)*FLIT_W+:FLIT_W])
      );
    end
  end

  // ---- Which memory a channel has read.
  if (MEMORIES == 1) begin : gen_single
    assign read_data_o = words;
  end else begin : gen_select
    for (genvar c = 0; c < CHANNELS; c++) begin : gen_channel
      logic [LOG_W-1:0]  log_q;
      logic [FLIT_W-1:0] own_word, word;

      assign own_word = words[((MEMORIES-1)*CHANNELS+c)*FLIT_W+:FLIT_W];

      always_ff @(posedge clk_i) begin
        if (read_en[c]) log_q <= read_log[c*LOG_W+:LOG_W];
      end

      always_comb begin
        word = own_word;
        for (int g = 0; g < LOGS; g++) begin
          if (log_q == LOG_W'(g)) word = words[(g*CHANNELS+c)*FLIT_W+:FLIT_W];
        end
      end

      assign read_data_o[c*FLIT_W+:FLIT_W] = word;
    end
  end

  // ---- The word of the flit that the configuration asked for.
  logic [COLUMNS-1:0]    column_q;
  logic [COLUMNS*32-1:0] column_data;  // each column's word, or zero

  always_ff @(posedge clk_i) begin
    column_q <= column;
  end

  for (genvar w = 0; w < COLUMNS; w++) begin : gen_column_data
    assign column_data[w*32+:32] = column_q[w] ? 32'(read_data_o[w*COLUMN_W+:COLUMN_W]) : '0;
  end

  always_comb begin
    cfg_rdata_o = '0;
    for (int w = 0; w < COLUMNS; w++) cfg_rdata_o |= column_data[w*32+:32];
  end

  // The core's addresses can also name the end of a log, and a narrow flit is part of a word.
  logic unused;
  assign unused = ^{read_addr_i, write_addr_i, cfg_wdata_i};

endmodule

`default_nettype wire
