# What `make mutate` runs (target `mutants`; nothing else builds it): a copy of the RTL with all
# mutants in it, switched by the environment's GOSSAMER_MUTANT, engines and fabrics behind AXI Verilated from that
# copy as hardware has it, its blocks as simulation has it, too, and on them the tests of ../rtl, of ../axi and
# of ../lifecycle, and the command. ../CMakeLists.txt includes this file.
set(mutants ${CMAKE_BINARY_DIR}/mutants)
set(as_hardware "VERILATOR=${VERILATOR}" TEXT=)
file(MAKE_DIRECTORY ${mutants}/engines)
add_custom_command(
  OUTPUT ${mutants}/rtl/files.f
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/mutate --copy ${mutants}/rtl
  DEPENDS ${rtl_sources} ${CMAKE_CURRENT_LIST_DIR}/mutate ${CMAKE_CURRENT_LIST_DIR}/mutant_list.py
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
  COMMENT "Writing a copy of the RTL with all mutants" VERBATIM)

add_custom_command(
  OUTPUT ${mutants}/blocks/blocks.o
  COMMAND make -s -f ${CMAKE_CURRENT_SOURCE_DIR}/rtl/blocks.mk RTL=${mutants}/rtl OUT=${mutants}/blocks
          VERILATOR=${VERILATOR}
  DEPENDS ${mutants}/rtl/files.f ${CMAKE_CURRENT_SOURCE_DIR}/rtl/blocks.mk
  COMMENT "Verilating the blocks with all mutants" VERBATIM)

# The engine library as in the testbench, except for the source of its engines.
list(JOIN engine_settings "' '" mutant_settings)
set(mutant_settings "'${mutant_settings}' RTL='${mutants}/rtl' CXXFLAGS=-O1 TEXT=")
add_library(mutant_library OBJECT EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tb/engines/engine_home.cpp)
target_compile_definitions(mutant_library PRIVATE
  GOSSAMER_ENGINE_DIR="${mutants}/engines" GOSSAMER_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  GOSSAMER_GENERATED_DIR="${generated}" GOSSAMER_ENGINE_SETTINGS="${mutant_settings}"
  GOSSAMER_SHARE="none" GOSSAMER_LIBRARIES="none")
target_include_directories(mutant_library PRIVATE ${CMAKE_SOURCE_DIR}/tb)
target_link_libraries(mutant_library PRIVATE gossamer_sw)

foreach(program IN ITEMS gossamer_mutants:main engine_build_mutants:engines/engine_build)
  string(REPLACE ":" ";" program ${program})
  list(GET program 0 name)
  list(GET program 1 source)
  add_executable(${name} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tb/${source}.cpp
                                          $<TARGET_OBJECTS:mutant_library>)
  target_link_libraries(${name} PRIVATE gossamer_tb)
endforeach()
add_custom_target(mutant_rtl DEPENDS ${mutants}/rtl/files.f)
add_dependencies(engine_build_mutants mutant_rtl)  # and everything that it builds
engines_target(mutant_engines engine_build_mutants
  tile_2p1c_single_full tile_2p1c_single_half tile_4p1c_single_full tile_4p1c_single_half
  tile_6p1c_single_full tile_6p1c_single_half tile_2p2c_all_full tile_4p1c_all_full
  tile_4p4c_all_full tile_6p1c_all_full tile_6p6c_all_full
  tile_8p1c_single_full_adaptive tile_8p1c_all_full_adaptive
  tile_2p1c_single_full_staged tile_2p1c_single_half_staged tile_4p1c_single_full_staged
  tile_4p4c_all_full_staged tile_8p1c_single_full_adaptive_staged tile_8p1c_all_full_adaptive_staged
  flat_8_1c_single_full_64_64_1024 flat_8_1c_single_half_64_64_1024 flat_3px3p_1c_single_full_64_64_1024
  flat_2x2x2_1c_all_full_64_64_1024_adaptive)

# mutant_tests(FOLDER OBJECT [LIBRARY...]): the tests of a folder of tests, with the models of
# OBJECT, which are made of the copy.
function(mutant_tests folder object)
  get_target_property(sources test_${folder} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  cmake_path(GET object PARENT_PATH models)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  add_executable(test_${folder}_mutants EXCLUDE_FROM_ALL ${sources} ${object} ${verilator_runtime} ${ARGN})
  add_dependencies(test_${folder}_mutants verilator_runtime)
  add_dependencies(mutants test_${folder}_mutants)
  target_include_directories(test_${folder}_mutants PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_include_directories(test_${folder}_mutants SYSTEM PRIVATE
    ${models} ${verilator_root}/include ${verilator_root}/include/vltstd)
  target_link_libraries(test_${folder}_mutants PRIVATE catch_main gossamer_tb)
endfunction()

add_custom_target(mutants)
add_dependencies(mutants mutant_engines gossamer_mutants test_engines)
mutant_tests(rtl ${mutants}/blocks/blocks.o $<TARGET_OBJECTS:mutant_library>)

foreach(folder IN ITEMS axi)
  add_custom_command(
    OUTPUT ${mutants}/${folder}/models.o
    COMMAND make -s -f ${CMAKE_CURRENT_LIST_DIR}/../${folder}/models.mk RTL=${mutants}/rtl
            OUT=${mutants}/${folder} ${as_hardware}
    DEPENDS ${mutants}/rtl/files.f ${CMAKE_CURRENT_LIST_DIR}/../${folder}/models.mk
    COMMENT "Verilating the models of tests/${folder} with all mutants" VERBATIM)
  mutant_tests(${folder} ${mutants}/${folder}/models.o)
endforeach()

# The life cycle has two sets of models, each with a folder of its own. Yosys does not read the copy: no netlists.
foreach(kind nodes fabrics)
  add_custom_command(
    OUTPUT ${mutants}/lifecycle/${kind}.o
    COMMAND make -s -f ${CMAKE_CURRENT_LIST_DIR}/../lifecycle/models.mk RTL=${mutants}/rtl
            OUT=${mutants}/lifecycle VERILATOR=${VERILATOR} ${kind}.o
    DEPENDS ${mutants}/rtl/files.f ${CMAKE_CURRENT_LIST_DIR}/../lifecycle/models.mk
    COMMENT "Verilating the ${kind} of tests/lifecycle with all mutants" VERBATIM)
  set_source_files_properties(${mutants}/lifecycle/${kind}.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endforeach()
mutant_tests(lifecycle ${mutants}/lifecycle/nodes.o ${mutants}/lifecycle/fabrics.o)
target_compile_definitions(test_lifecycle_mutants PRIVATE GOSSAMER_MUTANTS)
target_link_libraries(test_lifecycle_mutants PRIVATE node_model)
target_include_directories(test_lifecycle_mutants SYSTEM PRIVATE ${mutants}/lifecycle/nodes ${mutants}/lifecycle/fabrics)
