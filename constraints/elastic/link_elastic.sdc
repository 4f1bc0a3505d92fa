# SDC (Quartus, OpenSTA, commercial tools): the crossings of every link_elastic. T is the period of both clocks.
# The clocks of the two sides are of the same frequency and of unknown phase: no path between them is timed as if
# they were one clock, but the bits of the Gray code must not drift apart by a cycle, and what is stable when it
# is read must be so within a cycle.
set T 10.0
foreach_in_collection link [get_cells -hierarchical -filter {ref_name =~ link_elastic*}] {
  set name [get_object_info $link -name]
  set_max_delay -from [get_registers "$name|gray_q*"] -to [get_registers "$name|gray_1q*"] $T
  set_min_delay -from [get_registers "$name|gray_q*"] -to [get_registers "$name|gray_1q*"] 0
  set_false_path -from [get_registers "$name|old_q"] -to [get_registers "$name|old_1q"]
  set_max_delay -from [get_registers "$name|token_q*"] -to [get_registers "$name|*"] $T
  set_max_delay -from [get_registers "$name|places*"] -to [get_registers "$name|rx_*"] $T
}
