// SPDX-License-Identifier: Apache-2.0
// Circuit-switched crossbar: every output takes one input, or its local read channel, or nothing,
// and holds the flit in the one register per hop. An output never takes its own input (no U-turns),
// so that its own port's code means the local store, and the multiplexer of a 4-port node has 4
// inputs. The link decides whether the flit goes out.
`default_nettype none

module crossbar #(
  parameter int  PORTS    = 4,   // link ports
  parameter int  FLIT_W   = 32,  // bits of a flit
  parameter int  CHANNELS = 1,   // local read channels: 1 (multicast) or PORTS
  parameter logic ONE_CYCLE = 1'b0,  // 1: every flit is the last of its stream
  parameter logic SKIP_IDLE = simulation_pkg::SKIP_IDLE,
  localparam int SELECT_W = $clog2(PORTS + 1)
) (
  input  logic                       clk_i,
  input  logic [PORTS*SELECT_W-1:0]  select_i,       // source of each output
  input  logic [PORTS-1:0]           send_i,         // outputs that may have a source
  input  logic [PORTS-1:0]           forward_i,      // inputs that some output takes
  input  logic [PORTS-1:0]           rx_valid_i,     // a flit is on the input
  input  logic [PORTS-1:0]           rx_last_i,      // ... the last of its stream
  input  logic [PORTS*FLIT_W-1:0]    rx_data_i,
  input  logic [CHANNELS-1:0]        local_valid_i,  // a word from the store
  input  logic [CHANNELS-1:0]        local_last_i,
  input  logic [CHANNELS*FLIT_W-1:0] local_data_i,
  output logic [PORTS-1:0]           tx_valid_o,     // a flit for the output, before the register
  output logic [PORTS-1:0]           tx_last_o,      // ... the last of its stream; without a flit it means nothing
  output logic [PORTS*FLIT_W-1:0]    data_o          // the flits of the cycle before; likewise
);

  localparam int INDEX_W = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int CODES   = 2**SELECT_W;

  logic             busy;  // there may be something to switch ...
  logic [PORTS-1:0] sends;  // ... for these outputs

  // One of the inputs, or the store in the place of the input that the output never takes.
  logic [CODES-1:0] rx_valid, rx_last;  // by code; codes above the ports are never valid

  assign rx_valid = CODES'(rx_valid_i);
  assign rx_last  = CODES'(rx_last_i);

  always_comb begin : pick
    logic [SELECT_W-1:0] select;
    logic [CODES-1:0]    own, valid, last;
    tx_valid_o = '0;
    tx_last_o  = '0;
    select     = '0;
    own        = '0;
    valid      = '0;
    last       = '0;
    if (busy) begin
      for (int o = 0; o < PORTS; o++) begin
        if (sends[o]) begin
          select = select_i[o*SELECT_W+:SELECT_W];
          own    = CODES'(1) << o;
          valid  = (rx_valid & ~own) | (CODES'(local_valid_i[(CHANNELS == 1) ? 0 : o]) << o);
          last   = (rx_last & ~own) | (CODES'(local_last_i[(CHANNELS == 1) ? 0 : o]) << o);
          if (ONE_CYCLE) last = '1;
          if (32'(select) % 2 != 0) valid >>= 1;  // the lowest bit first: two LUTs deep with 4 ports
          valid = (valid >> ((select >> 1) << 1)) & CODES'(1);
          tx_valid_o |= PORTS'(valid) << o;
          tx_last_o  |= PORTS'(last[(select << (SELECT_W - INDEX_W)) >> (SELECT_W - INDEX_W)]) << o;
        end
      end
    end
  end

  // In most cycles most nodes have nothing to switch, and some outputs have no source. SKIP_IDLE passes over those, and
  // copies no word that is not sent; the flits are the same (rtl/formal proves that). The register's multiplexer uses
  // only the low bits of the select, because the code for "nothing" is never valid.
  assign busy  = !SKIP_IDLE || |(rx_valid_i & forward_i) || |local_valid_i;
  assign sends = send_i | {PORTS{!SKIP_IDLE}};

  if (SKIP_IDLE) begin : gen_skip
    always_ff @(posedge clk_i) begin : take
      if (busy) begin
        for (int o = 0; o < PORTS; o++) begin
          if (tx_valid_o[o]) begin
            data_o[o*FLIT_W+:FLIT_W] <= (32'(select_i[o*SELECT_W+:INDEX_W]) == o)
                ? local_data_i[((CHANNELS == 1) ? 0 : o)*FLIT_W+:FLIT_W]
                : rx_data_i[32'(select_i[o*SELECT_W+:INDEX_W])*FLIT_W+:FLIT_W];
          end
        end
      end
    end
  end else begin : gen_always
    // The store stands in the place of the own input. A word is taken in every cycle: a clock enable would arrive late.
    always_ff @(posedge clk_i) begin : take
      logic [PORTS*FLIT_W-1:0] choices;
      for (int o = 0; o < PORTS; o++) begin
        choices = rx_data_i;
        choices[o*FLIT_W+:FLIT_W] = local_data_i[((CHANNELS == 1) ? 0 : o)*FLIT_W+:FLIT_W];
        data_o[o*FLIT_W+:FLIT_W] <= choices[32'(select_i[o*SELECT_W+:INDEX_W])*FLIT_W+:FLIT_W];
      end
    end
  end

endmodule

`default_nettype wire
