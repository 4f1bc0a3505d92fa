// SPDX-License-Identifier: Apache-2.0
// AXI4-Streams at a node's local port, in front of its configuration port: one in, which fills its
// message store before a period, one out, which empties it after the period. The node's
// configuration passes through and has priority; while it is idle, arrivals are sent, then new
// words are received.
`default_nettype none

module axis_port #(
  parameter int   PORTS       = 4,     // as in switch_node
  parameter logic SINGLE_PORT = 1'b0,
  parameter int   STORE_DEPTH = 1024,
  parameter int   OWN_DEPTH   = STORE_DEPTH,  // own words
  parameter int   PROGRAMS    = 1,     // that the tables hold
  parameter       IMAGE       = ""     // as in axis_inject
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Periods.
  input  logic        idle_i,          // no period is running
  input  logic        ended_i,         // one cycle: a period has ended
  input  logic        shut_i,          // a period is about to begin: no incoming packet may
  input  logic        cancel_i,        // an incoming packet that has begun is dropped
  input  logic        swap_i,          // new tables are taken
  input  logic [gossamer_pkg::CONTROL_PROGRAM_W-1:0] program_i,  // the program that runs next
  input  logic        abort_i,         // arrivals that have not been sent are dropped
  output logic        sending_o,       // not all arrivals have been sent
  output logic        begun_o,         // within an incoming packet
  output logic        missing_o,       // the packet that the tables take has not come
  output logic        drop_o,          // one cycle: an incoming packet is dropped
  // AXI4-Stream in: own words.
  input  logic [31:0] s_axis_tdata_i,
  input  logic        s_axis_tlast_i,
  input  logic        s_axis_tvalid_i,
  output logic        s_axis_tready_o,
  // AXI4-Stream out: arrivals.
  output logic [31:0] m_axis_tdata_o,
  output logic [7:0]  m_axis_tuser_o,  // port of arrival
  output logic        m_axis_tlast_o,
  output logic        m_axis_tvalid_o,
  input  logic        m_axis_tready_i,
  // The node's configuration port, for others ...
  input  logic        bus_valid_i,
  input  logic        bus_write_i,
  input  logic [31:0] bus_addr_i,
  input  logic [31:0] bus_wdata_i,
  // ... and at the node.
  output logic        cfg_valid_o,
  output logic        cfg_write_o,
  output logic [31:0] cfg_addr_o,
  output logic [31:0] cfg_wdata_o,
  input  logic [31:0] cfg_rdata_i
);

  // AXI4-Lite writes the length that packets must have, or the number of words that it has written itself.
  logic sets_need, sets_own, restarts, unset;

  assign sets_need = bus_valid_i && bus_write_i &&
                     32'(bus_addr_i[gossamer_pkg::CFG_REGION_LSB+:gossamer_pkg::CFG_REGION_W]) == axi_pkg::AXI_PACKET;
  assign sets_own  = bus_valid_i && bus_write_i && bus_addr_i == gossamer_pkg::CFG_OWN_WORDS;

  // A node that gets no words has none that others, or other tables, have left.
  assign restarts  = bus_valid_i && bus_write_i && bus_addr_i == gossamer_pkg::CFG_CONTROL;

  logic        eject_valid, eject_ready, eject_busy, inject_valid, inject_ready;
  logic [31:0] eject_addr, inject_addr, inject_wdata;

  axis_eject #(
    .PORTS(PORTS), .SINGLE_PORT(SINGLE_PORT), .STORE_DEPTH(STORE_DEPTH)
  ) i_eject (
    .clk_i, .rst_ni, .start_i(ended_i), .abort_i, .busy_o(eject_busy),
    .cfg_valid_o(eject_valid), .cfg_ready_i(eject_ready), .cfg_addr_o(eject_addr), .cfg_rdata_i,
    .m_axis_tdata_o, .m_axis_tuser_o, .m_axis_tlast_o, .m_axis_tvalid_o, .m_axis_tready_i
  );

  // Own words may share a log with arrivals, which their number separates: none is written until all has been sent.
  axis_inject #(
    .PORTS(PORTS), .SINGLE_PORT(SINGLE_PORT), .STORE_DEPTH(STORE_DEPTH), .OWN_DEPTH(OWN_DEPTH), .PROGRAMS(PROGRAMS), .IMAGE(IMAGE)
  ) i_inject (
    .clk_i, .rst_ni, .enable_i(idle_i && !sending_o), .shut_i, .cancel_i,
    .program_i, .swap_i, .need_write_i(sets_need), .need_of_i(bus_addr_i[gossamer_pkg::CONTROL_PROGRAM_W-1:0]), .own_write_i(sets_own), .words_i(bus_wdata_i),
    .start_i(restarts && !idle_i), .keep_i(bus_wdata_i[gossamer_pkg::CONTROL_KEEP]), .unset_o(unset),
    .s_axis_tdata_i, .s_axis_tlast_i, .s_axis_tvalid_i, .s_axis_tready_o,
    .cfg_valid_o(inject_valid), .cfg_ready_i(inject_ready), .cfg_addr_o(inject_addr),
    .cfg_wdata_o(inject_wdata), .missing_o, .busy_o(begun_o), .drop_o
  );

  assign sending_o    = (ended_i && !abort_i) || eject_busy;
  assign eject_ready  = !bus_valid_i;
  assign inject_ready = !bus_valid_i;  // inject is enabled, and requests, only while nothing is sent
  assign cfg_valid_o  = bus_valid_i || eject_valid || inject_valid;
  assign cfg_wdata_o  = bus_valid_i ? bus_wdata_i | (32'(restarts && unset) << gossamer_pkg::CONTROL_NO_WORDS) : inject_wdata;

  always_comb begin
    cfg_write_o = !eject_valid;
    cfg_addr_o  = eject_valid ? eject_addr : inject_addr;
    if (bus_valid_i) begin
      cfg_write_o = bus_write_i;
      cfg_addr_o  = bus_addr_i;
    end
  end

endmodule

`default_nettype wire
