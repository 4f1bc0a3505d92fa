// SPDX-License-Identifier: Apache-2.0
// One stream into those of all nodes: each word goes to the node that `tdest` names, in each cycle one, a cycle after it
// was taken. A word that its node does not take yet holds up those behind it. One for a node that does not exist is
// dropped and reported.
`default_nettype none

module axis_split #(
  parameter int NODES = 4,
  parameter int WIDTH = 32,
  localparam int NODE_W = (NODES > 1) ? $clog2(NODES) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [WIDTH-1:0]       s_axis_tdata_i,
  input  logic [NODE_W-1:0]      s_axis_tdest_i,
  input  logic                   s_axis_tlast_i,
  input  logic                   s_axis_tvalid_i,
  output logic                   s_axis_tready_o,
  // Of the nodes, as axi_fabric has them.
  output logic [NODES*WIDTH-1:0] m_axis_tdata_o,
  output logic [NODES-1:0]       m_axis_tlast_o,
  output logic [NODES-1:0]       m_axis_tvalid_o,
  input  logic [NODES-1:0]       m_axis_tready_i,
  output logic                   wrong_o          // one cycle: a word was dropped
);

  logic [WIDTH-1:0] data_q;
  logic             last_q;

  assign s_axis_tready_o = (m_axis_tvalid_o & ~m_axis_tready_i) == '0;
  assign m_axis_tdata_o  = {NODES{data_q}};
  assign m_axis_tlast_o  = {NODES{last_q}};

  always_ff @(posedge clk_i) begin
    wrong_o <= rst_ni && s_axis_tvalid_i && s_axis_tready_o && 32'(s_axis_tdest_i) >= NODES;
    for (int n = 0; n < NODES; n++) begin
      if (!rst_ni) m_axis_tvalid_o[n] <= 1'b0;
      else if (s_axis_tready_o) m_axis_tvalid_o[n] <= s_axis_tvalid_i && 32'(s_axis_tdest_i) == n;
    end
    if (s_axis_tready_o) begin
      data_q <= s_axis_tdata_i;
      last_q <= s_axis_tlast_i;
    end
  end

endmodule

`default_nettype wire
