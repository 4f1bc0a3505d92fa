// SPDX-License-Identifier: Apache-2.0
// What simulation and hardware do differently: here alone they read different text. A simulation that wants its own
// defines GOSSAMER_SIM; what nobody defines is hardware.
`default_nettype none

package simulation_pkg;

  /* verilator lint_off UNUSEDPARAM */  // by designs without a node

  // 1: what does nothing in a cycle is passed over. Simulation is faster then, hardware would be slower and larger.
`ifdef GOSSAMER_SIM
  localparam logic SKIP_IDLE = 1'b1;
`else
  localparam logic SKIP_IDLE = 1'b0;
`endif

  // 1: what a neighbour or a host must not do is asserted, in `always`, because Icarus warns of it in always_ff. Proofs have
  // assertions of their own.
`ifdef FORMAL
  localparam logic ASSERTIONS = 1'b0;
`else
  localparam logic ASSERTIONS = SKIP_IDLE;
`endif

  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
