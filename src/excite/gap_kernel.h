/*
 * Distances in several poses at once, compiled from one source for several vector widths; each lane
 * is a pose. Results are those of rbv_clearance_eval up to rounding.
 */
#ifndef EXCITE_GAP_KERNEL_H
#define EXCITE_GAP_KERNEL_H

#include "excite/clearance.h"

#define GAP_LANES 8     // of the widest kernel
#define GAP_EXACT 0.1   // beyond the smallest gap, up to which all gaps are exact [m]
#define GAP_SCRATCH 12  // lane quantities per link and per body that a kernel may use
#define GAP_BODY 10     // of a body: ends, middle and half length of its segment in the base frame

typedef struct gap_kernel {
  int width;

  /* ends of all bodies in `width` poses into scratch: GAP_BODY lane quantities of body i behind the
   * 12 of each of the nbody + 1 frames */
  void (*place)(const clearance *c, double *scratch, const double *q, ptrdiff_t ldq);

  /* as rbv_clearance_batch, for `width` poses */
  void (*gaps)(double *gap, double *least, ptrdiff_t ld, const clearance *c, double *scratch,
               const double *q, ptrdiff_t ldq);

  /* as rbv_clearance_margin, for `width` intervals */
  void (*margin)(double *margin, const double *a, const double *b, ptrdiff_t ld,
                 const double *change, ptrdiff_t ldchange, const double *h, int nitem);

  /* change[i * ld + k] = sum over j of reach[i * njoint + j] speed[j * ldspeed + k], k < width */
  void (*change)(double *change, ptrdiff_t ld, const double *reach, const double *speed,
                 ptrdiff_t ldspeed, int nitem, int njoint);
} gap_kernel;

/* The widest kernel that this processor can run. */
const gap_kernel *rbv_gap_kernel(void);

extern const gap_kernel rbv_gap_kernel_w1, rbv_gap_kernel_w2, rbv_gap_kernel_w4, rbv_gap_kernel_w8;

#endif
