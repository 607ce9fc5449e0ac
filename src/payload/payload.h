/* What other modules of the library use of payload, beside its public header. */
#ifndef PAYLOAD_PAYLOAD_H
#define PAYLOAD_PAYLOAD_H

#include <roberval/sys/payload.h>

/* ---- a body ---- */

void rbv_body_estimate_free(rbv_body_estimate *estimate);

/*
 * Mass, centre and inertia about it, in another frame: x_here = R x + p for x in that frame, R
 * row-major. NULL for both: in the frame of the estimate.
 */
RBV_MUST_CHECK rbv_status rbv_body_payload(rbv_payload *out, const rbv_body_estimate *estimate,
                                           const double *R, const double *p);

/* See <roberval/sys/payload.h>. */
RBV_MUST_CHECK rbv_status rbv_body_from_estimate(rbv_body_estimate *out,
                                                 const rbv_estimate *estimate,
                                                 const rbv_model *model);

/* ---- a known arm ---- */

/* The arm of a result: chi are the values of all columns, which with the model are borrowed. Free
 * the deviations with rbv_known_arm_free. */
RBV_MUST_CHECK rbv_status rbv_known_arm_from_result(rbv_known_arm *out, const rbv_result *result,
                                                    const rbv_model *model, const double *chi);
void rbv_known_arm_free(rbv_known_arm *arm);

/* Set the body that carries the payload: by its link or joint; NULL: that of the only tip. */
RBV_MUST_CHECK rbv_status rbv_known_arm_place(rbv_known_arm *arm, const char *at);

/* From motions with the payload. filter NULL: every sample. The body is in the frame of the last
 * link. */
RBV_MUST_CHECK rbv_status rbv_payload_from_motions(rbv_body_estimate *out, const rbv_known_arm *arm,
                                                   rbv_motion *const *motions, int nmotion,
                                                   const rbv_row_filter *filter);

/* ---- static poses ---- */

/*
 * Find the poses of a log. A pose is a run of rows in which no joint moves by more than 1e-3 rad
 * (or m). If the longest run has five rows or more, the log is a recording in time: short runs are
 * motion, and the first fifth of a run is settling. Otherwise every run is a pose.
 *
 *   wrench  in  columns of force x y z and torque x y z of a sensor; NULL: torques of the joints
 *   gain    in  njoint factors of the joint torques; NULL: 1
 */
RBV_MUST_CHECK rbv_status rbv_poses_from_log(rbv_poses *out, const rbv_model *model, rbv_log *log,
                                             const int wrench[6], const double *gain);
void rbv_poses_free(rbv_poses *poses);

/*
 * Mass and centre from poses with the payload. The torques of the arm alone are those of arm->chi,
 * or if empty is not NULL those of the same poses without the payload.
 */
RBV_MUST_CHECK rbv_status rbv_payload_from_poses(rbv_body_estimate *out, const rbv_known_arm *arm,
                                                 const rbv_poses *loaded, const rbv_poses *empty);

/* ---- a force/torque sensor ---- */

/* Columns of a log with the wrench of a sensor: fx fy fz tx ty tz and similar names. false: not all
 * six were found. names: six names separated by commas; NULL: the usual ones. */
bool rbv_wrench_find(int column[6], const rbv_log *log, const char *names);

/* A motion whose first six torques are the wrench: positions of the log, their derivatives, and the
 * columns of rbv_wrench_find at the same instants. The robot must have six joints or more. */
RBV_MUST_CHECK rbv_status rbv_wrist_motion(rbv_motion **out, const rbv_model *model,
                                           const rbv_log *log, const int wrench[6]);

void rbv_wrist_estimate_free(rbv_wrist_estimate *estimate);

/*
 * The body behind the sensor.
 *
 *   R, p   in  frame of the sensor in that of the last link (as rbv_model_frame gives it)
 *   level  in  true: gravity is that of the robot file; false: its direction is estimated
 *
 * From poses: mass, centre, bias. From a motion, whose torques are the wrench in its first six
 * rows: inertia, too.
 */
RBV_MUST_CHECK rbv_status rbv_payload_from_wrist(rbv_wrist_estimate *out, const rbv_model *model,
                                                 const rbv_poses *poses, const double R[9],
                                                 const double p[3], bool level);
RBV_MUST_CHECK rbv_status rbv_payload_from_wrist_motion(rbv_wrist_estimate *out,
                                                        const rbv_model *model, rbv_motion *motion,
                                                        const double R[9], const double p[3],
                                                        bool level);

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
RBV_MUST_CHECK rbv_status rbv_poses_choose(double *q, double sigma[4], const rbv_model *model,
                                           const rbv_constraints *constraints, int count,
                                           bool wrist, uint64_t seed);

#endif
