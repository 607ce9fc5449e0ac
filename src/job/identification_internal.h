/* An identification job opened up, for the files of its workflow; not installed. */
#ifndef JOB_IDENTIFICATION_INTERNAL_H
#define JOB_IDENTIFICATION_INTERNAL_H

#include <roberval/sys/identification.h>

#include "job/job_internal.h"

#define OPTION_FILES_MAX 16  // rows of kind FILE, at most

/* the simulated loop and what it borrows */
typedef struct {
  rbv_closed_loop loop;
  rbv_sim_options sim;
  rbv_control *control;
  bool borrowed;           // it belongs to another job
  double bandwidth;        // w_dyn: of the fastest loop [rad/s]; 0: not known
  double reference_hz;     // low-pass of the measured reference; 0: it was recorded
  rbv_control **controls;  // cloe: one per recording
  int ncontrol;
  double *start, *inertia;
  double *stiffness, *damping;  // of elastic joints
  rbv_unknown *unknown;
  rbv_device *device;  // of a global search; NULL: the CPU
} closed_loop;

/* recordings in memory */
typedef struct {
  rbv_log_input *item;
  int count;
} input_list;

typedef struct filter_scan_store filter_scan_store;

struct rbv_identification {
  char *robot;         // its file, or its name
  rbv_model *given;    // the robot as an object; NULL: it is read from the file
  rbv_log_input *log;  // recordings to identify from
  int nlog;
  input_list loaded, validate;  // beside the files of the options
  rbv_identification_options options;
  rbv_option_group groups[RBV_IDENTIFICATION_GROUPS];
  text_pool texts;  // copies of what was set by name
  rbv_notes notes;
  rbv_identify_progress *progress;
  void *progress_self;

  // of the last run
  rbv_model *model;
  rbv_friction_choice *friction;  // NULL: the terms are given
  rbv_result_friction *friction_term;
  rbv_result_friction_speeds *friction_speeds;  // njoint; NULL: there are no positions
  rbv_result_spring *spring;                    // nspring, of elastic joints with two encoders
  int nspring;
  rbv_cross_validation cross;  // of the automatic choice; no candidates: there was none
  const char *shape_list;  // friction terms with the shapes that output error has found; NULL: none
  rbv_recorded_smoothing recorded;  // of the first recording
  rbv_recording_files files;
  rbv_recordings fit, others;
  rbv_prior_values prior;
  double *row_sigma;
  bool *columns;              // that are estimated; NULL: all
  double *gain, *gain_sigma;  // njoint; NULL: not searched for
  rbv_ellipsoid *bound;
  closed_loop loop;
  rbv_control *law;  // that was found before for the same recordings; borrowed, NULL: none
  rbv_identify_options how;
  rbv_estimate *estimate;
  rbv_prediction *prediction;
  rbv_check_result *check;  // what the fit says about the recordings
  rbv_result_finding *finding;
  rbv_result_finding *advice;
  int nadvice;
  text_pool advice_texts;
  rbv_result result;
  bool has_result;
  filter_scan_store *scan;  // of the result; NULL: none
  rbv_setting *setting;
  rbv_setting chosen[14];
  char gain_text[2048];
  rbv_option_file file[OPTION_FILES_MAX];  // nfile, when the run began
  int nfile;
  rbv_result_file result_file[OPTION_FILES_MAX];
  char urdf_hash[65];
};

/* The method that runs: without a choice auto where there is a controller, else wls. */
const char *rbv_identification_method(const rbv_identification_options *o);

/* Does the job simulate the closed loop? `auto` does where it has a controller. */
bool rbv_identification_simulates(const rbv_identification_options *o);

/* Is the reference of the loop the measured position? */
bool rbv_identification_measures_reference(const rbv_identification_options *o);

/* Do the options give a loop: a control law, or a reference for which one is made? */
bool rbv_identification_has_loop(const rbv_identification_options *o);

/* The measured positions as references; below: a law for them, from the start values. */
rbv_status rbv_identification_take_reference(rbv_identification *job);
rbv_status rbv_identification_make_controller(rbv_identification *job);

/* Is the control law to be found in the recordings themselves? */
bool rbv_identification_finds_controller(const rbv_identification_options *o);

/* How the recordings of the job are read. */
rbv_recording_use rbv_identification_use(const rbv_identification *job);

/* The columns of the option only; sets how.columns. Below: is its value a list of names? */
rbv_status rbv_identification_choose_columns(rbv_identification *job);
bool rbv_only_is_list(const char *text);

/* Controller, references and first parameters of the simulated loop; sets how.loop. */
rbv_status rbv_identification_prepare_loop(rbv_identification *job);
void rbv_identification_free_loop(closed_loop *loop);

/* Drive gains: from the back-EMF before recordings are read, from a known mass after. */
rbv_status rbv_identification_gains_from_emf(rbv_identification *job);
rbv_status rbv_identification_gains_from_mass(rbv_identification *job);

/* How the estimate is made, from the options. */
void rbv_identification_take_options(rbv_identification *job);

/* Choose the filter of the rows for the method; weights of the rows that depend on it. */
rbv_status rbv_identification_choose_rows(rbv_identification *job);
rbv_status rbv_identification_read_weights(rbv_identification *job);

/* Choose the decimation by Durbin-Watson if the options ask for it. */
rbv_status rbv_identification_whiten_rows(rbv_identification *job);

/* Load robot and recordings, and choose what is left to the data; first without the loop. */
rbv_status rbv_identification_load_inputs(rbv_identification *job);
rbv_status rbv_identification_load(rbv_identification *job);

/* A failure whose cause was found in a recording is reported as that. */
rbv_status rbv_identification_blame(rbv_status status, const rbv_identification *job);

/* The model of the job with the friction terms of a list in place of its own. */
rbv_status rbv_identification_with_friction(rbv_model **out, const rbv_identification *job,
                                            const char *list);

/* Choose friction terms from the recordings if the options ask for it; the model then has them. */
rbv_status rbv_identification_choose_friction(rbv_identification *job);
/* Does the list of friction terms leave shape parameters open? Below: find them. */
bool rbv_identification_searches_shapes(const rbv_identification_options *o);
rbv_status rbv_identification_search_shapes(rbv_identification *job);
/* Take over the shape parameters that output error has found; the list of terms then has them. */
rbv_status rbv_identification_adopt_shapes(rbv_identification *job);
/* Add the uncertainty of chosen shape parameters to the covariance of the estimate. */
rbv_status rbv_identification_widen(rbv_identification *job);
bool rbv_identification_chooses_friction(const rbv_identification_options *o);

/* The friction terms beside those of the robot file; NULL: none. */
const char *rbv_identification_friction_list(const rbv_identification *job);

/* Free everything of the last run, so that a finished job of a fleet holds no memory. */
void rbv_identification_forget(rbv_identification *job);

/* A sentence if the cut-off of a method with a noise model is far below the motion; else nothing.
 */
rbv_status rbv_identification_doubt_cutoff(rbv_text *out, const rbv_identification *job);

/* Send and keep notes about what the robot file, the options or the checks may lack. */
rbv_status rbv_identification_advise(rbv_identification *job);

/* The result and its provenance, from the estimate. */
rbv_status rbv_identification_make_result(rbv_identification *job);
void rbv_identification_drop_result(rbv_identification *job);

/* ---- files of a result ---- */

typedef enum { RBV_FILE_SAME, RBV_FILE_CHANGED, RBV_FILE_MISSING } rbv_file_state;

/*
 * Find a file that a result names: at its path, beside the result file, or in a directory above.
 *
 *   path    in/out  as stored; replaced by a text of the pool if the file is elsewhere
 *   result  in      path of the result file
 *   sha256  in      hash of the file; "": a built-in robot, which is always the same
 */
rbv_status rbv_result_find_file(const char **path, rbv_file_state *state, text_pool *pool,
                                const char *result, const char *sha256);

/* Find the robot and the files of options, or the recordings. Paths in the result are replaced.
 * Files that are not found keep their path. Notes tell which recordings changed or are missing. */
rbv_status rbv_result_find_options(rbv_result *r, text_pool *pool, const char *result);
rbv_status rbv_result_find_logs(rbv_result *r, text_pool *pool, const char *result,
                                const rbv_notes *notes);

#endif
