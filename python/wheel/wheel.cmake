# The build for the wheel: the same objects, linked for glibc 2.28, and the engines that come with it.
set(wheel_sources ${CMAKE_CURRENT_LIST_DIR}/old_system.cpp)
set_source_files_properties(${wheel_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
                            COMPILE_OPTIONS "-w;-O2")
set(CMAKE_CXX_LINK_EXECUTABLE "${CMAKE_CURRENT_LIST_DIR}/link <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
# As seen from the folder in which engines are built, which lies beside the command's.
string(APPEND engine_settings_text " 'LINK=${sources_path}/python/wheel/link'")
set(installed_tools "c++ verilator")
set(installed_settings "CXX=c++ VERILATOR=verilator SANITIZE=")

# The engines, beside those of the regression: tiles of so many ports (an odd number takes the next one), with a single port in use or
# all, one read channel or one a port, full and half duplex; with stages; with operators; for waveforms; eight nodes at once.
# SystemC's is not among them: Debian's library asks for glibc 2.34, and one of our own would be a package to compile and to keep, for
# an engine that gives the same words in the same cycles. A build of a checkout has it.
set(wheel_engines tile_8p1c_adaptive_staged flat_4x4_4c_64_64_1024 flat_3x3_4c_64_64_1024_join)
foreach(ports IN ITEMS 2 4 6 8 10)
  set(all tile_${ports}p${ports}c)
  foreach(kind IN ITEMS tile_${ports}p1c_singleport tile_${ports}p1c ${all})
    foreach(duplex IN ITEMS "" _halfduplex)
      list(APPEND wheel_engines ${kind}${duplex} ${kind}${duplex}_staged)
      if(ports LESS 8)
        list(APPEND wheel_engines ${kind}${duplex}_trace)
      endif()
    endforeach()
    if(ports EQUAL 4 OR ports EQUAL 6)
      list(APPEND wheel_engines ${kind}_lanes)
    endif()
  endforeach()
  list(APPEND wheel_engines ${all}_join ${all}_join_staged ${all}_join_allops ${all}_join_allops_staged ${all}_halfduplex_join)
  if(ports LESS 8)
    list(APPEND wheel_engines ${all}_join_trace)
  endif()
endforeach()
