# What `make mutate` runs (target `mutants`; nothing else builds it): a copy of the RTL with all mutants in it, switched by the
# environment's GOSSAMER_MUTANT; the programs of ../models.cmake with its modules Verilated from that copy as simulation has it, and
# the command with engines made from it as hardware has it. ../CMakeLists.txt includes this file.
set(mutants ${CMAKE_BINARY_DIR}/mutants)
file(MAKE_DIRECTORY ${mutants}/engines)
add_custom_command(
  OUTPUT ${mutants}/rtl/files.f
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/mutate --copy ${mutants}/rtl
  DEPENDS ${rtl_sources} ${CMAKE_CURRENT_LIST_DIR}/mutate ${CMAKE_CURRENT_LIST_DIR}/mutant_list.py
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
  COMMENT "Writing a copy of the RTL with all mutants" VERBATIM)

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
add_executable(gossamer_mutants EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tb/main.cpp $<TARGET_OBJECTS:mutant_library>)
target_link_libraries(gossamer_mutants PRIVATE gossamer_tb)
add_custom_target(mutants)
add_dependencies(mutants gossamer_mutants test_engines)

foreach(folder IN ITEMS rtl axi lifecycle)
  get_target_property(sources test_${folder} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  add_executable(test_${folder}_mutants EXCLUDE_FROM_ALL ${sources} $<TARGET_OBJECTS:mutant_library>)
  target_compile_definitions(test_${folder}_mutants PRIVATE GOSSAMER_MUTANTS)
  target_include_directories(test_${folder}_mutants PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(test_${folder}_mutants PRIVATE catch_main gossamer_tb node_model)
  add_dependencies(mutants test_${folder}_mutants)
endforeach()
set(models_of mutants)
set(models_rtl ${mutants}/rtl)
set(models_suffix _mutants)
include(models.cmake)
