// SPDX-License-Identifier: Apache-2.0
// The switch node without its memories: sequencer, read channels, crossbar, links, receive logs and
// errors. Slot table, segment lists and message store are outside, behind synchronous-read memory
// ports, so that the same core runs with block RAM (switch_node) and with a testbench's store.
// No output that leaves the node depends combinationally on a link input.
`default_nettype none

module switch_core #(
  parameter int PORTS       = 4,     // link ports, 1 to 62
  parameter int FLIT_W      = 32,    // bits of a flit
  parameter logic [31:0] MODEL = '0,  // its variant: bits MODEL_... of gossamer_pkg
  parameter int MESSAGES    = gossamer_pkg::ADAPTIVE_MESSAGES,  // adaptive: messages that a node can tell apart
  parameter int CHANNELS    = 1,     // read channels: 1 (multicasts) or PORTS
  parameter int TABLE_AW    = 8,     // address bits of the slot table
  parameter int LIST_AW     = 8,     // address bits of a segment list
  parameter int ADDR_W      = 16,    // address bits of a log
  parameter int LEN_W       = gossamer_pkg::SLOT_LEN_W,     // bits used of the lengths
  parameter int REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits used of the counts
  parameter logic        STAGED      = 1'b0,  // 1: links have register stages (receive_window)
  parameter logic        ENTRY_CHECK  = 1'b1,  // 0: errors of a single entry are not detected
  parameter logic        TABLE_PARITY = 1'b1,  // 0: the parity of the tables is not checked
  parameter logic        ERROR_DETAIL = 1'b1,  // 0: the first error's code, slot and port are not kept
  localparam logic SINGLE_PORT = MODEL[gossamer_pkg::MODEL_SINGLE_PORT],
  localparam logic ADAPTIVE    = MODEL[gossamer_pkg::MODEL_ADAPTIVE],
  localparam logic JOIN        = MODEL[gossamer_pkg::MODEL_JOIN],
  localparam int SELECT_W = JOIN ? PORTS : $clog2(PORTS + 1),
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, JOIN),
  localparam int LOGS     = SINGLE_PORT ? 1 : PORTS,
  localparam int LOG_W    = $clog2(PORTS + 1),
  localparam int SOURCES  = ADAPTIVE ? PORTS : CHANNELS,  // outputs on which the store may send different words
  localparam int WINDOWS  = STAGED ? PORTS : 1
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  logic                                    start_i,       // one cycle: run the table
  input  logic [gossamer_pkg::CONTROL_PROGRAM_W-1:0] program_i,  // the one that is run; stays from reset to reset
  input  logic                                    keep_i,        // it goes on with the logs of the last run
  input  logic [ADDR_W-1:0]                       own_words_i,   // words that the node starts with
  input  logic [ADDR_W-1:0]                       capacity_i,    // words that a log can hold
  // Faults: outputs that transmit nothing, after so many slots.
  input  logic [PORTS-1:0]                        dead_i,
  input  logic [REPEAT_W-1:0]                     dead_after_i,
  // Adaptive nodes (exchange_log).
  input  logic [4:0]                              shift_i,
  input  logic [PORTS*ADDR_W-1:0]                 partner_i,
  input  logic                                    initiated_i,
  input  logic [ADDR_W-1:0]                       initiator_i,
  input  logic [15:0]                             query_i,       // a message ...
  output logic [PORTS-1:0]                        arrived_o,     // ... arrived on these ports
  // Links.
  input  logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] link_stages_i,  // registers of each; constant
  output logic [PORTS-1:0]                        link_valid_o,
  output logic [PORTS-1:0]                        link_last_o,
  output logic [PORTS*FLIT_W-1:0]                 link_data_o,
  input  logic [PORTS-1:0]                        link_valid_i,
  input  logic [PORTS-1:0]                        link_last_i,
  input  logic [PORTS*FLIT_W-1:0]                 link_data_i,
  // Slot table and segment lists.
  output logic                                    slot_en_o,
  output logic [TABLE_AW-1:0]                     slot_addr_o,
  input  logic [SLOT_W-1:0]                       slot_data_i,
  output logic [CHANNELS-1:0]                     list_en_o,
  output logic [CHANNELS*LIST_AW-1:0]             list_addr_o,
  input  logic [CHANNELS*gossamer_pkg::SEG_W-1:0] list_data_i,
  // Message store: reads, a word a cycle for every channel; writes of what is on the links.
  output logic [CHANNELS-1:0]                     read_en_o,
  output logic [CHANNELS*LOG_W-1:0]               read_log_o,
  output logic [CHANNELS*ADDR_W-1:0]              read_addr_o,
  input  logic [CHANNELS*FLIT_W-1:0]              read_data_i,
  input  logic [CHANNELS-1:0]                     clash_i,       // it is another channel's word, known when ERR_UNWRITTEN is
  output logic [LOGS-1:0]                         write_en_o,
  output logic [LOGS*ADDR_W-1:0]                  write_addr_o,
  output logic [LOGS*FLIT_W-1:0]                  write_data_o,
  // Status.
  output logic [PORTS-1:0]                        taken_o,       // flits stored at the last edge
  output logic [PORTS-1:0]                        joined_o,      // JOIN: ... of which these came from the lanes
  output logic                                    busy_o,        // the table runs, or starts now
  output logic                                    done_o,
  output logic [gossamer_pkg::ERROR_CODES-1:0]    errors_o,
  output logic [3:0]                              first_error_o,
  output logic [REPEAT_W-1:0]                     first_error_slot_o,
  output logic [7:0]                              first_error_port_o
);

  localparam logic ONE_CYCLE = MODEL[gossamer_pkg::MODEL_ONE_CYCLE];

  // ---- Sequencer.
  logic                      prime, read, stream_last, slot_close, tx_close, rx_open_next, rx_close;
  logic [PORTS-1:0]          sources_now, sources, local_out, expect_next, expect_rx, rx_begin_next, send, forward;
  logic                      table_done;
  logic [PORTS*SELECT_W-1:0] select;
  logic [REPEAT_W-1:0]       slot;
  logic                      malformed_now, malformed, slot_parity_now, slot_parity, short_slot_now, short_slot;
  logic [PORTS-1:0]          limit_now, limit;

  // ---- With JOIN the crossbar takes longer, and what follows it comes later: what the sequencer says of receive
  // windows, the errors of entries and reads, and the end. Otherwise no line of delay stands there, not even an empty
  // one: it would join signals to words of more than 32 bits, which the tile engine's lanes do not have.
  logic                      table_done_now, tx_close_now, rx_open_next_now, rx_close_now;
  logic [PORTS-1:0]          expect_next_now, expect_rx_now, rx_begin_next_now;
  logic [CHANNELS-1:0]       exhausted_now, exhausted, list_parity_now, list_parity, unwritten;

  if (JOIN) begin : gen_later
    delay_line #(.WIDTH(4 + 3 * PORTS), .CYCLES(gossamer_pkg::TIME_JOIN)) i_switch (
      .clk_i, .rst_ni,
      .data_i({table_done_now, tx_close_now, rx_open_next_now, rx_close_now, expect_next_now, expect_rx_now,
               rx_begin_next_now}),
      .data_o({table_done, tx_close, rx_open_next, rx_close, expect_next, expect_rx, rx_begin_next})
    );
    delay_line #(.WIDTH(3 + 2 * PORTS + 2 * CHANNELS), .CYCLES(gossamer_pkg::TIME_JOIN)) i_report (
      .clk_i, .rst_ni,
      .data_i({malformed_now, slot_parity_now, short_slot_now, limit_now, sources_now, exhausted_now, list_parity_now}),
      .data_o({malformed, slot_parity, short_slot, limit, sources, exhausted, list_parity})
    );
  end else begin : gen_now
    assign table_done    = table_done_now;
    assign tx_close      = tx_close_now;
    assign rx_open_next  = rx_open_next_now;
    assign rx_close      = rx_close_now;
    assign expect_next   = expect_next_now;
    assign expect_rx     = expect_rx_now;
    assign rx_begin_next = rx_begin_next_now;
    assign malformed     = malformed_now;
    assign slot_parity   = slot_parity_now;
    assign short_slot    = short_slot_now;
    assign limit         = limit_now;
    assign sources       = sources_now;
    assign exhausted     = exhausted_now;
    assign list_parity   = list_parity_now;
  end

  // The first entry and the first segments of the program: as many bits of its number as the node has, and zeros
  // below them.
  localparam int PROGRAM_W = 32'(MODEL[gossamer_pkg::MODEL_PROGRAMS+:2]);
  logic [TABLE_AW-1:0] first_entry;
  logic [LIST_AW-1:0]  first_segment;

  assign first_entry   = TABLE_AW'(program_i) << (TABLE_AW - PROGRAM_W);
  assign first_segment = LIST_AW'(program_i) << (LIST_AW - PROGRAM_W);

  logic unused_program;  // it may have more bits than the number
  assign unused_program = ^program_i;

  logic [PORTS-1:0] stores;   // lanes whose results go to the store
  logic [3:0]       lane_op;

  if (ONE_CYCLE) begin : gen_slots  // one name for both: waveforms look for it
    assign stores  = '0;
    assign lane_op = '0;
    sequencer_one_cycle #(
      .PORTS(PORTS), .SINGLE_PORT(SINGLE_PORT), .TABLE_AW(TABLE_AW), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W),
      .ENTRY_CHECK(ENTRY_CHECK), .TABLE_PARITY(TABLE_PARITY)
    ) i_sequencer (
      .clk_i, .rst_ni, .start_i, .first_i(first_entry), .dead_i, .dead_after_i,
      .slot_en_o, .slot_addr_o, .slot_data_i,
      .prime_o(prime), .read_o(read), .sources_o(sources_now), .local_o(local_out),
      .stream_last_o(stream_last), .slot_close_o(slot_close),
      .select_o(select), .send_o(send), .forward_o(forward), .tx_close_o(tx_close_now),
      .expect_next_o(expect_next_now), .expect_o(expect_rx_now), .rx_open_next_o(rx_open_next_now),
      .rx_begin_next_o(rx_begin_next_now), .rx_close_o(rx_close_now),
      .slot_o(slot),
      .done_o(table_done_now),
      .malformed_o(malformed_now), .parity_o(slot_parity_now), .cut_o(short_slot_now), .limit_o(limit_now)
    );
  end else begin : gen_slots
    sequencer #(
      .PORTS(PORTS), .MODEL(MODEL), .TABLE_AW(TABLE_AW), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W),
      .ENTRY_CHECK(ENTRY_CHECK), .TABLE_PARITY(TABLE_PARITY)
    ) i_sequencer (
      .clk_i, .rst_ni, .start_i, .first_i(first_entry), .dead_i, .dead_after_i,
      .slot_en_o, .slot_addr_o, .slot_data_i,
      .prime_o(prime), .read_o(read), .sources_o(sources_now), .local_o(local_out),
      .stream_last_o(stream_last), .slot_close_o(slot_close),
      .stores_o(stores), .op_o(lane_op), .select_o(select), .send_o(send), .forward_o(forward), .tx_close_o(tx_close_now),
      .expect_next_o(expect_next_now), .expect_o(expect_rx_now), .rx_open_next_o(rx_open_next_now),
      .rx_begin_next_o(rx_begin_next_now), .rx_close_o(rx_close_now),
      .slot_o(slot),
      .done_o(table_done_now),
      .malformed_o(malformed_now), .parity_o(slot_parity_now), .cut_o(short_slot_now), .limit_o(limit_now)
    );
  end

  // ---- The receive window of each port.
  logic [PORTS-1:0]   port_expect_next, port_expect;
  logic [PORTS-1:0]   port_begin_next;
  logic [WINDOWS-1:0] port_close;
  logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] behind;
  logic               window_pending;

  receive_window #(.PORTS(PORTS), .STAGED(STAGED)) i_window (
    .clk_i, .rst_ni, .stages_i(link_stages_i),
    .expect_next_i(expect_next), .expect_i(expect_rx), .begin_next_i(rx_begin_next), .open_next_i(rx_open_next),
    .close_i(rx_close),
    .expect_next_o(port_expect_next), .expect_o(port_expect),
    .begin_next_o(port_begin_next), .close_o(port_close), .behind_o(behind), .pending_o(window_pending)
  );

  // ---- The end. Over links with register stages windows close later, and their errors are counted later.
  if (STAGED) begin : gen_end
    logic [1:0] pending_q;  // one and two cycles ago

    assign done_o = table_done && !window_pending && pending_q == '0;
    always_ff @(posedge clk_i) pending_q <= {pending_q[0], window_pending};
  end else begin : gen_end
    assign done_o = table_done && !window_pending;
  end

  // ---- The run begins if the node waits for it; otherwise the pulse is ignored.
  logic start;

  assign start  = start_i && prime && rst_ni;
  assign busy_o = rst_ni && !done_o && !(prime && !start_i);

  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    always @(posedge clk_i) begin
      if (start_i) assert (start);
      if (rst_ni) assert ((^{link_valid_i, link_last_i & link_valid_i}) !== 1'bx);
    end
  end

  // ---- Read channels: one for all outputs, or one for each.
  logic [CHANNELS-1:0] word_valid, word_last, run_last;
  logic [CHANNELS-1:0] position;  // the list names a word; the logs decide what is read
  logic [CHANNELS*LOG_W-1:0] position_log;
  logic [CHANNELS-1:0] position_same;

  for (genvar c = 0; c < CHANNELS; c++) begin : gen_channel
    read_channel #(
      .LIST_AW(LIST_AW), .ADDR_W(ADDR_W), .LOG_W(LOG_W), .IN_ORDER(MODEL[gossamer_pkg::MODEL_IN_ORDER]),
      .OWN_LOG(SINGLE_PORT ? 0 : PORTS), .TABLE_PARITY(TABLE_PARITY), .FLAT(MODEL[gossamer_pkg::MODEL_FLAT]),
      .STAYS(ADAPTIVE)
    ) i_read_channel (
      .clk_i, .prime_i(prime), .start_i(start), .first_i(first_segment),
      .read_i((CHANNELS == 1) ? read : local_out[c]),
      .last_i(stream_last),
      .slot_close_i(slot_close),
      .list_en_o(list_en_o[c]), .list_addr_o(list_addr_o[c*LIST_AW+:LIST_AW]),
      .list_data_i(list_data_i[c*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W]),
      .store_en_o(position[c]), .store_log_o(position_log[c*LOG_W+:LOG_W]),
      .store_addr_o(read_addr_o[c*ADDR_W+:ADDR_W]), .same_o(position_same[c]),
      .word_valid_o(word_valid[c]), .word_last_o(word_last[c]), .run_last_o(run_last[c]),
      .exhausted_o(exhausted_now[c]), .parity_o(list_parity_now[c])
    );
  end

  // ---- Crossbar and links.
  logic [PORTS-1:0] tx_valid, tx_last;
  logic [SOURCES-1:0] local_valid, local_last;
  logic [SOURCES*FLIT_W-1:0] local_data;
  logic [PORTS-1:0] take, collision, turnaround, unexpected, missing, cut, tx_cut;

  // What a lane of a node with JOIN makes goes to its link, or to the log of its port.
  logic [PORTS-1:0] lane_valid, uneven;  // uneven: something that a lane joins was missing
  logic [PORTS-1:0] joined;  // results for the log, at the same time as what others have on the link

  if (JOIN) begin : gen_join
    logic [PORTS-1:0] stores_q, joined_q, uneven_now;

    crossbar_join #(.PORTS(PORTS), .FLIT_W(FLIT_W), .CHANNELS(SOURCES), .ALL_OPS(MODEL[gossamer_pkg::MODEL_ALL_OPS])) i_crossbar (
      .clk_i, .op_i(lane_op), .mask_i(select), .forward_i(forward),
      .rx_valid_i(link_valid_i), .rx_last_i(link_last_i), .rx_data_i(link_data_i),
      .local_valid_i(local_valid), .local_last_i(local_last), .local_data_i(local_data),
      .tx_valid_o(lane_valid), .tx_last_o(tx_last), .uneven_o(uneven_now), .data_o(link_data_o)
    );

    // What is missing is counted in the slot's receive window.
    delay_line #(.WIDTH(PORTS), .CYCLES(1 + gossamer_pkg::TIME_JOIN)) i_uneven (
      .clk_i, .rst_ni, .data_i(uneven_now), .data_o(uneven)
    );

    assign tx_valid = lane_valid & ~stores_q;
    logic unused_send;
    assign unused_send = ^send;
    assign joined   = rst_ni ? joined_q : '0;

    always_ff @(posedge clk_i) begin
      stores_q <= rst_ni ? stores : '0;
      joined_q <= rst_ni ? lane_valid & stores_q : '0;
      joined_o <= joined_q;
    end
  end else begin : gen_copies
    crossbar #(
      .PORTS(PORTS), .FLIT_W(FLIT_W), .CHANNELS(SOURCES), .ONE_CYCLE(ONE_CYCLE)
    ) i_crossbar (
      .clk_i,
      .select_i(select), .send_i(send), .forward_i(forward),
      .rx_valid_i(link_valid_i), .rx_last_i(link_last_i), .rx_data_i(link_data_i),
      .local_valid_i(local_valid), .local_last_i(local_last), .local_data_i(local_data),
      .tx_valid_o(lane_valid), .tx_last_o(tx_last), .data_o(link_data_o)
    );

    assign tx_valid = lane_valid;
    assign uneven   = '0;
    assign joined   = '0;
    assign joined_o = '0;

    logic unused_lanes;
    assign unused_lanes = ^{stores, lane_op};
  end

  if (MODEL[gossamer_pkg::MODEL_HALF_DUPLEX]) begin : gen_half
    link_half #(.PORTS(PORTS), .WINDOWS(WINDOWS)) i_link (
      .clk_i, .rst_ni,
      .tx_valid_i(tx_valid), .tx_last_i(tx_last), .tx_close_i(tx_close),
      .rx_begin_next_i(port_begin_next), .rx_close_i(port_close), .rx_expect_i(port_expect),
      .rx_forward_i(forward),
      .rx_take_o(take),
      .link_valid_o, .link_last_o, .link_valid_i, .link_last_i,
      .collision_o(collision), .turnaround_o(turnaround),
      .unexpected_o(unexpected), .missing_o(missing), .cut_o(cut), .tx_cut_o(tx_cut)
    );
  end else begin : gen_full
    link_full #(
      .PORTS(PORTS), .ADAPTIVE(ADAPTIVE), .ONE_CYCLE(ONE_CYCLE), .WINDOWS(WINDOWS)
    ) i_link (
      .clk_i, .rst_ni,
      .tx_valid_i(tx_valid), .tx_last_i(tx_last), .tx_close_i(tx_close),
      .rx_begin_next_i(port_begin_next), .rx_close_i(port_close), .rx_expect_i(port_expect),
      .rx_forward_i(forward),
      .rx_take_o(take),
      .link_valid_o, .link_last_o, .link_valid_i, .link_last_i,
      .collision_o(collision), .turnaround_o(turnaround),
      .unexpected_o(unexpected), .missing_o(missing), .cut_o(cut), .tx_cut_o(tx_cut)
    );
  end

  // ---- What arrives goes to the store.
  logic [PORTS-1:0] overflow;
  logic             overflows;  // any of them

  if (ADAPTIVE) begin : gen_exchange
    logic [PORTS-1:0] offers;

    exchange_log #(
      .PORTS(PORTS), .LOGS(LOGS), .ADDR_W(ADDR_W), .LOG_W(LOG_W), .MESSAGES(MESSAGES),
      .STAGED(STAGED)
    ) i_exchange_log (
      .clk_i, .start_i(start), .own_words_i, .capacity_i,
      .shift_i, .partner_i, .initiated_i, .initiator_i,
      .slot_i(gossamer_pkg::ADAPTIVE_SLOT_W'(slot)), .position_i(position[0]),
      .addr_i(read_addr_o), .same_i(position_same[0]), .offer_i(local_out),
      .send_o(offers), .log_o(read_log_o), .sent_o(local_valid),
      .stages_i(link_stages_i),
      .take_i(take), .write_o(write_en_o), .write_addr_o(write_addr_o), .overflow_o(overflow),
      .query_i, .arrived_o
    );

    assign overflows   = |overflow;
    assign read_en_o   = |offers;
    assign local_last  = {PORTS{run_last[0]}};  // every message is a stream
    assign local_data  = {PORTS{read_data_i}};
    assign unwritten   = '0;

    // A position may be empty, and the log itself knows where a message can be read.
    logic unused;
    assign unused = ^{word_valid, word_last, position_log, slot, read, local_out, keep_i};
  end else begin : gen_receive
    logic [LOGS-1:0] lost;

    receive_log #(
      .PORTS(PORTS), .LOGS(LOGS), .CHANNELS(CHANNELS), .ADDR_W(ADDR_W), .LOG_W(LOG_W), .LATE(JOIN)
    ) i_receive_log (
      .clk_i, .start_i(start && !keep_i), .own_words_i, .capacity_i,
      .take_i(rst_ni ? take | joined : '0), .write_o(write_en_o), .write_addr_o, .overflow_o(lost),
      .read_i(read_en_o), .read_log_i(read_log_o), .read_addr_i(read_addr_o),
      .unwritten_o(unwritten)
    );

    assign overflow    = (LOGS > 1) ? PORTS'(lost) : lost[0] ? take : '0;
    assign overflows   = |lost;
    assign read_en_o   = position;
    assign read_log_o  = position_log;
    assign arrived_o   = '0;
    assign local_valid = word_valid;
    assign local_last  = word_last;
    assign local_data  = read_data_i;

    logic unused;
    assign unused = ^{read, local_out, slot, run_last, position_same, shift_i, partner_i, initiated_i, initiator_i,
                      query_i};
  end

  logic [PORTS*FLIT_W-1:0] arrivals;

  for (genvar p = 0; p < PORTS; p++) begin : gen_arrival
    assign arrivals[p*FLIT_W+:FLIT_W] = (joined[p] && !take[p]) ? link_data_o[p*FLIT_W+:FLIT_W] : link_data_i[p*FLIT_W+:FLIT_W];
  end

  write_mux #(
    .PORTS(PORTS), .LOGS(LOGS), .FLIT_W(FLIT_W), .KNOWN(ONE_CYCLE || !STAGED)
  ) i_write_mux (
    .clk_i, .expect_next_i(port_expect_next), .take_i(take), .link_data_i(arrivals), .write_data_o
  );

  always_ff @(posedge clk_i) taken_o <= (take | joined) & ~overflow;

  // ---- Errors.
  // A lane is not behind as the receiver of its port is, whose errors come first.
  logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] late;

  for (genvar p = 0; p < PORTS; p++) begin : gen_late
    logic of_lane;
    assign of_lane = (uneven[p] || joined[p]) && !(missing[p] || unexpected[p] || cut[p]);
    assign late[p*gossamer_pkg::LINK_STAGES_W+:gossamer_pkg::LINK_STAGES_W] =
        of_lane ? '0 : behind[p*gossamer_pkg::LINK_STAGES_W+:gossamer_pkg::LINK_STAGES_W];
  end

  error_log #(
    .PORTS(PORTS), .CHANNELS(CHANNELS), .SLOT_W(REPEAT_W), .STAGED(STAGED), .LATE(ONE_CYCLE),
    .DETAIL(ERROR_DETAIL)
  ) i_error_log (
    .clk_i, .rst_ni, .clear_i(start_i && prime),  // a reset clears anyway
    .collision_i(collision), .turnaround_i(turnaround), .unexpected_i(unexpected),
    .missing_i(missing | uneven | (joined & take)), .cut_i(cut), .tx_cut_i(tx_cut), .limit_i(limit),
    .overflow_i(overflows), .overflow_at_i(overflow), .malformed_i(malformed),
    .slot_parity_i(slot_parity), .list_parity_i(|list_parity),
    .short_slot_i(short_slot), .unwritten_i(unwritten | clash_i), .exhausted_i(exhausted),
    .local_i(sources), .rx_close_i(rx_close), .behind_i(late),
    .seen_o(errors_o), .first_code_o(first_error_o), .first_slot_o(first_error_slot_o),
    .first_port_o(first_error_port_o)
  );

endmodule

`default_nettype wire
