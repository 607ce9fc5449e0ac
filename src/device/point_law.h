/*
 * The drive laws of law_formulas.inc as functions of one sample, for C and for CUDA.
 */
#ifndef DEVICE_POINT_LAW_H
#define DEVICE_POINT_LAW_H

#include <math.h>
#include <stdint.h>

#include "device/law_consumers.h"
#include "device/point_math.h"

/* LAW_Fv and so on: the numbers of the laws. */
typedef enum {
#define LAW(name, number, ...) LAW_##name = (number),
#include "device/law_formulas.inc"
#undef LAW
} law_number;

/* Where a law is evaluated: the variables of law_formulas.inc. */
typedef struct {
  double motion; /* speed, acceleration or position */
  double sign, sign_slope, load, state;
  const double *shape;
} law_point;

/* temperature above the reference */
POINT double law_warmth(double measured, double thermal, double reference) {
  const double above = measured - reference;
  return thermal > 0 ? thermal * (1 - exp(-above / thermal)) : above;
}

/* which of the formulas of a state */
enum { LAW_STEP, LAW_STEADY, LAW_STEADY_SLOPE };

/* ---- one function per formula: law_Fv_value and so on ---- */

#define abs(x) fabs(x)
#define sign(x) ((x) > 0 ? 1.0 : (x) < 0 ? -1.0 : (x))
#define max(x, y) ((x) > (y) ? (x) : (y))

#define BIND(name, from)    \
  const double name = from; \
  (void)name;
#define VARIABLES    \
  BIND(v, x->motion) \
  BIND(a, v) BIND(p, v) BIND(s, x->sign) BIND(ds, x->sign_slope) BIND(t, x->load) BIND(z, x->state)
#define SHAPE0
#define SHAPE1(first) BIND(first, x->shape[0])
#define SHAPE2(first, second) SHAPE1(first) BIND(second, x->shape[1])
#define SHAPE3(first, second, third) SHAPE2(first, second) BIND(third, x->shape[2])
#define SHAPE4(first, second, third, fourth) SHAPE3(first, second, third) BIND(fourth, x->shape[3])
#define LET0
#define LET1(first) BIND(u, first)
#define LET2(first, second) BIND(u, first) BIND(w, second)
#define VALUE(formula) formula
#define SLOPE(formula) formula
#define IMPLICIT(formula) formula
#define BY_SHAPE(formula) formula
#define STATE(step, steady, slope) (which == LAW_STEP ? step : which == LAW_STEADY ? steady : slope)
#define NO_STATE 0
#define TEMPERATURE_STATE(recorded) (which == LAW_STEP ? z : 0)

#define LAW(name, number, uses, consumers, shapes, parts, value, slope_, implicit, by_shape,    \
            state)                                                                              \
  POINT double law_##name##_value(double c, const law_point *x) {                               \
    VARIABLES shapes parts return c * value;                                                    \
  }                                                                                             \
  POINT double law_##name##_slope(const law_point *x) { VARIABLES shapes parts return slope_; } \
  POINT double law_##name##_implicit(const law_point *x) {                                      \
    VARIABLES shapes parts BIND(slope, slope_) return implicit;                                 \
  }                                                                                             \
  POINT double law_##name##_by_shape(const law_point *x) {                                      \
    VARIABLES shapes parts return by_shape;                                                     \
  }                                                                                             \
  POINT double law_##name##_state(const law_point *x, double dt, int which) {                   \
    (void)dt;                                                                                   \
    (void)which;                                                                                \
    VARIABLES shapes return state;                                                              \
  }
#include "device/law_formulas.inc"
#undef LAW

/* the state at a measured temperature */
#undef STATE
#undef NO_STATE
#undef TEMPERATURE_STATE
#define STATE(step, steady, slope) 0
#define NO_STATE 0
#define TEMPERATURE_STATE(recorded) recorded
#define LAW(name, number, uses, consumers, shapes, parts, value, slope, implicit, by_shape, state) \
  POINT double law_##name##_recorded(double measured, const law_point *x) {                        \
    (void)measured;                                                                                \
    (void)x;                                                                                       \
    shapes return state;                                                                           \
  }
#include "device/law_formulas.inc"
#undef LAW

/* ---- dispatch by number, for records of a device ---- */

/* True if the law uses this input. */
POINT int law_uses(int law, int input) {
  const uint64_t laws = 0
#define LAW(name, number, uses, ...) | ((uint64_t)(((uses)&input) != 0) << (number))
#include "device/law_formulas.inc"
#undef LAW
      ;
  return (int)(laws >> law & 1);
}

/* Value of a law that a device has. NaN for any other: its record is refused before. */
POINT double law_value_of(law_number law, const law_point *x) {
  switch (law) {
#define LAW(name, number, uses, consumers, ...) \
  case LAW_##name:                              \
    return (consumers)&LAW_IN_GRAM ? law_##name##_value(1, x) : NAN;
#include "device/law_formulas.inc"
#undef LAW
  }
  return NAN;
}

/* Value, and the part of the slope that may be implicit; NaN as above. */
POINT void law_value_and_slope(double *to_value, double *to_slope, law_number law,
                               const law_point *x) {
  *to_value = *to_slope = NAN;
  switch (law) {
#define LAW(name, number, uses, consumers, shapes, parts, value, slope_, implicit, by_shape, \
            state)                                                                           \
  case LAW_##name:                                                                           \
    if ((consumers)&LAW_IN_LOOP) {                                                           \
      VARIABLES shapes parts *to_value = value;                                              \
      BIND(slope, slope_) *to_slope = implicit;                                              \
    }                                                                                        \
    return;
#include "device/law_formulas.inc"
#undef LAW
  }
}

#undef abs
#undef sign
#undef max
#undef BIND
#undef VARIABLES
#undef SHAPE0
#undef SHAPE1
#undef SHAPE2
#undef SHAPE3
#undef SHAPE4
#undef LET0
#undef LET1
#undef LET2
#undef VALUE
#undef SLOPE
#undef IMPLICIT
#undef BY_SHAPE
#undef STATE
#undef NO_STATE
#undef TEMPERATURE_STATE

#endif
