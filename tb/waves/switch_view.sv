// Signals for waveforms that the RTL does not have in this form: the round instead of the slots
// finished, the slot table's entry in use, the first error by name, and for every port the source of its
// output and the flits on its link, with no value where there is none. It is bound into every switch core of an engine that is built with tracing; the RTL does not know it.
`default_nettype none

module switch_view #(
  parameter int  PORTS    = 4,
  parameter int  FLIT_W   = 32,
  parameter int  TABLE_AW = 8,
  parameter int  LEN_W    = 24,
  parameter int  REPEAT_W = 20,
  parameter logic JOIN    = 1'b0,
  localparam int SELECT_W = JOIN ? PORTS : $clog2(PORTS + 1)
) (
  input  logic                      clk_i,
  input  logic                      running_i,           // a slot is under way
  input  logic                      slot_en_i,           // the slot table is read ...
  input  logic [TABLE_AW-1:0]       slot_addr_i,         // ... here
  input  logic [LEN_W-1:0]          cycle_i,             // the slot's cycle, from 1 on
  input  logic [REPEAT_W-1:0]       slot_i,              // slots finished
  input  logic [PORTS*SELECT_W-1:0] select_i,            // of the crossbar
  input  logic [3:0]                first_error_i,
  input  logic [REPEAT_W-1:0]       first_error_slot_i,
  input  logic                      first_known_i,       // its slot, too
  input  logic [PORTS-1:0]          out_valid_i,         // this node's flits
  input  logic [PORTS-1:0]          out_last_i,
  input  logic [PORTS*FLIT_W-1:0]   out_data_i,
  input  logic [PORTS-1:0]          in_valid_i,          // its neighbours' flits
  input  logic [PORTS-1:0]          in_last_i,
  input  logic [PORTS*FLIT_W-1:0]   in_data_i
);

  /* verilator lint_off UNUSEDSIGNAL */  // for the waveform
  logic [REPEAT_W-1:0]  round;        // 0: none
  logic [LEN_W-1:0]     cycle;        // of its slot
  gossamer_pkg::error_e error;        // the first one
  logic [REPEAT_W-1:0]  error_round;  // 0 until it is known
  logic [TABLE_AW-1:0]  next_q;       // the entry that the table's output register holds: the next one
  logic [TABLE_AW-1:0]  current_q;    // the one before
  logic [15:0]          entry;        // the same during a slot, otherwise 0

  always_ff @(posedge clk_i) begin
    if (slot_en_i) begin
      next_q    <= slot_addr_i;
      current_q <= next_q;
    end
  end

  assign entry       = running_i ? 16'(current_q) : '0;
  assign round       = running_i ? slot_i + REPEAT_W'(1) : '0;
  assign cycle       = running_i ? cycle_i : '0;
  assign error       = gossamer_pkg::error_e'(first_error_i);
  assign error_round = (error == gossamer_pkg::ERR_NONE || !first_known_i) ? '0 : first_error_slot_i + REPEAT_W'(1);

  typedef enum logic [6:0] {
    PORT_[0:61],  // an input
    STORE,        // the node's own store
    NONE,
    SUM           // of several of these
  } source_e;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    source_e         source;
    logic [FLIT_W:0] out_flit, in_flit;  // valid bit and word; 0 if not valid
    logic            out_last, in_last;

    if (JOIN) begin : gen_mask
      always_comb begin
        source = NONE;
        for (int i = 0; i < PORTS; i++) begin
          if (select_i[p*SELECT_W+i]) source = (source != NONE) ? SUM : (i == p) ? STORE : source_e'(7'(i));
        end
      end
    end else begin : gen_select
      always_comb begin
        source = source_e'(7'(select_i[p*SELECT_W+:SELECT_W]));
        if (select_i[p*SELECT_W+:SELECT_W] == SELECT_W'(p)) source = STORE;
        if (32'(select_i[p*SELECT_W+:SELECT_W]) >= PORTS) source = NONE;
      end
    end

    assign out_flit = out_valid_i[p] ? {1'b1, out_data_i[p*FLIT_W+:FLIT_W]} : '0;
    assign in_flit  = in_valid_i[p] ? {1'b1, in_data_i[p*FLIT_W+:FLIT_W]} : '0;
    assign out_last = out_valid_i[p] && out_last_i[p];
    assign in_last  = in_valid_i[p] && in_last_i[p];
  end
  /* verilator lint_on UNUSEDSIGNAL */

endmodule

bind switch_core switch_view #(
  .PORTS(PORTS), .FLIT_W(FLIT_W), .TABLE_AW(TABLE_AW), .LEN_W(LEN_W), .REPEAT_W(REPEAT_W), .JOIN(JOIN)
) i_view (
  .clk_i(clk_i), .running_i(gen_slots.i_sequencer.running), .cycle_i(gen_slots.i_sequencer.cycle),
  .slot_en_i(slot_en_o), .slot_addr_i(slot_addr_o), .slot_i(slot), .select_i(select),
  .first_error_i(first_error_o), .first_error_slot_i(first_error_slot_o),
  .first_known_i(!i_error_log.new_q && i_error_log.wait_q == '0),
  .out_valid_i(link_valid_o), .out_last_i(link_last_o), .out_data_i(link_data_o),
  .in_valid_i(link_valid_i), .in_last_i(link_last_i), .in_data_i(link_data_i)
);

`default_nettype wire
