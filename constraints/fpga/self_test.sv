// A fabric that runs by itself: after power-up it starts its tables, waits until nothing moves, and
// then reads every node's log through the configuration port. Tables and messages come from memory
// images (`gossamer export --format mem`), whose fabric.vh is included below.
//
// Arrived means: every log holds as many words as all nodes started with, their sum and their
// exclusive or are those of all own words, and the last flit came in cycle CYCLES. Single-port gossip
// only, where a log begins with the node's own words.
`default_nettype none

module self_test #(
  parameter int NODES    = 4,   // as in the images
  parameter int PORTS    = 2,
  parameter int WORDS    = 1,   // own words of every node
  parameter int CYCLES   = 0,   // cycle of the last flit, as `gossamer plan` predicts it
  parameter int LEN_W    = 8,   // as in switch_node
  parameter int REPEAT_W = 8
) (
  input  logic        clk_i,
  output logic        arrived_o,  // every word is in its place, in time
  output logic        wrong_o,    // a node raised an error, or a word or the time is wrong
  output logic [15:0] cycles_o    // cycle of the last flit
);

  localparam int TOTAL  = NODES * WORDS;
  localparam int NODE_W = 16;

  typedef enum logic [2:0] {
    RESET  = 3'd0,  // power-up
    BEGIN  = 3'd1,  // the start pulse
    MOVE   = 3'd2,  // the tables run
    OWN    = 3'd3,  // reads what every node started with
    LENGTH = 3'd4,  // reads the length of a node's log
    WORD   = 3'd5,  // reads a log word by word
    CHECK  = 3'd6,  // compares a log's words with what every node started with
    FINISH = 3'd7
  } state_e;

  state_e              state_q = RESET;
  logic [7:0]          wait_q  = '0;
  logic [15:0]         cycle_q = '0, last_q = '0;
  logic [NODE_W-1:0]   node_q  = '0;
  logic [15:0]         word_q  = '0;
  logic                bad_q = 1'b0;
  logic [31:0]         own_sum_q = '0, own_xor_q = '0, sum_q = '0, xor_q = '0;

  logic [NODES*PORTS-1:0] link_valid;
  logic [NODES-1:0]       done, error;
  logic [31:0]            addr, rdata;

  // What goes to all nodes or comes from all of them has a cycle for the way.
  logic        running_q = 1'b0, start_q = 1'b0, moving_q = 1'b0, done_q = 1'b0, error_q = 1'b0;
  logic [31:0] rdata_q = '0;

  // A word is asked for in one cycle, read in the next, and used in the one after that.
  logic        reading, asked_q = 1'b0, read_q = 1'b0, answered_q = 1'b0;
  logic [31:0] addr_q = '0;

  assign reading = state_q == OWN || state_q == LENGTH || state_q == WORD;

  always_ff @(posedge clk_i) begin
    running_q  <= state_q != RESET;
    start_q    <= state_q == BEGIN && wait_q == 8'd7;
    moving_q   <= link_valid != '0;
    done_q     <= done == '1;
    error_q    <= error != '0;
    rdata_q    <= rdata;
    addr_q     <= addr;
    asked_q    <= reading && !asked_q && !read_q && !answered_q;
    read_q     <= asked_q;
    answered_q <= read_q;
  end

  always_comb begin
    addr = (32'(gossamer_pkg::CFG_STORE) << gossamer_pkg::CFG_REGION_LSB) | 32'(word_q);
    if (state_q == LENGTH) addr = 32'(gossamer_pkg::CFG_LOG_LENGTH);
  end

  torus_fabric #(
    .LEN_W(LEN_W), .REPEAT_W(REPEAT_W), .ERROR_DETAIL(1'b0), .FAULTS(1'b0), .TABLE_PARITY(1'b0),
`include "fabric.vh"
  ) i_fabric (
    .clk_i, .rst_ni(running_q), .start_i(start_q),
    .cfg_valid_i(asked_q), .cfg_write_i(1'b0), .cfg_node_i(node_q),
    .cfg_addr_i(addr_q), .cfg_wdata_i('0), .cfg_rdata_o(rdata),
    .link_valid_o(link_valid), .link_last_o(), .link_data_o(), .link_arrived_o(),
    .done_o(done), .error_o(error)
  );

  logic last_word, last_node;

  assign last_word = 32'(word_q) == ((state_q == OWN) ? WORDS : TOTAL) - 1;
  assign last_node = 32'(node_q) == NODES - 1;

  always_ff @(posedge clk_i) begin
    case (state_q)
      RESET: begin
        wait_q <= wait_q + 8'd1;
        if (wait_q == 8'd255) state_q <= BEGIN;
      end
      BEGIN: begin
        wait_q  <= wait_q + 8'd1;
        cycle_q <= '0;
        if (start_q) state_q <= MOVE;
      end
      MOVE: begin  // cycle_q is the cycle that moving_q and done_q speak of
        cycle_q <= cycle_q + 16'd1;
        if (moving_q) last_q <= cycle_q;
        if ((done_q && !moving_q) || cycle_q == '1) state_q <= OWN;
      end
      OWN: if (answered_q) begin
        own_sum_q <= own_sum_q + rdata_q;
        own_xor_q <= own_xor_q ^ rdata_q;
        word_q    <= last_word ? '0 : word_q + 16'd1;
        if (last_word) begin
          node_q <= last_node ? '0 : node_q + NODE_W'(1);
          if (last_node) state_q <= LENGTH;
        end
      end
      LENGTH: if (answered_q) begin
        if (rdata_q != TOTAL) bad_q <= 1'b1;
        sum_q   <= '0;
        xor_q   <= '0;
        state_q <= WORD;
      end
      WORD: if (answered_q) begin
        sum_q  <= sum_q + rdata_q;
        xor_q  <= xor_q ^ rdata_q;
        word_q <= last_word ? '0 : word_q + 16'd1;
        if (last_word) state_q <= CHECK;
      end
      CHECK: begin
        if (sum_q != own_sum_q || xor_q != own_xor_q) bad_q <= 1'b1;
        node_q  <= node_q + NODE_W'(1);
        state_q <= last_node ? FINISH : LENGTH;
      end
      default: ;
    endcase
  end

  logic wrong;
  assign wrong     = bad_q || error_q || 32'(last_q) != CYCLES;
  assign arrived_o = state_q == FINISH && !wrong;
  assign wrong_o   = (error_q && state_q != RESET) || (state_q == FINISH && wrong);
  assign cycles_o  = last_q;

endmodule

`default_nettype wire
