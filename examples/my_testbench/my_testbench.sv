// Starts my_design, waits until it is done, and checks that every node holds the words of all
// others.
`timescale 1ns/1ps
`default_nettype none

module my_testbench;

  logic        clk = 1'b0, reset_n = 1'b0, start = 1'b0;
  logic [15:0] read_node = '0, read_word = '0;
  logic [31:0] read_data;
  logic [63:0] link_valid;
  logic [15:0] done, error;

  always #5 clk = !clk;

  my_design i_design (
    .clk, .reset_n, .start, .read_node, .read_word, .read_data, .link_valid, .done, .error
  );

  // From the start pulse, which is cycle 0, to the last flit on a link: what `gossamer plan` predicts.
  int cycle = 0, last_flit = 0;
  always @(posedge clk) begin
    cycle <= start ? 1 : cycle + 1;
    if (link_valid != '0) last_flit <= cycle;
  end

  logic [31:0] sum, first_sum;
  int          wrong = 0;
  initial begin
    $dumpfile("my_testbench.vcd");
    $dumpvars(0, my_testbench);
    repeat (4) @(negedge clk);
    reset_n = 1'b1;
    @(negedge clk) start = 1'b1;
    @(negedge clk) start = 1'b0;
    while (done != '1 && cycle < 1000) @(negedge clk);
    repeat (4) @(negedge clk);

    // Every node's store: its own word, then the 15 that arrived, in order of arrival.
    for (int n = 0; n < 16; n++) begin
      sum = '0;
      for (int w = 0; w < 16; w++) begin
        read_node = 16'(n);
        read_word = 16'(w);
        repeat (2) @(negedge clk);
        sum = sum + read_data;
      end
      if (n == 0) first_sum = sum;
      if (sum != first_sum) wrong = wrong + 1;
    end
    $display("cycles %0d, nodes done %b, errors %b, nodes with other words than node 0: %0d", last_flit,
             done, error, wrong);
    if (done == '1 && error == '0 && wrong == 0 && first_sum != '0) $display("PASS");
    else $display("FAIL");
    $finish;
  end

endmodule

`default_nettype wire
