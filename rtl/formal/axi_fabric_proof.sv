// SPDX-License-Identifier: Apache-2.0
// A fabric behind AXI, complete except for its nodes' cores: axi_fabric with two nodes, each with its
// configuration port and the part of a core that this port sees. The master and the streams may do anything at
// any time; a table ends after any number of cycles, with errors or without.
//
//  1. A word of a table never goes to the bank that the fabric runs or will run next, whatever the fabric is
//     doing, and every word that AXI4-Lite accepts is written.
//  2. Nobody restarts a node while its table runs, except by an abort; TREE + 2 cycles after an abort is written no
//     table runs.
//  3. The start pulse comes when every node waits for it, no restart is under way, and all nodes use the same
//     bank, the one that the status shows; this bank stays while a table runs.
//  4. The fabric changes its bank only at a swap, and never while a table runs.
//  5. Nobody but an abort restarts a node within a packet: neither one that comes in nor one that goes out.
//  6. A node starts with as many own words as its tables take, and they have been written since it last started.
//  7. What a node offers on its stream out stays until it is taken, also in an abort.
//
// With a tree (TREE) the nodes see all of it so many cycles later.
`default_nettype none

module switch_node #(
  parameter int PORTS       = 4,
  parameter int FLIT_W      = 32,
  parameter KIND            = "full_duplex",
  parameter logic        SINGLE_PORT = 1'b0,
  parameter int CHANNELS    = 1,
  parameter logic        JOIN        = 1'b0,
  parameter logic        ALL_OPS     = 1'b0,
  parameter logic [31:0] MODEL       = '0,
  parameter int SLOT_DEPTH  = 256,
  parameter int LIST_DEPTH  = 256,
  parameter int STORE_DEPTH = 1024,
  parameter int OWN_DEPTH   = 0,
  parameter              SHARED      = 1'b0,
  parameter int LEN_W       = gossamer_pkg::SLOT_LEN_W,
  parameter int REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,
  parameter logic [PORTS*8-1:0] LINK_STAGES = '0,
  parameter logic        DOUBLE_BUFFERED = 1'b0,
  parameter              IMAGE       = ""
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    start_i,
  input  logic                    cfg_valid_i,
  input  logic                    cfg_write_i,
  input  logic [31:0]             cfg_addr_i,
  input  logic [31:0]             cfg_wdata_i,
  output logic [31:0]             cfg_rdata_o,
  output logic [PORTS-1:0]        link_valid_o,
  output logic [PORTS-1:0]        link_last_o,
  output logic [PORTS*FLIT_W-1:0] link_data_o,
  input  logic [PORTS-1:0]        link_valid_i,
  input  logic [PORTS-1:0]        link_last_i,
  input  logic [PORTS*FLIT_W-1:0] link_data_i,
  output logic                    done_o,
  output logic                    error_o
);

  localparam int LOGS   = SINGLE_PORT ? 1 : PORTS;
  localparam int ADDR_W = $clog2(STORE_DEPTH + 1);

  (* anyseq *) logic                                 ends;  // the table, if it runs
  (* anyseq *) logic [gossamer_pkg::ERROR_CODES-1:0] errors;
  (* anyseq *) logic [LOGS*ADDR_W-1:0]               lengths;

  logic slot_write, list_write, restart, bank, waits, runs, table_write, write_bank, own_write;
  logic [ADDR_W-1:0] own_words;

  config_port #(
    .PORTS(PORTS), .FLIT_W(FLIT_W),
    .MODEL(MODEL | (32'(DOUBLE_BUFFERED) << gossamer_pkg::MODEL_DOUBLE_BUFFERED)),
    .CHANNELS(CHANNELS), .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH),
    .LOGS(LOGS)
  ) i_config_port (
    .clk_i, .rst_ni,
    .valid_i(cfg_valid_i), .write_i(cfg_write_i), .addr_i(cfg_addr_i), .wdata_i(cfg_wdata_i),
    .rdata_o(cfg_rdata_o), .slot_write_o(slot_write), .list_write_o(list_write),
    .store_write_o(), .store_read_o(), .store_rdata_i('0),
    .restart_o(restart), .bank_o(bank), .program_o(), .keep_o(), .busy_i(runs || (start_i && waits)), .own_words_o(own_words), .dead_o(),
    .dead_after_o(), .shift_o(), .partner_o(), .initiated_o(), .initiator_o(), .arrived_i('0),
    .done_i(done_o), .errors_i(errors), .first_error_i('0), .first_error_slot_i('0),
    .first_error_port_i('0), .log_length_i(lengths)
  );

  assign table_write = slot_write || list_write ||
                       (cfg_valid_i && cfg_write_i && 32'(cfg_addr_i[30:28]) == axi_pkg::AXI_PACKET);
  assign write_bank  = cfg_addr_i[gossamer_pkg::CFG_BANK_LSB];
  assign own_write   = cfg_valid_i && cfg_write_i && cfg_addr_i == gossamer_pkg::CFG_OWN_WORDS;

  // ---- The core: it waits for the start, runs, or has ended.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || restart) begin
      waits <= 1'b1;
      runs  <= 1'b0;
    end else if (waits && start_i) begin
      waits <= 1'b0;
      runs  <= 1'b1;
    end else if (ends) begin
      runs  <= 1'b0;
    end
  end

  assign done_o       = !waits && !runs;
  assign error_o      = |errors;
  assign link_valid_o = '0;
  assign link_last_o  = '0;
  assign link_data_o  = '0;

  logic unused;
  assign unused = ^{link_valid_i, link_last_i, link_data_i};

endmodule

module axi_fabric_proof #(
  parameter int  TREE   = 0,
  parameter logic OWN = 1'b0,  // rule 6 alone, or all others
  localparam int NODES  = 2,
  localparam int ADDR_W = 32,
  localparam int STORE  = 2,
  localparam int WORDS_W = $clog2(STORE + 1)
) (
  input logic                clk_i,
  input logic                start_i,
  input logic [ADDR_W-1:0]   awaddr_i,
  input logic                awvalid_i,
  input logic [31:0]         wdata_i,
  input logic [3:0]          wstrb_i,
  input logic                wvalid_i,
  input logic                bready_i,
  input logic [ADDR_W-1:0]   araddr_i,
  input logic                arvalid_i,
  input logic                rready_i,
  input logic [NODES*32-1:0] tdata_i,
  input logic [NODES-1:0]    tlast_i,
  input logic [NODES-1:0]    tvalid_i,
  input logic [NODES-1:0]    tready_i
);

  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  logic [NODES*32-1:0] out_data;
  logic [NODES*8-1:0]  out_user;
  logic [NODES-1:0]    out_last, out_valid;

  axi_fabric #(
    .RADICES(16'd2), .WRAP(1'b0), .SLOT_DEPTH(2), .LIST_DEPTH(2), .STORE_DEPTH(STORE), .ADDR_W(ADDR_W),
    .TREE_STAGES(TREE)
  ) i_fabric (
    .clk_i, .rst_ni(started), .start_i, .irq_o(),
    .s_axi_awaddr_i(awaddr_i), .s_axi_awvalid_i(awvalid_i), .s_axi_awready_o(),
    .s_axi_wdata_i(wdata_i), .s_axi_wstrb_i(wstrb_i), .s_axi_wvalid_i(wvalid_i), .s_axi_wready_o(),
    .s_axi_bresp_o(), .s_axi_bvalid_o(), .s_axi_bready_i(bready_i),
    .s_axi_araddr_i(araddr_i), .s_axi_arvalid_i(arvalid_i), .s_axi_arready_o(),
    .s_axi_rdata_o(), .s_axi_rresp_o(), .s_axi_rvalid_o(), .s_axi_rready_i(rready_i),
    .s_axis_tdata_i(tdata_i), .s_axis_tlast_i(tlast_i), .s_axis_tvalid_i(tvalid_i), .s_axis_tready_o(),
    .m_axis_tdata_o(out_data), .m_axis_tuser_o(out_user), .m_axis_tlast_o(out_last), .m_axis_tvalid_o(out_valid),
    .m_axis_tready_i(tready_i)
  );

  // Inside.
  (* hierconn *) logic \i_fabric.bank , \i_fabric.swap , \i_fabric.start , \i_fabric.table_write ;
  (* hierconn *) logic \i_fabric.restart , \i_fabric.idle , \i_fabric.write_run , \i_fabric.ask_abort ;
  (* hierconn *) logic \i_fabric.gen_node[0].i_node.waits , \i_fabric.gen_node[1].i_node.waits ;
  (* hierconn *) logic \i_fabric.gen_node[0].i_node.runs , \i_fabric.gen_node[1].i_node.runs ;
  (* hierconn *) logic \i_fabric.gen_node[0].i_node.bank , \i_fabric.gen_node[1].i_node.bank ;
  (* hierconn *) logic \i_fabric.gen_node[0].i_node.restart , \i_fabric.gen_node[1].i_node.restart ;
  (* hierconn *) logic \i_fabric.gen_node[0].i_node.table_write , \i_fabric.gen_node[1].i_node.table_write ;
  (* hierconn *) logic \i_fabric.gen_node[0].i_node.write_bank , \i_fabric.gen_node[1].i_node.write_bank ;
  (* hierconn *) logic \i_fabric.gen_node[0].i_node.start_i , \i_fabric.gen_node[1].i_node.start_i ;
  (* hierconn *) logic \i_fabric.gen_node[0].i_node.own_write , \i_fabric.gen_node[1].i_node.own_write ;
  (* hierconn *) logic [WORDS_W-1:0] \i_fabric.gen_node[0].i_node.own_words , \i_fabric.gen_node[1].i_node.own_words ;
  (* hierconn *) logic [WORDS_W-1:0] \i_fabric.gen_node[0].i_port.i_inject.need_q , \i_fabric.gen_node[1].i_port.i_inject.need_q ;
  (* hierconn *) logic [WORDS_W-1:0] \i_fabric.gen_node[0].i_port.i_inject.count_q , \i_fabric.gen_node[1].i_port.i_inject.count_q ;
  (* hierconn *) logic [1:0] \i_fabric.gen_node[0].i_port.i_inject.state_q , \i_fabric.gen_node[1].i_port.i_inject.state_q ;
  (* hierconn *) logic [2:0] \i_fabric.i_period.state_q ;
  (* hierconn *) logic \i_fabric.gen_node[0].restarts , \i_fabric.gen_node[1].restarts ;
  (* hierconn *) logic \i_fabric.gen_node[0].hold_here , \i_fabric.gen_node[1].hold_here ;

  logic             bank, swap;
  logic             aborting;  // the nodes are restarted, or will be in so many cycles
  logic             start, bank_then, table_write, aborts, stopped;  // TREE cycles later
  logic             stop_q = 1'b0, stopped_q = 1'b0;
  logic [NODES-1:0] waits, runs, banks, restart, write, write_bank, starts, restarts, holds, own_write;
  logic [NODES-1:0] fresh_q = '0;          // own words have been written since the last start
  logic [NODES*WORDS_W-1:0] own, need, count;
  logic [NODES-1:0] taken;                 // a packet

  assign bank       = \i_fabric.bank ;
  assign swap       = \i_fabric.swap ;
  assign starts     = {\i_fabric.gen_node[1].i_node.start_i , \i_fabric.gen_node[0].i_node.start_i };
  assign restarts   = {\i_fabric.gen_node[1].restarts , \i_fabric.gen_node[0].restarts };
  assign holds      = {\i_fabric.gen_node[1].hold_here , \i_fabric.gen_node[0].hold_here };
  assign waits      = {\i_fabric.gen_node[1].i_node.waits , \i_fabric.gen_node[0].i_node.waits };
  assign runs       = {\i_fabric.gen_node[1].i_node.runs , \i_fabric.gen_node[0].i_node.runs };
  assign banks      = {\i_fabric.gen_node[1].i_node.bank , \i_fabric.gen_node[0].i_node.bank };
  assign restart    = {\i_fabric.gen_node[1].i_node.restart , \i_fabric.gen_node[0].i_node.restart };
  assign write      = {\i_fabric.gen_node[1].i_node.table_write , \i_fabric.gen_node[0].i_node.table_write };
  assign write_bank = {\i_fabric.gen_node[1].i_node.write_bank , \i_fabric.gen_node[0].i_node.write_bank };

  assign own_write  = {\i_fabric.gen_node[1].i_node.own_write , \i_fabric.gen_node[0].i_node.own_write };
  assign own        = {\i_fabric.gen_node[1].i_node.own_words , \i_fabric.gen_node[0].i_node.own_words };
  assign need       = {\i_fabric.gen_node[1].i_port.i_inject.need_q , \i_fabric.gen_node[0].i_port.i_inject.need_q };
  assign count      = {\i_fabric.gen_node[1].i_port.i_inject.count_q , \i_fabric.gen_node[0].i_port.i_inject.count_q };
  assign taken      = {\i_fabric.gen_node[1].i_port.i_inject.state_q == 2'd2, \i_fabric.gen_node[0].i_port.i_inject.state_q == 2'd2};

  assign aborting = \i_fabric.restart && \i_fabric.idle ;

  broadcast_tree #(.STAGES(TREE), .LEAVES(1), .WIDTH(5)) i_delay (
    .clk_i, .rst_ni(started),
    .data_i({\i_fabric.start , \i_fabric.bank , \i_fabric.table_write , aborting, stop_q}),
    .data_o({start, bank_then, table_write, aborts, stopped})
  );

  // ---- Rules.
  logic bank_q = 1'b0, swap_q = 1'b0, any_q = 1'b0;
  logic [NODES-1:0]    offered_q = '0;
  logic [NODES*41-1:0] out, out_q;

  for (genvar n = 0; n < NODES; n++) begin : gen_out
    assign out[n*41+:41] = {out_last[n], out_user[n*8+:8], out_data[n*32+:32]};
  end

  always_ff @(posedge clk_i) begin
    fresh_q   <= (fresh_q & ~starts) | (own_write & {NODES{started}});
    offered_q <= out_valid & ~tready_i & {NODES{started}};
    out_q     <= out;
    bank_q <= started && bank;
    swap_q <= started && swap;
    any_q  <= started && runs != '0;
    stop_q <= started && \i_fabric.write_run && \i_fabric.ask_abort ;
    stopped_q <= started && stopped;
  end

  always_comb begin
    // 6. What makes it so: a packet that was taken is the own words. Without a tree they are right from the restart
    // (the states 1 to 3) to the start.
    for (int n = 0; n < NODES; n++) begin
      if (started && OWN && need[n*WORDS_W+:WORDS_W] != '0 &&
          (starts[n] || (TREE == 0 && \i_fabric.i_period.state_q != 3'd0 && \i_fabric.i_period.state_q < 3'd4 )))
        assert (fresh_q[n] && own[n*WORDS_W+:WORDS_W] == need[n*WORDS_W+:WORDS_W]);
      if (started && OWN && taken[n])
        assert (fresh_q[n] && own[n*WORDS_W+:WORDS_W] == count[n*WORDS_W+:WORDS_W]);
    end
    if (started && !OWN) begin
      // 1.
      for (int n = 0; n < NODES; n++) if (write[n]) assert (write_bank[n] != bank_then);
      if (table_write) assert (write != '0);
      // 2.
      if (!aborts) assert ((restart & runs) == '0);
      if (stopped_q) assert (runs == '0);
      // 3.
      assert (starts == {NODES{start}});
      if (start) assert (waits == '1 && restart == '0 && banks == {NODES{banks[0]}});
      if (start && !aborting) assert (banks[0] == bank);
      for (int n = 0; n < NODES; n++) if (runs[n] && !aborting) assert (banks[n] == bank);
      // 4.
      if (bank != bank_q) assert (swap_q && (aborting || !(any_q && runs != '0)));
      // 5.
      if (!aborts) assert ((restarts & holds) == '0);
      // 7.
      for (int n = 0; n < NODES; n++)
        if (offered_q[n]) assert (out_valid[n] && out[n*41+:41] == out_q[n*41+:41]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (started) begin
      cover (write[0] && runs == '1 && bank);  // new tables come while earlier new tables run
      cover (write[1] && !bank && restart != '0);
      cover (swap && runs == '0 && waits == '0);
    end
  end

endmodule

`default_nettype wire
