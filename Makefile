# The front door. `make help` lists what it can do; CMakeLists.txt does the building.
#
#   CASE=NAME   one case of the regression     JUNIT=FILE  a report for CI servers (make sim)
#   TEST=REGEX  some of the tests, ALL=1 those of CI, too (make test)    BUILD=DIR   another build directory
#   PART=NAME      one part of make interop
#   PREFIX=DIR  where to install           DESTDIR=DIR  below which folder (make install, uninstall)
#   WERROR=1    warnings are errors (where nothing is built yet; CI does)
#   FUZZ=WHAT   one of the long random runs    RUNS=N      so many inputs, or SECONDS=N (make fuzz)
BUILD ?= build
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
SUITE := tests/regression.toml
FUZZ ?= all
PREFIX ?= /usr/local
SANITIZERS := thread address
SANITIZE ?= $(SANITIZERS)
# Evaluated only after the set-up, which may install Ninja.
GENERATOR = $(if $(shell command -v ninja),Ninja,Unix Makefiles)
cmake_build = cmake --build $(1) --parallel $(JOBS)
# Some tests wait for a terminal or a browser: one more than the processors can run. Sanitizers get more time.
SECONDS_A_TEST = 600
run_tests = ctest --test-dir $(1) --output-on-failure --timeout $(SECONDS_A_TEST) --parallel $(shell expr $(JOBS) + 1) $(if $(TEST),-R $(call quoted,$(TEST)),$(if $(ALL),,-LE ci))

# GNU make or a shell takes a folder's name with one of these for several, or for something else.
ODD := ' " ` \# $$ & * ( ) ; < > ? [ ] \ | ~ : = ! { } %
odd = $(filter-out 1,$(words $(1)))$(strip $(foreach c,$(ODD),$(findstring $(c),$(1))))
ifneq ($(call odd,$(CURDIR)),)
$(error the folder's name has a space or one of $(ODD), with which GNU make cannot build: move the checkout: $(CURDIR))
endif
ifneq ($(call odd,$(BUILD)),)
$(error BUILD is one folder, without a space or one of $(ODD): $(BUILD))
endif
# A build that was copied with its checkout is of the other one, and writes there.
BUILT_FROM := $(if $(wildcard $(BUILD)/CMakeCache.txt),$(shell sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' $(BUILD)/CMakeCache.txt))
ifeq ($(filter clean,$(MAKECMDGOALS)),)
ifneq ($(realpath $(BUILT_FROM)),$(if $(BUILT_FROM),$(realpath $(CURDIR))))
$(error $(BUILD) was made from another folder, $(BUILT_FROM): `make clean` removes it)
endif
endif
# A word for the shell.
quoted = '$(subst ','\'',$(1))'

# MPI that was installed after the build was configured must be found.
ifeq ($(MPI),1)
$(shell rm -f $(BUILD)/.configured)
endif

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := build
.PHONY: help setup build sim install uninstall package wheel release test faults fuzz lint tidy wave report browser synth fpga formal bench interop coverage coverage-cpp signoff sanitize \
        $(SANITIZERS:%=sanitize-%) format clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install what is missing to build and simulate (all targets do this first; MPI=1: Open MPI too)
	@.ci/setup base $(if $(filter 1,$(MPI)),mpi)

build: $(BUILD)/.configured ## build the command: build/bin/gossamer (what a bare `make` does)
	@$(call cmake_build,$(BUILD)) --target gossamer

sim: $(BUILD)/.configured ## run the regression on the RTL and print its table (CASE=NAME, JUNIT=FILE)
	@$(call cmake_build,$(BUILD)) --target gossamer$(if $(CASE),, judges)
	@$(BUILD)/bin/gossamer suite $(SUITE) $(if $(CASE),--case $(call quoted,$(CASE))) $(if $(JUNIT),--junit $(call quoted,$(JUNIT)))
	@$(if $(CASE),,$(BUILD)/bin/judges)

test: $(BUILD)/.configured ## install Yosys, build everything, test C++ and cycles (TEST=REGEX; ALL=1: installation, synthesis, browser, proofs ..., too)
	@.ci/setup yosys $(if $(ALL)$(TEST),browser)
	@$(call cmake_build,$(BUILD))
	@$(call run_tests,$(BUILD))
	@$(if $(TEST),,$(if $(ALL),$(BUILD)/bin/test_engines '[.icarus]'))

faults: $(BUILD)/.configured ## the long fault campaigns on hypercubes (short ones are in make test)
	@$(call cmake_build,$(BUILD)) --target test_faults
	@$(BUILD)/bin/test_faults '[.long]'

# FUZZ: lifecycle, properties, elastic, one of the targets in tests/fuzz, or all. OPERATIONS sets the length of
# lifecycle.
fuzz: $(BUILD)/.configured ## long random runs: hostile files, wrong schedules, a node's life, clocks (FUZZ=, RUNS=, SECONDS=, SEED=)
ifneq ($(filter all lifecycle,$(FUZZ)),)
	@$(call cmake_build,$(BUILD)) --target test_lifecycle
	@$(if $(OPERATIONS),OPERATIONS=$(OPERATIONS)) $(if $(SEED),SEED=$(SEED)) \
	  $(BUILD)/bin/test_lifecycle '[.long]'
endif
ifneq ($(filter all properties,$(FUZZ)),)
	@$(call cmake_build,$(BUILD)) --target test_properties
	@RUNS=$(RUNS) SEED=$(SEED) $(BUILD)/bin/test_properties '[.long]'
endif
ifneq ($(filter all elastic,$(FUZZ)),)
	@$(call cmake_build,$(BUILD)) --target test_engines
	@$(BUILD)/bin/test_engines '[.long]'
endif
ifneq ($(filter-out lifecycle properties elastic,$(FUZZ)),)
	@.ci/setup fuzz
	@$(MAKE) $(BUILD)-fuzz/.configured
	@$(call cmake_build,$(BUILD)-fuzz) --target fuzz_programs
	@RUNS=$(RUNS) SECONDS=$(SECONDS) SEED=$(SEED) tests/fuzz/run $(BUILD)-fuzz $(filter-out all,$(FUZZ))
endif

install: export PREFIX := $(PREFIX)
install uninstall: export DESTDIR := $(DESTDIR)
install: $(BUILD)/.configured ## install the command with all that it needs (PREFIX=/usr/local, DESTDIR=)
	@case $$PREFIX in *[\;\\]*) echo "PREFIX has a character that CMake cannot install below: $$PREFIX" >&2; exit 2 ;; esac
	@$(call cmake_build,$(BUILD)) --target installed
	@cmake --install $(BUILD) --prefix "$$PREFIX"
	@while IFS= read -r file || [ -n "$$file" ]; do printf '%s\n' "$$DESTDIR$$file"; done \
	  <$(BUILD)/install_manifest.txt >$(BUILD)/installed.txt  # a list of its own: tests install, too

uninstall: ## remove what `make install` has installed last (DESTDIR=)
	@tb/uninstall $(BUILD)/installed.txt

package: $(BUILD)/.configured ## make a Debian package: build/gossamer_VERSION_ARCHITECTURE.deb
	@$(call cmake_build,$(BUILD)) --target installed
	@cd $(BUILD) && cpack -G DEB

wheel: setup ## one file for pip, with engines, for Linux without compiler or Verilator: build-wheel/wheel/
	@python/wheel/make $(BUILD)-wheel

release: setup ## what is published, with its sums, in build-release/: wheel, Debian package, sources, sign-off page
	@python/wheel/release $(BUILD)

lint: setup ## read the RTL with Verilator, Icarus and Yosys, and reports' scripts with Node
	@.ci/setup yosys
	@tests/scripts/lint
	@tests/scripts/parameters_test
	@for script in sw/page/assets/*.js; do ! command -v node >/dev/null || node --check $$script || exit 1; done

# Another compiler cannot read the precompiled headers.
tidy: build ## clang-tidy reads the C++ of sw/ and tb/
	@.ci/setup tidy
	@mkdir -p $(BUILD)/tidy && sed 's/ -Werror//; s/ -Winvalid-pch -include [^ ]*//' $(BUILD)/compile_commands.json >$(BUILD)/tidy/compile_commands.json
	@run-clang-tidy -quiet -p $(BUILD)/tidy '^((?!/tests/|_pch|my_platform).)*$$'

wave: build ## run an example, or CASE=NAME, and open its waveform in GTKWave
	@.ci/setup wave
	@tests/scripts/wave $(BUILD) $(SUITE) $(if $(CASE),$(call quoted,$(CASE)))

report: build ## run the regression, or CASE=NAME of it, and open its report in a browser
	@tests/scripts/report $(BUILD) $(SUITE) $(if $(CASE),$(call quoted,$(CASE)))

browser: build ## open reports in Chromium, and leave screenshots in build/browser
	@.ci/setup browser
	@python=$$(command -v /usr/bin/python3 || command -v python3); \
	  $$python tests/browser/report_test $(BUILD)/bin/gossamer $(BUILD)/browser

interop: build ## run Gossamer in other people's tools: cocotb, FuseSoC, ECP5 ... (PART=NAME for one)
	@.ci/setup yosys interop
	@tests/interop/run $(BUILD) $(PART)

synth: setup ## report area and speed of a node and of its switch (FAMILY=ice40|ecp5|xilinx, PARAMS=FILE.vh)
	@.ci/setup yosys fpga
	@constraints/synth/report $(FAMILY)

fpga: BOARD ?= hx8k
fpga: YOWASP := $(abspath $(BUILD))/interop/yowasp
fpga: build ## make a bitstream of a self-running torus (BOARD=icebreaker|hx8k|ulx3s|tangnano9k)
ifneq ($(filter ulx3s tangnano9k,$(BOARD)),)
	@.ci/setup interop
	@tests/interop/run $(BUILD) --setup
	@PATH="$(YOWASP):$$PATH" constraints/fpga/build $(BOARD) $(BUILD)/bin/gossamer $(BUILD)/fpga/$(BOARD)
else
	@.ci/setup yosys fpga
	@constraints/fpga/build $(BOARD) $(BUILD)/bin/gossamer $(BUILD)/fpga/$(BOARD)
	@constraints/fpga/build netlist $(BUILD)/bin/gossamer $(BUILD)/fpga/netlist
	@constraints/fpga/netlist_test $(BUILD)/fpga/netlist
endif

formal: setup ## prove the RTL's properties, and find planted bugs
	@.ci/setup yosys formal
	@WAVES=$(BUILD)/formal rtl/formal/prove
	@WAVES=$(BUILD)/formal TEXT=simulation rtl/formal/prove
	@rtl/formal/planted

# A build of its own, whose models count. SECONDS: no program begins after so many.
coverage: export VERILATOR := $(CURDIR)/tests/coverage/verilator
coverage: export OPTIMIZE := -O0
coverage: setup ## which lines, branches and states of the RTL the tests and the regression execute (SECONDS=N, 0: all)
	@.ci/setup yosys
	@cmake -S . -B $(BUILD)-coverage -G '$(GENERATOR)' -DVERILATOR=$(VERILATOR) >/dev/null
	@$(call cmake_build,$(BUILD)-coverage) --target gossamer test_rtl test_axi test_lifecycle
	@tests/coverage/run $(BUILD)-coverage $(SECONDS)

# A build of its own. Engines that the command compiles when it needs them do not count.
coverage-cpp: setup ## which lines and branches of the C++ the tests and the regression execute
	@.ci/setup yosys coverage
	@cmake -S . -B $(BUILD)-cpp -G '$(GENERATOR)' -DCMAKE_BUILD_TYPE=Debug \
	  -DCMAKE_CXX_FLAGS='--coverage -fprofile-update=atomic' -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
	@$(call cmake_build,$(BUILD)-cpp)
	@find $(BUILD)-cpp -name '*.gcda' -delete
	@$(BUILD)-cpp/bin/gossamer suite $(SUITE) >$(BUILD)-cpp/suite.log
	@$(call run_tests,$(BUILD)-cpp) || echo 'some tests fail: what they executed counts'
	@gcovr --root . --filter 'sw/' --filter 'tb/' --exclude-throw-branches --exclude-unreachable-branches --txt \
	  --json $(BUILD)-cpp/coverage.json $(BUILD)-cpp/CMakeFiles $(BUILD)-cpp/tb

signoff: $(BUILD)/.configured ## one page of what was checked: build/signoff/index.html (SECONDS=N, 0: all)
	@.ci/setup yosys formal fpga
	@$(call cmake_build,$(BUILD)) --target gossamer judges test_lifecycle test_fuzz
	@tests/signoff/run $(BUILD) $(SECONDS)

bench: $(BUILD)/.configured ## measure the simulator's speed and the fabric's cycle counts
	@$(call cmake_build,$(BUILD)) --target gossamer
	@tests/scripts/bench $(BUILD)/bin/gossamer

sanitize: $(SANITIZE:%=sanitize-%) ## the tests under sanitizers (SANITIZE=address: ASan, UBSan; thread: TSan)

$(SANITIZERS:%=sanitize-%): SECONDS_A_TEST = 3000
# What Verilator's runtime leaks is not ours.
sanitize-address: export LSAN_OPTIONS = suppressions=$(CURDIR)/tests/leaks.supp:print_suppressions=0
sanitize-address: $(BUILD)-address/.configured
	@$(call cmake_build,$(BUILD)-address)
	@$(call run_tests,$(BUILD)-address)

# The tests of parts with threads: engines, the scoreboard, suites, progress.
sanitize-thread: TEST ?= ^(checks|engines|driver|cli)/
sanitize-thread: $(BUILD)-thread/.configured
	@$(call cmake_build,$(BUILD)-thread) --target gossamer test_checks test_engines test_driver test_cli
	@$(call run_tests,$(BUILD)-thread)

format: ## clang-format 14 all C++ files in place (CHECK=1: only say what it would change, and fail)
	@.ci/setup format
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-14 $(if $(CHECK),--dry-run --Werror,-i)

clean: ## remove what was built, the examples' output too
	rm -rf $(BUILD) $(SANITIZERS:%=$(BUILD)-%) $(BUILD)-fuzz $(BUILD)-coverage $(BUILD)-cpp $(BUILD)-wheel $(BUILD)-release examples/*/out

# Once configured, the build system updates itself.
$(BUILD)/.configured: | setup
	@cmake -S . -B $(BUILD) -G '$(GENERATOR)' -DCMAKE_COMPILE_WARNING_AS_ERROR=$(if $(WERROR),ON,OFF)
	@touch $@

$(BUILD)-address/.configured $(BUILD)-thread/.configured: | setup
	@cmake -S . -B $(@D) -G '$(GENERATOR)' -DGOSSAMER_SANITIZE=$(patsubst $(BUILD)-%/.configured,%,$@)
	@touch $@

$(BUILD)-fuzz/.configured: | setup
	@cmake -S . -B $(BUILD)-fuzz -G '$(GENERATOR)' -DGOSSAMER_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++ \
	  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DGOSSAMER_UNITY=OFF
	@touch $@
