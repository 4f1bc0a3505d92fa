# Verilator's reader of waveform files, for the tests in this folder; included by ../CMakeLists.txt.
# Without it they use GTKWave's fst2vcd.
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE verilator_root
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(EXISTS ${verilator_root}/include/gtkwave/fstapi.c)
  target_include_directories(test_waves SYSTEM PRIVATE ${verilator_root}/include)
  target_compile_definitions(test_waves PRIVATE GOSSAMER_FST_READER)
  set_source_files_properties(waves/fst_reader.cpp PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
  target_link_libraries(test_waves PRIVATE z)
endif()

