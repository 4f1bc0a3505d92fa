# Of Verilator's functions of a node, those that a clock cycle needs (tile_plugin.cpp), as functions of eight nodes
# in lanes (lanes.hpp).
/^#include/d
/^[A-Z_ ]*void Vengine___024root___\(ico_\|nba_\|eval_ico\|eval_nba\|eval_body__ico\|eval_body__nba\)/!{
/^[A-Za-z].*;$/d
/^[A-Za-z].*{$/,/^}/d
}
s/\bVengine___024root\b/NodeLanes/g
s/\b[CSI]Data\b/Lanes/g
s/\bVlWide</LaneWide</g
