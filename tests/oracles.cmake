# oracle(NAME HEADER TEST...): find the library NAME by its HEADER and remember which tests need it.
# Afterwards oracle_of(OUT TEST) gives the NAME for a test, NAME_FOUND says whether the library is there.
function(oracle name header)
  string(TOUPPER ${name} upper)
  find_library(${upper}_LIBRARY ${name})
  find_path(${upper}_INCLUDE ${header})
  set(found FALSE)
  if(${upper}_LIBRARY AND ${upper}_INCLUDE)
    set(found TRUE)
  elseif(ROBERVAL_REQUIRE_ORACLES)
    message(FATAL_ERROR "${name} is missing (scripts/setup test), and ROBERVAL_REQUIRE_ORACLES is on")
  else()
    list(JOIN ARGN ", " tests)
    message(STATUS "tests: ${name} is missing (scripts/setup test): ${tests} are not built")
  endif()
  set(${name}_FOUND ${found} PARENT_SCOPE)
  foreach(test IN LISTS ARGN)
    set(oracle_of_${test} ${name} PARENT_SCOPE)
  endforeach()
endfunction()

# Link a test program with its oracle.
function(link_oracle target name)
  string(TOUPPER ${name} upper)
  # headers are included as <mujoco/mujoco.h> and as <dsdp5.h>
  target_include_directories(${target} SYSTEM PRIVATE ${${upper}_INCLUDE} ${${upper}_INCLUDE}/${name})
  target_link_libraries(${target} PRIVATE ${${upper}_LIBRARY})
endfunction()
