// A design with a fabric in it: a 4x4 torus whose nodes start with tables and messages from memory
// images. It needs only a clock, a reset of 3 cycles and a start pulse.
`default_nettype none

module my_design (
  input  logic        clk,
  input  logic        reset_n,
  input  logic        start,
  input  logic [15:0] read_node,   // to read a node: word read_word of its message store,
  input  logic [15:0] read_word,
  output logic [31:0] read_data,   // one cycle later
  output logic [63:0] link_valid,  // a bit for each node and port, node 0's ports lowest
  output logic [15:0] done,        // a bit for each node
  output logic [15:0] error
);

  localparam logic [31:0] STORE = 32'(gossamer_pkg::CFG_STORE) << gossamer_pkg::CFG_REGION_LSB;

  torus_fabric #(
    `include "fabric.vh"  // written with the images: sizes, and where the images are
  ) i_fabric (
    .clk_i        (clk),
    .rst_ni       (reset_n),
    .start_i      (start),
    .cfg_valid_i  (1'b1),  // a read in every cycle
    .cfg_write_i  (1'b0),
    .cfg_node_i   (read_node),
    .cfg_addr_i   (STORE | 32'(read_word)),
    .cfg_wdata_i  (32'd0),
    .cfg_rdata_o  (read_data),
    .link_valid_o (link_valid),
    .link_last_o  (),
    .link_data_o  (),
    .link_arrived_o(),
    .done_o       (done),
    .error_o      (error)
  );

endmodule

`default_nettype wire
