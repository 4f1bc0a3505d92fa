// SPDX-License-Identifier: Apache-2.0
// A torus fabric behind standard interfaces: AXI4-Lite for tables, registers and control, and at
// each node's local port an AXI4-Stream into its message store and one out of it. docs/hardware/axi.md has
// the map of registers and a session. Flits have 32 bits. In the streams' vectors node 0 is lowest.
`default_nettype none
`ifdef __ICARUS__
`define ELABORATION initial  // Icarus allows $fatal in procedures only: it stops before cycle 0
`else
`define ELABORATION
`endif

module axi_fabric #(
  parameter int                 DIMS        = 1,              // the fabric: as in torus_fabric
  parameter logic [DIMS*16-1:0] RADICES     = {DIMS{16'd4}},
  parameter logic [DIMS-1:0]    WRAP        = {DIMS{1'b1}},
  parameter logic [DIMS*8-1:0]  LINK_STAGES = '0,
  parameter                     KIND        = "full_duplex",  // or "half_duplex"
  parameter logic               SINGLE_PORT = 1'b0,
  parameter int                 CHANNELS    = 1,              // with JOIN also more than there are links
  parameter logic               JOIN        = 1'b0,
  parameter logic               ALL_OPS     = 1'b0,
  parameter logic [31:0]        MODEL       = '0,
  parameter int                 SLOT_DEPTH  = 256,
  parameter int                 LIST_DEPTH  = 256,
  parameter int                 STORE_DEPTH = 1024,
  parameter int                 OWN_DEPTH   = 0,
  parameter                     SHARED      = 1'b0,
  parameter int                 LEN_W       = gossamer_pkg::SLOT_LEN_W,
  parameter int                 REPEAT_W    = gossamer_pkg::SLOT_REPEAT_W,
  parameter int                 ADDR_W      = 32,             // the map: as in axi_lite_config
  parameter int                 INDEX_W     = axi_pkg::AXI_INDEX_W,
  parameter int                 TREE_STAGES = 0,  // registers on the way to every node, and on the way back
  parameter                     IMAGES      = "",  // but: node N reads its tables from files IMAGESnode_NNNN_*.mem
  localparam int NODES = torus_pkg::stride(256'(RADICES), DIMS),
  localparam int PORTS = torus_pkg::first_port(256'(RADICES), DIMS),
  localparam logic SINGLE = SINGLE_PORT || MODEL[gossamer_pkg::MODEL_SINGLE_PORT],
  localparam logic JOINS  = JOIN || MODEL[gossamer_pkg::MODEL_JOIN],
  localparam int NODE_PORTS = torus_pkg::node_ports(PORTS, CHANNELS, JOINS),
  localparam int OWN_WORDS = (OWN_DEPTH == 0) ? STORE_DEPTH : OWN_DEPTH,
  localparam int PROGRAMS = 1 << MODEL[gossamer_pkg::MODEL_PROGRAMS+:2]
) (
  input  logic                clk_i,
  input  logic                rst_ni,           // synchronous
  input  logic                start_i,          // rises: start a period, as AXI_RUN does
  output logic                irq_o,            // an enabled interrupt was raised
  // AXI4-Lite.
  input  logic [ADDR_W-1:0]   s_axi_awaddr_i,
  input  logic                s_axi_awvalid_i,
  output logic                s_axi_awready_o,
  input  logic [31:0]         s_axi_wdata_i,
  input  logic [3:0]          s_axi_wstrb_i,
  input  logic                s_axi_wvalid_i,
  output logic                s_axi_wready_o,
  output logic [1:0]          s_axi_bresp_o,
  output logic                s_axi_bvalid_o,
  input  logic                s_axi_bready_i,
  input  logic [ADDR_W-1:0]   s_axi_araddr_i,
  input  logic                s_axi_arvalid_i,
  output logic                s_axi_arready_o,
  output logic [31:0]         s_axi_rdata_o,
  output logic [1:0]          s_axi_rresp_o,
  output logic                s_axi_rvalid_o,
  input  logic                s_axi_rready_i,
  // AXI4-Streams in: each node's own words.
  input  logic [NODES*32-1:0] s_axis_tdata_i,
  input  logic [NODES-1:0]    s_axis_tlast_i,
  input  logic [NODES-1:0]    s_axis_tvalid_i,
  output logic [NODES-1:0]    s_axis_tready_o,
  // AXI4-Streams out: what has arrived at each node.
  output logic [NODES*32-1:0] m_axis_tdata_o,
  output logic [NODES*8-1:0]  m_axis_tuser_o,   // port of arrival
  output logic [NODES-1:0]    m_axis_tlast_o,
  output logic [NODES-1:0]    m_axis_tvalid_o,
  input  logic [NODES-1:0]    m_axis_tready_i
);

  localparam logic [31:0] RESTART = gossamer_pkg::CFG_CONTROL;

  localparam int SLOT_INDEX_W = INDEX_W + axi_pkg::AXI_PART_W - gossamer_pkg::CFG_SLOT_LSB;

  if ((128'(KIND) != 128'("full_duplex") && 128'(KIND) != 128'("half_duplex")) ||
      MODEL[gossamer_pkg::MODEL_ONE_CYCLE] || MODEL[gossamer_pkg::MODEL_ADAPTIVE]) begin : gen_illegal_kind
    `ELABORATION $fatal(1, "axi_fabric: KIND must be full_duplex or half_duplex");
  end
  if (TREE_STAGES < 0 || TREE_STAGES > 15) begin : gen_illegal_tree
    `ELABORATION $fatal(1, "axi_fabric: TREE_STAGES must be 0 to 15");
  end
  if (IMAGES != "" && NODES > 10000) begin : gen_illegal_images
    `ELABORATION $fatal(1, "axi_fabric: images are numbered with 4 digits, for 10000 nodes");
  end
  localparam int TREE = (TREE_STAGES < 0) ? 0 : TREE_STAGES;  // a negative one comes to the message
  if (STORE_DEPTH > (1 << INDEX_W) || LIST_DEPTH > (1 << (INDEX_W - gossamer_pkg::CFG_SEG_LSB)) ||
      SLOT_DEPTH > (1 << SLOT_INDEX_W)) begin : gen_illegal_depth
    `ELABORATION $fatal(1, "axi_fabric: INDEX_W is too small for a depth");
  end

  // ---- AXI4-Lite.
  logic        lite_valid, lite_ready, lite_write, lite_all, control_write, commit_refuse, start_refuse, cancel_refuse;
  logic [15:0] lite_node;
  logic [31:0] lite_addr, lite_wdata, cfg_rdata, control_wdata, control_rdata;
  logic [5:0]  control_addr;
  logic        table_write, table_lock, bank, idle, pending, locked;
  logic [31:0] table_addr;

  axi_lite_config #(
    .ADDR_W(ADDR_W), .INDEX_W(INDEX_W), .NODES(NODES), .PORTS(NODE_PORTS), .SINGLE_PORT(SINGLE),
    .CHANNELS(CHANNELS), .JOIN(JOINS), .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH),
    .OWN_DEPTH(OWN_WORDS), .REPEAT_W(REPEAT_W), .PROGRAMS(PROGRAMS), .READ_CYCLES(1 + 2 * TREE)
  ) i_lite (
    .clk_i, .rst_ni,
    .s_axi_awaddr_i, .s_axi_awvalid_i, .s_axi_awready_o,
    .s_axi_wdata_i, .s_axi_wstrb_i, .s_axi_wvalid_i, .s_axi_wready_o,
    .s_axi_bresp_o, .s_axi_bvalid_o, .s_axi_bready_i,
    .s_axi_araddr_i, .s_axi_arvalid_i, .s_axi_arready_o,
    .s_axi_rdata_o, .s_axi_rresp_o, .s_axi_rvalid_o, .s_axi_rready_i,
    .cfg_valid_o(lite_valid), .cfg_ready_i(lite_ready), .cfg_write_o(lite_write),
    .cfg_node_o(lite_node), .cfg_all_o(lite_all), .cfg_addr_o(lite_addr), .cfg_wdata_o(lite_wdata),
    .cfg_rdata_i(cfg_rdata),
    .control_write_o(control_write), .control_addr_o(control_addr),
    .control_wdata_o(control_wdata), .control_rdata_i(control_rdata),
    .control_refuse_i(commit_refuse || start_refuse || cancel_refuse),
    .table_write_o(table_write), .table_addr_o(table_addr),
    .bank_i(!bank), .lock_tables_i(table_lock), .lock_store_i(locked)
  );

  // ---- Control registers.
  localparam int REASONS = axi_pkg::AXI_UNENDED + 1 - axi_pkg::AXI_NO_PACKET;

  logic [31:0]      count, crc, periods, cycles, flits_q, status, limit_q, patience_q, missed_q;
  logic             bad_length, bad_checksum, bad_packet_q, swap, running, ended, ended_q, late, late_q;
  logic             restart, start, shut, after, free, refuse_q;
  logic [15:0]      bad_node_q;
  logic [REASONS-1:0] reason_q;                // why it was late
  logic [31:0]      restart_control;
  logic             done, error, hold, sends, missing, drop, waits;  // of all nodes together, and of any node
  logic [15:0]      failed, dropped, held;     // the lowest node with an error, that drops a packet, that is waited for ...
  logic [REASONS-1:0] reason;                  // ... and why
  logic             write_run, write_begin, write_length, write_checksum, write_commit, write_patience, write_refuse;
  logic             write_irq, write_enable, write_limit, write_cancel, ask_start, ask_repeat, ask_abort;
  logic             write_programs, write_last;
  logic [31:0]      programs;                  // of those ...
  logic [2:0]       last_program, place;       // ... how many follow the first one, and which is run next
  logic [3:0]       next_program;
  logic             asks, pin, pin_q, busy;    // a start is written; is asked for by the pin; is not taken now
  logic [axi_pkg::AXI_IRQS-1:0] irq_q, enable_q;

  assign write_run      = control_write && 32'(control_addr) == axi_pkg::AXI_RUN && !start_refuse;
  assign write_begin    = control_write && 32'(control_addr) == axi_pkg::AXI_BEGIN;
  assign write_length   = control_write && 32'(control_addr) == axi_pkg::AXI_LENGTH;
  assign write_checksum = control_write && 32'(control_addr) == axi_pkg::AXI_CHECKSUM;
  assign write_commit   = control_write && 32'(control_addr) == axi_pkg::AXI_COMMIT;
  assign write_irq      = control_write && 32'(control_addr) == axi_pkg::AXI_IRQ;
  assign write_enable   = control_write && 32'(control_addr) == axi_pkg::AXI_IRQ_ENABLE;
  assign write_limit    = control_write && 32'(control_addr) == axi_pkg::AXI_LIMIT;
  assign write_cancel   = control_write && 32'(control_addr) == axi_pkg::AXI_CANCEL && !cancel_refuse;
  assign write_patience = control_write && 32'(control_addr) == axi_pkg::AXI_PATIENCE;
  assign write_refuse   = control_write && 32'(control_addr) == axi_pkg::AXI_REFUSE;
  assign write_programs = control_write && 32'(control_addr) == axi_pkg::AXI_PROGRAMS;
  assign write_last     = control_write && 32'(control_addr) == axi_pkg::AXI_LAST_PROGRAM;
  assign ask_repeat     = control_wdata[1];
  assign ask_abort      = control_wdata[axi_pkg::AXI_ABORT];
  assign ask_start      = control_wdata[0] && !ask_abort;
  assign asks           = write_run && ask_start;
  assign pin            = start_i === 1'b1 && !pin_q;  // not connected: never
  assign busy           = running || irq_q[axi_pkg::AXI_IRQ_ERROR] || (refuse_q && missing);
  assign start_refuse   = 32'(control_addr) == axi_pkg::AXI_RUN && ask_start && busy;
  assign cancel_refuse  = 32'(control_addr) == axi_pkg::AXI_CANCEL && control_wdata >= NODES;

  assign status = (32'(running) << axi_pkg::AXI_RUNNING) | (32'(error) << axi_pkg::AXI_ERROR) |
                  (32'(pending) << axi_pkg::AXI_PENDING) |
                  (32'(bad_length) << axi_pkg::AXI_BAD_LENGTH) |
                  (32'(bad_checksum) << axi_pkg::AXI_BAD_CHECKSUM) |
                  (32'(bank) << axi_pkg::AXI_BANK) |
                  (32'(bad_packet_q) << axi_pkg::AXI_BAD_PACKET) | (32'(late_q) << axi_pkg::AXI_LATE) |
                  (32'(reason_q) << axi_pkg::AXI_NO_PACKET) | (32'(bad_node_q) << axi_pkg::AXI_BAD_NODE);

  always_comb begin
    control_rdata = '0;
    case (32'(control_addr))
      axi_pkg::AXI_STATUS:     control_rdata = status;
      axi_pkg::AXI_PERIODS:    control_rdata = periods;
      axi_pkg::AXI_LENGTH:     control_rdata = count;
      axi_pkg::AXI_CHECKSUM:   control_rdata = crc;
      axi_pkg::AXI_NODES:      control_rdata = NODES;
      axi_pkg::AXI_IRQ:        control_rdata = 32'(irq_q);
      axi_pkg::AXI_IRQ_ENABLE: control_rdata = 32'(enable_q);
      axi_pkg::AXI_CYCLES:     control_rdata = cycles;
      axi_pkg::AXI_FLITS:      control_rdata = flits_q;
      axi_pkg::AXI_DIMS:       control_rdata = DIMS;
      axi_pkg::AXI_INDEX_BITS: control_rdata = INDEX_W;
      axi_pkg::AXI_TREE:       control_rdata = TREE_STAGES;
      axi_pkg::AXI_LIMIT:      control_rdata = limit_q;
      axi_pkg::AXI_FAILED:     control_rdata = 32'(failed);
      axi_pkg::AXI_PATIENCE:   control_rdata = patience_q;
      axi_pkg::AXI_REFUSE:     control_rdata = 32'(refuse_q);
      axi_pkg::AXI_HOLDER:
        control_rdata = (32'(reason) << axi_pkg::AXI_NO_PACKET) | (32'(held) << axi_pkg::AXI_BAD_NODE);
      axi_pkg::AXI_MISSED:     control_rdata = missed_q;
      axi_pkg::AXI_PROGRAMS:   control_rdata = programs;
      axi_pkg::AXI_LAST_PROGRAM: control_rdata = 32'(last_program);
      default:
        for (int d = 0; d < DIMS; d++) begin
          if (32'(control_addr) == axi_pkg::AXI_RADIX + d) begin
            control_rdata = 32'(RADICES[d*16+:16]) | (32'(WRAP[d]) << axi_pkg::AXI_RING);
          end
        end
    endcase
  end

  // ---- Programs, if nodes have several. A write and an abort begin with the first one again.
  assign next_program = 4'(programs >> {place, 2'b00});

  if (PROGRAMS > 1) begin : gen_programs
    always_ff @(posedge clk_i) begin
      if (!rst_ni || write_programs || write_last || (restart && idle)) place <= '0;
      else if (start) place <= (place == last_program) ? '0 : place + 3'd1;
      if (!rst_ni) begin
        programs     <= '0;
        last_program <= '0;
      end else begin
        if (write_programs) programs <= control_wdata;
        if (write_last) last_program <= control_wdata[2:0];
      end
    end
  end else begin : gen_program
    assign programs     = '0;
    assign last_program = '0;
    assign place        = '0;

    logic unused_programs;
    assign unused_programs = ^{write_programs, write_last};
  end

  // ---- Interrupts. What is raised and cleared in the same cycle stays raised.
  logic running_q, error_q;
  logic [axi_pkg::AXI_IRQS-1:0] raised;

  assign raised = (axi_pkg::AXI_IRQS'(ended) << axi_pkg::AXI_IRQ_ENDED) |
                  (axi_pkg::AXI_IRQS'(running_q && !running) << axi_pkg::AXI_IRQ_REST) |
                  (axi_pkg::AXI_IRQS'((error && !error_q) || late) << axi_pkg::AXI_IRQ_ERROR);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q  <= 1'b0;
      error_q    <= 1'b0;
      irq_q      <= '0;
      enable_q   <= '0;
      irq_o      <= 1'b0;
      limit_q    <= '0;
      patience_q <= '0;
      refuse_q   <= 1'b0;
      missed_q   <= '0;
    end else begin
      running_q <= running;
      error_q   <= error;
      irq_q     <= raised | (write_irq ? irq_q & ~control_wdata[axi_pkg::AXI_IRQS-1:0] : irq_q);
      irq_o     <= |(irq_q & enable_q);
      if (write_enable) enable_q <= control_wdata[axi_pkg::AXI_IRQS-1:0];
      if (write_limit) limit_q <= control_wdata;
      if (write_patience) patience_q <= control_wdata;
      if (write_refuse) refuse_q <= control_wdata[0];
      if (pin && (busy || asks)) missed_q <= missed_q + 32'd1;
    end
  end

  // The first dropped packet, and a period that takes too long, are reported until the next start is taken; what
  // happens in that cycle counts after the start.
  logic forget;

  assign forget = asks || (pin && !busy);

  always_ff @(posedge clk_i) begin
    pin_q <= start_i === 1'b1;
    if (!rst_ni || forget) begin
      bad_packet_q <= 1'b0;
      late_q       <= 1'b0;
      bad_node_q   <= '0;
      reason_q     <= '0;
    end
    if (rst_ni && drop && (!bad_packet_q || forget)) begin
      bad_packet_q <= 1'b1;
      if (!late_q || forget) bad_node_q <= dropped;
    end
    if (rst_ni && late) begin
      late_q     <= 1'b1;
      bad_node_q <= held;
      reason_q   <= reason;
    end
  end

  axi_table_guard i_guard (
    .clk_i, .rst_ni,
    .write_i(table_write), .addr_i(table_addr), .data_i(lite_wdata),
    .begin_i(write_begin), .length_i(write_length), .checksum_i(write_checksum),
    .commit_i(write_commit), .value_i(control_wdata),
    .lock_o(table_lock), .refuse_o(commit_refuse), .count_o(count), .crc_o(crc),
    .bad_length_o(bad_length), .bad_checksum_o(bad_checksum),
    .pending_o(pending), .swapped_i(swap)
  );

  axi_period #(
    .ROUND_TRIP(2 * TREE), .DRAIN(torus_pkg::longest(128'(LINK_STAGES), DIMS)), .DOUBLE_BUFFERED(1'b1)
  ) i_period (
    .clk_i, .rst_ni,
    .start_i(forget), .run_i(write_run), .repeat_i(ask_repeat), .abort_i(ask_abort),
    .block_i(irq_q[axi_pkg::AXI_IRQ_ERROR]), .limit_i(limit_q), .patience_i(patience_q), .late_o(late),
    .hold_i(hold), .missing_i(missing), .wait_i(waits), .pending_i(pending), .swap_o(swap), .bank_o(bank),
    .idle_o(idle), .shut_o(shut), .after_o(after), .free_o(free), .running_o(running), .ended_o(ended), .periods_o(periods), .cycles_o(cycles),
    .restart_o(restart), .control_o(restart_control),
    .start_o(start), .done_i(done), .error_i(error)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ended_q <= 1'b0;
    else ended_q <= ended;
  end

  assign locked = !free || sends;

  // ---- Configuration of one node, or the restart of all, for which AXI4-Lite waits.
  logic        bus_write;
  logic [31:0] bus_addr, bus_wdata;

  assign lite_ready = !restart;
  assign bus_write  = restart || lite_write;
  assign bus_addr   = restart ? RESTART : lite_addr;
  assign bus_wdata  = !restart ? lite_wdata
                               : restart_control | (32'(next_program[2:0]) << gossamer_pkg::CONTROL_PROGRAM_LSB) |
                                 (32'(next_program[axi_pkg::AXI_PROGRAM_KEEP]) << gossamer_pkg::CONTROL_KEEP);

  // ---- What the nodes are told, and what they report, each TREE_STAGES cycles later. All of it takes the
  // same time to and from every node, so that nothing overtakes.
  localparam int NODE_W    = (NODES > 1) ? $clog2(NODES) : 1;
  localparam int COMMAND_W = 12 + gossamer_pkg::CONTROL_PROGRAM_W + NODE_W + 64;
  localparam int FLITS_W   = $clog2(NODES * PORTS + 1);

  logic [NODES*COMMAND_W-1:0] command;
  logic [NODES*35-1:0]        report;
  logic [NODES*FLITS_W-1:0]   node_flits_q;
  logic [NODES-1:0]           sending, drops, errors, holds, misses;
  logic [NODES*16-1:0]        numbers;
  logic [NODES*(REASONS+16)-1:0] reasons;
  logic [FLITS_W-1:0]         node_flits;
  logic                       unended;

  broadcast_tree #(.STAGES(TREE), .LEAVES(NODES), .WIDTH(COMMAND_W)) i_commands (
    .clk_i, .rst_ni,
    .data_i({start, !idle, ended_q, shut, after, swap, restart && idle, restart, write_cancel, lite_valid, lite_all, bus_write,
             next_program[gossamer_pkg::CONTROL_PROGRAM_W-1:0], write_cancel ? control_wdata[NODE_W-1:0] : lite_node[NODE_W-1:0], bus_addr, bus_wdata}),
    .data_o(command)
  );

  reduction_tree #(.STAGES(TREE), .LEAVES(NODES), .OR_W(35), .SUM_W(FLITS_W)) i_reports (
    .clk_i, .rst_ni, .or_i(report), .sum_i(node_flits_q), .report_i(drops), .name_i(numbers),
    .or_o({unended, hold, sends, cfg_rdata}), .sum_o(node_flits), .report_o(drop), .name_o(dropped)
  );

  assign done = !unended;

  logic       unused_bits;
  logic [1:0] unused_sums;

  reduction_tree #(.STAGES(TREE), .LEAVES(NODES)) i_errors (
    .clk_i, .rst_ni, .or_i({NODES{1'b0}}), .sum_i({NODES{1'b0}}), .report_i(errors), .name_i(numbers),
    .or_o(unused_bits), .sum_o(unused_sums[0]), .report_o(error), .name_o(failed)
  );

  reduction_tree #(.STAGES(TREE), .LEAVES(NODES), .NAME_W(REASONS + 16)) i_holders (
    .clk_i, .rst_ni, .or_i(misses), .sum_i({NODES{1'b0}}), .report_i(holds), .name_i(reasons),
    .or_o(missing), .sum_o(unused_sums[1]), .report_o(waits), .name_o({reason, held})
  );

  logic unused;
  assign unused = ^lite_node;  // it may have more bits than there are nodes

  // ---- Nodes with their streams.
  logic [NODES*PORTS-1:0]    tx_valid, tx_last, rx_valid, rx_last;
  logic [NODES*PORTS*32-1:0] tx_data, rx_data;

  torus_links #(
    .DIMS(DIMS), .RADICES(RADICES), .WRAP(WRAP), .FLIT_W(32), .STAGES(LINK_STAGES)
  ) i_links (
    .clk_i, .rst_ni,
    .tx_valid_i(tx_valid), .tx_last_i(tx_last), .tx_data_i(tx_data),
    .rx_valid_o(rx_valid), .rx_last_o(rx_last), .rx_data_o(rx_data)
  );

  localparam logic [511:0] ALL_STAGES =
      torus_pkg::port_stages(256'(RADICES), 128'(LINK_STAGES), DIMS);
  localparam logic [NODE_PORTS*8-1:0] PORT_STAGES = ALL_STAGES[NODE_PORTS*8-1:0];

  // ---- Flits on links, counted in three steps: of each node, of all, of the period.
  logic [FLITS_W-1:0] all_flits_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      all_flits_q <= '0;
      flits_q     <= '0;
    end else begin
      all_flits_q <= node_flits;
      flits_q     <= start ? '0 : flits_q + 32'(all_flits_q);
    end
  end

  for (genvar n = 0; n < NODES; n++) begin : gen_node
    localparam logic [31:0] DIGITS = {8'(48 + n / 1000 % 10), 8'(48 + n / 100 % 10),
                                      8'(48 + n / 10 % 10), 8'(48 + n % 10)};
    localparam IMAGE = (IMAGES == "") ? "" : {IMAGES, "node_", DIGITS};

    logic [FLITS_W-1:0] flits;

    always_comb begin
      flits = '0;
      for (int p = 0; p < PORTS; p++) flits = flits + FLITS_W'(tx_valid[n*PORTS+p]);
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) node_flits_q[n*FLITS_W+:FLITS_W] <= '0;
      else node_flits_q[n*FLITS_W+:FLITS_W] <= flits;
    end

    // Here and now.
    logic              starts, runs, ended_here, shut_here, after_here, swaps, aborts, restarts;
    logic              cancels, bus_asks, bus_all, bus_writes;
    logic              asked, asked_q;
    logic [NODE_W-1:0] node;
    logic [gossamer_pkg::CONTROL_PROGRAM_W-1:0] number;  // of the program that is next
    logic [31:0]       addr, wdata;
    logic              done_here, begun_here, hold_here;
    logic              cfg_valid, cfg_write;
    logic [31:0]       cfg_addr, cfg_wdata, rdata;

    assign {starts, runs, ended_here, shut_here, after_here, swaps, aborts, restarts, cancels, bus_asks, bus_all, bus_writes,
            number, node, addr, wdata} = command[n*COMMAND_W+:COMMAND_W];
    assign asked = restarts || (bus_asks && (bus_all || 32'(node) == n));

    always_ff @(posedge clk_i) begin
      if (!rst_ni) asked_q <= 1'b0;
      else asked_q <= asked;
    end

    assign hold_here = sending[n] || begun_here;
    assign holds[n]  = runs ? !done_here : hold_here || (misses[n] && !after_here);
    assign numbers[n*16+:16] = 16'(n);
    assign reasons[n*(REASONS+16)+:REASONS+16] =
        {runs, !runs && sending[n], !runs && !sending[n] && begun_here, !runs && !hold_here, 16'(n)};
    assign report[n*35+:35] =
        {!done_here, hold_here, sending[n], asked_q ? rdata : 32'b0};

    axis_port #(
      .PORTS(NODE_PORTS), .SINGLE_PORT(SINGLE), .STORE_DEPTH(STORE_DEPTH), .OWN_DEPTH(OWN_WORDS), .PROGRAMS(PROGRAMS), .IMAGE(IMAGE)
    ) i_port (
      .clk_i, .rst_ni, .idle_i(!runs), .ended_i(ended_here), .shut_i(shut_here),
      .cancel_i(cancels && 32'(node) == n), .swap_i(swaps), .program_i(number), .abort_i(aborts),
      .sending_o(sending[n]), .begun_o(begun_here), .missing_o(misses[n]), .drop_o(drops[n]),
      .s_axis_tdata_i(s_axis_tdata_i[n*32+:32]), .s_axis_tlast_i(s_axis_tlast_i[n]),
      .s_axis_tvalid_i(s_axis_tvalid_i[n]), .s_axis_tready_o(s_axis_tready_o[n]),
      .m_axis_tdata_o(m_axis_tdata_o[n*32+:32]), .m_axis_tuser_o(m_axis_tuser_o[n*8+:8]),
      .m_axis_tlast_o(m_axis_tlast_o[n]), .m_axis_tvalid_o(m_axis_tvalid_o[n]),
      .m_axis_tready_i(m_axis_tready_i[n]),
      .bus_valid_i(asked), .bus_write_i(bus_writes), .bus_addr_i(addr), .bus_wdata_i(wdata),
      .cfg_valid_o(cfg_valid), .cfg_write_o(cfg_write), .cfg_addr_o(cfg_addr),
      .cfg_wdata_o(cfg_wdata), .cfg_rdata_i(rdata)
    );

    // Ports of the node; the last ones may have no link.
    logic [NODE_PORTS-1:0]    valid_out, last_out;
    logic [NODE_PORTS*32-1:0] data_out;

    assign tx_valid[n*PORTS+:PORTS]      = valid_out[PORTS-1:0];
    assign tx_last[n*PORTS+:PORTS]       = last_out[PORTS-1:0];
    assign tx_data[n*PORTS*32+:PORTS*32] = data_out[PORTS*32-1:0];

    logic unused_out;
    assign unused_out = ^{valid_out, last_out, data_out};

    switch_node #(
      .PORTS(NODE_PORTS), .FLIT_W(32), .LINK_STAGES(PORT_STAGES), .KIND(KIND), .SINGLE_PORT(SINGLE_PORT), .CHANNELS(CHANNELS),
      .JOIN(JOIN), .ALL_OPS(ALL_OPS), .MODEL(MODEL), .SLOT_DEPTH(SLOT_DEPTH), .LIST_DEPTH(LIST_DEPTH), .STORE_DEPTH(STORE_DEPTH), .OWN_DEPTH(OWN_DEPTH), .SHARED(SHARED),
      .LEN_W(LEN_W), .REPEAT_W(REPEAT_W), .DOUBLE_BUFFERED(1'b1), .IMAGE(IMAGE)
    ) i_node (
      .clk_i, .rst_ni, .start_i(starts),
      .cfg_valid_i(cfg_valid), .cfg_write_i(cfg_write), .cfg_addr_i(cfg_addr),
      .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(rdata),
      .link_valid_o(valid_out), .link_last_o(last_out), .link_data_o(data_out),
      .link_valid_i(NODE_PORTS'(rx_valid[n*PORTS+:PORTS])), .link_last_i(NODE_PORTS'(rx_last[n*PORTS+:PORTS])),
      .link_data_i((NODE_PORTS*32)'(rx_data[n*PORTS*32+:PORTS*32])),
      .done_o(done_here), .error_o(errors[n])
    );
  end

endmodule

`undef ELABORATION
`default_nettype wire
