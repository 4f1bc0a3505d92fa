# Settings for engine.mk, which builds engines when the command needs them. Expects VERILATOR,
# engine_dir, generated and, for engines with run-time checks, sanitizer.
set(engine_folder ${CMAKE_CURRENT_LIST_DIR})
set(engine_settings CXX=${CMAKE_CXX_COMPILER} VERILATOR=${VERILATOR} SANITIZE=${sanitizer})
set(engine_make make -s -f ${engine_folder}/engine.mk ${engine_settings} INCLUDES=-I${generated})
list(JOIN engine_settings "' '" engine_settings_text)
set(engine_settings_text "'${engine_settings_text}'")
# Where the command finds sources and build tree, from its own folder if it can know that: two builds give the same bytes.
set(sources_path ${CMAKE_SOURCE_DIR})
set(build_path ${CMAKE_BINARY_DIR})
if(EXISTS /proc/self/exe)
  file(RELATIVE_PATH sources_path ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${CMAKE_SOURCE_DIR})
  set(build_path ..)
endif()
# What an installed one builds engines with.
set(installed_tools "${CMAKE_CXX_COMPILER} ${VERILATOR}")
set(installed_settings "${engine_settings_text}")
file(MAKE_DIRECTORY ${engine_dir})

# Versions and flags: a file that is checked in every build, and written only when they have
# changed.
set(engine_tools ${engine_dir}/tools)
add_custom_target(engine_tools
  COMMAND ${engine_make} tools > ${engine_tools}.now
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${engine_tools}.now ${engine_tools}
  BYPRODUCTS ${engine_tools}
  COMMENT "Looking at the versions of Verilator and the compiler" VERBATIM)

# Verilator's runtime, for tests that Verilate the RTL themselves.
set(verilator_runtime ${engine_dir}/runtime.o)
add_custom_command(
  OUTPUT ${verilator_runtime}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${verilator_runtime}
  COMMAND ${engine_make} RUNTIME_OBJECT=${verilator_runtime} runtime
  DEPENDS ${engine_folder}/engine.mk ${engine_tools}
  COMMENT "Compiling Verilator's runtime" VERBATIM)
add_custom_target(verilator_runtime DEPENDS ${verilator_runtime})
add_dependencies(verilator_runtime engine_tools)

# engines_target(TARGET PROGRAM NAME...): a target in which PROGRAM (engine_build) builds these engines,
# each as a separate build step. Each step checks itself whether there is anything to do. An engine that
# cannot use the precompiled headers is an error here, and only slower elsewhere.
function(engines_target target program)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(checked ${CMAKE_COMMAND} -E env PRECOMPILED=-Werror=invalid-pch)
  endif()
  add_custom_target(${target})
  foreach(name IN LISTS ARGN)
    add_custom_target(${target}_${name}
      COMMAND ${checked} $<TARGET_FILE:${program}> ${name} > ${CMAKE_CURRENT_BINARY_DIR}/${target}_${name}.path
      COMMENT "Engine ${name}" VERBATIM)
    add_dependencies(${target}_${name} ${program})
    add_dependencies(${target} ${target}_${name})
  endforeach()
endfunction()
