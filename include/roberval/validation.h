/*
 * Validation: how well a result predicts other recordings. Stable.
 */
#ifndef ROBERVAL_VALIDATION_H
#define ROBERVAL_VALIDATION_H

#include <stdbool.h>
#include <stddef.h>

#include <roberval/robot.h>
#include <roberval/status.h>

RBV_BEGIN_C

/*
 * Relative error of the torque, |Y - W chi| / |Y|, on recordings that are prepared and filtered as
 * those of the result were.
 *
 *   error   out  over all recordings
 *   result  in   path of a result (JSON)
 *   logs    in   nlog paths, at least one
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_validate(double *error, const char *result,
                                               const char *const *logs, int nlog);

/*
 * The robot of a result, as it was loaded for the identification, and the identified parameters.
 * With these, rbv_model_torques predicts the torque of any motion.
 *
 *   model   out  rbv_model_free it
 *   chi     out  one value per column of the model; rbv_values_free it
 *   result  in   path of a result (JSON). The robot file is looked for beside it, too
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_result_open_robot(rbv_model **model, double **chi,
                                                        const char *result);
RBV_API void rbv_values_free(double *chi);

/* ---- torques over time ---- */

/* A recording as an identification sees it, and the torques that a result predicts. Functions
 * accept NULL and an index out of range: they return 0, NaN or NULL. */
typedef struct rbv_replay rbv_replay;

/* Prepare a recording as those of the result were, without row filter, and predict its torques.
 * loaded: recorded with the payload. */
RBV_API RBV_MUST_CHECK rbv_status rbv_replay_new(rbv_replay **out, const char *result,
                                                 const char *log, bool loaded);
RBV_API void rbv_replay_free(rbv_replay *replay);

RBV_API ptrdiff_t rbv_replay_samples(const rbv_replay *replay);
RBV_API double rbv_replay_rate(const rbv_replay *replay); /* [Hz] */
RBV_API int rbv_replay_joint_count(const rbv_replay *replay);
RBV_API int rbv_replay_row_count(const rbv_replay *replay); /* torque rows, as of the model */

/* Position, velocity, acceleration of a joint; measured and predicted torque of a row [rad or m,
 * N m or N]: one value per sample, contiguous, part of the replay. */
RBV_API const double *rbv_replay_q(const rbv_replay *replay, int joint);
RBV_API const double *rbv_replay_dq(const rbv_replay *replay, int joint);
RBV_API const double *rbv_replay_ddq(const rbv_replay *replay, int joint);
RBV_API const double *rbv_replay_measured(const rbv_replay *replay, int row);
RBV_API const double *rbv_replay_predicted(const rbv_replay *replay, int row);

/* One per sample: false where the recording has a gap, or the smoothing does not reach. */
RBV_API const bool *rbv_replay_valid(const rbv_replay *replay);

RBV_END_C
#endif
