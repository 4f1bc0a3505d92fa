// SPDX-License-Identifier: Apache-2.0
// When the receive window of each port is open. The sequencer opens a slot's window when the first flit
// of a link without register stages is on the input; over a link of S stages it comes S cycles
// later, and so does its window. Nothing else in a node knows how long its links are.
`default_nettype none

module receive_window #(
  parameter int   PORTS  = 4,     // link ports
  parameter logic STAGED = 1'b0,  // 0: no link has stages, and all ports share one window
  localparam int WINDOWS  = STAGED ? PORTS : 1,
  localparam int STAGES_W = gossamer_pkg::LINK_STAGES_W
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [PORTS*STAGES_W-1:0] stages_i,       // of the link at each port; constant
  // The window of links without stages.
  input  logic [PORTS-1:0]          expect_next_i,  // expect_i of the next cycle
  input  logic [PORTS-1:0]          expect_i,
  input  logic [PORTS-1:0]          begin_next_i,   // expect_i of the next cycle, if the window opens then
  input  logic                      open_next_i,
  input  logic                      close_i,
  // The same for each port's link.
  output logic [PORTS-1:0]          expect_next_o,
  output logic [PORTS-1:0]          expect_o,
  output logic [PORTS-1:0]          begin_next_o,
  output logic [WINDOWS-1:0]        close_o,
  output logic [PORTS*STAGES_W-1:0] behind_o,       // slots that close_i has closed, but close_o has not yet
  output logic                      pending_o       // some are
);

  if (STAGED) begin : gen_staged
    localparam int MAX     = gossamer_pkg::MAX_LINK_STAGES;
    localparam int INDEX_W = $clog2(MAX + 1);

    // Bit k: k cycles ago. Synthesis removes the bits that no port needs.
    logic [MAX-1:0]   opens_q, closes_q;
    logic [MAX:0]     opens, closes;
    logic [PORTS-1:0] waiting;

    assign opens     = {opens_q, open_next_i};
    assign closes    = {closes_q, close_i};
    assign pending_o = |waiting;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        opens_q  <= '0;
        closes_q <= '0;
      end else begin
        opens_q  <= opens[MAX-1:0];
        closes_q <= closes[MAX-1:0];
      end
    end

    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      logic [INDEX_W-1:0]  stages;
      logic [MAX-1:0]      expects_q;
      logic [MAX:0]        expects;
      logic [STAGES_W-1:0] behind_q;
      logic                unused;

      assign stages  = stages_i[p*STAGES_W+:INDEX_W];
      assign unused  = ^stages_i[p*STAGES_W+INDEX_W+:STAGES_W-INDEX_W];
      assign expects = {expects_q, expect_next_i[p]};

      assign expect_next_o[p] = expects[stages];
      assign begin_next_o[p]  = opens[stages] && expect_next_o[p];
      assign close_o[p]       = closes[stages];
      assign waiting[p]       = behind_q != '0;
      assign behind_o[p*STAGES_W+:STAGES_W] = behind_q;

      always_ff @(posedge clk_i) begin
        expect_o[p] <= expect_next_o[p];
        if (!rst_ni) begin
          expects_q <= '0;
          behind_q  <= '0;
        end else begin
          expects_q <= expects[MAX-1:0];
          behind_q  <= behind_q + STAGES_W'(close_i) - STAGES_W'(close_o[p]);
        end
      end
    end

    logic unused_expect;
    assign unused_expect = ^{expect_i, begin_next_i};
  end else begin : gen_direct
    assign expect_next_o = expect_next_i;
    assign expect_o      = expect_i;
    assign begin_next_o  = begin_next_i;
    assign close_o       = close_i;
    assign behind_o      = '0;
    assign pending_o     = 1'b0;

    logic unused;
    assign unused = ^{clk_i, rst_ni, stages_i, open_next_i};
  end

endmodule

`default_nettype wire
