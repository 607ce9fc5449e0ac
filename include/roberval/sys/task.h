/*
 * task: the workflows of the tool as objects (module task). Inputs and options by name go in, one
 * JSON object comes out; <roberval/task.h> has the functions that need no structure. Below is what
 * a front end needs besides: the option tables with the structures behind them, and what was found,
 * to print it in another form.
 *
 *   rbv_task *t;
 *   rbv_task_new(&t, "check");
 *   ... rbv_task_groups(t): parse options into it; rbv_task_add ...
 *   rbv_task_compute(t);
 *   const rbv_check_task *c = rbv_task_data(t);
 *   ... c->result ...
 *   rbv_task_free(t);
 */
#ifndef ROBERVAL_SYS_TASK_H
#define ROBERVAL_SYS_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <roberval/follow.h>
#include <roberval/sys/check.h>
#include <roberval/sys/compare.h>
#include <roberval/sys/design.h>
#include <roberval/sys/export.h>
#include <roberval/sys/fleet.h>
#include <roberval/sys/follow.h>
#include <roberval/sys/identification.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/montecarlo.h>
#include <roberval/sys/option.h>
#include <roberval/sys/payload.h>
#include <roberval/sys/plant.h>
#include <roberval/sys/recordings.h>
#include <roberval/sys/storage.h>
#include <roberval/sys/sweep.h>
#include <roberval/sys/topic.h>
#include <roberval/task.h>

RBV_BEGIN_C

/* Each structure of a task begins with this. */
typedef struct {
  int ninput;
  const char **input;  /* copies: paths, or names of inputs in memory */
  const rbv_log **log; /* of each input: the recording in memory, borrowed; NULL: none */
  rbv_model *robot;    /* the first input; NULL: a path */
  int nsetting;
  rbv_option_value *setting; /* options that were set by name, in their order */
  rbv_notes notes;
  uint64_t seed;
  int threads;
  bool answer; /* after a run */
} rbv_task_common;

/* The option tables over the structure of the task; the list ends with rows = NULL. */
RBV_API const rbv_option_group *rbv_task_groups(const rbv_task *task);

/* The structure of the task: rbv_check_task of "check", and so on. */
RBV_API const void *rbv_task_data(const rbv_task *task);

/* rbv_task_run without the notes about errors of recordings: rbv_task_recordings has them. */
RBV_API RBV_MUST_CHECK rbv_status rbv_task_compute(rbv_task *task);

/*
 * The parts of rbv_task_compute, for a front end that runs jobs in its own way instead of the
 * second: check all options, read all files and make the jobs; do the work; summarise and write the
 * output.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_task_prepare(rbv_task *task);
RBV_API RBV_MUST_CHECK rbv_status rbv_task_work(rbv_task *task);
RBV_API RBV_MUST_CHECK rbv_status rbv_task_finish(rbv_task *task);

/* Work in jobs that do not depend on each other, with the options about them. */
typedef struct {
  const rbv_jobs *jobs; /* NULL: the task has none */
  const char *shard, *journal;
  const char *shard_file; /* journal of a shard; NULL: not given */
  bool resume;
  int threads;
} rbv_task_jobs;

/* The jobs of a task, after rbv_task_prepare. */
RBV_API rbv_task_jobs rbv_task_get_jobs(const rbv_task *task);

/* The recordings of a task that ran, NULL: it has none, or they were not questioned. */
RBV_API const rbv_recordings *rbv_task_recordings(const rbv_task *task);

/* ---- check: ROBOT LOG [LOG ...] ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot;
  const char *map;
  rbv_files loaded;
  rbv_recording_options recording;
  rbv_check_options check;
  const char *controller; /* laws of the recordings, as YAML; NULL: not known */

  rbv_model *model;
  int nlog;
  const char **path; /* recordings without payload, then with payload */
  bool *with_payload;
  rbv_log **log;
  char (*hash)[65];
  rbv_check_result *result;
  double resonance_hz; /* first of the elastic joints, motors held; 0: there are none */
  double cutoff_hz;    /* that the first recording suggests, then; 0: not known */
} rbv_check_task;

/* What the motions say about a column of the model. */
typedef enum { RBV_FATE_ALONE, RBV_FATE_COMBINED, RBV_FATE_LOST, RBV_FATE_NEVER } rbv_fate;
RBV_API rbv_fate rbv_fate_of(const rbv_identifiability *identifiability, int column);

/* ---- simulate: ROBOT TRAJECTORY ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot;
  rbv_plant_options plant;
  const char *output, *save;
  bool derivatives;

  rbv_model *model;
  rbv_plant *p;
  double *tracking, *deviation; /* njoint: rms of q - q_r, standard deviation of the torque */
  char hash[65];                /* of the trajectory */
  char sentence[512];           /* why the simulation ended */
} rbv_simulate_task;

/* ---- validate: RESULT LOG [LOG ...], or ROBOT LOG [LOG ...] ---- */

typedef struct {
  rbv_task_common common;
  rbv_recording_options recording; /* memory and bad rows; the result has the other options */
  rbv_robot_options own;           /* of a robot file; a result has its own */
  const char *robot, *map, *max_error, *output, *plots, *trace;
  bool loaded;
  double horizon_s;       /* longest prediction of the motion; 0: none */
  const char *controller; /* NULL: that of a result of cloe, else the recorded torques */

  double limit; /* fraction; infinite: no limit */
  rbv_result_model fitted;
  rbv_recordings motions;
  rbv_prediction **one; /* per recording */
  rbv_prediction *all;
  rbv_horizons *horizons; /* NULL: not asked for */
  rbv_control **control;  /* per recording, for these */
  double *free_error; /* 2 x njoint: rms error of the position of the free run, then with the robot
                         file (NAN: not compared); NULL: no law */
} rbv_validate_task;

/* Smallest, quartiles, largest of a torque row's error over the recordings (Villagrossi 2014
 * Fig. 3); false: out of memory. */
RBV_API bool rbv_validate_spread(double five[5], const rbv_validate_task *task, int row);

/* ---- compare: RESULT RESULT [RESULT ...] ---- */

typedef struct {
  rbv_task_common common;
  const char *map, *max_change, *output, *report, *plots;
  bool no_logs;

  rbv_change_limit limit;
  int count;
  rbv_result_model *run;
  rbv_recordings *motions; /* the logs of each run */
  double *error;           /* count x count: run i on the logs of run k, at [i + k * count] */
  double *others; /* median error of a run on the logs of the others, without those of an outlier */
  rbv_comparison *comparison;
} rbv_compare_task;

/* Is there a limit of changes, and how many parameters of any result changed beyond it? */
RBV_API bool rbv_compare_has_limit(const rbv_compare_task *task);
RBV_API int rbv_compare_changes(const rbv_compare_task *task);

/* The run that predicts the logs of the others best, never an outlier; -1: without logs, or if the
 * runs predict torques of different sides. */
RBV_API int rbv_compare_best(const rbv_compare_task *task);

/* ---- payload: ROBOT EMPTY LOADED, RESULT LOADED, or ROBOT LOADED ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot;
  rbv_recording_options recording;
  rbv_filter_options filter;
  const char *method, *frame, *at, *wrist, *wrench, *output, *report;
  double known_mass;
  bool at_rest, tilted;

  rbv_result_model fitted; /* of a result */
  rbv_model *model;        /* of a robot, or that of the result */
  rbv_known_arm arm;
  rbv_recordings motions;
  rbv_estimate *estimate; /* of two recordings; NULL otherwise */
  rbv_poses empty, loaded;
  rbv_body_estimate body;
  rbv_wrist_estimate wrist_estimate;
  double *gain, *gain_sigma; /* njoint, with known_mass; NULL otherwise */

  rbv_payload payload;
  const char *of_frame; /* name of the frame of the values; NULL: of the last link */
  const char *source;   /* "two recordings", "result", "static poses", "wrist sensor" */
  double relative_error;
  int poses;                          /* 0: none */
  const rbv_wrist_estimate *of_wrist; /* NULL: none */
} rbv_payload_task;

/* ---- montecarlo: ROBOT ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot;
  rbv_plant_options plant;
  rbv_filter_options filter;
  const char *mode, *reference, *second, *methods, *differentiate, *output, *save;
  const char *shard, *journal, *device;
  bool resume;
  double cutoff_hz, skip_s, gain_error_percent, excess_speed;
  int runs, trim;
  bool no_shift;
  const char *unknowns;

  bool nonzero;     /* only unknowns that are nonzero in truth */
  rbv_model *m;     /* used by the methods */
  rbv_model *other; /* simulated; may have more columns */
  double *truth;    /* parameters of the robot, in the columns of the model */
  rbv_plant *p;
  rbv_montecarlo_plan plan;
  double *second_motion; /* memory of the validation reference */
  char *method_list;     /* split at its commas */
  char identity[256];
  rbv_device *opened; /* NULL: the CPU */
  rbv_montecarlo *study;
  rbv_montecarlo_summary *summary;
} rbv_montecarlo_task;

/* ---- excite: ROBOT ---- */

#define RBV_EXCITE_FORMATS 8 /* largest number of trajectory formats */

typedef struct {
  rbv_task_common common;
  rbv_option format[RBV_EXCITE_FORMATS + 1]; /* a row for each format of trajectories */
  char value[RBV_EXCITE_FORMATS][24];
  const char *file[RBV_EXCITE_FORMATS]; /* of each format; NULL: not written */
  rbv_design_options design;
  rbv_robot_options robot;
  const char *journal, *shard, *device, *report, *plots;
  double slow;
  int poses; /* at rest; 0: a motion */
  bool wrist, resume;

  rbv_model *model;
  rbv_design *found;
  rbv_device *opened;   /* NULL: the CPU */
  double *pose;         /* poses x joints */
  double pose_sigma[4]; /* of the first moment and the mass of a payload */
} rbv_excite_task;

/*
 * Search with the journal of the options: for a front end that shows the progress, between
 * rbv_task_prepare and rbv_task_finish, in place of rbv_task_work.
 *
 *   run  in  share and shares of the option shard, progress; device and store are set here
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_task_solve(const rbv_excite_task *task,
                                                        rbv_design_run *run);

/* Poses as CSV; free with rbv_text_release (result.h). */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_task_poses(char **text, size_t *size,
                                                        const rbv_excite_task *task);

/* ---- sweep: ROBOT RESULT ---- */

#define RBV_SWEEP_ROWS 16 /* options about the loop, with the row that ends the table */

typedef struct {
  rbv_task_common common;
  rbv_option loop[RBV_SWEEP_ROWS]; /* rows of the plant's table that act on the loop */
  rbv_plant_options plant;
  const char *journal, *reference, *device, *output, *plots;
  bool resume;
  int plants, worst;
  double spread;

  rbv_result_model fitted;
  rbv_plant *p;
  rbv_device *opened; /* NULL: the CPU */
  rbv_sweep *sweep;
  const rbv_sweep_summary *summary;
} rbv_sweep_task;

/* Unit of the torques or of the tracking errors of a joint; a quantity of the estimated plant. */
RBV_API const char *rbv_sweep_unit(const rbv_sweep_task *task, int joint, bool torque);
RBV_API double rbv_sweep_own(const rbv_run_sums *sums, int quantity);

/* ---- identify: ROBOT LOG [LOG ...] ---- */

typedef struct {
  rbv_task_common common;
  rbv_identification_options options;
  const char *scan, *output, *again, *report, *plots;

  rbv_identification *job;
  rbv_sensitivity sensitivity[RBV_SENSITIVITY_ROWS]; /* with scan */
} rbv_identify_task;

/* ---- identify-fleet: MANIFEST ---- */

/* Robots of a list, their results and those that differ from the others. */
typedef struct {
  rbv_fleet_plan *plan;
  rbv_fleet *found; /* NULL: a shard was written */
} rbv_fleet_comparison;

/* Why a robot has no result. */
RBV_API const char *rbv_fleet_reason(const rbv_fleet_plan *plan, int robot);

typedef struct {
  rbv_task_common common;
  rbv_identification_options options; /* those that are set apply to all robots */
  const char *output, *shard, *journal;
  bool resume;

  rbv_fleet_comparison fleet;
} rbv_identify_fleet_task;

/* ---- fleet: FOLDER with a folder of results per period ---- */

typedef struct {
  rbv_task_common common;
  const char *report, *plots;
  double alarm;

  int nrobot, nperiod, nresult;
  char **robot, **period; /* names, sorted */
  rbv_result **result;    /* robot r and period t at [r + nrobot t]; NULL: none */
  rbv_history *history;
} rbv_fleet_task;

/* ---- merge: FILE [FILE ...], shards of a study or of a fleet ---- */

typedef struct {
  rbv_task_common common;
  const char *output;

  rbv_journal *all;
  rbv_montecarlo *study;
  rbv_montecarlo_summary *summary; /* NULL: a fleet */
  rbv_fleet_comparison fleet;
} rbv_merge_task;

/* ---- follow: ROBOT RESULT LOG, or - for the standard input ---- */

/* What a follower needs besides rows. */
typedef struct {
  rbv_follow_options follow;
  rbv_files clean; /* recordings without contact and payload; none: those of the result */
  const char *map;
  double rate_hz; /* of the stream; 0: from its first rows */
} rbv_follower_options;

typedef struct {
  rbv_task_common common;
  rbv_follower_options options;
  const char *output, *report, *alarm, *state;
  double every, until, wait, save_every, heartbeat;
  rbv_topic_options topic; /* in place of the log */
  const char *publish;
  FILE *stream; /* for the output "-" */
  rbv_follow_listener *listener;
  void *self;
  const int *stop; /* rbv_cancel ends the stream as if it were finished; NULL: nothing does */

  struct rbv_following *run;
  long long samples, bad_rows;
  double duration_s;
  int contacts, changes;
  bool alarmed;
  const rbv_follow_report *last;
} rbv_follow_task;

/* Before a run: events as they happen, a stream for the history, and a flag for rbv_cancel that
 * ends the stream. Any of them may be NULL. */
RBV_API void rbv_follow_task_listen(rbv_task *task, FILE *history, rbv_follow_listener *listener,
                                    void *self, const int *stop);

/* ---- record: ROBOT ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot;
  rbv_topic_options topic;
  const char *output;
  double until, wait, look;
  bool enough;
  const int *stop; /* rbv_cancel ends the recording, which is kept; NULL: nothing does */

  rbv_model *model;
  struct rbv_recording_run *run;
  rbv_check_options check;
  rbv_check_result *result; /* of the whole recording */
  long long rows, bad_rows, lost;
  double duration_s, enough_s; /* enough_s: when nothing was lacking first; NaN: never */
} rbv_record_task;

/* ---- play: ROBOT MOTION ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot;
  rbv_topic_options topic;
  rbv_design_options design; /* limits and shapes */
  const char *command, *result;
  double slow, error, silence, ahead, wait;
  bool yes_move, approach;
  const int *stop; /* rbv_cancel stops the robot; NULL: nothing does */

  rbv_model *model;
  rbv_trajectory *motion;
  rbv_design *limits; /* not solved */
  struct rbv_playing *run;
  bool complete;
  const char *stopped; /* "following-error", "residual", "silence", "busy" or "asked"; NULL: none */
  char reason[512];
  long long messages, rows; /* sent; joint states */
  int passes;               /* motions that were played to their end */
  double *largest;          /* njoint: distance from the motion */
} rbv_play_task;

/* Before a run of record or play: a flag for rbv_cancel that ends it. */
RBV_API void rbv_live_task_stop(rbv_task *task, const int *stop);

/* ---- map: ROBOT LOG ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot;
  const char *output;
  double rate_hz;

  rbv_model *model;
  rbv_log_guess *guess;
} rbv_map_task;

/* ---- lint: ROBOT ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot;

  rbv_model *model;
  rbv_lint *lint;
} rbv_lint_task;

/* ---- controller: ROBOT LOG [LOG ...] ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot;
  rbv_recording_options recording;
  rbv_control_id_options id;
  const char *method, *output, *plots;

  rbv_model *model;
  rbv_control *control;
  rbv_control_found *found; /* njoint */
} rbv_controller_task;

/* ---- export: RESULT, or ROBOT ---- */

typedef struct {
  rbv_task_common common;
  rbv_robot_options robot; /* of a robot; a result has its own */
  const char *format, *output, *parameters, *motion;
  const char *other; /* another file of the robot of a result */
  bool force, single, derivatives;

  rbv_result_model fitted; /* of a result */
  rbv_model *model;        /* of a robot, or that of the result */
  double *chi;
  rbv_export *made;
  char header[1024]; /* C: path of the header */
} rbv_export_task;

RBV_END_C
#endif
