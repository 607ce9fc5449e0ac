# Kernel sources at several vector widths: rigid bodies and filters. Each file names its width; only
# these files may fuse multiply and add, and only these and the hash are compiled for more than the
# base machine. The dispatchers ask the processor before they call them.
foreach(kernel dynamics/kernel signal/filter_kernel)
  set(kernel ${CMAKE_CURRENT_SOURCE_DIR}/src/${kernel})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(${kernel}_w4.c PROPERTIES
      COMPILE_OPTIONS "-O3;-mavx2;-mfma;-ffp-contract=fast")
    set_source_files_properties(${kernel}_w8.c PROPERTIES
      COMPILE_OPTIONS "-O3;-mavx512f;-mavx512dq;-mfma;-ffp-contract=fast")
  endif()
  set_source_files_properties(${kernel}_w2.c PROPERTIES COMPILE_OPTIONS "-O3")
endforeach()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/src/storage/sha256_x86.c PROPERTIES
    COMPILE_OPTIONS "-O3;-msse4.1;-msha")
endif()
# loops over samples: vectors here are left to the compiler
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/src/dynamics/kernel_w1.c
  ${CMAKE_CURRENT_SOURCE_DIR}/src/dynamics/dynamics.c PROPERTIES COMPILE_OPTIONS "-O3")
# a few lanes at a time: short loops that only -O3 turns into vectors
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/src/dynamics/lanes.c
  ${CMAKE_CURRENT_SOURCE_DIR}/src/model/laws.c ${CMAKE_CURRENT_SOURCE_DIR}/src/sim/integrators.c PROPERTIES COMPILE_OPTIONS "-O3")
