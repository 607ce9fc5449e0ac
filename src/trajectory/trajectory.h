/* What other modules of the library use of trajectory, beside its public header. */
#ifndef TRAJECTORY_TRAJECTORY_H
#define TRAJECTORY_TRAJECTORY_H

#include <roberval/sys/trajectory.h>

int rbv_trajectory_class_count(void);
const char *rbv_trajectory_class_name(rbv_trajectory_class kind); /* "fourier"; "?" */
bool rbv_trajectory_class_parse(rbv_trajectory_class *out, const char *name);

/* "fourier, sines, via or bspline", closed with 0, into out. */
void rbv_trajectory_class_names(char *out, size_t size);

/* What rbv_trajectory_shape.count counts ("harmonics"), with its default and its minimum, which may
 * be NULL. */
const char *rbv_trajectory_class_terms(rbv_trajectory_class kind, int *usual, int *least);

/* True if rbv_trajectory_gradient works for the class. */
bool rbv_trajectory_class_smooth(rbv_trajectory_class kind);

/* Coefficients of all joints, joint by joint. rbv_trajectory_first returns the index of the first
 * one of a joint, and in *count how many it has (count may be NULL). */
int rbv_trajectory_coefficient_count(const rbv_trajectory *trajectory);
int rbv_trajectory_first(const rbv_trajectory *trajectory, int joint, int *count);
const double *rbv_trajectory_get(const rbv_trajectory *trajectory);

RBV_MUST_CHECK rbv_status rbv_trajectory_clone(rbv_trajectory **out,
                                               const rbv_trajectory *trajectory);

/* Run the trajectory at this fraction of its original speed, along the same path. */
RBV_MUST_CHECK rbv_status rbv_trajectory_set_speed(rbv_trajectory *trajectory, double fraction);

/* Set other coefficients. Values that are not finite and speeds outside (0, 1] are refused. */
RBV_MUST_CHECK rbv_status rbv_trajectory_set(rbv_trajectory *trajectory, const double *x);

/* See <roberval/sys/trajectory.h>. */
double rbv_trajectory_speed(const rbv_trajectory *trajectory);

/*
 * Derivatives of one joint with respect to its own coefficients. RBV_EUNSUPPORTED for classes that
 * are not smooth (rbv_trajectory_class_smooth).
 *
 *   g      out  as many as the joint has coefficients
 *   order  in   0: of q, 1: of dq, 2: of ddq, 3: of the jerk
 */
RBV_MUST_CHECK rbv_status rbv_trajectory_gradient(double *g, const rbv_trajectory *trajectory,
                                                  int joint, int order, double time_s);

/* Smallest and largest value of a derivative, and when [s]. */
typedef struct {
  double min, max;
  double min_time, max_time;
} rbv_extreme;

/*
 * Extrema of q (order 0), dq, ddq or the jerk (3) of a joint over the whole time, not only at
 * samples. The curve between two points is bounded, to a part in 1e12 of the size of the
 * coefficients. Where a planner's acceleration or jerk jumps, both sides count. A curve with too
 * many waves, or with numbers that overflow, gets an upper bound instead, which may be infinite.
 */
rbv_extreme rbv_trajectory_extreme(const rbv_trajectory *trajectory, int joint, int order);

/* Number of samples of that motion. */
ptrdiff_t rbv_trajectory_samples(const rbv_trajectory *trajectory, double rate_hz);

/* ---- files: YAML with `trajectory: fourier` and so on, 17 digits ---- */

/* See <roberval/sys/trajectory.h>. */
RBV_MUST_CHECK rbv_status rbv_trajectory_load(rbv_trajectory **out, const char *path);

/*
 * Write the coefficients as YAML.
 *
 *   text    out  free with rbv_text_release (result.h)
 *   joints  in   names of the joints; NULL: joint1, joint2, ...
 */
RBV_MUST_CHECK rbv_status rbv_trajectory_write(char **text, size_t *size,
                                               const rbv_trajectory *trajectory,
                                               const char *const *joints);

/* ---- formats for robots and people ---- */

#define RBV_TRAJECTORY_RATE_HZ 500 /* default */

typedef struct {
  const char *const *joints; /* names; NULL: joint1, joint2, ... */
  double rate_hz;            /* of samples; formats with a rate of their own do not use it */
  const char *provenance;    /* JSON object for files of coefficients; NULL: none */
} rbv_trajectory_use;

/*
 * Write a trajectory in format number `format`.
 *
 *   text  out  free with rbv_text_release (result.h)
 *   use   in   NULL: the default rate, no names, no provenance
 */
RBV_MUST_CHECK rbv_status rbv_trajectory_format_write(char **text, size_t *size, int format,
                                                      const rbv_trajectory *trajectory,
                                                      const rbv_trajectory_use *use);

/* Row i of the table of formats, NULL past the last. Row 0 is the sampled motion as CSV. */
const rbv_trajectory_format *rbv_trajectory_format_at(int i);

#endif
