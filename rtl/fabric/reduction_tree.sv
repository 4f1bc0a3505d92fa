// SPDX-License-Identifier: Apache-2.0
// From many places to one: what enters at all leaves comes out together STAGES cycles later. Some bits are joined
// by OR, numbers are added, and of the leaves that report something the lowest gives its name. No register has more
// than tree_pkg::branches others or leaves before it.
`default_nettype none

module reduction_tree #(
  parameter int STAGES = 1,   // registers on the way from each leaf; 0: none
  parameter int LEAVES = 4,
  parameter int OR_W   = 1,
  parameter int SUM_W  = 1,   // wide enough for the sum
  parameter int NAME_W = 16
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,    // synchronous; empties the registers
  input  logic [LEAVES*OR_W-1:0]   or_i,
  input  logic [LEAVES*SUM_W-1:0]  sum_i,
  input  logic [LEAVES-1:0]        report_i,
  input  logic [LEAVES*NAME_W-1:0] name_i,
  output logic [OR_W-1:0]          or_o,
  output logic [SUM_W-1:0]         sum_o,
  output logic                     report_o,
  output logic [NAME_W-1:0]        name_o     // of the lowest leaf that reports; 0: none does
);

  localparam int BRANCHES = tree_pkg::branches(LEAVES, STAGES);
  localparam int LEAF     = tree_pkg::first_place(LEAVES, STAGES, STAGES + 1) - 1;
  localparam int PLACES   = LEAF + LEAVES;

  // Of all places behind the root, the leaves last.
  logic [PLACES*OR_W-1:0]   bits;
  logic [PLACES*SUM_W-1:0]  sums;
  logic [PLACES*NAME_W-1:0] names;
  logic [PLACES-1:0]        reports;

  assign bits[LEAF*OR_W+:LEAVES*OR_W]      = or_i;
  assign sums[LEAF*SUM_W+:LEAVES*SUM_W]    = sum_i;
  assign names[LEAF*NAME_W+:LEAVES*NAME_W] = name_i;
  assign reports[LEAF+:LEAVES]             = report_i;

  for (genvar s = 0; s <= STAGES; s++) begin : gen_stage
    localparam int HERE  = tree_pkg::first_place(LEAVES, STAGES, s) - 1;
    localparam int BELOW = tree_pkg::first_place(LEAVES, STAGES, s + 1) - 1;
    localparam int MANY  = tree_pkg::places(LEAVES, STAGES, s + 1);

    for (genvar p = 0; p < tree_pkg::places(LEAVES, STAGES, s); p++) begin : gen_place
      localparam int FIRST = p * BRANCHES;
      localparam int END   = (FIRST + BRANCHES < MANY) ? FIRST + BRANCHES : MANY;

      logic [OR_W-1:0]   bits_d;
      logic [SUM_W-1:0]  sum_d;
      logic              report_d;
      logic [NAME_W-1:0] name_d;

      always_comb begin
        bits_d = '0;
        sum_d  = '0;
        name_d = '0;
        for (int c = END - 1; c >= FIRST; c--) begin
          bits_d = bits_d | bits[(BELOW+c)*OR_W+:OR_W];
          sum_d  = sum_d + sums[(BELOW+c)*SUM_W+:SUM_W];
          if (reports[BELOW+c]) name_d = names[(BELOW+c)*NAME_W+:NAME_W];
        end
      end

      assign report_d = |reports[BELOW+FIRST+:END-FIRST];

      if (s == 0) begin : gen_root
        assign or_o     = bits_d;
        assign sum_o    = sum_d;
        assign report_o = report_d;
        assign name_o   = name_d;
      end else begin : gen_register
        logic [OR_W-1:0]   bits_q;
        logic [SUM_W-1:0]  sum_q;
        logic              report_q;
        logic [NAME_W-1:0] name_q;

        always_ff @(posedge clk_i) begin
          if (!rst_ni) begin
            bits_q   <= '0;
            sum_q    <= '0;
            report_q <= 1'b0;
            name_q   <= '0;
          end else begin
            bits_q   <= bits_d;
            sum_q    <= sum_d;
            report_q <= report_d;
            name_q   <= name_d;
          end
        end

        assign bits[(HERE+p)*OR_W+:OR_W]      = bits_q;
        assign sums[(HERE+p)*SUM_W+:SUM_W]    = sum_q;
        assign reports[HERE+p]                = report_q;
        assign names[(HERE+p)*NAME_W+:NAME_W] = name_q;
      end
    end
  end

  if (STAGES == 0) begin : gen_wire
    logic unused;
    assign unused = ^{clk_i, rst_ni};
  end

endmodule

`default_nettype wire
