// AXI4-Stream into the message stores: a packet is the words that the node `tdest` starts with. It
// is written to the node's own words, and with its last word their number is. While the table runs,
// and while the configuration port serves others, the stream waits; inside the fabric nothing does.
//
// A packet with more words than the store holds, or for no node, is taken to its end, dropped and
// told: the node starts with as many words as before.
`default_nettype none

module axis_inject #(
  parameter int   NODES       = 1,     // nodes behind the configuration port
  parameter int   PORTS       = 4,     // as in switch_node
  parameter logic SINGLE_PORT = 1'b0,
  parameter int   STORE_DEPTH = 1024
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,       // no table runs
  // AXI4-Stream.
  input  logic [31:0] s_axis_tdata_i,
  input  logic [15:0] s_axis_tdest_i,
  input  logic        s_axis_tlast_i,
  input  logic        s_axis_tvalid_i,
  output logic        s_axis_tready_o,
  // The configuration port.
  output logic        cfg_valid_o,
  input  logic        cfg_ready_i,
  output logic [15:0] cfg_node_o,
  output logic [31:0] cfg_addr_o,
  output logic [31:0] cfg_wdata_o,
  // Status.
  output logic        busy_o,         // within a packet
  output logic        drop_o          // one cycle: a packet is dropped
);

  localparam int OWN_LOG = SINGLE_PORT ? 0 : PORTS;
  localparam logic [31:0] OWN_WORD = (gossamer_pkg::CFG_STORE << gossamer_pkg::CFG_REGION_LSB) |
                                     (OWN_LOG << gossamer_pkg::CFG_LOG_LSB);
  localparam logic [31:0] OWN_WORDS = gossamer_pkg::CFG_OWN_WORDS;

  typedef enum logic [1:0] {
    PACKET = 2'd0,  // takes words
    LENGTH = 2'd1,  // the packet has ended: their number
    DROP   = 2'd2   // takes the rest of a bad packet
  } state_e;

  state_e      state_q;
  logic [31:0] count_q;  // words of the packet written
  logic [15:0] node_q;   // where the packet goes
  logic        good, takes;

  assign good  = 32'(s_axis_tdest_i) < NODES && count_q < STORE_DEPTH &&
                 (count_q == '0 || s_axis_tdest_i == node_q);
  assign takes = s_axis_tvalid_i && s_axis_tready_o;

  assign cfg_valid_o = (state_q == PACKET && s_axis_tvalid_i && enable_i && good) ||
                       state_q == LENGTH;
  assign cfg_node_o  = (state_q == LENGTH) ? node_q : s_axis_tdest_i;
  assign cfg_addr_o  = (state_q == LENGTH) ? OWN_WORDS : OWN_WORD + count_q;
  assign cfg_wdata_o = (state_q == LENGTH) ? count_q : s_axis_tdata_i;

  assign s_axis_tready_o = state_q == DROP ||
                           (state_q == PACKET && enable_i && (!good || cfg_ready_i));
  assign drop_o          = takes && !good && state_q == PACKET;
  assign busy_o          = state_q != PACKET || count_q != '0 || (s_axis_tvalid_i && enable_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= PACKET;
      count_q <= '0;
      node_q  <= '0;
    end else begin
      case (state_q)
        PACKET:
          if (takes) begin
            count_q <= count_q + 32'd1;
            node_q  <= s_axis_tdest_i;
            if (!good) begin
              count_q <= '0;
              if (!s_axis_tlast_i) state_q <= DROP;
            end else if (s_axis_tlast_i) begin
              state_q <= LENGTH;
            end
          end
        LENGTH:
          if (cfg_ready_i) begin
            state_q <= PACKET;
            count_q <= '0;
          end
        default:  // DROP
          if (takes && s_axis_tlast_i) state_q <= PACKET;
      endcase
    end
  end

endmodule

`default_nettype wire
