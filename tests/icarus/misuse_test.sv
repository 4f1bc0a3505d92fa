// A neighbour and a host of a node, of a fabric behind AXI and of an elastic link, that keep to the rules, but for one: +misuse=N
// breaks the N-th of those below. Assertions in the RTL say which.
`default_nettype none
`timescale 1ns/1ns

module misuse_test;

  import gossamer_pkg::slot_t;
  import gossamer_pkg::segment_t;

  logic clk = 1'b0, rst_n = 1'b0;
  int   misuse;

  always #5 clk = !clk;

  // ---- A node, alone; its neighbour at port 0 is this bench.
  logic        start = 1'b0, cfg_valid = 1'b0, heard = 1'b0, done, error;
  logic [31:0] cfg_addr = '0, cfg_wdata = '0, cfg_rdata;
  logic [1:0]  tx_valid, tx_last;
  logic [63:0] tx_data;

  switch_node #(
    .PORTS(2), .KIND("half_duplex"), .SLOT_DEPTH(6), .LIST_DEPTH(4), .STORE_DEPTH(12)
  ) i_node (
    .clk_i(clk), .rst_ni(rst_n), .start_i(start),
    .cfg_valid_i(cfg_valid), .cfg_write_i(1'b1), .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(cfg_rdata),
    .link_valid_o(tx_valid), .link_last_o(tx_last), .link_data_o(tx_data),
    .link_valid_i({1'b0, heard}), .link_last_i(2'b0), .link_data_i(64'b0), .done_o(done), .error_o(error)
  );

  task automatic write(input int region, input int address, input logic [31:0] data);
    cfg_valid = 1'b1;
    cfg_addr  = 32'(address) | (32'(region) << gossamer_pkg::CFG_REGION_LSB);
    cfg_wdata = data;
    @(negedge clk);
    cfg_valid = 1'b0;
  endtask

  // Output 0 sends ten words in a slot of twenty cycles.
  task automatic fill;
    slot_t        slot;
    segment_t     segment;
    logic [127:0] entry;
    slot            = '0;
    slot.length     = 24'd20;
    slot.stream     = 24'd10;
    slot.repeats    = 20'd1;
    slot.ends_table = 1'b1;
    slot.parity     = ^{4'b1000, slot};
    entry           = {26'b0, 4'b1000, 2'b00, slot};
    segment         = '0;
    segment.run     = 26'd10;
    segment.count   = 26'd1;
    segment.log     = 6'd2;
    segment.parity  = ^segment;
    for (int w = 0; w < 4; w++) begin
      write(gossamer_pkg::CFG_SLOTS, w, entry[w*32+:32]);
      write(gossamer_pkg::CFG_LISTS, w, segment[w*32+:32]);
      write(gossamer_pkg::CFG_LISTS, 4 + w, '0);
    end
    for (int i = 0; i < 10; i++) write(gossamer_pkg::CFG_STORE, (2 << gossamer_pkg::CFG_LOG_LSB) + i, 32'(i));
    write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS, 32'd10);
    repeat (2) @(negedge clk);
  endtask

  task automatic pulse;
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
  endtask

  task automatic use_node;
    fill;
    case (misuse)
      1: write(gossamer_pkg::CFG_SLOTS, 6 << gossamer_pkg::CFG_SLOT_LSB, '0);  // an entry
      2: write(gossamer_pkg::CFG_SLOTS, 4, '0);                                // a word of one
      3: write(gossamer_pkg::CFG_LISTS, 4 << gossamer_pkg::CFG_SEG_LSB, '0);   // a segment
      4: write(gossamer_pkg::CFG_LISTS, 1 << gossamer_pkg::CFG_CHANNEL_LSB, '0);  // a channel
      5: write(gossamer_pkg::CFG_STORE, (2 << gossamer_pkg::CFG_LOG_LSB) + 12, '0);  // a word
      6: write(gossamer_pkg::CFG_STORE, 0, '0);                                // a log that is not the own one
      7: write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_DEAD_AFTER + 1, '0);  // no register
      8: write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS, 32'd13);
      9: write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_SHIFT, 32'd1);   // of adaptive nodes
      default: ;
    endcase
    pulse;
    repeat (8) @(negedge clk);
    case (misuse)
      10: write(gossamer_pkg::CFG_SLOTS, 0, '0);  // while it runs
      11: write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS, 32'd3);
      12: pulse;
      13: begin  // against what the node sends
        heard = 1'b1;
        @(negedge clk);
        heard = 1'b0;
      end
      14: begin
        heard = 1'bx;
        @(negedge clk);
        heard = 1'b0;
      end
      default: ;
    endcase
    repeat (30) @(negedge clk);
    if (misuse == 15) pulse;  // after the run
    write(gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CONTROL, 32'd1);
    if (misuse == 16) pulse;  // in the restart
    repeat (3) @(negedge clk);
    rst_n = 1'b0;
    repeat (misuse == 17 ? 2 : 3) @(negedge clk);
    rst_n = 1'b1;
  endtask

  // ---- A fabric behind AXI. Nothing accepts its answers, and no period begins, so that second offers wait.
  logic [31:0] awaddr = '0, wdata = '0, araddr = '0, tdata = '0;
  logic        awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0, tvalid = 1'b0, tlast = 1'b1;

  axi_fabric i_fabric (
    .clk_i(clk), .rst_ni(rst_n), .start_i(1'b0), .irq_o(),
    .s_axi_awaddr_i(awaddr), .s_axi_awvalid_i(awvalid), .s_axi_awready_o(),
    .s_axi_wdata_i(wdata), .s_axi_wstrb_i(4'hf), .s_axi_wvalid_i(wvalid), .s_axi_wready_o(),
    .s_axi_bresp_o(), .s_axi_bvalid_o(), .s_axi_bready_i(1'b0),
    .s_axi_araddr_i(araddr), .s_axi_arvalid_i(arvalid), .s_axi_arready_o(),
    .s_axi_rdata_o(), .s_axi_rresp_o(), .s_axi_rvalid_o(), .s_axi_rready_i(1'b0),
    .s_axis_tdata_i({4{tdata}}), .s_axis_tlast_i({4{tlast}}), .s_axis_tvalid_i({3'b0, tvalid}), .s_axis_tready_o(),
    .m_axis_tdata_o(), .m_axis_tuser_o(), .m_axis_tlast_o(), .m_axis_tvalid_o(), .m_axis_tready_i(4'b0)
  );

  task automatic use_axi;
    repeat (3) @(negedge clk);
    awvalid = 1'b1;
    wvalid  = 1'b1;
    arvalid = 1'b1;
    tvalid  = 1'b1;
    repeat (20) @(negedge clk);
    case (misuse)
      18: awaddr = 32'd4;
      19: awvalid = 1'b0;
      20: wdata = 32'd1;
      21: wvalid = 1'b0;
      22: araddr = 32'd4;
      23: arvalid = 1'b0;
      24: tdata = 32'd1;
      25: tlast = 1'b0;
      26: tvalid = 1'b0;
      default: ;
    endcase
    repeat (2) @(negedge clk);
  endtask

  // ---- An elastic link whose sender starts.
  logic link_start = 1'b0;

  link_elastic i_link (
    .tx_clk_i(clk), .tx_rst_ni(rst_n), .tx_start_i(link_start), .tx_valid_i(1'b0), .tx_last_i(1'b0), .tx_data_i(32'b0),
    .tx_parity_i(1'b0),
    .rx_clk_i(clk), .rx_rst_ni(rst_n), .rx_start_i(1'b0),
    .rx_valid_o(), .rx_last_o(), .rx_data_o(), .skew_o(), .parity_o()
  );

  task automatic use_link;
    for (int i = 0; i < 2; i++) begin
      link_start = 1'b1;
      @(negedge clk);
      link_start = 1'b0;
      repeat (misuse == 27 ? 3 : 15) @(negedge clk);  // starts are 16 cycles apart
    end
  endtask

  initial begin
    if (!$value$plusargs("misuse=%d", misuse)) misuse = 0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    use_node;
    use_axi;
    use_link;
    $finish(0);
  end

endmodule

`default_nettype wire
