# Hashes for engine.mk, which includes this file, because the time stamps of files do not show all
# changes of what an engine is made from.
#
#   make -f tb/engines/engine.mk tools        prints versions and flags of the tools
#   make -f tb/engines/engine.mk key          prints four hashes: of everything in engines except their
#                                     variant, of the interface (its fingerprint), of the tools and Verilator's runtime, and of
#                                     them with all C++ that engines include; then the files
#                                     behind them, one per line
#   make -f tb/engines/engine.mk fingerprint OUT=HEADER
#                                     defines the fingerprint of the interface for the program's half
HASH := $(shell command -v sha256sum || command -v shasum || echo cksum)
hash_text  = $(HASH) | cut -d' ' -f1 | cut -c1-16
hash_files = $(HASH) $(1) | cut -d' ' -f1 | $(hash_text)

# Our files that sources include, as the compiler finds them; files that Verilator writes for a
# variant do not exist yet.
with_included = $(filter-out %: \ Vengine%,$(shell $(CXX) -std=c++20 -MM -MG $(INCLUDE) $(1)))

WAVE_WRITER  := $(HERE)/wave_writer.cpp
tools_text    = $(VERILATOR) --version; $(CXX) --version; echo '$(VERILATOR) $(CXX) $(CXXFLAGS) $(CHECK)'; $(HASH) < $(WAVE_WRITER)
hash_of_tools = { $(tools_text); } | $(hash_text)
# These files change when the tools are installed again, even if the version is the same.
tool_files    = $(foreach tool,$(firstword $(VERILATOR)) $(firstword $(CXX)),$(shell command -v $(tool))) \
                $(wildcard $(VERILATOR_ROOT)/bin/verilator_bin /usr/bin/verilator_bin $(RUNTIME)/verilated.h)

# The interface: headers that engine and program both compile, and the RTL's constants in them.
PACKAGE           := $(ROOT)/rtl/node/gossamer_pkg.sv
interface_files    = $(call with_included,$(SW)/fabric/fabric.hpp) $(PACKAGE)
hash_of_interface  = $(call hash_files,$(interface_files))

.PHONY: tools key fingerprint
tools:
	@$(tools_text)
ifneq ($(filter key,$(MAKECMDGOALS)),)
key: hashed = $(SOURCES) $(wildcard $(HERE)/*/*.sv $(HERE)/*/*.vlt $(HERE)/tile/*lane* $(TB)/waves/*.sv $(HERE)/engine*.mk) $(WAVE_WRITER) $(compiled) $(PACKAGE)
key: compiled := $(call with_included,$(wildcard $(HERE)/*/*_plugin.cpp) $(COMMON_SOURCES) $(TILE_SOURCES) $(FLAT_SOURCES))
key: interface := $(interface_files)
endif
key:
	@{ $(tools_text); $(call hash_files,$(hashed)); } | $(hash_text)
	@$(call hash_files,$(interface))
	@$(hash_of_tools)
	@{ $(tools_text); $(call hash_files,$(interface) $(compiled) $(THIS)); } | $(hash_text)
	@printf '%s\n' $(sort $(hashed) $(interface) $(RTL)/files.f $(tool_files))
fingerprint:
	@echo '#define GOSSAMER_ENGINE_FINGERPRINT "'"$$($(hash_of_interface))"'"' > $(OUT)
	@echo '$(OUT): $(interface_files)' > $(OUT).dep
