// SPDX-License-Identifier: Apache-2.0
// The words that a node holds. A single-port node has one log, which begins with its own words.
// Other nodes have a log per link port and one for their own words. All logs can be written and read
// in the same cycle, so each is a separate memory, with a copy for every read channel, unless channels share copies: those
// that never read different words at the same time. A copy of a log may also hold the own words, from its end on.
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
  parameter int   DEPTH       = 1024,  // words of a memory
  parameter int   OWN_DEPTH   = DEPTH, // own words
  parameter       SHARED      = 1'b0,  // as in switch_node
  parameter logic LATE        = 1'b0,  // 1: clash_o comes a cycle later
  parameter       IMAGE       = "",    // file IMAGE_own.mem with the own words, or IMAGE_end.mem with them behind a log; empty: none
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
  output logic [CHANNELS-1:0]                     clash_o,       // another channel reads another word of the same memory
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
                     (OWN_DEPTH == 1 << RAM_AW || 32'(index) < OWN_DEPTH);

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
    // Of a shared memory others may read.
    assign for_config = (c == 0) && cfg_read_i && ((SHARED == 0) ? !read_en_i[c] : read_en_i == '0);
    assign read_en[c] = read_en_i[c] || for_config;
    assign read_log[c*LOG_W+:LOG_W] = for_config ? log[LOG_W-1:0] : read_log_i[c*LOG_W+:LOG_W];
    assign read_addr[c*RAM_AW+:RAM_AW] =
        for_config ? index[RAM_AW-1:0] : read_addr_i[c*ADDR_W+:RAM_AW];
  end

  // ---- The memories: of each log and channel that has one, a pair, read by others, too.
  localparam int PAIRS = MEMORIES * CHANNELS;
  localparam logic [PAIRS*16-1:0] HOMES = (PAIRS*16)'(SHARED);

  // Channels that read a log, of a block of pairs, in the memory of pair m.
  function automatic logic [CHANNELS-1:0] readers(input logic [CHANNELS*16-1:0] homes, input int first, input int m);
    for (int c = 0; c < CHANNELS; c++) readers[c] = (homes[c*16+:16] == '0) ? first + c == m : 32'(homes[c*16+:16]) == m + 1;
  endfunction

  logic [PAIRS-1:0]        reads;
  logic [PAIRS*RAM_AW-1:0] read_addrs;        // in the memory of each pair
  logic [PAIRS*FLIT_W-1:0] ram_words, words;  // of the memories; for each pair
  logic [PAIRS-1:0]        clashes;

  for (genvar g = 0; g < MEMORIES; g++) begin : gen_memory
    for (genvar c = 0; c < CHANNELS; c++) begin : gen_copy
      localparam int M    = g * CHANNELS + c;
      localparam int HOME = (HOMES[M*16+:16] == '0) ? M : 32'(HOMES[M*16+:16]) - 1;
      localparam int H    = HOME / CHANNELS;  // its log
      localparam int OWNS = (MEMORIES - 1) * CHANNELS;
      localparam logic IS_LOG = g < LOGS;     // arrivals are appended here
      localparam logic [CHANNELS-1:0] OF_LOG = readers(HOMES[H*CHANNELS*16+:CHANNELS*16], H * CHANNELS, HOME);
      localparam logic [CHANNELS-1:0] OF_OWN = (H == MEMORIES - 1) ? '0 : readers(HOMES[OWNS*16+:CHANNELS*16], OWNS, HOME);
      logic [2*CHANNELS-1:0] differs;  // those that read another word there

      assign reads[M] = read_en[c] && (MEMORIES == 1 || read_log[c*LOG_W+:LOG_W] == LOG_W'(g));
      assign read_addrs[M*RAM_AW+:RAM_AW] = read_addr[c*RAM_AW+:RAM_AW] ^ {RAM_AW{g != H}};  // own words, from the end on
      assign words[M*FLIT_W+:FLIT_W]      = ram_words[HOME*FLIT_W+:FLIT_W];

      for (genvar i = 0; i < 2 * CHANNELS; i++) begin : gen_reader
        localparam int R = (i < CHANNELS) ? H * CHANNELS + i : OWNS + i - CHANNELS;
        localparam logic READS = (i < CHANNELS) ? OF_LOG[i%CHANNELS] : OF_OWN[i%CHANNELS];
        assign differs[i] = READS && reads[R] && read_addrs[R*RAM_AW+:RAM_AW] != read_addrs[M*RAM_AW+:RAM_AW];
      end
      assign clashes[M] = reads[M] && differs != '0;

      if (HOME == M) begin : gen_ram
        localparam logic BEHIND = OF_OWN != '0;
        localparam logic OWN    = BEHIND || g == MEMORIES - 1;  // own words are here
        localparam int   WORDS  = IS_LOG ? DEPTH : OWN_DEPTH;
        localparam int   AW     = (WORDS > 1) ? $clog2(WORDS) : 1;
        logic [COLUMNS-1:0] write;
        logic [RAM_AW-1:0]  write_addr, addr;
        logic [FLIT_W-1:0]  write_data;
        logic               read;

        // All copies of own words are written, or none.
        if (IS_LOG) begin : gen_log
          logic for_config;
          assign for_config = OWN && own_write && !(BEHIND ? |write_en_i : write_en_i[g]);
          assign write      = for_config ? column : {COLUMNS{write_en_i[g]}};
          assign write_addr = for_config ? index[RAM_AW-1:0] ^ {RAM_AW{BEHIND}} : write_addr_i[g*ADDR_W+:RAM_AW];
          assign write_data = for_config ? {COLUMNS{cfg_wdata_i[COLUMN_W-1:0]}} : write_data_i[g*FLIT_W+:FLIT_W];
        end else begin : gen_own
          assign write      = (own_write && !(SHARED != 0 && |write_en_i)) ? column : '0;
          assign write_addr = index[RAM_AW-1:0];
          assign write_data = {COLUMNS{cfg_wdata_i[COLUMN_W-1:0]}};
        end

        if (!BEHIND && OF_LOG == CHANNELS'(1) << c) begin : gen_alone
          assign read = reads[M];
          assign addr = read_addrs[M*RAM_AW+:RAM_AW];
        end else begin : gen_shared
          // Who reads at the same time reads the same word: its address is what all of theirs make.
          logic [2*CHANNELS-1:0]        reading;
          logic [2*CHANNELS*RAM_AW-1:0] addrs;

          assign reading = {reads[OWNS+:CHANNELS] & OF_OWN, reads[g*CHANNELS+:CHANNELS] & OF_LOG};
          assign addrs   = {read_addrs[OWNS*RAM_AW+:CHANNELS*RAM_AW], read_addrs[g*CHANNELS*RAM_AW+:CHANNELS*RAM_AW]};
          always_comb begin
            read = 1'b0;
            addr = '0;
            for (int i = 0; i < 2 * CHANNELS; i++) begin
              if (reading[i]) begin
                read = 1'b1;
                addr = addr | addrs[i*RAM_AW+:RAM_AW];
              end
            end
          end
        end

        ram_1r1w #(
          .COLUMNS(COLUMNS), .COLUMN_W(COLUMN_W), .DEPTH(WORDS),
          .IMAGE((IMAGE == "" || !OWN) ? "" : {IMAGE, BEHIND ? "_end.mem" : "_own.mem"})
        ) i_ram (
          .clk_i,
          .write_i(write), .write_addr_i(AW'(write_addr)), .write_data_i(write_data),
          .read_i(read), .read_addr_i(AW'(addr)), .read_data_o(ram_words[M*FLIT_W+:FLIT_W])
        );
      end else begin : gen_other
        assign ram_words[M*FLIT_W+:FLIT_W] = '0;
      end
    end
  end

  // ---- Channels that read different words of the same memory.
  logic [CHANNELS-1:0] clash;

  always_comb begin
    clash = '0;
    for (int g = 0; g < MEMORIES; g++) clash = clash | clashes[g*CHANNELS+:CHANNELS];
  end

  if (LATE) begin : gen_late
    always_ff @(posedge clk_i) clash_o <= clash;
  end else begin : gen_now
    assign clash_o = clash;
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

  // Memories that are not there have no words. The core's addresses can also name the end of a log, and a narrow flit is part of a word.
  logic unused;
  assign unused = ^{read_addr_i, write_addr_i, cfg_wdata_i, ram_words};

endmodule

`default_nettype wire
