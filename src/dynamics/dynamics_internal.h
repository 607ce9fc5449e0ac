/* The work object of the room. */
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
  double *link_lanes;  // the same in equal lanes
  double *rotor;       // njoint x njoint: what rotors add to the mass matrix
  double *scratch;     // njoint x KERNEL_SCRATCH lanes
  double *mass;        // njoint x njoint lanes
  double *state;       // 4 njoint lanes: the padded end of a batch
  double *tail;        // nentry + njoint lanes
  double *row;         // njoint lanes
  double *term;        // one term over LANES_MAX samples
  double *registers;   // of the model's expressions, each EXPRESSION_CHUNK
  char *adjoint;       // what its sweep needs

  int *block;       // nchannel x njoint x (njoint + 1): first entry of link j in row i, -1: none
  int *entry;       // njoint x njoint: the block table as the kernel wants it
  int *repeat;      // pairs of entries: blocks that equal another; those of the payload last
  int nrepeat;      // pairs without the payload's
  int npayload;     // pairs of the payload
  int *term_entry;  // nchannel x nterm: entry of a drive term, -1: it does not act there
  int nchannel;
  int rigid;      // the channel that the kernel writes, -1: none sees the links
  int nonlinear;  // column that forward dynamics cannot be solved with, -1: none
  rbv_torque channel[2];
};

/*
 * out[k] = gain * basis of a drive term for count samples; joint j of q, dq and ddq at [k + j *
 * ld]; no ddq: zero acceleration. kernel: of the friction law. registers: of the model's
 * expressions.
 */
void rbv_drive_eval(double *out, const rbv_kernel *kernel, const rbv_model *m, const drive_term *t,
                    double *registers, const double *q, const double *dq, const double *ddq,
                    ptrdiff_t ld, ptrdiff_t count);

/* tau += sign * what the drives need in a torque channel, for at most LANES_MAX samples; no ddq: at
 * zero acceleration */
void rbv_drives_add(double *tau, ptrdiff_t ldtau, rbv_dynamics *d, rbv_torque channel, double sign,
                    const double *q, const double *dq, const double *ddq, ptrdiff_t ld, int count);

/* Bytes that the sweep of rbv_regressor_adjoint carves. */
size_t rbv_adjoint_room(int njoint);

/* entry of link j (njoint: the payload) in row i of a channel */
static inline int block_of(const rbv_dynamics *d, int channel, int i, int j) {
  const int n = d->chain.njoint;
  return d->block[(channel * n + i) * (n + 1) + j];
}

#endif
