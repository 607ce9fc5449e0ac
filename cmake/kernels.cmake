# Kernel sources for several vector widths. The name of a file has its width. Only these files may fuse
# multiply and add, and only these are compiled for more than the base instruction set. The dispatchers check
# the processor before they call them. They have arrays of fixed size and no input of users, so that a stack
# protector would only cost time.
foreach(kernel dynamics/kernel dynamics/tree_kernel dynamics/adjoint_kernel dynamics/plant_kernel linalg/product_kernel linalg/qr_kernel signal/filter_kernel
    excite/gap_kernel sim/step_kernel)
  set(kernel ${CMAKE_CURRENT_SOURCE_DIR}/src/${kernel})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(${kernel}_w4.c PROPERTIES
      COMPILE_OPTIONS "-O3;-fno-stack-protector;-mavx2;-mfma;-ffp-contract=fast")
    set_source_files_properties(${kernel}_w8.c PROPERTIES
      COMPILE_OPTIONS "-O3;-fno-stack-protector;-mavx512f;-mavx512dq;-mfma;-ffp-contract=fast")
  endif()
  set_source_files_properties(${kernel}_w2.c PROPERTIES COMPILE_OPTIONS "-O3;-fno-stack-protector")
endforeach()
# Loops over samples and short loops over a few lanes, which only -O3 vectorises.
foreach(source dynamics/kernel_w1 excite/gap_kernel_w1 dynamics/tree_kernel_w1 dynamics/rigid dynamics/adjoint_kernel_w1 dynamics/plant_kernel_w1 dynamics/adjoint dynamics/derivatives dynamics/dynamics
    dynamics/lanes dynamics/lanes_setup model/laws sim/integrators linalg/guard signal/ar trajectory/curve excite/quadratic_program
    control/control_tangent control/linear_law equations/standstill check/coupling_search)
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/src/${source}.c PROPERTIES COMPILE_OPTIONS "-O3")
endforeach()
