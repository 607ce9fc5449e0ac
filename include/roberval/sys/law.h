/*
 * law: the table of drive laws. A drive column multiplies one law of the motion along its
 * direction: rotor inertia, viscous and Coulomb friction, an offset and so on. Formulas are in
 * src/device/law_formulas.inc, other properties in src/model/laws.c, one row per law. Everything
 * else reads them: regressor, dynamics, simulation, derivatives, devices, scaling, consistency,
 * exports, report and pages.
 *
 * These functions walk the table. All texts are constant and belong to the library. Threads may
 * share them.
 */
#ifndef ROBERVAL_SYS_LAW_H
#define ROBERVAL_SYS_LAW_H

#include <stdbool.h>

#include <roberval/sys/base.h>

RBV_BEGIN_C

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
 *   state       the law's own state; NULL when there is none
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

/* The law vanishes away from standstill, so that equations of moving joints do not show it. */
RBV_API bool rbv_law_near_standstill(const rbv_law *law);

/* The law depends on the torque that the gear transmits. */
RBV_API bool rbv_law_uses_torque(const rbv_law *law);

/* The state is the recorded motor temperature. Without one it is that of the reference temperature.
 */
RBV_API bool rbv_law_uses_temperature(const rbv_law *law);

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

RBV_END_C
#endif
