// State machines: which state follows which, each way a bit of its own. Where models count (tests/coverage/verilator), these bits are the
// coverage of state machines, and a change of state that is not listed here ends the run. What a reset does is not counted.
/* verilator lint_off DECLFILENAME */
`define MACHINE(NAME, WIDTH) \
module NAME``_states (input logic clk_i, input logic rst_ni, input logic [WIDTH-1:0] state); \
  logic [WIDTH-1:0] was; \
  logic             known; \
  logic [16:0]      ways; \
  always_ff @(posedge clk_i) begin \
    was   <= state; \
    known <= rst_ni; \
    if (known && rst_ni && was != state && ways == '0) begin \
      $display(`"NAME: state %0d follows %0d`", state, was); \
      $stop;  /* not $fatal: it gives a model scopes, which Verilator 5.006 takes out of the wrong context when the model ends */ \
    end \
  end
`define WAY(N, FROM, TO) \
  logic FROM``_``TO; \
  assign FROM``_``TO = known && was == FROM && state == TO; \
  assign ways[N] = FROM``_``TO;
`define IN(NAME, LAST, CLOCK, RESET) \
  assign ways[16:LAST+1] = '0; \
endmodule \
bind NAME NAME``_states i_states (.clk_i(CLOCK), .rst_ni(RESET), .state(state_q));

`MACHINE(sequencer, 2)
  localparam logic [1:0] RUN = 2'd0, DONE = 2'd1, IDLE = 2'd3;
  `WAY(0, IDLE, RUN)
  `WAY(1, RUN, DONE)
`IN(sequencer, 1, clk_i, rst_ni)

`MACHINE(sequencer_one_cycle, 2)
  localparam logic [1:0] RUN = 2'd0, DONE = 2'd1, IDLE = 2'd3;
  `WAY(0, IDLE, RUN)
  `WAY(1, RUN, DONE)
`IN(sequencer_one_cycle, 1, clk_i, rst_ni)

`MACHINE(link_elastic, 2)
  localparam logic [1:0] IDLE = 2'd0, WAIT = 2'd1, PASS = 2'd2;
  `WAY(0, IDLE, WAIT)
  `WAY(1, WAIT, PASS)
  `WAY(2, WAIT, IDLE)
  `WAY(3, PASS, WAIT)
  `WAY(4, PASS, IDLE)
`IN(link_elastic, 4, rx_clk_i, rx_rst_ni)

`MACHINE(axi_lite_config, 2)
  localparam logic [1:0] WRITE = 2'd0, READ = 2'd1, FETCH = 2'd2, DELIVER = 2'd3;
  `WAY(0, WRITE, READ)
  `WAY(1, READ, FETCH)
  `WAY(2, FETCH, DELIVER)
  `WAY(3, DELIVER, WRITE)
`IN(axi_lite_config, 3, clk_i, rst_ni)

`MACHINE(axi_period, 3)
  localparam logic [2:0] IDLE = 3'd0, CLEAR = 3'd1, PRIME = 3'd2, GO = 3'd3, RUN = 3'd4, HOLD = 3'd5, SHUT = 3'd6, ABORT = 3'd7;
  `WAY(0, IDLE, CLEAR)
  `WAY(1, IDLE, SHUT)
  `WAY(2, SHUT, CLEAR)
  `WAY(3, SHUT, IDLE)
  `WAY(4, CLEAR, PRIME)
  `WAY(5, PRIME, GO)
  `WAY(6, GO, RUN)
  `WAY(7, RUN, HOLD)
  `WAY(8, HOLD, IDLE)
  `WAY(9, HOLD, ABORT)
  `WAY(10, SHUT, ABORT)
  `WAY(11, CLEAR, ABORT)
  `WAY(12, PRIME, ABORT)
  `WAY(13, GO, ABORT)
  `WAY(14, RUN, ABORT)
  `WAY(15, IDLE, ABORT)
  `WAY(16, ABORT, IDLE)
`IN(axi_period, 16, clk_i, rst_ni)

`MACHINE(axis_inject, 2)
  localparam logic [1:0] PACKET = 2'd0, LENGTH = 2'd1, WAIT = 2'd2, DROP = 2'd3;
  `WAY(0, PACKET, LENGTH)
  `WAY(1, PACKET, DROP)
  `WAY(2, LENGTH, WAIT)
  `WAY(3, WAIT, PACKET)
  `WAY(4, DROP, PACKET)
  `WAY(5, PACKET, WAIT)
`IN(axis_inject, 5, clk_i, rst_ni)

`MACHINE(axis_eject, 3)
  localparam logic [2:0] IDLE = 3'd0, OWN = 3'd1, KEEP = 3'd2, LENGTH = 3'd3, BOUND = 3'd4, SEND = 3'd5;
  `WAY(0, IDLE, OWN)
  `WAY(1, IDLE, LENGTH)
  `WAY(2, OWN, KEEP)
  `WAY(3, KEEP, LENGTH)
  `WAY(4, LENGTH, BOUND)
  `WAY(5, BOUND, SEND)
  `WAY(6, BOUND, LENGTH)
  `WAY(7, BOUND, IDLE)
  `WAY(8, SEND, LENGTH)
  `WAY(9, SEND, IDLE)
  `WAY(10, OWN, IDLE)
  `WAY(11, KEEP, IDLE)
  `WAY(12, LENGTH, IDLE)
`IN(axis_eject, 12, clk_i, rst_ni)
