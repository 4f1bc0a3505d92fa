// No board: the outputs that a simulation of the netlist watches (netlist_test).
`default_nettype none

module top #(
  parameter int NODES = 4, parameter int PORTS = 2, parameter int WORDS = 1, parameter int CYCLES = 0
) (
  input  logic        clk,
  output logic        led_arrived,
  output logic        led_wrong,
  output logic [15:0] cycles_o
);

  self_test #(.NODES(NODES), .PORTS(PORTS), .WORDS(WORDS), .CYCLES(CYCLES)) i_self_test (
    .clk_i(clk), .arrived_o(led_arrived), .wrong_o(led_wrong), .cycles_o
  );

endmodule

`default_nettype wire
