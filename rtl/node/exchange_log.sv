// SPDX-License-Identifier: Apache-2.0
// The logs of an adaptive node (paper 3): indexed by message, with a flag for every message that
// arrived or was sent on a port, so that the node itself decides what to send.
//
// A slot offers a list of positions, one message each, on all its outputs. An output sends the message
// if the node held it when the slot began, it has not crossed that link in either direction in an
// earlier slot, and it is not the neighbour's own. Otherwise the position stays empty.
//
// Each node numbers the messages relative to its own, which is number 0. So all nodes of a hypercube can
// offer the same list, and each offers other messages: a message from a neighbour has, in our numbers,
// that of the position XOR that of the neighbour. If both ends mean the same message (`same_i`), it has
// the position's number.
`default_nettype none

module exchange_log #(
  parameter int PORTS    = 4,    // link ports
  parameter int LOGS     = 4,    // 1 (single-port node) or PORTS
  parameter int ADDR_W   = 16,   // address bits of a log
  parameter int LOG_W    = 3,    // bits of a log's number
  parameter int MESSAGES = gossamer_pkg::ADAPTIVE_MESSAGES,  // messages that it can tell apart: a power of 2
  parameter int SLOT_W   = gossamer_pkg::ADAPTIVE_SLOT_W,    // bits used of a slot's number
  parameter logic STAGED = 1'b0  // 1: links have register stages
) (
  input  logic                    clk_i,
  input  logic                    start_i,      // the run begins
  input  logic [ADDR_W-1:0]       own_words_i,  // 0: the node has no message of its own
  input  logic [ADDR_W-1:0]       capacity_i,   // words that a log can hold
  input  logic [4:0]              shift_i,      // a message begins every 2^shift words
  input  logic [PORTS*ADDR_W-1:0] partner_i,    // address of each neighbour's own message
  input  logic                    initiated_i,  // 1: the node is silent until it holds ...
  input  logic [ADDR_W-1:0]       initiator_i,  // ... the message at this address
  // The current slot, and what it offers in this cycle.
  input  logic [SLOT_W-1:0]       slot_i,
  input  logic                    position_i,   // a word of a message ...
  input  logic [ADDR_W-1:0]       addr_i,       // ... at this address
  input  logic                    same_i,       // ... and the neighbours offer the same one
  input  logic [PORTS-1:0]        offer_i,      // outputs of the slot
  output logic [PORTS-1:0]        send_o,       // ... those that send it
  output logic [LOG_W-1:0]        log_o,        // where it can be read
  output logic [PORTS-1:0]        sent_o,       // send_o a cycle later, when the word has been read
  // Arrivals at the same position, two cycles later, and as many more as the link has stages.
  input  logic [PORTS*gossamer_pkg::LINK_STAGES_W-1:0] stages_i,
  input  logic [PORTS-1:0]        take_i,
  output logic [LOGS-1:0]         write_o,
  output logic [LOGS*ADDR_W-1:0]  write_addr_o,
  output logic [PORTS-1:0]        overflow_o,   // ERR_OVERFLOW
  // For the configuration port: the ports on which a message has arrived.
  input  logic [15:0]             query_i,
  output logic [PORTS-1:0]        arrived_o
);

  localparam int INDEX_W = (MESSAGES > 1) ? $clog2(MESSAGES) : 1;

  logic [INDEX_W-1:0] query;
  assign query = INDEX_W'(query_i);

  // ---- The position that is read, and the one whose flits are on the links.
  logic [ADDR_W-1:0]  number, addr_q1, addr_q2;
  logic [INDEX_W-1:0] index;
  logic [SLOT_W-1:0]  slot_q1, slot_q2;
  logic               same_q1, same_q2;

  assign number = addr_i >> shift_i;
  assign index  = INDEX_W'(number);

  always_ff @(posedge clk_i) begin
    addr_q1 <= addr_i;
    addr_q2 <= addr_q1;
    slot_q1 <= slot_i;
    slot_q2 <= slot_q1;
    same_q1 <= same_i;
    same_q2 <= same_q1;
  end

  // The position whose flit is on each port's link now.
  localparam int STAGES_W = gossamer_pkg::LINK_STAGES_W;
  localparam int POINT_W  = 1 + SLOT_W + ADDR_W;

  logic [POINT_W-1:0]       point;
  logic [PORTS*POINT_W-1:0] points;

  assign point = {same_q2, slot_q2, addr_q2};

  if (STAGED) begin : gen_staged
    localparam int MAX        = gossamer_pkg::MAX_LINK_STAGES;
    localparam int POSITION_W = $clog2(MAX + 1);
    logic [MAX*POINT_W-1:0]     past_q;
    logic [(MAX+1)*POINT_W-1:0] past;

    assign past = {past_q, point};
    always_ff @(posedge clk_i) past_q <= past[MAX*POINT_W-1:0];

    for (genvar p = 0; p < PORTS; p++) begin : gen_past
      logic unused;
      assign unused = ^stages_i[p*STAGES_W+POSITION_W+:STAGES_W-POSITION_W];
      assign points[p*POINT_W+:POINT_W] = past[32'(stages_i[p*STAGES_W+:POSITION_W])*POINT_W+:POINT_W];
    end
  end else begin : gen_direct
    assign points = {PORTS{point}};

    logic unused;
    assign unused = ^stages_i;
  end

  // ---- For each port: what was sent, what arrived, and in which slot. A message that crosses a link in
  // this slot counts from the next slot on.
  logic [PORTS-1:0]        sent, arrived, others, known, overflow;
  logic [PORTS*SLOT_W-1:0] slots;  // the slots whose flits are on the links
  logic [PORTS*ADDR_W-1:0] write_addr;
  logic [PORTS-1:0]        write;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic [MESSAGES-1:0] sent_q, arrived_q;
    logic [SLOT_W-1:0]   sent_slot [0:MESSAGES-1];
    logic [SLOT_W-1:0]   arrival_slot [0:MESSAGES-1];
    logic [ADDR_W-1:0]   partner, here, arrival, arrival_number;
    logic [SLOT_W-1:0]   slot;
    logic                same;
    logic [INDEX_W-1:0]  arrival_index;

    assign partner        = partner_i[p*ADDR_W+:ADDR_W];
    assign {same, slot, here} = points[p*POINT_W+:POINT_W];
    assign arrival        = same ? here : here ^ partner;
    assign arrival_number = arrival >> shift_i;
    assign arrival_index  = INDEX_W'(arrival_number);

    assign sent[p]     = sent_q[index] && sent_slot[index] != slot_i;
    assign arrived[p]  = arrived_q[index] && arrival_slot[index] != slot_i;
    assign others[p]   = number != partner >> shift_i;
    assign arrived_o[p] = arrived_q[query] && 32'(query_i) < MESSAGES;
    assign overflow[p] = take_i[p] && arrival >= capacity_i;
    assign write[p]    = take_i[p] && !overflow[p];
    assign write_addr[p*ADDR_W+:ADDR_W] = arrival;

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        sent_q    <= MESSAGES'(0);
        arrived_q <= MESSAGES'(0);
      end else begin
        if (send_o[p]) sent_q[index] <= 1'b1;
        if (write[p]) arrived_q[arrival_index] <= 1'b1;
      end
      if (send_o[p]) sent_slot[index] <= slot_i;
      if (write[p]) arrival_slot[arrival_index] <= slot;
    end

    assign slots[p*SLOT_W+:SLOT_W] = slot;

    // The initiator's message arrives here.
    assign known[p] = write[p] && arrival_number == initiator_i >> shift_i;
  end

  // ---- The node may send if it starts by itself, or if the initiator's message came in an earlier slot.
  logic              heard_q;
  logic [SLOT_W-1:0] heard_slot_q;
  logic [SLOT_W-1:0] heard_slot;  // over the longest link, whose slot is the earliest
  logic              awake;

  always_comb begin : hear
    logic [STAGES_W-1:0] longest;
    heard_slot = slot_q2;
    longest   = '0;
    if (STAGED) begin
      for (int p = 0; p < PORTS; p++) begin
        if (known[p] && stages_i[p*STAGES_W+:STAGES_W] >= longest) begin
          heard_slot = slots[p*SLOT_W+:SLOT_W];
          longest   = stages_i[p*STAGES_W+:STAGES_W];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      heard_q <= 1'b0;
    end else if (!heard_q && |known) begin
      heard_q      <= 1'b1;
      heard_slot_q <= heard_slot;
    end
  end

  assign awake = !initiated_i || initiator_i == '0 || (heard_q && heard_slot_q != slot_i);

  // ---- The decision.
  logic own, held;

  assign own    = number == '0 && own_words_i != '0;
  assign held   = own || |arrived;
  assign send_o = (position_i && awake && held) ? offer_i & others & ~sent & ~arrived : '0;

  always_comb begin
    log_o = (LOGS == 1) ? '0 : LOG_W'(PORTS);
    if (LOGS > 1 && !own) begin
      for (int p = 0; p < PORTS; p++) begin
        if (arrived[p]) log_o = LOG_W'(p);
      end
    end
  end

  always_ff @(posedge clk_i) sent_o <= send_o;

  // ---- Writes.
  assign overflow_o = overflow;

  if (LOGS == 1) begin : gen_one_log
    assign write_o = |write;

    always_comb begin
      write_addr_o = '0;
      for (int p = 0; p < PORTS; p++) begin
        if (write[p]) write_addr_o |= write_addr[p*ADDR_W+:ADDR_W];
      end
    end
  end else begin : gen_own_logs
    assign write_o      = write;
    assign write_addr_o = write_addr;
  end

endmodule

`default_nettype wire
