// SPDX-License-Identifier: Apache-2.0
// A crossbar and, behind it, a second one: two hops of a circuit.
//
//  1. An output has one source: the other inputs do not change it.
//  2. What entered an output's source leaves the output one cycle later, flit by flit, so in order
//     and without loss; over two hops two cycles later. Nothing else ever leaves.
//  3. An output whose slot is unused (no source) is silent.
//
// Legal, as the sequencer does it: forward_i names the inputs that some select names, and send_i at least the
// outputs that have a source. It follows from rule 2 that `busy` and send_i, which simulation uses, change
// nothing.
`default_nettype none

module crossbar_proof #(
  parameter logic ONE_CYCLE = 1'b0,
  parameter int   OUT       = 0,  // the output that is checked
  localparam int  PORTS     = 4,
  localparam int  FLIT_W    = 2,
  localparam int  SELECT_W  = 3
) (
  input logic                      clk_i,
  input logic [PORTS*SELECT_W-1:0] select_i,
  input logic [PORTS-1:0]          send_i,
  input logic [PORTS-1:0]          valid_i,
  input logic [PORTS-1:0]          last_i,
  input logic [PORTS*FLIT_W-1:0]   data_i,
  input logic [PORTS-1:0]          other_valid_i,  // other flits for the other inputs
  input logic [PORTS-1:0]          other_last_i,
  input logic [PORTS*FLIT_W-1:0]   other_data_i,
  input logic                      local_valid_i,
  input logic                      local_last_i,
  input logic [FLIT_W-1:0]         local_data_i
);

  logic [SELECT_W-1:0] source;
  logic [1:0]          from;
  logic                none, is_local;

  assign source   = select_i[OUT*SELECT_W+:SELECT_W];
  assign from     = source[1:0];
  assign none     = source == SELECT_W'(PORTS);
  assign is_local = source == SELECT_W'(OUT);

  always_comb assume (source <= SELECT_W'(PORTS));

  for (genvar o = 0; o < PORTS; o++) begin : gen_send
    always_comb assume (send_i[o] || select_i[o*SELECT_W+:SELECT_W] >= SELECT_W'(PORTS));
  end

  logic [PORTS-1:0] forward;

  always_comb begin
    forward = '0;
    for (int o = 0; o < PORTS; o++) begin
      for (int p = 0; p < PORTS; p++) begin
        if (p != o && select_i[o*SELECT_W+:SELECT_W] == SELECT_W'(p)) forward[p] = 1'b1;
      end
    end
  end

  // ---- The same crossbar twice; only the inputs that are not the source differ.
  logic [PORTS-1:0]        mixed_valid, mixed_last;
  logic [PORTS*FLIT_W-1:0] mixed_data;

  for (genvar p = 0; p < PORTS; p++) begin : gen_mixed
    assign mixed_valid[p] = (from == 2'(p)) ? valid_i[p] : other_valid_i[p];
    assign mixed_last[p]  = (from == 2'(p)) ? last_i[p] : other_last_i[p];
    assign mixed_data[p*FLIT_W+:FLIT_W] =
        (from == 2'(p)) ? data_i[p*FLIT_W+:FLIT_W] : other_data_i[p*FLIT_W+:FLIT_W];
  end

  logic [PORTS-1:0]        tx_valid, tx_last, mixed_tx_valid, mixed_tx_last, hop_valid, hop_last;
  logic [PORTS*FLIT_W-1:0] data, mixed_out, hop_data;

  crossbar #(.PORTS(PORTS), .FLIT_W(FLIT_W), .ONE_CYCLE(ONE_CYCLE)) i_crossbar (
    .clk_i, .select_i, .send_i, .forward_i(forward),
    .rx_valid_i(valid_i), .rx_last_i(last_i), .rx_data_i(data_i),
    .local_valid_i, .local_last_i, .local_data_i,
    .tx_valid_o(tx_valid), .tx_last_o(tx_last), .data_o(data)
  );

  crossbar #(.PORTS(PORTS), .FLIT_W(FLIT_W), .ONE_CYCLE(ONE_CYCLE)) i_mixed (
    .clk_i, .select_i, .send_i, .forward_i(forward),
    .rx_valid_i(mixed_valid), .rx_last_i(mixed_last), .rx_data_i(mixed_data),
    .local_valid_i, .local_last_i, .local_data_i,
    .tx_valid_o(mixed_tx_valid), .tx_last_o(mixed_tx_last), .data_o(mixed_out)
  );

  // ---- The second hop: its output 1 takes what leaves OUT here, at its input 0.
  logic hop_rx_valid = 1'b0, hop_rx_last = 1'b0;

  always_ff @(posedge clk_i) begin
    hop_rx_valid <= tx_valid[OUT];
    hop_rx_last  <= tx_last[OUT];
  end

  crossbar #(.PORTS(PORTS), .FLIT_W(FLIT_W), .ONE_CYCLE(ONE_CYCLE)) i_hop (
    .clk_i, .select_i({3'd4, 3'd4, 3'd0, 3'd4}), .send_i(4'b0010), .forward_i(4'b0001),
    .rx_valid_i({3'b000, hop_rx_valid}), .rx_last_i({3'b000, hop_rx_last}),
    .rx_data_i({{3*FLIT_W{1'b0}}, data[OUT*FLIT_W+:FLIT_W]}),
    .local_valid_i(1'b0), .local_last_i(1'b0), .local_data_i('0),
    .tx_valid_o(hop_valid), .tx_last_o(hop_last), .data_o(hop_data)
  );

  // ---- The source's flit now, one cycle ago and two cycles ago.
  logic              valid, valid_q1 = 1'b0, valid_q2 = 1'b0;
  logic              last, last_q1 = 1'b0;
  logic [FLIT_W-1:0] word, word_q1, word_q2;

  assign valid = !none && (is_local ? local_valid_i : valid_i[from]);
  assign last  = ONE_CYCLE || (is_local ? local_last_i : last_i[from]);
  assign word  = is_local ? local_data_i : data_i[from*FLIT_W+:FLIT_W];

  always_ff @(posedge clk_i) begin
    valid_q1 <= valid;
    valid_q2 <= valid_q1;
    last_q1  <= last;
    word_q1  <= word;
    word_q2  <= word_q1;
  end

  always_comb begin
    assert (mixed_tx_valid[OUT] == tx_valid[OUT]);                           // 1
    if (tx_valid[OUT]) assert (mixed_tx_last[OUT] == tx_last[OUT]);          // 1
    assert (tx_valid[OUT] == valid);                                         // 2, 3
    if (valid) assert (tx_last[OUT] == last);                                // 2
    if (valid_q1) assert (data[OUT*FLIT_W+:FLIT_W] == word_q1);              // 2
    if (valid_q1) assert (mixed_out[OUT*FLIT_W+:FLIT_W] == word_q1);         // 1
    assert (hop_rx_valid == valid_q1 && hop_valid[1] == valid_q1);           // 2
    if (valid_q1) assert (hop_rx_last == last_q1);                           // 2
    if (valid_q1) assert (hop_last[1] == last_q1);                           // 2
    if (valid_q2) assert (hop_data[1*FLIT_W+:FLIT_W] == word_q2);            // 2
    assert (hop_valid[0] == 1'b0 && hop_valid[3:2] == 2'b00);                // 3
    if (none) assert (!tx_valid[OUT]);                                       // 3
    cover (valid_q2 && valid_q1 && valid && !is_local);
  end

endmodule

`default_nettype wire
