/*
 * payload: mass, centre of mass and inertia of a body at the end of an arm, when the arm itself is
 * known: from motions, from static poses, or from a force/torque sensor between arm and body.
 */
#ifndef ROBERVAL_SYS_PAYLOAD_H
#define ROBERVAL_SYS_PAYLOAD_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/excite.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/log.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a body ---- */

/* Mass, centre and inertia of a body in a frame, with standard deviations; infinite: not
 * identifiable. */
typedef struct {
  double mass, mass_sigma;             /* [kg] */
  double centre[3], centre_sigma[3];   /* of mass [m] */
  double inertia[6], inertia_sigma[6]; /* about the centre of mass: xx xy xz yy yz zz [kg m^2] */
  bool inertia_possible; /* a body can have this inertia; false: treat it as unknown */
} rbv_payload;

/* The ten inertial parameters of a body at the origin of a frame, estimated. */
typedef struct {
  double value[RBV_INERTIAL];                     /* 0: not identifiable */
  double covariance[RBV_INERTIAL * RBV_INERTIAL]; /* of white noise; a diagonal of infinity: not
                                                     identifiable */
  rbv_jackknife own;     /* of the ten values: without each part of the recording */
  rbv_jackknife robot;   /* without each part of the robot's identification; nblock 0: none */
  double relative_error; /* |residual| / |what the payload adds| */
  ptrdiff_t rows;        /* equations */
} rbv_body_estimate;

RBV_API void rbv_body_estimate_free(rbv_body_estimate *estimate);

/*
 * Mass, centre and inertia about it, in another frame: x_here = R x + p for x in that frame, R
 * row-major. NULL for both: in the frame of the estimate.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_body_payload(rbv_payload *out,
                                                   const rbv_body_estimate *estimate,
                                                   const double *R, const double *p);

/* The body from an estimate of a model with payload, over motions with and without the load, in the
 * frame of the last link; and its payload in that frame. */
RBV_API RBV_MUST_CHECK rbv_status rbv_body_from_estimate(rbv_body_estimate *out,
                                                         const rbv_estimate *estimate,
                                                         const rbv_model *model);
RBV_API RBV_MUST_CHECK rbv_status rbv_payload_get(rbv_payload *out, const rbv_estimate *estimate,
                                                  const rbv_model *model);

/* Controllers that are told their payload in a line of text; NULL past the last. */
typedef struct {
  const char *key;   /* "universal_robots" */
  const char *title; /* for users */
} rbv_controller_line;
RBV_API const rbv_controller_line *rbv_controller_line_at(int i);

/* The line of controller i. It expects values in the frame of the flange. false: mass or centre are
 * not known. */
RBV_API bool rbv_controller_line_write(char *out, size_t size, int i, const rbv_payload *payload);

/* ---- a known arm ---- */

/*
 * Values of all columns of a model, and what an identification found without parts of its data.
 *
 *   deviation  npart x columns, one row per part: change of the values; NULL: none. Columns
 *              that the identification did not estimate are zero
 */
typedef struct {
  const rbv_model *model;
  const double *chi;
  int npart;
  double student; /* see rbv_jackknife */
  double *deviation;
} rbv_known_arm;

/* The arm of a result: chi are the values of all columns, which with the model are borrowed. Free
 * the deviations with rbv_known_arm_free. */
RBV_API RBV_MUST_CHECK rbv_status rbv_known_arm_from_result(rbv_known_arm *out,
                                                            const rbv_result *result,
                                                            const rbv_model *model,
                                                            const double *chi);
RBV_API void rbv_known_arm_free(rbv_known_arm *arm);

/* From motions with the payload. filter NULL: every sample. The body is in the frame of the last
 * link. */
RBV_API RBV_MUST_CHECK rbv_status rbv_payload_from_motions(rbv_body_estimate *out,
                                                           const rbv_known_arm *arm,
                                                           rbv_motion *const *motions, int nmotion,
                                                           const rbv_row_filter *filter);

/* ---- static poses ---- */

/* Positions at rest, and means of what was measured there: pose k of channel j at [k + j * count].
 */
typedef struct {
  int count, njoint, nrow;
  double *q;      /* njoint */
  double *torque; /* nrow, as the model measures them; NULL: not recorded */
  double *wrench; /* 6, force and torque of a sensor; NULL: not recorded */
} rbv_poses;

/*
 * Find the poses of a log. A pose is a run of rows in which no joint moves by more than 1e-3 rad
 * (or m). If the longest run has five rows or more, the log is a recording in time: short runs are
 * motion, and the first fifth of a run is settling. Otherwise every run is a pose.
 *
 *   wrench  in  columns of force x y z and torque x y z of a sensor; NULL: torques of the joints
 *   gain    in  njoint factors of the joint torques; NULL: 1
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_poses_from_log(rbv_poses *out, const rbv_model *model,
                                                     rbv_log *log, const int wrench[6],
                                                     const double *gain);
RBV_API void rbv_poses_free(rbv_poses *poses);

/*
 * Mass and centre from poses with the payload. The torques of the arm alone are those of arm->chi,
 * or if empty is not NULL those of the same poses without the payload.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_payload_from_poses(rbv_body_estimate *out,
                                                         const rbv_known_arm *arm,
                                                         const rbv_poses *loaded,
                                                         const rbv_poses *empty);

/*
 * Choose poses for rbv_payload_from_poses, or with wrist for rbv_payload_from_wrist: within the
 * limits, so that mass and centre are determined best (D-optimal, greedy). The robot keeps the
 * constraints (NULL: none) in every pose, and on the straight line in joint space to it from the
 * pose before. RBV_EINPUT: there are not enough such poses.
 *
 *   q      out  count x njoint, pose k of joint j at [k + j * count]
 *   sigma  out  predicted sigma of the first moment x y z [kg m] and the mass [kg] for noise of 1 N
 * m in every joint (arm), or 1 N and 0.1 N m (wrist, whose bias is estimated too)
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_poses_choose(double *q, double sigma[4],
                                                   const rbv_model *model,
                                                   const rbv_constraints *constraints, int count,
                                                   bool wrist, uint64_t seed);

/* ---- a force/torque sensor ---- */

/* Columns of a log with the wrench of a sensor: fx fy fz tx ty tz and similar names. false: not all
 * six were found. names: six names separated by commas; NULL: the usual ones. */
RBV_API bool rbv_wrench_find(int column[6], const rbv_log *log, const char *names);

/* A motion whose first six torques are the wrench: positions of the log, their derivatives, and the
 * columns of rbv_wrench_find at the same instants. The robot must have six joints or more. */
RBV_API RBV_MUST_CHECK rbv_status rbv_wrist_motion(rbv_motion **out, const rbv_model *model,
                                                   const rbv_log *log, const int wrench[6]);

typedef struct {
  rbv_body_estimate body;        /* in the frame of the sensor */
  double bias[6], bias_sigma[6]; /* [N, N m] */
  double gravity[3];             /* in the base frame, as used or found [m/s^2] */
  double tilt, tilt_sigma;       /* of the base against the gravity of the robot file [rad] */
  bool reversed;                 /* the sensor reads the force on the arm, not on the body */
} rbv_wrist_estimate;

RBV_API void rbv_wrist_estimate_free(rbv_wrist_estimate *estimate);

/*
 * The body behind the sensor.
 *
 *   R, p   in  frame of the sensor in that of the last link (as rbv_model_frame gives it)
 *   level  in  true: gravity is that of the robot file; false: its direction is estimated
 *
 * From poses: mass, centre, bias. From a motion, whose torques are the wrench in its first six
 * rows: inertia, too.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_payload_from_wrist(rbv_wrist_estimate *out,
                                                         const rbv_model *model,
                                                         const rbv_poses *poses, const double R[9],
                                                         const double p[3], bool level);
RBV_API RBV_MUST_CHECK rbv_status rbv_payload_from_wrist_motion(rbv_wrist_estimate *out,
                                                                const rbv_model *model,
                                                                rbv_motion *motion,
                                                                const double R[9],
                                                                const double p[3], bool level);

#ifdef __cplusplus
}
#endif
#endif
