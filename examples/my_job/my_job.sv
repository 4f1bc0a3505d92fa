// A host of the job in job.toml. The fabric has its tables from images (IMAGES), or with +load from a host that writes
// them over AXI4-Lite; which words each node sends, and where it finds those that it gets, says the export, tables.txt.
// Each program is started in turn, all twice; each node gets a packet on its stream, and each word that arrives is
// compared. Every program must end in the cycle that the plan predicts.
`timescale 1ns/1ps
`default_nettype none

// What a host knows of its task. With another NODES it is another one, which adds nothing up unless ADDS says so.
`ifndef NODES
`define NODES 25
`define ADDS 8'b0011  // programs 0 and 1 add up ...
`define TAKES 1       // ... this one the sums of program 0
`endif
`ifndef ADDS
`define ADDS 0
`endif
`ifndef TAKES
`define TAKES -1
`endif
`ifndef JOIN
`define JOIN +
`endif

module my_job;

  localparam int NODES = `NODES, LOGS = 8, WORDS = 2048, PLACES = 32768, PASSES = 2;

  logic clk = 1'b0, reset_n = 1'b0;
  always #5 clk = !clk;
  initial #10ms $fatal(1, "no end after 10 ms");

  `include "axi_host.svh"

  // The nodes' streams: node 0 is lowest.
  logic [NODES*32-1:0] in_data = '0, out_data;
  logic [NODES-1:0]    in_valid = '0, in_last = '0, in_ready, out_valid, out_last;
  logic [NODES*8-1:0]  out_log;
  logic                irq;

  axi_fabric #(
    `include "fabric.vh"
  ) i_fabric (
    .clk_i(clk), .rst_ni(reset_n), .start_i(1'b0), .irq_o(irq),
    .s_axi_awaddr_i(awaddr), .s_axi_awvalid_i(awvalid), .s_axi_awready_o(awready),
    .s_axi_wdata_i(wdata), .s_axi_wstrb_i(4'hf), .s_axi_wvalid_i(wvalid), .s_axi_wready_o(wready),
    .s_axi_bresp_o(bresp), .s_axi_bvalid_o(bvalid), .s_axi_bready_i(bready),
    .s_axi_araddr_i(araddr), .s_axi_arvalid_i(arvalid), .s_axi_arready_o(arready),
    .s_axi_rdata_o(rdata), .s_axi_rresp_o(rresp), .s_axi_rvalid_o(rvalid), .s_axi_rready_i(rready),
    .s_axis_tdata_i(in_data), .s_axis_tlast_i(in_last), .s_axis_tvalid_i(in_valid), .s_axis_tready_o(in_ready),
    .m_axis_tdata_o(out_data), .m_axis_tuser_o(out_log), .m_axis_tlast_o(out_last),
    .m_axis_tvalid_o(out_valid), .m_axis_tready_i({NODES{1'b1}})
  );

  // ---- What the export says of each program: its number in AXI_PROGRAMS, its cycles, the words of each node's packet,
  // and, from places[k] on, what is where in the end.
  int programs = 0;
  int entry [8], predicted [8], places [9], packet [8*NODES];
  int log_at [PLACES], first_at [PLACES], words_at [PLACES], origin_at [PLACES], flit_at [PLACES];

  task automatic read_places(input string name);
    int               file, node, log, first, count, origin, flit, k = 0, p = 0;
    logic [8*200-1:0] line;
    string            text;
    file = $fopen(name, "r");
    if (file == 0) $fatal(1, "there is no file %s", name);
    for (int i = 0; i < 8 * NODES; i++) packet[i] = 0;
    while ($fgets(line, file) != 0) begin
      text = $sformatf("%0s", line);
      if ($sscanf(text, "# program %d: entry %d, %d", k, first, count) == 3) begin
        entry[k]     = first;
        predicted[k] = count;
        places[k]    = p;
        programs     = k + 1;
      end else if ($sscanf(text, "# packet %d: %d", node, count) == 2) begin
        packet[k*NODES+node] = count;
      end else if ($sscanf(text, "# at %d %d %d %d %d %d", node, log, first, count, origin, flit) == 6) begin
        log_at[p]    = node * LOGS + log;
        first_at[p]  = first;
        words_at[p]  = count;
        origin_at[p] = origin;
        flit_at[p]   = flit;
        p = p + 1;
      end
    end
    places[programs] = p;
    $fclose(file);
  endtask

  // ---- The words: what a node sends, and what should be where.
  int pass = 0, now = 0;  // the program that runs

  function automatic logic [31:0] word_of(input int program_k, input int node, input int index);
    return (32'(node) * 32'd1031 + 32'(index) + 32'(pass) * 32'd77 + 32'(program_k) * 32'd13) * 32'h9e3779b1;
  endfunction

  function automatic logic [31:0] expected(input int origin, input int flit);
    logic [31:0] sum;
    if (((`ADDS >> now) & 1) == 0) return word_of(now, origin, flit);
    sum = word_of(now == `TAKES ? 0 : now, 0, flit);
    for (int n = 1; n < NODES; n++) sum = sum `JOIN word_of(now == `TAKES ? 0 : now, n, flit);
    return now == `TAKES ? sum * NODES : sum;
  endfunction

  // ---- Streams. A node sends its packet of the program that runs; what arrives is kept by log.
  int          sent [NODES];         // words of it that the node has got
  int          arrived [NODES*LOGS]; // words that a log has given
  logic [31:0] got [NODES*LOGS*WORDS];

  always @(posedge clk) begin
    for (int n = 0; n < NODES; n++) begin
      if (in_valid[n] && in_ready[n]) sent[n] = sent[n] + 1;
      in_valid[n] <= sent[n] < packet[now*NODES+n];
      in_last[n]  <= sent[n] == packet[now*NODES+n] - 1;
      if (in_ready[n] || !in_valid[n]) in_data[n*32+:32] <= word_of(now, n, sent[n]);
      if (out_valid[n]) begin
        got[(n*LOGS+32'(out_log[n*8+:8]))*WORDS+arrived[n*LOGS+32'(out_log[n*8+:8])]] = out_data[n*32+:32];
        arrived[n*LOGS+32'(out_log[n*8+:8])] = arrived[n*LOGS+32'(out_log[n*8+:8])] + 1;
      end
    end
  end

  // ---- Cycles from the start pulse to the last flit on its last link, as a monitor of the links counts them.
  int since_start = 0, last_flit = 0;
  always @(posedge clk) begin
    since_start <= i_fabric.start ? 1 : since_start + 1;
    if (i_fabric.tx_valid != '0) last_flit <= since_start;
  end

  // ---- Compares what the export names, but for own words, which no stream gives back.
  int          right, own_log;

  task automatic compare;
    int at;
    right = 0;
    for (int p = places[now]; p < places[now+1]; p++) begin
      at = first_at[p];
      for (int i = 0; log_at[p] % LOGS != own_log && i < words_at[p]; i++) begin
        if (at + i < arrived[log_at[p]] && got[log_at[p]*WORDS+at+i] === expected(origin_at[p], flit_at[p] + i))
          right = right + 1;
        else wrong = wrong + 1;
      end
    end
    if (last_flit != predicted[now]) wrong = wrong + 1;
  endtask

  string       tables;
  logic [31:0] data, list = '0;
  initial begin
    for (int n = 0; n < NODES; n++) sent[n] = WORDS;
    for (int i = 0; i < NODES * LOGS; i++) arrived[i] = 0;
    $dumpfile("my_job.vcd");
    $dumpvars(1, my_job);
    repeat (4) @(negedge clk);
    reset_n = 1'b1;
    if (!$value$plusargs("tables=%s", tables)) tables = "fabric/tables.txt";
    read_places(tables);
    if ($test$plusargs("load")) load(tables);
    read(32'(gossamer_pkg::CFG_PORTS) << 2, data);
    own_log = data;
    for (int k = 0; k < programs; k++) list = list | 32'(entry[k]) << (4 * k);
    write(control(axi_pkg::AXI_PROGRAMS), list);
    write(control(axi_pkg::AXI_LAST_PROGRAM), 32'(programs - 1));
    write(control(axi_pkg::AXI_IRQ_ENABLE), 32'd1 << axi_pkg::AXI_IRQ_REST);
    for (int run = 0; run < PASSES * programs && wrong == 0; run++) begin
      pass = run / programs;
      now  = run % programs;
      for (int n = 0; n < NODES; n++) sent[n] = 0;
      for (int i = 0; i < NODES * LOGS; i++) arrived[i] = 0;
      write(control(axi_pkg::AXI_RUN), 32'd1);
      while (!irq) @(negedge clk);
      write(control(axi_pkg::AXI_IRQ), 32'd1 << axi_pkg::AXI_IRQ_REST);
      read(control(axi_pkg::AXI_STATUS), data);
      if (data[axi_pkg::AXI_ERROR]) wrong = wrong + 1;
      compare;
      $display("pass %0d, program %0d: status %h, %0d words right, %0d wrong, last flit in cycle %0d of %0d", pass,
               now, data, right, wrong, last_flit, predicted[now]);
    end
    if (wrong == 0 && programs > 0) $display("PASS");
    else $display("FAIL: %0d", wrong);
    $finish;
  end

endmodule

`default_nettype wire
