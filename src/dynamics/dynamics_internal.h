/* The work object of the module. */
#ifndef DYNAMICS_DYNAMICS_INTERNAL_H
#define DYNAMICS_DYNAMICS_INTERNAL_H

#include <math.h>
#include <roberval/sys/dynamics.h>

#include "dynamics/kernel.h"

#define LANES_MAX 8

struct rbv_dynamics {
  const rbv_model *model;
  const rbv_kernel *kernel;  // of the batches
  kernel_chain chain;
  double *chi;         // ncolumn
  double *link;        // njoint x 10: inertial parameters, the payload's in the last link
  double *link_lanes;  // the same values in every lane
  double *rotor;       // njoint x njoint: the rotors' part of the mass matrix
  double *scratch;     // njoint x (KERNEL_SCRATCH + KERNEL_DERIVATIVES) lanes
  double *mass;        // njoint x njoint lanes
  double *state;       // 4 njoint lanes: the padded end of a batch
  double *tail;        // nentry + njoint lanes
  double *row;         // njoint lanes
  double *term;        // one term over LANES_MAX samples
  double *registers;   // of the model's expressions, each EXPRESSION_CHUNK
  char *adjoint;       // memory of the gradient's sweeps
  double *derivative;  // 3 njoint x njoint lanes: by q, dq, ddq

  int *block;       // nchannel x njoint x (njoint + 1): first entry of link j in row i, -1: none
  int *entry;       // njoint x njoint: the block table in the order of the kernel
  int *repeat;      // pairs of entries of equal blocks; those of the payload last
  int nrepeat;      // pairs without the payload's
  int npayload;     // pairs of the payload
  int *term_entry;  // nchannel x nterm: entry of a drive term, -1: it does not act there
  int nchannel;
  int rigid;      // the channel that the kernel writes, -1: no channel includes the links
  int nonlinear;  // column that prevents forward dynamics, -1: none
  rbv_torque channel[2];
};

/*
 * out[k] = gain * law of a drive term, or its expression, for count samples; joint j of q, dq and
 * ddq at [k + j * ld]. ddq NULL: zero acceleration. kernel: computes the smoothed sign. registers:
 * scratch memory of the expressions.
 */
void rbv_drive_eval(double *out, const rbv_kernel *kernel, const rbv_model *m, const drive_term *t,
                    double *registers, const double *q, const double *dq, const double *ddq,
                    ptrdiff_t ld, ptrdiff_t count);

/* tau += sign * torque of the drives in a torque channel, for at most LANES_MAX samples. ddq NULL:
 * zero acceleration */
void rbv_drives_add(double *tau, ptrdiff_t ldtau, rbv_dynamics *d, rbv_torque channel, double sign,
                    const double *q, const double *dq, const double *ddq, ptrdiff_t ld, int count);

/* Slope of the law of a term at a speed or acceleration. */
double rbv_term_slope(const drive_term *term, double motion);

/* Bytes that the sweep of rbv_regressor_adjoint carves. */
size_t rbv_adjoint_room(int njoint);

/* entry of link j (njoint: the payload) in row i of a channel */
static inline int block_of(const rbv_dynamics *d, int channel, int i, int j) {
  const int n = d->chain.njoint;
  return d->block[(channel * n + i) * (n + 1) + j];
}

#endif
