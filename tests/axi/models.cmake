# The Verilated fabrics that the tests in this folder drive (models.mk); ../CMakeLists.txt includes
# this file.
set(models ${CMAKE_CURRENT_BINARY_DIR}/axi_models)
file(GLOB rtl_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*/*.sv)
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE verilator_root
                OUTPUT_STRIP_TRAILING_WHITESPACE)
add_custom_command(
  OUTPUT ${models}/models.o
  COMMAND make -s -f ${CMAKE_CURRENT_LIST_DIR}/models.mk OUT=${models}
  DEPENDS ${rtl_sources} ${CMAKE_SOURCE_DIR}/rtl/files.f
          ${CMAKE_CURRENT_LIST_DIR}/models.mk ${CMAKE_CURRENT_LIST_DIR}/counters.vlt ${engine_tools}
  COMMENT "Verilating axi_fabric" VERBATIM)
set_source_files_properties(${models}/models.o ${verilator_runtime}
                            PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
target_sources(test_axi PRIVATE ${models}/models.o ${verilator_runtime})
add_dependencies(test_axi verilator_runtime)
target_include_directories(test_axi SYSTEM PRIVATE ${models} ${verilator_root}/include
                                                   ${verilator_root}/include/vltstd)
