// A board: a clock, and two LEDs that say what the self-test found. Its pins, and which LEDs these are, stand in
// the board's folder.
`default_nettype none

module top #(
  parameter int NODES = 4, parameter int PORTS = 2, parameter int WORDS = 1, parameter int CYCLES = 0,
  parameter bit LEDS_LOW = 1'b0  // a low level lights an LED
) (
  input  logic clk,
  output logic led_arrived,  // every word has arrived
  output logic led_wrong     // a node raised an error, or a word or the time is wrong
);

  logic arrived, wrong;

  self_test #(.NODES(NODES), .PORTS(PORTS), .WORDS(WORDS), .CYCLES(CYCLES)) i_self_test (
    .clk_i(clk), .arrived_o(arrived), .wrong_o(wrong), .cycles_o()
  );

  assign led_arrived = arrived ^ LEDS_LOW;
  assign led_wrong   = wrong ^ LEDS_LOW;

endmodule

`default_nettype wire
