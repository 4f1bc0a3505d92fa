# Verilates rtl/axi/axi_fabric.sv, for the tests in this folder:
#
#   make -f tests/axi/models.mk OUT=FOLDER
#
# leaves V<name>.h for each variant in FOLDER, and everything compiled in FOLDER/models.o.
THIS := $(abspath $(lastword $(MAKEFILE_LIST)))
RTL  := $(abspath $(dir $(THIS))/../../rtl)

TEXT      := -DGOSSAMER_SIM
OPTIMIZE  ?= -O1
VERILATOR ?= verilator
CXX       ?= g++
CCACHE    := $(shell command -v ccache)
RUNTIME   := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include
SOURCES   := $(patsubst rtl/%,$(RTL)/%,$(shell cat $(RTL)/files.f))

# Where a test sets counters.
COUNTERS  := $(abspath $(dir $(THIS))/counters.vlt)

verilate = cd $(OUT) && $(VERILATOR) --cc --Mdir $(OUT) --prefix V$(1) --top-module axi_fabric \
           --no-timing --x-assign unique --x-initial unique --noassert $(TEXT) \
           -GSLOT_DEPTH=16 -GLIST_DEPTH=16 -GSTORE_DEPTH=64 $(2) $(SOURCES)

# The caller decides when to rebuild, because tool versions count too.
.PHONY: $(OUT)/models.o
$(OUT)/models.o: $(SOURCES) $(COUNTERS) $(THIS)
	@mkdir -p $(OUT)
	@rm -f $(OUT)/V*
	@$(call verilate,axi_single,"-GRADICES=16'd4" "-GSINGLE_PORT=1'b1" $(COUNTERS))
	@$(call verilate,axi_all,"-GRADICES=16'd4" -GCHANNELS=2)
	@$(call verilate,axi_far,"-GRADICES=16'd4" -GCHANNELS=2 -GTREE_STAGES=2 "-GLINK_STAGES=8'd3")
	@$(call verilate,axi_torus,-GDIMS=2 "-GRADICES=32'h0002_0003" "-GLINK_STAGES=16'h01_00" -GCHANNELS=3)
	@$(call verilate,axi_sum,-GDIMS=2 "-GRADICES=32'h0002_0003" "-GLINK_STAGES=16'h01_00" -GCHANNELS=3 "-GREDUCE=1'b1")
	@$(call verilate,axi_sum_half,"-GRADICES=16'd4" "-GSINGLE_PORT=1'b1" '-GKIND="half_duplex"' -GTREE_STAGES=1 \
	   "-GREDUCE=1'b1")
	@for f in $(OUT)/V*.cpp; do \
	   echo "#include \"$$f\""; done > $(OUT)/models.cc
	@$(CCACHE) $(CXX) -std=c++20 $(OPTIMIZE) -fPIC -fno-strict-aliasing -faligned-new -w \
	   -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0 -I$(OUT) -isystem $(RUNTIME) \
	   -isystem $(RUNTIME)/vltstd -c $(OUT)/models.cc -o $@
