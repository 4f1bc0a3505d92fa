// Watches the host of examples/my_job: from the reset on nothing that an axi_fabric gives but words is ever X.
`default_nettype none

module axi_x_test;

  always @(negedge my_job.clk) begin
    if (my_job.reset_n &&
        (^{my_job.awready, my_job.wready, my_job.bvalid, my_job.arready, my_job.rvalid, my_job.in_ready, my_job.out_valid,
           my_job.out_last & my_job.out_valid, my_job.bresp & {2{my_job.bvalid}}, my_job.rresp & {2{my_job.rvalid}},
           my_job.irq}) === 1'bx) begin
      $display("X at %0t", $time);
      $finish(0);
    end
  end

endmodule

`default_nettype wire
