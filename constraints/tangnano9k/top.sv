// Tang Nano 9K: LED 1 when every word has arrived, LED 2 on an error. Both are active low.
`default_nettype none

module top #(
  parameter int NODES = 4, parameter int PORTS = 2, parameter int WORDS = 1, parameter int CYCLES = 0
) (
  input  logic clk,        // 27 MHz
  output logic led_arrived,
  output logic led_wrong
);

  logic arrived, wrong;

  self_test #(.NODES(NODES), .PORTS(PORTS), .WORDS(WORDS), .CYCLES(CYCLES)) i_self_test (
    .clk_i(clk), .arrived_o(arrived), .wrong_o(wrong), .cycles_o()
  );

  assign led_arrived = !arrived;
  assign led_wrong   = !wrong;

endmodule

`default_nettype wire
