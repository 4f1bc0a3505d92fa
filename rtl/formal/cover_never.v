// SPDX-License-Identifier: Apache-2.0
// What `prove` makes of a cover, so that a counterexample is a way to reach it.
(* techmap_celltype = "$cover" *)
module cover_never (
  input A,
  input EN
);
  \$assert _TECHMAP_REPLACE_ (.A(!A), .EN(EN));
endmodule
