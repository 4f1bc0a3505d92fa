# The Verilated blocks that the tests in this folder drive (blocks.mk); ../CMakeLists.txt includes
# this file.
set(blocks ${CMAKE_CURRENT_BINARY_DIR}/rtl_blocks)
file(GLOB rtl_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*/*.sv ${CMAKE_CURRENT_LIST_DIR}/*.sv)
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE verilator_root
                OUTPUT_STRIP_TRAILING_WHITESPACE)
add_custom_command(
  OUTPUT ${blocks}/blocks.o
  COMMAND make -s -f ${CMAKE_CURRENT_LIST_DIR}/blocks.mk OUT=${blocks}
  DEPENDS ${rtl_sources} ${CMAKE_CURRENT_LIST_DIR}/blocks.mk ${engine_tools}
  COMMENT "Verilating the blocks of the switch node" VERBATIM)
# Their headers are built together with them: what includes them must not be older.
file(GLOB rtl_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
set_source_files_properties(${rtl_tests} PROPERTIES OBJECT_DEPENDS ${blocks}/blocks.o)
set_source_files_properties(${blocks}/blocks.o ${verilator_runtime}
                            PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
target_sources(test_rtl PRIVATE ${blocks}/blocks.o ${verilator_runtime})
add_dependencies(test_rtl verilator_runtime)
target_include_directories(test_rtl SYSTEM PRIVATE ${blocks} ${verilator_root}/include
                                                   ${verilator_root}/include/vltstd)
