# Verilator's class of a node, as one of eight nodes in lanes (lanes.hpp). Inputs come last: the model does
# not change them.
/^class .*Vengine___024root final/,/^}/!d
s/^class .*/struct NodeLanes {/
/^ *struct {$/d
/^    };$/d
/public:/d
/^ *\/\//d
s/\(VL_[A-Z]*W\)(\([^,]*\),.*,\([0-9]*\));/\1 LaneWide<\3> \2;/
s/\(VL_[A-Z]*\)8(\([^,]*\),.*);/\1 LaneBytes \2;/
s/\(VL_[A-Z]*\)[0-9]*(\([^,]*\),.*);/\1 Lanes \2;/
s/VL_OUTW* //
/VL_IN/{
s/VL_INW* //
H
d
}
s/CData\/\*[^*]*\*\//LaneBytes/
s/[SI]Data\/\*[^*]*\*\//Lanes/
s/VlWide<\([0-9]*\)>\/\*[^*]*\*\//LaneWide<\1>/
s/^ *Vengine__Syms.*/    Vengine__Syms* vlSymsp = nullptr;/
/Vengine___024root\|__Vconfigure\|vlNamep/d
# What the inputs were, for triggers that are not asked.
/__Vtrigprevexpr\|__VicoDidInit/d
/^}/{
x
G
s/}.*/};/
}
