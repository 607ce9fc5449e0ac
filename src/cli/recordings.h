/* Recordings on the command line: the options that turn them into motions, and the loading. */
#ifndef CLI_RECORDINGS_H
#define CLI_RECORDINGS_H

#include <math.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/result.h>
#include <roberval/sys/sim.h>

#include "cli.h"

/* As typed; cli_motions_add understands them. */
typedef struct {
  const char *map, *method, *cutoff, *stiffness, *gains;
  double period_s, delay_s;
  int harmonics;
  bool reference;     // stands in for positions that were not recorded
  double memory_mb;   // NaN: the defaults
  const char *whole;  // what else than the derivatives needs recordings whole; NULL: nothing
} cli_recording;

#define CLI_RECORDING_DEFAULTS \
  { .method = "bandpass", .cutoff = "auto", .harmonics = 5, .memory_mb = NAN }

#define CLI_MEMORY(r)                                                                            \
  {                                                                                              \
    "memory", 0, OPT_REAL, &(r).memory_mb, "MB",                                                 \
        "hold recordings that need no more than this whole, read others in pieces (default 200)" \
  }

#define CLI_RECORDING(r)                                                                            \
  {"map", 0, OPT_TEXT, &(r).map, "COLUMNS.yaml", "what the columns of the logs mean"},              \
      {"differentiate", 0,        OPT_TEXT,                                                         \
       &(r).method,     "METHOD", "bandpass, irw, spline, fourier or recorded (default bandpass)"}, \
      {"cutoff", 'c',                                                                               \
       OPT_TEXT, &(r).cutoff,                                                                       \
       "HZ",     "low-pass before positions are differenced; auto or 0: from the data (default)"},  \
      {"period", 0, OPT_REAL, &(r).period_s, "S", "fourier: period of the motion"},                 \
      {"harmonics", 0, OPT_COUNT, &(r).harmonics, "N", "fourier: harmonics of it (default 5)"},     \
      {"stiffness",    0,           OPT_TEXT,                                                       \
       &(r).stiffness, "LIST|FILE", "of each joint [N m/rad], 0 is rigid: positions of the links"}, \
      CLI_MEMORY(r),                                                                                \
      {"gains", 0, OPT_TEXT, &(r).gains, "LIST|FILE", "of each drive, on its torque"}, {            \
    "delay", 0, OPT_REAL, &(r).delay_s, "S", "torques were recorded so much later than positions"   \
  }

/* Motions and what a result says about their files. Start from zero; add as often as needed. */
typedef struct {
  int count;
  rbv_motion **motion;
  rbv_input *input;
  rbv_sim_reference *reference;  // its q is NULL where the log has none at the motion's samples
} cli_motions;

/*
 * Load logs and add them, telling people what had to be done to them. Paths are borrowed. -1 to go
 * on, or an exit code.
 */
int cli_motions_add(cli_motions *motions, const char *command, const rbv_model *model,
                    const cli_recording *recording, const char *const *paths, int count,
                    bool loaded, const cli_common *common);
void cli_motions_free(cli_motions *motions);

/* Joints of a log with names go into the robot's order, when the names are the robot's. */
RBV_MUST_CHECK rbv_status cli_order_joints(rbv_log *log, const rbv_model *model);

/* The options as settings of a result, at most CLI_RECORDING_SETTINGS. */
#define CLI_RECORDING_SETTINGS 8
int cli_recording_settings(rbv_setting *setting, const cli_recording *recording);

/* Numbers typed as a list, or from a YAML file that holds one; free() them. -1 to go on. */
int cli_read_numbers(double **out, const char *command, const char *option, const char *text,
                     int n);

/* ---- how an estimate is made ---- */

/* Values to lean on, one per column; as rbv_identify_options has them. free() by cli_prior_free. */
typedef struct {
  double *value, *sigma;  // sigma NULL: none known
} cli_prior;

/* From a file, or with "robot" from the robot file. */
rbv_status cli_prior_load(cli_prior *out, const char *file, const rbv_model *model);
void cli_prior_free(cli_prior *prior);

/* Is there such a method? Can drive gains be found with a payload of known mass? -1 to go on. */
int cli_check_method(const char *command, const char *method);
int cli_check_known_mass(const char *command, const rbv_model *model);

typedef struct {
  int decimate;  // 0: from the data
  double mask;   // NaN: from the data
} cli_filter;

#define CLI_FILTER_DEFAULTS \
  { .decimate = 0, .mask = NAN }

#define CLI_FILTER(f)                                                                             \
  {"decimate", 'd',                                                                               \
   OPT_COUNT,  &(f).decimate,                                                                     \
   "N",        "low-pass all columns and keep every N-th row (default: from the data; 1: none)"}, \
  {                                                                                               \
    "mask", 0, OPT_REAL, &(f).mask, "RAD_PER_S",                                                  \
        "leave rows out where a joint is slower than this (default: from the data; 0: none)"      \
  }

/* Is it possible? -1 to go on. */
int cli_check_filter(const char *command, const cli_filter *filter);

/* Settle what was left to the data, and say so. -1 to go on. */
int cli_choose_filter(rbv_row_filter *out, const cli_filter *filter, const rbv_model *model,
                      const cli_motions *motions, const cli_common *common);

#endif
