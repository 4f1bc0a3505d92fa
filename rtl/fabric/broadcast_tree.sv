// SPDX-License-Identifier: Apache-2.0
// From one place to many: what enters is at all leaves STAGES cycles later. No register drives more than
// tree_pkg::branches others or leaves, so that no net spans the leaves.
`default_nettype none

module broadcast_tree #(
  parameter int STAGES = 1,  // registers on the way to each leaf; 0: a wire
  parameter int LEAVES = 4,
  parameter int WIDTH  = 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,  // synchronous; empties the registers
  input  logic [WIDTH-1:0]        data_i,
  output logic [LEAVES*WIDTH-1:0] data_o
);

  localparam int BRANCHES = tree_pkg::branches(LEAVES, STAGES);
  localparam int LAST     = tree_pkg::first_place(LEAVES, STAGES, STAGES);  // of the last stage

  logic [tree_pkg::first_place(LEAVES, STAGES, STAGES + 1)*WIDTH-1:0] data;  // of all places, the root's first

  assign data[WIDTH-1:0] = data_i;

  for (genvar s = 1; s <= STAGES; s++) begin : gen_stage
    localparam int HERE  = tree_pkg::first_place(LEAVES, STAGES, s);
    localparam int ABOVE = tree_pkg::first_place(LEAVES, STAGES, s - 1);

    for (genvar p = 0; p < tree_pkg::places(LEAVES, STAGES, s); p++) begin : gen_place
      tree_register #(.WIDTH(WIDTH)) i_register (
        .clk_i, .rst_ni, .data_i(data[(ABOVE + p / BRANCHES)*WIDTH+:WIDTH]),
        .data_o(data[(HERE+p)*WIDTH+:WIDTH])
      );
    end
  end

  for (genvar n = 0; n < LEAVES; n++) begin : gen_leaf
    assign data_o[n*WIDTH+:WIDTH] = data[(LAST + n / BRANCHES)*WIDTH+:WIDTH];
  end

  if (STAGES == 0) begin : gen_wire
    logic unused;
    assign unused = ^{clk_i, rst_ni};
  end

endmodule

`default_nettype wire
