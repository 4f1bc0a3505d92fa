# Builds one engine library, at build time (CMakeLists.txt here) and on demand (engine_library.cpp):
#
#   make -f tb/engine.mk OUT=LIBRARY.so INCLUDES="-I..." KIND=tile PORTS=6 SINGLE_PORT=0 ...
#
# Verilate, then compile everything as one translation unit, so that the model's evaluation is
# inlined into the engine's loop; but for Verilator's runtime, which takes longer than all the rest:
# the engines of a folder share it.
THIS := $(abspath $(lastword $(MAKEFILE_LIST)))
TB  := $(patsubst %/,%,$(dir $(THIS)))
RTL := $(abspath $(TB)/../rtl)
SW  := $(abspath $(TB)/../sw)

VERILATOR ?= verilator
CXX       ?= g++
CCACHE    := $(shell command -v ccache)
TRACE     ?= 0
ADAPTIVE  ?= 0
CXXFLAGS  ?= $(if $(filter tile,$(KIND)),-O3,-O2)

VERILATOR_ROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)
RUNTIME        := $(VERILATOR_ROOT)/include
SOURCES        := $(addprefix $(RTL)/,$(notdir $(shell cat $(RTL)/files.f)))
WORK           := $(OUT:.so=.d)

ifeq ($(KIND),tile)
TOP        := switch_tile
TOP_SOURCE := $(TB)/switch_tile.sv
PARAMETERS := -GPORTS=$(PORTS) "-GSINGLE_PORT=1'b$(SINGLE_PORT)" "-GHALF_DUPLEX=1'b$(HALF_DUPLEX)" \
              -GCHANNELS=$(CHANNELS) "-GADAPTIVE=1'b$(ADAPTIVE)"
DEFINES    := -DTILE_PORTS=$(PORTS) -DTILE_SINGLE_PORT=$(SINGLE_PORT) \
              -DTILE_HALF_DUPLEX=$(HALF_DUPLEX) -DTILE_CHANNELS=$(CHANNELS) -DTILE_ADAPTIVE=$(ADAPTIVE)
PLUGIN     := $(TB)/tile_plugin.cpp
endif

# A fabric of one shape: SHAPE=4x3p is a ring of 4 times a path of 3, dimension 0 first.
ifeq ($(KIND),flat)
TOP        := torus_fabric
TOP_SOURCE := $(TB)/flat_fabric.vlt
DIMENSIONS := $(subst x, ,$(SHAPE))
DIMS       := $(words $(DIMENSIONS))
RADICES    := $(shell for d in $(DIMENSIONS); do \
                h=$$(printf %04x $${d%p})$$h; echo $$h; done | tail -1)
WRAP       := $(shell for d in $(DIMENSIONS); do \
                case $$d in (*p) w=0$$w;; (*) w=1$$w;; esac; echo $$w; done | tail -1)
PARAMETERS := -GDIMS=$(DIMS) "-GRADICES=$(shell expr 16 \* $(DIMS))'h$(RADICES)" \
              "-GWRAP=$(DIMS)'b$(WRAP)" "-GSINGLE_PORT=1'b$(SINGLE_PORT)" \
              "-GHALF_DUPLEX=1'b$(HALF_DUPLEX)" "-GADAPTIVE=1'b$(ADAPTIVE)" \
              -GCHANNELS=$(CHANNELS) -GSLOT_DEPTH=$(SLOT_DEPTH) -GLIST_DEPTH=$(LIST_DEPTH) -GSTORE_DEPTH=$(STORE_DEPTH)
PLUGIN     := $(TB)/flat_plugin.cpp
# Large functions are what takes a compiler long: 5x sooner for 343 nodes.
SPLIT      := --output-split-cfuncs 500
endif

VERILATE := $(VERILATOR) --cc --Mdir $(WORK) --prefix Vengine --top-module $(TOP) -O3 --no-timing \
            --x-assign unique --x-initial unique --noassert $(PARAMETERS) $(SPLIT) \
            $(if $(filter 1,$(TRACE)),--trace-fst --trace-structs)
# What the waveform shows beside the RTL's own signals.
VIEW := $(if $(filter 1,$(TRACE)),$(TB)/switch_view.sv)
RUNTIME_SOURCES := $(if $(filter 1,$(TRACE)),verilated_fst_c.cpp) verilated.cpp verilated_threads.cpp
RUNTIME_OBJECT  := $(dir $(OUT))runtime$(if $(filter 1,$(TRACE)),_trace).o
# The part of the software that an engine calls.
SW_SOURCES := $(SW)/tables/node_program.cpp $(if $(filter flat,$(KIND)),$(SW)/tables/node_build.cpp)
SW_HEADERS := $(SW)/tables/node_program.hpp $(SW)/tables/node_build.hpp $(wildcard $(SW)/fabric/*.hpp) $(SW)/driver/payload.hpp

COMPILE := $(CCACHE) $(CXX) -std=c++20 $(CXXFLAGS) -fPIC -fvisibility=hidden -fno-semantic-interposition \
           -fno-strict-aliasing -faligned-new -w -DVM_TRACE=$(TRACE) -DVM_TRACE_FST=$(TRACE) \
           -DVM_COVERAGE=0 -DVM_SC=0 -isystem $(RUNTIME) -isystem $(RUNTIME)/vltstd

$(OUT): $(RUNTIME_OBJECT) $(SOURCES) $(TOP_SOURCE) $(VIEW) $(PLUGIN) $(SW_SOURCES) $(SW_HEADERS) \
        $(wildcard $(TB)/*.hpp) $(THIS)
	@mkdir -p $(WORK)
	@rm -f $(WORK)/Vengine*  # of an earlier RTL, which may have had more files
	@$(VERILATE) $(SOURCES) $(TOP_SOURCE) $(VIEW)
	@for f in $(WORK)/Vengine*.cpp $(SW_SOURCES) $(PLUGIN); do \
	   echo "#include \"$$f\""; done > $(WORK)/engine.cc
	@$(COMPILE) -fopenmp $(DEFINES) -I$(WORK) -I$(TB) -I$(SW) $(INCLUDES) -c $(WORK)/engine.cc \
	   -o $(WORK)/engine.o
	@$(CXX) -shared -o $@.part $(WORK)/engine.o $(RUNTIME_OBJECT) -pthread -fopenmp \
	   $(if $(filter 1,$(TRACE)),-lz)
	@mv $@.part $@

# Two engines may be built at the same time: whoever is done puts the same in place.
$(RUNTIME_OBJECT): $(addprefix $(RUNTIME)/,$(RUNTIME_SOURCES)) $(THIS)
	@mkdir -p $(@D)
	@for f in $(addprefix $(RUNTIME)/,$(RUNTIME_SOURCES)); do echo "#include \"$$f\""; done | \
	   $(COMPILE) -x c++ -c - -o $@.$$$$ && mv $@.$$$$ $@
