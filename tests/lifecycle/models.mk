# Verilates rtl/switch_node.sv in the variants that the tests in this folder drive:
#
#   make -f tests/lifecycle/models.mk OUT=FOLDER
#
# leaves V<name>.h for each variant in FOLDER, and everything compiled in FOLDER/models.o.
THIS := $(abspath $(lastword $(MAKEFILE_LIST)))
ROOT := $(abspath $(dir $(THIS))/../..)

VERILATOR ?= verilator
CXX       ?= g++
CCACHE    := $(shell command -v ccache)
RUNTIME   := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include
SOURCES   := $(addprefix $(ROOT)/,$(shell cat $(ROOT)/rtl/files.f))

# As tests/lifecycle/bare_test.cpp says (NodeBuild).
verilate = cd $(OUT) && $(VERILATOR) --cc --Mdir $(OUT) --prefix V$(1) --top-module switch_node \
           --no-timing --x-assign unique --x-initial unique --noassert \
           -GPORTS=2 -GSLOT_DEPTH=8 -GLIST_DEPTH=8 -GSTORE_DEPTH=16 $(2) $(SOURCES)

# The caller knows when it is due, by the tools' versions too.
.PHONY: $(OUT)/models.o
$(OUT)/models.o: $(SOURCES) $(THIS)
	@mkdir -p $(OUT)
	@rm -f $(OUT)/V*
	@$(call verilate,node_single,"-GSINGLE_PORT=1'b1" "-GDOUBLE_BUFFERED=1'b1")
	@$(call verilate,node_single_half,"-GSINGLE_PORT=1'b1" "-GHALF_DUPLEX=1'b1")
	@$(call verilate,node_all,-GREPEAT_W=3 -GLEN_W=6)
	@$(call verilate,node_all_half,-GCHANNELS=2 "-GHALF_DUPLEX=1'b1" "-GDOUBLE_BUFFERED=1'b1")
	@$(call verilate,node_one_cycle,"-GSINGLE_PORT=1'b1" "-GONE_CYCLE=1'b1" -GREPEAT_W=3)
	@$(call verilate,node_one_cycle_all,-GCHANNELS=2 "-GONE_CYCLE=1'b1" "-GDOUBLE_BUFFERED=1'b1")
	@$(call verilate,node_adaptive,"-GADAPTIVE=1'b1" -GMESSAGES=8)
	@$(call verilate,node_adaptive_single,"-GADAPTIVE=1'b1" "-GSINGLE_PORT=1'b1" -GMESSAGES=8 \
	   "-GDOUBLE_BUFFERED=1'b1")
	@for f in $(OUT)/V*.cpp; do \
	   echo "#include \"$$f\""; done > $(OUT)/models.cc
	@$(CCACHE) $(CXX) -std=c++20 -O1 -fPIC -fno-strict-aliasing -faligned-new -w \
	   -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0 -I$(OUT) -isystem $(RUNTIME) \
	   -isystem $(RUNTIME)/vltstd -c $(OUT)/models.cc -o $@
