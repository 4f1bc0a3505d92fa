// What simulation and hardware do differently: here alone they read different text.
`default_nettype none

package simulation_pkg;

  // 1: what does nothing in a cycle is passed over. Simulation is faster then, hardware would be slower and larger.
`ifdef SYNTHESIS
  localparam logic SKIP_IDLE = 1'b0;
`else
  localparam logic SKIP_IDLE = 1'b1;
`endif

endpackage

`default_nettype wire
