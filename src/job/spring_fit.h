/*
 * Springs of elastic joints from encoders on both of their sides: motor positions q (or qm) and
 * link positions ql.
 */
#ifndef JOB_SPRING_FIT_H
#define JOB_SPRING_FIT_H

#include <roberval/sys/recordings.h>
#include <roberval/sys/result.h>

#include "base/support.h"

/* What a recording says about its springs: columns of count samples, joint j at [j * count]. All
 * went through the same low-pass. */
typedef struct rbv_deflections {
  int njoint;
  ptrdiff_t count;
  double rate_hz, cutoff_hz;
  bool *recorded;                         // njoint: both encoders
  double *bend, *rate;                    // motor less link, and its derivative
  double *torque, *speed, *acceleration;  // of the motor
} rbv_deflections;

/* *out is NULL if the log has no link positions, or no motor torques. */
RBV_MUST_CHECK rbv_status rbv_deflections_new(rbv_deflections **out, const rbv_model *model,
                                              rbv_log *log, const rbv_motion *motion,
                                              const rbv_differentiate_options *how);
void rbv_deflections_free(rbv_deflections *d);

/*
 * Fit the spring of every joint whose deflection all recordings have. The deflection is explained
 * by the torque, and not the torque by the deflection: the noise of the torque that would bias the
 * stiffness is filtered, that of the deflection is not small beside it. sigma is that of blocks of
 * time that are left out in turn.
 *
 *   out    out  njoint
 *   count  out  springs that were written
 *   share  in   of each recording, from its start, that is used
 */
RBV_MUST_CHECK rbv_status rbv_springs_fit(rbv_result_spring *out, int *count,
                                          const rbv_model *model, rbv_deflections *const *recording,
                                          int nrecording, double share);

/* One sentence about a spring that was found. */
void rbv_spring_tell(const rbv_result_spring *spring, const rbv_model *model,
                     const rbv_notes *notes);

/* rms of a deflection, each about its mean in each recording: as recorded, without what a delay of
 * the link's encoder alone explains, and without what is predicted from the motor. */
typedef struct {
  double rigid, late, elastic;
} spring_errors;

/* false: no recording has this deflection */
bool rbv_spring_predict(spring_errors *out, const rbv_result_spring *spring, const rbv_model *model,
                        rbv_deflections *const *recording, int nrecording);

/* A sentence where a robot has springs and this consumer ("The design of motions") takes its joints
 * as rigid. */
void rbv_tell_rigid_joints(const rbv_model *model, const double *chi, const char *consumer,
                           const rbv_notes *notes);

/* The springs of a result as values of the model's columns Kj, Kc, Dj, where it has them. */
void rbv_springs_apply(double *chi, const rbv_model *model, const rbv_result *result);

/* Columns of springs that a result has found and the robot file does not have, as a list of
 * friction terms behind `list` (may be NULL); rbv_text_free it. */
void rbv_springs_list(rbv_text *out, const rbv_result *result, const char *list);

#endif
