# Several ranks on this machine, if the testbench was built with MPI. Open MPI keeps some memory
# until the end, which the sanitizers report as leaks.
if(NOT MPI_CXX_FOUND OR GOSSAMER_SANITIZE)
  return()
endif()
add_executable(test_ranks ${CMAKE_CURRENT_LIST_DIR}/ranks_test.cpp)
target_include_directories(test_ranks PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(test_ranks PRIVATE -Wall -Wextra)
target_link_libraries(test_ranks PRIVATE gossamer_tb)

# Open MPI needs permission to run more ranks than there are cores, or as root.
set(mpirun ${CMAKE_COMMAND} -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
           OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
           ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG})
foreach(ranks IN ITEMS 2 4)
  add_test(NAME "ranks/${ranks} ranks show what one shows on every link in every cycle"
           COMMAND ${mpirun} ${ranks} $<TARGET_FILE:test_ranks>)
endforeach()
add_test(NAME "ranks/a rank that gives up ends all with one line"
         COMMAND ${mpirun} 2 $<TARGET_FILE:test_ranks> --abort)
set_tests_properties("ranks/a rank that gives up ends all with one line" PROPERTIES
                     PASS_REGULAR_EXPRESSION "gossamer: rank 1 of 2: the test says so")
add_test(NAME "ranks/a rank that dies ends all"
         COMMAND ${mpirun} 2 $<TARGET_FILE:test_ranks> --killed)
set_tests_properties("ranks/a rank that dies ends all" PROPERTIES
                     PASS_REGULAR_EXPRESSION "signal 9")
foreach(name IN ITEMS "2 ranks show what one shows on every link in every cycle"
                      "4 ranks show what one shows on every link in every cycle"
                      "a rank that gives up ends all with one line" "a rank that dies ends all")
  set_tests_properties("ranks/${name}" PROPERTIES TIMEOUT 120 PROCESSORS 2
                       WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endforeach()
