// The AXI side of a fabric: address map, control registers, status bits (docs/axi.md). The C++
// header gossamer_axi.hpp is generated from this file, as the other one is from gossamer_pkg.sv.
`default_nettype none

package axi_pkg;

  // Each build uses some of these constants; the software uses them all.
  /* verilator lint_off UNUSEDPARAM */

  // ---- Byte addresses on AXI4-Lite, from bit 2: index, part, region, node. Region and part have the
  // same meaning as at the configuration port; its addresses have the part above the index, and none
  // for slots and registers.
  localparam int AXI_INDEX_W = 12;  // bits of the index, unless built otherwise
  localparam int AXI_PART_W = 6;  // bits of the part: a read channel's or a log's number
  localparam int AXI_REGION_W = 4;  // bits of the region
  localparam int AXI_CONTROL = 15;  // region, of node 0 only: the registers below

  // ---- Control registers.
  localparam int AXI_RUN = 0;  // write bit 0: start; bit 1: repeat period after period
  localparam int AXI_STATUS = 1;  // bits below
  localparam int AXI_PERIODS = 2;  // number of periods that have ended
  localparam int AXI_BEGIN = 3;  // write: new tables begin, a transaction opens
  localparam int AXI_LENGTH = 4;  // words of the new tables: write the number announced; read the number received
  localparam int AXI_CHECKSUM = 5;  // CRC-32 of the new tables: write the one announced; read that of the words received
  localparam int AXI_COMMIT = 6;  // write: the new tables are complete, run them from the next period on
  localparam int AXI_NODES = 7;  // nodes
  localparam int AXI_REGISTERS = 8;  // number of registers

  // ---- Bits of the status.
  localparam int AXI_RUNNING = 0;  // a period is running, or its arrivals are being sent out
  localparam int AXI_ERROR = 1;  // a node raised an error
  localparam int AXI_PENDING = 2;  // new tables are waiting for the end of the period
  localparam int AXI_BAD_LENGTH = 3;  // the last tables committed were refused: too few or many words
  localparam int AXI_BAD_CHECKSUM = 4;  // ... because their checksum differs
  localparam int AXI_BANK = 5;  // the bank of tables that runs, or will run next
  localparam int AXI_BAD_PACKET = 6;  // a packet that was too long was dropped; until the next start
  localparam int AXI_BAD_NODE = 16;  // 16 bits: the node whose stream brought it

  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
