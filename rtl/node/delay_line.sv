// SPDX-License-Identifier: Apache-2.0
// What enters comes out CYCLES cycles later; a reset fills the line.
`default_nettype none

module delay_line #(
  parameter int   WIDTH  = 1,
  parameter int   CYCLES = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [WIDTH-1:0] data_i,
  output logic [WIDTH-1:0] data_o
);

  logic [(CYCLES+1)*WIDTH-1:0] data;

  assign data[WIDTH-1:0] = data_i;
  assign data_o          = data[CYCLES*WIDTH+:WIDTH];

  for (genvar s = 0; s < CYCLES; s++) begin : gen_stage
    logic [WIDTH-1:0] data_q;

    always_ff @(posedge clk_i) data_q <= rst_ni ? data[s*WIDTH+:WIDTH] : '0;
    assign data[(s+1)*WIDTH+:WIDTH] = data_q;
  end

endmodule

`default_nettype wire
