// SPDX-License-Identifier: Apache-2.0
// AXI4-Stream into a node's message store: a packet holds the words with which the node starts its
// next period. Each word is written to the node's own words, and after the last one their number.
// Then the stream waits until that period has ended, so that no packet is overwritten before it was
// sent; inside the fabric nothing waits. Where the next period is decided far away, no packet begins
// between that decision and the period.
//
// Tables say how many words the node takes for each of their programs. A packet with another number than the next one's, or with more than the store
// holds, is received to its end, dropped and reported. The same happens at once to a packet that is
// cancelled, and to one that has been taken if new tables want another number; the word that comes next
// begins another one. Until the right number of words has come they are missing, and no period begins.
`default_nettype none

module axis_inject #(
  parameter int   PORTS       = 4,     // as in switch_node
  parameter logic SINGLE_PORT = 1'b0,
  parameter int   STORE_DEPTH = 1024,
  parameter int   OWN_DEPTH   = STORE_DEPTH,  // own words
  parameter int   PROGRAMS    = 1,     // that the tables hold
  parameter       IMAGE       = ""     // file IMAGE_packets.mem, the numbers of the tables that a reset finds; empty: none
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,       // no period is running, and its arrivals have been sent
  input  logic        shut_i,         // no packet may begin
  input  logic        cancel_i,       // a packet that has begun is dropped
  input  logic [gossamer_pkg::CONTROL_PROGRAM_W-1:0] program_i,  // the one that runs next
  input  logic        swap_i,         // new tables are taken
  input  logic        need_write_i,   // ... of which words_i is written: words that a packet for program need_of_i must have; 0: any
  input  logic [gossamer_pkg::CONTROL_PROGRAM_W-1:0] need_of_i,  // number; of several programs: none, and packets wait
  input  logic        own_write_i,    // somebody else wrote own words, and now writes words_i, their number
  input  logic [31:0] words_i,
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
  input  logic        start_i,        // a period begins: if ...
  input  logic        keep_i,         // ... its program goes on with the logs, the node keeps its words, too
  output logic        unset_o,        // no words came for these tables, or for this program: those that the node has are not theirs
  output logic        missing_o,      // the words that the tables take have not come
  output logic        busy_o,         // within a packet
  output logic        drop_o          // one cycle: a packet is dropped
);

  localparam int ADDR_W  = $clog2(STORE_DEPTH + 1);
  localparam int OWN_LOG = SINGLE_PORT ? 0 : PORTS;
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
  logic [ADDR_W-1:0] count_q;  // words of the packet written; in WAIT: of the last one
  logic [PROGRAMS*ADDR_W-1:0] need_q, next_q;  // words that a packet must have, or 0, now and with new tables
  logic [PROGRAMS*ADDR_W-1:0] first;           // ... and after a reset
  logic [ADDR_W-1:0] need, most;  // of the next program; words that a packet can have
  logic              fits, takes, open, begun, ends, short, wrong, any, none;
  logic              fresh_q;  // no period has begun with these tables

  always_comb begin
    need = '0;
    for (int k = 0; k < PROGRAMS; k++) begin
      if (32'(program_i) % PROGRAMS == k) need = need_q[k*ADDR_W+:ADDR_W];
    end
  end

  if (IMAGE != "") begin : gen_image
    // Read at the clock, because Icarus does not update what depends on an array when $readmemh fills it.
    logic [ADDR_W-1:0] first_mem [0:PROGRAMS-1];

    initial $readmemh({IMAGE, "_packets.mem"}, first_mem);

    for (genvar k = 0; k < PROGRAMS; k++) begin : gen_program
      always_ff @(posedge clk_i) first[k*ADDR_W+:ADDR_W] <= first_mem[k];
    end
  end else begin : gen_no_image
    assign first = '0;
  end

  assign any   = PROGRAMS == 1 && need == '0;
  assign none  = PROGRAMS > 1 && need == '0;
  assign open  = enable_i && !((shut_i || none) && count_q == '0);
  assign most  = (need == '0) ? ADDR_W'(OWN_DEPTH) : need;
  assign fits  = count_q < most;  // tables may be swapped within a packet
  assign ends  = takes && s_axis_tlast_i;
  assign short = !any && count_q + ADDR_W'(1) != need;
  assign takes = s_axis_tvalid_i && s_axis_tready_o;
  assign begun = state_q == PACKET && count_q != '0;
  assign wrong = state_q == WAIT && !any && count_q != need;

  assign cfg_valid_o = (state_q == PACKET && s_axis_tvalid_i && open && fits) ||
                       state_q == LENGTH;
  assign cfg_addr_o  = (state_q == LENGTH) ? OWN_WORDS : OWN_WORD | 32'(count_q);
  assign cfg_wdata_o = (state_q == LENGTH) ? 32'(count_q) : s_axis_tdata_i;

  assign s_axis_tready_o = state_q == DROP ||
                           (state_q == PACKET && open && (!fits || cfg_ready_i));
  assign drop_o          = (takes && state_q == PACKET && (!fits || (ends && short))) || (cancel_i && begun) || wrong;
  assign busy_o          = state_q == LENGTH || state_q == DROP || begun ||
                           (state_q == PACKET && s_axis_tvalid_i && open);
  assign unset_o         = need == '0 && state_q != WAIT && (PROGRAMS > 1 ? !keep_i : fresh_q);
  assign missing_o       = need != '0 && (state_q != WAIT || wrong || own_write_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= PACKET;
      count_q <= '0;
      need_q  <= first;
      next_q  <= '0;
      fresh_q <= IMAGE != "";
    end else begin
      if (swap_i || start_i) fresh_q <= swap_i;
      if (swap_i) need_q <= next_q;
      for (int k = 0; k < PROGRAMS; k++) begin
        if (swap_i || (need_write_i && 32'(need_of_i) == k)) next_q[k*ADDR_W+:ADDR_W] <= swap_i ? '0 : words_i[ADDR_W-1:0];
      end
      case (state_q)
        PACKET:
          if (takes) begin
            count_q <= (fits && !(ends && short)) ? count_q + ADDR_W'(1) : '0;
            if (s_axis_tlast_i) state_q <= (fits && !short) ? LENGTH : PACKET;
            else if (!fits) state_q <= DROP;
          end
        LENGTH:
          if (cfg_ready_i) state_q <= WAIT;
        WAIT:
          if (!enable_i || wrong) begin
            state_q <= PACKET;
            count_q <= '0;
          end
        default:  // DROP
          if (takes && s_axis_tlast_i) state_q <= PACKET;
      endcase
      if (cancel_i && (begun || state_q == DROP)) begin
        state_q <= PACKET;
        count_q <= '0;
      end
      // A number that somebody else writes is as good as a packet, if there is a right one.
      if (own_write_i && (state_q == WAIT || (state_q == PACKET && !begun && need != '0))) begin
        state_q <= WAIT;
        count_q <= words_i[ADDR_W-1:0];
      end
    end
  end

  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    axi_stable #(.WIDTH(33)) i_stream (
      .clk_i, .rst_ni, .valid_i(s_axis_tvalid_i), .ready_i(s_axis_tready_o), .payload_i({s_axis_tlast_i, s_axis_tdata_i})
    );
  end

  // A number is narrower than the bus.
  logic unused;
  assign unused = ^{words_i, program_i};

endmodule

`default_nettype wire
