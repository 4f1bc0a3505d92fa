// Sticky errors of a node: a bit per code, and code, slot and port of the first one. If several
// come in the same cycle, the smallest code is the first.
`default_nettype none

module error_log #(
  parameter int PORTS  = 4,   // link ports
  parameter int SLOT_W = 20   // bits of a slot number
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic                                 clear_i,
  // Ports at which each error stands in this cycle; node-wide errors stand at port 0.
  input  logic [PORTS-1:0]                     collision_i,
  input  logic [PORTS-1:0]                     turnaround_i,
  input  logic [PORTS-1:0]                     unexpected_i,
  input  logic [PORTS-1:0]                     missing_i,
  input  logic [PORTS-1:0]                     cut_i,         // ERR_CUT of what arrives
  input  logic [PORTS-1:0]                     tx_cut_i,      // ERR_CUT of what is sent
  input  logic [PORTS-1:0]                     limit_i,
  input  logic [PORTS-1:0]                     unwritten_i,
  input  logic [PORTS-1:0]                     overflow_i,
  input  logic                                 malformed_i,
  input  logic [PORTS-1:0]                     exhausted_i,
  input  logic                                 short_slot_i,  // ERR_CUT by the entry itself
  // Slots finished, as the reads see it; the select and the receivers may be one or two behind.
  input  logic [SLOT_W-1:0]                    slot_i,
  input  logic                                 tx_close_i,
  input  logic                                 rx_close_i,
  output logic [gossamer_pkg::ERROR_CODES-1:0] seen_o,        // bit k: code k was raised
  output logic [3:0]                           first_code_o,
  output logic [SLOT_W-1:0]                    first_slot_o,
  output logic [7:0]                           first_port_o
);

  logic [gossamer_pkg::ERROR_CODES-1:0] now;
  logic [PORTS-1:0]                     at;
  logic                                 any;
  logic [3:0]                           code;
  logic [7:0]                           port;
  logic [SLOT_W-1:0]                    slot;

  assign any = |(collision_i | turnaround_i | unexpected_i | missing_i | cut_i | tx_cut_i |
                 limit_i | unwritten_i | overflow_i | exhausted_i) || malformed_i || short_slot_i;

  always_comb begin
    now  = '0;
    code = gossamer_pkg::ERR_NONE;
    at   = '0;
    slot = slot_i;
    port = 8'd0;
    if (any) begin
      now = {|exhausted_i, malformed_i, |overflow_i, |unwritten_i, |limit_i,
             |(cut_i | tx_cut_i) || short_slot_i, |missing_i, |unexpected_i, |turnaround_i,
             |collision_i, 1'b0};
      if (|collision_i) begin
        code = gossamer_pkg::ERR_COLLISION;
        at   = collision_i;
        slot = slot_i - SLOT_W'(tx_close_i);
      end else if (|turnaround_i) begin
        code = gossamer_pkg::ERR_TURNAROUND;
        at   = turnaround_i;
        slot = slot_i - SLOT_W'(tx_close_i);
      end else if (|unexpected_i) begin
        code = gossamer_pkg::ERR_UNEXPECTED;
        at   = unexpected_i;
        slot = slot_i - SLOT_W'(tx_close_i) - SLOT_W'(rx_close_i);
      end else if (|missing_i) begin
        code = gossamer_pkg::ERR_MISSING;
        at   = missing_i;
        slot = slot_i - SLOT_W'(tx_close_i) - SLOT_W'(rx_close_i);
      end else if (short_slot_i) begin
        code = gossamer_pkg::ERR_CUT;
      end else if (|tx_cut_i) begin
        code = gossamer_pkg::ERR_CUT;
        at   = tx_cut_i;
        slot = slot_i - SLOT_W'(tx_close_i);
      end else if (|cut_i) begin
        code = gossamer_pkg::ERR_CUT;
        at   = cut_i;
        slot = slot_i - SLOT_W'(tx_close_i) - SLOT_W'(rx_close_i);
      end else if (|limit_i) begin
        code = gossamer_pkg::ERR_LIMIT;
        at   = limit_i;
      end else if (|unwritten_i) begin
        code = gossamer_pkg::ERR_UNWRITTEN;
        at   = unwritten_i;
      end else if (|overflow_i) begin
        code = gossamer_pkg::ERR_OVERFLOW;
        at   = overflow_i;
        slot = slot_i - SLOT_W'(tx_close_i) - SLOT_W'(rx_close_i);
      end else if (malformed_i) begin
        code = gossamer_pkg::ERR_MALFORMED;
      end else begin
        code = gossamer_pkg::ERR_EXHAUSTED;
        at   = exhausted_i;
      end
      for (int p = PORTS; p > 0; p--) if (at[p-1]) port = 8'(p - 1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      seen_o       <= '0;
      first_code_o <= gossamer_pkg::ERR_NONE;
      first_slot_o <= '0;
      first_port_o <= '0;
    end else if (any) begin
      seen_o <= seen_o | now;
      if (seen_o == '0) begin
        first_code_o <= code;
        first_slot_o <= slot;
        first_port_o <= port;
      end
    end
  end

endmodule

`default_nettype wire
