// Circuit-switched crossbar: every output takes one input, or its local read channel, or nothing.
// An output never takes its own input (no U-turns), so that the own port's code means the local
// store, and the multiplexer of a 4-port node has 4 inputs. Purely combinational: the link that
// follows holds the one register per hop.
`default_nettype none

module crossbar #(
  parameter int PORTS    = 4,   // link ports
  parameter int FLIT_W   = 32,  // bits of a flit
  parameter int CHANNELS = 1,   // local read channels: 1 (multicast) or PORTS
  localparam int SELECT_W = $clog2(PORTS + 1)
) (
  input  logic [PORTS*SELECT_W-1:0]  select_i,       // source of each output
  input  logic [PORTS-1:0]           rx_valid_i,     // a flit stands on the input
  input  logic [PORTS-1:0]           rx_last_i,      // ... the last of its stream
  input  logic [PORTS*FLIT_W-1:0]    rx_data_i,
  input  logic [CHANNELS-1:0]        local_valid_i,  // a word from the store
  input  logic [CHANNELS-1:0]        local_last_i,
  input  logic [CHANNELS*FLIT_W-1:0] local_data_i,
  output logic [PORTS-1:0]           tx_valid_o,
  output logic [PORTS-1:0]           tx_last_o,
  output logic [PORTS*FLIT_W-1:0]    tx_data_o,      // meaningless where not valid
  output logic [PORTS-1:0]           forwarded_o     // some output takes this input
);

  localparam int INDEX_W = (PORTS > 1) ? $clog2(PORTS) : 1;

  logic [PORTS*PORTS-1:0] takes;  // takes[o*PORTS+p]: output o takes input p

  for (genvar o = 0; o < PORTS; o++) begin : gen_output
    localparam int CHANNEL = (CHANNELS == 1) ? 0 : o;
    logic [SELECT_W-1:0] select;
    logic [INDEX_W-1:0]  index;
    logic                valid, last;
    logic [FLIT_W-1:0]   data;

    assign select = select_i[o*SELECT_W+:SELECT_W];
    assign index  = select[INDEX_W-1:0];

    // The data multiplexer looks at the index alone: what stands there for "nothing" is not valid.
    always_comb begin
      valid = local_valid_i[CHANNEL];
      last  = local_last_i[CHANNEL];
      data  = local_data_i[CHANNEL*FLIT_W+:FLIT_W];
      for (int p = 0; p < PORTS; p++) begin
        if (p != o && index == INDEX_W'(p)) begin
          valid = rx_valid_i[p];
          last  = rx_last_i[p];
          data  = rx_data_i[p*FLIT_W+:FLIT_W];
        end
      end
    end

    assign tx_valid_o[o]                 = valid && select != SELECT_W'(PORTS);
    assign tx_last_o[o]                  = last;
    assign tx_data_o[o*FLIT_W+:FLIT_W] = data;

    for (genvar p = 0; p < PORTS; p++) begin : gen_takes
      assign takes[o*PORTS+p] = (p != o) && select == SELECT_W'(p);
    end
  end

  always_comb begin
    forwarded_o = '0;
    for (int o = 0; o < PORTS; o++) forwarded_o |= takes[o*PORTS+:PORTS];
  end

endmodule

`default_nettype wire
