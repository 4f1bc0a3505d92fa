// Half-duplex link: both ends share one wire, and each may drive it only while the other does not.
// There is no inout: link_valid_o is this end's drive enable, link_valid_i the other end's. After
// the other end has let go, one undriven cycle (gossamer_pkg::TIME_GUARD) passes before this end
// drives, so that a cycle of skew between the ends never makes two drivers.
`default_nettype none

module link_half #(
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
  output logic              link_valid_o,  // this end drives
  output logic              link_last_o,
  output logic [FLIT_W-1:0] link_data_o,
  input  logic              link_valid_i,  // the other end drives
  input  logic              link_last_i,
  // Errors, one cycle each.
  output logic              collision_o,
  output logic              turnaround_o,
  output logic              unexpected_o,
  output logic              missing_o,
  output logic              cut_o
);

  typedef enum logic [1:0] {
    FREE     = 2'd0,  // nobody drives
    TRANSMIT = 2'd1,  // this end drives
    HEAR     = 2'd2   // the other end drove in the cycle before
  } state_e;

  state_e state_q, state_d;
  logic drive_d;          // this end will drive in the next cycle
  logic streaming_q, streaming_d;
  logic tx_cut, rx_cut;
  logic heard;            // the other end drives, and this end does not

  // Who owns the wire. A flit that would follow the other end's without a guard cycle is held back.
  always_comb begin
    drive_d      = tx_valid_i && !link_valid_i;
    turnaround_o = tx_valid_i && link_valid_i && state_q != TRANSMIT;
    collision_o  = link_valid_i && state_q == TRANSMIT;
    heard        = link_valid_i && state_q != TRANSMIT;
    state_d      = FREE;
    if (drive_d) state_d = TRANSMIT;
    else if (heard) state_d = HEAR;
  end

  always_comb begin
    streaming_d = streaming_q;
    if (tx_valid_i) streaming_d = !tx_last_i;
    tx_cut = tx_close_i && streaming_d;
    if (tx_close_i) streaming_d = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= FREE;
      streaming_q <= 1'b0;
    end else begin
      state_q     <= state_d;
      streaming_q <= streaming_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (drive_d) begin
      link_last_o <= tx_last_i;
      link_data_o <= tx_data_i;
    end
  end

  assign link_valid_o = state_q == TRANSMIT;

  link_rx i_rx (
    .clk_i,
    .rst_ni,
    .open_i      (rx_open_i),
    .close_i     (rx_close_i),
    .expect_i    (rx_expect_i),
    .forwarded_i (rx_forwarded_i),
    .valid_i     (heard),
    .last_i      (link_last_i),
    .take_o      (rx_take_o),
    .unexpected_o(unexpected_o),
    .missing_o   (missing_o),
    .cut_o       (rx_cut)
  );

  assign cut_o = tx_cut || rx_cut;

endmodule

`default_nettype wire
