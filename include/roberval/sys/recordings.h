/*
 * recordings: what every job needs first (module job). Options that say how a robot is loaded and
 * how recordings become motions, the loading itself, priors, row filters, and the control law of a
 * recording.
 *
 * Strings in structures of options are borrowed: they must live as long as the structure is used.
 */
#ifndef ROBERVAL_SYS_RECORDINGS_H
#define ROBERVAL_SYS_RECORDINGS_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/check.h>
#include <roberval/sys/control.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/option.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/result.h>
#include <roberval/sys/sim.h>

RBV_BEGIN_C

/* ---- robots ---- */

typedef struct {
  rbv_model_options model; /* its sensing is set from the next when that is not NULL */
  const char *sensing;     /* "motor", "joint", "both", "difference" */
  const char *gravity;     /* "X,Y,Z" in the base frame [m/s^2]; NULL: as in the robot file */
  const char *mount;       /* "floor", "wall", "ceiling": gravity along -z, x, z; NULL: not given */
} rbv_robot_options;

RBV_API rbv_robot_options rbv_robot_defaults(void);

/*
 * Folders in which rbv_robot_load looks for package:// of a URDF, separated by ':', where the
 * options name none. Copied. For the whole process: call it once, before other threads start.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_robot_set_packages(const char *folders);
RBV_API const rbv_option *rbv_robot_rows(void); /* table over rbv_robot_options */

/*
 * Load a robot and pass on the notes of its file. Angles that were taken for exact ones are not
 * among them (rbv_model_snap).
 *
 *   options  in  NULL: the defaults
 *   notes    in  may be NULL
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_robot_load(rbv_model **out, const char *robot,
                                                 const rbv_robot_options *options,
                                                 const rbv_notes *notes);

/* ---- recordings ---- */

typedef struct {
  const char *map;       /* column map (YAML); NULL: none */
  const char *method;    /* of differentiation; NULL: bandpass, or what the method needs */
  const char *cutoff;    /* "auto" or a frequency [Hz] */
  const char *stiffness; /* list or file; NULL: rigid */
  const char *gains;     /* list or file; NULL: 1 */
  double period_s, delay_s;
  int harmonics;
  double spline_variance; /* of the positions; 0: the spline has its corner at the cut-off */
  double memory_mb;       /* recordings that need more are read in pieces; NaN: the default */
  bool drop_bad_rows;     /* see rbv_log_find_bad_rows; recordings are then held whole */
  const char *from, *to; /* part of a recording: seconds after its start "2.5", or rows "100rows" */
  double log_rate_hz;    /* of recordings without time stamps; 0: not known */
} rbv_recording_options;

RBV_API rbv_recording_options rbv_recording_defaults(void);
RBV_API const rbv_option *rbv_recording_rows(void); /* table over rbv_recording_options */

/* Only the rows `memory`, `drop-bad-rows` and those of rbv_part_rows of that table. */
RBV_API const rbv_option *rbv_memory_rows(void);

/* Only the rows `from`, `to` and `log-rate` of that table. */
RBV_API const rbv_option *rbv_part_rows(void);

/* What the files that the options name contain. */
typedef struct {
  rbv_log_map *map;          /* NULL: none */
  double *stiffness, *gains; /* njoint; NULL: none */
} rbv_recording_files;

/* Check the options and read the files that they name, so that several sets of recordings can share
 * them. */
RBV_API RBV_MUST_CHECK rbv_status rbv_recording_files_load(rbv_recording_files *out,
                                                           const rbv_model *model,
                                                           const rbv_recording_options *options);
RBV_API void rbv_recording_files_free(rbv_recording_files *files);

/* How one set of files is to be read, besides the options. */
typedef struct {
  const rbv_recording_files *files; /* of the same options; NULL: they are read */
  bool loaded;                      /* recorded with the payload */
  bool reference;         /* positions that were not recorded are those of the reference */
  const char *whole;      /* reason to hold recordings whole ("a simulated loop"); NULL: none */
  const double *gain;     /* njoint: drive gains that replace those of the options; NULL: none */
  bool keep_logs;         /* so that rbv_recordings_set_gains can be called */
  const char *controller; /* control law (YAML) whose torques are used where none were recorded;
                             NULL: such recordings are refused */
  bool positions;         /* keep the positions as recorded */
  bool unknown_body;      /* recorded with a body that the model lacks */
  bool question; /* ask the quick questions of rbv_check about recordings that are held whole */
  int threads;   /* 0: 1 */
} rbv_recording_use;

/* Motions and what a result says about their files. Start from zero; add as often as needed. */
typedef struct {
  int count;
  rbv_motion **motion;
  rbv_input *input;
  rbv_sim_reference *reference; /* its q is NULL where the log has none at the motion's samples */
  double **position;            /* as recorded, count x njoint; NULL where not kept, or where the
                                   log has none at the motion's samples */
  rbv_log **log;                /* NULL where it was not kept */
  double loop_step; /* largest step of a coarse encoder that a controller reacts to [rad or m]; 0:
                       none found, see rbv_signal_feedback */
  double encoder_step; /* smallest step of the recorded positions of joints [rad or m]; 0: some are
                          not quantised, or only motor positions were recorded */
  int computed; /* recordings without torques of their own: those of the control law are used */
  struct rbv_deflections **deflection; /* of joints with encoders on both sides; NULL: none */
  rbv_check_result **check; /* answers to the quick questions; NULL where none were asked */
} rbv_recordings;

/*
 * Load logs and add them. Small ones are held whole, larger ones are read in pieces.
 *
 *   paths  in  borrowed while the recordings live
 *   use    in  NULL: nothing special
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_recordings_add(rbv_recordings *all, const rbv_model *model,
                                                     const rbv_recording_options *options,
                                                     const rbv_recording_use *use,
                                                     const char *const *paths, int count,
                                                     const rbv_notes *notes);

/*
 * Make the motions again with other drive gains (njoint): from the logs that were kept, or where
 * a file is read in pieces, from the file.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_recordings_set_gains(rbv_recordings *all,
                                                           const rbv_model *model,
                                                           const rbv_recording_options *options,
                                                           const rbv_recording_use *use,
                                                           const double *gain);
RBV_API void rbv_recordings_free(rbv_recordings *all);

/* Finding i of all recordings together, from 0; NULL: there are no more. All are errors. */
RBV_API const rbv_finding *rbv_recordings_finding(const rbv_recordings *all, int i);

/* Put the joints of a log into the order of the robot's, when their names are the robot's. */
RBV_API RBV_MUST_CHECK rbv_status rbv_recordings_order(rbv_log *log, const rbv_model *model);

/* ---- row filters and priors ---- */

typedef struct {
  int decimate; /* 0: from the data */
  double mask;  /* NaN: from the data */
} rbv_filter_options;

RBV_API rbv_filter_options rbv_filter_defaults(void);
RBV_API const rbv_option *rbv_filter_rows(void); /* table over rbv_filter_options */

/* Choose what was left to the data, and tell it. share: of the rows that the fit uses. */
RBV_API RBV_MUST_CHECK rbv_status rbv_filter_choose(rbv_row_filter *out,
                                                    const rbv_filter_options *options,
                                                    const rbv_model *model,
                                                    const rbv_recordings *recordings, double share,
                                                    int threads, const rbv_notes *notes);

/* A-priori values, one per column; as rbv_identify_options has them. */
typedef struct {
  double *value, *sigma; /* sigma NULL: none known */
} rbv_prior_values;

/* From a parameter file, or with "robot" from the robot file. */
RBV_API RBV_MUST_CHECK rbv_status rbv_prior_load(rbv_prior_values *out, const char *file,
                                                 const rbv_model *model);
RBV_API void rbv_prior_free(rbv_prior_values *prior);

/* ---- control laws ---- */

RBV_API void rbv_control_found_free(rbv_control_found *found);

/*
 * The first joint whose torque no linear law explains, with the sentence to show; -1 when all are
 * explained. Call again with first + 1 for the next.
 */
RBV_API int rbv_controller_unexplained(char *sentence, size_t size, const rbv_control_found *found,
                                       const rbv_model *model, int first);

RBV_END_C
#endif
