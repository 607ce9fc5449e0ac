/* The launches of closed loops, one per number of joints. */
#ifndef DEVICE_CUDA_LOOP_H
#define DEVICE_CUDA_LOOP_H

#include "device/point_loop.h"

/* Launch ticks first ... last - 1 of all plants. */
typedef void cuda_loop_launch(const device_loop *loop, const loop_memory *memory, int64_t first,
                              int64_t last);

extern "C" {
cuda_loop_launch rbv_cuda_loop_1, rbv_cuda_loop_2, rbv_cuda_loop_3, rbv_cuda_loop_4,
    rbv_cuda_loop_5, rbv_cuda_loop_6, rbv_cuda_loop_7, rbv_cuda_loop_8;
}

#endif
