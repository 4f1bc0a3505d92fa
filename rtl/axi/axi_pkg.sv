// SPDX-License-Identifier: Apache-2.0
// The AXI side of a fabric: address map, control registers, status bits (docs/hardware/axi.md). The C++
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
  localparam int AXI_ALL_SLOTS = 9;  // region, of node 0 only: what is written there goes to the slot tables of all nodes
  localparam int AXI_ALL_LISTS = 10;  // region, of node 0 only: ... to the lists of all nodes
  localparam int AXI_PACKET = 6;  // region, part of the tables: at k the words that the node takes for each period of program k; 0: any number, or none
  localparam int AXI_ALL_PACKETS = 14;  // region, of node 0 only: ... of all nodes
  localparam int AXI_CONTROL = 15;  // region, of node 0 only: the registers below

  // ---- Control registers.
  localparam int AXI_RUN = 0;  // write bit 0: start; bit 1: repeat period after period; bit 2: abort
  localparam int AXI_STATUS = 1;  // bits below
  localparam int AXI_PERIODS = 2;  // number of periods that have ended
  localparam int AXI_BEGIN = 3;  // write: new tables begin, a transaction opens
  localparam int AXI_LENGTH = 4;  // words of the new tables: write the number announced; read the number received
  localparam int AXI_CHECKSUM = 5;  // CRC-32 of the new tables: write the one announced; read that of the words received
  localparam int AXI_COMMIT = 6;  // write: the new tables are complete, run them from the next period on
  localparam int AXI_NODES = 7;  // nodes
  localparam int AXI_IRQ = 8;  // interrupts raised; write 1 to a bit to clear it
  localparam int AXI_IRQ_ENABLE = 9;  // those that the interrupt's pin shows
  localparam int AXI_CYCLES = 10;  // cycles of the period since its start pulse
  localparam int AXI_FLITS = 11;  // flits on links since then
  localparam int AXI_DIMS = 12;  // dimensions of the torus
  localparam int AXI_INDEX_BITS = 13;  // bits of the index in addresses
  localparam int AXI_RADIX = 14;  // nodes along dimension 0, bit 31: a ring; up to 15 more follow
  localparam int AXI_TREE = 30;  // registers on the way to every node, and on the way back
  localparam int AXI_LIMIT = 31;  // cycles that a period may take; 0: any number
  localparam int AXI_CANCEL = 32;  // write a node's number: the packet that has begun there is dropped
  localparam int AXI_FAILED = 33;  // the lowest node that has raised an error, if AXI_ERROR is set
  localparam int AXI_PATIENCE = 34;  // cycles that streams may keep a period waiting; 0: any number
  localparam int AXI_REFUSE = 35;  // 1: a start is refused while a node has no new packet; 0: it waits
  localparam int AXI_HOLDER = 36;  // the lowest node that is waited for, and why: AXI_BAD_NODE and the four bits below it
  localparam int AXI_MISSED = 37;  // starts by the pin that were not taken
  localparam int AXI_PROGRAMS = 38;  // programs that periods run in turn, four bits each: a number, and above it AXI_PROGRAM_KEEP
  localparam int AXI_LAST_PROGRAM = 39;  // how many follow the first one of these, 0 to 7
  localparam int AXI_REGISTERS = 40;  // number of registers
  localparam int AXI_PROGRAM_KEEP = 3;  // bit of a program: it goes on with the logs of the period before
  localparam int AXI_ABORT = 2;  // bit of AXI_RUN: end the period, and cancel what was requested
  localparam int AXI_RING = 31;  // bit of AXI_RADIX: the dimension is a ring, not a path

  // ---- Interrupts: a bit each in AXI_IRQ and AXI_IRQ_ENABLE.
  localparam int AXI_IRQ_ENDED = 0;  // a period has ended
  localparam int AXI_IRQ_REST = 1;  // nothing is running or requested any more
  localparam int AXI_IRQ_ERROR = 2;  // first error of a period, or it took too long: no start until this is cleared
  localparam int AXI_IRQS = 3;  // number of interrupts

  // ---- Bits of the status.
  localparam int AXI_RUNNING = 0;  // a period is running, or its arrivals are being sent out
  localparam int AXI_ERROR = 1;  // a node raised an error
  localparam int AXI_PENDING = 2;  // new tables are waiting for the end of the period
  localparam int AXI_BAD_LENGTH = 3;  // the last tables committed were refused: too few or many words
  localparam int AXI_BAD_CHECKSUM = 4;  // ... because their checksum differs
  localparam int AXI_BANK = 5;  // the bank of tables that runs, or will run next
  localparam int AXI_BAD_PACKET = 6;  // a packet was dropped; until the next start
  localparam int AXI_LATE = 7;  // a period exceeded AXI_LIMIT or AXI_PATIENCE and was aborted; until the next start
  localparam int AXI_NO_PACKET = 8;  // ... because AXI_BAD_NODE has got no new packet
  localparam int AXI_BEGUN = 9;  // ... because a packet that has begun there has not ended
  localparam int AXI_SENDING = 10;  // ... because its arrivals have not been sent out
  localparam int AXI_UNENDED = 11;  // ... because its table has not ended
  localparam int AXI_BAD_NODE = 16;  // 16 bits: that node, or the one whose packet was dropped

  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
