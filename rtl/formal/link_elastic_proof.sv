// An elastic link whose ends start some cycles apart, with clocks of the same phase. (The simulation in
// tests/icarus/elastic_test.sv varies the phases, and has samples that come a cycle late.)
//
//  1. Within K cycles of skew the link never gives up.
//  2. With any skew: from the receiver's local cycle STAGES on, the flit on its input is the one that was on the
//     sender's output STAGES local cycles earlier, until the link gives up. So a place is never read before it is
//     written, nor after it is overwritten.
//  3. Far beyond K it gives up in that cycle, because the memory cannot hold the flit any more or it has not come.
//  4. After it gave up, and before its time, nothing comes out.
`default_nettype none

module link_elastic_proof #(
  localparam int STAGES = 5 + 2,
  localparam int K      = STAGES - 5,
  localparam int FLIT_W = 1,
  localparam int MOST   = 15   // largest skew, in either direction
) (
  input logic              clk_i,
  input logic              go_i,     // the first of both start pulses
  input logic              valid_i,
  input logic              last_i,
  input logic [FLIT_W-1:0] data_i
);

  (* anyconst *) logic       early;  // the sender starts first, or
  (* anyconst *) logic [3:0] skew;   // ... the receiver, by so many cycles

  // ---- One start of each end, after the reset.
  logic            started = 1'b0, gone = 1'b0, go;
  logic [MOST-1:0] went = '0;
  logic [MOST:0]   wents;
  logic            tx_start, rx_start;

  assign go       = go_i && started && !gone;
  assign wents    = {went, go};
  assign tx_start = early ? go : wents[skew];
  assign rx_start = early ? wents[skew] : go;

  always_ff @(posedge clk_i) begin
    started <= 1'b1;
    gone    <= gone || go;
    went    <= wents[MOST-1:0];
  end

  // ---- The link.
  logic              valid, rx_valid, rx_last, gave_up;
  logic [FLIT_W-1:0] rx_data;

  assign valid = valid_i && started;

  link_elastic #(.STAGES(STAGES), .FLIT_W(FLIT_W)) i_link (
    .tx_clk_i(clk_i), .tx_rst_ni(started), .tx_start_i(tx_start),
    .tx_valid_i(valid), .tx_last_i(last_i), .tx_data_i(data_i),
    .rx_clk_i(clk_i), .rx_rst_ni(started), .rx_start_i(rx_start),
    .rx_valid_o(rx_valid), .rx_last_o(rx_last), .rx_data_o(rx_data), .skew_o(gave_up)
  );

  // ---- The sender's output, bit k: k cycles ago; and the receiver's local cycle, up to STAGES.
  localparam int PAST = STAGES + MOST;
  logic [PAST:0]   valids, lasts, datas;
  logic [PAST-1:0] valids_q = '0, lasts_q = '0, datas_q = '0;
  logic [3:0]      cycle = 4'd0;
  logic            waits = 1'b0;
  logic [4:0]      ago;

  assign valids = {valids_q, valid};
  assign lasts  = {lasts_q, last_i};
  assign datas  = {datas_q, data_i[0]};
  assign ago    = early ? 5'(STAGES) + 5'(skew) : 5'(STAGES) - 5'(skew);

  always_ff @(posedge clk_i) begin
    valids_q <= valids[PAST-1:0];
    lasts_q  <= lasts[PAST-1:0];
    datas_q  <= datas[PAST-1:0];
    if (rx_start) waits <= 1'b1;
    if (rx_start) cycle <= 4'd1;
    else if (waits && cycle != 4'(STAGES)) cycle <= cycle + 4'd1;
  end

  always_comb begin
    if (started) begin
      if (skew <= 4'(K)) assert (!gave_up);                                       // rule 1
      if (cycle == 4'(STAGES) && !gave_up) begin                                  // rule 2
        assert (early || skew < 4'(STAGES));
        assert (rx_valid == valids[ago]);
        if (rx_valid) assert ({rx_last, rx_data[0]} == {lasts[ago], datas[ago]});
      end
      if (cycle == 4'(STAGES) && (early ? skew > 4'd10 : skew > 4'd5)) assert (gave_up);  // rule 3
      if (gave_up || cycle != 4'(STAGES)) assert (!rx_valid);                     // rule 4
    end
    cover (cycle == 4'(STAGES) && rx_valid && early && skew == 4'(K));
    cover (cycle == 4'(STAGES) && rx_valid && !early && skew == 4'(K));
    cover (gave_up && early);
    cover (gave_up && !early);
  end

endmodule

`default_nettype wire
