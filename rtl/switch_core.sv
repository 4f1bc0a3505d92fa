// The switch node without its memories: sequencer, read channels, crossbar, links, receive logs and
// errors. Slot table, segment lists and message store stand outside behind synchronous-read memory
// ports, so that the same core runs with block RAM (switch_node) and with a testbench's store.
// No output that leaves the node depends combinationally on a link input.
`default_nettype none

module switch_core #(
  parameter int PORTS       = 4,     // link ports, 1 to 62
  parameter int FLIT_W      = 32,    // bits of a flit
  parameter logic        SINGLE_PORT = 1'b0,  // 1: one send, one receive a slot, and a single log
  parameter logic        HALF_DUPLEX = 1'b0,  // 1: half-duplex links
  parameter int CHANNELS    = 1,     // read channels: 1 (multicasts) or PORTS
  parameter int TABLE_AW    = 8,     // address bits of the slot table
  parameter int LIST_AW     = 8,     // address bits of a segment list
  parameter int ADDR_W      = 16,    // address bits of a log
  parameter int LEN_W       = gossamer_pkg::SLOT_LEN_W,     // bits used of the lengths
  parameter int REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,  // bits used of the counts
  localparam int SELECT_W = $clog2(PORTS + 1),
  localparam int SLOT_W   = gossamer_pkg::SLOT_RECEIVE_LSB + PORTS + PORTS * SELECT_W,
  localparam int LOGS     = SINGLE_PORT ? 1 : PORTS,
  localparam int LOG_W    = $clog2(PORTS + 1)
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  logic                                    start_i,       // one cycle: run the table
  input  logic [ADDR_W-1:0]                       own_words_i,   // words that the node starts with
  input  logic [ADDR_W-1:0]                       capacity_i,    // words that a log can hold
  // Links.
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
  // Message store: reads, a word a cycle for every channel; writes of what stands on the links.
  output logic [CHANNELS-1:0]                     read_en_o,
  output logic [CHANNELS*LOG_W-1:0]               read_log_o,
  output logic [CHANNELS*ADDR_W-1:0]              read_addr_o,
  input  logic [CHANNELS*FLIT_W-1:0]              read_data_i,
  output logic [LOGS-1:0]                         write_en_o,
  output logic [LOGS*ADDR_W-1:0]                  write_addr_o,
  output logic [LOGS*FLIT_W-1:0]                  write_data_o,
  // Status.
  output logic [PORTS-1:0]                        taken_o,       // flits stored at the last edge
  output logic                                    done_o,
  output logic [gossamer_pkg::ERROR_CODES-1:0]    errors_o,
  output logic [3:0]                              first_error_o,
  output logic [REPEAT_W-1:0]                     first_error_slot_o,
  output logic [7:0]                              first_error_port_o
);

  // ---- Sequencer.
  logic                      prime, stream_last, slot_close, tx_close, rx_open, rx_close;
  logic [PORTS-1:0]          local_out, expect_rx, forward;
  logic [PORTS*SELECT_W-1:0] select;
  logic [REPEAT_W-1:0]       slot;
  logic                      malformed, short_slot;
  logic [PORTS-1:0]          limit;

  sequencer #(
    .PORTS(PORTS), .SINGLE_PORT(SINGLE_PORT), .HALF_DUPLEX(HALF_DUPLEX), .TABLE_AW(TABLE_AW),
    .LEN_W(LEN_W), .REPEAT_W(REPEAT_W)
  ) i_sequencer (
    .clk_i, .rst_ni, .start_i,
    .slot_en_o, .slot_addr_o, .slot_data_i,
    .prime_o(prime), .stream_last_o(stream_last), .local_o(local_out),
    .slot_close_o(slot_close),
    .select_o(select), .forward_o(forward), .tx_close_o(tx_close),
    .expect_o(expect_rx), .rx_open_o(rx_open), .rx_close_o(rx_close),
    .slot_o(slot),
    .done_o,
    .malformed_o(malformed), .cut_o(short_slot), .limit_o(limit)
  );

  // ---- Read channels: the only one serves every output, or each its own.
  logic [CHANNELS-1:0] word_valid, word_last, exhausted, unwritten;
  logic [PORTS-1:0]    exhausted_at, unwritten_at;

  for (genvar c = 0; c < CHANNELS; c++) begin : gen_channel
    read_channel #(.LIST_AW(LIST_AW), .ADDR_W(ADDR_W), .LOG_W(LOG_W)) i_read_channel (
      .clk_i, .prime_i(prime),
      .read_i((CHANNELS == 1) ? |local_out : local_out[c]), .last_i(stream_last),
      .slot_close_i(slot_close),
      .list_en_o(list_en_o[c]), .list_addr_o(list_addr_o[c*LIST_AW+:LIST_AW]),
      .list_data_i(list_data_i[c*gossamer_pkg::SEG_W+:gossamer_pkg::SEG_W]),
      .store_en_o(read_en_o[c]), .store_log_o(read_log_o[c*LOG_W+:LOG_W]),
      .store_addr_o(read_addr_o[c*ADDR_W+:ADDR_W]),
      .word_valid_o(word_valid[c]), .word_last_o(word_last[c]),
      .exhausted_o(exhausted[c])
    );
  end

  if (CHANNELS == 1) begin : gen_one_channel
    assign exhausted_at = exhausted[0] ? local_out : '0;
    assign unwritten_at = unwritten[0] ? local_out : '0;
  end else begin : gen_own_channels
    assign exhausted_at = exhausted;
    assign unwritten_at = unwritten;
  end

  // ---- Crossbar and links.
  logic [PORTS-1:0] tx_valid, tx_last;
  logic [PORTS-1:0] take, collision, turnaround, unexpected, missing, cut, tx_cut;

  crossbar #(.PORTS(PORTS), .FLIT_W(FLIT_W), .CHANNELS(CHANNELS)) i_crossbar (
    .clk_i,
    .select_i(select), .forward_i(forward),
    .rx_valid_i(link_valid_i), .rx_last_i(link_last_i), .rx_data_i(link_data_i),
    .local_valid_i(word_valid), .local_last_i(word_last), .local_data_i(read_data_i),
    .tx_valid_o(tx_valid), .tx_last_o(tx_last), .data_o(link_data_o)
  );

  if (HALF_DUPLEX) begin : gen_half
    link_half #(.PORTS(PORTS)) i_link (
      .clk_i, .rst_ni,
      .tx_valid_i(tx_valid), .tx_last_i(tx_last), .tx_close_i(tx_close),
      .rx_open_i(rx_open), .rx_close_i(rx_close), .rx_expect_i(expect_rx), .rx_forward_i(forward),
      .rx_take_o(take),
      .link_valid_o, .link_last_o, .link_valid_i, .link_last_i,
      .collision_o(collision), .turnaround_o(turnaround),
      .unexpected_o(unexpected), .missing_o(missing), .cut_o(cut),
      .tx_cut_o(tx_cut)
    );
  end else begin : gen_full
    link_full #(.PORTS(PORTS)) i_link (
      .clk_i, .rst_ni,
      .tx_valid_i(tx_valid), .tx_last_i(tx_last), .tx_close_i(tx_close),
      .rx_open_i(rx_open), .rx_close_i(rx_close), .rx_expect_i(expect_rx), .rx_forward_i(forward),
      .rx_take_o(take),
      .link_valid_o, .link_last_o, .link_valid_i, .link_last_i,
      .unexpected_o(unexpected), .missing_o(missing), .cut_o(cut),
      .tx_cut_o(tx_cut)
    );
    assign collision  = '0;
    assign turnaround = '0;
  end

  // ---- What arrives goes to the store.
  logic [PORTS-1:0] overflow;

  receive_log #(
    .PORTS(PORTS), .LOGS(LOGS), .CHANNELS(CHANNELS), .ADDR_W(ADDR_W), .LOG_W(LOG_W)
  ) i_receive_log (
    .clk_i, .start_i, .own_words_i, .capacity_i,
    .take_i(take), .write_o(write_en_o), .pointer_o(write_addr_o), .overflow_o(overflow),
    .read_i(read_en_o), .read_log_i(read_log_o), .read_addr_i(read_addr_o),
    .unwritten_o(unwritten)
  );

  if (LOGS == 1) begin : gen_one_log
    logic [FLIT_W-1:0] data_0;

    assign data_0 = link_data_i[FLIT_W-1:0];

    always_comb begin
      write_data_o = data_0;
      for (int p = 1; p < PORTS; p++) begin
        if (take[p]) write_data_o = link_data_i[p*FLIT_W+:FLIT_W];
      end
    end
  end else begin : gen_own_logs
    assign write_data_o = link_data_i;
  end

  always_ff @(posedge clk_i) taken_o <= take & ~overflow;

  // ---- Errors.
  error_log #(.PORTS(PORTS), .SLOT_W(REPEAT_W)) i_error_log (
    .clk_i, .rst_ni, .clear_i(start_i),
    .collision_i(collision), .turnaround_i(turnaround), .unexpected_i(unexpected),
    .missing_i(missing), .cut_i(cut), .tx_cut_i(tx_cut), .limit_i(limit),
    .unwritten_i(unwritten_at),
    .overflow_i(overflow), .malformed_i(malformed), .exhausted_i(exhausted_at),
    .short_slot_i(short_slot),
    .slot_i(slot), .tx_close_i(tx_close), .rx_close_i(rx_close),
    .seen_o(errors_o), .first_code_o(first_error_o), .first_slot_o(first_error_slot_o),
    .first_port_o(first_error_port_o)
  );

endmodule

`default_nettype wire
