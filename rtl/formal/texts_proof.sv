// SPDX-License-Identifier: Apache-2.0
// What hardware is made of and what simulation runs because it is faster, side by side: the modules with SKIP_IDLE
// (simulation_pkg).
//
//  1. Both sequencers do what a crossbar needs: an input that some output takes is in forward_o, and an
//     output with a source is in send_o, which hardware does not look at.
//  2. Crossbars with such inputs have a flit at the same outputs, with the same `last`, and a cycle later the
//     same word in their registers. Words without a flit may differ, here and at the inputs, because nobody
//     uses them.
//  3. All outputs of the error log are equal.
//
// So fabrics of either kind of nodes are equal, too, from the first flit on. That holds for all kinds of nodes with
// this number of ports, in any surroundings: with any entries, flits, starts and dead outputs, from any state
// before the first reset, and with resets of any length after it.
`default_nettype none

module texts_proof #(
  parameter int  PORTS    = 4,
  parameter logic LOG     = 1'b0,  // 1: the error log alone; 0: everything else
  localparam int FLIT_W   = 2,
  localparam int TABLE_AW = 3,
  localparam int LEN_W    = 3,
  localparam int REPEAT_W = 3,
  localparam int SELECT_W = $clog2(PORTS + 1),
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, 1'b0)
) (
  input logic                      clk_i,
  // The sequencer's.
  input logic                      rst_ni,
  input logic                      start_i,
  input logic [SLOT_W-1:0]         entry_i,
  input logic [PORTS-1:0]          dead_i,
  input logic [REPEAT_W-1:0]       dead_after_i,
  // The crossbar's.
  input logic [PORTS*SELECT_W-1:0] select_i,
  input logic [PORTS-1:0]          send_i,
  input logic [PORTS-1:0]          forward_i,
  input logic [PORTS*PORTS-1:0]    mask_i,  // of lanes that join
  input logic [3:0]                op_i,
  input logic [PORTS-1:0]          valid_i,
  input logic [PORTS-1:0]          last_i,
  input logic [PORTS*FLIT_W-1:0]   data_i,
  input logic [PORTS-1:0]          local_valid_i,
  input logic [PORTS-1:0]          local_last_i,
  input logic [PORTS*FLIT_W-1:0]   local_data_i,
  input logic [PORTS-1:0]          other_send_i,  // of the hardware's crossbar; the rest where there is no flit
  input logic [PORTS-1:0]          other_last_i,
  input logic [PORTS*FLIT_W-1:0]   other_data_i,
  // The error log's.
  input logic                      clear_i,
  input logic [9*PORTS-1:0]        errors_i,
  input logic [2*PORTS-1:0]        word_errors_i,
  input logic                      malformed_i,
  input logic                      slot_parity_i,
  input logic                      list_parity_i,
  input logic                      short_slot_i,
  input logic                      rx_close_i,
  input logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] behind_i
);

  function automatic logic covers(logic [PORTS*SELECT_W-1:0] select, logic [PORTS-1:0] send,
                                  logic [PORTS-1:0] forward);
    covers = 1'b1;
    for (int o = 0; o < PORTS; o++) begin
      for (int p = 0; p < PORTS; p++) begin
        if (select[o*SELECT_W+:SELECT_W] == SELECT_W'(p) && !(send[o] && (p == o || forward[p]))) covers = 1'b0;
      end
    end
  endfunction

  logic [1:0] reset_cycles = 2'd0;
  logic       started, rst_n;

  assign started = reset_cycles == 2'd3;
  assign rst_n   = started && rst_ni;
  always_ff @(posedge clk_i) if (!started) reset_cycles <= reset_cycles + 2'd1;

  // ---- Sequencers: the first kinds are one-cycle nodes.
  for (genvar kind = 0; kind < (LOG ? 0 : 12); kind++) begin : gen_sequencer
    localparam logic ONE_CYCLE   = kind < 4, ENTRY_CHECK = kind[0], SINGLE_PORT = kind[1];
    localparam logic HALF_DUPLEX = kind[2] && !ONE_CYCLE;
    localparam logic ADAPTIVE    = !SINGLE_PORT && !HALF_DUPLEX && !ONE_CYCLE;
    logic [PORTS*SELECT_W-1:0] select;
    logic [PORTS-1:0]          send, forward;

    if (ONE_CYCLE) begin : gen
      sequencer_one_cycle #(
        .PORTS(PORTS), .SINGLE_PORT(SINGLE_PORT), .TABLE_AW(TABLE_AW), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W),
        .ENTRY_CHECK(ENTRY_CHECK)
      ) i_sequencer (
        .clk_i, .rst_ni(rst_n), .start_i, .first_i('0), .dead_i, .dead_after_i, .slot_data_i(entry_i),
        .select_o(select), .send_o(send), .forward_o(forward)
      );
    end else begin : gen
      sequencer #(
        .PORTS(PORTS), .MODEL((32'(SINGLE_PORT) << gossamer_pkg::MODEL_SINGLE_PORT) |
        (32'(HALF_DUPLEX) << gossamer_pkg::MODEL_HALF_DUPLEX) | (32'(ADAPTIVE) << gossamer_pkg::MODEL_ADAPTIVE)),
        .TABLE_AW(TABLE_AW), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W), .ENTRY_CHECK(ENTRY_CHECK)
      ) i_sequencer (
        .clk_i, .rst_ni(rst_n), .start_i, .first_i('0), .dead_i, .dead_after_i, .slot_data_i(entry_i),
        .select_o(select), .send_o(send), .forward_o(forward)
      );
    end

    always_comb if (started) assert (covers(select, send, forward));  // 1
  end

  // ---- Crossbars: with a read channel for all outputs, or one for each.
  logic [PORTS-1:0]        other_last, other_local_last;
  logic [PORTS*FLIT_W-1:0] other_data, other_local_data;
  logic                    legal;
  logic                    legal_q = 1'b0;

  for (genvar p = 0; p < PORTS; p++) begin : gen_other
    assign other_last[p]       = valid_i[p] ? last_i[p] : other_last_i[p];
    assign other_local_last[p] = local_valid_i[p] ? local_last_i[p] : other_last_i[p];
    assign other_data[p*FLIT_W+:FLIT_W] =
        valid_i[p] ? data_i[p*FLIT_W+:FLIT_W] : other_data_i[p*FLIT_W+:FLIT_W];
    assign other_local_data[p*FLIT_W+:FLIT_W] =
        local_valid_i[p] ? local_data_i[p*FLIT_W+:FLIT_W] : other_data_i[p*FLIT_W+:FLIT_W];
  end

  assign legal = covers(select_i, send_i, forward_i) && covers(select_i, other_send_i, forward_i);
  always_ff @(posedge clk_i) legal_q <= legal && started;

  for (genvar kind = 0; kind < (LOG ? 0 : 4); kind++) begin : gen_crossbar
    localparam int   CHANNELS  = kind[0] ? PORTS : 1;
    localparam logic ONE_CYCLE = kind[1];
    logic [PORTS-1:0]        soft_valid, hard_valid, soft_last, hard_last, valid_q;
    logic [PORTS*FLIT_W-1:0] soft_data, hard_data;

    crossbar #(
      .PORTS(PORTS), .FLIT_W(FLIT_W), .CHANNELS(CHANNELS), .ONE_CYCLE(ONE_CYCLE), .SKIP_IDLE(1'b1)
    ) i_soft (
      .clk_i, .select_i, .send_i, .forward_i, .rx_valid_i(valid_i), .rx_last_i(last_i), .rx_data_i(data_i),
      .local_valid_i(local_valid_i[CHANNELS-1:0]), .local_last_i(local_last_i[CHANNELS-1:0]),
      .local_data_i(local_data_i[CHANNELS*FLIT_W-1:0]),
      .tx_valid_o(soft_valid), .tx_last_o(soft_last), .data_o(soft_data)
    );

    crossbar #(
      .PORTS(PORTS), .FLIT_W(FLIT_W), .CHANNELS(CHANNELS), .ONE_CYCLE(ONE_CYCLE), .SKIP_IDLE(1'b0)
    ) i_hard (
      .clk_i, .select_i, .send_i(other_send_i), .forward_i,
      .rx_valid_i(valid_i), .rx_last_i(other_last), .rx_data_i(other_data),
      .local_valid_i(local_valid_i[CHANNELS-1:0]), .local_last_i(other_local_last[CHANNELS-1:0]),
      .local_data_i(other_local_data[CHANNELS*FLIT_W-1:0]),
      .tx_valid_o(hard_valid), .tx_last_o(hard_last), .data_o(hard_data)
    );

    always_ff @(posedge clk_i) valid_q <= soft_valid;

    always_comb begin
      if (legal) assert (soft_valid == hard_valid && (soft_valid & soft_last) == (hard_valid & hard_last));  // 2
      for (int p = 0; p < PORTS; p++) begin
        if (legal_q && valid_q[p]) assert (soft_data[p*FLIT_W+:FLIT_W] == hard_data[p*FLIT_W+:FLIT_W]);  // 2
      end
    end
  end

  // ---- Crossbars that join: by sums, or by all operators.
  logic taken, taken_q = 1'b0;  // all that lanes join is said to be forwarded

  always_comb begin
    taken = started;
    for (int o = 0; o < PORTS; o++) begin
      for (int p = 0; p < PORTS; p++) if (p != o && mask_i[o*PORTS+p] && !forward_i[p]) taken = 1'b0;
    end
  end

  always_ff @(posedge clk_i) taken_q <= taken;

  for (genvar kind = 0; kind < (LOG ? 0 : 4); kind++) begin : gen_joining
    localparam int CHANNELS = kind[0] ? PORTS : 1;
    logic [PORTS-1:0]        valid[2], last[2], uneven[2];
    logic [PORTS*FLIT_W-1:0] data[2];
    logic [PORTS-1:0]        valid_q = '0;

    for (genvar skip = 0; skip < 2; skip++) begin : gen_either
      crossbar_join #(
        .PORTS(PORTS), .FLIT_W(FLIT_W), .CHANNELS(CHANNELS), .ALL_OPS(kind[1]), .SKIP_IDLE(skip != 0)
      ) i_join (
        .clk_i, .op_i, .mask_i, .forward_i, .rx_valid_i(valid_i),
        .rx_last_i(skip != 0 ? last_i : other_last), .rx_data_i(skip != 0 ? data_i : other_data),
        .local_valid_i(local_valid_i[CHANNELS-1:0]),
        .local_last_i(skip != 0 ? local_last_i[CHANNELS-1:0] : other_local_last[CHANNELS-1:0]),
        .local_data_i(skip != 0 ? local_data_i[CHANNELS*FLIT_W-1:0] : other_local_data[CHANNELS*FLIT_W-1:0]),
        .tx_valid_o(valid[skip]), .tx_last_o(last[skip]), .uneven_o(uneven[skip]), .data_o(data[skip])
      );
    end

    always_ff @(posedge clk_i) valid_q <= taken_q ? valid[0] : '0;

    always_comb begin
      if (taken) assert (uneven[0] == uneven[1]);  // 2
      if (taken_q) assert (valid[0] == valid[1] && (valid[0] & last[0]) == (valid[1] & last[1]));
      for (int p = 0; p < PORTS; p++) begin
        if (valid_q[p]) assert (data[0][p*FLIT_W+:FLIT_W] == data[1][p*FLIT_W+:FLIT_W]);
      end
    end
  end

  // ---- Error logs.
  for (genvar kind = 0; kind < (LOG ? 5 : 0); kind++) begin : gen_error_log
    localparam int   CHANNELS = (kind == 1) ? PORTS : 1;
    localparam logic LATE = kind == 2, STAGED = kind == 3, DETAIL = kind != 4;
    localparam int   FIRST_W = 4 + REPEAT_W + 8;
    logic [gossamer_pkg::ERROR_CODES+FIRST_W-1:0] outputs[2];

    for (genvar skip = 0; skip < 2; skip++) begin : gen_either
      error_log #(
        .PORTS(PORTS), .CHANNELS(CHANNELS), .SLOT_W(REPEAT_W), .STAGED(STAGED), .LATE(LATE), .DETAIL(DETAIL),
        .SKIP_IDLE(skip != 0)
      ) i_log (
        .clk_i, .rst_ni(rst_n), .clear_i,
        .collision_i(errors_i[0*PORTS+:PORTS]), .turnaround_i(errors_i[1*PORTS+:PORTS]),
        .unexpected_i(errors_i[2*PORTS+:PORTS]), .missing_i(errors_i[3*PORTS+:PORTS]),
        .cut_i(errors_i[4*PORTS+:PORTS]), .tx_cut_i(errors_i[5*PORTS+:PORTS]),
        .limit_i(errors_i[6*PORTS+:PORTS]), .overflow_i(|errors_i[7*PORTS+:PORTS]),
        .overflow_at_i(errors_i[7*PORTS+:PORTS]), .malformed_i, .slot_parity_i, .list_parity_i, .short_slot_i,
        .unwritten_i(word_errors_i[CHANNELS-1:0]), .exhausted_i(word_errors_i[PORTS+:CHANNELS]),
        .local_i(errors_i[8*PORTS+:PORTS]), .rx_close_i, .behind_i,
        .seen_o(outputs[skip][FIRST_W+:gossamer_pkg::ERROR_CODES]), .first_code_o(outputs[skip][0+:4]),
        .first_slot_o(outputs[skip][4+:REPEAT_W]), .first_port_o(outputs[skip][4+REPEAT_W+:8])
      );
    end

    always_comb if (started) assert (outputs[0] == outputs[1]);  // 3
  end

endmodule

`default_nettype wire
