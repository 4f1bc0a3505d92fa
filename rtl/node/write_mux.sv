// SPDX-License-Identifier: Apache-2.0
// The word that each log writes: a log of a port takes what is on the port's link; the only log of a
// single-port node takes what is on the link that brings a flit, the port with the highest number if several do.
`default_nettype none

module write_mux #(
  parameter int   PORTS     = 4,    // link ports
  parameter int   LOGS      = 4,    // 1 (single-port node) or PORTS
  parameter int   FLIT_W    = 32,   // bits of a flit
  parameter logic KNOWN     = 1'b0  // 1: the port with the open window is the one that receives
) (
  input  logic                    clk_i,
  input  logic [PORTS-1:0]        expect_next_i,  // ports that receive in the next cycle
  input  logic [PORTS-1:0]        take_i,         // flits to be written
  input  logic [PORTS*FLIT_W-1:0] link_data_i,
  output logic [LOGS*FLIT_W-1:0]  write_data_o
);

  if (LOGS == 1) begin : gen_one_log
    localparam int INDEX_W = (PORTS > 1) ? $clog2(PORTS) : 1;
    logic [PORTS-1:0]   sources;
    logic [INDEX_W-1:0] source, from;  // a number's multiplexer is smaller than a chain of choices

    always_comb begin
      source = '0;
      for (int p = 1; p < PORTS; p++) if (sources[p]) source = INDEX_W'(p);
    end

    if (KNOWN) begin : gen_known  // the table names the port a cycle earlier
      assign sources = expect_next_i;
      always_ff @(posedge clk_i) from <= source;
    end else begin : gen_seen
      assign sources = take_i;
      assign from    = source;
    end

    if (PORTS == 4) begin : gen_four  // in a form that takes two LUTs of four inputs a bit
      logic [FLIT_W-1:0] pick;  // of the first two, or which one of the others

      assign pick = from[1] ? {FLIT_W{from[0]}}
                            : from[0] ? link_data_i[FLIT_W+:FLIT_W] : link_data_i[0+:FLIT_W];
      assign write_data_o = from[1] ? (pick & link_data_i[3*FLIT_W+:FLIT_W]) | (~pick & link_data_i[2*FLIT_W+:FLIT_W])
                                    : pick;
    end else begin : gen_any
      assign write_data_o = link_data_i[32'(from)*FLIT_W+:FLIT_W];
    end
  end else begin : gen_own_logs
    assign write_data_o = link_data_i;
  end

  logic unused;  // by some of the variants
  assign unused = ^{clk_i, expect_next_i, take_i};

endmodule

`default_nettype wire
