// SPDX-License-Identifier: Apache-2.0
// Sticky errors of a node: a bit per code, and code, slot and port of the first one. If several
// come in the same cycle, the smallest code is the first.
//
// What is raised in a cycle goes to registers and is looked at in the next one, so that no path leads from a
// link or a memory through this module; only one-cycle nodes, whose paths are short, look at it at once. The
// first error's port is known one cycle later than its code, its slot one to three cycles later, when the slots before
// it are counted: the count follows the receivers. The end of the table is reported after that.
`default_nettype none

module error_log #(
  parameter int PORTS  = 4,   // link ports
  parameter int CHANNELS = 1,  // read channels: 1 (multicast) or PORTS
  parameter int SLOT_W = 20,  // bits of a slot number
  parameter logic STAGED = 1'b0,  // 1: links have register stages
  parameter logic LATE   = 1'b0,  // 1, one-cycle nodes: errors of entries come one cycle late, errors of words
                                  // count as port 0's
  parameter logic DETAIL = 1'b1,  // 0: the first error's code, slot and port are not kept
  parameter logic SKIP_IDLE = simulation_pkg::SKIP_IDLE
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
  input  logic                                 overflow_i,
  input  logic [PORTS-1:0]                     overflow_at_i,
  input  logic                                 malformed_i,
  input  logic                                 slot_parity_i,  // ERR_PARITY of an entry
  input  logic                                 list_parity_i,  // ... of a segment
  input  logic                                 short_slot_i,  // ERR_CUT by the entry itself
  // Errors of the read channels, and the outputs for which a single channel reads then.
  input  logic [CHANNELS-1:0]                  unwritten_i,
  input  logic [CHANNELS-1:0]                  exhausted_i,
  input  logic [PORTS-1:0]                     local_i,
  input  logic                                 rx_close_i,    // a slot's receive window closes: two cycles after its last read
  input  logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] behind_i,  // more slots that a receiver is behind
  output logic [gossamer_pkg::ERROR_CODES-1:0] seen_o,        // bit k: code k was raised
  output logic [3:0]                           first_code_o,
  output logic [SLOT_W-1:0]                    first_slot_o,
  output logic [7:0]                           first_port_o
);

  // ---- What was raised in the cycle before.
  logic [PORTS-1:0]    collision, turnaround, unexpected, missing, cut, tx_cut, limit, overflow, served;
  logic [CHANNELS-1:0] unwritten, exhausted;
  logic                short_slot;
  logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] behind;
  logic                forgets;  // it does not count
  logic                new_q;    // the first error is one cycle old
  logic [1:0]          wait_q;   // cycles until its slot is known, a bit for each
  logic                load;     // there is something to be done
  logic [gossamer_pkg::ERROR_CODES-1:0] any_i, any;  // by code: at any port, of ERR_CUT only what arrives
  logic [gossamer_pkg::ERROR_CODES-1:0] now;         // by code, whatever the error was
  logic                                 nows;        // any of them

  assign any_i = {slot_parity_i || list_parity_i, |exhausted_i, malformed_i, overflow_i, |unwritten_i, |limit_i, |cut_i, |missing_i, |unexpected_i,
                  |turnaround_i, |collision_i, 1'b0};

  logic raised, raised_q;

  assign raised = |(collision_i | turnaround_i | unexpected_i | missing_i | cut_i | tx_cut_i | limit_i) ||
                  |(unwritten_i | exhausted_i) || overflow_i || malformed_i || short_slot_i ||
                  slot_parity_i || list_parity_i;

  always_ff @(posedge clk_i) raised_q <= !LATE && (raised || forgets);
  assign load = !SKIP_IDLE || raised || raised_q || new_q || |wait_q;

  if (LATE) begin : gen_now
    assign any        = load ? any_i : '0;
    assign tx_cut     = tx_cut_i;
    assign short_slot = short_slot_i;
    assign forgets    = !rst_ni || clear_i;
  end else begin : gen_registers
    logic forgot_q;

    assign forgets = forgot_q;  // a cycle later, so that it comes from a register, and what was raised with it is gone, too
    always_ff @(posedge clk_i) begin
      forgot_q <= !rst_ni || clear_i;
      if (load) begin
        any        <= any_i;
        tx_cut     <= tx_cut_i;
        short_slot <= short_slot_i;
      end
    end
  end

  if (LATE || !DETAIL) begin : gen_ports_now
    assign collision  = collision_i;
    assign turnaround = turnaround_i;
    assign unexpected = unexpected_i;
    assign missing    = missing_i;
    assign cut        = cut_i;
    assign limit      = limit_i;
    assign overflow   = overflow_at_i;
    assign unwritten  = unwritten_i;
    assign exhausted  = exhausted_i;
    assign served     = local_i;
    assign behind     = behind_i;
  end else begin : gen_ports
    always_ff @(posedge clk_i) begin
      if (load) begin
        collision  <= collision_i;
        turnaround <= turnaround_i;
        unexpected <= unexpected_i;
        missing    <= missing_i;
        cut        <= cut_i;
        limit      <= limit_i;
        overflow   <= overflow_at_i;
        unwritten  <= unwritten_i;
        exhausted  <= exhausted_i;
        served     <= local_i;
        behind     <= behind_i;
      end
    end
  end

  always_comb begin
    now  = '0;
    nows = 1'b0;
    if (load) begin
      now  = any | (gossamer_pkg::ERROR_CODES'(|tx_cut || short_slot) << gossamer_pkg::ERR_CUT);
      nows = |{any, tx_cut, short_slot};  // not |now, which is a level deeper
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
    logic [1:0]       kind_q;  // of the cycle before
    // In the cycle after the first error the ports of its code; those of all other codes are empty.
    logic [PORTS-1:0] collision_q, turnaround_q, unexpected_q, missing_q, tx_cut_q, cut_q, limit_q, words_q,
                      overflow_q;
    logic [PORTS*STAGES_W-1:0] behind_q;
    logic              closed_q1, closed_q2;  // a window closed one and two cycles ago
    logic [SLOT_W-1:0] slot_q;                // slots finished four cycles ago, LATE: three cycles ago

    always_ff @(posedge clk_i) begin : first
      logic [3:0]        code;
      logic              smaller;  // a smaller code was raised
      logic [1:0]        kind;     // the error with the smallest code: 1, of an arrival; 2, of an output; 0, of an entry
      logic [PORTS-1:0]  at, words;
      logic [SLOT_W-1:0] more;  // slots that the receiver is behind
      code     = gossamer_pkg::ERR_NONE;
      smaller  = 1'b0;
      kind     = '0;
      at       = '0;
      words    = '0;
      more     = '0;
      if (load) begin
        at = collision_q | turnaround_q | unexpected_q | missing_q | tx_cut_q | cut_q | limit_q | words_q |
             overflow_q;
        if (new_q) begin
          first_port_o <= '0;
          for (int p = PORTS; p > 0; p--) begin
            if (at[p-1]) begin
              first_port_o <= 8'(p - 1);
              if (STAGED) more = SLOT_W'(behind_q[(p-1)*STAGES_W+:STAGES_W]);
            end
          end
        end
        if (wait_q[0] || (new_q && kind_q[0])) first_slot_o <= slot_q - more;

        smaller      = 1'b0;
        collision_q  <= collision;
        smaller      |= any[gossamer_pkg::ERR_COLLISION];
        turnaround_q <= smaller ? '0 : turnaround;
        smaller      |= any[gossamer_pkg::ERR_TURNAROUND];
        unexpected_q <= smaller ? '0 : unexpected;
        smaller      |= any[gossamer_pkg::ERR_UNEXPECTED];
        missing_q    <= smaller ? '0 : missing;
        smaller      |= any[gossamer_pkg::ERR_MISSING] || short_slot;
        tx_cut_q     <= smaller ? '0 : tx_cut;
        smaller      |= |tx_cut;
        cut_q        <= smaller ? '0 : cut;
        smaller      |= any[gossamer_pkg::ERR_CUT];
        limit_q      <= smaller ? '0 : limit;
        smaller      |= any[gossamer_pkg::ERR_LIMIT];
        words         = (CHANNELS != 1) ? PORTS'(unwritten) : LATE ? PORTS'(1) : served;
        if (!any[gossamer_pkg::ERR_UNWRITTEN]) begin
          words = (CHANNELS != 1) ? PORTS'(exhausted) : served;
          if (any[gossamer_pkg::ERR_OVERFLOW] || any[gossamer_pkg::ERR_MALFORMED] ||
              (any[gossamer_pkg::ERR_PARITY] && !any[gossamer_pkg::ERR_EXHAUSTED])) words = '0;
        end
        words_q      <= smaller ? '0 : words;
        smaller      |= any[gossamer_pkg::ERR_UNWRITTEN];
        overflow_q   <= smaller ? '0 : overflow;
        behind_q     <= behind;

        for (int k = gossamer_pkg::ERROR_CODES - 1; k > 0; k--) if (now[k]) code = 4'(k);

        if (any[gossamer_pkg::ERR_COLLISION] || any[gossamer_pkg::ERR_TURNAROUND]) kind = 2'b10;
        else if (any[gossamer_pkg::ERR_UNEXPECTED] || any[gossamer_pkg::ERR_MISSING]) kind = 2'b01;
        else if (short_slot) kind = 2'b00;
        else if (|tx_cut) kind = 2'b10;
        else if (any[gossamer_pkg::ERR_CUT]) kind = 2'b01;
        else if (any[gossamer_pkg::ERR_LIMIT]) kind = LATE ? 2'b10 : 2'b00;
        else if (any[gossamer_pkg::ERR_UNWRITTEN]) kind = 2'b00;
        else if (any[gossamer_pkg::ERR_OVERFLOW]) kind = 2'b01;
        else if (any[gossamer_pkg::ERR_MALFORMED]) kind = LATE ? 2'b10 : 2'b00;
        else kind = (LATE && slot_parity_i && !any[gossamer_pkg::ERR_EXHAUSTED]) ? 2'b10 : 2'b00;
        kind_q <= kind;

        wait_q <= new_q ? {kind_q == 2'b00, kind_q[1]} : wait_q >> 1;
        new_q  <= !had_q && nows;
        if (!had_q) begin
          had_q        <= nows;
          first_code_o <= code;
        end
      end
      if (forgets) begin
        had_q        <= 1'b0;
        new_q        <= 1'b0;
        wait_q       <= '0;
        first_code_o <= gossamer_pkg::ERR_NONE;
        first_slot_o <= '0;
        first_port_o <= '0;
      end
    end

    always_ff @(posedge clk_i) begin
      if (LATE ? closed_q1 : closed_q2) slot_q <= slot_q + SLOT_W'(1);
      closed_q2 <= closed_q1;
      closed_q1 <= rx_close_i;
      if (forgets) begin
        closed_q1 <= 1'b0;
        closed_q2 <= 1'b0;
        slot_q    <= '0;
      end
    end

    logic unused;
    assign unused = ^{closed_q2, behind_q};
  end else begin : gen_bare
    assign new_q        = 1'b0;
    assign wait_q       = '0;
    assign first_code_o = gossamer_pkg::ERR_NONE;
    assign first_slot_o = '0;
    assign first_port_o = '0;

    logic unused;
    assign unused = ^{nows, collision, turnaround, unexpected, missing, cut, limit, overflow, unwritten, exhausted, served,
                      behind, rx_close_i};
  end

endmodule

`default_nettype wire
