// Runs a torus_fabric from its .mem images and prints what happens, a line each:
//
//   flit CYCLE NODE PORT LAST WORD    a flit on a link; cycle 0 is that of the start pulse at the nodes
//   done CYCLE                        first cycle in which all tables have ended and no flit moves
//   error NODE SEEN CODE SLOT PORT    for every node that raised one (SEEN in hex)
//   model NODE REGISTER               what the node says that it was built as, in hex
//   word NODE LOG INDEX WORD          what the logs hold, read through the configuration port
//
// Then the fabric is set back by its control registers, and the same happens once more. At the end every node is told to start
// with two words:
//
//   own NODE HELD WRITTEN LATER      how many it would start with: before, in the next cycle and later
//
// fabric.vh, written with the images, holds the fabric's parameters.
`default_nettype none
`timescale 1ns/1ns

module fabric_test;

  parameter int NODES      = 1;     // as in the fabric
  parameter int PORTS      = 1;
  parameter int LOGS       = 1;     // logs of a node that are read
  parameter int MAX_CYCLES = 1000;  // then the run is stopped
  parameter int TREE       = 0;     // register stages to every node, and back

  logic                      clk = 1'b0, rst_n = 1'b0, start = 1'b0;
  logic                      cfg_valid = 1'b0, cfg_write = 1'b0;
  logic [15:0]               cfg_node = '0;
  logic [31:0]               cfg_addr = '0, cfg_wdata = '0, cfg_rdata;
  logic [NODES*PORTS-1:0]    link_valid, link_last;
  logic [NODES*PORTS*32-1:0] link_data;
  logic [NODES-1:0]          done, error;

  torus_fabric #(
    .TREE_STAGES(TREE),
`include "fabric.vh"
  ) i_fabric (
    .clk_i(clk), .rst_ni(rst_n), .start_i(start),
    .cfg_valid_i(cfg_valid), .cfg_write_i(cfg_write), .cfg_node_i(cfg_node),
    .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(cfg_rdata),
    .link_valid_o(link_valid), .link_last_o(link_last), .link_data_o(link_data), .link_arrived_o(),
    .done_o(done), .error_o(error)
  );

  always #5 clk = !clk;

  // Inputs change at falling edges, and outputs are read there: in the middle of a cycle.
  task automatic transfer(input int node, input int region, input int address, input logic write);
    cfg_valid = 1'b1;
    cfg_write = write;
    cfg_node  = 16'(node);
    cfg_addr  = 32'(address) | (32'(region) << gossamer_pkg::CFG_REGION_LSB);
    @(negedge clk);
    cfg_valid = 1'b0;
    // Nothing that the rest says counts now: not even a restart.
    cfg_write = 1'b1;
    cfg_addr  = 32'(gossamer_pkg::CFG_CONTROL) | (32'(gossamer_pkg::CFG_REGISTERS) << gossamer_pkg::CFG_REGION_LSB);
    cfg_wdata = 32'd1;
    if (!write) repeat (2 * TREE) @(negedge clk);
  endtask

  task automatic read(input int node, input int region, input int address);
    transfer(node, region, address, 1'b0);
  endtask

  task automatic run;
    int cycle;
    start = 1'b1;
    cycle = -TREE;
    do begin
      @(negedge clk);
      start = 1'b0;
      cycle++;
      for (int l = 0; l < NODES * PORTS; l++) begin
        if (link_valid[l] !== 1'b0) begin
          $display("flit %0d %0d %0d %b %h", cycle, l / PORTS, l % PORTS, link_last[l],
                   link_data[l*32+:32]);
        end
      end
    end while ((cycle <= 0 || done !== '1 || link_valid !== '0) && cycle < MAX_CYCLES);
    $display("done %0d", cycle);
  endtask

  task automatic report;
    logic [31:0] seen, code, slot, length;
    for (int n = 0; n < NODES; n++) begin
      if (error[n] !== 1'b0) begin
        read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_ERRORS);
        seen = cfg_rdata;
        read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_FIRST_CODE);
        code = cfg_rdata;
        read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_FIRST_SLOT);
        slot = cfg_rdata;
        read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_FIRST_PORT);
        $display("error %0d %h %0d %0d %0d", n, seen, code, slot, cfg_rdata);
      end
      read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_MODEL);
      $display("model %0d %h", n, cfg_rdata);
      for (int g = 0; g < LOGS; g++) begin
        read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_LOG_LENGTH + g);
        length = cfg_rdata;
        for (int i = 0; i < length; i++) begin
          read(n, gossamer_pkg::CFG_STORE, (g << gossamer_pkg::CFG_LOG_LSB) + i);
          $display("word %0d %0d %0d %h", n, g, i, cfg_rdata);
        end
      end
    end
  endtask

  task automatic change_own_words;
    logic [31:0] held, written;
    for (int n = 0; n < NODES; n++) begin
      read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS);
      held      = cfg_rdata;
      cfg_wdata = 32'd2;
      transfer(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS, 1'b1);
      read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS);
      written = cfg_rdata;
      repeat (4) @(negedge clk);
      read(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_OWN_WORDS);
      $display("own %0d %0d %0d %0d", n, held, written, cfg_rdata);
    end
  endtask

  task automatic restart;
    cfg_wdata = 32'd1;
    for (int n = 0; n < NODES; n++) begin
      transfer(n, gossamer_pkg::CFG_REGISTERS, gossamer_pkg::CFG_CONTROL, 1'b1);
    end
    repeat (2) @(negedge clk);
  endtask

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    repeat (2) @(negedge clk);
    run;
    report;
    restart;
    run;
    report;
    change_own_words;
    $finish(0);
  end

endmodule

`default_nettype wire
