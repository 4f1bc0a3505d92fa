# The Verilated fabrics that the tests in this folder drive (models.mk); ../CMakeLists.txt includes
# this file.
set(models ${CMAKE_CURRENT_BINARY_DIR}/lifecycle_models)
file(GLOB rtl_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*/*.sv)
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE verilator_root
                OUTPUT_STRIP_TRAILING_WHITESPACE)
foreach(kind nodes netlists fabrics)
  add_custom_command(
    OUTPUT ${models}/${kind}.o
    COMMAND make -s -f ${CMAKE_CURRENT_LIST_DIR}/models.mk OUT=${models} ${kind}.o
    DEPENDS ${rtl_sources} ${CMAKE_SOURCE_DIR}/rtl/files.f ${CMAKE_CURRENT_LIST_DIR}/models.mk
            ${CMAKE_CURRENT_LIST_DIR}/witness.vlt ${engine_tools}
    COMMENT "Verilating ${kind}" VERBATIM)
endforeach()
# Their models of nodes run for many cycles. The precompiled headers are made for code that is not optimized.
target_compile_options(test_lifecycle PRIVATE -O1)
set_target_properties(test_lifecycle PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
# Their headers are built together with them.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/node_variants.cpp PROPERTIES OBJECT_DEPENDS
                            "${models}/nodes.o;${models}/netlists.o")
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/axi_test.cpp PROPERTIES OBJECT_DEPENDS ${models}/fabrics.o)
set(objects ${models}/nodes.o ${models}/netlists.o ${models}/fabrics.o ${verilator_runtime})
set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
target_sources(test_lifecycle PRIVATE ${objects})
add_dependencies(test_lifecycle verilator_runtime)
target_include_directories(test_lifecycle SYSTEM PRIVATE ${models}/nodes ${models}/netlists ${models}/fabrics
                           ${verilator_root}/include ${verilator_root}/include/vltstd)
