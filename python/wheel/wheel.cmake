# The build for the wheel: the same objects, linked for glibc 2.28, and the engines that come with it.
set(wheel_sources ${CMAKE_CURRENT_LIST_DIR}/old_system.cpp)
set_source_files_properties(${wheel_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
                            COMPILE_OPTIONS "-w;-O2")
set(CMAKE_CXX_LINK_EXECUTABLE "${CMAKE_CURRENT_LIST_DIR}/link <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
string(APPEND engine_settings_text " 'LINK=${CMAKE_CURRENT_LIST_DIR}/link'")
set(installed_tools "c++ verilator")
set(installed_settings "CXX=c++ VERILATOR=verilator SANITIZE=")

# The engines, beside those of the regression: tiles of so many ports (an odd number uses the next one), single and all
# ports, one read channel or as many as ports.
set(wheel_engines tile_4p1c_singleport tile_4p4c tile_4p4c_join)
