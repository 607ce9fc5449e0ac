/*
 * law: the table of drive laws. A drive column multiplies one law of the motion along its
 * direction: rotor inertia, viscous and Coulomb friction, an offset and so on. The table is in
 * src/model/laws.c, one row per law. Everything else reads it: regressor, dynamics, simulation,
 * derivatives, scaling, consistency, exports, report and pages.
 *
 * These functions walk the table. All texts are constant and belong to the library. Threads may
 * share them.
 */
#ifndef ROBERVAL_SYS_LAW_H
#define ROBERVAL_SYS_LAW_H

#include <stdbool.h>

#include <roberval/sys/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rbv_law rbv_law;

/* What a law is a function of. */
typedef enum {
  RBV_LAW_CONSTANT,     /* nothing: its value is 1 */
  RBV_LAW_SPEED,        /* the speed along the column's direction */
  RBV_LAW_ACCELERATION, /* the acceleration along it */
  RBV_LAW_POSITION      /* the position along it */
} rbv_law_motion;

/* What the bounds of a search for a shape parameter are multiples of. */
typedef enum {
  RBV_SHAPE_FIXED,   /* there is no search */
  RBV_SHAPE_NUMBER,  /* 1 */
  RBV_SHAPE_SPEED,   /* the top speed of the joint */
  RBV_SHAPE_TRAVEL,  /* its travel */
  RBV_SHAPE_DURATION /* the duration of the longest recording */
} rbv_shape_scale;

/* A shape parameter of a law. Each joint has its own value; the robot file gives it. */
typedef struct {
  const char *name; /* the key under `friction` in the robot file: "gamma", "smooth", "stribeck" */
  const char *text; /* one line for pages */
  const char *unit[2];   /* revolute, prismatic */
  double fallback;       /* used when the robot file gives no value; NaN: the file must give one */
  double example;        /* a usual value, for messages and tests */
  bool positive;         /* must be above zero; otherwise zero is allowed too */
  rbv_shape_scale scale; /* of the bounds of a search */
  double low, high;      /* bounds, as multiples of the scale */
} rbv_law_shape;

/*
 * Where a law is evaluated.
 *
 *   motion      speed [rad/s or m/s], or acceleration or position where the law is a function of
 *               that
 *   sign        sign of the speed, smoothed near standstill: see rbv_law_sign
 *   sign_slope  derivative of sign; 0 without smoothing
 *   torque      torque that the gear transmits [N m or N]; 0 when it is not known
 *   state       the law's own states, rbv_law_state_count values; NULL when there are none
 *   shape       values of the shape parameters, in the law's order
 */
typedef struct {
  double motion, sign, sign_slope, torque;
  const double *state;
  const double *shape;
} rbv_law_input;

RBV_API int rbv_law_count(void);
RBV_API const rbv_law *rbv_law_at(int i);              /* NULL past the last */
RBV_API const rbv_law *rbv_law_find(const char *name); /* by its name; NULL when there is none */

RBV_API const char *rbv_law_name(const rbv_law *law); /* "Fv": also its column without the number */
RBV_API const char *rbv_law_text(const rbv_law *law); /* one line for pages */
RBV_API const char *rbv_law_unit(const rbv_law *law, bool prismatic); /* of the parameter */

/*
 * The law as a formula in the language of the robot file's columns: v speed, a acceleration, s the
 * sign of v (smoothed near standstill), p position, t the transmitted torque, z the law's state,
 * and the names of the shape parameters.
 */
RBV_API const char *rbv_law_formula(const rbv_law *law);
RBV_API rbv_law_motion rbv_law_get_motion(const rbv_law *law);

/* Names of its columns without the number: "Fv", "Fvm", "Fvl", and "fvm" of a motor that moves
 * several joints. NULL past the last. */
RBV_API const char *rbv_law_column(const rbv_law *law, int i);

/* Shape parameter k of the law, NULL past the last. */
RBV_API const rbv_law_shape *rbv_law_get_shape(const rbv_law *law, int k);

/* The parameter of a passive drive is not negative. False: it may have either sign. */
RBV_API bool rbv_law_nonnegative(const rbv_law *law);

/* The law uses the sign of the speed: it has a step at standstill unless the sign is smoothed. */
RBV_API bool rbv_law_steps(const rbv_law *law);

/* The law vanishes away from standstill, so that equations of moving joints do not show it. */
RBV_API bool rbv_law_near_standstill(const rbv_law *law);

/* Power of length in the law's torque per parameter, beyond that of an inertia: columns of
 * prismatic joints are scaled with it. */
RBV_API double rbv_law_length_power(const rbv_law *law);

/* Attribute of a joint that expresses the law: "damping". NULL: the format cannot express it, and
 * rbv_law_reason says why. */
RBV_API const char *rbv_law_mjcf(const rbv_law *law);
RBV_API const char *rbv_law_urdf(const rbv_law *law);
RBV_API const char *rbv_law_reason(const rbv_law *law); /* NULL: both formats express it */

/* What the law depends on beside the motion: the torque that the gear transmits, and a state of its
 * own (0 or 1). */
RBV_API bool rbv_law_uses_torque(const rbv_law *law);
RBV_API int rbv_law_state_count(const rbv_law *law);

/* Drive column that a joint loses when the law is listed after it: "Fc"; NULL: none. */
RBV_API const char *rbv_law_replaces(const rbv_law *law);

/* The state is the recorded motor temperature. Without one it is that of the reference temperature.
 */
RBV_API bool rbv_law_uses_temperature(const rbv_law *law);

/* Value, and derivative by the speed, acceleration or position. */
RBV_API double rbv_law_value(const rbv_law *law, const rbv_law_input *at);
RBV_API double rbv_law_slope(const rbv_law *law, const rbv_law_input *at);

/* The shape parameter that can be estimated beside the law's own parameter: its value has a
 * derivative by it. NULL: there is none. Below: this derivative; 0 if there is none. */
RBV_API const rbv_law_shape *rbv_law_free_shape(const rbv_law *law);
RBV_API double rbv_law_by_shape(const rbv_law *law, const rbv_law_input *at);

/* Derivative by the transmitted torque; 0 where that is zero. */
RBV_API double rbv_law_torque_slope(const rbv_law *law, const rbv_law_input *at);

/* How the sign of a speed v is smoothed near standstill. */
typedef struct {
  double gamma; /* > 0: (2/pi) atan(gamma v) [s/rad or s/m] */
  double speed; /* > 0, and gamma is not: v/sqrt(v^2 + speed^2) [rad/s or m/s]. It comes closer to
                   the sign: at ten times this speed 0.5 % are missing */
} rbv_smoothing;

/* The sign of a speed, smoothed, and its derivative. */
RBV_API double rbv_law_sign(double *slope, double speed, rbv_smoothing how);

#ifdef __cplusplus
}
#endif
#endif
