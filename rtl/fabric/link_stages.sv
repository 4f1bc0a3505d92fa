// SPDX-License-Identifier: Apache-2.0
// Register stages of one direction of a link: what enters comes out STAGES cycles later. They may be
// anywhere along the wire, so synthesis must not make them a shift register in one place.
`default_nettype none

module link_stages #(
  parameter int STAGES = 1,  // 0: a wire
  parameter int FLIT_W = 32
) (
  input  logic              clk_i,
  input  logic              rst_ni,   // synchronous; empties the stages
  input  logic              valid_i,
  input  logic              last_i,
  input  logic [FLIT_W-1:0] data_i,
  output logic              valid_o,
  output logic              last_o,
  output logic [FLIT_W-1:0] data_o
);

  // The inputs of the stages, and the output of the last one.
  logic [STAGES:0]              valid, last;
  logic [(STAGES+1)*FLIT_W-1:0] data;

  assign valid[0]         = valid_i;
  assign last[0]          = last_i;
  assign data[FLIT_W-1:0] = data_i;
  assign valid_o          = valid[STAGES];
  assign last_o           = last[STAGES];
  assign data_o           = data[STAGES*FLIT_W+:FLIT_W];

  for (genvar s = 0; s < STAGES; s++) begin : gen_stage
    (* shreg_extract = "no" *) logic              valid_q, last_q;
    (* shreg_extract = "no" *) logic [FLIT_W-1:0] data_q;

    always_ff @(posedge clk_i) begin
      valid_q <= rst_ni && valid[s];
      last_q  <= rst_ni && last[s];
      data_q  <= data[s*FLIT_W+:FLIT_W];
    end

    assign valid[s+1]                   = valid_q;
    assign last[s+1]                    = last_q;
    assign data[(s+1)*FLIT_W+:FLIT_W]   = data_q;
  end

  if (STAGES == 0) begin : gen_wire
    logic unused;
    assign unused = ^{clk_i, rst_ni};
  end

endmodule

`default_nettype wire
