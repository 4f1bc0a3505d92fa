// A torus fabric behind standard interfaces: AXI4-Lite for tables, registers and control, an
// AXI4-Stream into the nodes' message stores and one out of them. docs/axi.md has the map of
// registers and a session. Flits have 32 bits.
`default_nettype none
`ifdef __ICARUS__
`define ELABORATION initial  // Icarus knows $fatal in procedures alone: it stops before cycle 0
`else
`define ELABORATION
`endif

module axi_fabric #(
  parameter int                 DIMS        = 1,              // the fabric: as in torus_fabric
  parameter logic [DIMS*16-1:0] RADICES     = {DIMS{16'd4}},
  parameter logic [DIMS-1:0]    WRAP        = {DIMS{1'b1}},
  parameter logic               SINGLE_PORT = 1'b0,
  parameter logic               HALF_DUPLEX = 1'b0,
  parameter int                 CHANNELS    = 1,
  parameter int                 SLOT_DEPTH  = 256,
  parameter int                 LIST_DEPTH  = 256,
  parameter int                 STORE_DEPTH = 1024,
  parameter int                 ADDR_W      = 32,             // the map: as in axi_lite_config
  parameter int                 INDEX_W     = axi_pkg::AXI_INDEX_W
) (
  input  logic              clk_i,
  input  logic              rst_ni,          // synchronous
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
  // AXI4-Stream in: what a node starts with.
  input  logic [31:0]       s_axis_tdata_i,
  input  logic [15:0]       s_axis_tdest_i,  // the node
  input  logic              s_axis_tlast_i,
  input  logic              s_axis_tvalid_i,
  output logic              s_axis_tready_o,
  // AXI4-Stream out: what has arrived.
  output logic [31:0]       m_axis_tdata_o,
  output logic [15:0]       m_axis_tid_o,    // the node
  output logic [7:0]        m_axis_tuser_o,  // the port
  output logic              m_axis_tlast_o,
  output logic              m_axis_tvalid_o,
  input  logic              m_axis_tready_i
);

  localparam int NODES = torus_pkg::stride(256'(RADICES), DIMS);
  localparam int PORTS = torus_pkg::first_port(256'(RADICES), DIMS);
  localparam logic [31:0] RESTART = gossamer_pkg::CFG_CONTROL;

  localparam int SLOT_INDEX_W = INDEX_W + axi_pkg::AXI_PART_W - gossamer_pkg::CFG_SLOT_LSB;

  if (STORE_DEPTH > (1 << INDEX_W) || LIST_DEPTH > (1 << (INDEX_W - gossamer_pkg::CFG_SEG_LSB)) ||
      SLOT_DEPTH > (1 << SLOT_INDEX_W)) begin : gen_illegal_depth
    `ELABORATION $fatal(1, "axi_fabric: INDEX_W is too small for a depth");
  end

  // ---- AXI4-Lite.
  logic        lite_valid, lite_ready, lite_write, control_write, control_refuse;
  logic [15:0] lite_node;
  logic [31:0] lite_addr, lite_wdata, cfg_rdata, control_wdata, control_rdata;
  logic [2:0]  control_addr;
  logic        table_addr, table_data, idle, free, pending;
  logic [31:0] table_word;

  axi_lite_config #(
    .ADDR_W(ADDR_W), .INDEX_W(INDEX_W), .NODES(NODES), .PORTS(PORTS), .SINGLE_PORT(SINGLE_PORT),
    .CHANNELS(CHANNELS), .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH)
  ) i_lite (
    .clk_i, .rst_ni,
    .s_axi_awaddr_i, .s_axi_awvalid_i, .s_axi_awready_o,
    .s_axi_wdata_i, .s_axi_wstrb_i, .s_axi_wvalid_i, .s_axi_wready_o,
    .s_axi_bresp_o, .s_axi_bvalid_o, .s_axi_bready_i,
    .s_axi_araddr_i, .s_axi_arvalid_i, .s_axi_arready_o,
    .s_axi_rdata_o, .s_axi_rresp_o, .s_axi_rvalid_o, .s_axi_rready_i,
    .cfg_valid_o(lite_valid), .cfg_ready_i(lite_ready), .cfg_write_o(lite_write),
    .cfg_node_o(lite_node), .cfg_addr_o(lite_addr), .cfg_wdata_o(lite_wdata),
    .cfg_rdata_i(cfg_rdata),
    .control_write_o(control_write), .control_addr_o(control_addr),
    .control_wdata_o(control_wdata), .control_rdata_i(control_rdata),
    .control_refuse_i(control_refuse),
    .table_addr_o(table_addr), .table_data_o(table_data), .table_word_o(table_word),
    .lock_tables_i(pending), .lock_store_i(!free)
  );

  // ---- Control registers.
  logic [31:0]      count, crc, periods, status;
  logic             bad_length, bad_checksum, bad_packet_q, drop, swap, bank, running, ended, hold;
  logic             period_valid, start;
  logic [15:0]      period_node;
  logic [31:0]      period_wdata;
  logic [NODES-1:0] done, error;
  logic             write_run, write_begin, write_length, write_checksum, write_commit;
  logic             ask_start, ask_repeat;

  assign write_run      = control_write && 32'(control_addr) == axi_pkg::AXI_RUN;
  assign write_begin    = control_write && 32'(control_addr) == axi_pkg::AXI_BEGIN;
  assign write_length   = control_write && 32'(control_addr) == axi_pkg::AXI_LENGTH;
  assign write_checksum = control_write && 32'(control_addr) == axi_pkg::AXI_CHECKSUM;
  assign write_commit   = control_write && 32'(control_addr) == axi_pkg::AXI_COMMIT;
  assign ask_start      = control_wdata[0];
  assign ask_repeat     = control_wdata[1];

  assign status = (32'(running) << axi_pkg::AXI_RUNNING) | (32'(|error) << axi_pkg::AXI_ERROR) |
                  (32'(pending) << axi_pkg::AXI_PENDING) |
                  (32'(bad_length) << axi_pkg::AXI_BAD_LENGTH) |
                  (32'(bad_checksum) << axi_pkg::AXI_BAD_CHECKSUM) |
                  (32'(bank) << axi_pkg::AXI_BANK) | (32'(bad_packet_q) << axi_pkg::AXI_BAD_PACKET);

  always_comb begin
    control_rdata = '0;
    case (32'(control_addr))
      axi_pkg::AXI_STATUS:   control_rdata = status;
      axi_pkg::AXI_PERIODS:  control_rdata = periods;
      axi_pkg::AXI_LENGTH:   control_rdata = count;
      axi_pkg::AXI_CHECKSUM: control_rdata = crc;
      axi_pkg::AXI_NODES:    control_rdata = NODES;
      default: ;
    endcase
  end

  // A dropped packet is told until the next start is asked for.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bad_packet_q <= 1'b0;
    else if (drop) bad_packet_q <= 1'b1;
    else if (write_run && ask_start) bad_packet_q <= 1'b0;
  end

  axi_table_guard i_guard (
    .clk_i, .rst_ni,
    .addr_i(table_addr), .data_i(table_data), .word_i(table_word),
    .begin_i(write_begin), .length_i(write_length), .checksum_i(write_checksum),
    .commit_i(write_commit), .value_i(control_wdata),
    .refuse_o(control_refuse), .count_o(count), .crc_o(crc),
    .bad_length_o(bad_length), .bad_checksum_o(bad_checksum),
    .pending_o(pending), .swapped_i(swap)
  );

  axi_period #(.NODES(NODES), .DOUBLE_BUFFERED(1'b1)) i_period (
    .clk_i, .rst_ni,
    .run_i(write_run), .start_i(ask_start), .repeat_i(ask_repeat),
    .pending_i(pending), .hold_i(hold), .swap_o(swap), .bank_o(bank),
    .idle_o(idle), .running_o(running), .ended_o(ended), .periods_o(periods),
    .cfg_valid_o(period_valid), .cfg_node_o(period_node), .cfg_wdata_o(period_wdata),
    .start_o(start), .done_i(done), .error_i(error)
  );

  // ---- Streams.
  logic        eject_valid, eject_ready, eject_busy, eject_q;
  logic        inject_valid, inject_ready, inject_busy;
  logic [15:0] eject_node, inject_node;
  logic [31:0] eject_addr, inject_addr, inject_wdata;

  axis_eject #(.NODES(NODES), .PORTS(PORTS), .SINGLE_PORT(SINGLE_PORT)) i_eject (
    .clk_i, .rst_ni, .start_i(eject_q), .busy_o(eject_busy),
    .cfg_valid_o(eject_valid), .cfg_ready_i(eject_ready), .cfg_node_o(eject_node),
    .cfg_addr_o(eject_addr), .cfg_rdata_i(cfg_rdata),
    .m_axis_tdata_o, .m_axis_tid_o, .m_axis_tuser_o, .m_axis_tlast_o, .m_axis_tvalid_o,
    .m_axis_tready_i
  );

  // In a single-port node own words and arrivals share a log, and their number tells them apart:
  // nobody writes own words until all arrivals are out.
  assign free = idle && !eject_q && !eject_busy;

  axis_inject #(
    .NODES(NODES), .PORTS(PORTS), .SINGLE_PORT(SINGLE_PORT), .STORE_DEPTH(STORE_DEPTH)
  ) i_inject (
    .clk_i, .rst_ni, .enable_i(free),
    .s_axis_tdata_i, .s_axis_tdest_i, .s_axis_tlast_i, .s_axis_tvalid_i, .s_axis_tready_o,
    .cfg_valid_o(inject_valid), .cfg_ready_i(inject_ready), .cfg_node_o(inject_node),
    .cfg_addr_o(inject_addr), .cfg_wdata_o(inject_wdata),
    .busy_o(inject_busy), .drop_o(drop)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) eject_q <= 1'b0;
    else eject_q <= ended;
  end

  assign hold = eject_q || eject_busy || inject_busy;

  // ---- Who has the configuration port: periods first, then AXI4-Lite, which asks seldom.
  logic        cfg_valid, cfg_write;
  logic [15:0] cfg_node;
  logic [31:0] cfg_addr, cfg_wdata;

  assign lite_ready   = !period_valid;
  assign eject_ready  = lite_ready && !lite_valid;
  assign inject_ready = eject_ready && !eject_valid;
  assign cfg_valid    = period_valid || lite_valid || eject_valid || inject_valid;

  always_comb begin
    cfg_write = 1'b1;
    cfg_node  = inject_node;
    cfg_addr  = inject_addr;
    cfg_wdata = inject_wdata;
    if (period_valid) begin
      cfg_node  = period_node;
      cfg_addr  = RESTART;
      cfg_wdata = period_wdata;
    end else if (lite_valid) begin
      cfg_write = lite_write;
      cfg_node  = lite_node;
      cfg_addr  = lite_addr;
      cfg_wdata = lite_wdata;
    end else if (eject_valid) begin
      cfg_write = 1'b0;
      cfg_node  = eject_node;
      cfg_addr  = eject_addr;
    end
  end

  // ---- The fabric.
  logic [NODES*PORTS-1:0]    unused_valid, unused_last;
  logic [NODES*PORTS*32-1:0] unused_data;

  torus_fabric #(
    .DIMS(DIMS), .RADICES(RADICES), .WRAP(WRAP), .FLIT_W(32), .SINGLE_PORT(SINGLE_PORT),
    .HALF_DUPLEX(HALF_DUPLEX), .CHANNELS(CHANNELS), .DOUBLE_BUFFERED(1'b1),
    .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH)
  ) i_fabric (
    .clk_i, .rst_ni, .start_i(start),
    .cfg_valid_i(cfg_valid), .cfg_write_i(cfg_write), .cfg_node_i(cfg_node),
    .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(cfg_rdata),
    .link_valid_o(unused_valid), .link_last_o(unused_last), .link_data_o(unused_data),
    .done_o(done), .error_o(error)
  );

endmodule

`undef ELABORATION
`default_nettype wire
