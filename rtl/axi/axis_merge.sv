// SPDX-License-Identifier: Apache-2.0
// Streams of all nodes in one: a packet is sent to its end, then the next node that has a word begins one, in turn.
// A word passes in each cycle, a cycle after it was taken. `tid` is the node that it comes from.
`default_nettype none

module axis_merge #(
  parameter int NODES = 4,
  parameter int WIDTH = 32,
  localparam int NODE_W = (NODES > 1) ? $clog2(NODES) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Of the nodes, as axi_fabric has them.
  input  logic [NODES*WIDTH-1:0] s_axis_tdata_i,
  input  logic [NODES*8-1:0]     s_axis_tuser_i,
  input  logic [NODES-1:0]       s_axis_tlast_i,
  input  logic [NODES-1:0]       s_axis_tvalid_i,
  output logic [NODES-1:0]       s_axis_tready_o,
  // Together.
  output logic [WIDTH-1:0]       m_axis_tdata_o,
  output logic [7:0]             m_axis_tuser_o,
  output logic [NODE_W-1:0]      m_axis_tid_o,
  output logic                   m_axis_tlast_o,
  output logic                   m_axis_tvalid_o,
  input  logic                   m_axis_tready_i
);

  logic [NODES-1:0]   turn_q;    // whose turn it is: one bit is set
  logic               within_q;  // ... and it is within a packet
  logic               moves, take, last;
  logic [NODES-1:0]   others;    // nodes that have a word and not their turn
  logic [2*NODES-1:0] twice, first;
  logic [WIDTH-1:0]   data;
  logic [7:0]         user;
  logic [NODE_W-1:0]  id;

  assign moves           = !m_axis_tvalid_o || m_axis_tready_i;
  assign s_axis_tready_o = turn_q & {NODES{moves}};
  assign take            = (s_axis_tvalid_i & s_axis_tready_o) != '0;
  assign last            = (s_axis_tlast_i & turn_q) != '0;

  // The first one behind the one whose turn it is, around the end.
  assign others = s_axis_tvalid_i & ~turn_q;
  assign twice  = {others, others};
  assign first  = twice & ~(twice - (2*NODES)'(turn_q));

  always_comb begin
    data = '0;
    user = '0;
    id   = '0;
    for (int n = 0; n < NODES; n++) begin
      data = data | (s_axis_tdata_i[n*WIDTH+:WIDTH] & {WIDTH{turn_q[n]}});
      user = user | (s_axis_tuser_i[n*8+:8] & {8{turn_q[n]}});
      id   = id | (NODE_W'(n) & {NODE_W{turn_q[n]}});
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q          <= NODES'(1);
      within_q        <= 1'b0;
      m_axis_tvalid_o <= 1'b0;
    end else begin
      if (moves) m_axis_tvalid_o <= take;
      if (take) within_q <= !last;
      // If nobody else has a word, the same one can go on.
      if (others != '0 && (take ? last : !within_q && (s_axis_tvalid_i & turn_q) == '0)) begin
        turn_q <= first[NODES+:NODES] | first[0+:NODES];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (moves) begin
      m_axis_tdata_o <= data;
      m_axis_tuser_o <= user;
      m_axis_tid_o   <= id;
      m_axis_tlast_o <= last;
    end
  end

endmodule

`default_nettype wire
