/*
 * The rigid-body kernels, one table per vector width. Lanes are samples: a quantity of `width`
 * lanes is `width` neighbouring doubles. Pointers with a leading dimension hold joint j at
 * [j * ld]. The kernels compute rigid bodies only; the callers add rotors and friction.
 */
#ifndef DYNAMICS_KERNEL_H
#define DYNAMICS_KERNEL_H

#include "model/model_internal.h"

typedef struct {
  int njoint;
  const joint_geometry *joint;
  double gravity[3];
} kernel_chain;

#define KERNEL_SCRATCH 21      // lane quantities per joint that a kernel may use
#define KERNEL_DERIVATIVES 46  // and that the derivatives use in addition

typedef struct {
  int width;

  /* entry[i * njoint + j]: first of the ten entries of link j in row i, for i <= j */
  void (*regressor)(double *W, ptrdiff_t ldw, const int *entry, const kernel_chain *chain,
                    double *scratch, const double *q, const double *dq, const double *ddq,
                    ptrdiff_t ld);

  /* copy count blocks of ten columns: from entry pair[2 k + 1] to entry pair[2 k]
   */
  void (*repeat)(double *W, ptrdiff_t ldw, const int *pair, int count);

  /* link: njoint x 10 lane quantities */
  void (*inverse)(double *tau, ptrdiff_t ldtau, const kernel_chain *chain, double *scratch,
                  const double *link, const double *q, const double *dq, const double *ddq,
                  ptrdiff_t ld);

  /* derivatives by q, dq and ddq of the torque of row i by joint j, lanes at [(i + j njoint) ldby];
   * by ddq: the mass matrix. scratch: njoint x (KERNEL_DERIVATIVES + KERNEL_SCRATCH) */
  void (*derivatives)(double *const by[3], const ptrdiff_t ldby[3], const kernel_chain *chain,
                      double *scratch, const double *link, const double *q, const double *dq,
                      const double *ddq, ptrdiff_t ld);

  /* M: njoint x njoint lane quantities, both triangles */
  void (*mass)(double *M, const kernel_chain *chain, double *scratch, const double *link,
               const double *q, ptrdiff_t ld);

  /*
   * Solve (M + rotor) ddq = tau - bias. M is njoint x njoint lane quantities of working memory,
   * rotor is plain njoint x njoint. regular[lane]: every pivot was positive.
   */
  void (*forward)(double *ddq, ptrdiff_t ldddq, bool *regular, double *M, const kernel_chain *chain,
                  double *scratch, const double *link, const double *rotor, const double *q,
                  const double *dq, ptrdiff_t ld, const double *tau, ptrdiff_t ldtau);

  void (*sincos)(double *sine, double *cosine, const double *angle);

  /*
   * The pieces, for plants whose lanes have parameters of their own: M as mass gives it and the
   * bias at zero acceleration, njoint lane quantities; L D L' of a symmetric matrix in place;
   * x <- inv(L D L') x.
   */
  void (*system)(double *M, double *bias, const kernel_chain *chain, double *scratch,
                 const double *link, const double *q, const double *dq, ptrdiff_t ld);
  void (*factor)(double *M, bool *regular, int n);
  void (*solve)(double *x, const double *L, int n);

  /* the smoothed sign of v (one member of how is above zero) and, when slope is not NULL, its
   * derivative; count lane quantities */
  void (*friction)(double *value, double *slope, const double *v, rbv_smoothing how, int count);
} rbv_kernel;

/* The widest kernel up to max that this processor can run; never NULL. */
const rbv_kernel *rbv_kernel_choose(int max);

extern const rbv_kernel rbv_kernel_w1, rbv_kernel_w2;
extern const rbv_kernel *const rbv_kernel_w4, *const rbv_kernel_w8;  // NULL where not compiled

#endif
