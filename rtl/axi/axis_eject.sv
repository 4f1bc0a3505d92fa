// SPDX-License-Identifier: Apache-2.0
// Sends a node's message store to AXI4-Stream: at the end of a period, log after log, the words
// that have arrived there, one per cycle. A packet is a log: `tuser` is the port at which its words
// arrived (0 in a single-port node, which has only one log), `tlast` marks its last word. Empty
// logs make no packet. The next period waits until everything is sent, so the receiver may stall at any
// time and nothing is lost.
//
// An abort drops what has not been sent. A word that is offered stays, and of a packet that is cut short one
// more word is the last, of any value, so that the stream stays one of whole packets.
`default_nettype none

module axis_eject #(
  parameter int   PORTS       = 4,     // as in switch_node
  parameter logic SINGLE_PORT = 1'b0,
  parameter int   STORE_DEPTH = 1024
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,        // one cycle: send everything
  input  logic        abort_i,        // ... and nothing more
  output logic        busy_o,
  // The configuration port; a transfer takes place in the cycle in which it is also ready.
  output logic        cfg_valid_o,
  input  logic        cfg_ready_i,
  output logic [31:0] cfg_addr_o,
  input  logic [31:0] cfg_rdata_i,    // one cycle after the transfer
  // AXI4-Stream.
  output logic [31:0] m_axis_tdata_o,
  output logic [7:0]  m_axis_tuser_o,
  output logic        m_axis_tlast_o,
  output logic        m_axis_tvalid_o,
  input  logic        m_axis_tready_i
);

  localparam int LOGS   = SINGLE_PORT ? 1 : PORTS;
  localparam int LOG_W  = $clog2(LOGS + 1);
  localparam int ADDR_W = $clog2(STORE_DEPTH + 1);
  localparam logic [31:0] WORDS     = gossamer_pkg::CFG_STORE << gossamer_pkg::CFG_REGION_LSB;
  localparam logic [31:0] LENGTHS   = gossamer_pkg::CFG_LOG_LENGTH;
  localparam logic [31:0] OWN_WORDS = gossamer_pkg::CFG_OWN_WORDS;

  typedef enum logic [2:0] {
    IDLE   = 3'd0,  // waits for the end of a period
    OWN    = 3'd1,  // reads how many words the node started with
    KEEP   = 3'd2,  // ... and stores it: in a single-port node arrivals follow them
    LENGTH = 3'd3,  // reads the length of the log
    BOUND  = 3'd4,  // ... and stores it
    SEND   = 3'd5   // sends its words
  } state_e;

  state_e            state_q;
  logic [LOG_W-1:0]  log_q;
  logic [LOG_W-1:0]  user_q;    // the log of the packet on the stream
  logic [ADDR_W-1:0] word_q;    // next word of the log to be read
  logic [ADDR_W-1:0] length_q;  // words in the log
  logic              read, take, log_ends, last_log;

  // ---- Words: one is being read, one is on the stream, one is spare if the receiver stalls.
  logic        fetch_q, valid_q, spare_valid_q, moves;
  logic        within_q;  // a word of a packet was taken, and not yet the last one
  logic [31:0] spare_q;

  assign take  = valid_q && m_axis_tready_i;
  assign moves = !valid_q || m_axis_tready_i;
  assign read  = state_q == SEND && word_q != length_q &&
                 (moves || !(spare_valid_q || fetch_q));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fetch_q       <= 1'b0;
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
      within_q      <= 1'b0;
    end else begin
      fetch_q <= read && cfg_ready_i && !abort_i;
      if (take) within_q <= !m_axis_tlast_o;
      if (abort_i) begin
        valid_q       <= valid_q ? !(m_axis_tready_i && m_axis_tlast_o) : within_q;
        spare_valid_q <= valid_q && !m_axis_tready_i && !m_axis_tlast_o;
      end else if (moves) begin
        valid_q       <= spare_valid_q || fetch_q;
        spare_valid_q <= 1'b0;
      end else if (fetch_q) begin
        spare_valid_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (moves) m_axis_tdata_o <= spare_valid_q ? spare_q : cfg_rdata_i;
    if (!spare_valid_q) spare_q <= cfg_rdata_i;
  end

  assign m_axis_tvalid_o = valid_q;
  assign m_axis_tuser_o  = SINGLE_PORT ? '0 : 8'(user_q);
  assign m_axis_tlast_o  = word_q == length_q && !spare_valid_q && !fetch_q;

  // ---- Logs. What an abort has left on the stream comes before the first one.
  assign busy_o      = state_q != IDLE && !abort_i;
  assign cfg_valid_o = ((state_q == OWN || state_q == LENGTH) && !valid_q) || read;
  assign last_log    = SINGLE_PORT || 32'(log_q) == LOGS - 1;
  assign log_ends    = (state_q == SEND && take && m_axis_tlast_o) ||
                       (state_q == BOUND && cfg_rdata_i[ADDR_W-1:0] <= word_q);  // a log that goes on may hold less than there are own words now

  always_comb begin
    case (state_q)
      OWN:     cfg_addr_o = OWN_WORDS;
      LENGTH:  cfg_addr_o = LENGTHS | 32'(log_q);
      default: cfg_addr_o = WORDS | (32'(log_q) << gossamer_pkg::CFG_LOG_LSB) | 32'(word_q);
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= IDLE;
      log_q    <= '0;
      user_q   <= '0;
      word_q   <= '0;
      length_q <= '0;
    end else begin
      case (state_q)
        IDLE:   if (start_i) state_q <= SINGLE_PORT ? OWN : LENGTH;
        OWN:    if (cfg_ready_i && !valid_q) state_q <= KEEP;
        KEEP:   state_q <= LENGTH;
        LENGTH: if (cfg_ready_i && !valid_q) state_q <= BOUND;
        BOUND:  state_q <= SEND;
        default: ;  // SEND, until the log ends
      endcase
      if (state_q == KEEP) word_q <= cfg_rdata_i[ADDR_W-1:0];
      if (state_q == BOUND) begin
        length_q <= cfg_rdata_i[ADDR_W-1:0];
        user_q   <= log_q;
      end
      if (read && cfg_ready_i) word_q <= word_q + ADDR_W'(1);
      if (log_ends) begin
        state_q <= last_log ? IDLE : LENGTH;
        log_q   <= last_log ? '0 : log_q + LOG_W'(1);
        word_q  <= '0;
      end
      if (abort_i) begin
        state_q  <= IDLE;
        log_q    <= '0;
        word_q   <= '0;
        length_q <= '0;
      end
    end
  end

  // Lengths are narrower than the bus.
  logic unused;
  assign unused = ^cfg_rdata_i;

endmodule

`default_nettype wire
