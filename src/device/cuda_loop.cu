/* Closed loops of LOOP_JOINTS joints: one thread per plant. Compiled once per number of joints. */
#include "device/cuda_loop.h"

#define THREADS POINT_GROUP  // of a block: few plants are then spread over all multiprocessors
#ifndef LOOP_BLOCKS
#define LOOP_BLOCKS 8  // of a multiprocessor: 255 registers per thread
#endif

static __global__ void __launch_bounds__(THREADS)
    begin_kernel(const __grid_constant__ device_loop loop,
                 const __grid_constant__ loop_memory memory) {
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p < loop.plants) begin_plant(&loop, &memory, p);
}

template <int KIND>
static __global__ void __launch_bounds__(THREADS, LOOP_BLOCKS)
    loop_kernel(const __grid_constant__ device_loop loop,
                const __grid_constant__ loop_memory memory, int64_t first, int64_t last) {
  __shared__ double room[ROOM_SIZE(LOOP_JOINTS) * THREADS];
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p < loop.plants)
    loop_slice(room + threadIdx.x, &loop, &memory, p, first, last, LOOP_JOINTS, KIND);
}

#define LAUNCH_OF(n) rbv_cuda_loop_##n
#define LAUNCH(n) LAUNCH_OF(n)

extern "C" void LAUNCH(LOOP_JOINTS)(const device_loop *loop, const loop_memory *memory,
                                    int64_t first, int64_t last) {
  const unsigned blocks = (unsigned)((loop->plants + THREADS - 1) / THREADS);
  if (first == 0) begin_kernel<<<blocks, THREADS>>>(*loop, *memory);
  const int kind = chain_kind(&loop->chain);
#ifdef LOOP_CARVE
  cudaFuncSetAttribute(loop_kernel<QUARTER_CHAIN>, cudaFuncAttributePreferredSharedMemoryCarveout, LOOP_CARVE);
  cudaFuncSetAttribute(loop_kernel<TURNING_CHAIN>, cudaFuncAttributePreferredSharedMemoryCarveout, LOOP_CARVE);
#endif
  if (kind == QUARTER_CHAIN)
    loop_kernel<QUARTER_CHAIN><<<blocks, THREADS>>>(*loop, *memory, first, last);
  else if (kind == TURNING_CHAIN)
    loop_kernel<TURNING_CHAIN><<<blocks, THREADS>>>(*loop, *memory, first, last);
  else
    loop_kernel<ANY_CHAIN><<<blocks, THREADS>>>(*loop, *memory, first, last);
}
