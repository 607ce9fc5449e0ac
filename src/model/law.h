/*
 * A row of the table of drive laws, opened for the modules that compute with it. Its formulas are
 * in device/law_formulas.inc, everything else in laws.c. tests/model/test_laws.c checks every row,
 * tests/device/test_law_consumers.c every row in every consumer.
 */
#ifndef MODEL_LAW_H
#define MODEL_LAW_H

#include <roberval/sys/law.h>
#include <roberval/sys/model.h>

#include "device/law_consumers.h"
#include "model/expression.h"

#define LAW_SHAPES 4        // shape parameters of one law
#define LAW_SHAPE_KINDS 16  // shape parameters with different names in the whole table
#define LAW_COLUMNS 3       // columns that a robot file can list for one law
#define LAW_PARTS 2         // parts of a formula: u and w

/* A column that a law makes: its name without the number. */
typedef struct {
  const char *prefix;  // NULL: there is none
  rbv_side side;       // of the torque sensor
  bool split;  // names one side of the torque sensor: the model then lists its columns by block
} law_column;

/* The joint attribute of a simulator that expresses a law. */
typedef enum {
  LAW_ELEMENT_NONE,
  LAW_ARMATURE,
  LAW_DAMPING,
  LAW_FRICTION,
  LAW_CONSTANT
} law_element;

/* Samples at which a law is evaluated: arrays as in rbv_law_input, NULL where the law does not
 * need them. The shape parameters are the same for all samples. */
typedef struct {
  const double *motion, *sign, *sign_slope, *torque, *state;
  const double *shape;
} law_samples;

/*
 * Formulas in the language of the robot file's columns: v speed, a acceleration, s the sign of v
 * (smoothed near standstill), p position, t the transmitted torque, z the law's state, and the
 * names of the shape parameters.
 */
typedef struct {
  const char *value;
  const char *part[LAW_PARTS];  // what u and w of the value are; NULL: there is none
  const char *step;             // the state after the time dt; NULL: there is no state
} law_texts;

struct rbv_law {
  const char *name;
  const char *text;
  const law_texts *texts;
  const char *unit[2];  // revolute, prismatic
  int number;           // in checksums of exported code; never given to another law
  int consumers;        // that can compute with it: LAW_IN_..., see device/law_consumers.h

  // columns
  law_column column[LAW_COLUMNS];  // the first has the law's name
  law_column coupling;             // of a motor that moves several joints
  const char *follows;   // joints with this column get the law when its shape parameters are given
  const char *replaces;  // a joint that gets the law loses this column

  // what it is
  rbv_law_motion motion;
  bool linear;                 // value = motion: it becomes part of a matrix
  bool is_sign;                // value = sign: consumers may use the sign directly
  bool steps;                  // uses the sign; has a step at standstill where it is not smoothed
  bool uncertain_at_rest;      // its value near standstill depends on the last small motion:
                               // equations there are left out as for laws that step
  bool near_standstill;        // vanishes away from standstill: equations there cannot show it
  bool spring;                 // of an elastic joint: it acts on the deflection, motor less link
  bool nonnegative;            // the parameter of a passive drive is not negative
  double length_power;         // of length in its torque per parameter, beyond that of an inertia:
                               // columns of prismatic joints are scaled with it
  const rbv_law_shape *shape;  // the last one is followed by one without a name

  // value = factor * value of the law `of` + constant: simulations then evaluate that law once
  struct {
    const char *of;  // NULL: it is not
    double factor, constant;
  } part;

  // coefficient * value, multiplied from the left: c * v * v; and the derivative of the value
  double (*value)(double coefficient, const rbv_law_input *at);
  double (*slope)(const rbv_law_input *at);
  // derivative of the value by its own shape parameter (rbv_law_own_shape); 0: it has none, or that
  // one acts through its state
  double (*by_shape)(const rbv_law_input *at);
  // the part of the slope that implicit integration may use, not negative
  double (*implicit)(const rbv_law_input *at);

  // the same for n samples; c: their coefficients, NULL: 1. `slopes` gives the implicit part
  void (*values)(double *out, double factor, const double *c, const law_samples *at, int n);
  void (*slopes)(double *out, const law_samples *at, int n);

  // dependence on the transmitted torque, in proportion to its size for each sign of it; dependence
  // on a state of its own, linear
  bool uses_torque;
  int state_count;                                                        // 0 or 1
  void (*state_step)(double *state, const rbv_law_input *at, double dt);  // after dt at that speed
  // after a long time at that speed, and its derivative by the speed
  void (*state_steady)(double *state, double *slope, const rbv_law_input *at);
  bool ages;  // the state changes with the time since the robot was started
  // the state at a recorded temperature [degree Celsius]; NULL: it does not depend on it
  double (*state_recorded)(double temperature, const double *shape);

  // simulators
  law_element element;
  const char *mjcf, *urdf;  // attribute of the joint, NULL: the format has none
  const char *reason;       // why not
  bool has_pair;  // in steady motion a pair of Coulomb and viscous friction is not far from it
};

/* Number and name of the shape parameters of all laws, each name once. */
int rbv_shape_kind_count(void);
const rbv_law_shape *rbv_shape_kind(int i);
int rbv_shape_kind_find(const char *name);  // -1: there is none

int rbv_law_shape_count(const rbv_law *law);

/* Names of its columns without the number: "Fv", "Fvm", "Fvl", and "fvm" of a motor that moves
 * several joints. NULL past the last. */
const char *rbv_law_column(const rbv_law *law, int i);

/* True for columns `f..` that belong to a motor that moves several joints. */
bool rbv_is_coupling(const rbv_column *column);

/* Friction and offsets: drive laws without rotor inertia and springs. Formulas of the robot file
 * are none. */
bool rbv_is_friction(const rbv_column *column);

/* Derivative of the value by the speed where the state follows the speed; without a state: the
 * slope. */
double rbv_law_steady_slope(const rbv_law *law, const rbv_law_input *at);

/* The state when a recording begins, this time [s] after the robot was started. */
double rbv_law_state_start(const rbv_law *law, double uptime, const double *shape);

/* The shape parameter that distinguishes the law at a joint: the first one that does not smooth the
 * sign; -1: there is none. */
int rbv_law_own_shape(const rbv_law *law);

/*
 * The formula as a program. v is dq1 of the program, s is dq2, the transmitted torque t is dq3, the
 * state z is dq4, a is ddq1, p is q2; the shape parameters are constants.
 */
RBV_MUST_CHECK rbv_status rbv_law_compile(expression *out, const rbv_law *law, const double *shape);

/* The same for the step of the law's state; q1 of the program is the time dt. */
RBV_MUST_CHECK rbv_status rbv_law_compile_step(expression *out, const rbv_law *law,
                                               const double *shape);

#endif
