// SPDX-License-Identifier: Apache-2.0
// The same of a register that samples what another clock writes: each bit is as it is, or as it was a step ago.
(* techmap_celltype = "$dff" *)
module clock_crossing (CLK, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1'b1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire [WIDTH-1:0] before, late;
  \$dffe #(.WIDTH(WIDTH), .CLK_POLARITY(1'b1), .EN_POLARITY(1'b1)) before_ff (.CLK(CLK), .EN(1'b1), .D(D), .Q(before));
  \$dffe #(.WIDTH(WIDTH), .CLK_POLARITY(1'b1), .EN_POLARITY(1'b1)) _TECHMAP_REPLACE_
    (.CLK(CLK), .EN(CLK), .D(D & ~late | before & late), .Q(Q));
endmodule
