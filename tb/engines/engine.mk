# Builds one engine library (engine_cache.sh calls it when a run needs one):
#
#   make -f tb/engines/engine.mk OUT=LIBRARY.so INCLUDES="-I..." NAME=tile_6p1c
#
# It builds whenever it is called: the caller decides when, by a hash (engine_hash.mk). The library
# appears only when it is complete.
#
# Verilate, then compile everything as one translation unit, so that the model's evaluation is
# inlined into the engine's loop. Only Verilator's runtime, which takes longer than all the rest, is
# compiled once for the engines of a folder.
.DEFAULT_GOAL = $(OUT)
THIS := $(abspath $(lastword $(MAKEFILE_LIST)))
HERE := $(patsubst %/,%,$(dir $(THIS)))
TB   := $(abspath $(HERE)/..)
ROOT := $(abspath $(TB)/..)
SW   := $(ROOT)/sw
RTL  = $(ROOT)/rtl

comma := ,
VERILATOR ?= verilator
CXX       ?= g++
LINK      ?= $(CXX)
CLANG     := $(findstring clang,$(CXX))
CCACHE    := $(shell command -v ccache)
# What NAME says, word by word: tile_6p1c is a tile of 6 ports with 1 read channel each, flat_4x3p_1c_64_64_1024_singleport
# a fabric of one shape (a ring of 4 times a path of 3, dimension 0 first) with memories of these depths. Then may follow: what
# MODEL_... in gossamer_pkg.sv calls the nodes, and a number if it is no flag; wide, bits of a tile's lengths and addresses; staged, a tile for links with register stages;
# stages0003, a flat fabric's, two hex digits a dimension, dimension 0 last; trace; fast, for long runs, which takes twice as long to
# compile and runs faster; lanes, a fast tile that evaluates eight nodes at once where they do the same, with AVX2.
WORDS := $(subst _, ,$(NAME))
is     = $(if $(filter $(1),$(WORDS)),1,0)
KIND  := $(firstword $(WORDS))
PORTS := $(firstword $(subst p, ,$(word 2,$(WORDS))))
SHAPE := $(word 2,$(WORDS))
CHANNELS    := $(subst c,,$(if $(filter tile,$(KIND)),$(lastword $(subst p, ,$(word 2,$(WORDS)))),$(word 3,$(WORDS))))
MODEL       := $(shell awk -v words="$(WORDS) " '/localparam int MODEL_/ { \
                 word = tolower(substr($$3, 7)); gsub("_", "", word); \
                 if (match(words, " " word "[0-9]* ")) { value = substr(words, RSTART + length(word) + 1, RLENGTH - length(word) - 2); \
                                                         model += (value == "" ? 1 : value) * 2 ^ $$5 } } \
                 END { print model + 0 }' $(RTL)/node/gossamer_pkg.sv)
STAGED      := $(call is,staged)
TRACE       := $(call is,trace)
FAST        := $(call is,fast lanes)
LANES       := $(call is,lanes)
LINK_STAGES := $(patsubst stages%,%,$(filter stages%,$(WORDS)))
LONG_W      := $(if $(filter wide,$(WORDS)),$(shell sed -n 's/.* SEG_RUN_W *= *\([0-9]*\).*/\1/p' $(RTL)/node/gossamer_pkg.sv))
# Lanes run as fast with -O1 as with -O2, and compile in two thirds of the time. Engines for short runs: -Og compiles them a
# sixth faster than -O1, and they run some 7 % slower.
CXXFLAGS  = $(if $(SANITIZE)$(filter 1,$(LANES)),-O1,$(if $(filter 1,$(FAST)),$(if $(filter tile,$(KIND)),-O3,-O2),-Og))
# Of a model alone, where it is fast: without partial redundancy elimination tiles of 4 ports run 3 to 13 % faster. Those of 2 ports do
# not, and with 6 ports a gossip by translations runs by a third slower.
NO_PRE    = $(if $(SHARED)$(CLANG),,$(if $(filter 4,$(PORTS)),-fno-tree-pre))
# The RTL's text; empty: hardware's.
TEXT      = -DGOSSAMER_SIM
# Called after each step but the last: engine_cache.sh tells them.
STEP      = :
# What -fsanitize= checks (address,undefined), in the model too but not in Verilator's runtime.
SANITIZE  =

VERILATOR_ROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)
RUNTIME        := $(VERILATOR_ROOT)/include
SOURCES        := $(patsubst rtl/%,$(RTL)/%,$(filter rtl/%,$(shell cat $(RTL)/files.f)))
WORK           := $(abspath $(OUT:.so=.d))

ifeq ($(KIND),tile)
TOP        := switch_tile
TOP_SOURCE := $(HERE)/tile/switch_tile.sv
PARAMETERS := -GPORTS=$(PORTS) -GCHANNELS=$(CHANNELS) -GMODEL=$(MODEL) "-GSTAGED=1'b$(STAGED)" \
              $(if $(LONG_W),-GLEN_W=$(LONG_W) -GADDR_W=$(LONG_W) -GTABLE_AW=$(LONG_W))
DEFINES    := -DTILE_PORTS=$(PORTS) -DTILE_CHANNELS=$(CHANNELS) -DTILE_MODEL=$(MODEL) -DTILE_STAGED=$(STAGED) \
              -DTILE_LENGTH_BITS=$(if $(LONG_W),$(LONG_W),0) -DTILE_LANES=$(LANES)
PLUGIN     := $(HERE)/tile/tile_plugin.cpp
endif

ifeq ($(KIND),flat)
TOP        := torus_fabric
TOP_SOURCE := $(HERE)/flat/flat_fabric.vlt
DIMENSIONS := $(subst x, ,$(SHAPE))
DIMS       := $(words $(DIMENSIONS))
RADICES    := $(shell for d in $(DIMENSIONS); do \
                h=$$(printf %04x $${d%p})$$h; echo $$h; done | tail -1)
WRAP       := $(shell for d in $(DIMENSIONS); do \
                case $$d in (*p) w=0$$w;; (*) w=1$$w;; esac; echo $$w; done | tail -1)
PARAMETERS := -GDIMS=$(DIMS) "-GRADICES=$(shell expr 16 \* $(DIMS))'h$(RADICES)" \
              "-GWRAP=$(DIMS)'b$(WRAP)" -GMODEL=$(MODEL) \
              -GCHANNELS=$(CHANNELS) -GSLOT_DEPTH=$(word 4,$(WORDS)) -GLIST_DEPTH=$(word 5,$(WORDS)) -GSTORE_DEPTH=$(word 6,$(WORDS)) \
              $(if $(LINK_STAGES),"-GLINK_STAGES=$(shell expr 8 \* $(DIMS))'h$(LINK_STAGES)")
PLUGIN     := $(HERE)/flat/flat_plugin.cpp
# Large functions take a compiler long; with this it takes a fifth of the time for 343
# nodes.
SPLIT      := --output-split-cfuncs 500
endif

# Newer versions of Verilator write small functions where they are called: tile_plugin.cpp would not find the steps
# of an evaluation.
ifeq ($(KIND),tile)
WHOLE_STEPS := $(shell $(VERILATOR) -fno-inline-cfuncs --version > /dev/null 2>&1 && echo -fno-inline-cfuncs)
endif

# Lanes need a class without structures in it (lane_model.hpp); tables would be of single nodes.
ifeq ($(LANES),1)
FOR_LANES := --comp-limit-members 0 -fno-table
endif

VERILATE := $(VERILATOR) --cc --Mdir $(WORK) --prefix Vengine --top-module $(TOP) -O3 --no-timing \
            --x-assign unique --x-initial unique --noassert $(TEXT) $(PARAMETERS) $(SPLIT) $(WHOLE_STEPS) $(FOR_LANES) \
            $(if $(filter 1,$(TRACE)),--trace-fst --trace-structs +define+TRACED)
# The model's functions, which are compiled for lanes, too; slow ones are those that a clock cycle does not need.
LANE_MODEL := cd $(WORK) && for f in $$(ls Vengine___024root__*.cpp | grep -v Slow); do echo "\#include <$$f>"; done > lane_logic.hpp
# Signals that the waveform shows besides the RTL's own.
VIEW := $(if $(filter 1,$(TRACE)),$(TB)/waves/switch_view.sv)
# What does not depend on an engine's variant.
COMMON_SOURCES := $(SW)/fabric/node_program.cpp
TILE_SOURCES   := $(patsubst %,$(HERE)/tile/%.cpp,link_slots log_store tile_threads)
FLAT_SOURCES   := $(SW)/tables/node_build.cpp $(SW)/tables/read_clashes.cpp
# SHARED=PREFIX: engines that are not fast share PREFIX.o, with these sources, and PREFIX.hpp with its
# precompiled form; `make shared` makes both. Those that write waveforms have a PREFIX of their own.
SHARED          =
OWN_SOURCES    := $(if $(SHARED),,$(COMMON_SOURCES) $(if $(filter flat,$(KIND)),$(FLAT_SOURCES),$(TILE_SOURCES)))
# As sources include them.
included        = $(patsubst $(TB)/%,%,$(patsubst $(SW)/%,%,$(1)))

INCLUDE := -I$(TB) -I$(SW) $(INCLUDES)
# ccache takes precompiled headers only if it is told that they may be trusted.
COMPILER := $(if $(CCACHE),CCACHE_SLOPPINESS=$(if $(CCACHE_SLOPPINESS),$(CCACHE_SLOPPINESS)$(comma))pch_defines$(comma)time_macros $(CCACHE)) $(CXX)
COMPILE := $(COMPILER) -std=c++20 $(CXXFLAGS) -fPIC -fvisibility=hidden -fno-semantic-interposition \
           -fno-strict-aliasing -faligned-new -DVM_TRACE=$(TRACE) -DVM_TRACE_FST=$(TRACE) \
           -DVM_COVERAGE=0 -DVM_SC=0 -isystem $(RUNTIME) -isystem $(RUNTIME)/vltstd
# Missing functions are reported when an engine is linked, not when it is loaded. (A sanitizer's
# functions are in the program.)
WHOLE   := $(if $(SANITIZE),,-Wl,--no-undefined)
# Verilator's waveforms keep words of 64 bits at addresses for 32: its header is in the engine. And g++ 12 does not come
# to an end with the long expressions of a flat fabric's model where it checks their arithmetic.
UNCHECKED := $(if $(filter 1,$(TRACE)),alignment) $(if $(filter flat,$(KIND)),shift integer-divide-by-zero signed-integer-overflow)
CHECK   := $(if $(SANITIZE),-fsanitize=$(SANITIZE) $(addprefix -fno-sanitize=,$(UNCHECKED)) -fno-sanitize-recover=all \
           -fno-omit-frame-pointer -g)

include $(HERE)/engine_hash.mk

RUNTIME_SOURCES := $(if $(filter 1,$(TRACE)),$(WAVE_WRITER)) $(RUNTIME)/verilated.cpp $(RUNTIME)/verilated_threads.cpp
# A caller who names the runtime, or the interface's fingerprint, knows when they must be rebuilt.
ifeq ($(RUNTIME_OBJECT),)
RUNTIME_OBJECT := $(dir $(OUT))runtime$(if $(filter 1,$(TRACE)),_trace)-$(shell $(hash_of_tools)).o
endif
FINGERPRINT ?= $(shell $(hash_of_interface))

# The model's code must not depend on the folder of its sources, for a compiler's cache. The model
# is included as a system header, so that only our own code gives warnings.
.PHONY: $(OUT) runtime
$(OUT): $(RUNTIME_OBJECT)
	@mkdir -p $(WORK)
	@rm -f $(WORK)/Vengine*  # files of an earlier RTL
	@cd $(ROOT) && $(VERILATE) $(patsubst $(ROOT)/%,%,$(SOURCES) $(TOP_SOURCE) $(VIEW))
	@$(if $(filter 1,$(LANES)),$(LANE_MODEL))
	@$(STEP) translated
	@set -e; cd $(WORK); \
	 { echo '#define GOSSAMER_ENGINE_FINGERPRINT "$(FINGERPRINT)"'; \
	   for f in Vengine*.cpp; do echo "#include <$$f>"; done; \
	   for f in $(call included,$(OWN_SOURCES) $(PLUGIN)); do echo "#include \"$$f\""; done; } > engine.cc
	@cd $(WORK) && $(COMPILE) $(CHECK) -Wall -Wextra $(if $(filter 1,$(LANES)),-mavx2 $(if $(CLANG),,-fno-tree-loop-distribute-patterns)) $(NO_PRE) $(DEFINES) $(INCLUDE) -isystem . \
	   $(if $(SHARED),-include $(SHARED).hpp) -c engine.cc -o engine.o
	@$(STEP) compiled
	@$(LINK) $(CHECK) -shared $(WHOLE) -o $@.part $(WORK)/engine.o $(if $(SHARED),$(SHARED).o) $(RUNTIME_OBJECT) -pthread \
	   $(if $(filter 1,$(TRACE)),-lz) $(if $(CLANG),-latomic)
	@mv $@.part $@

runtime: $(RUNTIME_OBJECT)

# The object comes last: when it is there, all is.
.PHONY: shared
shared:
	@{ for f in verilated.h $(if $(filter 1,$(TRACE)),verilated_fst_c.h); do echo "#include <$$f>"; done; \
	   for f in fabric/fabric.hpp engines/tile/tile_engine.hpp; do echo "#include \"$$f\""; done; } > $(SHARED).hpp
	@$(COMPILE) $(CHECK) $(INCLUDE) -x c++-header -c $(SHARED).hpp -o $(SHARED).hpp.gch
	@for f in $(call included,$(COMMON_SOURCES) $(TILE_SOURCES) $(FLAT_SOURCES)); do echo "#include \"$$f\""; done | \
	   $(COMPILE) $(CHECK) $(INCLUDE) -x c++ -c - -o $(SHARED).o.part && mv $(SHARED).o.part $(SHARED).o

# Two engines may be built at the same time: both then write the same file.
$(RUNTIME_OBJECT): $(RUNTIME_SOURCES) $(THIS)
	@mkdir -p $(@D)
	@set -e; for f in $(filter %.cpp,$^); do echo "#include \"$$f\""; done | \
	   $(COMPILE) -w -x c++ -c - -o $@.$$$$ && mv $@.$$$$ $@
