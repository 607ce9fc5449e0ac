# The tool as several processes: a separate binary, so that the usual one does not need MPI.
if(NOT ROBERVAL_MPI MATCHES "^(ON|OFF|AUTO)$")
  message(FATAL_ERROR "ROBERVAL_MPI can be ON, OFF or AUTO, not '${ROBERVAL_MPI}'")
endif()
if(ROBERVAL_MPI STREQUAL "ON")
  find_package(MPI REQUIRED COMPONENTS C)
elseif(ROBERVAL_MPI STREQUAL "AUTO")
  find_package(MPI QUIET COMPONENTS C)
endif()
if(NOT ROBERVAL_MPI STREQUAL "OFF" AND MPI_C_FOUND)
  add_executable(roberval_mpi src/cli/entry_mpi.c)
  set_target_properties(roberval_mpi PROPERTIES OUTPUT_NAME roberval-mpi
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(roberval_mpi PRIVATE commands MPI::MPI_C flags)
  install(TARGETS roberval_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi)
  execute_process(COMMAND gzip -9nc ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/roberval-mpi.1
    OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/generated/roberval-mpi.1.gz)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/generated/roberval-mpi.1.gz
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
endif()
