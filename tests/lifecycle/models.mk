# Verilates rtl/node/switch_node.sv and rtl/axi/axi_fabric.sv in the variants that the tests in this folder drive:
#
#   make -f tests/lifecycle/models.mk OUT=FOLDER nodes.o|netlists.o|fabrics.o
#
# leaves V<name>.h for each variant in FOLDER/nodes, FOLDER/netlists or FOLDER/fabrics, and everything compiled in
# an object beside it. Netlists are nodes as Yosys reads them.
THIS := $(abspath $(lastword $(MAKEFILE_LIST)))
RTL  := $(abspath $(dir $(THIS))/../../rtl)

TEXT      := -DGOSSAMER_SIM
OPTIMIZE  ?= -O1
VERILATOR ?= verilator
YOSYS     ?= yosys
CXX       ?= g++
CCACHE    := $(shell command -v ccache)
RUNTIME   := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include
SOURCES   := $(patsubst rtl/%,$(RTL)/%,$(shell cat $(RTL)/files.f))
WITNESS   := $(abspath $(dir $(THIS)))/witness.vlt

# As in tests/lifecycle/node_variants.cpp and axi_test.cpp (NodeBuild, AxiBuild).
to_model = cd $(OUT)/$(1) && $(VERILATOR) --cc --Mdir $(OUT)/$(1) --prefix V$(2) --no-timing \
           --x-assign unique --x-initial unique --noassert $(TEXT)
verilate = $(to_model) -GSLOT_DEPTH=8 -GLIST_DEPTH=8 -GSTORE_DEPTH=16 $(3) $(SOURCES)
node     = $(call verilate,nodes,$(1),--top-module switch_node -GPORTS=$(or $(3),2) $(2))
# What becomes hardware need not be what Verilator reads. What a memory gives that is read and written at once is as
# in simulation here; ram_1r1w lets hardware give any word.
netlist  = $(YOSYS) -q -p "read_verilog -sv $(filter-out $(RTL)/axi/%,$(SOURCES)); chparam -set SLOT_DEPTH 8 -set LIST_DEPTH 8 \
             -set STORE_DEPTH 16 $(2) switch_node; hierarchy -top switch_node; setattr -unset no_rw_check -unset ramstyle -unset rw_addr_collision */m:*; proc; flatten; opt; memory -nomap; \
             opt; write_verilog -noattr $(OUT)/netlists/$(1).v" && \
           $(call to_model,netlists,$(1)) -Wno-fatal -Wno-lint -Wno-UNOPTFLAT --top-module switch_node $(OUT)/netlists/$(1).v
fabric   = $(call verilate,fabrics,$(1),--top-module axi_fabric "-GRADICES=16'd3" $(2) $(WITNESS))
compile  = for f in $(OUT)/$(1)/V*.cpp; do \
              echo "\#include \"$$f\""; done > $(OUT)/$(1)/models.cc && \
           $(CCACHE) $(CXX) -std=c++20 $(OPTIMIZE) -fPIC -fno-strict-aliasing -faligned-new -w \
              -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0 -I$(OUT)/$(1) -isystem $(RUNTIME) \
              -isystem $(RUNTIME)/vltstd -c $(OUT)/$(1)/models.cc -o $(OUT)/$(1).o

# The caller decides when to rebuild, because tool versions count too.
.PHONY: nodes.o netlists.o fabrics.o
nodes.o: $(SOURCES) $(THIS)
	@mkdir -p $(OUT)/nodes
	@rm -f $(OUT)/nodes/V*
	@$(call node,node_single,"-GSINGLE_PORT=1'b1" "-GDOUBLE_BUFFERED=1'b1")
	@$(call node,node_single_half,"-GSINGLE_PORT=1'b1" '-GKIND="half_duplex"')
	@$(call node,node_all,-GREPEAT_W=3 -GLEN_W=6)
	@$(call node,node_all_half,-GCHANNELS=2 '-GKIND="half_duplex"' "-GDOUBLE_BUFFERED=1'b1")
	@$(call node,node_one_cycle,"-GSINGLE_PORT=1'b1" '-GKIND="one_cycle"' -GREPEAT_W=3)
	@$(call node,node_one_cycle_all,-GCHANNELS=2 '-GKIND="one_cycle"' "-GDOUBLE_BUFFERED=1'b1")
	@$(call node,node_adaptive,'-GKIND="adaptive"' -GMESSAGES=8)
	@$(call node,node_adaptive_single,'-GKIND="adaptive"' "-GSINGLE_PORT=1'b1" -GMESSAGES=8 \
	   "-GDOUBLE_BUFFERED=1'b1")
	@$(call node,node_four,-GCHANNELS=4 -GFLIT_W=16 "-GDOUBLE_BUFFERED=1'b1",4)
	@$(call node,node_four_adaptive,'-GKIND="adaptive"' -GMESSAGES=8 "-GFAULTS=1'b0",4)
	@$(call node,node_reduce,"-GREDUCE=1'b1" "-GDOUBLE_BUFFERED=1'b1")
	@$(call node,node_reduce_single_half,"-GREDUCE=1'b1" "-GSINGLE_PORT=1'b1" '-GKIND="half_duplex"')
	@$(call node,node_reduce_single,"-GREDUCE=1'b1" "-GSINGLE_PORT=1'b1" "-GDOUBLE_BUFFERED=1'b1")
	@$(call node,node_reduce_half,"-GREDUCE=1'b1" -GCHANNELS=10 -GFLIT_W=8 '-GKIND="half_duplex"',10)
	@$(call node,node_reduce_four,"-GREDUCE=1'b1" -GCHANNELS=4 -GFLIT_W=16,4)
	@$(call node,node_in_order,"-GSINGLE_PORT=1'b1" "-GIN_ORDER=1'b1" "-GFAULTS=1'b0" \
	   "-GERROR_DETAIL=1'b0" -GFLIT_W=8)
	@$(call compile,nodes)

netlists.o: $(SOURCES) $(THIS)
	@mkdir -p $(OUT)/netlists
	@rm -f $(OUT)/netlists/V*
	@$(call netlist,node_single_yosys,-set PORTS 2 -set SINGLE_PORT 1'b1 -set DOUBLE_BUFFERED 1'b1)
	@$(call netlist,node_one_cycle_yosys,-set PORTS 2 -set SINGLE_PORT 1'b1 -set KIND \"one_cycle\" -set REPEAT_W 3)
	@$(call netlist,node_reduce_yosys,-set PORTS 2 -set REDUCE 1'b1 -set DOUBLE_BUFFERED 1'b1)
	@$(call netlist,node_four_yosys,-set PORTS 4 -set CHANNELS 4 -set FLIT_W 16 -set DOUBLE_BUFFERED 1'b1)
	@$(call compile,netlists)

fabrics.o: $(SOURCES) $(WITNESS) $(THIS)
	@mkdir -p $(OUT)/fabrics
	@rm -f $(OUT)/fabrics/V*
	@$(call fabric,fabric_single,"-GSINGLE_PORT=1'b1")
	@$(call fabric,fabric_single_half,"-GSINGLE_PORT=1'b1" '-GKIND="half_duplex"')
	@$(call fabric,fabric_all,-GCHANNELS=2)
	@$(call fabric,fabric_all_half,'-GKIND="half_duplex"' -GINDEX_W=7)
	@$(call fabric,fabric_tree,"-GSINGLE_PORT=1'b1" -GTREE_STAGES=1)
	@$(call fabric,fabric_tree_links,-GCHANNELS=2 -GTREE_STAGES=3 "-GLINK_STAGES=8'd2")
	@$(call fabric,fabric_tree_half,"-GSINGLE_PORT=1'b1" '-GKIND="half_duplex"' -GTREE_STAGES=2 \
	   "-GLINK_STAGES=8'd1")
	@$(call fabric,fabric_reduce,-GCHANNELS=2 "-GREDUCE=1'b1")
	@$(call fabric,fabric_reduce_half,"-GREDUCE=1'b1" "-GSINGLE_PORT=1'b1" '-GKIND="half_duplex"' -GTREE_STAGES=1 \
	   "-GLINK_STAGES=8'd2")
	@$(call compile,fabrics)
