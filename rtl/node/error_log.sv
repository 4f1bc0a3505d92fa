// Sticky errors of a node: a bit per code, and code, slot and port of the first one. If several
// come in the same cycle, the smallest code is the first.
//
// What is raised in a cycle goes to registers and is looked at in the next one, so that no path leads from a
// link or a memory through this module; only one-cycle nodes, whose paths are short, look at it at once. The
// first error's port is known one cycle later than its code, its slot one to three cycles later, when the count of
// slots has come to the receivers. The end of the table is reported after that.
`default_nettype none

module error_log #(
  parameter int PORTS  = 4,   // link ports
  parameter int CHANNELS = 1,  // read channels: 1 (multicast) or PORTS
  parameter int SLOT_W = 20,  // bits of a slot number
  parameter logic STAGED = 1'b0,  // 1: links have register stages
  parameter logic LATE   = 1'b0,  // 1, one-cycle nodes: errors of entries come one cycle late, errors of words
                                  // count as port 0's
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

  // ---- What was raised in the cycle before.
  logic [PORTS-1:0]    collision, turnaround, unexpected, missing, cut, tx_cut, limit, overflow, served;
  logic [CHANNELS-1:0] unwritten, exhausted;
  logic                malformed, short_slot;
  logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] behind;
  logic                forgets;  // it does not count
  logic [2:0]          wait_q;   // cycles until the first error's slot is known, a bit for each
  logic                load;     // there is something to be done

  // Simulation is faster when it knows whether anything was raised.
`ifdef SYNTHESIS
  assign load = 1'b1;
`else
  logic raised, raised_q;

  always_comb begin
    if (|(collision_i | turnaround_i | unexpected_i | missing_i | cut_i | tx_cut_i | limit_i |
          overflow_i)) raised = 1'b1;
    else raised = |(unwritten_i | exhausted_i) || malformed_i || short_slot_i;
  end

  always_ff @(posedge clk_i) raised_q <= !LATE && (raised || forgets);
  assign load = raised || raised_q || |wait_q;
`endif

  if (LATE) begin : gen_now
    assign collision  = collision_i;
    assign turnaround = turnaround_i;
    assign unexpected = unexpected_i;
    assign missing    = missing_i;
    assign cut        = cut_i;
    assign tx_cut     = tx_cut_i;
    assign limit      = limit_i;
    assign overflow   = overflow_i;
    assign malformed  = malformed_i;
    assign short_slot = short_slot_i;
    assign unwritten  = unwritten_i;
    assign exhausted  = exhausted_i;
    assign served     = local_i;
    assign behind     = behind_i;
    assign forgets    = !rst_ni || clear_i;
  end else begin : gen_registers
    logic forgot_q;

    assign forgets = !rst_ni || clear_i || forgot_q;

    always_ff @(posedge clk_i) begin
      forgot_q <= !rst_ni || clear_i;
      if (load) begin
        collision  <= collision_i;
        turnaround <= turnaround_i;
        unexpected <= unexpected_i;
        missing    <= missing_i;
        cut        <= cut_i;
        tx_cut     <= tx_cut_i;
        limit      <= limit_i;
        overflow   <= overflow_i;
        malformed  <= malformed_i;
        short_slot <= short_slot_i;
        unwritten  <= unwritten_i;
        exhausted  <= exhausted_i;
        served     <= local_i;
        behind     <= behind_i;
      end
    end
  end

  logic [gossamer_pkg::ERROR_CODES-1:0] now;

  always_comb begin
    now = '0;
    if (load) begin
      now = {|exhausted, malformed, |overflow, |unwritten, |limit, |cut || |tx_cut || short_slot,
             |missing, |unexpected, |turnaround, |collision, 1'b0};
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) seen_o <= seen_o | now;
    if (forgets) seen_o <= '0;
  end

  // ---- The first one. Registers are written below all that reads them, so that Verilator needs no copies.
  if (DETAIL) begin : gen_first
    localparam int STAGES_W = gossamer_pkg::LINK_STAGES_W;
    logic             had_q;
    logic [PORTS-1:0] at_q;  // ports of the first error
    // Slots finished, one to four cycles ago. They change when a window closes.
    logic              closed_q1, closed_q2;
    logic [SLOT_W-1:0] slot_q1, slot_q2, slot_q3, slot_q4;
    logic [SLOT_W-1:0] more_q;  // slots that the receiver is behind

    always_ff @(posedge clk_i) begin : first
      logic [3:0]        code;
      logic [PORTS-1:0]  at;                    // none if it is an error of the node
      logic              of_received, of_sent;  // what raised it
      logic [SLOT_W-1:0] more;
      code        = gossamer_pkg::ERR_NONE;
      at          = '0;
      of_received = 1'b0;
      of_sent     = 1'b0;
      more        = '0;
      if (load) begin
        for (int p = PORTS; p > 0; p--) if (at_q[p-1]) first_port_o <= 8'(p - 1);
        if (wait_q[0]) first_slot_o <= (LATE ? slot_q3 : slot_q4) - more_q;
        if (had_q) begin
          wait_q <= wait_q >> 1;
        end else begin
          if (|collision) begin
            code    = gossamer_pkg::ERR_COLLISION;
            at      = collision;
            of_sent = 1'b1;
          end else if (|turnaround) begin
            code    = gossamer_pkg::ERR_TURNAROUND;
            at      = turnaround;
            of_sent = 1'b1;
          end else if (|unexpected) begin
            code        = gossamer_pkg::ERR_UNEXPECTED;
            at          = unexpected;
            of_received = 1'b1;
          end else if (|missing) begin
            code        = gossamer_pkg::ERR_MISSING;
            at          = missing;
            of_received = 1'b1;
          end else if (short_slot) begin
            code = gossamer_pkg::ERR_CUT;
          end else if (|tx_cut) begin
            code    = gossamer_pkg::ERR_CUT;
            at      = tx_cut;
            of_sent = 1'b1;
          end else if (|cut) begin
            code        = gossamer_pkg::ERR_CUT;
            at          = cut;
            of_received = 1'b1;
          end else if (|limit) begin
            code    = gossamer_pkg::ERR_LIMIT;
            at      = limit;
            of_sent = LATE;
          end else if (|unwritten) begin
            code = gossamer_pkg::ERR_UNWRITTEN;
            at   = (CHANNELS != 1) ? PORTS'(unwritten) : LATE ? PORTS'(1) : served;
          end else if (|overflow) begin
            code        = gossamer_pkg::ERR_OVERFLOW;
            at          = overflow;
            of_received = 1'b1;
          end else if (malformed) begin
            code    = gossamer_pkg::ERR_MALFORMED;
            of_sent = LATE;
          end else if (|exhausted) begin
            code = gossamer_pkg::ERR_EXHAUSTED;
            at   = (CHANNELS == 1) ? served : PORTS'(exhausted);
          end
          if (STAGED && of_received) begin
            for (int p = PORTS; p > 0; p--) begin
              if (at[p-1]) more = SLOT_W'(behind[(p-1)*STAGES_W+:STAGES_W]);
            end
          end
          had_q        <= |now;
          at_q         <= at;
          more_q       <= more;
          wait_q       <= {|now && !of_received && !of_sent, of_sent, of_received};
          first_code_o <= code;
        end
      end
      if (forgets) begin
        had_q        <= 1'b0;
        at_q         <= '0;
        wait_q       <= '0;
        first_code_o <= gossamer_pkg::ERR_NONE;
        first_slot_o <= '0;
        first_port_o <= '0;
      end
    end

    always_ff @(posedge clk_i) begin
      if (tx_close_i || rx_close_i || closed_q1 || closed_q2) begin
        if (closed_q2) slot_q4 <= slot_q3;
        if (closed_q1) slot_q3 <= slot_q2;
        if (rx_close_i) slot_q2 <= slot_q1;
        if (tx_close_i) slot_q1 <= slot_i;
        closed_q2 <= closed_q1;
        closed_q1 <= rx_close_i;
      end
      if (forgets) begin
        slot_q1 <= '0;
        slot_q2 <= '0;
        slot_q3 <= '0;
        slot_q4 <= '0;
      end
    end

    logic unused;
    assign unused = ^{slot_q4, behind};
  end else begin : gen_bare
    assign wait_q       = '0;
    assign first_code_o = gossamer_pkg::ERR_NONE;
    assign first_slot_o = '0;
    assign first_port_o = '0;

    logic unused;
    assign unused = ^{served, behind, slot_i, tx_close_i, rx_close_i};
  end

endmodule

`default_nettype wire
