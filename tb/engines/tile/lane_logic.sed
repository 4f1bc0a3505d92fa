# Verilator's functions of a node, as those of eight nodes in lanes (lanes.hpp).
/^#include/d
s/\bVengine___024root\b/NodeLanes/g
s/\b[CSI]Data\b/Lanes/g
s/\bVlWide</LaneWide</g
