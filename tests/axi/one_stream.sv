// axi_fabric with its streams in one each way (axis_merge, axis_split), and another pair that makes those of the nodes of them
// again: the pins are those of axi_fabric, whose test benches drive it.
`default_nettype none

module one_stream #(
  parameter int                 DIMS        = 1,
  parameter logic [DIMS*16-1:0] RADICES     = {DIMS{16'd4}},
  parameter int                 CHANNELS    = 1,
  parameter int                 SLOT_DEPTH  = 256,
  parameter int                 LIST_DEPTH  = 256,
  parameter int                 STORE_DEPTH = 1024,
  localparam int NODES  = torus_pkg::stride(256'(RADICES), DIMS),
  localparam int NODE_W = $clog2(NODES)
) (
  input  logic                clk_i, rst_ni, start_i,
  output logic                irq_o,
  input  logic [31:0]         s_axi_awaddr_i, s_axi_wdata_i, s_axi_araddr_i,
  input  logic [3:0]          s_axi_wstrb_i,
  input  logic                s_axi_awvalid_i, s_axi_wvalid_i, s_axi_bready_i, s_axi_arvalid_i, s_axi_rready_i,
  output logic                s_axi_awready_o, s_axi_wready_o, s_axi_bvalid_o, s_axi_arready_o, s_axi_rvalid_o,
  output logic [1:0]          s_axi_bresp_o, s_axi_rresp_o,
  output logic [31:0]         s_axi_rdata_o,
  input  logic [NODES*32-1:0] s_axis_tdata_i,
  input  logic [NODES-1:0]    s_axis_tlast_i, s_axis_tvalid_i, m_axis_tready_i,
  output logic [NODES-1:0]    s_axis_tready_o, m_axis_tlast_o, m_axis_tvalid_o,
  output logic [NODES*32-1:0] m_axis_tdata_o,
  output logic [NODES*8-1:0]  m_axis_tuser_o
);

  logic [NODES*32-1:0] in_data, out_data;
  logic [NODES*8-1:0]  out_user;
  logic [NODES*40-1:0] both;
  logic [NODES-1:0]    in_last, in_valid, in_ready, out_last, out_valid, out_ready;
  logic [31:0]         one_data, all_data;
  logic [7:0]          all_user;
  logic [NODE_W-1:0]   one_node, all_node;
  logic                one_last, one_valid, one_ready, all_last, all_valid, all_ready;

  axis_merge #(.NODES(NODES)) i_from_bench (
    .*, .s_axis_tuser_i('0), .m_axis_tdata_o(one_data), .m_axis_tuser_o(), .m_axis_tid_o(one_node), .m_axis_tlast_o(one_last),
    .m_axis_tvalid_o(one_valid), .m_axis_tready_i(one_ready)
  );

  axis_split #(.NODES(NODES)) i_split (
    .clk_i, .rst_ni, .s_axis_tdata_i(one_data), .s_axis_tdest_i(one_node), .s_axis_tlast_i(one_last),
    .s_axis_tvalid_i(one_valid), .s_axis_tready_o(one_ready),
    .m_axis_tdata_o(in_data), .m_axis_tlast_o(in_last), .m_axis_tvalid_o(in_valid), .m_axis_tready_i(in_ready), .wrong_o()
  );

  axi_fabric #(
    .DIMS(DIMS), .RADICES(RADICES), .CHANNELS(CHANNELS), .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH)
  ) i_fabric (
    .*, .s_axis_tdata_i(in_data), .s_axis_tlast_i(in_last), .s_axis_tvalid_i(in_valid), .s_axis_tready_o(in_ready),
    .m_axis_tdata_o(out_data), .m_axis_tuser_o(out_user), .m_axis_tlast_o(out_last), .m_axis_tvalid_o(out_valid),
    .m_axis_tready_i(out_ready)
  );

  axis_merge #(.NODES(NODES)) i_merge (
    .clk_i, .rst_ni, .s_axis_tdata_i(out_data), .s_axis_tuser_i(out_user), .s_axis_tlast_i(out_last), .s_axis_tvalid_i(out_valid),
    .s_axis_tready_o(out_ready), .m_axis_tdata_o(all_data), .m_axis_tuser_o(all_user), .m_axis_tid_o(all_node),
    .m_axis_tlast_o(all_last), .m_axis_tvalid_o(all_valid), .m_axis_tready_i(all_ready)
  );

  axis_split #(.NODES(NODES), .WIDTH(40)) i_to_bench (
    .*, .s_axis_tdata_i({all_user, all_data}), .s_axis_tdest_i(all_node), .s_axis_tlast_i(all_last),
    .s_axis_tvalid_i(all_valid), .s_axis_tready_o(all_ready), .m_axis_tdata_o(both), .wrong_o()
  );

  for (genvar n = 0; n < NODES; n++) begin : gen_node
    assign m_axis_tdata_o[n*32+:32] = both[n*40+:32];
    assign m_axis_tuser_o[n*8+:8]   = both[n*40+32+:8];
  end

endmodule

`default_nettype wire
