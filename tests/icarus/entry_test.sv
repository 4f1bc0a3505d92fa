// Sequencers of 1 to 9 ports, of all kinds but one-cycle, with random entries, most of them wrong: which errors an entry
// raises, and what a malformed one does from then on (docs/hardware/table-format.md). Prints PASS, or what is wrong.
`default_nettype none
`timescale 1ns/1ns

module entry_of #(
  parameter int   P      = 1,
  parameter logic SINGLE = 1'b0,
  parameter logic HALF   = 1'b0,
  localparam int  W      = $clog2(P + 1)
) (
  input  logic clk,
  output int   wrong
);

  localparam int FORM_W = gossamer_pkg::SLOT_RECEIVE_LSB;
  import gossamer_pkg::slot_t;

  logic             rst_n, start;
  logic [P*W-1:0]   select, selected;
  logic [P-1:0]     receive, limit, forward, expect_now;
  logic             malformed, reads, done, closes;
  slot_t            form;

  sequencer #(.PORTS(P), .TABLE_AW(2), .MODEL((32'(SINGLE) << gossamer_pkg::MODEL_SINGLE_PORT) | (32'(HALF) << gossamer_pkg::MODEL_HALF_DUPLEX))) i_sequencer (
    .clk_i(clk), .rst_ni(rst_n), .start_i(start), .first_i(2'd0), .dead_i({P{1'b0}}), .dead_after_i(20'd0),
    .slot_en_o(), .slot_addr_o(), .slot_data_i({select, receive, form}),
    .prime_o(), .read_o(reads), .sources_o(), .local_o(), .stream_last_o(), .slot_close_o(closes),
    .select_o(selected), .send_o(), .forward_o(forward), .tx_close_o(), .expect_next_o(), .expect_o(expect_now),
    .rx_open_next_o(), .rx_begin_next_o(), .rx_close_o(), .slot_o(), .done_o(done),
    .malformed_o(malformed), .cut_o(), .limit_o(limit)
  );

  // ---- What the page says.
  logic           bad;
  logic [P-1:0]   sends, own, takes, limited;

  task automatic judge;
    int code, from;
    bad   = form.length == '0 || form.repeats == '0;
    sends = '0;
    own   = '0;
    takes = '0;
    for (int o = 0; o < P; o++) begin
      code = select[o*W+:W];
      if (code > P) bad = 1'b1;
      sends[o] = code != P;
      own[o]   = code == o;
      // Above P the lower bits name an input, if P is a power of two.
      from = (code > P && (P & (P - 1)) == 0) ? code - P : code;
      if (from < P && from != o && (from != 0 || code == 0)) takes[from] = 1'b1;
    end
    limited = HALF ? sends & (takes | receive) : '0;
    if (SINGLE && $countones(own) > 1) limited |= own;
    if (SINGLE && $countones(receive) > 1) limited |= receive;
    if (SINGLE && HALF && own != '0 && receive != '0) limited |= own | receive;
  endtask

  task automatic check(input logic holds, input string what);
    if (!holds) begin
      wrong++;
      $display("P %0d, single %b, half %b, selects %h, receive %b: %s", P, SINGLE, HALF, select, receive, what);
    end
  endtask

  initial begin
    wrong = 0;
    start = 1'b0;
    repeat (60) begin
      form            = '0;
      form.length     = ($urandom % 8 == 0) ? 24'd0 : 24'd2;
      form.stream     = 24'd2;
      form.repeats    = ($urandom % 8 == 0) ? 20'd0 : 20'd1;
      form.ends_table = 1'b1;
      receive         = $urandom & $urandom;
      for (int o = 0; o < P; o++) begin
        case ($urandom % 4)
          0: select[o*W+:W] = W'(o);
          1: select[o*W+:W] = W'(P);
          default: select[o*W+:W] = W'($urandom);
        endcase
      end
      form.parity = ^{select, receive, form};
      judge;
      rst_n = 1'b0;
      repeat (3) @(negedge clk);
      rst_n = 1'b1;
      repeat (2) @(negedge clk);
      start = 1'b1;
      @(negedge clk);
      start = 1'b0;
      check(malformed === bad, "malformed");
      check(limit === limited, "limit");
      check(reads === |own, "its first word is read");
      repeat (8) begin
        @(negedge clk);
        check(malformed === 1'b0 && limit === '0, "an error is reported once");
        if (bad) check(!reads && !closes, "a malformed slot reads nothing more and never ends");
      end
      check(done === 1'b1, "the table ends");
      if (bad) check(selected === select && forward === takes && expect_now === receive,
                     "what comes to a malformed entry is forwarded and stored");
      else check(selected === {P{W'(P)}} && forward === '0 && expect_now === '0, "after the table nothing is");
    end
  end

endmodule

module entry_test;

  logic     clk = 1'b0;
  int       wrong [0:35];
  always #5 clk = !clk;

  for (genvar k = 0; k < 36; k++) begin : gen_kind
    entry_of #(.P(k / 4 + 1), .SINGLE(k % 2), .HALF(k / 2 % 2)) i_entry (.clk, .wrong(wrong[k]));
  end

  initial begin
    int all;
    repeat (1000) @(negedge clk);
    all = 0;
    for (int k = 0; k < 36; k++) all += wrong[k];
    if (all == 0) $display("PASS");
    $finish(0);
  end

endmodule

`default_nettype wire
