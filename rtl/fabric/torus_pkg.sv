// SPDX-License-Identifier: Apache-2.0
// Arithmetic of products of rings and paths, for constants. Dimensions count from 0; each radix
// takes 16 bits, dimension 0 lowest. A dimension of radix 2 is a single link and has one port at
// each node, any other has two: first to the next node, then to the previous one.
`default_nettype none

package torus_pkg;

  // Step of the node number along dimension `dim`; for `dim` = dimensions the number of nodes. Of too many nodes it is
  // 1, so that tools come to the message.
  function automatic int stride(input logic [255:0] radices, input int dim);
    stride = 1;
    if (!too_many(radices, dim)) for (int d = 0; d < dim; d++) stride = stride * 32'(radices[d*16+:16]);
  endfunction

  // Are there more than 65536 nodes?
  function automatic logic too_many(input logic [255:0] radices, input int dims);
    logic [31:0] nodes;  // 65536 * 65535 fits
    too_many = 1'b0;
    nodes    = 1;
    for (int d = 0; d < dims; d++) begin
      nodes = nodes * 32'(radices[d*16+:16]);
      if (nodes > 65536) begin
        too_many = 1'b1;
        nodes    = 1;
      end
    end
  endfunction

  // First port of dimension `dim`; for `dim` = dimensions the number of ports.
  function automatic int first_port(input logic [255:0] radices, input int dim);
    first_port = 0;
    for (int d = 0; d < dim; d++) begin
      first_port = first_port + ((radices[d*16+:16] == 16'd2) ? 1 : 2);
    end
  endfunction

  // Ports of a node of `ports` links. Outputs of nodes with JOIN can add where they have no link: there may be more read
  // channels than links, and a port for each.
  function automatic int node_ports(input int ports, input int channels, input logic joins);
    node_ports = (joins && channels > ports) ? channels : ports;
  endfunction

  // Register stages of the link at every port, 8 bits each, from those of every dimension.
  function automatic logic [511:0] port_stages(input logic [255:0] radices,
                                               input logic [127:0] stages, input int dims);
    int port;
    port_stages = '0;
    port = 0;
    for (int d = 0; d < dims; d++) begin
      for (int k = 0; k < ((radices[d*16+:16] == 16'd2) ? 1 : 2); k++) begin
        port_stages = port_stages | (512'(stages[d*8+:8]) << (port * 8));
        port = port + 1;
      end
    end
  endfunction

  // The most register stages of any dimension's links.
  function automatic int longest(input logic [127:0] stages, input int dims);
    longest = 0;
    for (int d = 0; d < dims; d++) if (32'(stages[d*8+:8]) > longest) longest = 32'(stages[d*8+:8]);
  endfunction

  // First link to another part of a block of `sizes` and so many nodes, of dimension `dim`; for `dim` = dimensions their number.
  function automatic int first_edge(input logic [255:0] radices, input logic [255:0] sizes, input int nodes,
                                    input int dim);
    first_edge = 0;
    for (int d = 0; d < dim; d++) begin
      if (sizes[d*16+:16] != radices[d*16+:16] && sizes[d*16+:16] != 16'd0) begin
        first_edge = first_edge + ((radices[d*16+:16] == 16'd2) ? 1 : 2) * nodes / 32'(sizes[d*16+:16]);
      end
    end
  endfunction

endpackage

`default_nettype wire
