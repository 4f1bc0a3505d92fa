// Watches the host of examples/my_bus: from the reset on nothing that an axi_fabric gives but words is ever X.
`default_nettype none

module axi_x_test;

  always @(negedge my_bus.clk) begin
    if (my_bus.reset_n &&
        (^{my_bus.awready, my_bus.wready, my_bus.bvalid, my_bus.arready, my_bus.rvalid, my_bus.in_ready, my_bus.out_valid,
           my_bus.out_last & my_bus.out_valid, my_bus.bresp & {2{my_bus.bvalid}}, my_bus.rresp & {2{my_bus.rvalid}},
           my_bus.i_fabric.irq_o}) === 1'bx) begin
      $display("X at %0t", $time);
      $finish(0);
    end
  end

endmodule

`default_nettype wire
