// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave in front of a configuration port, of one node or of a whole fabric. It serves a write
// a cycle, while the master sends them and takes the answers, of which two may wait; reads one at a time. Accesses to addresses that do not exist,
// writes of parts of a word, and accesses that are locked now are answered with SLVERR and change
// nothing.
//
// The tests watch these rules of the protocol: a response stays valid until it is accepted, and
// comes only after its address and data; ready signals do not wait for signals that AXI forbids to
// wait for.
`default_nettype none
`ifdef __ICARUS__
`define ELABORATION initial  // Icarus allows $fatal in procedures only: it stops before cycle 0
`else
`define ELABORATION
`endif

module axi_lite_config #(
  parameter int   ADDR_W      = 32,    // bits of a byte address, at most 34
  parameter int   INDEX_W     = axi_pkg::AXI_INDEX_W,
  parameter int   NODES       = 1,     // nodes behind the configuration port
  parameter int   PORTS       = 4,     // parameters of the nodes: as in switch_node
  parameter logic SINGLE_PORT = 1'b0,
  parameter int   CHANNELS    = 1,
  parameter logic JOIN        = 1'b0,
  parameter int   SLOT_DEPTH  = 256,
  parameter int   LIST_DEPTH  = 256,
  parameter int   STORE_DEPTH = 1024,
  parameter int   OWN_DEPTH   = STORE_DEPTH,
  parameter int   REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,
  parameter int   PROGRAMS    = 1,     // that the nodes' tables hold
  parameter int   READ_CYCLES = 1      // from a read at the configuration port to its data
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // AXI4-Lite.
  input  logic [ADDR_W-1:0] s_axi_awaddr_i,
  input  logic              s_axi_awvalid_i,
  output logic              s_axi_awready_o,
  input  logic [31:0]       s_axi_wdata_i,
  input  logic [3:0]        s_axi_wstrb_i,
  input  logic              s_axi_wvalid_i,
  output logic              s_axi_wready_o,
  output logic [1:0]        s_axi_bresp_o,
  output logic              s_axi_bvalid_o,
  input  logic              s_axi_bready_i,
  input  logic [ADDR_W-1:0] s_axi_araddr_i,
  input  logic              s_axi_arvalid_i,
  output logic              s_axi_arready_o,
  output logic [31:0]       s_axi_rdata_o,
  output logic [1:0]        s_axi_rresp_o,
  output logic              s_axi_rvalid_o,
  input  logic              s_axi_rready_i,
  // The configuration port; a transfer takes place in the cycle in which it is also ready.
  output logic              cfg_valid_o,
  input  logic              cfg_ready_i,
  output logic              cfg_write_o,
  output logic [15:0]       cfg_node_o,
  output logic              cfg_all_o,       // a word of tables goes to all nodes
  output logic [31:0]       cfg_addr_o,
  output logic [31:0]       cfg_wdata_o,
  input  logic [31:0]       cfg_rdata_i,     // READ_CYCLES after the transfer
  // Control registers: read data and refusal depend on the address in the same cycle.
  output logic              control_write_o,
  output logic [5:0]        control_addr_o,
  output logic [31:0]       control_wdata_o,
  input  logic [31:0]       control_rdata_i,
  input  logic              control_refuse_i,
  // Words of tables, with their addresses.
  output logic              table_write_o,
  output logic [31:0]       table_addr_o,
  // The bank for words of tables: 0 if there is only one. What is locked now.
  input  logic              bank_i,
  input  logic              lock_tables_i,
  input  logic              lock_store_i
);

  localparam int PART_LSB   = 2 + INDEX_W;
  localparam int REGION_LSB = PART_LSB + axi_pkg::AXI_PART_W;
  localparam int NODE_LSB   = REGION_LSB + axi_pkg::AXI_REGION_W;
  localparam int FLAT_W     = INDEX_W + axi_pkg::AXI_PART_W;
  localparam int WIDE       = 64;  // wide enough for any address
  localparam int SLOT_WORDS =
      (gossamer_pkg::slot_w(PORTS, JOIN) + 31) / 32;
  localparam int SEG_WORDS  = gossamer_pkg::SEG_W / 32;
  localparam int LOGS       = SINGLE_PORT ? 1 : PORTS;
  localparam int MEMORIES   = SINGLE_PORT ? 1 : LOGS + 1;  // the last one holds own words
  localparam logic [1:0] OKAY   = 2'b00;
  localparam logic [1:0] SLVERR = 2'b10;

  if (ADDR_W < NODE_LSB || ADDR_W > 34 || WIDE'(NODES) > WIDE'(1) << (ADDR_W - NODE_LSB))
  begin : gen_illegal_nodes
    `ELABORATION $fatal(1, "axi_lite_config: ADDR_W must be large enough for NODES, and at most 34");
  end

  typedef enum logic [1:0] {
    WRITE   = 2'd0,  // waits, and writes
    READ    = 2'd1,  // at the configuration port
    FETCH   = 2'd2,  // until the read data are at the port
    DELIVER = 2'd3   // the response to a read is valid
  } state_e;

  localparam int WAIT_W = $clog2(READ_CYCLES + 1);

  state_e            state_q;
  logic [WAIT_W-1:0] wait_q;  // cycles until the read data come, beyond the next
  logic              aw_full_q, w_full_q, ar_full_q;
  logic [ADDR_W-1:0] awaddr_q, araddr_q;
  logic [31:0]       wdata_q;
  logic [3:0]        wstrb_q;
  logic              error_q;     // of the read
  logic [1:0]        answers_q;   // writes whose responses have not been taken, at most two ...
  logic [1:0]        errors_q;    // ... and their errors, the first one's lowest
  logic              write_turn, asked_write;

  // ---- The fields of the address.
  logic [WIDE-1:0]                   addr;
  logic [INDEX_W-1:0]                index;
  logic [axi_pkg::AXI_PART_W-1:0]    part;
  logic [axi_pkg::AXI_REGION_W-1:0]  asked, region;  // of the address; of a node: where tables of all nodes are, too
  logic [WIDE-1:0]                   node;
  logic [FLAT_W-1:0]                 flat;
  logic                              aligned, for_control, for_tables, parted;

  assign write_turn  = state_q == WRITE;
  assign addr        = write_turn ? WIDE'(awaddr_q) : WIDE'(araddr_q);
  assign aligned     = 32'(addr) % 4 == 0;
  assign index       = addr[2+:INDEX_W];
  assign part        = addr[PART_LSB+:axi_pkg::AXI_PART_W];
  assign asked       = addr[REGION_LSB+:axi_pkg::AXI_REGION_W];
  assign cfg_all_o   = 32'(asked) == axi_pkg::AXI_ALL_SLOTS || 32'(asked) == axi_pkg::AXI_ALL_LISTS ||
                       32'(asked) == axi_pkg::AXI_ALL_PACKETS;
  assign region      = cfg_all_o ? asked & 4'b0111 : asked;
  assign node        = addr >> NODE_LSB;
  assign flat        = {part, index};
  assign for_control = 32'(region) == axi_pkg::AXI_CONTROL;
  assign parted      = 32'(region) == gossamer_pkg::CFG_LISTS ||
                       32'(region) == gossamer_pkg::CFG_STORE;

  assign for_tables  = 32'(region) == gossamer_pkg::CFG_SLOTS || 32'(region) == gossamer_pkg::CFG_LISTS ||
                       32'(region) == axi_pkg::AXI_PACKET;

  assign cfg_node_o  = node[15:0];
  assign cfg_addr_o  = (32'(region) << gossamer_pkg::CFG_REGION_LSB) |
      (32'(bank_i && for_tables) << gossamer_pkg::CFG_BANK_LSB) |
      (parted ? (32'(part) << gossamer_pkg::CFG_LOG_LSB) | 32'(index) : 32'(flat));
  assign cfg_wdata_o = wdata_q;

  // ---- What exists.
  logic exists, readable, writable, complete, faults, fits;

  assign faults = 32'(flat) >= gossamer_pkg::CFG_DEAD &&
                  32'(flat) <= gossamer_pkg::CFG_DEAD_AFTER;

  // Does the value fit into its register?
  always_comb begin
    fits = 1'b1;
    if (32'(region) == gossamer_pkg::CFG_REGISTERS) begin
      if (32'(flat) == gossamer_pkg::CFG_OWN_WORDS) fits = wdata_q <= OWN_DEPTH;
      if (32'(flat) == gossamer_pkg::CFG_DEAD_AFTER) begin
        fits = wdata_q >> REPEAT_W == '0;
      end
    end
    if (32'(region) == axi_pkg::AXI_PACKET) fits = wdata_q <= OWN_DEPTH;
  end

  always_comb begin
    readable = 1'b0;
    writable = 1'b0;
    case (32'(region))
      gossamer_pkg::CFG_REGISTERS: begin
        readable = (32'(flat) >= gossamer_pkg::CFG_STATUS &&
                    32'(flat) <= gossamer_pkg::CFG_DEAD_AFTER) ||
                   (32'(flat) >= gossamer_pkg::CFG_LOG_LENGTH &&
                    32'(flat) < gossamer_pkg::CFG_LOG_LENGTH + LOGS) ||
                   (32'(flat) >= gossamer_pkg::CFG_LINK_STAGES &&
                    32'(flat) < gossamer_pkg::CFG_LINK_STAGES + PORTS) ||
                   32'(flat) == gossamer_pkg::CFG_OWN_CAPACITY ||
                   (32'(flat) >= gossamer_pkg::CFG_SHARED &&
                    32'(flat) < gossamer_pkg::CFG_SHARED + (MEMORIES * CHANNELS + 1) / 2);
        writable = (faults || 32'(flat) == gossamer_pkg::CFG_OWN_WORDS) && !lock_store_i;
      end
      gossamer_pkg::CFG_SLOTS:
        writable = 32'(flat) >> gossamer_pkg::CFG_SLOT_LSB < SLOT_DEPTH &&
                   32'(flat) % (1 << gossamer_pkg::CFG_SLOT_LSB) < SLOT_WORDS && !lock_tables_i;
      gossamer_pkg::CFG_LISTS:
        writable = 32'(index) >> gossamer_pkg::CFG_SEG_LSB < LIST_DEPTH &&
                   32'(index) % (1 << gossamer_pkg::CFG_SEG_LSB) < SEG_WORDS &&
                   32'(part) < CHANNELS && !lock_tables_i;
      gossamer_pkg::CFG_STORE: begin
        readable = 32'(part) < MEMORIES && 32'(index) < STORE_DEPTH && !lock_store_i;
        writable = 32'(part) == MEMORIES - 1 && 32'(index) < OWN_DEPTH && !lock_store_i;
      end
      axi_pkg::AXI_PACKET: writable = 32'(flat) < PROGRAMS && !lock_tables_i;
      axi_pkg::AXI_CONTROL: begin
        readable = node == '0 && 32'(flat) < axi_pkg::AXI_REGISTERS;
        writable = readable && 32'(flat) != axi_pkg::AXI_STATUS &&
                   32'(flat) != axi_pkg::AXI_PERIODS && 32'(flat) != axi_pkg::AXI_NODES &&
                   (32'(flat) <= axi_pkg::AXI_IRQ_ENABLE || 32'(flat) >= axi_pkg::AXI_LIMIT) &&
                   32'(flat) != axi_pkg::AXI_FAILED && 32'(flat) != axi_pkg::AXI_HOLDER &&
                   32'(flat) != axi_pkg::AXI_MISSED &&
                   !(32'(flat) == axi_pkg::AXI_COMMIT && lock_tables_i);
      end
      default: ;
    endcase
  end

  // A read that begins within a word gets the word, as AXI's narrow reads expect.
  assign exists   = (aligned || !write_turn) && node < (cfg_all_o ? WIDE'(1) : WIDE'(NODES));
  assign complete = &wstrb_q;

  // ---- One access.
  logic writes, reads, done, wrote, read_done, answered;  // at the configuration port: ...; this write, or read, is done

  assign asked_write = write_turn && aw_full_q && w_full_q && !answers_q[1];
  assign writes      = asked_write && exists && writable && complete && fits;
  assign reads       = state_q == READ && exists && readable;
  assign done        = cfg_ready_i || for_control;  // what does not exist waits, too
  assign wrote       = asked_write && done;
  assign read_done   = state_q == READ && done;
  assign answered    = s_axi_bvalid_o && s_axi_bready_i;

  assign cfg_valid_o     = (writes || reads) && !for_control;
  assign cfg_write_o     = writes;
  assign control_write_o = writes && for_control;
  assign control_addr_o  = flat[5:0];
  assign control_wdata_o = wdata_q;
  assign table_write_o   = writes && cfg_ready_i && for_tables;
  assign table_addr_o    = addr[31:0];

  // ---- Channels: a register for each request, and the responses.
  assign s_axi_awready_o = !aw_full_q || wrote;
  assign s_axi_wready_o  = !w_full_q || wrote;
  assign s_axi_arready_o = !ar_full_q;
  assign s_axi_bvalid_o  = answers_q != '0;
  assign s_axi_bresp_o   = errors_q[0] ? SLVERR : OKAY;
  assign s_axi_rvalid_o  = state_q == DELIVER;
  assign s_axi_rresp_o   = error_q ? SLVERR : OKAY;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= WRITE;
      aw_full_q     <= 1'b0;
      w_full_q      <= 1'b0;
      ar_full_q     <= 1'b0;
      error_q       <= 1'b0;
      answers_q     <= '0;
      errors_q      <= '0;
      wait_q        <= '0;
      s_axi_rdata_o <= '0;
      awaddr_q      <= '0;
      araddr_q      <= '0;
      wdata_q       <= '0;
      wstrb_q       <= '0;
    end else begin
      if (s_axi_awready_o) begin
        aw_full_q <= s_axi_awvalid_i;
        awaddr_q  <= s_axi_awaddr_i;
      end
      if (s_axi_wready_o) begin
        w_full_q <= s_axi_wvalid_i;
        wdata_q  <= s_axi_wdata_i;
        wstrb_q  <= s_axi_wstrb_i;
      end
      if (s_axi_arvalid_i && !ar_full_q) begin
        ar_full_q <= 1'b1;
        araddr_q  <= s_axi_araddr_i;
      end
      answers_q <= answers_q + 2'(wrote) - 2'(answered);
      if (answered) errors_q[0] <= errors_q[1];
      // A write without strobes changes nothing.
      if (wrote) begin
        errors_q[answers_q[0] && !answered] <= !(writes || (exists && writable && wstrb_q == '0)) ||
                                               (control_write_o && control_refuse_i);
      end
      case (state_q)
        WRITE:
          // Reads and writes alternate.
          if (ar_full_q && (wrote || !asked_write)) state_q <= READ;
        READ:
          if (read_done) begin
            state_q       <= FETCH;
            error_q       <= !reads;
            wait_q        <= cfg_valid_o ? WAIT_W'(READ_CYCLES - 1) : '0;
            s_axi_rdata_o <= (reads && for_control) ? control_rdata_i : '0;
          end
        FETCH:
          if (READ_CYCLES > 1 && wait_q != '0) begin
            wait_q <= wait_q - WAIT_W'(1);
          end else begin
            state_q <= DELIVER;
            if (!error_q && !for_control) s_axi_rdata_o <= cfg_rdata_i;
          end
        default:  // DELIVER
          if (s_axi_rready_i) begin
            state_q   <= WRITE;
            ar_full_q <= 1'b0;
          end
      endcase
    end
  end

  if (simulation_pkg::ASSERTIONS) begin : gen_assertions
    axi_stable #(.WIDTH(ADDR_W)) i_aw (
      .clk_i, .rst_ni, .valid_i(s_axi_awvalid_i), .ready_i(s_axi_awready_o), .payload_i(s_axi_awaddr_i)
    );
    axi_stable #(.WIDTH(36)) i_w (
      .clk_i, .rst_ni, .valid_i(s_axi_wvalid_i), .ready_i(s_axi_wready_o), .payload_i({s_axi_wstrb_i, s_axi_wdata_i})
    );
    axi_stable #(.WIDTH(ADDR_W)) i_ar (
      .clk_i, .rst_ni, .valid_i(s_axi_arvalid_i), .ready_i(s_axi_arready_o), .payload_i(s_axi_araddr_i)
    );
  end

  // Addresses are narrower than WIDE.
  logic unused;
  assign unused = ^{addr, node};

endmodule

`undef ELABORATION
`default_nettype wire
