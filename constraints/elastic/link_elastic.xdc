# XDC (Vivado): the crossings of every link_elastic. 10.0 is the period of both clocks, in ns.
# `-datapath_only` leaves the unknown phase between the clocks out; the bus skew keeps the bits of the Gray code
# within one cycle of each other.
set_max_delay -datapath_only -from [get_cells -hierarchical *gray_q_reg*] -to [get_cells -hierarchical *gray_1q_reg*] 10.0
# Tools make one register of the topmost bits of gray_q and write_q.
set_max_delay -datapath_only -from [get_cells -hierarchical *write_q_reg*] -to [get_cells -hierarchical *gray_1q_reg*] 10.0
set_bus_skew -from [get_cells -hierarchical *gray_q_reg*] -to [get_cells -hierarchical *gray_1q_reg*] 10.0
set_false_path -from [get_cells -hierarchical *age_q_reg*] -to [get_cells -hierarchical *fresh_1q_reg*]
set_false_path -from [get_cells -hierarchical *live_q_reg*] -to [get_cells -hierarchical *live_1q_reg*]
set_max_delay -datapath_only -from [get_cells -hierarchical *token_q_reg*] 10.0
set_max_delay -datapath_only -from [get_cells -hierarchical *places_reg*] 10.0
