/*
 * The table of drive laws. One row is one law. To add a law: write its value and its slope, list
 * them with LAW_LOOPS, add a row with LAW_CALLS, and document it in docs/files.md.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/law.h"
#include "model/model_internal.h"

/* ---- functions of the laws ---- */

/* sample k of n */
static inline rbv_law_input sample(const law_samples *s, int k) {
  return (rbv_law_input){.motion = s->motion ? s->motion[k] : 0,
                         .sign = s->sign ? s->sign[k] : 0,
                         .sign_slope = s->sign_slope ? s->sign_slope[k] : 0,
                         .torque = s->torque ? s->torque[k] : 0,
                         .state = s->state ? s->state + k : NULL,
                         .shape = s->shape};
}

/* Loops over samples for a law with NAME_value(c, at) and NAME_implicit(at). */
#define LAW_LOOPS(law)                                                                         \
  static void law##_values(double *out, double factor, const double *c, const law_samples *at, \
                           int n) {                                                            \
    for (int k = 0; k < n; k++) {                                                              \
      const rbv_law_input x = sample(at, k);                                                   \
      out[k] = law##_value(c ? factor * c[k] : factor, &x);                                    \
    }                                                                                          \
  }                                                                                            \
  static void law##_slopes(double *out, const law_samples *at, int n) {                        \
    for (int k = 0; k < n; k++) {                                                              \
      const rbv_law_input x = sample(at, k);                                                   \
      out[k] = law##_implicit(&x);                                                             \
    }                                                                                          \
  }

/* The functions of a row. */
#define LAW_CALLS(law)                                                                            \
  .value = law##_value, .slope = law##_slope, .implicit = law##_implicit, .values = law##_values, \
  .slopes = law##_slopes

/* the acceleration or the speed itself */
static inline double linear_value(double c, const rbv_law_input *x) { return c * x->motion; }
static inline double linear_slope(const rbv_law_input *x) {
  (void)x;
  return 1;
}
#define linear_implicit linear_slope
LAW_LOOPS(linear)

static inline double constant_value(double c, const rbv_law_input *x) {
  (void)x;
  return c;
}
static inline double constant_slope(const rbv_law_input *x) {
  (void)x;
  return 0;
}
#define constant_implicit constant_slope
LAW_LOOPS(constant)

static inline double coulomb_value(double c, const rbv_law_input *x) { return c * x->sign; }
static inline double coulomb_slope(const rbv_law_input *x) { return x->sign_slope; }
#define coulomb_implicit coulomb_slope
LAW_LOOPS(coulomb)

static inline double forward_value(double c, const rbv_law_input *x) {
  return c * (x->sign + 1) / 2;
}
static inline double forward_slope(const rbv_law_input *x) { return x->sign_slope / 2; }
#define forward_implicit forward_slope
LAW_LOOPS(forward)

static inline double backward_value(double c, const rbv_law_input *x) {
  return c * (x->sign - 1) / 2;
}
static inline double backward_slope(const rbv_law_input *x) { return x->sign_slope / 2; }
#define backward_implicit backward_slope
LAW_LOOPS(backward)

/* shape: knee, the speed above which it is linear */
static inline double above_knee(const rbv_law_input *x) {
  const double over = fabs(x->motion) - x->shape[0];
  return over > 0 ? over : 0;
}
static inline double square_value(double c, const rbv_law_input *x) {
  const double v = x->motion, over = above_knee(x);
  return c * (v * fabs(v) - copysign(over * over, v));
}
static inline double square_slope(const rbv_law_input *x) {
  return 2 * (fabs(x->motion) - above_knee(x));
}
#define square_implicit square_slope
LAW_LOOPS(square)
static double square_by_shape(const rbv_law_input *x) {
  return 2 * copysign(above_knee(x), x->motion);
}

static inline double cube_value(double c, const rbv_law_input *x) {
  return c * x->motion * x->motion * x->motion;
}
static inline double cube_slope(const rbv_law_input *x) { return 3 * x->motion * x->motion; }
#define cube_implicit cube_slope
LAW_LOOPS(cube)

/* shape: gamma, v_s, v_0 */
static inline double stribeck_decay(const rbv_law_input *x) {
  const double ratio = x->motion / x->shape[1];
  return exp(-ratio * ratio);
}
static inline double stribeck_value(double c, const rbv_law_input *x) {
  return c * x->sign * stribeck_decay(x);
}
static inline double stribeck_slope(const rbv_law_input *x) {
  const double speed = x->shape[1];
  return (x->sign_slope - 2 * x->motion * x->sign / (speed * speed)) * stribeck_decay(x);
}
/* the steep part at standstill; the falling part is negative, and it is not stiff */
static inline double stribeck_implicit(const rbv_law_input *x) {
  return x->sign_slope * stribeck_decay(x);
}
LAW_LOOPS(stribeck)
static double stribeck_by_shape(const rbv_law_input *x) {
  const double v_s = x->shape[1], ratio = x->motion / v_s;
  return x->sign * stribeck_decay(x) * 2 * ratio * ratio / v_s;
}

/* shape: power, smooth; the constant keeps the slope finite at standstill */
#define STANDSTILL 1e-12
static inline double degressive_value(double c, const rbv_law_input *x) {
  const double v = x->motion, v0 = x->shape[1];
  return c * v * pow(v * v + v0 * v0 + STANDSTILL, (x->shape[0] - 1) / 2);
}
static inline double degressive_slope(const rbv_law_input *x) {
  const double v = x->motion, v0 = x->shape[1], e = x->shape[0] - 1;
  const double square = v * v + v0 * v0 + STANDSTILL;
  return pow(square, e / 2) * (1 + e * v * v / square);
}
#define degressive_implicit degressive_slope
LAW_LOOPS(degressive)
static double degressive_by_shape(const rbv_law_input *x) {
  const double v = x->motion, v0 = x->shape[1];
  return degressive_value(1, x) * log(v * v + v0 * v0 + STANDSTILL) / 2;
}

static inline double uneven_value(double c, const rbv_law_input *x) { return c * fabs(x->motion); }
static inline double uneven_slope(const rbv_law_input *x) {
  return (x->motion > 0) - (x->motion < 0);
}
static inline double uneven_implicit(const rbv_law_input *x) {
  (void)x;
  return 0;
}
LAW_LOOPS(uneven)

static inline double load_value(double c, const rbv_law_input *x) {
  return c * fabs(x->torque) * x->sign;
}
static inline double load_slope(const rbv_law_input *x) { return fabs(x->torque) * x->sign_slope; }
#define load_implicit load_slope
LAW_LOOPS(load)

/* only where the load drives the motor: sign v = -sign t */
static inline double backdriving_value(double c, const rbv_law_input *x) {
  return c * 0.5 * (fabs(x->torque) * x->sign - x->torque * x->sign * x->sign);
}
static inline double backdriving_slope(const rbv_law_input *x) {
  return (0.5 * fabs(x->torque) - x->torque * x->sign) * x->sign_slope;
}
static inline double backdriving_implicit(const rbv_law_input *x) {
  const double slope = backdriving_slope(x);
  return slope > 0 ? slope : 0;
}
LAW_LOOPS(backdriving)

static inline double load_viscous_value(double c, const rbv_law_input *x) {
  return c * fabs(x->torque) * x->motion;
}
static inline double load_viscous_slope(const rbv_law_input *x) { return fabs(x->torque); }
#define load_viscous_implicit load_viscous_slope
LAW_LOOPS(load_viscous)

/* Dahl: dz/dt = (v - |v| z)/h. Over a step of constant speed z approaches the sign of v. */
static inline double presliding_value(double c, const rbv_law_input *x) { return c * x->state[0]; }
#define presliding_slope constant_slope
#define presliding_implicit constant_slope
LAW_LOOPS(presliding)
static void presliding_step(double *state, const rbv_law_input *x, double dt) {
  const double s = (x->motion > 0) - (x->motion < 0);
  *state = s + (*state - s) * exp(-fabs(x->motion) * dt / x->shape[0]);
}
static void presliding_steady(double *state, double *slope, const rbv_law_input *x) {
  *state = x->sign;
  *slope = x->sign_slope;
}

/* Parts of Coulomb and viscous friction that come and go with a state: of time or of temperature.
 */
static inline double changing_coulomb_value(double c, const rbv_law_input *x) {
  return c * x->sign * x->state[0];
}
static inline double changing_coulomb_slope(const rbv_law_input *x) {
  return x->sign_slope * x->state[0];
}
static inline double changing_coulomb_implicit(const rbv_law_input *x) {
  return x->state[0] > 0 ? changing_coulomb_slope(x) : 0;
}
LAW_LOOPS(changing_coulomb)
static inline double changing_viscous_value(double c, const rbv_law_input *x) {
  return c * x->motion * x->state[0];
}
static inline double changing_viscous_slope(const rbv_law_input *x) { return x->state[0]; }
static inline double changing_viscous_implicit(const rbv_law_input *x) {
  return x->state[0] > 0 ? x->state[0] : 0;
}
LAW_LOOPS(changing_viscous)

/* Warming up: 0 at the start, 1 after a long time. The time constant is the last shape parameter of
 * Fcw and the only one of Fvw. */
static double warmed(double uptime, double warmup) { return 1 - exp(-uptime / warmup); }
static void warmup_step(double *state, double dt, double warmup) {
  *state = 1 + (*state - 1) * exp(-dt / warmup);
}
static void warmup_steady(double *state, double *slope, const rbv_law_input *x) {
  (void)x;
  *state = 1;
  *slope = 0;
}
static void coulomb_warmup_step(double *state, const rbv_law_input *x, double dt) {
  warmup_step(state, dt, x->shape[2]);
}
static void viscous_warmup_step(double *state, const rbv_law_input *x, double dt) {
  warmup_step(state, dt, x->shape[0]);
}
static double coulomb_warmup_start(double uptime, const double *shape) {
  return warmed(uptime, shape[2]);
}
static double viscous_warmup_start(double uptime, const double *shape) {
  return warmed(uptime, shape[0]);
}

/* Temperature above the reference; with a thermal constant it saturates, with slope 1 at first. */
static double warmth(double temperature, double thermal, double reference) {
  const double above = temperature - reference;
  return thermal > 0 ? thermal * (1 - exp(-above / thermal)) : above;
}
static double coulomb_warmth(double temperature, const double *shape) {
  return warmth(temperature, shape[2], shape[3]);
}
static double viscous_warmth(double temperature, const double *shape) {
  return warmth(temperature, shape[0], shape[1]);
}
static void temperature_step(double *state, const rbv_law_input *x, double dt) {
  (void)state;
  (void)x;
  (void)dt;
}
static void temperature_steady(double *state, double *slope, const rbv_law_input *x) {
  (void)x;
  *state = *slope = 0;
}

/* Ripple: sine and cosine of the position; shape: ripple */
static inline double sine_value(double c, const rbv_law_input *x) {
  return c * sin(x->shape[0] * x->motion);
}
static inline double sine_slope(const rbv_law_input *x) {
  return x->shape[0] * cos(x->shape[0] * x->motion);
}
static inline double no_speed(const rbv_law_input *x) {
  (void)x;
  return 0;
}
#define sine_implicit no_speed
LAW_LOOPS(sine)
static double sine_by_shape(const rbv_law_input *x) {
  return x->motion * cos(x->shape[0] * x->motion);
}
static inline double cosine_value(double c, const rbv_law_input *x) {
  return c * cos(x->shape[0] * x->motion);
}
static inline double cosine_slope(const rbv_law_input *x) {
  return -x->shape[0] * sin(x->shape[0] * x->motion);
}
#define cosine_implicit no_speed
LAW_LOOPS(cosine)
static double cosine_by_shape(const rbv_law_input *x) {
  return -x->motion * sin(x->shape[0] * x->motion);
}

/* ---- the table ---- */

#define N_M \
  { "N m", "N" }
#define NO_UNIT \
  { "1", "1" }
#define N_M_S \
  { "N m s/rad", "N s/m" }

#define GAMMA                                                                                      \
  {                                                                                                \
    .name = "gamma", .text = "steepness of the smoothed sign (2/pi) atan(gamma v); 0: see smooth", \
    .unit = {"s/rad", "s/m"}, .fallback = 0, .example = 150                                        \
  }
#define SMOOTH                                                                      \
  {                                                                                 \
    .name = "smooth",                                                               \
    .text =                                                                         \
        "speed v_0 of the smoothed sign v/sqrt(v^2 + v_0^2), where gamma is 0; 0: " \
        "from the motion",                                                          \
    .unit = {"rad/s", "m/s"}, .fallback = 0, .example = 0.02                        \
  }
#define STRIBECK_SPEED                                                                        \
  {                                                                                           \
    .name = "stribeck", .text = "speed v_s at which the Stribeck friction has fallen to 1/e", \
    .unit = {"rad/s", "m/s"}, .fallback = NAN, .example = 0.1, .positive = true,              \
    .scale = RBV_SHAPE_SPEED, .low = 0.01, .high = 0.5                                        \
  }

#define KNEE                                                                   \
  {                                                                            \
    .name = "knee", .text = "speed above which the square friction is linear", \
    .unit = {"rad/s", "m/s"}, .fallback = 1e6, .example = 1, .positive = true, \
    .scale = RBV_SHAPE_SPEED, .low = 0.1, .high = 1                            \
  }
#define POWER                                                                            \
  {                                                                                      \
    .name = "power", .text = "exponent of the speed in the degressive friction, 0 to 1", \
    .unit = {"1", "1"}, .fallback = 0.5, .example = 0.4, .positive = true,               \
    .scale = RBV_SHAPE_NUMBER, .low = 0.1, .high = 0.95                                  \
  }
#define PRESLIDING                                                                              \
  {                                                                                             \
    .name = "presliding", .text = "travel in which the presliding friction changes by 1 - 1/e", \
    .unit = {"rad", "m"}, .fallback = NAN, .example = 0.01, .positive = true,                   \
    .scale = RBV_SHAPE_TRAVEL, .low = 1e-4, .high = 0.1                                         \
  }

#define WARMUP                                                                                    \
  {                                                                                               \
    .name = "warmup", .text = "time constant of the warm-up after the start", .unit = {"s", "s"}, \
    .fallback = NAN, .example = 600, .positive = true, .scale = RBV_SHAPE_DURATION, .low = 0.05,  \
    .high = 10                                                                                    \
  }
#define THERMAL                                                                            \
  {                                                                                        \
    .name = "thermal",                                                                     \
    .text = "rise of temperature in which the change of friction falls to 1/e; 0: linear", \
    .unit = {"K", "K"}, .fallback = 0, .example = 30, .scale = RBV_SHAPE_NUMBER, .low = 3, \
    .high = 300                                                                            \
  }
#define REFERENCE                                                                   \
  {                                                                                 \
    .name = "temperature", .text = "motor temperature at which Fct and Fvt vanish", \
    .unit = {"degree C", "degree C"}, .fallback = 25, .example = 25                 \
  }

#define RIPPLE                                                                            \
  {                                                                                       \
    .name = "ripple",                                                                     \
    .text = "periods of the ripple per turn of the joint; of a slide: radians per metre", \
    .unit = {"1/turn", "rad/m"}, .fallback = NAN, .example = 8, .positive = true,         \
    .scale = RBV_SHAPE_NUMBER, .low = 2, .high = 1000                                     \
  }

#define REVERSAL                                                                           \
  {                                                                                        \
    .name = "reversal", .text = "travel in which the Coulomb friction changes by 1 - 1/e", \
    .unit = {"rad", "m"}, .fallback = NAN, .example = 1e-4, .positive = true               \
  }

#define NO_SUCH_FRICTION "the format has no such friction"
#define NO_CONDITION "the format has no friction that changes with time or temperature"

static const rbv_law laws[] = {
    {
        .name = "Ia",
        .text = "rotor inertia (motor side)",
        .formula = "a",
        .unit = {"kg m^2", "kg"},
        .number = 1,
        .column = {{"Ia", RBV_SIDE_MOTOR, false}},
        .motion = RBV_LAW_ACCELERATION,
        .linear = true,
        .nonnegative = true,
        .length_power = 2,
        LAW_CALLS(linear),
        .element = LAW_ARMATURE,
        .mjcf = "armature",
        .reason = "the format has no rotor inertia",
    },
    {
        .name = "Fv",
        .text = "viscous friction",
        .formula = "v",
        .unit = N_M_S,
        .number = 2,
        .column = {{"Fv", RBV_SIDE_LINK, false},
                   {"Fvm", RBV_SIDE_MOTOR, true},
                   {"Fvl", RBV_SIDE_LINK, true}},
        .coupling = {"fvm", RBV_SIDE_MOTOR, false},
        .motion = RBV_LAW_SPEED,
        .linear = true,
        .nonnegative = true,
        .length_power = 2,
        LAW_CALLS(linear),
        .element = LAW_DAMPING,
        .mjcf = "damping",
        .urdf = "damping",
    },
    {
        .name = "Fc",
        .text = "Coulomb friction",
        .formula = "s",
        .unit = N_M,
        .number = 3,
        .column = {{"Fc", RBV_SIDE_LINK, false},
                   {"Fcm", RBV_SIDE_MOTOR, true},
                   {"Fcl", RBV_SIDE_LINK, true}},
        .coupling = {"fcm", RBV_SIDE_MOTOR, false},
        .motion = RBV_LAW_SPEED,
        .is_sign = true,
        .steps = true,
        .nonnegative = true,
        .length_power = 1,
        .shape = {GAMMA, SMOOTH},
        LAW_CALLS(coulomb),
        .element = LAW_FRICTION,
        .mjcf = "frictionloss",
        .urdf = "friction",
    },
    {
        .name = "off",
        .text = "offset of the torque",
        .formula = "1",
        .unit = N_M,
        .number = 9,
        .column = {{"off", RBV_SIDE_LINK, false},
                   {"offm", RBV_SIDE_MOTOR, true},
                   {"offl", RBV_SIDE_LINK, true}},
        .motion = RBV_LAW_CONSTANT,
        .length_power = 1,
        LAW_CALLS(constant),
        .reason = "the format has no constant torque",
    },
    {
        .name = "Fcp",
        .text = "Coulomb friction of forward motion",
        .formula = "0.5*(s + 1)",
        .unit = N_M,
        .number = 4,
        .column = {{"Fcp", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .steps = true,
        .nonnegative = true,
        .length_power = 1,
        .shape = {GAMMA, SMOOTH},
        .part = {"Fc", 0.5, 0.5},
        LAW_CALLS(forward),
        .reason = NO_SUCH_FRICTION,
    },
    {
        .name = "Fcn",
        .text = "Coulomb friction of backward motion",
        .formula = "0.5*(s - 1)",
        .unit = N_M,
        .number = 5,
        .column = {{"Fcn", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .steps = true,
        .nonnegative = true,
        .length_power = 1,
        .shape = {GAMMA, SMOOTH},
        .part = {"Fc", 0.5, -0.5},
        LAW_CALLS(backward),
        .reason = NO_SUCH_FRICTION,
    },
    {
        .name = "Fch",
        .text = "Coulomb friction that keeps its value at rest and turns over a travel (Dahl)",
        .formula = "z",
        .unit = N_M,
        .number = 23,
        .column = {{"Fch", RBV_SIDE_LINK, false}},
        .replaces = "Fc",
        .motion = RBV_LAW_SPEED,
        .uncertain_at_rest = true,
        .nonnegative = true,
        .length_power = 1,
        .shape = {REVERSAL},
        .state_count = 1,
        .state_step = presliding_step,
        .step_formula = "sign(v) + (z - sign(v))*exp(-abs(v)*dt/reversal)",
        .state_steady = presliding_steady,
        LAW_CALLS(presliding),
        .reason = NO_SUCH_FRICTION,
        .has_pair = true,
    },
    {
        .name = "Fsq",
        .text = "friction with the square of the speed",
        .formula = "v*abs(v) - sign(v)*max(abs(v) - knee, 0)^2",
        .unit = {"N m s^2/rad^2", "N s^2/m^2"},
        .number = 6,
        .column = {{"Fsq", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .length_power = 3,
        .shape = {KNEE},
        LAW_CALLS(square),
        .by_shape = square_by_shape,
        .reason = NO_SUCH_FRICTION,
    },
    {
        .name = "Fcu",
        .text = "friction with the cube of the speed",
        .formula = "v*v*v",
        .unit = {"N m s^3/rad^3", "N s^3/m^3"},
        .number = 7,
        .column = {{"Fcu", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .length_power = 4,
        LAW_CALLS(cube),
        .reason = NO_SUCH_FRICTION,
    },
    {
        .name = "Fs",
        .text = "additional friction near standstill (Stribeck)",
        .formula = "s*exp(-(1/stribeck*v)^2)",
        .unit = N_M,
        .number = 8,
        .column = {{"Fs", RBV_SIDE_LINK, false}},
        .follows = "Fc",
        .motion = RBV_LAW_SPEED,
        .steps = true,
        .near_standstill = true,
        .length_power = 1,
        .shape = {GAMMA, STRIBECK_SPEED, SMOOTH},
        LAW_CALLS(stribeck),
        .by_shape = stribeck_by_shape,
        .reason = NO_SUCH_FRICTION,
    },
    {
        .name = "Fd",
        .text = "friction with a power of the speed below 1; torque at 1 rad/s or 1 m/s",
        .formula = "v*(v^2 + smooth^2 + 1e-12)^(0.5*power - 0.5)",
        .unit = N_M,
        .number = 11,
        .column = {{"Fd", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .length_power = 1,
        .shape = {POWER, SMOOTH},
        LAW_CALLS(degressive),
        .by_shape = degressive_by_shape,
        .reason = NO_SUCH_FRICTION,
        .has_pair = true,
    },
    {
        .name = "Fva",
        .text = "difference of the viscous friction between the two directions",
        .formula = "abs(v)",
        .unit = N_M_S,
        .number = 12,
        .column = {{"Fva", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .length_power = 2,
        LAW_CALLS(uneven),
        .reason = NO_SUCH_FRICTION,
    },
    {
        .name = "Fl",
        .text = "friction in proportion to the torque that the gear transmits",
        .formula = "abs(t)*s",
        .unit = NO_UNIT,
        .number = 13,
        .column = {{"Fl", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .steps = true,
        .nonnegative = true,
        .length_power = 2,
        .shape = {GAMMA, SMOOTH},
        .uses_torque = true,
        LAW_CALLS(load),
        .reason = NO_SUCH_FRICTION,
        .has_pair = true,
    },
    {
        .name = "Flb",
        .text = "what Fl has in addition where the load drives the motor",
        .formula = "0.5*(abs(t)*s - t*s*s)",
        .unit = NO_UNIT,
        .number = 14,
        .column = {{"Flb", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .steps = true,
        .length_power = 2,
        .shape = {GAMMA, SMOOTH},
        .uses_torque = true,
        LAW_CALLS(backdriving),
        .reason = NO_SUCH_FRICTION,
        .has_pair = true,
    },
    {
        .name = "Flv",
        .text = "friction with the product of transmitted torque and speed",
        .formula = "abs(t)*v",
        .unit = {"s/rad", "s/m"},
        .number = 15,
        .column = {{"Flv", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .length_power = 3,
        .uses_torque = true,
        LAW_CALLS(load_viscous),
        .reason = NO_SUCH_FRICTION,
        .has_pair = true,
    },
    {
        .name = "Fp",
        .text = "friction that builds up over a travel after each reversal (Dahl)",
        .formula = "z",
        .unit = N_M,
        .number = 16,
        .column = {{"Fp", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .nonnegative = true,
        .length_power = 1,
        .shape = {PRESLIDING},
        .state_count = 1,
        .state_step = presliding_step,
        .step_formula = "sign(v) + (z - sign(v))*exp(-abs(v)*dt/presliding)",
        .state_steady = presliding_steady,
        LAW_CALLS(presliding),
        .reason = NO_SUCH_FRICTION,
        .has_pair = true,
    },
    {
        .name = "Fcw",
        .text = "change of the Coulomb friction by warming up, from the start to the warm gear",
        .formula = "s*z",
        .unit = N_M,
        .number = 17,
        .column = {{"Fcw", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .steps = true,
        .length_power = 1,
        .shape = {GAMMA, SMOOTH, WARMUP},
        .state_count = 1,
        .state_step = coulomb_warmup_step,
        .step_formula = "1 + (z - 1)*exp(-dt/warmup)",
        .state_steady = warmup_steady,
        .state_start = coulomb_warmup_start,
        LAW_CALLS(changing_coulomb),
        .reason = NO_CONDITION,
        .has_pair = true,
    },
    {
        .name = "Fvw",
        .text = "change of the viscous friction by warming up, from the start to the warm gear",
        .formula = "v*z",
        .unit = N_M_S,
        .number = 18,
        .column = {{"Fvw", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .length_power = 2,
        .shape = {WARMUP},
        .state_count = 1,
        .state_step = viscous_warmup_step,
        .step_formula = "1 + (z - 1)*exp(-dt/warmup)",
        .state_steady = warmup_steady,
        .state_start = viscous_warmup_start,
        LAW_CALLS(changing_viscous),
        .reason = NO_CONDITION,
        .has_pair = true,
    },
    {
        .name = "Fct",
        .text = "change of the Coulomb friction per kelvin of motor temperature",
        .formula = "s*z",
        .unit = {"N m/K", "N/K"},
        .number = 19,
        .column = {{"Fct", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .steps = true,
        .length_power = 1,
        .shape = {GAMMA, SMOOTH, THERMAL, REFERENCE},
        .state_count = 1,
        .state_step = temperature_step,
        .step_formula = "z",
        .state_steady = temperature_steady,
        .state_recorded = coulomb_warmth,
        LAW_CALLS(changing_coulomb),
        .reason = NO_CONDITION,
        .has_pair = true,
    },
    {
        .name = "Fvt",
        .text = "change of the viscous friction per kelvin of motor temperature",
        .formula = "v*z",
        .unit = {"N m s/(rad K)", "N s/(m K)"},
        .number = 20,
        .column = {{"Fvt", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_SPEED,
        .length_power = 2,
        .shape = {THERMAL, REFERENCE},
        .state_count = 1,
        .state_step = temperature_step,
        .step_formula = "z",
        .state_steady = temperature_steady,
        .state_recorded = viscous_warmth,
        LAW_CALLS(changing_viscous),
        .reason = NO_CONDITION,
        .has_pair = true,
    },
    {
        .name = "Frs",
        .text = "ripple of gear or motor, its part with the sine of the position",
        .formula = "sin(ripple*p)",
        .unit = N_M,
        .number = 21,
        .column = {{"Frs", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_POSITION,
        .length_power = 1,
        .shape = {RIPPLE},
        LAW_CALLS(sine),
        .by_shape = sine_by_shape,
        .reason = "the format has no ripple",
    },
    {
        .name = "Frc",
        .text = "ripple of gear or motor, its part with the cosine of the position",
        .formula = "cos(ripple*p)",
        .unit = N_M,
        .number = 22,
        .column = {{"Frc", RBV_SIDE_LINK, false}},
        .motion = RBV_LAW_POSITION,
        .length_power = 1,
        .shape = {RIPPLE},
        LAW_CALLS(cosine),
        .by_shape = cosine_by_shape,
        .reason = "the format has no ripple",
    },
};

/* ---- walking the table ---- */

int rbv_law_count(void) { return RBV_COUNT(laws); }
const rbv_law *rbv_law_at(int i) { return i >= 0 && i < RBV_COUNT(laws) ? &laws[i] : NULL; }

const rbv_law *rbv_law_find(const char *name) {
  for (int i = 0; i < RBV_COUNT(laws); i++)
    if (strcmp(laws[i].name, name) == 0) return &laws[i];
  return NULL;
}

const char *rbv_law_name(const rbv_law *law) { return law->name; }
const char *rbv_law_text(const rbv_law *law) { return law->text; }
const char *rbv_law_unit(const rbv_law *law, bool prismatic) { return law->unit[prismatic]; }
const char *rbv_law_formula(const rbv_law *law) { return law->formula; }
rbv_law_motion rbv_law_get_motion(const rbv_law *law) { return law->motion; }
bool rbv_law_nonnegative(const rbv_law *law) { return law->nonnegative; }
bool rbv_law_steps(const rbv_law *law) { return law->steps; }
bool rbv_law_near_standstill(const rbv_law *law) { return law->near_standstill; }
double rbv_law_length_power(const rbv_law *law) { return law->length_power; }
const char *rbv_law_mjcf(const rbv_law *law) { return law->mjcf; }
const char *rbv_law_urdf(const rbv_law *law) { return law->urdf; }
const char *rbv_law_reason(const rbv_law *law) { return law->reason; }
bool rbv_law_uses_torque(const rbv_law *law) { return law->uses_torque; }
int rbv_law_state_count(const rbv_law *law) { return law->state_count; }
const char *rbv_law_replaces(const rbv_law *law) { return law->replaces; }
bool rbv_law_uses_temperature(const rbv_law *law) { return law->state_recorded != NULL; }
double rbv_law_value(const rbv_law *law, const rbv_law_input *at) { return law->value(1, at); }
double rbv_law_slope(const rbv_law *law, const rbv_law_input *at) { return law->slope(at); }
double rbv_law_by_shape(const rbv_law *law, const rbv_law_input *at) {
  return law->by_shape ? law->by_shape(at) : 0;
}

const char *rbv_law_column(const rbv_law *law, int i) {
  int seen = 0;
  for (int k = 0; k <= LAW_COLUMNS; k++) {
    const char *prefix = k < LAW_COLUMNS ? law->column[k].prefix : law->coupling.prefix;
    if (prefix && seen++ == i) return prefix;
  }
  return NULL;
}

const rbv_law_shape *rbv_law_get_shape(const rbv_law *law, int k) {
  return k >= 0 && k < rbv_law_shape_count(law) ? &law->shape[k] : NULL;
}

int rbv_law_shape_count(const rbv_law *law) {
  int count = 0;
  while (count < LAW_SHAPES && law->shape[count].name) count++;
  return count;
}

int rbv_law_own_shape(const rbv_law *law) {
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    if (strcmp(law->shape[k].name, "gamma") != 0 && strcmp(law->shape[k].name, "smooth") != 0)
      return k;
  return -1;
}

const rbv_law_shape *rbv_law_free_shape(const rbv_law *law) {
  return law->by_shape ? &law->shape[rbv_law_own_shape(law)] : NULL;
}

/* every shape parameter of every law in turn; NULL past the last */
static const rbv_law_shape *next_shape(int *law, int *k) {
  for (; *law < RBV_COUNT(laws); ++*law, *k = 0)
    if (*k < rbv_law_shape_count(&laws[*law])) return &laws[*law].shape[(*k)++];
  return NULL;
}

const rbv_law_shape *rbv_shape_kind(int i) {
  const rbv_law_shape *kind[LAW_SHAPE_KINDS], *s;
  int count = 0, law = 0, k = 0;
  while ((s = next_shape(&law, &k)) && count < LAW_SHAPE_KINDS) {
    int same = 0;
    while (same < count && strcmp(kind[same]->name, s->name) != 0) same++;
    if (same < count) continue;
    if (count == i) return s;
    kind[count++] = s;
  }
  return NULL;
}

int rbv_shape_kind_count(void) {
  int count = 0;
  while (rbv_shape_kind(count)) count++;
  return count;
}

int rbv_shape_kind_find(const char *name) {
  for (int i = 0; rbv_shape_kind(i); i++)
    if (strcmp(rbv_shape_kind(i)->name, name) == 0) return i;
  return -1;
}

/* ---- columns ---- */

bool rbv_column_has_law(const rbv_column *column, const char *law) {
  return column->law && strcmp(column->law->name, law) == 0;
}

bool rbv_is_coupling(const rbv_column *column) {
  const char *prefix = column->law ? column->law->coupling.prefix : NULL;
  return prefix && strncmp(column->name, prefix, strlen(prefix)) == 0;
}

bool rbv_is_friction(const rbv_column *column) {
  return column->law && column->law->motion != RBV_LAW_ACCELERATION;
}

/* ---- evaluation ---- */

double rbv_law_torque_slope(const rbv_law *law, const rbv_law_input *at) {
  if (!law->uses_torque) return 0;
  rbv_law_input one = *at;
  one.torque = (at->torque > 0) - (at->torque < 0);
  return one.torque * law->value(1, &one);
}

double rbv_law_steady_slope(const rbv_law *law, const rbv_law_input *at) {
  if (law->state_count == 0) return law->slope(at);
  double z, slope;
  static const double zero = 0, one = 1;
  law->state_steady(&z, &slope, at);
  rbv_law_input x = *at, without = *at, with = *at;
  x.state = &z;
  without.state = &zero;
  with.state = &one;
  return law->slope(&x) + (law->value(1, &with) - law->value(1, &without)) * slope;
}

double rbv_law_sign(double *slope, double speed, rbv_smoothing how) {
  if (how.gamma > 0) {
    const double x = how.gamma * speed;
    *slope = 2 / RBV_PI * how.gamma / (1 + x * x);
    return 2 / RBV_PI * atan(x);
  }
  if (how.speed > 0) {
    const double x = speed / how.speed, root = sqrt(1 + x * x);
    *slope = 1 / (how.speed * root * root * root);
    return x / root;
  }
  *slope = 0;
  return (speed > 0) - (speed < 0);
}

#define FORMULA_JOINTS 4  // dq1 to dq4 carry v, s, t and z; q1 carries dt, q2 carries p

static int no_joint(const void *robot, const char *name) {
  (void)robot;
  (void)name;
  return -1;
}

static rbv_status compile(expression *out, const rbv_law *law, const rbv_document *doc) {
  static const char *const variable[] = {"v", "s", "t", "z", "a", "dt", "p"};
  const rbv_node *root = rbv_document_root(doc);
  compiler c = {.joint = no_joint, .njoint = FORMULA_JOINTS};
  for (int i = 0; i < RBV_COUNT(variable); i++)
    RBV_TRY(rbv_compile_let(&c, variable[i], rbv_node_at(root, 1 + i)));
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    RBV_TRY(rbv_compile_constant(&c, law->shape[k].name,
                                 rbv_node_at(root, 1 + RBV_COUNT(variable) + k)));
  return rbv_compile_result(out, &c, rbv_node_at(root, 0));
}

static rbv_status compile_formula(expression *out, const rbv_law *law, const char *formula,
                                  const double *shape) {
  rbv_text text = {0};
  rbv_text_print(&text, "[\"%s\", dq1, dq2, dq3, dq4, ddq1, q1, q2", formula);
  for (int k = 0; k < rbv_law_shape_count(law); k++) rbv_text_print(&text, ", %.17g", shape[k]);
  rbv_text_put(&text, "]");
  rbv_document *doc = NULL;
  rbv_status status =
      text.failed ? RBV_EMEM : rbv_document_parse(&doc, law->name, text.data, text.size);
  if (status == RBV_OK) status = compile(out, law, doc);
  rbv_document_free(doc);
  rbv_text_free(&text);
  return status;
}

rbv_status rbv_law_compile(expression *out, const rbv_law *law, const double *shape) {
  return compile_formula(out, law, law->formula, shape);
}

rbv_status rbv_law_compile_step(expression *out, const rbv_law *law, const double *shape) {
  return compile_formula(out, law, law->step_formula, shape);
}
