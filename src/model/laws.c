/*
 * The table of drive laws: the properties of each beside its formulas, which are in
 * device/law_formulas.inc. To add a law: write its formulas there, add a row here, and document it
 * in docs/files.md. A law without a row, and a row without formulas, do not compile.
 */
#include "device/point_law.h"
#include "model/law.h"

/* ---- shape parameters ---- */

#define SHAPE_gamma                                                                                \
  {                                                                                                \
    .name = "gamma", .text = "steepness of the smoothed sign (2/pi) atan(gamma v); 0: see smooth", \
    .unit = {"s/rad", "s/m"}, .fallback = 0, .example = 150                                        \
  }
#define SHAPE_smooth                                                                \
  {                                                                                 \
    .name = "smooth",                                                               \
    .text =                                                                         \
        "speed v_0 of the smoothed sign v/sqrt(v^2 + v_0^2), where gamma is 0; 0: " \
        "from the motion",                                                          \
    .unit = {"rad/s", "m/s"}, .fallback = 0, .example = 0.02                        \
  }
#define SHAPE_stribeck                                                                        \
  {                                                                                           \
    .name = "stribeck", .text = "speed v_s at which the Stribeck friction has fallen to 1/e", \
    .unit = {"rad/s", "m/s"}, .fallback = NAN, .example = 0.1, .positive = true,              \
    .scale = RBV_SHAPE_SPEED, .low = 0.01, .high = 0.5                                        \
  }

#define SHAPE_knee                                                             \
  {                                                                            \
    .name = "knee", .text = "speed above which the square friction is linear", \
    .unit = {"rad/s", "m/s"}, .fallback = 1e6, .example = 1, .positive = true, \
    .scale = RBV_SHAPE_SPEED, .low = 0.1, .high = 1                            \
  }
#define SHAPE_power                                                                      \
  {                                                                                      \
    .name = "power", .text = "exponent of the speed in the degressive friction, 0 to 1", \
    .unit = {"1", "1"}, .fallback = 0.5, .example = 0.4, .positive = true,               \
    .scale = RBV_SHAPE_NUMBER, .low = 0.1, .high = 0.95                                  \
  }
#define SHAPE_presliding                                                                        \
  {                                                                                             \
    .name = "presliding", .text = "travel in which the presliding friction changes by 1 - 1/e", \
    .unit = {"rad", "m"}, .fallback = NAN, .example = 0.01, .positive = true,                   \
    .scale = RBV_SHAPE_TRAVEL, .low = 1e-4, .high = 0.1                                         \
  }

#define SHAPE_warmup                                                                              \
  {                                                                                               \
    .name = "warmup", .text = "time constant of the warm-up after the start", .unit = {"s", "s"}, \
    .fallback = NAN, .example = 600, .positive = true, .scale = RBV_SHAPE_DURATION, .low = 0.05,  \
    .high = 10                                                                                    \
  }
#define SHAPE_thermal                                                                      \
  {                                                                                        \
    .name = "thermal",                                                                     \
    .text = "rise of temperature in which the change of friction falls to 1/e; 0: linear", \
    .unit = {"K", "K"}, .fallback = 0, .example = 30, .scale = RBV_SHAPE_NUMBER, .low = 3, \
    .high = 300                                                                            \
  }
#define SHAPE_temperature                                                           \
  {                                                                                 \
    .name = "temperature", .text = "motor temperature at which Fct and Fvt vanish", \
    .unit = {"degree C", "degree C"}, .fallback = 25, .example = 25                 \
  }

#define SHAPE_ripple                                                                      \
  {                                                                                       \
    .name = "ripple",                                                                     \
    .text = "periods of the ripple per turn of the joint; of a slide: radians per metre", \
    .unit = {"1/turn", "rad/m"}, .fallback = NAN, .example = 8, .positive = true,         \
    .scale = RBV_SHAPE_NUMBER, .low = 2, .high = 1000                                     \
  }

#define SHAPE_reversal                                                                     \
  {                                                                                        \
    .name = "reversal", .text = "travel in which the Coulomb friction changes by 1 - 1/e", \
    .unit = {"rad", "m"}, .fallback = NAN, .example = 1e-4, .positive = true               \
  }

/* ---- formulas ---- */

/* where a law is evaluated */
static inline law_point point(const rbv_law_input *x) {
  return (law_point){.motion = x->motion,
                     .sign = x->sign,
                     .sign_slope = x->sign_slope,
                     .load = x->torque,
                     .state = x->state ? x->state[0] : 0,
                     .shape = x->shape};
}

/* sample k of many */
static inline law_point sample(const law_samples *s, int k) {
  return (law_point){.motion = s->motion ? s->motion[k] : 0,
                     .sign = s->sign ? s->sign[k] : 0,
                     .sign_slope = s->sign_slope ? s->sign_slope[k] : 0,
                     .load = s->torque ? s->torque[k] : 0,
                     .state = s->state ? s->state[k] : 0,
                     .shape = s->shape};
}

/* The functions of a row, from those of point_law.h. */
#define LAW(name, number, uses, consumers, ...)                                                \
  _Static_assert((number) > 0 && (number) < 64 && (number) != 10, "number of a law");          \
  _Static_assert(                                                                              \
      !((consumers)&LAW_ON_DEVICE) || !((uses) & (USES_LOAD | USES_STATE | USES_POSITION)),    \
      "a device does not know loads, states and positions of laws");                           \
  enum { name##_uses = (uses), name##_consumers = (consumers) };                               \
  static double name##_value(double c, const rbv_law_input *x) {                               \
    const law_point at = point(x);                                                             \
    return law_##name##_value(c, &at);                                                         \
  }                                                                                            \
  static double name##_slope(const rbv_law_input *x) {                                         \
    const law_point at = point(x);                                                             \
    return law_##name##_slope(&at);                                                            \
  }                                                                                            \
  static double name##_implicit(const rbv_law_input *x) {                                      \
    const law_point at = point(x);                                                             \
    return law_##name##_implicit(&at);                                                         \
  }                                                                                            \
  static double name##_by_shape(const rbv_law_input *x) {                                      \
    const law_point at = point(x);                                                             \
    return law_##name##_by_shape(&at);                                                         \
  }                                                                                            \
  static void name##_values(double *out, double factor, const double *c, const law_samples *s, \
                            int n) {                                                           \
    for (int k = 0; k < n; k++) {                                                              \
      const law_point at = sample(s, k);                                                       \
      out[k] = law_##name##_value(c ? factor * c[k] : factor, &at);                            \
    }                                                                                          \
  }                                                                                            \
  static void name##_slopes(double *out, const law_samples *s, int n) {                        \
    for (int k = 0; k < n; k++) {                                                              \
      const law_point at = sample(s, k);                                                       \
      out[k] = law_##name##_implicit(&at);                                                     \
    }                                                                                          \
  }                                                                                            \
  static void name##_step(double *z, const rbv_law_input *x, double dt) {                      \
    law_point at = point(x);                                                                   \
    at.state = *z;                                                                             \
    *z = law_##name##_state(&at, dt, LAW_STEP);                                                \
  }                                                                                            \
  static void name##_steady(double *z, double *slope_of_z, const rbv_law_input *x) {           \
    const law_point at = point(x);                                                             \
    *z = law_##name##_state(&at, 0, LAW_STEADY);                                               \
    *slope_of_z = law_##name##_state(&at, 0, LAW_STEADY_SLOPE);                                \
  }                                                                                            \
  static double name##_recorded(double temperature, const double *shape) {                     \
    const law_point at = {.shape = shape};                                                     \
    return law_##name##_recorded(temperature, &at);                                            \
  }
#include "device/law_formulas.inc"
#undef LAW

/* The same formulas as text, and the shape parameters. */
#define SHAPE0 \
  { 0 }
#define SHAPE1(a) SHAPE_##a
#define SHAPE2(a, b) SHAPE_##a, SHAPE_##b
#define SHAPE3(a, b, c) SHAPE_##a, SHAPE_##b, SHAPE_##c
#define SHAPE4(a, b, c, d) SHAPE_##a, SHAPE_##b, SHAPE_##c, SHAPE_##d
#define LET0 \
  { NULL }
#define LET1(a) \
  { #a }
#define LET2(a, b) \
  { #a, #b }
#define VALUE(formula) #formula
#define NO_STATE NULL
#define STATE(step, steady, slope) #step
#define TEMPERATURE_STATE(recorded) "z"
#define LAW(name, number, uses, consumers, shapes, parts, value, slope, implicit, by_shape, state) \
  static const rbv_law_shape name##_shapes[LAW_SHAPES + 1] = {shapes};                             \
  static const law_texts name##_texts = {value, parts, state};
#include "device/law_formulas.inc"
#undef LAW

/* ---- rows ---- */

/* What the formulas say. */
#define MOTION(uses)                                 \
  ((uses)&USES_SPEED          ? RBV_LAW_SPEED        \
   : (uses)&USES_ACCELERATION ? RBV_LAW_ACCELERATION \
   : (uses)&USES_POSITION     ? RBV_LAW_POSITION     \
                              : RBV_LAW_CONSTANT)
#define LAW_ROW(law)                                                                           \
  .name = #law, .texts = &law##_texts, .number = LAW_##law, .consumers = law##_consumers,      \
  .shape = law##_shapes, .motion = MOTION(law##_uses), .steps = (law##_uses & USES_SIGN) != 0, \
  .uses_torque = (law##_uses & USES_LOAD) != 0, .ages = (law##_uses & USES_TIME) != 0,         \
  .state_count = (law##_uses & USES_STATE) != 0, .value = law##_value, .slope = law##_slope,   \
  .implicit = law##_implicit, .by_shape = law##_by_shape, .values = law##_values,              \
  .slopes = law##_slopes, .state_step = law##_step, .state_steady = law##_steady,              \
  .state_recorded = law##_uses & USES_TEMPERATURE ? law##_recorded : NULL

#define N_M \
  { "N m", "N" }
#define NO_UNIT \
  { "1", "1" }
#define N_M_S \
  { "N m s/rad", "N s/m" }

#define NO_SUCH_FRICTION "the format has no such friction"
#define NO_CONDITION "the format has no friction that changes with time or temperature"

static const rbv_law law_Ia = {
    LAW_ROW(Ia),
    .text = "rotor inertia (motor side)",
    .unit = {"kg m^2", "kg"},
    .column = {{"Ia", RBV_SIDE_MOTOR, false}},
    .linear = true,
    .nonnegative = true,
    .length_power = 2,
    .element = LAW_ARMATURE,
    .mjcf = "armature",
    .reason = "the format has no rotor inertia",
};

static const rbv_law law_Fv = {
    LAW_ROW(Fv),
    .text = "viscous friction",
    .unit = N_M_S,
    .column = {{"Fv", RBV_SIDE_LINK, false},
               {"Fvm", RBV_SIDE_MOTOR, true},
               {"Fvl", RBV_SIDE_LINK, true}},
    .coupling = {"fvm", RBV_SIDE_MOTOR, false},
    .linear = true,
    .nonnegative = true,
    .length_power = 2,
    .element = LAW_DAMPING,
    .mjcf = "damping",
    .urdf = "damping",
};

static const rbv_law law_Fc = {
    LAW_ROW(Fc),
    .text = "Coulomb friction",
    .unit = N_M,
    .column = {{"Fc", RBV_SIDE_LINK, false},
               {"Fcm", RBV_SIDE_MOTOR, true},
               {"Fcl", RBV_SIDE_LINK, true}},
    .coupling = {"fcm", RBV_SIDE_MOTOR, false},
    .is_sign = true,
    .nonnegative = true,
    .length_power = 1,
    .element = LAW_FRICTION,
    .mjcf = "frictionloss",
    .urdf = "friction",
};

static const rbv_law law_off = {
    LAW_ROW(off),
    .text = "offset of the torque",
    .unit = N_M,
    .column = {{"off", RBV_SIDE_LINK, false},
               {"offm", RBV_SIDE_MOTOR, true},
               {"offl", RBV_SIDE_LINK, true}},
    .length_power = 1,
    .element = LAW_CONSTANT,
    .mjcf = "springref",
    .reason = "the format has no constant torque",
};

static const rbv_law law_Fcp = {
    LAW_ROW(Fcp),
    .text = "Coulomb friction of forward motion",
    .unit = N_M,
    .column = {{"Fcp", RBV_SIDE_LINK, false}},
    .nonnegative = true,
    .length_power = 1,
    .part = {"Fc", 0.5, 0.5},
    .reason = NO_SUCH_FRICTION,
};

static const rbv_law law_Fcn = {
    LAW_ROW(Fcn),
    .text = "Coulomb friction of backward motion",
    .unit = N_M,
    .column = {{"Fcn", RBV_SIDE_LINK, false}},
    .nonnegative = true,
    .length_power = 1,
    .part = {"Fc", 0.5, -0.5},
    .reason = NO_SUCH_FRICTION,
};

static const rbv_law law_Fch = {
    LAW_ROW(Fch),
    .text = "Coulomb friction that keeps its value at rest and turns over a travel (Dahl)",
    .unit = N_M,
    .column = {{"Fch", RBV_SIDE_LINK, false}},
    .replaces = "Fc",
    .uncertain_at_rest = true,
    .nonnegative = true,
    .length_power = 1,
    .reason = NO_SUCH_FRICTION,
    .has_pair = true,
};

static const rbv_law law_Fsq = {
    LAW_ROW(Fsq),
    .text = "friction with the square of the speed",
    .unit = {"N m s^2/rad^2", "N s^2/m^2"},
    .column = {{"Fsq", RBV_SIDE_LINK, false}},
    .length_power = 3,
    .reason = NO_SUCH_FRICTION,
};

static const rbv_law law_Fcu = {
    LAW_ROW(Fcu),
    .text = "friction with the cube of the speed",
    .unit = {"N m s^3/rad^3", "N s^3/m^3"},
    .column = {{"Fcu", RBV_SIDE_LINK, false}},
    .length_power = 4,
    .reason = NO_SUCH_FRICTION,
};

static const rbv_law law_Fs = {
    LAW_ROW(Fs),       .text = "additional friction near standstill (Stribeck)",
    .unit = N_M,       .column = {{"Fs", RBV_SIDE_LINK, false}},
    .follows = "Fc",   .near_standstill = true,
    .length_power = 1, .reason = NO_SUCH_FRICTION,
};

static const rbv_law law_Fd = {
    LAW_ROW(Fd),
    .text = "friction with a power of the speed below 1; torque at 1 rad/s or 1 m/s",
    .unit = N_M,
    .column = {{"Fd", RBV_SIDE_LINK, false}},
    .length_power = 1,
    .reason = NO_SUCH_FRICTION,
    .has_pair = true,
};

static const rbv_law law_Fva = {
    LAW_ROW(Fva),      .text = "difference of the viscous friction between the two directions",
    .unit = N_M_S,     .column = {{"Fva", RBV_SIDE_LINK, false}},
    .length_power = 2, .reason = NO_SUCH_FRICTION,
};

static const rbv_law law_Fl = {
    LAW_ROW(Fl),
    .text = "friction in proportion to the torque that the gear transmits",
    .unit = NO_UNIT,
    .column = {{"Fl", RBV_SIDE_LINK, false}},
    .nonnegative = true,
    .length_power = 2,
    .reason = NO_SUCH_FRICTION,
    .has_pair = true,
};

static const rbv_law law_Flb = {
    LAW_ROW(Flb),      .text = "what Fl has in addition where the load drives the motor",
    .unit = NO_UNIT,   .column = {{"Flb", RBV_SIDE_LINK, false}},
    .length_power = 2, .reason = NO_SUCH_FRICTION,
    .has_pair = true,
};

static const rbv_law law_Flv = {
    LAW_ROW(Flv),
    .text = "friction with the product of transmitted torque and speed",
    .unit = {"s/rad", "s/m"},
    .column = {{"Flv", RBV_SIDE_LINK, false}},
    .length_power = 3,
    .reason = NO_SUCH_FRICTION,
    .has_pair = true,
};

static const rbv_law law_Fp = {
    LAW_ROW(Fp),
    .text = "friction that builds up over a travel after each reversal (Dahl)",
    .unit = N_M,
    .column = {{"Fp", RBV_SIDE_LINK, false}},
    .nonnegative = true,
    .length_power = 1,
    .reason = NO_SUCH_FRICTION,
    .has_pair = true,
};

static const rbv_law law_Fcw = {
    LAW_ROW(Fcw),
    .text = "change of the Coulomb friction by warming up, from the start to the warm gear",
    .unit = N_M,
    .column = {{"Fcw", RBV_SIDE_LINK, false}},
    .length_power = 1,
    .reason = NO_CONDITION,
    .has_pair = true,
};

static const rbv_law law_Fvw = {
    LAW_ROW(Fvw),
    .text = "change of the viscous friction by warming up, from the start to the warm gear",
    .unit = N_M_S,
    .column = {{"Fvw", RBV_SIDE_LINK, false}},
    .length_power = 2,
    .reason = NO_CONDITION,
    .has_pair = true,
};

static const rbv_law law_Fct = {
    LAW_ROW(Fct),
    .text = "change of the Coulomb friction per kelvin of motor temperature",
    .unit = {"N m/K", "N/K"},
    .column = {{"Fct", RBV_SIDE_LINK, false}},
    .length_power = 1,
    .reason = NO_CONDITION,
    .has_pair = true,
};

static const rbv_law law_Fvt = {
    LAW_ROW(Fvt),
    .text = "change of the viscous friction per kelvin of motor temperature",
    .unit = {"N m s/(rad K)", "N s/(m K)"},
    .column = {{"Fvt", RBV_SIDE_LINK, false}},
    .length_power = 2,
    .reason = NO_CONDITION,
    .has_pair = true,
};

static const rbv_law law_Frs = {
    LAW_ROW(Frs),      .text = "ripple of gear or motor, its part with the sine of the position",
    .unit = N_M,       .column = {{"Frs", RBV_SIDE_LINK, false}},
    .length_power = 1, .reason = "the format has no ripple",
};

static const rbv_law law_Frc = {
    LAW_ROW(Frc),      .text = "ripple of gear or motor, its part with the cosine of the position",
    .unit = N_M,       .column = {{"Frc", RBV_SIDE_LINK, false}},
    .length_power = 1, .reason = "the format has no ripple",
};

#define NO_SPRING "the format has no motors behind springs"

static const rbv_law law_Kj = {
    LAW_ROW(Kj),
    .text = "stiffness of an elastic joint",
    .unit = {"N m/rad", "N/m"},
    .column = {{"Kj", RBV_SIDE_LINK, false}},
    .spring = true,
    .nonnegative = true,
    .length_power = 2,
    .reason = NO_SPRING,
};

static const rbv_law law_Kc = {
    LAW_ROW(Kc),
    .text = "stiffness of an elastic joint with the cube of the deflection",
    .unit = {"N m/rad^3", "N/m^3"},
    .column = {{"Kc", RBV_SIDE_LINK, false}},
    .spring = true,
    .length_power = 4,
    .reason = "the format has no springs with a cubic part",
};

static const rbv_law law_Dj = {
    LAW_ROW(Dj),       .text = "damping of an elastic joint",
    .unit = N_M_S,     .column = {{"Dj", RBV_SIDE_LINK, false}},
    .spring = true,    .nonnegative = true,
    .length_power = 2, .reason = NO_SPRING,
};

/* ---- the table ---- */

static const rbv_law *const laws[] = {
#define LAW(name, ...) &law_##name,
#include "device/law_formulas.inc"
#undef LAW
};

int rbv_law_count(void) { return RBV_COUNT(laws); }
const rbv_law *rbv_law_at(int i) { return i >= 0 && i < RBV_COUNT(laws) ? laws[i] : NULL; }
