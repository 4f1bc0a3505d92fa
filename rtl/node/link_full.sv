// SPDX-License-Identifier: Apache-2.0
// Full-duplex links of a node: both directions independent. A state machine per port says whether a
// stream is under way; see link_rx for the receiving sides.
`default_nettype none

module link_full #(
  parameter int   PORTS     = 4,     // link ports
  parameter logic ADAPTIVE  = 1'b0,  // as in link_rx
  parameter logic ONE_CYCLE = 1'b0,  // as in link_rx
  parameter int   WINDOWS   = 1      // as in link_rx
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // From the crossbar, and the window of its select.
  input  logic [PORTS-1:0] tx_valid_i,
  input  logic [PORTS-1:0] tx_last_i,
  input  logic             tx_close_i,    // last cycle in which this slot's select acts
  // The receive window of the table.
  input  logic [PORTS-1:0] rx_begin_next_i,
  input  logic [WINDOWS-1:0] rx_close_i,
  input  logic [PORTS-1:0] rx_expect_i,
  input  logic [PORTS-1:0] rx_forward_i,
  output logic [PORTS-1:0] rx_take_o,
  // The links; the data register is the crossbar's.
  output logic [PORTS-1:0] link_valid_o,
  output logic [PORTS-1:0] link_last_o,
  input  logic [PORTS-1:0] link_valid_i,
  input  logic [PORTS-1:0] link_last_i,
  // Errors, one cycle each.
  output logic [PORTS-1:0] collision_o,   // none: as in link_half, so that both have the same ports
  output logic [PORTS-1:0] turnaround_o,  // none
  output logic [PORTS-1:0] unexpected_o,
  output logic [PORTS-1:0] missing_o,
  output logic [PORTS-1:0] cut_o,         // what arrives
  output logic [PORTS-1:0] tx_cut_o       // what is sent
);

  assign collision_o  = '0;
  assign turnaround_o = '0;

  logic [PORTS-1:0] stream_q, stream_d;  // more flits of the stream are to follow
  assign stream_d = ONE_CYCLE ? '0 : (stream_q & ~tx_valid_i) | (tx_valid_i & ~tx_last_i);

  always_comb begin
    if (tx_close_i) tx_cut_o = stream_d;
    else tx_cut_o = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stream_q     <= '0;
      if (!ONE_CYCLE) begin  // else no output has a source by then
        link_valid_o <= '0;
        link_last_o  <= '0;
      end
    end else begin
      stream_q <= stream_d & ~tx_cut_o;
    end
    if (ONE_CYCLE || rst_ni) begin
      link_valid_o <= tx_valid_i;
      link_last_o  <= tx_last_i;
    end
  end

  link_rx #(.PORTS(PORTS), .ADAPTIVE(ADAPTIVE), .ONE_CYCLE(ONE_CYCLE), .WINDOWS(WINDOWS)) i_rx (
    .clk_i,
    .rst_ni,
    .begin_next_i(rx_begin_next_i),
    .close_i     (rx_close_i),
    .expect_i    (rx_expect_i),
    .forward_i   (rx_forward_i),
    .valid_i     (link_valid_i),
    .last_i      (link_last_i),
    .take_o      (rx_take_o),
    .unexpected_o(unexpected_o),
    .missing_o   (missing_o),
    .cut_o
  );

  typedef enum logic [1:0] {  // two bits: viewers show a single bit as a level, without its name
    IDLE   = 2'd0,  // between streams
    STREAM = 2'd1   // a flit is on the link, or more flits of its stream are to follow
  } state_e;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    /* verilator lint_off UNUSEDSIGNAL */  // for the waveform
    state_e state;
    logic   streams;
    /* verilator lint_on UNUSEDSIGNAL */
    assign streams = stream_q[p] | link_valid_o[p];
    always_comb begin
      state = IDLE;
      if (streams) state = STREAM;
    end
  end

endmodule

`default_nettype wire
