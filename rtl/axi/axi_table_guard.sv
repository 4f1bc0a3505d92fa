// SPDX-License-Identifier: Apache-2.0
// Checks new tables before they run: the number of words and the CRC-32 (as in zlib, over each
// word's byte address and data, the lowest byte first) must be as announced. Only then does a
// commit request the swap; refused tables change nothing, and may be written again. Words and
// commits belong to a transaction, which lasts from the beginning to the commit that is accepted:
// outside a transaction, and until the swap, they are refused.
`default_nettype none

module axi_table_guard (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        write_i,       // a word of tables is written
  input  logic [31:0] addr_i,
  input  logic [31:0] data_i,
  // Control.
  input  logic        begin_i,       // new tables begin
  input  logic        length_i,      // value_i is the number of words announced
  input  logic        checksum_i,    // ... the checksum announced
  input  logic        commit_i,
  input  logic [31:0] value_i,
  output logic        lock_o,        // words are refused
  output logic        refuse_o,      // the commit in this cycle is refused
  output logic [31:0] count_o,       // number of words received
  output logic [31:0] crc_o,         // their checksum
  output logic        bad_length_o,  // why the last commit was refused
  output logic        bad_checksum_o,
  // Swap.
  output logic        pending_o,     // accepted tables are waiting
  input  logic        swapped_i      // ... and are taken now
);

  localparam logic [31:0] POLYNOMIAL = 32'hEDB88320;

  logic [31:0] crc_q, crc_d, length_q, checksum_q;
  logic        open_q;               // a transaction is open
  logic        wrong_length, wrong_checksum;

  assign wrong_length   = count_o != length_q;
  assign wrong_checksum = crc_o != checksum_q;
  assign lock_o         = !open_q || pending_o;
  assign refuse_o       = commit_i && (lock_o || wrong_length || wrong_checksum);
  assign crc_o          = ~crc_q;

  always_comb begin
    crc_d = crc_q ^ addr_i;
    for (int b = 0; b < 32; b++) crc_d = (crc_d >> 1) ^ (POLYNOMIAL & {32{1'(crc_d)}});
    crc_d = crc_d ^ data_i;
    for (int b = 0; b < 32; b++) crc_d = (crc_d >> 1) ^ (POLYNOMIAL & {32{1'(crc_d)}});
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || begin_i) begin
      crc_q   <= '1;
      count_o <= '0;
    end else if (write_i) begin
      crc_q   <= crc_d;
      count_o <= count_o + 32'd1;
    end
    if (!rst_ni) begin
      open_q         <= 1'b0;
      length_q       <= '0;
      checksum_q     <= '0;
      bad_length_o   <= 1'b0;
      bad_checksum_o <= 1'b0;
      pending_o      <= 1'b0;
    end else begin
      if (length_i) length_q <= value_i;
      if (checksum_i) checksum_q <= value_i;
      if (swapped_i) pending_o <= 1'b0;
      if (begin_i) begin
        open_q         <= 1'b1;
        bad_length_o   <= 1'b0;
        bad_checksum_o <= 1'b0;
      end
      if (commit_i && !lock_o) begin
        open_q         <= refuse_o;
        bad_length_o   <= wrong_length;
        bad_checksum_o <= wrong_checksum;
        pending_o      <= !refuse_o;
      end
    end
  end

endmodule

`default_nettype wire
