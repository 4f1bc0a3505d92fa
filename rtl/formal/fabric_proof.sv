// SPDX-License-Identifier: Apache-2.0
// Three nodes in a ring with any legal tables of two slots and any messages: no node raises an
// error, only what the tables send is on the links, and as many flits are stored as the tables say.
//
// A slot of a legal table: each output sends the store's stream, or forwards the other input, or is
// unused; an input is stored or forwarded, or both, if something comes, and nothing else is expected. A slot
// lasts 2 cycles more than its longest path and stream need, as slot_cycles computes it, and a
// forwarded path is 2 hops at most. Half duplex: a link carries one direction in a slot.
`default_nettype none

module fabric_proof #(
  parameter logic HALF_DUPLEX = 1'b0,
  localparam int NODES    = 3,
  localparam int PORTS    = 2,
  localparam int SELECT_W = 2,
  localparam int LEN_W    = 3,
  localparam int REPEAT_W = 2,
  localparam int ADDR_W   = 4,
  localparam int SLOT_W   = gossamer_pkg::slot_w(PORTS, 1'b0),
  localparam int ENDS     = NODES * PORTS
) (
  input logic            clk_i,
  input logic [ENDS-1:0] word_i  // what the stores hold
);

  logic [4:0] cycle = 5'd0;  // reset, start in cycle 4, two slots
  logic       started;

  assign started = cycle >= 5'd3;
  always_ff @(posedge clk_i) if (cycle != 5'd31) cycle <= cycle + 5'd1;

  // ---- The tables, by slot and node and port. Port 0 of a node leads to port 1 of the next one.
  (* anyconst *) logic [2*ENDS*SELECT_W-1:0] selects;
  (* anyconst *) logic [2*NODES*2-1:0]       streams;  // flits that a node sends, 1 to 3
  (* anyconst *) logic [2*ENDS-1:0]          receives;
  (* anyconst *) logic [2*LEN_W-1:0]         lens;

  logic [2*ENDS-1:0] is_local, forwards, carries, comes, taken;

  for (genvar s = 0; s < 2; s++) begin : gen_slot
    for (genvar n = 0; n < NODES; n++) begin : gen_node
      logic [1:0] stream;
      assign stream = streams[(s*NODES+n)*2+:2];

      always_comb assume (stream != 2'd0);

      for (genvar p = 0; p < PORTS; p++) begin : gen_port
        localparam int OUT   = s * ENDS + n * PORTS + p;        // this output
        localparam int IN    = s * ENDS + n * PORTS + 1 - p;    // the node's other port
        localparam int PEER  = (p == 0) ? (n + 1) % NODES : (n + NODES - 1) % NODES;
        localparam int ENTRY = s * ENDS + PEER * PORTS + 1 - p;  // where this output leads
        logic [SELECT_W-1:0] select;
        assign select        = selects[OUT*SELECT_W+:SELECT_W];
        assign is_local[OUT] = select == SELECT_W'(p);
        assign forwards[OUT] = select == SELECT_W'(1 - p);
        assign carries[OUT]  = is_local[OUT] || (forwards[OUT] && comes[IN]);
        assign comes[ENTRY]  = carries_1[OUT];
        assign taken[IN]     = forwards[OUT];

        always_comb begin
          assume (select <= SELECT_W'(PORTS));
          // Every flit that arrives is stored or passed on, or both, and nothing else is; a path ends after two hops.
          assume (!receives[OUT] || arrives[OUT]);
          assume (receives[OUT] || taken[OUT] || !arrives[OUT]);
          assume (!forwards[OUT] || first_hop[IN]);
          assume ({1'b0, lens[s*LEN_W+:LEN_W]} >= {2'b00, stream} + 4'd3);
        end
      end
    end
  end

  // A first hop starts at a store; a second one passes a first hop on.
  logic [2*ENDS-1:0] carries_1, first_hop, arrives;

  for (genvar s = 0; s < 2; s++) begin : gen_hop
    for (genvar n = 0; n < NODES; n++) begin : gen_node
      for (genvar p = 0; p < PORTS; p++) begin : gen_port
        localparam int OUT   = s * ENDS + n * PORTS + p;
        localparam int PEER  = (p == 0) ? (n + 1) % NODES : (n + NODES - 1) % NODES;
        localparam int ENTRY = s * ENDS + PEER * PORTS + 1 - p;
        assign carries_1[OUT]   = is_local[OUT];
        assign first_hop[ENTRY] = is_local[OUT];
        assign arrives[ENTRY]   = carries[OUT];
        if (HALF_DUPLEX) begin : gen_half
          always_comb assume (!(carries[OUT] && carries[ENTRY]));
        end
      end
    end
  end

  // ---- The nodes.
  localparam int HEAD_W = gossamer_pkg::SLOT_RECEIVE_LSB;
  gossamer_pkg::slot_t       slot;
  logic [2*NODES*HEAD_W-1:0] slots;  // of each entry, and in it of each node

  always_comb begin
    for (int s = 0; s < 2; s++) begin
      for (int n = 0; n < NODES; n++) begin
        slot            = '0;
        slot.length     = 24'(lens[s*LEN_W+:LEN_W]);
        slot.stream     = 24'(streams[(s*NODES+n)*2+:2]);
        slot.repeats    = 20'd1;
        slot.ends_table = 1'(s);
        slots[(s*NODES+n)*HEAD_W+:HEAD_W] = slot;
      end
    end
  end

  // Yosys 0.23 knows no fields of structures in the blocks of a loop.
  gossamer_pkg::slot_t parity_only;
  logic [HEAD_W-1:0]   parity_bit;
  always_comb begin
    parity_only        = '0;
    parity_only.parity = 1'b1;
    parity_bit         = parity_only;
  end

  logic [ENDS-1:0]  valid, last, data;
  logic [NODES-1:0] done;

  for (genvar n = 0; n < NODES; n++) begin : gen_node
    localparam int UP = (n + 1) % NODES, DOWN = (n + NODES - 1) % NODES;
    logic [PORTS-1:0] rx_valid, rx_last, rx_data;
    logic             slot_en, read_en, word_q;
    logic [1:0]       slot_addr, slot_addr_q;
    logic [SLOT_W-1:0] entry;
    logic [gossamer_pkg::ERROR_CODES-1:0] errors;
    logic [SELECT_W*PORTS-1:0] select;
    logic [PORTS-1:0]                     write_en;

    assign rx_valid = {valid[DOWN*PORTS], valid[UP*PORTS+1]};
    assign rx_last  = {last[DOWN*PORTS], last[UP*PORTS+1]};
    assign rx_data  = {data[DOWN*PORTS], data[UP*PORTS+1]};

    always_ff @(posedge clk_i) begin
      if (slot_en) slot_addr_q <= slot_addr;
      if (read_en) word_q <= word_i[n];
    end

    always_comb begin
      entry = '0;
      entry[HEAD_W-1:0] =
          slot_addr_q[0] ? slots[(NODES+n)*HEAD_W+:HEAD_W] : slots[n*HEAD_W+:HEAD_W];
      entry[gossamer_pkg::SLOT_RECEIVE_LSB+:PORTS] =
          slot_addr_q[0] ? receives[ENDS+n*PORTS+:PORTS] : receives[n*PORTS+:PORTS];
      entry[gossamer_pkg::SLOT_RECEIVE_LSB+PORTS+:PORTS*SELECT_W] =
          slot_addr_q[0] ? selects[(ENDS+n*PORTS)*SELECT_W+:PORTS*SELECT_W]
                         : selects[n*PORTS*SELECT_W+:PORTS*SELECT_W];
      if (^entry) entry[HEAD_W-1:0] |= parity_bit;
    end

    switch_core #(
      .PORTS(PORTS), .FLIT_W(1), .TABLE_AW(2), .LIST_AW(2),
      .ADDR_W(ADDR_W), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W),
      .MODEL((32'(HALF_DUPLEX) << gossamer_pkg::MODEL_HALF_DUPLEX) | (1 << gossamer_pkg::MODEL_IN_ORDER))
    ) i_core (
      .clk_i, .rst_ni(started), .start_i(cycle == 5'd4), .program_i('0), .keep_i(1'b0), .own_words_i(4'd8), .capacity_i(4'd8),
      .dead_i('0), .dead_after_i('0), .shift_i('0), .partner_i('0), .initiated_i(1'b0),
      .initiator_i('0), .query_i('0), .arrived_o(),
      .link_valid_o(valid[n*PORTS+:PORTS]), .link_last_o(last[n*PORTS+:PORTS]),
      .link_data_o(data[n*PORTS+:PORTS]),
      .link_stages_i('0), .link_valid_i(rx_valid), .link_last_i(rx_last), .link_data_i(rx_data),
      .slot_en_o(slot_en), .slot_addr_o(slot_addr), .slot_data_i(entry),
      .list_en_o(), .list_addr_o(), .list_data_i('0),
      .read_en_o(read_en), .read_log_o(), .read_addr_o(), .read_data_i(word_q), .clash_i('0),
      .write_en_o(write_en), .write_addr_o(), .write_data_o(), .taken_o(), .done_o(done[n]),
      .errors_o(errors), .first_error_o(), .first_error_slot_o(), .first_error_port_o()
    );

    for (genvar p = 0; p < PORTS; p++) begin : gen_stored
      localparam int NEAR = (p == 0) ? UP : DOWN, FAR = (p == 0) ? DOWN : UP;  // the sources of one and of two hops
      logic [3:0] stored = '0, comes_to;

      always_ff @(posedge clk_i) stored <= stored + 4'(write_en[p] && started);
      always_comb begin
        comes_to = '0;
        for (int s = 0; s < 2; s++) begin
          if (receives[s*ENDS+n*PORTS+p]) begin
            comes_to += 4'(streams[(s*NODES+(is_local[s*ENDS+NEAR*PORTS+1-p] ? NEAR : FAR))*2+:2]);
          end
        end
        if (cycle == 5'd21) assert (stored == comes_to);
      end
    end

    always_comb begin
      if (cycle > 5'd4) assert (errors == '0);
      // A link that no slot uses is silent.
      for (int p = 0; p < PORTS; p++) begin
        if (cycle > 5'd4 && !carries[n*PORTS+p] && !carries[ENDS+n*PORTS+p]) begin
          assert (!valid[n*PORTS+p]);
        end
      end
    end
  end

  always_comb cover (cycle == 5'd21 && done == '1 && |receives);
  always_comb cover (cycle == 5'd21 && done == '1 && |(receives[ENDS-1:0] & taken[ENDS-1:0]));

endmodule

`default_nettype wire
