# One kernel source at several vector widths. Each file names its width; only these files may fuse
# multiply and add, and only these are compiled for more than the base machine. The dispatcher asks
# the processor before it calls them.
set(KERNEL_DIR ${CMAKE_CURRENT_SOURCE_DIR}/src/dynamics)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${KERNEL_DIR}/kernel_w4.c PROPERTIES
    COMPILE_OPTIONS "-O3;-mavx2;-mfma;-ffp-contract=fast")
  set_source_files_properties(${KERNEL_DIR}/kernel_w8.c PROPERTIES
    COMPILE_OPTIONS "-O3;-mavx512f;-mavx512dq;-mfma;-ffp-contract=fast")
endif()
set_source_files_properties(${KERNEL_DIR}/kernel_w1.c ${KERNEL_DIR}/kernel_w2.c PROPERTIES
  COMPILE_OPTIONS "-O3")
# loops over samples: vectors here are left to the compiler
set_source_files_properties(${KERNEL_DIR}/dynamics.c PROPERTIES COMPILE_OPTIONS "-O3")
