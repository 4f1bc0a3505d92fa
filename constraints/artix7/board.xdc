# Arty A7: only Vivado reads this file, so it was never checked here. Yosys synthesizes
# for the family.
set_property -dict {PACKAGE_PIN E3 IOSTANDARD LVCMOS33} [get_ports clk]
create_clock -period 10.000 -name clk [get_ports clk]
set_property -dict {PACKAGE_PIN H5 IOSTANDARD LVCMOS33} [get_ports led_arrived]
set_property -dict {PACKAGE_PIN J5 IOSTANDARD LVCMOS33} [get_ports led_wrong]
