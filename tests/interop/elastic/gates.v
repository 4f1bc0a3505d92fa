// Yosys' gates as those of gates.lib.
module \$_NOT_ (input A, output Y); GATE1 _TECHMAP_REPLACE_ (.A(A), .Y(Y)); endmodule
module \$_NAND_ (input A, input B, output Y); GATE2 _TECHMAP_REPLACE_ (.A(A), .B(B), .Y(Y)); endmodule
module \$_DFF_P_ (input C, input D, output Q); FLOP _TECHMAP_REPLACE_ (.C(C), .D(D), .Q(Q)); endmodule
