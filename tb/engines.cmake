# gossamer_engine_library(LIBRARY.so KIND=tile PORTS=2 ...): the rule that builds an engine library
# with engine.mk, and does so again if one of the files, a tool or a flag that it was made with has
# changed. Expects VERILATOR, engine_dir, generated and, if engines are
# to be checked when they run, sanitizer.
set(engine_folder ${CMAKE_CURRENT_LIST_DIR})
set(engine_settings CXX=${CMAKE_CXX_COMPILER} VERILATOR=${VERILATOR} SANITIZE=${sanitizer}
                    INCLUDES=-I${generated})
set(engine_make make -s -f ${engine_folder}/engine.mk ${engine_settings})
file(MAKE_DIRECTORY ${engine_dir})

# Versions and flags: a file that is looked at in every build, and written when they have changed.
set(engine_tools ${engine_dir}/tools)
add_custom_target(engine_tools
  COMMAND ${engine_make} tools > ${engine_tools}.now
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${engine_tools}.now ${engine_tools}
  BYPRODUCTS ${engine_tools}
  COMMENT "Looking at the versions of Verilator and the compiler" VERBATIM)

# Verilator's runtime, which all engines share.
set(verilator_runtime ${engine_dir}/runtime.o)
add_custom_command(
  OUTPUT ${verilator_runtime}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${verilator_runtime}
  COMMAND ${engine_make} RUNTIME_OBJECT=${verilator_runtime} ${verilator_runtime}
  DEPENDS ${engine_folder}/engine.mk ${engine_tools}
  COMMENT "Compiling Verilator's runtime" VERBATIM)
add_custom_target(verilator_runtime DEPENDS ${verilator_runtime})
add_dependencies(verilator_runtime engine_tools)

function(gossamer_engine_library library)
  get_filename_component(name ${library} NAME_WE)
  add_custom_command(
    OUTPUT ${library}
    COMMAND ${engine_make} RUNTIME_OBJECT=${verilator_runtime} OUT=${library} ${ARGN}
    DEPENDS ${verilator_runtime} ${engine_tools} ${generated}/gossamer_constants.hpp
    DEPFILE ${library}.dep
    COMMENT "Verilating ${name}" VERBATIM)
endfunction()
