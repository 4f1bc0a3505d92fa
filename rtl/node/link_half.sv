// SPDX-License-Identifier: Apache-2.0
// Half-duplex links of a node: the two ends of a link share one wire, and each may drive it only
// while the other does not. There is no inout: link_valid_o is this end's drive enable,
// link_valid_i the other end's. After the other end has let go, an undriven cycle
// (gossamer_pkg::TIME_GUARD) passes before this end drives, so that a cycle of skew between the
// ends never makes two drivers. A flit that would come too early is held back and reported.
`default_nettype none

module link_half #(
  parameter int PORTS   = 4,  // link ports
  parameter int WINDOWS = 1   // as in link_rx
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
  output logic [PORTS-1:0] link_valid_o,  // this end drives
  output logic [PORTS-1:0] link_last_o,
  input  logic [PORTS-1:0] link_valid_i,  // the other end drives
  input  logic [PORTS-1:0] link_last_i,
  // Errors, one cycle each.
  output logic [PORTS-1:0] collision_o,
  output logic [PORTS-1:0] turnaround_o,
  output logic [PORTS-1:0] unexpected_o,
  output logic [PORTS-1:0] missing_o,
  output logic [PORTS-1:0] cut_o,         // what arrives
  output logic [PORTS-1:0] tx_cut_o       // what is sent
);

  logic [PORTS-1:0] drive_q, drive_d;    // this end drives
  logic [PORTS-1:0] hear_q, heard;       // the other end drives, and this end does not
  logic [PORTS-1:0] stream_q, stream_d;  // more flits of the stream are to follow
  logic [PORTS-1:0] closing;

  assign drive_d      = tx_valid_i & ~link_valid_i;
  assign heard        = link_valid_i & ~drive_q;
  assign collision_o  = link_valid_i & drive_q;
  assign turnaround_o = tx_valid_i & heard;

  assign closing  = {PORTS{tx_close_i}};
  assign stream_d = (stream_q & ~tx_valid_i) | (tx_valid_i & ~tx_last_i);
  assign tx_cut_o = stream_d & closing;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      drive_q     <= '0;
      hear_q      <= '0;
      stream_q    <= '0;
      link_last_o <= '0;
    end else begin
      drive_q     <= drive_d;
      hear_q      <= heard;
      stream_q    <= stream_d & ~closing;
      link_last_o <= tx_last_i;
    end
  end

  assign link_valid_o = drive_q;

  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    always @(posedge clk_i) begin
      if (rst_ni) assert (collision_o == '0);
    end
  end

  link_rx #(.PORTS(PORTS), .WINDOWS(WINDOWS)) i_rx (
    .clk_i,
    .rst_ni,
    .begin_next_i(rx_begin_next_i),
    .close_i     (rx_close_i),
    .expect_i    (rx_expect_i),
    .forward_i   (rx_forward_i),
    .valid_i     (heard),
    .last_i      (link_last_i),
    .take_o      (rx_take_o),
    .unexpected_o(unexpected_o),
    .missing_o   (missing_o),
    .cut_o
  );

  typedef enum logic [1:0] {
    FREE     = 2'd0,  // neither end drives
    TRANSMIT = 2'd1,  // this end drives
    HEAR     = 2'd2   // the other end drove in the cycle before: a guard cycle before this end may
  } state_e;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    /* verilator lint_off UNUSEDSIGNAL */  // for the waveform
    state_e state;
    logic   drives, hears;
    /* verilator lint_on UNUSEDSIGNAL */
    assign drives = drive_q[p];
    assign hears  = hear_q[p];
    always_comb begin
      state = FREE;
      if (drives) state = TRANSMIT;
      else if (hears) state = HEAR;
    end
  end

endmodule

`default_nettype wire
