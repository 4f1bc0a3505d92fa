// SPDX-License-Identifier: Apache-2.0
// Receivers behind links of 1 and 3 register stages, beside receivers of links without any, under any table and
// any flits.
//
//  1. A flit leaves a link as many cycles after it entered as the link has stages, and nothing else leaves it.
//  2. Behind S stages a receiver takes and reports exactly what one without stages takes and reports S
//     cycles earlier: the windows of receive_window are those of the flits.
//  3. `pending` is 1 exactly while a window that the table has closed is still open behind a link.
//
// The rules hold after the reset of the first cycle. A window opens together with its expect_i, as the sequencer
// does it.
`default_nettype none

module link_stages_proof #(
  localparam int PORTS    = 2,
  localparam int FLIT_W   = 2,
  localparam int STAGES_W = gossamer_pkg::LINK_STAGES_W
) (
  input logic                    clk_i,
  input logic                    open_i,         // the window opens in the next cycle
  input logic                    close_i,
  input logic [PORTS-1:0]        expect_next_i,
  input logic [PORTS-1:0]        valid_i,
  input logic [PORTS-1:0]        last_i,
  input logic [PORTS*FLIT_W-1:0] data_i
);

  localparam logic [PORTS*STAGES_W-1:0] STAGES = {STAGES_W'(3), STAGES_W'(1)};

  logic             started = 1'b0;
  logic [PORTS-1:0] wanted = '0;  // expect_o of the sequencer

  always_ff @(posedge clk_i) begin
    started <= 1'b1;
    wanted  <= started ? expect_next_i : '0;
  end

  // ---- Inputs from the first cycle after the reset on.
  logic             open, close;
  logic [PORTS-1:0] wanted_next, valid;

  assign open        = open_i && started;
  assign close       = close_i && started;
  assign wanted_next = started ? expect_next_i : '0;
  assign valid       = started ? valid_i : '0;

  // ---- Both.
  logic [PORTS-1:0]          far_wanted_next, far_wanted, far_begin_next, far_close;
  logic [PORTS*STAGES_W-1:0] behind;
  logic                      pending;
  logic [PORTS-1:0]          far_valid, far_last;
  logic [PORTS*FLIT_W-1:0]   far_data;
  logic [PORTS-1:0]          take, unexpected, missing, cut;
  logic [PORTS-1:0]          far_take, far_unexpected, far_missing, far_cut;

  receive_window #(.PORTS(PORTS), .STAGED(1'b1)) i_window (
    .clk_i, .rst_ni(started), .stages_i(STAGES),
    .expect_next_i(wanted_next), .expect_i(wanted), .begin_next_i('0), .open_next_i(open),
    .close_i(close),
    .expect_next_o(far_wanted_next), .expect_o(far_wanted), .begin_next_o(far_begin_next),
    .close_o(far_close), .behind_o(behind), .pending_o(pending)
  );

  link_rx #(.PORTS(PORTS)) i_near (
    .clk_i, .rst_ni(started), .begin_next_i(open ? wanted_next : '0), .close_i(close), .expect_i(wanted),
    .forward_i('0), .valid_i(valid), .last_i(last_i), .take_o(take),
    .unexpected_o(unexpected), .missing_o(missing), .cut_o(cut)
  );

  link_rx #(.PORTS(PORTS), .WINDOWS(PORTS)) i_far (
    .clk_i, .rst_ni(started), .begin_next_i(far_begin_next), .close_i(far_close), .expect_i(far_wanted),
    .forward_i('0), .valid_i(far_valid), .last_i(far_last), .take_o(far_take),
    .unexpected_o(far_unexpected), .missing_o(far_missing), .cut_o(far_cut)
  );

  logic unused;
  assign unused = ^{far_wanted_next};

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    localparam int S = 32'(STAGES[p*STAGES_W+:STAGES_W]);

    link_stages #(.STAGES(S), .FLIT_W(FLIT_W)) i_link (
      .clk_i, .rst_ni(started), .valid_i(valid[p]), .last_i(last_i[p]),
      .data_i(data_i[p*FLIT_W+:FLIT_W]), .valid_o(far_valid[p]), .last_o(far_last[p]),
      .data_o(far_data[p*FLIT_W+:FLIT_W])
    );

    // What was S cycles ago, and which windows closed since.
    localparam int SEEN_W = FLIT_W + 6;
    logic [SEEN_W-1:0]     seen, then;
    logic [S*SEEN_W-1:0]   past_q = '0;
    logic [S-1:0]          closed_q = '0;
    logic [STAGES_W-1:0]   closings;

    assign seen = {valid[p] ? {last_i[p], data_i[p*FLIT_W+:FLIT_W]} : (FLIT_W+1)'(0), valid[p],
                   take[p], unexpected[p], missing[p], cut[p]};
    assign then = past_q[(S-1)*SEEN_W+:SEEN_W];

    always_ff @(posedge clk_i) begin
      past_q   <= (S*SEEN_W)'({past_q, started ? seen : SEEN_W'(0)});
      closed_q <= S'({closed_q, close});
    end

    always_comb begin
      closings = '0;
      for (int k = 0; k < S; k++) closings = closings + STAGES_W'(closed_q[k]);
    end

    always_comb begin
      if (started) begin
        // Rule 1.
        assert (far_valid[p] == then[4]);
        if (far_valid[p]) assert ({far_last[p], far_data[p*FLIT_W+:FLIT_W]} == then[5+:FLIT_W+1]);
        // Rule 2.
        assert ({far_take[p], far_unexpected[p], far_missing[p], far_cut[p]} == then[3:0]);
        // Rule 3.
        assert (behind[p*STAGES_W+:STAGES_W] == closings);
        if (closings != '0) assert (pending);
      end
      cover (far_take[p] && far_close[p] && closings == STAGES_W'(S));
      cover (far_cut[p]);
      cover (far_missing[p] && !close);
    end
  end

  always_comb begin
    if (started && behind == '0) assert (!pending);
  end

endmodule

`default_nettype wire
