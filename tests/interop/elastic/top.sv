// Two nodes' ends of one link_elastic, with registers on both sides and clocks of their own.
`default_nettype none

module elastic_top (
  input  logic        tx_clk,
  input  logic        rx_clk,
  input  logic        tx_rst_ni,
  input  logic        rx_rst_ni,
  input  logic        tx_start_i,
  input  logic        rx_start_i,
  input  logic [5:0]  tx_i,
  output logic [5:0]  rx_o,
  output logic [1:0]  errors_o
);

  logic [5:0] sent, received;

  always_ff @(posedge tx_clk) sent <= tx_i;
  always_ff @(posedge rx_clk) rx_o <= received;

  link_elastic #(.STAGES(8), .FLIT_W(4), .PARITY(1'b1)) i_link (
    .tx_clk_i(tx_clk), .tx_rst_ni, .tx_start_i, .tx_valid_i(sent[5]), .tx_last_i(sent[4]), .tx_data_i(sent[3:0]),
    .tx_parity_i(~^sent),
    .rx_clk_i(rx_clk), .rx_rst_ni, .rx_start_i, .rx_valid_o(received[5]), .rx_last_o(received[4]),
    .rx_data_o(received[3:0]), .skew_o(errors_o[1]), .parity_o(errors_o[0])
  );

endmodule

`default_nettype wire
