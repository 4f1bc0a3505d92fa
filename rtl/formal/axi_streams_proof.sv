// SPDX-License-Identifier: Apache-2.0
// The streams of three nodes in one (axis_merge), and one into those of three (axis_split). Nodes and the others may do
// anything that AXI4-Stream allows, at any time.
//
//  1. What is taken is on the stream behind it in the next cycle, with its node, and stays until it is taken. Nothing else
//     is there. So nothing is lost, added or overtaken.
//  2. Packets of the nodes are not mixed.
//  3. If another node had a word when a packet's last one was taken, a word is taken in the next cycle, if there is room.
//  4. A node that has a word waits for one packet of each other node at most.
//  5. A word for a node that does not exist is reported, and goes nowhere.
`default_nettype none

module axi_streams_proof #(
  localparam int NODES = 3,
  localparam int WIDTH = 2
) (
  input logic                   clk_i,
  input logic [NODES*WIDTH-1:0] data_i,
  input logic [NODES*8-1:0]     user_i,
  input logic [NODES-1:0]       last_i,
  input logic [NODES-1:0]       valid_i,
  input logic                   one_ready_i,
  input logic [WIDTH-1:0]       one_data_i,
  input logic [1:0]             one_dest_i,
  input logic                   one_last_i,
  input logic                   one_valid_i,
  input logic [NODES-1:0]       ready_i
);

  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // ---- Many into one.
  logic [NODES-1:0] takes;
  logic             full, last;
  logic [WIDTH-1:0] data;
  logic [7:0]       user;
  logic [1:0]       id;

  axis_merge #(.NODES(NODES), .WIDTH(WIDTH)) i_merge (
    .clk_i, .rst_ni(started),
    .s_axis_tdata_i(data_i), .s_axis_tuser_i(user_i), .s_axis_tlast_i(last_i), .s_axis_tvalid_i(valid_i), .s_axis_tready_o(takes),
    .m_axis_tdata_o(data), .m_axis_tuser_o(user), .m_axis_tid_o(id), .m_axis_tlast_o(last), .m_axis_tvalid_o(full),
    .m_axis_tready_i(one_ready_i)
  );

  localparam int WORD_W = WIDTH + 11;
  logic              was_q = 1'b0;      // a word must be on the one stream ...
  logic [WORD_W-1:0] word_q = '0;       // ... this one
  logic              within_q = 1'b0;   // the last word that was taken did not end its packet ...
  logic [1:0]        of_q = '0;         // ... which was this node's
  logic              other_q = 1'b0;    // it did, and another node had a word
  logic [NODES-1:0]  waits_q = '0;      // offered, and not taken
  logic [NODES*WORD_W-1:0] offers_q = '0;
  logic [NODES*2-1:0] packets_q = '0;   // that ended while the node waited
  logic [NODES-1:0]  taken;
  logic [NODES*WORD_W-1:0] offers;

  assign taken = takes & valid_i & {NODES{started}};

  for (genvar n = 0; n < NODES; n++) begin : gen_offer
    assign offers[n*WORD_W+:WORD_W] = {2'(n), last_i[n], user_i[n*8+:8], data_i[n*WIDTH+:WIDTH]};
  end

  always_ff @(posedge clk_i) begin
    if (taken != '0) was_q <= 1'b1;
    else if (one_ready_i) was_q <= 1'b0;
    other_q  <= 1'b0;
    waits_q  <= valid_i & ~taken & {NODES{started}};
    offers_q <= offers;
    for (int n = 0; n < NODES; n++) begin
      if (taken[n]) begin
        word_q   <= offers[n*WORD_W+:WORD_W];
        within_q <= !last_i[n];
        of_q     <= 2'(n);
        other_q  <= last_i[n] && (valid_i & ~taken) != '0;
      end
      if (taken[n] || !valid_i[n]) packets_q[n*2+:2] <= '0;
      else if ((taken & last_i) != '0) packets_q[n*2+:2] <= packets_q[n*2+:2] + 2'd1;
    end
  end

  always_comb begin
    for (int n = 0; n < NODES; n++)
      assume (!started || !waits_q[n] || (valid_i[n] && offers[n*WORD_W+:WORD_W] == offers_q[n*WORD_W+:WORD_W]));
    if (started) begin
      // 1.
      assert (full == was_q);
      if (full) assert ({id, last, user, data} == word_q);
      assert (taken == '0 || !full || one_ready_i);
      for (int n = 0; n < NODES; n++) begin
        if (taken[n]) assert (taken == NODES'(1) << n);
        // 2.
        if (taken[n] && within_q) assert (of_q == 2'(n));
        // 4.
        assert (32'(packets_q[n*2+:2]) < NODES);
      end
      // 3.
      if (other_q && (!full || one_ready_i)) assert (taken != '0);
    end
    cover (other_q && taken[0] && packets_q[0+:2] == 2'd2);
    cover (within_q && !full && waits_q != '0);
  end

  // ---- One into many.
  logic                   one_takes, wrong;
  logic [NODES*WIDTH-1:0] out_data;
  logic [NODES-1:0]       out_last, out_valid;

  axis_split #(.NODES(NODES), .WIDTH(WIDTH)) i_split (
    .clk_i, .rst_ni(started),
    .s_axis_tdata_i(one_data_i), .s_axis_tdest_i(one_dest_i), .s_axis_tlast_i(one_last_i), .s_axis_tvalid_i(one_valid_i),
    .s_axis_tready_o(one_takes),
    .m_axis_tdata_o(out_data), .m_axis_tlast_o(out_last), .m_axis_tvalid_o(out_valid), .m_axis_tready_i(ready_i), .wrong_o(wrong)
  );

  logic             one_taken, wrong_q = 1'b0, out_last_q = 1'b0;
  logic [NODES-1:0] out_q = '0;  // the node that must have a word
  logic [WIDTH-1:0] out_data_q = '0;

  assign one_taken = one_takes && one_valid_i && started;

  always_ff @(posedge clk_i) begin
    wrong_q <= one_taken && 32'(one_dest_i) >= NODES;
    out_q   <= (out_q & ~ready_i) | (one_taken ? NODES'(1) << one_dest_i : '0);
    if (one_taken) {out_last_q, out_data_q} <= {one_last_i, one_data_i};
  end

  always_comb begin
    if (started) begin
      // 1.
      assert (out_valid == out_q);
      assert (!one_taken || (out_q & ~ready_i) == '0);
      for (int n = 0; n < NODES; n++)
        if (out_q[n]) assert ({out_last[n], out_data[n*WIDTH+:WIDTH]} == {out_last_q, out_data_q});
      // 5.
      assert (wrong == wrong_q);
      // Words pass in each cycle.
      if ((out_q & ~ready_i) == '0) assert (one_takes);
    end
    cover (wrong && out_valid == '0);
    cover (out_q[2] && one_taken && one_dest_i == 2'd0);
  end

endmodule

`default_nettype wire
