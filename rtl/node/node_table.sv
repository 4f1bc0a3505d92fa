// SPDX-License-Identifier: Apache-2.0
// What a node executes: the memories of its slot table and of one segment list per read channel,
// written word by word from the configuration port. They are written from registers, one cycle later, so that the
// address decoder does not limit the clock.
`default_nettype none

module node_table #(
  parameter int PORTS      = 4,    // link ports
  parameter int CHANNELS   = 1,    // read channels
  parameter int SLOT_DEPTH = 256,  // entries of the slot table
  parameter int LIST_DEPTH = 256,  // segments of a list
  parameter int ADDR_W     = 11,   // address bits of a log
  parameter int LEN_W      = gossamer_pkg::SLOT_LEN_W,     // bits used of lengths
  parameter int REPEAT_W   = gossamer_pkg::SLOT_REPEAT_W,  // bits used of counts
  parameter logic [31:0] MODEL = '0,  // the node's variant: bits MODEL_... of gossamer_pkg
  parameter     IMAGE      = "",   // files IMAGE_slots.mem and IMAGE_list_NN.mem; empty: none
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, MODEL[gossamer_pkg::MODEL_JOIN]),
  localparam int TABLE_AW = (SLOT_DEPTH > 1) ? $clog2(SLOT_DEPTH) : 1,
  localparam int LIST_AW  = (LIST_DEPTH > 1) ? $clog2(LIST_DEPTH) : 1
) (
  input  logic                                    clk_i,
  input  logic                                    bank_i,  // the bank that runs
  // Configuration: write this word at this address, in this bank.
  input  logic                                    cfg_slot_write_i,
  input  logic                                    cfg_list_write_i,
  input  logic                                    cfg_bank_i,
  input  logic [gossamer_pkg::CFG_REGION_LSB-1:0] cfg_addr_i,
  input  logic [31:0]                             cfg_wdata_i,
  // To the core.
  input  logic                                    slot_en_i,
  input  logic [TABLE_AW-1:0]                     slot_addr_i,
  output logic [SLOT_W-1:0]                       slot_data_o,
  input  logic [CHANNELS-1:0]                     list_en_i,
  input  logic [CHANNELS*LIST_AW-1:0]             list_addr_i,
  output logic [CHANNELS*gossamer_pkg::SEG_W-1:0] list_data_o
);

  localparam int SLOT_COLUMNS = (SLOT_W + 31) / 32;
  localparam int COLUMN_AW    = $clog2(SLOT_COLUMNS);
  localparam logic FLAT       = MODEL[gossamer_pkg::MODEL_FLAT];
  localparam int SEG_COLUMNS  = FLAT ? 2 : gossamer_pkg::SEG_W / 32;
  localparam int LOG_W        = $clog2(PORTS + 1);
  localparam int USED_W       = ADDR_W + (FLAT ? 8 : LOG_W + 2);
  localparam logic DOUBLE_BUFFERED = MODEL[gossamer_pkg::MODEL_DOUBLE_BUFFERED];
  // The bank is the top bit of the memories' addresses.
  localparam int SLOT_AW    = DOUBLE_BUFFERED ? TABLE_AW + 1 : TABLE_AW;
  localparam int SEG_AW     = DOUBLE_BUFFERED ? LIST_AW + 1 : LIST_AW;
  localparam int SLOT_WORDS = DOUBLE_BUFFERED ? 1 << SLOT_AW : SLOT_DEPTH;
  localparam int SEG_WORDS  = DOUBLE_BUFFERED ? 1 << SEG_AW : LIST_DEPTH;

  // ---- The fields of the configuration's address; words after a memory's end are not written.
  logic [gossamer_pkg::CFG_REGION_LSB-1:0]  slot_index;
  logic [gossamer_pkg::CFG_CHANNEL_LSB-1:0] seg_index;
  logic [gossamer_pkg::CFG_PART_W-1:0]      channel;
  logic [gossamer_pkg::CFG_SLOT_LSB-1:0]    slot_word;
  logic [gossamer_pkg::CFG_SEG_LSB-1:0]     seg_word;
  logic                                     slot_write, list_write;

  assign slot_index = cfg_addr_i >> gossamer_pkg::CFG_SLOT_LSB;
  assign slot_word  = cfg_addr_i[gossamer_pkg::CFG_SLOT_LSB-1:0];
  assign seg_index  = cfg_addr_i[gossamer_pkg::CFG_CHANNEL_LSB-1:0] >> gossamer_pkg::CFG_SEG_LSB;
  assign seg_word   = cfg_addr_i[gossamer_pkg::CFG_SEG_LSB-1:0];
  assign channel    = cfg_addr_i[gossamer_pkg::CFG_CHANNEL_LSB+:gossamer_pkg::CFG_PART_W];
  assign slot_write = cfg_slot_write_i && slot_index >> TABLE_AW == '0 &&
                      (SLOT_DEPTH == 1 << TABLE_AW || 32'(slot_index) < SLOT_DEPTH);
  assign list_write = cfg_list_write_i && seg_index >> LIST_AW == '0 &&
                      (LIST_DEPTH == 1 << LIST_AW || 32'(seg_index) < LIST_DEPTH);

  // ---- Slot table.
  logic [SLOT_COLUMNS-1:0]    slot_columns_q;
  logic [SLOT_AW-1:0]         slot_addr_q;
  logic [SEG_AW-1:0]          seg_addr_q;
  logic [31:0]                data_q;
  logic [SLOT_COLUMNS*32-1:0] slot_data;

  for (genvar w = 0; w < SLOT_COLUMNS; w++) begin : gen_slot_column
    always_ff @(posedge clk_i) begin
      slot_columns_q[w] <= slot_write && slot_word >> COLUMN_AW == '0 && 32'(slot_word[COLUMN_AW-1:0]) == w;
    end
  end

  always_ff @(posedge clk_i) begin
    slot_addr_q <= SLOT_AW'({cfg_bank_i, slot_index[TABLE_AW-1:0]});
    seg_addr_q  <= SEG_AW'({cfg_bank_i, seg_index[LIST_AW-1:0]});
    data_q      <= cfg_wdata_i;
  end

  if (IMAGE != "" || (LEN_W >= gossamer_pkg::SLOT_LEN_W && REPEAT_W >= gossamer_pkg::SLOT_REPEAT_W)) begin : gen_whole
    ram_1r1w #(
      .COLUMNS(SLOT_COLUMNS), .DEPTH(SLOT_WORDS),
      .IMAGE((IMAGE == "") ? "" : {IMAGE, "_slots.mem"})
    ) i_slots (
      .clk_i,
      .write_i(slot_columns_q), .write_addr_i(slot_addr_q), .write_data_i({SLOT_COLUMNS{data_q}}),
      .read_i(slot_en_i), .read_addr_i(SLOT_AW'({bank_i, slot_addr_i})), .read_data_o(slot_data)
    );
  end else begin : gen_narrow
    // Of each field the bits that are used, and above them whether there are others; in bytes, as memories write them.
    localparam int LENGTH_W = (LEN_W < gossamer_pkg::SLOT_LEN_W) ? LEN_W : gossamer_pkg::SLOT_LEN_W;
    localparam int COUNT_W  = (REPEAT_W < gossamer_pkg::SLOT_REPEAT_W) ? REPEAT_W : gossamer_pkg::SLOT_REPEAT_W;
    localparam int HIGH_W   = (COUNT_W > 8) ? COUNT_W - 8 : 0;  // of repeats, whose other 8 bits stand beside a stream
    localparam int BYTE_W   = 9;
    localparam int FIRST    = (LENGTH_W + 9 + BYTE_W - 1) / BYTE_W;  // bytes of the first word and of the second one
    localparam int THIRD    = (COUNT_W + HIGH_W + 1 + BYTE_W - 1) / BYTE_W;
    localparam int REST     = (32 + BYTE_W - 1) / BYTE_W;  // bytes of each other word
    localparam int LAST     = ((SLOT_W - 1) % 32 + BYTE_W) / BYTE_W;
    localparam int BYTES    = 2 * FIRST + THIRD + (SLOT_COLUMNS - 4) * REST + LAST;

    logic [BYTES-1:0]        write;
    logic [BYTES*BYTE_W-1:0] written, stored;
    logic [LENGTH_W+8:0]     first;
    logic [COUNT_W+HIGH_W:0] third;

    assign first = {data_q[31:24], data_q[23:0] >> LENGTH_W != '0, data_q[LENGTH_W-1:0]};
    assign third = ((COUNT_W+HIGH_W+1)'({data_q[31:12] >> COUNT_W != '0 || data_q[11:0] >> HIGH_W != '0, data_q[12+:COUNT_W]}) << HIGH_W) |
                   ((COUNT_W+HIGH_W+1)'(data_q[11:0]) & ~((COUNT_W+HIGH_W+1)'(12'hfff) << HIGH_W));

    for (genvar w = 0; w < SLOT_COLUMNS; w++) begin : gen_word
      localparam int AT   = (w < 3) ? w * FIRST : 2 * FIRST + THIRD + (w - 3) * REST;
      localparam int SIZE = (w < 2) ? FIRST : (w == 2) ? THIRD : (w == SLOT_COLUMNS - 1) ? LAST : REST;
      logic [SIZE*BYTE_W-1:0] word;

      assign write[AT+:SIZE] = {SIZE{slot_columns_q[w]}};
      assign written[AT*BYTE_W+:SIZE*BYTE_W] = (w < 2) ? (SIZE*BYTE_W)'(first) : (w == 2) ? (SIZE*BYTE_W)'(third) : (SIZE*BYTE_W)'(data_q);
      assign word = stored[AT*BYTE_W+:SIZE*BYTE_W];
      if (w < 2) begin : gen_first
        assign slot_data[w*32+:32] = {word[LENGTH_W+1+:8], 24'(word[LENGTH_W:0])};
      end else if (w == 2) begin : gen_third
        assign slot_data[w*32+:32] = {20'(word[HIGH_W+:COUNT_W+1]), 12'(word) & ~(12'hfff << HIGH_W)};
      end else begin : gen_rest
        assign slot_data[w*32+:32] = 32'(word);
      end
      logic unused_word;
      assign unused_word = ^word;
    end

    ram_1r1w #(.COLUMNS(BYTES), .COLUMN_W(BYTE_W), .DEPTH(SLOT_WORDS)) i_slots (
      .clk_i,
      .write_i(write), .write_addr_i(slot_addr_q), .write_data_i(written),
      .read_i(slot_en_i), .read_addr_i(SLOT_AW'({bank_i, slot_addr_i})), .read_data_o(stored)
    );
  end

  assign slot_data_o = slot_data[SLOT_W-1:0];

  // An entry is padded to whole words.
  logic unused;
  assign unused = ^slot_data;

  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    always @(posedge clk_i) begin
      if (cfg_slot_write_i) assert (slot_write && 32'(slot_word) < SLOT_COLUMNS);
      if (cfg_list_write_i) assert (list_write && 32'(channel) < CHANNELS);
    end
  end

  // ---- Segment lists.
  for (genvar c = 0; c < CHANNELS; c++) begin : gen_channel
    localparam logic [15:0] DIGITS = {8'(48 + c / 10), 8'(48 + c % 10)};
    logic [SEG_COLUMNS-1:0] columns_q;

    for (genvar w = 0; w < SEG_COLUMNS; w++) begin : gen_column
      always_ff @(posedge clk_i) columns_q[w] <= list_write && 32'(channel) == c && 32'(seg_word) == w;
    end

    if (!MODEL[gossamer_pkg::MODEL_IN_ORDER]) begin : gen_list
      // Of a column so many bits are stored: without an image, which has whole segments, those that nodes with such logs use.
      localparam int STORED_W = (IMAGE == "") ? USED_W : 32;
      logic [SEG_COLUMNS*STORED_W-1:0] written, stored;

      ram_1r1w #(
        .COLUMNS(SEG_COLUMNS), .COLUMN_W(STORED_W), .DEPTH(SEG_WORDS),
        .IMAGE((IMAGE == "") ? "" : {IMAGE, "_list_", DIGITS, ".mem"})
      ) i_list (
        .clk_i,
        .write_i(columns_q), .write_addr_i(seg_addr_q), .write_data_i(written),
        .read_i(list_en_i[c]),
        .read_addr_i(SEG_AW'({bank_i, list_addr_i[c*LIST_AW+:LIST_AW]})),
        .read_data_o(stored)
      );

      if (FLAT) begin : gen_flat
        // The two columns as flat_t has them, or what is stored of them.
        localparam int AT = (IMAGE == "") ? ADDR_W : 24;  // of what stands above a base or a count
        logic [AT-1:0] base, count;

        assign written = (IMAGE == "") ? {STORED_W'({data_q[31:24], data_q[ADDR_W-1:0]}), STORED_W'({data_q[31:30], data_q[24+:LOG_W], data_q[ADDR_W-1:0]})}
                                       : {2{STORED_W'(data_q)}};
        assign base    = stored[AT-1:0];
        assign count   = stored[STORED_W+:AT];
        assign list_data_o[c*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W] =
            {!stored[AT+((IMAGE == "") ? LOG_W : 6)+1], 31'(count), 32'(stored[STORED_W+AT+:8]), 32'd1,
             1'b0, stored[AT+((IMAGE == "") ? LOG_W : 6)], 6'(stored[AT+:LOG_W]), 24'(base)};
      end else if (IMAGE == "") begin : gen_used
        // Before the log are the bits stop and same, before the count is the parity.
        assign written = {USED_W'({data_q[31], data_q[ADDR_W-1:0]}), USED_W'(data_q[ADDR_W-1:0]), USED_W'(data_q[ADDR_W-1:0]),
                          data_q[31:30], data_q[24+:LOG_W], data_q[ADDR_W-1:0]};
        assign list_data_o[c*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W] =
            {stored[3*USED_W+ADDR_W], 31'(stored[3*USED_W+:ADDR_W]), 32'(stored[2*USED_W+:ADDR_W]), 32'(stored[USED_W+:ADDR_W]),
             stored[ADDR_W+LOG_W+:2], 6'(stored[ADDR_W+:LOG_W]), 24'(stored[0+:ADDR_W])};
      end else begin : gen_whole
        assign written = {SEG_COLUMNS{data_q}};
        assign list_data_o[c*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W] = stored;
      end
    end else begin : gen_none
      assign list_data_o[c*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W] = '0;
      logic unused_list;
      assign unused_list = ^{columns_q, seg_addr_q, list_en_i[c], list_addr_i[c*LIST_AW+:LIST_AW]};
    end
  end

endmodule

`default_nettype wire
