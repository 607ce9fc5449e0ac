/* The launches of kernels, one per number of joints. */
#ifndef DEVICE_CUDA_LOOP_H
#define DEVICE_CUDA_LOOP_H

#include "device/point_gram.h"
#include "device/point_loop.h"
#include "device/point_repair.h"

/* Launch ticks first ... last - 1 of all plants. */
typedef void cuda_loop_launch(const device_loop *loop, const loop_memory *memory, int64_t first,
                              int64_t last);

/* Launch the Gram matrices of `count` individuals from the first one: part p of individual i at
 * out[(i * parts + p) * columns * columns]. */
typedef void cuda_gram_launch(const device_gram *gram, const device_gram_arrays *arrays,
                              double *out, int parts, int64_t first, int64_t count);

/* Launch the repair of `count` individuals from the first one; outcomes at arrays->repaired[0] on.
 */
typedef void cuda_repair_launch(const device_repair *repair, const device_repair_arrays *arrays,
                                int64_t first, int64_t count);

extern "C" {
cuda_loop_launch rbv_cuda_loop_1, rbv_cuda_loop_2, rbv_cuda_loop_3, rbv_cuda_loop_4,
    rbv_cuda_loop_5, rbv_cuda_loop_6, rbv_cuda_loop_7, rbv_cuda_loop_8;
cuda_gram_launch rbv_cuda_gram_1, rbv_cuda_gram_2, rbv_cuda_gram_3, rbv_cuda_gram_4,
    rbv_cuda_gram_5, rbv_cuda_gram_6, rbv_cuda_gram_7, rbv_cuda_gram_8;
cuda_repair_launch rbv_cuda_repair_1, rbv_cuda_repair_2, rbv_cuda_repair_3, rbv_cuda_repair_4,
    rbv_cuda_repair_5, rbv_cuda_repair_6, rbv_cuda_repair_7, rbv_cuda_repair_8;
}

#endif
