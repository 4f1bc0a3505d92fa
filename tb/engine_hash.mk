# Hashes for engine.mk, which includes this file: what an engine is made of may change without a
# library noticing it by its files' times.
#
#   make -f tb/engine.mk tools        prints versions and flags of the tools
#   make -f tb/engine.mk key          prints a hash of all that engines are made of, but for their variant,
#                                     and the interface's fingerprint
#   make -f tb/engine.mk fingerprint OUT=HEADER
#                                     defines the fingerprint of the interface for the program's half
HASH := $(shell command -v sha256sum || command -v shasum || echo cksum)
hash_text  = $(HASH) | cut -d' ' -f1 | cut -c1-16
hash_files = $(HASH) $(1) | cut -d' ' -f1 | $(hash_text)

# The files of ours that sources include, as the compiler finds them; what Verilator writes for a
# variant is not there yet.
with_included = $(filter-out %: \ Vengine%,$(shell $(CXX) -std=c++20 -MM -MG $(INCLUDE) $(1)))

tools_text    = $(VERILATOR) --version; $(CXX) --version; echo '$(VERILATOR) $(CXX) $(CXXFLAGS) $(CHECK)'
hash_of_tools = { $(tools_text); } | $(hash_text)

# The interface: headers that engine and program both compile, and the RTL's constants in them.
PACKAGE           := $(ROOT)/rtl/gossamer_pkg.sv
hash_of_interface  = $(call hash_files,$(call with_included,$(TB)/engine_plugin.hpp) $(PACKAGE))

.PHONY: tools key fingerprint
tools:
	@$(tools_text)
key:
	@{ $(tools_text); $(call hash_files,$(SOURCES) $(wildcard $(TB)/*.sv $(TB)/*.vlt $(TB)/engine*.mk) \
	     $(call with_included,$(wildcard $(TB)/*_plugin.cpp) $(SW_SOURCES)) $(PACKAGE)); } | $(hash_text)
	@$(hash_of_interface)
fingerprint:
	@echo '#define GOSSAMER_ENGINE_FINGERPRINT "'"$$($(hash_of_interface))"'"' > $(OUT)
	@echo '$(OUT): $(call with_included,$(TB)/engine_plugin.hpp) $(PACKAGE)' > $(OUT).dep
