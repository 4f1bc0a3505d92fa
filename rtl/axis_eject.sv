// The message stores out to AXI4-Stream: at the end of a period, node after node and log after log,
// the words that have arrived there. A packet is a log: `tid` is its node, `tuser` the port at which
// its words arrived (0 in a single-port node, which has but one log), `tlast` its last word. Logs
// without a word make no packet. The next period waits until all is sent; so the receiver may stall
// at any time, and nothing is lost.
`default_nettype none

module axis_eject #(
  parameter int   NODES       = 1,     // nodes behind the configuration port
  parameter int   PORTS       = 4,     // as in switch_node
  parameter logic SINGLE_PORT = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,        // one cycle: send all
  output logic        busy_o,
  // The configuration port.
  output logic        cfg_valid_o,
  input  logic        cfg_ready_i,
  output logic [15:0] cfg_node_o,
  output logic [31:0] cfg_addr_o,
  input  logic [31:0] cfg_rdata_i,    // one cycle after the transfer
  // AXI4-Stream.
  output logic [31:0] m_axis_tdata_o,
  output logic [15:0] m_axis_tid_o,
  output logic [7:0]  m_axis_tuser_o,
  output logic        m_axis_tlast_o,
  output logic        m_axis_tvalid_o,
  input  logic        m_axis_tready_i
);

  localparam int LOGS = SINGLE_PORT ? 1 : PORTS;
  localparam logic [31:0] WORDS     = gossamer_pkg::CFG_STORE << gossamer_pkg::CFG_REGION_LSB;
  localparam logic [31:0] LENGTHS   = gossamer_pkg::CFG_LOG_LENGTH;
  localparam logic [31:0] OWN_WORDS = gossamer_pkg::CFG_OWN_WORDS;

  typedef enum logic [2:0] {
    IDLE   = 3'd0,  // waits for the end of a period
    OWN    = 3'd1,  // asks how many words the node started with
    KEEP   = 3'd2,  // ... and keeps it: in a single-port node arrivals stand behind them
    LENGTH = 3'd3,  // asks how long the log is
    BOUND  = 3'd4,  // ... and keeps it
    FETCH  = 3'd5,  // asks for a word
    TAKE   = 3'd6,  // ... and keeps it
    SEND   = 3'd7   // the word stands on the stream
  } state_e;

  state_e      state_q;
  logic [15:0] node_q;
  logic [7:0]  log_q;
  logic [31:0] word_q;    // next word of the log
  logic [31:0] length_q;  // words in the log
  logic        last_log, last_node;

  assign last_log  = 32'(log_q) == LOGS - 1;
  assign last_node = 32'(node_q) == NODES - 1;

  assign busy_o          = state_q != IDLE;
  assign cfg_valid_o     = state_q == OWN || state_q == LENGTH || state_q == FETCH;
  assign cfg_node_o      = node_q;
  assign m_axis_tid_o    = node_q;
  assign m_axis_tuser_o  = log_q;
  assign m_axis_tvalid_o = state_q == SEND;
  assign m_axis_tlast_o  = word_q == length_q;

  always_comb begin
    case (state_q)
      OWN:     cfg_addr_o = OWN_WORDS;
      LENGTH:  cfg_addr_o = LENGTHS + 32'(log_q);
      default: cfg_addr_o = WORDS | (32'(log_q) << gossamer_pkg::CFG_LOG_LSB) | word_q;
    endcase
  end

  always_ff @(posedge clk_i) begin : step
    logic next_log;  // this log is done
    next_log = 1'b0;
    if (!rst_ni) begin
      state_q        <= IDLE;
      node_q         <= '0;
      log_q          <= '0;
      word_q         <= '0;
      length_q       <= '0;
      m_axis_tdata_o <= '0;
    end else begin
      case (state_q)
        IDLE:
          if (start_i) begin
            state_q <= OWN;
            node_q  <= '0;
            log_q   <= '0;
          end
        OWN:    if (cfg_ready_i) state_q <= KEEP;
        KEEP: begin
          state_q <= LENGTH;
          word_q  <= SINGLE_PORT ? cfg_rdata_i : '0;
        end
        LENGTH: if (cfg_ready_i) state_q <= BOUND;
        BOUND: begin
          length_q <= cfg_rdata_i;
          if (cfg_rdata_i == word_q) next_log = 1'b1;
          else state_q <= FETCH;
        end
        FETCH:  if (cfg_ready_i) state_q <= TAKE;
        TAKE: begin
          state_q        <= SEND;
          m_axis_tdata_o <= cfg_rdata_i;
          word_q         <= word_q + 32'd1;
        end
        default:  // SEND
          if (m_axis_tready_i) begin
            if (m_axis_tlast_o) next_log = 1'b1;
            else state_q <= FETCH;
          end
      endcase
      if (next_log) begin
        state_q <= (last_log && last_node) ? IDLE : OWN;
        log_q   <= last_log ? '0 : log_q + 8'd1;
        if (last_log) node_q <= node_q + 16'd1;
      end
    end
  end

endmodule

`default_nettype wire
