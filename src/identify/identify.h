/* For the other modules of the library. */
#ifndef IDENTIFY_IDENTIFY_H
#define IDENTIFY_IDENTIFY_H

#include <roberval/sys/identify.h>

/*
 * The comparable errors of the fits and of each of their torques.
 *
 *   used, held  in/out  of the samples before and after the start of the held-out part; held may be
 *                       NULL
 */
RBV_MUST_CHECK rbv_status rbv_comparable_fit(rbv_fit *used, rbv_fit *held, const rbv_model *model,
                                             rbv_motion *const *motions, int nmotion,
                                             const double *chi, double holdout, int threads);

/*
 * The reference of a joint as its drive sees it: held from row to row, and late.
 *
 *   held   out  rows x ticks
 *   later  out  the same: derivative of held by the delay; may be NULL
 *   q      in   rows
 *   rate   in   of the ticks
 */
void rbv_hold_reference(double *held, double *later, const double *q, ptrdiff_t rows, int ticks,
                        double late_s, double rate_hz);

/* The loop of a free run. */
typedef struct {
  const rbv_control *control;
  const rbv_sim_reference *reference; /* at the rows of the motion */
  const double *measured;             /* positions as recorded; NULL: those of the motion */
  const double *known;                /* parameters of a feed-forward; NULL: none */
  const double *delay, *bias;         /* njoint: of the torque, of the encoder */
  double command_s;                   /* delay of the command */
} rbv_free_loop;

/*
 * Simulate the loop along a motion, from its first state on, with nothing but the reference.
 *
 *   error     out  njoint: sum of squares of the recorded minus the simulated position
 *   rows      out  valid rows of the motion
 *   sentence  out  how the loop diverges; empty if it runs to the end
 *
 * Where the loop diverges the errors are infinite. Refused: a law at another rate, no reference, a
 * drive with a rate of its own whose law uses the speed of the reference.
 */
RBV_MUST_CHECK rbv_status rbv_free_run(double *error, ptrdiff_t *rows, char *sentence, size_t size,
                                       const rbv_model *model, rbv_motion *motion,
                                       const double *chi, const rbv_free_loop *loop);

#endif
