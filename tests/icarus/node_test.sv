// One switch_node of any kind and flit width whose port 0 is wired to its port 1: loaded, run and read
// through its configuration port alone. Its memories begin as X; what it sends but words, and its status, must always be known after
// the reset: before anything is written, in a run without own words, and in runs. Prints PASS, or what is wrong.
`default_nettype none
`timescale 1ns/1ns

module node_test;

  parameter int   FLIT_W      = 32;
  parameter logic SINGLE_PORT = 1'b1;
  parameter       KIND        = "full_duplex";
  parameter int   CHANNELS    = 1;
  parameter logic IN_ORDER    = 1'b0;
  parameter logic DOUBLE_BUFFERED = 1'b0;
  parameter logic BARE        = 1'b0;  // 1: without FAULTS, ENTRY_CHECK and ERROR_DETAIL
  parameter int   STAGES      = 0;     // registers of the link
  parameter int   WORDS       = 5;     // flits of the message that goes around

  import gossamer_pkg::slot_t;
  import gossamer_pkg::segment_t;
  localparam int PARTS = (FLIT_W + 31) / 32;     // words of a flit
  localparam int STEP  = 1 << $clog2(PARTS);     // addresses of a flit
  localparam int DEPTH = 16;
  localparam logic [127:0] KIND_NAME = 128'(KIND);
  localparam logic HALF_DUPLEX = KIND_NAME == 128'("half_duplex");
  localparam logic ONE_CYCLE   = KIND_NAME == 128'("one_cycle");
  localparam logic ADAPTIVE    = KIND_NAME == 128'("adaptive");
  // Log of the own words, and the log and place of their arrival.
  localparam int OWN_LOG = SINGLE_PORT ? 0 : 2;
  localparam int LOG     = SINGLE_PORT ? 0 : 1;
  localparam int FIRST   = ADAPTIVE ? 8 : SINGLE_PORT ? WORDS : 0;

  // The single port of a half-duplex node sends and receives in one slot.
  localparam logic [31:0] LIMIT = 32'(HALF_DUPLEX && SINGLE_PORT && !BARE) << gossamer_pkg::ERR_LIMIT;

  logic        clk = 1'b0, rst_n = 1'b0, start = 1'b0;
  logic        cfg_valid = 1'b0, cfg_write = 1'b0;
  logic [31:0] cfg_addr = '0, cfg_wdata = '0, cfg_rdata;
  logic        done, error;
  logic [1:0]          tx_valid, tx_last;
  logic [2*FLIT_W-1:0] tx_data;
  logic                rx_valid, rx_last;
  logic [FLIT_W-1:0]   rx_data;
  int                  wrong = 0;

  switch_node #(
    .PORTS(2), .FLIT_W(FLIT_W), .SINGLE_PORT(SINGLE_PORT), .SLOT_DEPTH(8), .LIST_DEPTH(4),
    .STORE_DEPTH(DEPTH), .KIND(KIND), .MESSAGES(2), .CHANNELS(CHANNELS), .IN_ORDER(IN_ORDER),
    .DOUBLE_BUFFERED(DOUBLE_BUFFERED), .LINK_STAGES({8'(STAGES), 8'd0}), .FAULTS(!BARE), .ENTRY_CHECK(!BARE),
    .ERROR_DETAIL(!BARE)
  ) i_node (
    .clk_i(clk), .rst_ni(rst_n), .start_i(start),
    .cfg_valid_i(cfg_valid), .cfg_write_i(cfg_write), .cfg_addr_i(cfg_addr),
    .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(cfg_rdata),
    .link_valid_o(tx_valid), .link_last_o(tx_last), .link_data_o(tx_data),
    .link_valid_i({rx_valid, 1'b0}), .link_last_i({rx_last, 1'b0}), .link_data_i({rx_data, {FLIT_W{1'b0}}}),
    .done_o(done), .error_o(error)
  );

  link_stages #(.STAGES(STAGES), .FLIT_W(FLIT_W)) i_link (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(tx_valid[0]), .last_i(tx_last[0]), .data_i(tx_data[FLIT_W-1:0]),
    .valid_o(rx_valid), .last_o(rx_last), .data_o(rx_data)
  );

  always #5 clk = !clk;

  always @(negedge clk) begin
    if (rst_n && (^{done, error, tx_valid, tx_last & tx_valid}) === 1'bx) begin
      wrong++;
      $display("%0t: done %b, error %b, valid %b, last %b", $time, done, error, tx_valid, tx_last);
    end
  end

  task automatic transfer(input int region, input int address, input logic write,
                          input logic [31:0] data);
    cfg_valid = 1'b1;
    cfg_write = write;
    cfg_addr  = 32'(address) | (32'(region) << gossamer_pkg::CFG_REGION_LSB);
    cfg_wdata = data;
    @(negedge clk);
    cfg_valid = 1'b0;
  endtask

  task automatic write(input int region, input int address, input logic [31:0] data);
    transfer(region, address, 1'b1, data);
  endtask

  task automatic expect_word(input int region, input int address, input logic [31:0] value);
    transfer(region, address, 1'b0, '0);
    if (cfg_rdata !== value) begin
      wrong++;
      $display("region %0d, address %0d: %h, expected %h", region, address, cfg_rdata, value);
    end
  endtask

  // Address of the i-th word of a log with consecutive words for its flits.
  function automatic int place(input int log, input int i);
    place = (log << gossamer_pkg::CFG_LOG_LSB) + i / PARTS * STEP + i % PARTS;
  endfunction

  function automatic logic [31:0] word(input int i);
    word = 32'h9e3779b1 * (i + 1);
    if (FLIT_W < 32) word = word & ((32'd1 << FLIT_W) - 1);
  endfunction

  task automatic write_entry(input int entry, input logic [127:0] data);
    for (int w = 3; w >= 0; w--) begin  // in any order
      write(gossamer_pkg::CFG_SLOTS, (entry << gossamer_pkg::CFG_SLOT_LSB) + w, data[w*32+:32]);
    end
  endtask

  task automatic write_segment(input int segment, input logic [127:0] data);
    for (int w = 0; w < 4; w++) begin
      write(gossamer_pkg::CFG_LISTS, (segment << gossamer_pkg::CFG_SEG_LSB) + w, data[w*32+:32]);
    end
  endtask

  task automatic fill;
    slot_t    slot;
    segment_t segment;
    slot            = '0;
    slot.length     = ONE_CYCLE ? 24'd1 : 24'(WORDS);
    slot.stream     = slot.length;
    slot.repeats    = 20'd1;
    slot.loops      = 20'd1;
    // Port 1 receives; output 0 is local, output 1 nothing.
    for (int e = 0; e < (ONE_CYCLE ? WORDS : 1); e++) begin
      slot.ends_table = !ONE_CYCLE || e == WORDS - 1;
      slot.parity     = 1'b0;
      slot.parity     = ^{4'b1000, 2'b10, slot};
      write_entry(e, {26'b0, 4'b1000, 2'b10, slot});
    end
    write_entry(8, '1);  // after the end: must not read back as entry 0
    segment = '0;
    segment.run   = 26'(WORDS);
    segment.count = 26'd1;
    segment.log   = 6'(OWN_LOG);
    segment.parity = ^segment;
    write_segment(0, segment);
    write_segment(1, '0);
    write_segment(4, '1);
    if (CHANNELS > 1) write_segment(1 << gossamer_pkg::CFG_CHANNEL_LSB - gossamer_pkg::CFG_SEG_LSB, '0);
    if (ADAPTIVE) begin  // messages of up to 8 words; the neighbours' is number 1
      write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_SHIFT, 32'd3);
      for (int p = 0; p < 2; p++) write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_PARTNER + p, 32'd8);
    end
  endtask

  task automatic fill_words;
    for (int i = 0; i < WORDS * PARTS; i++) begin
      write(gossamer_pkg::CFG_STORE, place(OWN_LOG, i), word(i));
    end
    write(gossamer_pkg::CFG_STORE, place(OWN_LOG, DEPTH * PARTS), '1);
    write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS, 32'(WORDS));
  endtask

  task automatic check_registers;
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_PORTS, 32'd2);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CHANNELS, 32'(CHANNELS));
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_MODEL,
                {26'd0, DOUBLE_BUFFERED, IN_ORDER, ONE_CYCLE, ADAPTIVE, HALF_DUPLEX, SINGLE_PORT});
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_SLOT_DEPTH, 32'd8);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_LIST_DEPTH, 32'd4);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CAPACITY, 32'(DEPTH));
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS, 32'(WORDS));
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_STATUS, 32'd0);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_FLIT_W, 32'(FLIT_W));
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_DEAD_AFTER + 1, 32'd0);  // no register
    expect_word(gossamer_pkg::CFG_SLOTS, 0, 32'd0);      // write only
  endtask

  task automatic run(input logic [31:0] errors);
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    repeat (WORDS + STAGES + 10) @(negedge clk);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_STATUS, {30'd0, errors != '0, 1'b1});
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_ERRORS, errors);
  endtask

  task automatic restart;
    write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CONTROL, 32'd1);
    repeat (2) @(negedge clk);
  endtask

  task automatic check_words;
    if (!ADAPTIVE) begin
      expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_LOG_LENGTH + LOG, 32'(FIRST + WORDS));
    end
    for (int i = 0; i < WORDS * PARTS; i++) begin
      expect_word(gossamer_pkg::CFG_STORE, place(OWN_LOG, i), word(i));
      expect_word(gossamer_pkg::CFG_STORE, place(LOG, FIRST * PARTS + i), word(i));
    end
  endtask

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    repeat (10) @(negedge clk);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS, 32'd0);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_ERRORS, 32'd0);
    fill;
    run(LIMIT | (32'(!ADAPTIVE) << gossamer_pkg::ERR_UNWRITTEN));
    restart;
    fill_words;
    check_registers;
    repeat (3) begin
      run(LIMIT);
      check_words;
      restart;
    end
    if (wrong == 0) $display("PASS");
    $finish(0);
  end

endmodule

`default_nettype wire
