// SPDX-License-Identifier: Apache-2.0
// Memory with one write and one synchronous read port, in the form that synthesizers map to block
// RAM. A word is written column by column, so that a narrow bus fills a wide memory. A word
// must not be read in the cycle in which it is written: the read data would be undefined, as Yosys, Intel's and Xilinx' tools are told.
`default_nettype none

module ram_1r1w #(
  parameter int COLUMNS  = 1,   // columns of a word, written separately
  parameter int COLUMN_W = 32,  // bits of a column
  parameter int DEPTH    = 256, // words, at least 2
  parameter     IMAGE    = "",  // hex file with the first contents, DEPTH words; empty: none
  localparam int WORD_W = COLUMNS * COLUMN_W,
  localparam int AW     = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic               clk_i,
  input  logic [COLUMNS-1:0] write_i,       // write these columns
  input  logic [AW-1:0]      write_addr_i,
  input  logic [WORD_W-1:0]  write_data_i,
  input  logic               read_i,        // otherwise the last word read stays
  input  logic [AW-1:0]      read_addr_i,
  output logic [WORD_W-1:0]  read_data_o    // one cycle after the address
);

  (* no_rw_check, ramstyle = "no_rw_check", rw_addr_collision = "no" *) logic [WORD_W-1:0] mem [0:DEPTH-1];

  if (IMAGE != "") begin : gen_image
    initial $readmemh(IMAGE, mem);
  end

  always_ff @(posedge clk_i) begin
    for (int c = 0; c < COLUMNS; c++) begin
      if (write_i[c]) begin
        mem[write_addr_i][c*COLUMN_W+:COLUMN_W] <= write_data_i[c*COLUMN_W+:COLUMN_W];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_i) read_data_o <= mem[read_addr_i];
  end

endmodule

`default_nettype wire
