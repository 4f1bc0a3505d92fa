// One switch_node whose port 0 is wired to its port 1, for any flit width: loaded, run and read
// through its configuration port alone. Prints PASS, or what is wrong.
`default_nettype none
`timescale 1ns/1ns

module node_test;

  parameter int   FLIT_W      = 32;
  parameter logic SINGLE_PORT = 1'b1;
  parameter int   WORDS       = 5;    // flits of the message that goes around

  import gossamer_pkg::slot_t;
  import gossamer_pkg::segment_t;
  localparam int PARTS = (FLIT_W + 31) / 32;     // words of a flit
  localparam int STEP  = 1 << $clog2(PARTS);     // addresses of a flit
  localparam int DEPTH = 16;
  // Log of the own words, and the log and place of their arrival.
  localparam int OWN_LOG = SINGLE_PORT ? 0 : 2;
  localparam int LOG     = SINGLE_PORT ? 0 : 1;
  localparam int FIRST   = SINGLE_PORT ? WORDS : 0;

  logic        clk = 1'b0, rst_n = 1'b0, start = 1'b0;
  logic        cfg_valid = 1'b0, cfg_write = 1'b0;
  logic [31:0] cfg_addr = '0, cfg_wdata = '0, cfg_rdata;
  logic        done, error;
  logic [1:0]          tx_valid, tx_last;
  logic [2*FLIT_W-1:0] tx_data;
  int                  wrong = 0;

  switch_node #(
    .PORTS(2), .FLIT_W(FLIT_W), .SINGLE_PORT(SINGLE_PORT), .SLOT_DEPTH(4), .LIST_DEPTH(4),
    .STORE_DEPTH(DEPTH)
  ) i_node (
    .clk_i(clk), .rst_ni(rst_n), .start_i(start),
    .cfg_valid_i(cfg_valid), .cfg_write_i(cfg_write), .cfg_addr_i(cfg_addr),
    .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(cfg_rdata),
    .link_valid_o(tx_valid), .link_last_o(tx_last), .link_data_o(tx_data),
    .link_valid_i({tx_valid[0], 1'b0}), .link_last_i({tx_last[0], 1'b0}),
    .link_data_i({tx_data[FLIT_W-1:0], {FLIT_W{1'b0}}}),
    .done_o(done), .error_o(error)
  );

  always #5 clk = !clk;

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
    slot.length     = 24'(WORDS);
    slot.stream     = 24'(WORDS);
    slot.repeats    = 20'd1;
    slot.loops      = 20'd1;
    slot.ends_table = 1'b1;
    // Port 1 receives; output 0 is local, output 1 nothing.
    write_entry(0, {26'b0, 4'b1000, 2'b10, slot});
    write_entry(1, '0);
    write_entry(4, '1);  // after the end: must not read back as entry 0
    segment = '0;
    segment.run   = 26'(WORDS);
    segment.count = 26'd1;
    segment.log   = 6'(OWN_LOG);
    write_segment(0, segment);
    write_segment(1, '0);
    write_segment(4, '1);
    for (int i = 0; i < WORDS * PARTS; i++) begin
      write(gossamer_pkg::CFG_STORE, place(OWN_LOG, i), word(i));
    end
    write(gossamer_pkg::CFG_STORE, place(OWN_LOG, DEPTH * PARTS), '1);
    write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS, 32'(WORDS));
  endtask

  task automatic check_registers;
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_PORTS, 32'd2);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CHANNELS, 32'd1);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_MODEL, {31'd0, SINGLE_PORT});
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_SLOT_DEPTH, 32'd4);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_LIST_DEPTH, 32'd4);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CAPACITY, 32'(DEPTH));
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS, 32'(WORDS));
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_STATUS, 32'd0);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_FLIT_W, 32'(FLIT_W));
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_DEAD_AFTER + 1, 32'd0);  // no register
    expect_word(gossamer_pkg::CFG_SLOTS, 0, 32'd0);      // write only
  endtask

  task automatic run;
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    repeat (WORDS + 10) @(negedge clk);
    if (done !== 1'b1 || error !== 1'b0) begin
      wrong++;
      $display("done %b, error %b", done, error);
    end
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_STATUS, 32'd1);
    expect_word(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_LOG_LENGTH + LOG,
                32'(FIRST + WORDS));
    for (int i = 0; i < WORDS * PARTS; i++) begin
      expect_word(gossamer_pkg::CFG_STORE, place(OWN_LOG, i), word(i));
      expect_word(gossamer_pkg::CFG_STORE, place(LOG, FIRST * PARTS + i), word(i));
    end
  endtask

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    fill;
    check_registers;
    run;
    write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CONTROL, 32'd1);
    repeat (2) @(negedge clk);
    run;
    if (wrong == 0) $display("PASS");
    $finish(0);
  end

endmodule

`default_nettype wire
