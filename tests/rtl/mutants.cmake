# What `make mutate` runs (target `mutants`; nothing else builds it): a copy of the RTL with all
# mutants in it, switched by the environment's GOSSAMER_MUTANT, the blocks, engines and fabrics behind
# AXI Verilated from that copy as hardware has it, and on them the tests of this folder and of ../axi
# and the command. ../CMakeLists.txt includes this file.
set(mutants ${CMAKE_BINARY_DIR}/mutants)
set(formal ${CMAKE_SOURCE_DIR}/rtl/formal)
set(as_hardware "VERILATOR=${VERILATOR} -DSYNTHESIS")
file(MAKE_DIRECTORY ${mutants}/engines)
add_custom_command(
  OUTPUT ${mutants}/rtl/files.f
  COMMAND ${formal}/mutate --copy ${mutants}/rtl
  DEPENDS ${rtl_sources} ${formal}/mutate ${formal}/mutant_list.py
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
  COMMENT "Writing a copy of the RTL with all mutants" VERBATIM)

add_custom_command(
  OUTPUT ${mutants}/blocks/blocks.o
  COMMAND make -s -f ${CMAKE_CURRENT_LIST_DIR}/blocks.mk RTL=${mutants}/rtl OUT=${mutants}/blocks
          ${as_hardware}
  DEPENDS ${mutants}/rtl/files.f ${CMAKE_CURRENT_LIST_DIR}/blocks.mk
  COMMENT "Verilating the blocks with all mutants" VERBATIM)

set(mutant_engine_settings ${engine_settings} RTL=${mutants}/rtl CXXFLAGS=-O1 ${as_hardware})
set(mutant_engine_make make -s -f ${CMAKE_SOURCE_DIR}/tb/engine.mk ${mutant_engine_settings})
list(JOIN mutant_engine_settings "' '" mutant_engine_settings_text)
set(mutant_engines)
set(mutant_engine_names)
function(mutant_engine name)
  add_custom_command(
    OUTPUT ${mutants}/engines/${name}.so
    COMMAND ${mutant_engine_make} OUT=${mutants}/engines/${name}.so
            RUNTIME_OBJECT=${verilator_runtime} ${ARGN}
    DEPENDS ${mutants}/rtl/files.f gossamer_engines
    DEPFILE ${mutants}/engines/${name}.so.dep
    COMMENT "Verilating ${name} with all mutants" VERBATIM)
  set(mutant_engines ${mutant_engines} ${mutants}/engines/${name}.so PARENT_SCOPE)
  set(mutant_engine_names "${mutant_engine_names} ${name}" PARENT_SCOPE)
endfunction()

foreach(kind IN ITEMS 2:1:single:full 2:1:single:half 4:1:single:full 4:1:single:half
                      6:1:single:full 6:1:single:half 2:2:all:full 4:1:all:full 4:4:all:full
                      6:1:all:full 6:6:all:full)
  string(REPLACE ":" ";" kind ${kind})
  list(GET kind 0 ports)
  list(GET kind 1 channels)
  list(GET kind 2 model)
  list(GET kind 3 duplex)
  mutant_engine(tile_${ports}p${channels}c_${model}_${duplex} KIND=tile PORTS=${ports}
                CHANNELS=${channels} SINGLE_PORT=$<STREQUAL:${model},single>
                HALF_DUPLEX=$<STREQUAL:${duplex},half> TRACE=0)
endforeach()
foreach(model IN ITEMS single all)
  mutant_engine(tile_8p1c_${model}_full_adaptive KIND=tile PORTS=8 CHANNELS=1 ADAPTIVE=1
                SINGLE_PORT=$<STREQUAL:${model},single> HALF_DUPLEX=0 TRACE=0)
endforeach()
foreach(duplex IN ITEMS full half)
  mutant_engine(flat_8_1c_single_${duplex}_64_64_1024 KIND=flat SHAPE=8 CHANNELS=1 SINGLE_PORT=1
                HALF_DUPLEX=$<STREQUAL:${duplex},half> SLOT_DEPTH=64 LIST_DEPTH=64
                STORE_DEPTH=1024 TRACE=0)
endforeach()
mutant_engine(flat_2x2x2_1c_all_full_64_64_1024_adaptive KIND=flat SHAPE=2x2x2 CHANNELS=1 ADAPTIVE=1
              SINGLE_PORT=0 HALF_DUPLEX=0 SLOT_DEPTH=64 LIST_DEPTH=64 STORE_DEPTH=1024 TRACE=0)
add_custom_target(mutant_engines DEPENDS ${mutant_engines})

# The engine library as the testbench has it, but for where it looks for engines.
add_library(mutant_library OBJECT EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tb/engine_library.cpp)
target_compile_definitions(mutant_library PRIVATE
  GOSSAMER_ENGINE_DIR="${mutants}/engines" GOSSAMER_ENGINES="${mutant_engine_names}"
  GOSSAMER_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  GOSSAMER_ENGINE_SETTINGS="'${mutant_engine_settings_text}'")
target_include_directories(mutant_library PRIVATE ${CMAKE_SOURCE_DIR}/tb)
target_link_libraries(mutant_library PRIVATE gossamer_sw)

add_executable(gossamer_mutants EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tb/main.cpp
                                                 $<TARGET_OBJECTS:mutant_library>)
target_link_libraries(gossamer_mutants PRIVATE gossamer_tb)

# mutant_tests(FOLDER OBJECT [LIBRARY...]): the tests of a folder beside this one, with the models of
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
add_dependencies(mutants mutant_engines gossamer_mutants)
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
