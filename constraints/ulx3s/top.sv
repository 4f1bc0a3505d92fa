// ULX3S: LED 0 when every word has arrived, LED 1 on an error.
`default_nettype none

module top #(
  parameter int NODES = 4, parameter int PORTS = 2, parameter int WORDS = 1, parameter int CYCLES = 0
) (
  input  logic clk,        // 25 MHz
  output logic led_arrived,
  output logic led_wrong
);

  self_test #(.NODES(NODES), .PORTS(PORTS), .WORDS(WORDS), .CYCLES(CYCLES)) i_self_test (
    .clk_i(clk), .arrived_o(led_arrived), .wrong_o(led_wrong), .cycles_o()
  );

endmodule

`default_nettype wire
