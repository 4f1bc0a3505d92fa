// axi_fabric with the signal names that cocotbext-axi looks for: `s_axil_*`, and for each node `s_axis_*` and
// `m_axis_*` in a scope of its own, gen_node[n]. The nodes use all their ports at once.
`default_nettype none

module bench #(
  parameter int                 DIMS        = 2,
  parameter logic [DIMS*16-1:0] RADICES     = 32'h00030003,
  parameter int                 SLOT_DEPTH  = 64,
  parameter int                 LIST_DEPTH  = 64,
  parameter int                 STORE_DEPTH = 64,
  localparam int NODES = torus_pkg::stride(256'(RADICES), DIMS),
  localparam int PORTS = torus_pkg::first_port(256'(RADICES), DIMS)
) (
  input  wire         clk,
  input  wire         rst_n,
  input  wire  [31:0] s_axil_awaddr,
  input  wire         s_axil_awvalid,
  output logic        s_axil_awready,
  input  wire  [31:0] s_axil_wdata,
  input  wire  [3:0]  s_axil_wstrb,
  input  wire         s_axil_wvalid,
  output logic        s_axil_wready,
  output logic [1:0]  s_axil_bresp,
  output logic        s_axil_bvalid,
  input  wire         s_axil_bready,
  input  wire  [31:0] s_axil_araddr,
  input  wire         s_axil_arvalid,
  output logic        s_axil_arready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp,
  output logic        s_axil_rvalid,
  input  wire         s_axil_rready
);

  logic [NODES*32-1:0] in_data, out_data;
  logic [NODES*8-1:0]  out_user;
  logic [NODES-1:0]    in_last, in_valid, in_ready, out_last, out_valid, out_ready;

  for (genvar n = 0; n < NODES; n++) begin : gen_node
    logic [31:0] s_axis_tdata, m_axis_tdata;
    logic [7:0]  m_axis_tuser;
    logic        s_axis_tlast, s_axis_tvalid, s_axis_tready, m_axis_tlast, m_axis_tvalid, m_axis_tready;

    assign in_data[n*32+:32] = s_axis_tdata;
    assign in_last[n]        = s_axis_tlast;
    assign in_valid[n]       = s_axis_tvalid;
    assign s_axis_tready     = in_ready[n];
    assign m_axis_tdata      = out_data[n*32+:32];
    assign m_axis_tuser      = out_user[n*8+:8];
    assign m_axis_tlast      = out_last[n];
    assign m_axis_tvalid     = out_valid[n];
    assign out_ready[n]      = m_axis_tready;
  end

  axi_fabric #(
    .DIMS(DIMS), .RADICES(RADICES), .CHANNELS(PORTS),
    .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH)
  ) i_fabric (
    .clk_i(clk), .rst_ni(rst_n), .start_i(1'b0),
    .s_axi_awaddr_i(s_axil_awaddr), .s_axi_awvalid_i(s_axil_awvalid), .s_axi_awready_o(s_axil_awready),
    .s_axi_wdata_i(s_axil_wdata), .s_axi_wstrb_i(s_axil_wstrb),
    .s_axi_wvalid_i(s_axil_wvalid), .s_axi_wready_o(s_axil_wready),
    .s_axi_bresp_o(s_axil_bresp), .s_axi_bvalid_o(s_axil_bvalid), .s_axi_bready_i(s_axil_bready),
    .s_axi_araddr_i(s_axil_araddr), .s_axi_arvalid_i(s_axil_arvalid), .s_axi_arready_o(s_axil_arready),
    .s_axi_rdata_o(s_axil_rdata), .s_axi_rresp_o(s_axil_rresp),
    .s_axi_rvalid_o(s_axil_rvalid), .s_axi_rready_i(s_axil_rready),
    .s_axis_tdata_i(in_data), .s_axis_tlast_i(in_last), .s_axis_tvalid_i(in_valid), .s_axis_tready_o(in_ready),
    .m_axis_tdata_o(out_data), .m_axis_tuser_o(out_user), .m_axis_tlast_o(out_last),
    .m_axis_tvalid_o(out_valid), .m_axis_tready_i(out_ready)
  );

endmodule

`default_nettype wire
