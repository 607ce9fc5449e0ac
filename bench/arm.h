/*
 * The arm of a benchmark: a model with bodies, states at which it is evaluated, and the same chain
 * as plain numbers, from which a peer (KDL, MuJoCo) builds its own model.
 */
#ifndef BENCH_ARM_H
#define BENCH_ARM_H

#include <stddef.h>

#include "peer.h"

#ifdef __cplusplus
#error "the arm is C; peers see peer.h"
#endif

#include <roberval/sys/dynamics.h>

typedef struct {
  rbv_model *model;
  rbv_dynamics *dynamics;
  double *chi;  // column_count: bodies in the inertial columns, zero drives
  peer_chain chain;
  peer_states sample;  // joints of a sample next to each other, for single calls
  rbv_states batch;    // samples of a joint next to each other, for batches
} arm;

/* robot: a file in bench/robots, or a built-in robot. On failure prints the reason and exits. */
void arm_load(arm *out, const char *robot, int samples);
void arm_free(arm *a);

/* calloc that exits when memory is exhausted */
void *need(size_t count, size_t size);

#endif
