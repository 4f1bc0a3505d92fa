# The Verilated modules that test programs drive.
# verilated(PROGRAM GROUP WORDS MODEL...): the program includes V<name>.h of each model (./verilate says what a model is). A group is
# a build step of its own, and compiled as one: as many as keep two processors busy.
function(verilated program group words)
  set(folder ${CMAKE_BINARY_DIR}/models/${program}_${group})
  list(TRANSFORM ARGN REPLACE "^([^ ]+).*" "${folder}/V\\1.h;${folder}/V\\1___024root.h" OUTPUT_VARIABLE headers)
  add_custom_command(
    OUTPUT ${folder}.o BYPRODUCTS ${headers}
    COMMAND ${CMAKE_COMMAND} -E env RTL=${CMAKE_SOURCE_DIR}/rtl VERILATOR=${VERILATOR} CXX=${CMAKE_CXX_COMPILER}
            ${CMAKE_SOURCE_DIR}/tests/verilate ${folder}.o "${words}" ${ARGN}
    DEPENDS ${rtl_sources} ${CMAKE_SOURCE_DIR}/rtl/files.f ${CMAKE_SOURCE_DIR}/tests/verilate ${model_files} ${engine_tools}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    COMMENT "Verilating ${program} ${group}" VERBATIM)
  set_source_files_properties(${folder}.o ${verilator_runtime} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(target test_${program})
  target_sources(${target} PRIVATE ${folder}.o ${verilator_runtime})
  add_dependencies(${target} verilator_runtime)
  target_include_directories(${target} SYSTEM PRIVATE ${folder} ${verilator_root}/include ${verilator_root}/include/vltstd)
endfunction()

verilated(rtl links "" "link_elastic_7_parity link_elastic STAGES=7 FLIT_W=8 PARITY=1'b1"
  "link_elastic_8 link_elastic STAGES=8"
  "link_elastic_any link_elastic_any tests/rtl/link_elastic_any.sv")

# As in axi/bench.hpp.
set(fabric "axi_fabric SLOT_DEPTH=16 LIST_DEPTH=16 STORE_DEPTH=64")
verilated(axi rings ${fabric} "axi_single RADICES=16'd4 SINGLE_PORT=1'b1 tests/axi/counters.vlt" "axi_all RADICES=16'd4 CHANNELS=2"
  "axi_programs RADICES=16'd4 CHANNELS=2 MODEL=32'h00000400"
  "axi_programs_single RADICES=16'd4 SINGLE_PORT=1'b1 MODEL=32'h00000400"
  "axi_far RADICES=16'd4 CHANNELS=2 TREE_STAGES=2 LINK_STAGES=8'd3"
  "axi_sum_half RADICES=16'd4 CHANNELS=3 KIND=half_duplex TREE_STAGES=1 JOIN=1'b1")
verilated(axi tori "${fabric} DIMS=2 RADICES=32'h0002_0003 CHANNELS=3" "axi_torus LINK_STAGES=16'h01_00" "axi_sum JOIN=1'b1"
  "axi_one_stream one_stream tests/axi/one_stream.sv")

# As in lifecycle/node_variants.cpp and axi_test.cpp (NodeBuild, AxiBuild).
set(small "SLOT_DEPTH=8 LIST_DEPTH=8 STORE_DEPTH=16")
set(shared "SHARED=320'h00130000000700010000000000000000000900000009000000070000000500000001000100010000 OWN_DEPTH=6 MODEL=32'h00000800")
verilated(lifecycle nodes "switch_node ${small}"
  "node_single PORTS=2 SINGLE_PORT=1'b1 DOUBLE_BUFFERED=1'b1 PROGRAMS=4"
  "node_single_half PORTS=2 SINGLE_PORT=1'b1 KIND=half_duplex"
  "node_all PORTS=2 REPEAT_W=3 LEN_W=6 SLOT_DEPTH=7 LIST_DEPTH=6 STORE_DEPTH=11"
  "node_all_half PORTS=2 CHANNELS=2 KIND=half_duplex DOUBLE_BUFFERED=1'b1"
  "node_one_cycle PORTS=2 SINGLE_PORT=1'b1 KIND=one_cycle REPEAT_W=3"
  "node_one_cycle_all PORTS=2 CHANNELS=2 KIND=one_cycle DOUBLE_BUFFERED=1'b1 PROGRAMS=2"
  "node_adaptive PORTS=2 KIND=adaptive MESSAGES=8"
  "node_adaptive_single PORTS=2 KIND=adaptive SINGLE_PORT=1'b1 MESSAGES=8 DOUBLE_BUFFERED=1'b1"
  "node_four PORTS=4 CHANNELS=4 FLIT_W=16 DOUBLE_BUFFERED=1'b1 ${shared}"
  "node_join PORTS=2 JOIN=1'b1 DOUBLE_BUFFERED=1'b1 PROGRAMS=4"
  "node_join_half PROGRAMS=2 PORTS=10 CHANNELS=10 FLIT_W=8 KIND=half_duplex JOIN=1'b1 ALL_OPS=1'b1"
  "node_join_four PORTS=4 CHANNELS=4 JOIN=1'b1 ALL_OPS=1'b1 FLIT_W=16 SHARED=320'h00000000001100000000000000000000000900000009000000070000000500000001000100010000"
  "node_four_adaptive PORTS=4 KIND=adaptive MESSAGES=8 FAULTS=1'b0"
  "node_in_order PORTS=2 SINGLE_PORT=1'b1 IN_ORDER=1'b1 FAULTS=1'b0 ERROR_DETAIL=1'b0 FLIT_W=8")
verilated(lifecycle netlists "yosys switch_node ${small}"
  "node_single_yosys PORTS=2 SINGLE_PORT=1'b1 DOUBLE_BUFFERED=1'b1"
  "node_one_cycle_yosys PORTS=2 SINGLE_PORT=1'b1 KIND=one_cycle REPEAT_W=3"
  "node_join_yosys PORTS=2 JOIN=1'b1 DOUBLE_BUFFERED=1'b1 PROGRAMS=4"
  "node_four_yosys PORTS=4 CHANNELS=4 FLIT_W=16 DOUBLE_BUFFERED=1'b1 ${shared}")
verilated(lifecycle fabrics "axi_fabric ${small} RADICES=16'd3 tests/lifecycle/witness.vlt"
  "fabric_single SINGLE_PORT=1'b1"
  "fabric_single_half SINGLE_PORT=1'b1 KIND=half_duplex"
  "fabric_all CHANNELS=2"
  "fabric_all_half KIND=half_duplex INDEX_W=7"
  "fabric_tree SINGLE_PORT=1'b1 TREE_STAGES=1 MODEL=32'h00000200"
  "fabric_tree_links CHANNELS=2 TREE_STAGES=3 LINK_STAGES=8'd2"
  "fabric_tree_half SINGLE_PORT=1'b1 KIND=half_duplex TREE_STAGES=2 LINK_STAGES=8'd1"
  "fabric_join CHANNELS=2 JOIN=1'b1 MODEL=32'h00000c00 OWN_DEPTH=6 REPEAT_W=4 SHARED=96'h000400010000000000010000"
  "fabric_join_half CHANNELS=2 JOIN=1'b1 KIND=half_duplex TREE_STAGES=1 LINK_STAGES=8'd2")
# Models of nodes run for many cycles. The precompiled headers are made for code that is not optimized.
target_compile_options(test_lifecycle PRIVATE -O1)
set_target_properties(test_lifecycle PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
