// Sticky errors of a node: a bit per code, and code, slot and port of the first one. If several
// come in the same cycle, the smallest code is the first.
`default_nettype none

module error_log #(
  parameter int PORTS  = 4,   // link ports
  parameter int CHANNELS = 1,  // read channels: 1 (multicast) or PORTS
  parameter int SLOT_W = 20,  // bits of a slot number
  parameter logic STAGED = 1'b0,  // 1: links have register stages
  parameter logic LATE   = 1'b0,  // 1: errors of entries come one cycle late, errors of words count as port 0's
  parameter logic DETAIL = 1'b1   // 0: the first error's code, slot and port are not kept
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic                                 clear_i,
  // Ports at which each error is raised in this cycle; errors of the node are at port 0.
  input  logic [PORTS-1:0]                     collision_i,
  input  logic [PORTS-1:0]                     turnaround_i,
  input  logic [PORTS-1:0]                     unexpected_i,
  input  logic [PORTS-1:0]                     missing_i,
  input  logic [PORTS-1:0]                     cut_i,         // ERR_CUT of what arrives
  input  logic [PORTS-1:0]                     tx_cut_i,      // ERR_CUT of what is sent
  input  logic [PORTS-1:0]                     limit_i,
  input  logic [PORTS-1:0]                     overflow_i,
  input  logic                                 malformed_i,
  input  logic                                 short_slot_i,  // ERR_CUT by the entry itself
  // Errors of the read channels, and the outputs for which a single channel reads.
  input  logic [CHANNELS-1:0]                  unwritten_i,
  input  logic [CHANNELS-1:0]                  exhausted_i,
  input  logic [PORTS-1:0]                     local_i,
  // Slots finished in the timing of reads; the select and the receivers may be one or two behind.
  input  logic [SLOT_W-1:0]                    slot_i,
  input  logic                                 tx_close_i,
  input  logic                                 rx_close_i,
  input  logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] behind_i,  // more slots that a receiver is behind
  output logic [gossamer_pkg::ERROR_CODES-1:0] seen_o,        // bit k: code k was raised
  output logic [3:0]                           first_code_o,
  output logic [SLOT_W-1:0]                    first_slot_o,
  output logic [7:0]                           first_port_o
);

  logic any;

  always_comb begin
    if (|(collision_i | turnaround_i | unexpected_i | missing_i | cut_i | tx_cut_i | limit_i |
          overflow_i)) any = 1'b1;
    else any = |(unwritten_i | exhausted_i) || malformed_i || short_slot_i;
  end

  localparam int STAGES_W = gossamer_pkg::LINK_STAGES_W;

  logic unused;
  assign unused = STAGED ? 1'b0 : ^behind_i;

  always_ff @(posedge clk_i) begin : log
    logic             received;  // an error of what arrives
    logic [PORTS-1:0] at;  // ports of the first error; none if it is an error of the node
    if (!rst_ni || clear_i) begin
      seen_o       <= '0;
      first_code_o <= gossamer_pkg::ERR_NONE;
      first_slot_o <= '0;
      first_port_o <= '0;
    end else if (!DETAIL || any) begin
      if (DETAIL && seen_o == '0) begin
        at = '0;
        received = 1'b0;
        if (|collision_i) begin
          first_code_o <= gossamer_pkg::ERR_COLLISION;
          first_slot_o <= slot_i - SLOT_W'(tx_close_i);
          at = collision_i;
        end else if (|turnaround_i) begin
          first_code_o <= gossamer_pkg::ERR_TURNAROUND;
          first_slot_o <= slot_i - SLOT_W'(tx_close_i);
          at = turnaround_i;
        end else if (|unexpected_i) begin
          first_code_o <= gossamer_pkg::ERR_UNEXPECTED;
          first_slot_o <= slot_i - SLOT_W'(tx_close_i) - SLOT_W'(rx_close_i);
          at = unexpected_i;
          received = 1'b1;
        end else if (|missing_i) begin
          first_code_o <= gossamer_pkg::ERR_MISSING;
          first_slot_o <= slot_i - SLOT_W'(tx_close_i) - SLOT_W'(rx_close_i);
          at = missing_i;
          received = 1'b1;
        end else if (short_slot_i) begin
          first_code_o <= gossamer_pkg::ERR_CUT;
          first_slot_o <= slot_i;
        end else if (|tx_cut_i) begin
          first_code_o <= gossamer_pkg::ERR_CUT;
          first_slot_o <= slot_i - SLOT_W'(tx_close_i);
          at = tx_cut_i;
        end else if (|cut_i) begin
          first_code_o <= gossamer_pkg::ERR_CUT;
          first_slot_o <= slot_i - SLOT_W'(tx_close_i) - SLOT_W'(rx_close_i);
          at = cut_i;
          received = 1'b1;
        end else if (|limit_i) begin
          first_code_o <= gossamer_pkg::ERR_LIMIT;
          first_slot_o <= slot_i - SLOT_W'(LATE);
          at = limit_i;
        end else if (|unwritten_i) begin
          first_code_o <= gossamer_pkg::ERR_UNWRITTEN;
          first_slot_o <= slot_i;
          at = (CHANNELS != 1) ? PORTS'(unwritten_i) : LATE ? PORTS'(1) : local_i;
        end else if (|overflow_i) begin
          first_code_o <= gossamer_pkg::ERR_OVERFLOW;
          first_slot_o <= slot_i - SLOT_W'(tx_close_i) - SLOT_W'(rx_close_i);
          at = overflow_i;
          received = 1'b1;
        end else if (malformed_i) begin
          first_code_o <= gossamer_pkg::ERR_MALFORMED;
          first_slot_o <= slot_i - SLOT_W'(LATE);
        end else begin
          first_code_o <= gossamer_pkg::ERR_EXHAUSTED;
          first_slot_o <= slot_i;
          at = (CHANNELS == 1) ? local_i : PORTS'(exhausted_i);
        end
        first_port_o <= '0;
        for (int p = PORTS; p > 0; p--) begin
          if (at[p-1]) first_port_o <= 8'(p - 1);
          if (STAGED && at[p-1] && received) begin
            first_slot_o <= slot_i - SLOT_W'(tx_close_i) - SLOT_W'(rx_close_i) -
                            SLOT_W'(behind_i[(p-1)*STAGES_W+:STAGES_W]);
          end
        end
      end
      seen_o <= seen_o | {|exhausted_i, malformed_i, |overflow_i, |unwritten_i, |limit_i,
                          |(cut_i | tx_cut_i) || short_slot_i, |missing_i, |unexpected_i,
                          |turnaround_i, |collision_i, 1'b0};
    end
  end

endmodule

`default_nettype wire
