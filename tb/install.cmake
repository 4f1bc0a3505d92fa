# `cmake --install` and `cpack`: the command with all that it needs when this folder is gone.
# Installed sources lie below one folder as they do here, so that engine.mk finds them.
#
#   bin/gossamer                  the command
#   lib/gossamer/                 engines of the regression, and SystemC's; the command does not ask whether they fit the sources
#   share/gossamer/               rtl/ with what FuseSoC and Bender read, and of sw/, tb/ and the generated headers what engines include
#   share/doc/gossamer/           README, docs and the regression
install(TARGETS gossamer RUNTIME)
if(TARGET systemc_engine)
  install(TARGETS systemc_engine LIBRARY DESTINATION ${libraries})
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/rtl DESTINATION ${share}
        FILES_MATCHING PATTERN "*.sv" PATTERN "files.f" PATTERN "formal" EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/gossamer.core ${CMAKE_SOURCE_DIR}/Bender.yml DESTINATION ${share})
install(FILES ${CMAKE_SOURCE_DIR}/examples/my_job/my_job.sv DESTINATION ${share}/examples/my_job)
install(FILES ${CMAKE_SOURCE_DIR}/examples/axi_host.svh DESTINATION ${share}/examples)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/sw ${CMAKE_SOURCE_DIR}/tb DESTINATION ${share}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*_plugin.cpp" PATTERN "*.sv" PATTERN "*.vlt"
        PATTERN "engine*.mk" PATTERN "engine_cache.sh" REGEX "/engines/tile/[^/]*[.](cpp|sed)$" PATTERN "wave_writer.cpp" PATTERN "error.cpp" PATTERN "node_build.cpp" PATTERN "read_clashes.cpp" PATTERN "node_program.cpp"
        PATTERN "systemc" EXCLUDE PATTERN "node_model" EXCLUDE
        PATTERN "bench" EXCLUDE PATTERN "checks" EXCLUDE PATTERN "runner" EXCLUDE PATTERN "checker" EXCLUDE
        PATTERN "cli" EXCLUDE PATTERN "algorithms" EXCLUDE PATTERN "bounds" EXCLUDE
        PATTERN "export" EXCLUDE)
install(FILES ${generated}/gossamer_constants.hpp ${generated}/gossamer_axi.hpp
        DESTINATION ${share}/generated)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/examples ${CMAKE_SOURCE_DIR}/tests/data ${CMAKE_SOURCE_DIR}/tests/interop/cocotb
        USE_SOURCE_PERMISSIONS DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "out" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/tests/regression.toml
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# The manual page is the command's own help.
set(manual ${CMAKE_BINARY_DIR}/gossamer.1)
add_custom_command(OUTPUT ${manual} COMMAND ${CMAKE_CURRENT_LIST_DIR}/man_page $<TARGET_FILE:gossamer> > ${manual}
                   DEPENDS gossamer man_page COMMENT "Writing gossamer.1" VERBATIM)
add_custom_target(manual DEPENDS ${manual})
install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/completion.bash RENAME gossamer
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# The engines that were built for these sources: engines_target leaves their paths in files.
install(CODE "
  foreach(name IN ITEMS ${regression_engines})
    file(STRINGS ${CMAKE_CURRENT_BINARY_DIR}/regression_engines_\${name}.path library)
    file(INSTALL \${library} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${libraries}\" RENAME \${name}.so)
  endforeach()")
add_custom_target(installed ALL)
add_dependencies(installed gossamer regression_engines manual)
if(TARGET systemc_engine)
  add_dependencies(installed systemc_engine)
endif()

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON PARENT_SCOPE)  # `make install` has built `installed`
set(CPACK_PACKAGE_NAME gossamer)
set(CPACK_PACKAGE_CONTACT "The Gossamer maintainers <maintainers@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "torus fabric in SystemVerilog with collective schedules")
set(CPACK_PACKAGE_DESCRIPTION "Plans collective schedules for tori and other
graphs, loads them into a fabric of switch nodes, runs it under Verilator
and checks every word and every cycle.")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package.cmake)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
# The tools that build engines; libraries that the command is linked with are found
# automatically.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "verilator, g++, make, zlib1g-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gtkwave, ccache")
include(CPack)
