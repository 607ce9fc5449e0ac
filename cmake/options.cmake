# Refuse unknown options: every ROBERVAL_ variable given on the command line must be declared.
set(known ROBERVAL_WERROR ROBERVAL_SANITIZE ROBERVAL_SANITIZE_ALL ROBERVAL_TESTS ROBERVAL_BENCH ROBERVAL_FUZZ
  ROBERVAL_WEB ROBERVAL_MPI ROBERVAL_CUDA ROBERVAL_REQUIRE_ORACLES ROBERVAL_MAINTAINER ROBERVAL_MATLAB)
get_cmake_property(cached CACHE_VARIABLES)
foreach(name IN LISTS cached)
  if(name MATCHES "^ROBERVAL_" AND NOT name IN_LIST known)
    message(FATAL_ERROR "unknown option ${name}; there are ${known}")
  endif()
endforeach()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
