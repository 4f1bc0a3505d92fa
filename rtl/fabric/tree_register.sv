// SPDX-License-Identifier: Apache-2.0
// A register of broadcast_tree. Others hold the same in the same cycles, and synthesis must not make one of them:
// Yosys keeps them apart only as modules.
`default_nettype none

(* keep_hierarchy = "yes" *)
module tree_register #(
  parameter int WIDTH = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,  // synchronous
  input  logic [WIDTH-1:0] data_i,
  output logic [WIDTH-1:0] data_o
);

  (* keep = "true" *) logic [WIDTH-1:0] data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) data_q <= '0;
    else data_q <= data_i;
  end

  assign data_o = data_q;

endmodule

`default_nettype wire
