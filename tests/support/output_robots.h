/* Robots of the tests of output error as YAML, with their parameters. */
#ifndef SUPPORT_OUTPUT_ROBOTS_H
#define SUPPORT_OUTPUT_ROBOTS_H

/* A parameter by its name in a result. */
typedef struct {
  const char *name;
  double value;
} known_value;

/* An arm with elastic joints, whose springs are not in the file. smooth: speed of the smoothed sign
 * in the friction, as text. */
#define ELASTIC_ARM(smooth)                                                                      \
  "gravity: [0, 0, -9.81]\n"                                                                     \
  "joints:\n"                                                                                    \
  "  - {name: a, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"               \
  "  - {name: b, mdh: {alpha: 0, d: 0.4, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"                \
  "friction: {smooth: " smooth                                                                   \
  "}\n"                                                                                          \
  "parameters: {XX1: 0.01, YY1: 0.3, ZZ1: 0.3, MX1: 0.8, M1: 4, Ia1: 0.2, Fv1: 0.6, Fc1: 0.5,\n" \
  "  XX2: 0.004, YY2: 0.08, ZZ2: 0.08, MX2: 0.3, M2: 1.5, Ia2: 0.05, Fv2: 0.2, Fc2: 0.2}\n"

/* The values of its unknowns: springs first. delay: of the torque [s]. */
#define ELASTIC_TRUTH(delay_s)                                                                     \
  {                                                                                                \
    {"stiffness1", 900}, {"stiffness2", 250}, {"damping1", 1.2}, {"damping2", 0.4},                \
        {"delay", delay_s}, {"Ia1", 0.2}, {"Ia2", 0.05}, {"Fv1", 0.6}, {"Fc1", 0.5}, {"Fv2", 0.2}, \
    {                                                                                              \
      "Fc2", 0.2                                                                                   \
    }                                                                                              \
  }

/* A pendulum in the field of gravity. */
#define PENDULUM                                                                               \
  "joints:\n"                                                                                  \
  "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"         \
  "friction: {smooth: 0.005}\n"                                                                \
  "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.02, Fv1: 0.1, " \
  "Fc1: 0.3}\n"

#endif
