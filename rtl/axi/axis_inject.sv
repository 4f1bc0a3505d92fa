// AXI4-Stream into a node's message store: a packet holds the words with which the node starts its
// next period. Each word is written to the node's own words, and after the last one their number.
// Then the stream waits until that period has ended, so that no packet is overwritten before it was
// sent; inside the fabric nothing waits. Where the next period is decided far away, no packet begins
// between that decision and the period.
//
// A packet with more words than the store holds, or with another number than was announced, is received
// to its end, dropped and reported: the node starts with as many words as before. The same happens at once
// to a packet that is cancelled; the word that comes next begins another one.
`default_nettype none

module axis_inject #(
  parameter int   PORTS       = 4,     // as in switch_node
  parameter logic SINGLE_PORT = 1'b0,
  parameter logic REDUCE      = 1'b0,
  parameter int   STORE_DEPTH = 1024
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,       // no period is running, and its arrivals have been sent
  input  logic        shut_i,         // no packet may begin
  input  logic        cancel_i,       // a packet that has begun is dropped
  input  logic        length_write_i, // the next one is written
  input  logic [31:0] length_i,       // words that a packet must have; 0: any number
  // AXI4-Stream.
  input  logic [31:0] s_axis_tdata_i,
  input  logic        s_axis_tlast_i,
  input  logic        s_axis_tvalid_i,
  output logic        s_axis_tready_o,
  // The configuration port; a transfer takes place in the cycle in which it is also ready.
  output logic        cfg_valid_o,
  input  logic        cfg_ready_i,
  output logic [31:0] cfg_addr_o,
  output logic [31:0] cfg_wdata_o,
  // Status.
  output logic        busy_o,         // within a packet
  output logic        drop_o          // one cycle: a packet is dropped
);

  localparam int ADDR_W  = $clog2(STORE_DEPTH + 1);
  localparam int OWN_LOG = SINGLE_PORT ? 32'(REDUCE) : PORTS;
  localparam logic [31:0] OWN_WORD = (gossamer_pkg::CFG_STORE << gossamer_pkg::CFG_REGION_LSB) |
                                     (OWN_LOG << gossamer_pkg::CFG_LOG_LSB);
  localparam logic [31:0] OWN_WORDS = gossamer_pkg::CFG_OWN_WORDS;

  typedef enum logic [1:0] {
    PACKET = 2'd0,  // takes words
    LENGTH = 2'd1,  // the packet has ended: writes their number
    WAIT   = 2'd2,  // until it has been sent
    DROP   = 2'd3   // takes the rest of a packet that is too long
  } state_e;

  state_e            state_q;
  logic [ADDR_W-1:0] count_q;  // words of the packet written
  logic [ADDR_W-1:0] length_q, most;  // words that a packet must have, or 0; that it can have
  logic              fits, takes, open, begun, ends, short;

  assign open  = enable_i && !(shut_i && count_q == '0);
  assign most  = (length_q == '0) ? ADDR_W'(STORE_DEPTH) : length_q;
  assign fits  = count_q < most;  // a length may be written within a packet
  assign ends  = takes && s_axis_tlast_i;
  assign short = length_q != '0 && count_q + ADDR_W'(1) != length_q;
  assign takes = s_axis_tvalid_i && s_axis_tready_o;
  assign begun = state_q == PACKET && count_q != '0;

  assign cfg_valid_o = (state_q == PACKET && s_axis_tvalid_i && open && fits) ||
                       state_q == LENGTH;
  assign cfg_addr_o  = (state_q == LENGTH) ? OWN_WORDS : OWN_WORD | 32'(count_q);
  assign cfg_wdata_o = (state_q == LENGTH) ? 32'(count_q) : s_axis_tdata_i;

  assign s_axis_tready_o = state_q == DROP ||
                           (state_q == PACKET && open && (!fits || cfg_ready_i));
  assign drop_o          = (takes && state_q == PACKET && (!fits || (ends && short))) || (cancel_i && begun);
  assign busy_o          = state_q == LENGTH || state_q == DROP || count_q != '0 ||
                           (state_q == PACKET && s_axis_tvalid_i && open);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= PACKET;
      count_q  <= '0;
      length_q <= '0;
    end else begin
      if (length_write_i) length_q <= length_i[ADDR_W-1:0];
      case (state_q)
        PACKET:
          if (takes) begin
            count_q <= (fits && !(ends && short)) ? count_q + ADDR_W'(1) : '0;
            if (s_axis_tlast_i) state_q <= (fits && !short) ? LENGTH : PACKET;
            else if (!fits) state_q <= DROP;
          end
        LENGTH:
          if (cfg_ready_i) begin
            state_q <= WAIT;
            count_q <= '0;
          end
        WAIT:
          if (!enable_i) state_q <= PACKET;
        default:  // DROP
          if (takes && s_axis_tlast_i) state_q <= PACKET;
      endcase
      if (cancel_i && (begun || state_q == DROP)) begin
        state_q <= PACKET;
        count_q <= '0;
      end
    end
  end

  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    axi_stable #(.WIDTH(33)) i_stream (
      .clk_i, .rst_ni, .valid_i(s_axis_tvalid_i), .ready_i(s_axis_tready_o), .payload_i({s_axis_tlast_i, s_axis_tdata_i})
    );
  end

  // A length is narrower than the bus.
  logic unused;
  assign unused = ^length_i;

endmodule

`default_nettype wire
