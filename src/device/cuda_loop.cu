/* Kernels for LOOP_JOINTS joints. Compiled once per number of joints. */
#include "device/cuda_loop.h"

/* ---- closed loops: one thread per plant ---- */

#define THREADS POINT_GROUP  // of a block: few plants are then spread over all multiprocessors
#ifndef LOOP_BLOCKS
#define LOOP_BLOCKS 8  // of a multiprocessor: 255 registers per thread
#endif

/* Chains with kernels of their own: six axes with parallel axes 2 and 3, and seven axes each
 * perpendicular to the next. COMMON_ORIGINS: those with a spherical wrist, whose origins have many
 * zeros; their joints turn about z, not against it. */
#if LOOP_JOINTS == 6
#define COMMON_TILTS 0x3a
#define COMMON_ORIGINS \
  (PATTERN_ORIGIN(1, 1, 0, 0) | PATTERN_ORIGIN(2, 1, 0, 1) | PATTERN_ORIGIN(3, 1, 1, 0))
#elif LOOP_JOINTS == 7
#define COMMON_TILTS 0x7e
#define COMMON_ORIGINS                                                                        \
  (PATTERN_ORIGIN(2, 0, 1, 0) | PATTERN_ORIGIN(3, 1, 0, 0) | PATTERN_ORIGIN(4, 1, 1, 0) | \
   PATTERN_ORIGIN(6, 1, 0, 0))
#endif

static __global__ void __launch_bounds__(THREADS)
    begin_kernel(const __grid_constant__ device_loop loop,
                 const __grid_constant__ loop_memory memory) {
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p < loop.plants) begin_plant(&loop, &memory, p);
}

template <int KIND, int EXTENT>
static __global__ void __launch_bounds__(THREADS, LOOP_BLOCKS)
    loop_kernel(const __grid_constant__ device_loop loop,
                const __grid_constant__ loop_memory memory, int64_t first, int64_t last) {
  __shared__ double room[ROOM_SIZE(LOOP_JOINTS) * THREADS];
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p < loop.plants)
    loop_slice(room + threadIdx.x, &loop, &memory, p, first, last, LOOP_JOINTS, KIND,
               EXTENT);
}

typedef void loop_function(device_loop, loop_memory, int64_t, int64_t);

/* the kernel for a kind of chain */
template <int EXTENT>
static loop_function *loop_kernel_of(int kind) {
#ifdef COMMON_TILTS
  if (kind >= PATTERN_CHAIN && ((kind - PATTERN_CHAIN) & PATTERN_TILTS) == COMMON_TILTS) {
    const int rest = PATTERN_ORIGINS | PATTERN_SIGNS;
    if (((kind - PATTERN_CHAIN) & rest & ~(COMMON_ORIGINS)) == 0)
      return loop_kernel<PATTERN_CHAIN + COMMON_TILTS + (COMMON_ORIGINS), EXTENT>;
    return loop_kernel<PATTERN_CHAIN + COMMON_TILTS + PATTERN_ORIGINS + PATTERN_SIGNS, EXTENT>;
  }
#endif
  return kind >= PATTERN_CHAIN   ? loop_kernel<QUARTER_CHAIN, EXTENT>
         : kind == TURNING_CHAIN ? loop_kernel<TURNING_CHAIN, EXTENT>
                                 : loop_kernel<ANY_CHAIN, EXTENT>;
}

#define LAUNCH_OF(what, n) rbv_cuda_##what##_##n
#define LAUNCH(what, n) LAUNCH_OF(what, n)

extern "C" void LAUNCH(loop, LOOP_JOINTS)(const device_loop *loop, const loop_memory *memory,
                                    int64_t first, int64_t last) {
  const unsigned blocks = (unsigned)((loop->plants + THREADS - 1) / THREADS);
  if (first == 0) begin_kernel<<<blocks, THREADS>>>(*loop, *memory);
  const int kind = chain_kind(&loop->chain);
  const int extent = loop_extent(loop, memory);
  loop_function *kernel = extent == LOOP_TRACED ? loop_kernel_of<LOOP_TRACED>(kind)
                          : extent == LOOP_FULL ? loop_kernel_of<LOOP_FULL>(kind)
                                                : loop_kernel_of<LOOP_PLAIN>(kind);
  // shared memory for the blocks of a multiprocessor; the cache gets the rest
  int processors = 1;
  (void)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const unsigned most = LOOP_BLOCKS * (unsigned)processors, resident = blocks < most ? blocks : most;
  const unsigned each = (resident + (unsigned)processors - 1) / (unsigned)processors;
  const unsigned share = each * 100 / LOOP_BLOCKS;
  (void)cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, (int)share);
  kernel<<<blocks, THREADS>>>(*loop, *memory, first, last);
}

/* ---- Gram matrices: one team of lanes per part of an individual ---- */

#ifndef GRAM_BLOCKS
#define GRAM_BLOCKS 2  // of a multiprocessor: limited by shared memory
#endif

template <int KIND>
static __global__ void __launch_bounds__(GRAM_LANES, GRAM_BLOCKS)
    gram_kernel(const __grid_constant__ device_gram gram, const __grid_constant__ gram_plan plan,
                const __grid_constant__ device_gram_arrays arrays, double *__restrict__ out,
                int parts, int64_t first_individual) {
  extern __shared__ double2 shared[];
  double *block = (double *)shared;
  const int lane = threadIdx.x, part = (int)(blockIdx.x % (unsigned)parts);
  const int64_t individual = first_individual + blockIdx.x / (unsigned)parts;
  const int64_t first = gram_part(&gram, parts, part), last = gram_part(&gram, parts, part + 1);
  double sum[GRAM_TILES][4];
#pragma unroll
  for (int t = 0; t < GRAM_TILES; t++)
#pragma unroll
    for (int c = 0; c < 4; c++) sum[t][c] = 0;
  for (int i = lane; i < GRAM_SPIN; i += GRAM_LANES) block[i] = 0;
  gram_coefficients(block, lane, &gram, &arrays, individual, LOOP_JOINTS);
  __syncthreads();
#pragma unroll 1
  for (int64_t at = first; at < last; at += GRAM_LANES) {
    const int64_t k = at + lane < last ? at + lane : last - 1;
    gram_lane own;
    gram_motion(&own, block, lane, &gram, &arrays, k, LOOP_JOINTS, KIND);
#pragma unroll 1
    for (int i = 0; i < LOOP_JOINTS; i++) {
      gram_row(block, lane, &own, &gram, &plan, i, at + lane < last, LOOP_JOINTS, KIND);
      __syncthreads();
      gram_multiply(sum, block, lane, &gram, i);
      __syncthreads();
    }
  }
  gram_store(out + (int64_t)blockIdx.x * gram.columns * gram.columns, sum, lane, gram.columns);
}

extern "C" void LAUNCH(gram, LOOP_JOINTS)(const device_gram *gram,
                                          const device_gram_arrays *arrays, double *out,
                                          int parts, int64_t first, int64_t count) {
  const gram_plan plan = plan_gram(gram);
  const int room = GRAM_ROOM(LOOP_JOINTS, gram->terms) * (int)sizeof(double);
  auto *kernel = plan.kind >= GRAM_PATTERN ? gram_kernel<GRAM_QUARTER> : gram_kernel<GRAM_ANY>;
#ifdef COMMON_TILTS
  if (plan.kind == GRAM_PATTERN + COMMON_TILTS) kernel = gram_kernel<GRAM_PATTERN + COMMON_TILTS>;
#endif
  (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room);
  kernel<<<(unsigned)(count * parts), GRAM_LANES, room>>>(*gram, plan, *arrays, out, parts, first);
}

/* ---- repair: one team of lanes per individual ---- */

#ifndef REPAIR_BLOCKS
#define REPAIR_BLOCKS 1  // of a multiprocessor: 255 registers per thread
#endif

template <int KIND>
static __global__ void __launch_bounds__(REPAIR_LANES, REPAIR_BLOCKS)
    repair_kernel(const __grid_constant__ device_repair repair,
                  const __grid_constant__ device_repair_arrays arrays, int64_t first) {
  extern __shared__ double2 shared[];
  const device_repaired out = repair_individual((double *)shared, &repair, &arrays,
                                                first + blockIdx.x, LOOP_JOINTS, KIND);
  if (threadIdx.x == 0) arrays.repaired[blockIdx.x] = out;
}

extern "C" void LAUNCH(repair, LOOP_JOINTS)(const device_repair *repair,
                                            const device_repair_arrays *arrays, int64_t first,
                                            int64_t count) {
  const int room = REPAIR_ROOM(LOOP_JOINTS, repair->terms) * (int)sizeof(double);
  auto *kernel = gram_kind(repair->joint, LOOP_JOINTS) >= GRAM_PATTERN
                     ? repair_kernel<GRAM_QUARTER>
                     : repair_kernel<GRAM_ANY>;
  (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room);
  kernel<<<(unsigned)count, REPAIR_LANES, room>>>(*repair, *arrays, first);
}
