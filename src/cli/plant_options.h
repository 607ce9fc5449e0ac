/* A robot in its loop, as typed: what `simulate` and `montecarlo` share. */
#ifndef CLI_PLANT_OPTIONS_H
#define CLI_PLANT_OPTIONS_H

#include <roberval/sys/control.h>
#include <roberval/sys/log.h>
#include <roberval/sys/sim.h>

#include "cli.h"

/* As typed; cli_plant_load understands them. */
typedef struct {
  rbv_sim_options sim;
  const char *parameters, *map, *integrator;
  const char *controller, *bandwidth, *save;
  const char *disturbance, *torque_noise, *torque_offset, *ripple;
  double rate_hz, integral, roll_off;
  double excess;  // parameters of Stribeck columns, over those of Coulomb; 0: as they are
} cli_plant_options;

cli_plant_options cli_plant_defaults(void);

#define CLI_PLANT(p)                                                                                 \
  {"controller", 'k', OPT_TEXT, &(p).controller, "FILE", "controller, or auto (default)"},           \
      {"bandwidth",    0,    OPT_TEXT,                                                               \
       &(p).bandwidth, "HZ", "auto: of every joint, or a list (default 10)"},                        \
      {"integral", 0, OPT_REAL, &(p).integral, "X", "auto: k_i = X w k_p (default 0.2)"},            \
      {"roll-off", 0, OPT_REAL, &(p).roll_off, "X", "auto: derivative filter 1/(X w) (default 10)"}, \
      {"save-controller", 0, OPT_TEXT, &(p).save, "FILE", "write the controller that was used"},     \
      {"rate", 'r', OPT_REAL, &(p).rate_hz, "HZ", "control rate (default: controller, trajectory)"}, \
      {"parameters",    'p',    OPT_TEXT,                                                            \
       &(p).parameters, "FILE", "parameter set or result (default: the robot's own)"},               \
      {"map", 0, OPT_TEXT, &(p).map, "COLUMNS.yaml", "what the trajectory's columns mean"},          \
      {"integrator", 0, OPT_TEXT, &(p).integrator, "NAME", "rosenbrock (default) or rk4"},           \
      {"substeps", 0, OPT_COUNT, &(p).sim.substeps, "N", "steps per tick (default: from the rate)"}, \
      {"encoder", 'e',                                                                               \
       OPT_REAL,  &(p).sim.defects.record_counts,                                                    \
       "COUNTS",  "per turn, in the recording only"},                                                \
      {"loop-encoder", 0,                                                                            \
       OPT_REAL,       &(p).sim.defects.loop_counts,                                                 \
       "COUNTS",       "that the controller sees too"},                                              \
      {"loop-noise", 0,                                                                              \
       OPT_REAL,     &(p).sim.defects.loop_noise,                                                    \
       "RAD",        "on positions that the controller sees"},                                       \
      {"loop-delay", 0,                                                                              \
       OPT_COUNT,    &(p).sim.defects.loop_delay,                                                    \
       "N",          "the controller sees old positions"},                                           \
      {"disturbance",    0,    OPT_TEXT,                                                             \
       &(p).disturbance, "NM", "torque that nobody records; or 2% of the joint's own"},              \
      {"disturbance-hz",                                                                             \
       0,                                                                                            \
       OPT_REAL,                                                                                     \
       &(p).sim.defects.disturbance_hz,                                                              \
       "HZ",                                                                                         \
       "its corner (default 20; 0 white)"},                                                          \
      {"torque-noise", 0, OPT_TEXT, &(p).torque_noise, "NM", "in the recorded torque; or percent"},  \
      {"torque-noise-hz",                                                                            \
       0,                                                                                            \
       OPT_REAL,                                                                                     \
       &(p).sim.defects.torque_noise_hz,                                                             \
       "HZ",                                                                                         \
       "its corner (default 0: white)"},                                                             \
      {"torque-offset",    0,    OPT_TEXT,                                                           \
       &(p).torque_offset, "NM", "of the recorded torque; or percent"},                              \
      {"ripple", 0, OPT_TEXT, &(p).ripple, "NM", "of the recorded torque, amplitude; or percent"},   \
      {"ripple-periods",                                                                             \
       0,                                                                                            \
       OPT_REAL,                                                                                     \
       &(p).sim.defects.ripple_periods,                                                              \
       "X",                                                                                          \
       "per turn of the joint (default 1)"},                                                         \
      {"torque-delay",                                                                               \
       0,                                                                                            \
       OPT_COUNT,                                                                                    \
       &(p).sim.defects.torque_delay,                                                                \
       "N",                                                                                          \
       "torques are recorded N samples late"},                                                       \
      {"jitter", 0, OPT_REAL, &(p).sim.defects.jitter_s, "S", "of the time stamps"},                 \
      {"drop", 0, OPT_REAL, &(p).sim.defects.drop, "SHARE", "of the samples that are missing"},      \
      {"drift",  0,                                                                                  \
       OPT_REAL, &(p).sim.defects.drift,                                                             \
       "SHARE",  "of friction, when warm: -0.2 is a fifth less"},                                    \
  {                                                                                                  \
    "drift-time", 0, OPT_REAL, &(p).sim.defects.drift_s, "S", "time constant of it (default 600)"    \
  }

/* Is it possible? -1 to go on. */
int cli_plant_check(cli_plant_options *options, const char *command);

/* Everything of a loop, freed in one place; start from zero. */
typedef struct {
  const char *command;
  const cli_plant_options *o;
  const cli_common *common;
  const rbv_model *m;
  int n;
  double *chi;
  rbv_log *log;              // the trajectory as it was read; NULL: it is built in
  double built_in_hz;        // rate of one that is built in
  rbv_sim_reference raw, r;  // of it; at the control rate
  double *block;             // the reference's memory
  rbv_control *control;
  rbv_sim_options sim;  // with the defects in N m
  rbv_sim *last;        // of the last run
  rbv_sim_trace trace;
  rbv_sim_outcome outcome;
  double *size[4];  // of the defects with a number per joint
} cli_plant;

/*
 * Parameters, reference, controller, and defects that are relative to the torque (of a run without
 * any). trajectory NULL: the built-in one of a built-in robot of this name. -1 to go on.
 */
int cli_plant_load(cli_plant *out, const char *command, const cli_plant_options *options,
                   const rbv_model *model, const char *trajectory, const cli_common *common);
void cli_plant_free(cli_plant *plant);

/* Simulate into trace, outcome and last. -1 to go on. */
int cli_plant_run(cli_plant *plant, const rbv_sim_options *options);

/* A further reference for the same controller and rate; free() it. -1 to go on. */
int cli_plant_reference(rbv_sim_reference *out, double **memory, const cli_plant *plant,
                        const char *trajectory);

#endif
