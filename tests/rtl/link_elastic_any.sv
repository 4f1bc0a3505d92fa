// A link_elastic of any length, chosen while it runs: that one alone has clocks.
`default_nettype none

module link_elastic_any (
  input  logic [5:0]  stages_i,
  input  logic        tx_clk_i,  // as those of link_elastic
  input  logic        tx_rst_ni,
  input  logic        tx_start_i,
  input  logic        tx_valid_i,
  input  logic        tx_last_i,
  input  logic [31:0] tx_data_i,
  input  logic        tx_parity_i,
  input  logic        rx_clk_i,
  input  logic        rx_rst_ni,
  input  logic        rx_start_i,
  output logic        rx_valid_o,
  output logic        rx_last_o,
  output logic [31:0] rx_data_o,
  output logic        skew_o,
  output logic        parity_o
);

  localparam int MOST = gossamer_pkg::MAX_LINK_STAGES;

  logic [MOST:5]    valid, last, skew, parity;
  logic [MOST:5]    tx_clk, rx_clk;
  logic [31:0]      data [5:MOST];

  for (genvar s = 5; s <= MOST; s++) begin : gen_link
    assign tx_clk[s] = tx_clk_i && 32'(stages_i) == s;
    assign rx_clk[s] = rx_clk_i && 32'(stages_i) == s;

    link_elastic #(.STAGES(s), .PARITY(1'b1)) i_link (
      .tx_clk_i(tx_clk[s]), .tx_rst_ni, .tx_start_i, .tx_valid_i, .tx_last_i, .tx_data_i, .tx_parity_i,
      .rx_clk_i(rx_clk[s]), .rx_rst_ni, .rx_start_i, .rx_valid_o(valid[s]), .rx_last_o(last[s]),
      .rx_data_o(data[s]), .skew_o(skew[s]), .parity_o(parity[s])
    );
  end

  assign rx_valid_o = valid[stages_i];
  assign rx_last_o  = last[stages_i];
  assign rx_data_o  = data[stages_i];
  assign skew_o     = skew[stages_i];
  assign parity_o   = parity[stages_i];

endmodule

`default_nettype wire
