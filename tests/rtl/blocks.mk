# Verilates the blocks of the switch node, and elastic links, one by one, for their tests:
#
#   make -f tests/rtl/blocks.mk OUT=FOLDER
#
# leaves V<name>.h for each of them in FOLDER, and everything compiled in FOLDER/blocks.o: as one
# translation unit, which costs far less than a unit per model. Verilator's runtime comes from
# tb/engines/engine.mk.
THIS := $(abspath $(lastword $(MAKEFILE_LIST)))
HERE := $(patsubst %/,%,$(dir $(THIS)))
RTL  := $(abspath $(HERE)/../../rtl)

VERILATOR ?= verilator
CXX       ?= g++
OPTIMIZE  ?= -O1
CCACHE    := $(shell command -v ccache)
RUNTIME   := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include

# name:module:parameters, separated by commas; a parameter that is a bit is written NAME=b0 or b1,
# a KIND without its quotes.
BLOCKS = \
  sequencer:sequencer:PORTS=4,TABLE_AW=16 \
  sequencer_half:sequencer:PORTS=4,TABLE_AW=8,HALF_DUPLEX=b1 \
  sequencer_single:sequencer:PORTS=4,TABLE_AW=8,SINGLE_PORT=b1 \
  sequencer_single_half:sequencer:PORTS=4,TABLE_AW=8,SINGLE_PORT=b1,HALF_DUPLEX=b1 \
  sequencer_one_cycle:sequencer_one_cycle:PORTS=4,TABLE_AW=16 \
  sequencer_one_cycle_six:sequencer_one_cycle:PORTS=6,TABLE_AW=8,SINGLE_PORT=b1 \
  sequencer_adaptive:sequencer:PORTS=4,TABLE_AW=8,ADAPTIVE=b1 \
  sequencer_one_cycle_single:sequencer_one_cycle:PORTS=4,TABLE_AW=8,SINGLE_PORT=b1 \
  sequencer_one_cycle_unchecked:sequencer_one_cycle:PORTS=4,TABLE_AW=8,SINGLE_PORT=b1,ENTRY_CHECK=b0 \
  sequencer_narrow:sequencer:PORTS=4,TABLE_AW=3,LEN_W=4,REPEAT_W=4 \
  sequencer_long:sequencer:PORTS=4,TABLE_AW=8,LEN_W=26 \
  sequencer_unchecked:sequencer:PORTS=4,TABLE_AW=8,SINGLE_PORT=b1,ENTRY_CHECK=b0 \
  read_channel:read_channel:LIST_AW=16,ADDR_W=24,LOG_W=3 \
  read_channel_reduce:read_channel:LIST_AW=8,ADDR_W=24,LOG_W=3,REDUCE=b1 \
  read_channel_stays:read_channel:LIST_AW=8,ADDR_W=24,LOG_W=3,STAYS=b1 \
  read_channel_in_order:read_channel:LIST_AW=8,ADDR_W=16,LOG_W=3,IN_ORDER=b1,OWN_LOG=4 \
  receive_log:receive_log:PORTS=4,LOGS=4,CHANNELS=2,ADDR_W=8,LOG_W=3 \
  receive_log_two:receive_log:PORTS=2,LOGS=2,CHANNELS=1,ADDR_W=8,LOG_W=2 \
  receive_log_single:receive_log:PORTS=3,LOGS=1,CHANNELS=1,ADDR_W=24,LOG_W=3 \
  crossbar:crossbar:PORTS=4,FLIT_W=32,CHANNELS=1 \
  crossbar_channels:crossbar:PORTS=3,FLIT_W=32,CHANNELS=3 \
  crossbar_hardware:crossbar:PORTS=4,FLIT_W=32,CHANNELS=1,SKIP_IDLE=b0 \
  crossbar_two:crossbar:PORTS=2,FLIT_W=32,CHANNELS=1 \
  crossbar_one_cycle:crossbar:PORTS=4,FLIT_W=32,CHANNELS=1,ONE_CYCLE=b1 \
  link_full:link_full:PORTS=10 \
  link_full_one_cycle:link_full:PORTS=3,ONE_CYCLE=b1 \
  link_full_adaptive:link_full:PORTS=3,ADAPTIVE=b1 \
  link_half:link_half:PORTS=10 \
  exchange_log:exchange_log:PORTS=3,LOGS=3,ADDR_W=6,LOG_W=2,MESSAGES=8,SLOT_W=4 \
  exchange_log_two:exchange_log:PORTS=2,LOGS=2,ADDR_W=24,LOG_W=2,MESSAGES=8,SLOT_W=4 \
  exchange_log_single:exchange_log:PORTS=3,LOGS=1,ADDR_W=6,LOG_W=2,MESSAGES=8,SLOT_W=4 \
  exchange_log_staged:exchange_log:PORTS=8,LOGS=8,ADDR_W=6,LOG_W=4,MESSAGES=8,SLOT_W=8,STAGED=b1 \
  config_port:config_port:PORTS=34,LOGS=34,ADAPTIVE=b1,SLOT_DEPTH=64,LIST_DEPTH=32,STORE_DEPTH=100,LEN_W=9,REPEAT_W=10 \
  config_port_double:config_port:PORTS=2,LOGS=2,DOUBLE_BUFFERED=b1,FAULTS=b0,FLIT_W=64,SLOT_DEPTH=8,LIST_DEPTH=8,STORE_DEPTH=16 \
  error_log:error_log:PORTS=10,CHANNELS=10,SLOT_W=20 \
  error_log_one:error_log:PORTS=4,SLOT_W=20 \
  error_log_hardware:error_log:PORTS=62,SLOT_W=20,SKIP_IDLE=b0 \
  error_log_staged:error_log:PORTS=8,SLOT_W=20,STAGED=b1 \
  error_log_late:error_log:PORTS=4,SLOT_W=20,LATE=b1 \
  error_log_bare:error_log:PORTS=4,SLOT_W=20,DETAIL=b0 \
  link_elastic_5:link_elastic:STAGES=5 \
  link_elastic_7_parity:link_elastic:STAGES=7,FLIT_W=8,PARITY=b1 \
  link_elastic_8:link_elastic:STAGES=8 \
  link_elastic_8_parity:link_elastic:STAGES=8,PARITY=b1 \
  link_elastic_any:link_elastic_any: \
  node_table:node_table:PORTS=4,CHANNELS=2,SLOT_DEPTH=6,LIST_DEPTH=5 \
  node_table_even:node_table:PORTS=4,CHANNELS=2,SLOT_DEPTH=4,LIST_DEPTH=4 \
  node_table_double:node_table:PORTS=2,CHANNELS=1,SLOT_DEPTH=4,LIST_DEPTH=4,DOUBLE_BUFFERED=b1 \
  message_store:message_store:PORTS=2,FLIT_W=64,CHANNELS=2,DEPTH=6,REDUCE=b1 \
  message_store_even:message_store:PORTS=2,FLIT_W=32,CHANNELS=1,DEPTH=4 \
  message_store_single:message_store:PORTS=2,FLIT_W=32,SINGLE_PORT=b1,CHANNELS=1,DEPTH=6 \
  receive_window:receive_window:PORTS=8,STAGED=b1 \
  switch_core_far:switch_core:PORTS=2,CHANNELS=2,REDUCE=b1,TABLE_AW=16,LIST_AW=16,ADDR_W=24 \
  switch_core_lists:switch_core:PORTS=4,CHANNELS=4,TABLE_AW=16,LIST_AW=16,ADDR_W=11 \
  switch_core_ten:switch_core:PORTS=10,CHANNELS=10,HALF_DUPLEX=b1,FLIT_W=8,ADDR_W=4 \
  switch_core_staged:switch_core:PORTS=8,ADAPTIVE=b1,STAGED=b1,ADDR_W=24 \
  switch_node_large:switch_node:PORTS=4,CHANNELS=4,REDUCE=b1,SLOT_DEPTH=64,LIST_DEPTH=64,STORE_DEPTH=1024 \
  switch_node_large_adaptive:switch_node:PORTS=4,KIND=adaptive,SLOT_DEPTH=4,LIST_DEPTH=4,STORE_DEPTH=1024 \
  switch_node:switch_node:PORTS=2,SINGLE_PORT=b1,FAULTS=b0,$(SMALL) \
  switch_node_adaptive:switch_node:PORTS=2,KIND=adaptive,MESSAGES=8,$(SMALL) \
  switch_node_one_cycle:switch_node:PORTS=2,KIND=one_cycle,SINGLE_PORT=b1,$(SMALL) \
  switch_node_one_cycle_channels:switch_node:PORTS=2,KIND=one_cycle,CHANNELS=2,$(SMALL) \
  switch_node_half:switch_node:PORTS=2,KIND=half_duplex,CHANNELS=2,DOUBLE_BUFFERED=b1,$(SMALL) \
  switch_node_reduce:switch_node:PORTS=2,CHANNELS=2,REDUCE=b1,$(SMALL) \
  switch_node_reduce_single:switch_node:PORTS=2,SINGLE_PORT=b1,REDUCE=b1,$(SMALL) \
  parts_fabric:parts_fabric:DIMS=1,CHANNELS=2,REDUCE=b1 \
  parts_fabric_half:parts_fabric:RADICES=32'h20003,STAGES=2,KIND=half_duplex,CHANNELS=3 \
  reduce_op:reduce_op:FLIT_W=64 \
  reduce_op_narrow:reduce_op:FLIT_W=20 \
  switch_node_in_order:switch_node:PORTS=2,KIND=one_cycle,SINGLE_PORT=b1,IN_ORDER=b1,LEN_W=1,REPEAT_W=1,$(SMALL)
SMALL := SLOT_DEPTH=4,LIST_DEPTH=4,STORE_DEPTH=8

# What a module needs beside itself.
USES_link_elastic_any := link_elastic
USES_link_full     := link_rx
USES_link_half     := link_rx
USES_node_table    := ram_1r1w
USES_message_store := ram_1r1w
USES_switch_core   := crossbar receive_window link_rx link_full link_half sequencer sequencer_one_cycle \
                      read_channel receive_log exchange_log write_mux error_log reduce_op delay_line
USES_switch_node   := ram_1r1w $(USES_switch_core) switch_core node_table message_store config_port
USES_parts_fabric  := torus_pkg torus_part link_stages switch_node $(USES_switch_node)

name       = $(word 1,$(subst :, ,$(1)))
module     = $(word 2,$(subst :, ,$(1)))
parameters = $(foreach p,$(subst $(comma), ,$(word 3,$(subst :, ,$(1)))),"-G$(patsubst KIND=%,KIND=\"%\",$(subst =b,=1'b,$(p)))")
sources    = $(foreach m,gossamer_pkg simulation_pkg $(USES_$(1)) $(1),$(wildcard $(RTL)/*/$(m).sv $(HERE)/$(m).sv))
comma     := ,

define verilate
	@$(VERILATOR) --cc --Mdir $(OUT) --prefix V$(call name,$(1)) --top-module $(call module,$(1)) \
	  --no-timing --x-assign unique --x-initial unique --noassert -DGOSSAMER_SIM \
	  $(call parameters,$(1)) $(call sources,$(call module,$(1)))

endef

# The caller decides when to rebuild, because tool versions count too.
.PHONY: $(OUT)/blocks.o
$(OUT)/blocks.o: $(wildcard $(RTL)/*/*.sv $(HERE)/*.sv) $(THIS)
	@mkdir -p $(OUT)
	@rm -f $(OUT)/V*
	$(foreach b,$(BLOCKS),$(call verilate,$(b)))
	@for f in $(OUT)/V*.cpp; do \
	   echo "#include \"$$f\""; done > $(OUT)/blocks.cc
	@$(CCACHE) $(CXX) -std=c++20 $(OPTIMIZE) -fPIC -fno-strict-aliasing -faligned-new -w \
	   -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0 -I$(OUT) -isystem $(RUNTIME) \
	   -isystem $(RUNTIME)/vltstd -c $(OUT)/blocks.cc -o $@
