# roberval_mex, the function of GNU Octave (scripts/setup octave) and of MATLAB (-DROBERVAL_MATLAB=its folder). OpenBLAS is part of
# it, and only mexFunction is visible: the interpreter has a LAPACK of its own, in MATLAB with integers of 64 bit.
set(ROBERVAL_MATLAB "" CACHE PATH "Build the function of MATLAB, with the headers of this folder")
find_program(MKOCTFILE mkoctfile)
find_program(OCTAVE octave-cli)
file(GLOB MEX_SOURCES CONFIGURE_DEPENDS matlab/*.c)
file(GLOB MEX_FUNCTIONS CONFIGURE_DEPENDS matlab/*.m)
file(GLOB MEX_PRIVATE CONFIGURE_DEPENDS matlab/private/*.m)
find_library(OPENBLAS_ARCHIVE libopenblas.a HINTS ${OPENBLAS_LIBRARY_DIRS})
find_library(GFORTRAN_LIBRARY NAMES gfortran libgfortran.so.5 libgfortran.so.4)
if(OPENBLAS_ARCHIVE AND GFORTRAN_LIBRARY)
  set(MEX_BLAS ${OPENBLAS_ARCHIVE} ${GFORTRAN_LIBRARY})
else()
  set(MEX_BLAS PkgConfig::OPENBLAS)
endif()

# mex_target(NAME FOLDER SUFFIX INCLUDES...): everything that the interpreter needs, in one folder
function(mex_target name folder suffix)
  add_library(${name} MODULE ${MEX_SOURCES} $<TARGET_OBJECTS:modules>)
  target_include_directories(${name} PRIVATE include)
  target_include_directories(${name} SYSTEM PRIVATE ${ARGN})
  set(libraries ${ROBERVAL_LINK})
  list(REMOVE_ITEM libraries PkgConfig::OPENBLAS)
  target_link_libraries(${name} PRIVATE ${MEX_BLAS} ${libraries} flags)
  target_link_options(${name} PRIVATE -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/matlab/roberval_mex.map)
  set_target_properties(${name} PROPERTIES PREFIX "" OUTPUT_NAME roberval_mex SUFFIX ${suffix}
    LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/matlab/roberval_mex.map
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder})
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${folder}/private
    COMMAND ${CMAKE_COMMAND} -E copy ${MEX_FUNCTIONS} ${CMAKE_CURRENT_BINARY_DIR}/${folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${MEX_PRIVATE} ${CMAKE_CURRENT_BINARY_DIR}/${folder}/private)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${MEX_FUNCTIONS} ${MEX_PRIVATE})
endfunction()

if(MKOCTFILE AND OCTAVE AND NOT ROBERVAL_SANITIZE)
  execute_process(COMMAND ${MKOCTFILE} -p INCFLAGS OUTPUT_VARIABLE octave_includes OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "(^| +)-I" ";" octave_includes "${octave_includes}")
  mex_target(roberval_octave octave .mex ${octave_includes})
  # with OpenBLAS it is large: only tests and `make octave` build it
  if(NOT ROBERVAL_TESTS)
    set_target_properties(roberval_octave PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
else()
  message(STATUS "octave: no (scripts/setup octave)")
endif()
if(ROBERVAL_MATLAB)
  set(Matlab_ROOT_DIR ${ROBERVAL_MATLAB})
  find_package(Matlab REQUIRED COMPONENTS MX_LIBRARY)
  mex_target(roberval_matlab matlab .mexa64 ${Matlab_INCLUDE_DIRS})
  target_link_libraries(roberval_matlab PRIVATE ${Matlab_MEX_LIBRARY} ${Matlab_MX_LIBRARY})
endif()
