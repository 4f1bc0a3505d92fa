// Where arriving flits go: one append-only log per link port, or a single log for all of them in a
// single-port node, whose own words stand at its beginning. Nothing is ever overwritten, and "not
// yet written" is an address at or past the write pointer.
`default_nettype none

module receive_log #(
  parameter int PORTS  = 4,   // link ports
  parameter int LOGS   = 4,   // 1 (single-port node) or PORTS
  parameter int ADDR_W = 16   // address bits of a log
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,      // the run begins
  input  logic [ADDR_W-1:0]      own_words_i,  // words that the node starts with
  input  logic [ADDR_W-1:0]      capacity_i,   // words that a log can hold
  input  logic [PORTS-1:0]       take_i,       // flits to be written
  output logic [LOGS-1:0]        write_o,
  output logic [LOGS*ADDR_W-1:0] pointer_o,    // next address of each log
  output logic [PORTS-1:0]       overflow_o    // ERR_OVERFLOW
);

  localparam int PORTS_PER_LOG = PORTS / LOGS;

  for (genvar g = 0; g < LOGS; g++) begin : gen_log
    logic [ADDR_W-1:0] pointer_q;
    logic full, take;

    assign take = |take_i[g*PORTS_PER_LOG+:PORTS_PER_LOG];
    assign full = pointer_q == capacity_i;
    assign write_o[g] = take && !full;
    assign pointer_o[g*ADDR_W+:ADDR_W] = pointer_q;
    assign overflow_o[g*PORTS_PER_LOG+:PORTS_PER_LOG] =
        full ? take_i[g*PORTS_PER_LOG+:PORTS_PER_LOG] : '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) pointer_q <= '0;
      else if (start_i) pointer_q <= (LOGS == 1) ? own_words_i : '0;
      else if (write_o[g]) pointer_q <= pointer_q + ADDR_W'(1);
    end
  end

endmodule

`default_nettype wire
