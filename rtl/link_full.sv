// Full-duplex link: one register on the way out, both directions independent.
`default_nettype none

module link_full #(
  parameter int FLIT_W = 32  // bits of a flit
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // From the crossbar, and the window of its select.
  input  logic              tx_valid_i,
  input  logic              tx_last_i,
  input  logic [FLIT_W-1:0] tx_data_i,
  input  logic              tx_close_i,    // last cycle in which this slot's select acts
  // The receive window of the table.
  input  logic              rx_open_i,
  input  logic              rx_close_i,
  input  logic              rx_expect_i,
  input  logic              rx_forwarded_i,
  output logic              rx_take_o,
  // The link.
  output logic              link_valid_o,
  output logic              link_last_o,
  output logic [FLIT_W-1:0] link_data_o,
  input  logic              link_valid_i,
  input  logic              link_last_i,
  // Errors, one cycle each.
  output logic              collision_o,   // never: the directions have wires of their own
  output logic              turnaround_o,  // never
  output logic              unexpected_o,
  output logic              missing_o,
  output logic              cut_o
);

  typedef enum logic {
    IDLE   = 1'b0,  // between streams
    STREAM = 1'b1   // more flits of the stream are to follow
  } state_e;

  state_e state_q, state_d;
  logic tx_cut, rx_cut;

  always_comb begin
    state_d = state_q;
    if (tx_valid_i && tx_last_i) state_d = IDLE;
    else if (tx_valid_i) state_d = STREAM;
    tx_cut = tx_close_i && state_d == STREAM;
    if (tx_close_i) state_d = IDLE;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= IDLE;
      link_valid_o <= 1'b0;
    end else begin
      state_q      <= state_d;
      link_valid_o <= tx_valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (tx_valid_i) begin
      link_last_o <= tx_last_i;
      link_data_o <= tx_data_i;
    end
  end

  link_rx i_rx (
    .clk_i,
    .rst_ni,
    .open_i      (rx_open_i),
    .close_i     (rx_close_i),
    .expect_i    (rx_expect_i),
    .forwarded_i (rx_forwarded_i),
    .valid_i     (link_valid_i),
    .last_i      (link_last_i),
    .take_o      (rx_take_o),
    .unexpected_o(unexpected_o),
    .missing_o   (missing_o),
    .cut_o       (rx_cut)
  );

  assign cut_o        = tx_cut || rx_cut;
  assign collision_o  = 1'b0;
  assign turnaround_o = 1'b0;

endmodule

`default_nettype wire
