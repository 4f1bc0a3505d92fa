// SPDX-License-Identifier: Apache-2.0
// The shape of broadcast_tree and reduction_tree, for constants. Level 0 is the root, level 1 to `stages` are
// registers, and the leaves are one level further. Every place branches to the same number of places.
`default_nettype none

package tree_pkg;

  // The fewest branches of a place with which all leaves are reached.
  function automatic int branches(input int leaves, input int stages);
    int reached;
    branches = (stages == 0) ? leaves - 1 : 0;
    reached  = 0;
    while (reached < leaves) begin
      branches = branches + 1;
      reached  = 1;
      for (int s = 0; s <= stages; s++) if (reached < leaves) reached = reached * branches;
    end
  endfunction

  // The places of a level.
  function automatic int places(input int leaves, input int stages, input int level);
    int each;
    each   = branches(leaves, stages);
    places = leaves;
    for (int s = level; s <= stages; s++) places = (places + each - 1) / each;
  endfunction

  // The places of all levels above.
  function automatic int first_place(input int leaves, input int stages, input int level);
    int each, here;
    each        = branches(leaves, stages);
    here        = leaves;
    first_place = 0;
    for (int s = stages; s >= 0; s--) begin
      here = (here + each - 1) / each;
      if (s < level) first_place = first_place + here;
    end
  endfunction

endpackage

`default_nettype wire
