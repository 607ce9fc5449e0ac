/* Closed loops of LOOP_JOINTS joints: one thread per plant. Compiled once per number of joints. */
#include "device/cuda_loop.h"

#define THREADS 32  // of a block: few plants are then spread over all multiprocessors
#ifndef LOOP_BLOCKS
#define LOOP_BLOCKS 8  // of a multiprocessor: 255 registers per thread
#endif

template <int QUARTER>
__global__ void __launch_bounds__(THREADS, LOOP_BLOCKS)
    loop_kernel(const __grid_constant__ device_loop loop,
                const __grid_constant__ loop_memory memory, int64_t first, int64_t last) {
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p < loop.plants) loop_slice(&loop, &memory, p, first, last, LOOP_JOINTS, QUARTER);
}

#define LAUNCH_OF(n) rbv_cuda_loop_##n
#define LAUNCH(n) LAUNCH_OF(n)

extern "C" void LAUNCH(LOOP_JOINTS)(const device_loop *loop, const loop_memory *memory,
                                    int64_t first, int64_t last) {
  const unsigned blocks = (unsigned)((loop->plants + THREADS - 1) / THREADS);
  if (loop->chain.quarter)
    loop_kernel<1><<<blocks, THREADS>>>(*loop, *memory, first, last);
  else
    loop_kernel<0><<<blocks, THREADS>>>(*loop, *memory, first, last);
}
