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

RBV_BEGIN_C

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

/* The body from an estimate of a model with payload, over motions with and without the load, in the
 * frame of the last link; and its payload in that frame. */
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
  int at; /* body that carries the payload, from 1; 0: the last one */
} rbv_known_arm;

/* ---- static poses ---- */

/* Positions at rest, and means of what was measured there: pose k of channel j at [k + j * count].
 */
typedef struct {
  int count, njoint, nrow;
  double *q;      /* njoint */
  double *torque; /* nrow, as the model measures them; NULL: not recorded */
  double *wrench; /* 6, force and torque of a sensor; NULL: not recorded */
} rbv_poses;

/* ---- a force/torque sensor ---- */

typedef struct {
  rbv_body_estimate body;        /* in the frame of the sensor */
  double bias[6], bias_sigma[6]; /* [N, N m] */
  double gravity[3];             /* in the base frame, as used or found [m/s^2] */
  double tilt, tilt_sigma;       /* of the base against the gravity of the robot file [rad] */
  bool reversed;                 /* the sensor reads the force on the arm, not on the body */
} rbv_wrist_estimate;

RBV_END_C
#endif
