/*
 * An arm to time: a model with bodies, states to visit, and the same chain as plain numbers from
 * which a peer builds its own.
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
  peer_states sample;  // sample by sample, for single calls
  rbv_states batch;    // joint by joint, for batches
} arm;

/* robot: a file in bench/robots, or a built-in robot. Says why and exits when it cannot. */
void arm_load(arm *out, const char *robot, int samples);
void arm_free(arm *a);

/* calloc that exits */
void *need(size_t count, size_t size);

#endif
