# SDC: the crossings of every link_elastic, in the commands that all readers of SDC have. T is the period of both clocks.
# The clocks of the two sides are of the same frequency and of unknown phase: no path between them is timed as if
# they were one clock, but the bits of the Gray code must not drift apart by a cycle, and what is stable when it
# is read must be so within a cycle. Registers are cells whose names hold those of the RTL (gray_q_reg[0], gray_q[0]);
# put the link's own path in front if other modules have such names.
set T 10.0
set_max_delay $T -from [get_cells -hierarchical *gray_q*] -to [get_cells -hierarchical *gray_1q*]
# Tools make one register of the topmost bits of gray_q and write_q.
set_max_delay $T -from [get_cells -hierarchical *write_q*] -to [get_cells -hierarchical *gray_1q*]
set_min_delay 0 -from [get_cells -hierarchical *gray_q*] -to [get_cells -hierarchical *gray_1q*]
set_false_path -from [get_cells -hierarchical *age_q*] -to [get_cells -hierarchical *fresh_1q*]
set_false_path -from [get_cells -hierarchical *live_q*] -to [get_cells -hierarchical *live_1q*]
set_max_delay $T -from [get_cells -hierarchical *token_q*] -to [get_cells -hierarchical *rx_*_o*]
set_max_delay $T -from [get_cells -hierarchical *token_q*] -to [get_cells -hierarchical *read_q*]
set_max_delay $T -from [get_cells -hierarchical *token_q*] -to [get_cells -hierarchical *state_q*]
set_max_delay $T -from [get_cells -hierarchical *token_q*] -to [get_cells -hierarchical *skew_o*]
set_max_delay $T -from [get_cells -hierarchical *places*] -to [get_cells -hierarchical *rx_*_o*]
# With PARITY alone:
set_max_delay $T -from [get_cells -hierarchical *places*] -to [get_cells -hierarchical *state_q*]
set_max_delay $T -from [get_cells -hierarchical *places*] -to [get_cells -hierarchical *read_q*]
set_max_delay $T -from [get_cells -hierarchical *places*] -to [get_cells -hierarchical *parity_o*]
set_max_delay $T -from [get_cells -hierarchical *token_q*] -to [get_cells -hierarchical *parity_o*]
set_max_delay $T -from [get_cells -hierarchical *places*] -to [get_cells -hierarchical *skew_o*]
