/*
 * identification: the whole workflow as one object (module job). Robot, recordings and typed
 * options go in; the estimate, its validation and a result with complete provenance come out. The
 * tool, fleets and bindings only fill it in.
 *
 * The functions with a stable signature are in <roberval/identification.h>; this header adds the
 * structure of options and access to the parts.
 */
#ifndef ROBERVAL_SYS_IDENTIFICATION_H
#define ROBERVAL_SYS_IDENTIFICATION_H

#include <roberval/identification.h>
#include <roberval/sys/friction.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/recordings.h>

RBV_BEGIN_C

/* The closed loop of a recording, for methods that simulate it. */
typedef struct {
  const char *controller; /* YAML file, or "auto": identified from the recordings; NULL: none */
  const char *reference;  /* "recorded", or "measured": the low-passed positions; NULL: recorded */
  double reference_cutoff_hz; /* of that low-pass; 0: from the data */
  const char *start;   /* first parameters: "robot", "regular" or a file; NULL: those of wls */
  const char *stop;    /* "rest" or "printed"; NULL: rest */
  const char *scaling; /* "start" or "always"; NULL: start */
  const char *inertia; /* list or file: J that the gains were tuned for; NULL: found */
  const char *joint_stiffness;     /* list or file: of elastic joints, cloe; NULL: rigid */
  const char *joint_damping;       /* list or file: of their springs; NULL: zero */
  double stop_residual, stop_step; /* tolerances of the iteration; 0: the defaults */
  const char *unknown;             /* cloe: unknowns of the loop, "delay,bias,k_p"; NULL: none */
  const char *observe;             /* cloe: "positions" or "both"; NULL: positions */
  double delay_s;                  /* cloe: delay of the torque that is known, or start value */
  double segment_s; /* cloe: simulate recordings in segments of this length; 0: whole */
  double limit_s; /* cloe: longest search [s of the processor]; 0: as needed, see rbv_closed_loop */
  int starts;     /* cloe: searches from random start values; 0: one */
  const char *search; /* cloe: "local", or "global": starts from a population; NULL: local */
  int population, generations; /* of the global search; 0: the defaults */
  const char *device;          /* of the global search: see rbv_device_choice; NULL: the CPU */
  bool known_links;            /* cloe: links are those of the robot file, drives are unknown */
  double skip_s; /* transient at the start that is left out; NaN: that of the slowest loop */
} rbv_loop_options;

/* Everything is borrowed. */
typedef struct {
  const char *method;
  rbv_filter_options filter;
  rbv_robot_options robot;
  rbv_recording_options recording;
  rbv_loop_options loop;
  const char *friction; /* "plain": as in the robot file; "auto": chosen from the recordings; or a
                           list of drive columns, see friction of rbv_model_options. NULL: friction
                           and bodies by cross-validation, see docs/cli/identify.md */
  const char *weights;  /* "residual", "periods", or a list or file of sigmas; NULL: residual */
  const char *prior;    /* file, or "robot"; NULL: none */
  const char *bounds;   /* file, or "robot"; NULL: none */
  const char *back_emf; /* log with open terminals; NULL: none */
  double prior_weight, total_mass, holdout, known_mass;
  bool essential, consistent;
  const char *only; /* names of base parameters, or a result that has estimated them; NULL: all */
  const char *decimate_by;  /* "cutoff", or "durbin-watson": the decimation from the data whose
                               residuals are nearest to white; NULL: cutoff */
  const char *filter_scan;  /* methods that also estimate with other filters (list, or "all"): see
                               filter_scan of rbv_result; NULL: none */
  const char *scan_against; /* "robot", or a file of parameters: values that the changes of the scan
                               refer to; NULL: the middle of each method */
  bool unchecked;           /* go on although the recordings look wrong */
  int bootstrap;
  rbv_files validate; /* recordings to validate on */
  rbv_files loaded;   /* recordings with the payload */
  uint64_t seed;
  int threads;
} rbv_identification_options;

RBV_API rbv_identification_options rbv_identification_defaults(void);

/* The control law whose torques replace those that were not recorded; NULL: the method needs
 * recorded ones. */
RBV_API const char *rbv_recording_law(const rbv_identification_options *options);

/* Is there an option of this name? */
RBV_API bool rbv_identification_has_option(const char *name);

#define RBV_IDENTIFICATION_GROUPS 6 /* with the one that ends the list */

/* The option table of a structure of options, in groups. */
RBV_API void rbv_identification_groups(rbv_option_group groups[RBV_IDENTIFICATION_GROUPS],
                                       rbv_identification_options *options);

/* The options of a job, to be changed before it runs. */
RBV_API rbv_identification_options *rbv_identification_get_options(rbv_identification *job);

/* Check the options against each other, without any file. RBV_EOPTION and a sentence. */
RBV_API RBV_MUST_CHECK rbv_status
rbv_identification_check(const rbv_identification_options *options);

/* Parts of a job that has run; NULL before, or when there is none. */
RBV_API const rbv_model *rbv_identification_model(const rbv_identification *job);
RBV_API const rbv_estimate *rbv_identification_estimate(const rbv_identification *job);
RBV_API const rbv_prediction *rbv_identification_prediction(const rbv_identification *job);
RBV_API const rbv_recordings *rbv_identification_recordings(const rbv_identification *job);
RBV_API const rbv_recordings *rbv_identification_validation(const rbv_identification *job);
RBV_API const rbv_row_filter *rbv_identification_filter(const rbv_identification *job);
/* How friction terms were chosen; NULL if the options did not ask for it. */
RBV_API const rbv_friction_choice *rbv_identification_friction(const rbv_identification *job);
RBV_API const rbv_prior_values *rbv_identification_prior(const rbv_identification *job);

/* Finding i of a job that has run, or that has failed, from 0; NULL: there are no more: what the
 * checks say about its recordings and about the fit. */
RBV_API const rbv_finding *rbv_identification_finding(const rbv_identification *job, int i);

/* Called after every round of a method that repeats. */
RBV_API void rbv_identification_on_progress(rbv_identification *job,
                                            rbv_identify_progress *progress, void *self);

/* How much the answer changes with the row filter: one row per filter tried. */
#define RBV_SENSITIVITY_ROWS 9
typedef struct {
  int decimate;
  double mask;
  double error;            /* relative error of the torque */
  double durbin_watson[2]; /* smallest and largest of the torque rows: 2 if residuals are white */
  double largest_move;     /* of a parameter, in its sigma */
} rbv_sensitivity;

/* Repeat the estimate with half, the same and twice the decimation and mask. */
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_sensitivity(
    rbv_sensitivity rows[RBV_SENSITIVITY_ROWS], const rbv_identification *job);

/* ---- a result with its robot ---- */

/* A loaded result and everything that is needed to predict with it. */
typedef struct {
  rbv_result *result;
  rbv_model *model;
  double *chi;                        /* all columns of the model */
  rbv_row_filter filter;              /* of the fit */
  rbv_identification_options options; /* as recorded; strings belong to the result */
  double *gain;                       /* njoint: drive gains that the run found; NULL: none */
  char *path;                         /* of the result file */
  void *places;                       /* paths of files that were found elsewhere */
} rbv_result_model;

/*
 * Load a result and the robot that it names. Robot and files of options that are not at the path of
 * the result are looked for beside the result file and in the directories above it, by their hash.
 * A robot file that has changed is used, with a note.
 *
 *   robot  in  another file of the same robot; NULL: the one that the result names
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_result_model_load(rbv_result_model *out, const char *path,
                                                        const char *robot, const rbv_notes *notes);
RBV_API void rbv_result_model_free(rbv_result_model *model);

/*
 * Is this a robot (the name of a built-in one, or a file) and not a result? The contents of the
 * file decide: documents of this library name their schema. A file that cannot be read counts as a
 * result if its name ends with .json, so that the right reader reports the error.
 */
RBV_API bool rbv_result_model_is_robot(const char *path);

/*
 * Write measured and predicted torques of a motion at its full rate, with the part of friction and
 * the residual; see rbv_trace_write.
 *
 *   chi  in  parameters of all columns of the model
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_trace_recording(const char *path, const rbv_model *model,
                                                      rbv_motion *motion, const double *chi);

/* Look for the recordings of the result in the same way; their paths in the result are replaced.
 * Notes tell which of them have changed or were not found. */
RBV_API RBV_MUST_CHECK rbv_status rbv_result_model_find_logs(rbv_result_model *model,
                                                             const rbv_notes *notes);

RBV_END_C
#endif
