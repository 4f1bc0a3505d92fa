// SPDX-License-Identifier: Apache-2.0
// Simulation alone: asserts that what a sender offers at an AXI handshake stays, unchanged, until it is taken.
`default_nettype none

module axi_stable #(
  parameter int WIDTH = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  input  logic             ready_i,
  input  logic [WIDTH-1:0] payload_i
);

  logic             waits_q;
  logic [WIDTH-1:0] payload_q;

  always @(posedge clk_i) begin
    waits_q   <= rst_ni && valid_i && !ready_i;
    payload_q <= payload_i;
    if (rst_ni && waits_q) assert (valid_i && payload_i === payload_q);
  end

endmodule

`default_nettype wire
