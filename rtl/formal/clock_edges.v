// SPDX-License-Identifier: Apache-2.0
// What `prove` makes of the registers of a design with two clocks. A step of the proof is an instant, and the wire that is a
// clock says whether it has a rising edge in it: `prove` gives all registers the clock of steps then.
(* techmap_celltype = "$dff" *)
module clock_edges (CLK, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1'b1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  \$dffe #(.WIDTH(WIDTH), .CLK_POLARITY(1'b1), .EN_POLARITY(1'b1)) _TECHMAP_REPLACE_ (.CLK(CLK), .EN(CLK), .D(D), .Q(Q));
endmodule
