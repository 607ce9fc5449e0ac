/*
 * roberval_mex(COMMAND, ...): the library for MATLAB and GNU Octave. The functions roberval_*.m
 * call it and say what each command takes and gives. One row of the table at the end is one
 * command.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roberval_mex.h"

/* ---- structures ---- */

static void put(mxArray *s, const char *name, mxArray *value) {
  int number = mxGetFieldNumber(s, name);
  if (number < 0) number = mxAddField(s, name);
  mxSetFieldByNumber(s, 0, number, value);
}

static void put_number(mxArray *s, const char *name, double x) {
  put(s, name, mxCreateDoubleScalar(x));
}
static void put_flag(mxArray *s, const char *name, bool x) {
  put(s, name, mxCreateLogicalScalar(x));
}
static void put_text(mxArray *s, const char *name, const char *text) {
  put(s, name, mxCreateString(text ? text : ""));
}
static mxArray *structure(void) { return mxCreateStructMatrix(1, 1, 0, NULL); }

/* A list of texts and one of numbers, asked from an object by their index. */
#define TEXTS(to, name, count, function, object)                         \
  do {                                                                   \
    mxArray *cell_ = mxCreateCellMatrix((mwSize)(count), 1);             \
    for (int i_ = 0; i_ < (count); i_++) {                               \
      const char *text_ = function(object, i_);                          \
      mxSetCell(cell_, (mwIndex)i_, mxCreateString(text_ ? text_ : "")); \
    }                                                                    \
    put(to, name, cell_);                                                \
  } while (0)
#define NUMBERS(to, name, count, function, object)                                    \
  do {                                                                                \
    mxArray *column_ = mex_column(count);                                             \
    for (int i_ = 0; i_ < (count); i_++) mxGetPr(column_)[i_] = function(object, i_); \
    put(to, name, column_);                                                           \
  } while (0)

/* ---- notes ---- */

static void keep_note(void *self, const char *sentence, const char *option) {
  (void)self;
  mex_held *h = &mex_holds;
  char **grown = realloc(h->notes, (size_t)(h->nnote + 1) * sizeof *grown);
  if (!grown) return;
  h->notes = grown;
  const size_t room = strlen(sentence) + (option ? strlen(option) : 0) + 32;
  char *note = malloc(room);
  if (!note) return;
  snprintf(note, room, option ? "%s (see the option '%s')" : "%s", sentence, option);
  h->notes[h->nnote++] = note;
}

static const char *note_at(int i) { return mex_holds.notes[i]; }

/* ---- robots ---- */

typedef struct {
  const char *option[129];
  int n;
} robot_options;

static void collect(void *self, const char *name, const mxArray *value) {
  robot_options *o = self;
  if (o->n + 2 >= (int)(sizeof o->option / sizeof *o->option))
    mex_fail("EOPTION", "there are too many options");
  o->option[o->n++] = name;
  o->option[o->n++] = mex_option_text(value, name);
}

/* The robot of the first argument, with the options from argument `from` on. */
static rbv_model *open_robot(int n, const mxArray **in, int from) {
  robot_options o = {.n = 0};
  mex_each_option(n > from ? n - from : 0, in + from, collect, &o);
  mex_check(rbv_model_open_with(&mex_holds.model, mex_text(in[0], "a robot"), o.option));
  return mex_holds.model;
}

static double prismatic(const rbv_model *m, int j) { return rbv_model_joint_is_prismatic(m, j); }

static mxArray *run_robot(int n, const mxArray **in) {
  const rbv_model *m = open_robot(n, in, 1);
  const int joints = rbv_model_joint_count(m), columns = rbv_model_column_count(m);
  mxArray *s = structure(), *values = mex_column(columns);
  const double *chi = rbv_model_parameters(m);
  for (int c = 0; c < columns; c++) mxGetPr(values)[c] = chi ? chi[c] : mxGetNaN();
  put_text(s, "name", rbv_model_name(m));
  TEXTS(s, "joints", joints, rbv_model_joint_name, m);
  NUMBERS(s, "prismatic", joints, prismatic, m);
  NUMBERS(s, "lower", joints, rbv_model_joint_lower, m);
  NUMBERS(s, "upper", joints, rbv_model_joint_upper, m);
  NUMBERS(s, "velocity", joints, rbv_model_joint_velocity, m);
  NUMBERS(s, "effort", joints, rbv_model_joint_effort, m);
  TEXTS(s, "names", columns, rbv_model_column_name, m);
  TEXTS(s, "units", columns, rbv_model_column_unit, m);
  put(s, "values", values);
  put_number(s, "torque_rows", rbv_model_row_count(m));
  return s;
}

static mxArray *run_base(int n, const mxArray **in) {
  const rbv_model *m = open_robot(n, in, 1);
  mex_check(rbv_model_base(&mex_holds.base, m));
  const rbv_base *base = mex_holds.base;
  const int count = rbv_base_count(base), columns = rbv_model_column_count(m);
  mxArray *s = structure(), *column = mex_column(count);
  mxArray *matrix = mxCreateDoubleMatrix((mwSize)count, (mwSize)columns, mxREAL);
  for (int i = 0; i < count; i++) {
    mxGetPr(column)[i] = rbv_base_column(base, i) + 1;
    for (int c = 0; c < columns; c++)
      mxGetPr(matrix)[i + c * count] = rbv_base_relation(base, i, c);
  }
  TEXTS(s, "names", count, rbv_base_name, base);
  put(s, "columns", column);
  put(s, "matrix", matrix);
  TEXTS(s, "parameters", columns, rbv_model_column_name, m);
  return s;
}

/* ---- dynamics: ROBOT, Q, DQ, third, [PARAMETERS], options ---- */

typedef struct {
  const rbv_model *model;
  ptrdiff_t samples;
  int joints, rows, columns;
  const double *x[3];
  const double *chi;
} dynamics_input;

static dynamics_input read_dynamics(int n, const mxArray **in, int arrays, bool parameters) {
  static const char *const what[] = {"q", "dq", "the third matrix"};
  dynamics_input d = {0};
  const int from = 1 + arrays + parameters;
  d.model = open_robot(n, in, from < n ? from : n);
  d.joints = rbv_model_joint_count(d.model);
  d.rows = rbv_model_row_count(d.model);
  d.columns = rbv_model_column_count(d.model);
  for (int i = 0; i < arrays; i++) {
    d.x[i] = mex_matrix(in[1 + i], what[i], i ? d.samples : -1, d.joints);
    d.samples = (ptrdiff_t)mxGetM(in[1 + i]);
  }
  if (!parameters || n <= 1 + arrays || mxGetNumberOfElements(in[1 + arrays]) == 0) return d;
  const mxArray *chi = in[1 + arrays];
  d.chi = mex_matrix(chi, "parameters", (ptrdiff_t)mxGetM(chi), -1);
  if (mxGetNumberOfElements(chi) != (size_t)d.columns)
    mex_fail("EDIM", "there are %zu parameters, not %d", mxGetNumberOfElements(chi), d.columns);
  return d;
}

static mxArray *run_inverse(int n, const mxArray **in) {
  const dynamics_input d = read_dynamics(n, in, 3, true);
  mxArray *tau = mxCreateDoubleMatrix((mwSize)d.samples, (mwSize)d.joints, mxREAL);
  if (d.samples)
    mex_check(rbv_model_torques(mxGetPr(tau), d.model, d.chi, d.samples, d.x[0], d.x[1], d.x[2]));
  return tau;
}

static mxArray *run_forward(int n, const mxArray **in) {
  const dynamics_input d = read_dynamics(n, in, 3, true);
  mxArray *ddq = mxCreateDoubleMatrix((mwSize)d.samples, (mwSize)d.joints, mxREAL);
  if (d.samples)
    mex_check(
        rbv_model_accelerations(mxGetPr(ddq), d.model, d.chi, d.samples, d.x[0], d.x[1], d.x[2]));
  return ddq;
}

/* row k of a matrix of all samples */
static void sample_of(double *to, const double *x, ptrdiff_t k, ptrdiff_t samples, int joints) {
  for (int j = 0; j < joints; j++) to[j] = x[k + j * samples];
}

static mxArray *run_mass_matrix(int n, const mxArray **in) {
  const dynamics_input d = read_dynamics(n, in, 1, true);
  const mwSize size[] = {(mwSize)d.joints, (mwSize)d.joints, (mwSize)d.samples};
  mxArray *M = mxCreateNumericArray(3, size, mxDOUBLE_CLASS, mxREAL);
  double *q = mxMalloc((size_t)d.joints * sizeof *q);
  for (ptrdiff_t k = 0; k < d.samples; k++) {
    sample_of(q, d.x[0], k, d.samples, d.joints);
    mex_check(rbv_model_mass_matrix(mxGetPr(M) + k * d.joints * d.joints, d.model, d.chi, q));
  }
  mxFree(q);
  return M;
}

/* W of all samples, one below the other: row r of sample k is row k rows + r */
static mxArray *run_regressor(int n, const mxArray **in) {
  const dynamics_input d = read_dynamics(n, in, 3, false);
  const size_t height = (size_t)d.samples * (size_t)d.rows, joints = (size_t)d.joints;
  mxArray *out = mxCreateDoubleMatrix((mwSize)height, (mwSize)d.columns, mxREAL);
  double *x = mxMalloc((3 * joints + (size_t)d.rows * (size_t)d.columns) * sizeof *x),
         *W = x + 3 * joints;
  for (ptrdiff_t k = 0; k < d.samples; k++) {
    for (int i = 0; i < 3; i++) sample_of(x + (size_t)i * joints, d.x[i], k, d.samples, d.joints);
    mex_check(rbv_model_regressor(W, d.model, x, x + joints, x + 2 * joints));
    for (int c = 0; c < d.columns; c++)
      memcpy(mxGetPr(out) + (size_t)k * (size_t)d.rows + (size_t)c * height, W + c * d.rows,
             (size_t)d.rows * sizeof *W);
  }
  mxFree(x);
  return out;
}

/* ---- recordings ---- */

static mxArray *columns_of(const rbv_log *log, const char *name, int joints) {
  const ptrdiff_t samples = rbv_log_samples(log);
  int last = 0;
  char column[32];
  for (int j = 0; j < joints; j++) {
    snprintf(column, sizeof column, "%s%d", name, j + 1);
    if (rbv_log_find(log, column) >= 0) last = j + 1;
  }
  mxArray *out = mxCreateDoubleMatrix((mwSize)samples, (mwSize)last, mxREAL);
  for (int j = 0; j < last; j++) {
    snprintf(column, sizeof column, "%s%d", name, j + 1);
    const double *values = rbv_log_column_values(log, rbv_log_find(log, column));
    for (ptrdiff_t k = 0; k < samples; k++)
      mxGetPr(out)[k + j * samples] = values ? values[k] : mxGetNaN();
  }
  return out;
}

static mxArray *run_recording(int n, const mxArray **in) {
  static const char *const names[] = {"q",    "dq",   "ddq", "tau", "qm",
                                      "taum", "tauj", "qr",  "dqr", "ddqr"};
  const char *map =
      n > 1 && mxGetNumberOfElements(in[1]) > 0 ? mex_text(in[1], "a column map") : NULL;
  mex_check(rbv_log_open(&mex_holds.logs[0], mex_text(in[0], "a recording"), map));
  mex_holds.nlog = 1;
  const rbv_log *log = mex_holds.logs[0];
  const int joints = rbv_log_joint_count(log), columns = rbv_log_column_count(log);
  const double *t = rbv_log_column_values(log, rbv_log_find(log, "t"));
  mxArray *s = structure(), *time = mex_column(t ? rbv_log_samples(log) : 0);
  if (t) memcpy(mxGetPr(time), t, (size_t)rbv_log_samples(log) * sizeof *t);
  put(s, "t", time);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    put(s, names[i], columns_of(log, names[i], joints));
  TEXTS(s, "joints", joints, rbv_log_joint_name, log);
  TEXTS(s, "columns", columns, rbv_log_column_name, log);
  return s;
}

static mxArray *run_save(int n, const mxArray **in) {
  (void)n;
  if (!mxIsStruct(in[0])) mex_fail("EARG", "a recording is needed as a structure");
  mex_check(rbv_log_save(mex_recording(in[0]), mex_text(in[1], "a path")));
  return mxCreateLogicalScalar(true);
}

/* ---- identification ---- */

static mxArray *reasons_of(const rbv_report *report) {
  static const char *fields[] = {"answer", "rule", "text"};
  const int n = rbv_report_reason_count(report);
  mxArray *s = mxCreateStructMatrix((mwSize)n, 1, 3, fields);
  for (int i = 0; i < n; i++) {
    mxSetFieldByNumber(s, (mwIndex)i, 0, mxCreateString(rbv_report_reason_answer(report, i)));
    mxSetFieldByNumber(s, (mwIndex)i, 1, mxCreateString(rbv_report_reason_rule(report, i)));
    mxSetFieldByNumber(s, (mwIndex)i, 2, mxCreateString(rbv_report_reason_text(report, i)));
  }
  return s;
}

static const char *status_of(const rbv_result *r, int i) {
  return rbv_parameter_status_name(rbv_result_parameter_status(r, i));
}

/* pairs of texts until NULL, as an n x 2 cell */
static mxArray *pairs_of(const rbv_result *r, const char *(*first)(const rbv_result *, int),
                         const char *(*second)(const rbv_result *, int)) {
  int n = 0;
  while (first(r, n)) n++;
  mxArray *out = mxCreateCellMatrix((mwSize)n, 2);
  for (int i = 0; i < n; i++) {
    mxSetCell(out, (mwIndex)i, mxCreateString(first(r, i)));
    const char *text = second(r, i);
    mxSetCell(out, (mwIndex)(i + n), mxCreateString(text ? text : ""));
  }
  return out;
}

static mxArray *standard_of(const rbv_result *r) {
  const int n = rbv_result_standard_count(r);
  mxArray *s = structure();
  TEXTS(s, "names", n, rbv_result_standard_name, r);
  NUMBERS(s, "values", n, rbv_result_standard_value, r);
  NUMBERS(s, "sigma", n, rbv_result_standard_sigma, r);
  NUMBERS(s, "known", n, rbv_result_standard_known, r);
  TEXTS(s, "units", n, rbv_result_standard_unit, r);
  return s;
}

/* A result as one structure, whose fields and their kinds are always the same. */
static mxArray *result_of(const rbv_result *r, const rbv_report *report) {
  const int n = rbv_result_parameter_count(r), joints = rbv_result_joint_count(r);
  mxArray *s = structure(), *per_joint = structure();
  put_text(s, "robot", rbv_result_robot(r));
  put_text(s, "method", rbv_result_method(r));
  put_flag(s, "converged", rbv_result_converged(r));
  put_number(s, "iterations", rbv_result_iterations(r));
  put_text(s, "verdict", rbv_report_answer(report));
  put(s, "reasons", reasons_of(report));
  put_number(s, "error", rbv_result_error(r));
  put_number(s, "fit_error", rbv_result_fit_error(r));
  put_number(s, "validation_error", rbv_result_validation_error(r));
  put_number(s, "condition", rbv_result_condition(r));
  put_number(s, "sigma_inflation", rbv_result_sigma_inflation(r));
  TEXTS(s, "names", n, rbv_result_parameter_name, r);
  NUMBERS(s, "values", n, rbv_result_parameter_value, r);
  NUMBERS(s, "sigma", n, rbv_result_parameter_sigma, r);
  NUMBERS(s, "sigma_white", n, rbv_result_parameter_sigma_white, r);
  TEXTS(s, "units", n, rbv_result_parameter_unit, r);
  TEXTS(s, "status", n, status_of, r);
  TEXTS(s, "meaning", n, rbv_result_parameter_meaning, r);
  put(s, "standard", standard_of(r));
  TEXTS(per_joint, "names", joints, rbv_result_joint_name, r);
  NUMBERS(per_joint, "fit_error", joints, rbv_result_joint_fit_error, r);
  NUMBERS(per_joint, "validation_error", joints, rbv_result_joint_validation_error, r);
  put(s, "joints", per_joint);
  put(s, "options", pairs_of(r, rbv_result_option_name, rbv_result_option_value));
  put(s, "files", pairs_of(r, rbv_result_file_path, rbv_result_file_sha256));
  return s;
}

static void add_recordings(const mxArray *value, rbv_recording_role role) {
  typedef rbv_status add_path(rbv_identification *, const char *);
  static add_path *const add[] = {rbv_identification_add_log, rbv_identification_add_loaded_log,
                                  rbv_identification_add_validation_log};
  rbv_identification *job = mex_holds.job;
  if (mxIsCell(value)) {
    for (size_t i = 0; i < mxGetNumberOfElements(value); i++) {
      const mxArray *item = mxGetCell(value, (mwIndex)i);
      if (!item || mxIsCell(item)) mex_fail("EARG", "a recording is a path or a structure");
      add_recordings(item, role);
    }
  } else if (mxIsStruct(value)) {
    mex_check(rbv_identification_add_recording(job, mex_recording(value), role));
  } else {
    mex_check(add[role](job, mex_text(value, "a recording")));
  }
}

static void set_identify(void *self, const char *name, const mxArray *value) {
  (void)self;
  if (strcmp(name, "loaded") == 0) {
    add_recordings(value, RBV_RECORDING_LOADED);
  } else if (strcmp(name, "validate") == 0) {
    add_recordings(value, RBV_RECORDING_VALIDATION);
  } else if (strcmp(name, "output") != 0) {
    mex_check(rbv_identification_set(mex_holds.job, name, mex_option_text(value, name)));
  }
}

static void find_output(void *self, const char *name, const mxArray *value) {
  if (strcmp(name, "output") == 0) *(const char **)self = mex_text(value, "the option 'output'");
}

static mxArray *run_identify(int n, const mxArray **in) {
  const char *output = NULL;
  mex_check(rbv_identification_new(&mex_holds.job, mex_text(in[0], "a robot")));
  rbv_identification *job = mex_holds.job;
  rbv_identification_on_note(job, keep_note, NULL);
  add_recordings(in[1], RBV_RECORDING_FIT);
  mex_each_option(n - 2, in + 2, set_identify, NULL);
  mex_each_option(n - 2, in + 2, find_output, &output);
  mex_check(rbv_identification_run(job));
  mex_check(rbv_report_judge(&mex_holds.report, job));
  if (output) mex_check(rbv_identification_save(job, output));
  mxArray *s = result_of(rbv_identification_result(job), mex_holds.report);
  put(s, "notes", mex_texts(mex_holds.nnote, note_at));
  char *text = NULL;
  size_t size = 0;
  mex_check(rbv_result_write(&text, &size, rbv_identification_result(job)));
  mxArray *json = mxCreateString(text);
  rbv_text_release(text);
  put(s, "json", json);
  return s;
}

/* ---- tasks ---- */

static void set_task(void *self, const char *name, const mxArray *value) {
  const char *kind = *(const char **)self, *type = NULL;
  for (int i = 0; rbv_task_option_name(kind, i) && !type; i++)
    if (strcmp(rbv_task_option_name(kind, i), name) == 0) type = rbv_task_option_kind(kind, i);
  if (!(mxIsCell(value) && type && strcmp(type, "files") == 0)) {
    mex_check(rbv_task_set(mex_holds.task, name, mex_option_text(value, name)));
    return;
  }
  for (size_t i = 0; i < mxGetNumberOfElements(value); i++) {
    const mxArray *item = mxGetCell(value, (mwIndex)i);
    if (!item) mex_fail("EOPTION", "a value of the option '%s' is empty", name);
    mex_check(rbv_task_set(mex_holds.task, name, mex_text(item, "a file")));
  }
}

static void add_input(const mxArray *value) {
  if (value && mxIsStruct(value))
    mex_check(rbv_task_add_recording(mex_holds.task, mex_recording(value)));
  else if (value)
    mex_check(rbv_task_add(mex_holds.task, mex_text(value, "an input")));
  else
    mex_fail("EARG", "an input is empty");
}

static mxArray *run_task(int n, const mxArray **in) {
  const char *kind = mex_text(in[0], "the kind of a task");
  mex_check(rbv_task_new(&mex_holds.task, kind));
  rbv_task_on_note(mex_holds.task, keep_note, NULL);
  if (!mxIsCell(in[1])) add_input(in[1]);
  for (size_t i = 0; mxIsCell(in[1]) && i < mxGetNumberOfElements(in[1]); i++)
    add_input(mxGetCell(in[1], (mwIndex)i));
  mex_each_option(n - 2, in + 2, set_task, &kind);
  mex_check(rbv_task_run(mex_holds.task));
  const char *text = rbv_task_text(mex_holds.task);
  mxArray *s = structure();
  put_flag(s, "answer", rbv_task_answer(mex_holds.task));
  put(s, "data", text ? mex_json(text) : structure());
  put(s, "notes", mex_texts(mex_holds.nnote, note_at));
  put_text(s, "json", text);
  return s;
}

static mxArray *run_options(int n, const mxArray **in) {
  static const char *fields[] = {"name", "kind", "help", "choices"};
  const char *kind = n > 0 ? mex_text(in[0], "the kind of a task") : "identify";
  int count = 0;
  while (rbv_task_option_name(kind, count)) count++;
  if (count == 0) mex_fail("EARG", "there is no task '%s'", kind);
  mxArray *s = mxCreateStructMatrix((mwSize)count, 1, 4, fields);
  for (int i = 0; i < count; i++) {
    const char *name = rbv_task_option_name(kind, i);
    int words = 0;
    while (rbv_task_option_choice(kind, name, words)) words++;
    mxArray *choices = mxCreateCellMatrix((mwSize)words, 1);
    for (int k = 0; k < words; k++)
      mxSetCell(choices, (mwIndex)k, mxCreateString(rbv_task_option_choice(kind, name, k)));
    mxSetFieldByNumber(s, (mwIndex)i, 0, mxCreateString(name));
    mxSetFieldByNumber(s, (mwIndex)i, 1, mxCreateString(rbv_task_option_kind(kind, i)));
    mxSetFieldByNumber(s, (mwIndex)i, 2, mxCreateString(rbv_task_option_text(kind, i)));
    mxSetFieldByNumber(s, (mwIndex)i, 3, choices);
  }
  return s;
}

static mxArray *run_version(int n, const mxArray **in) {
  (void)n;
  (void)in;
  return mxCreateString(rbv_version());
}

/* ---- the function ---- */

static const struct {
  const char *name;
  int least;  // number of arguments
  mxArray *(*run)(int n, const mxArray **in);
} commands[] = {
    {"identify", 2, run_identify},
    {"task", 2, run_task},
    {"options", 0, run_options},
    {"robot", 1, run_robot},
    {"base_parameters", 1, run_base},
    {"inverse_dynamics", 4, run_inverse},
    {"forward_dynamics", 4, run_forward},
    {"mass_matrix", 2, run_mass_matrix},
    {"regressor", 4, run_regressor},
    {"recording", 1, run_recording},
    {"save", 2, run_save},
    {"version", 0, run_version},
};

void mexFunction(int nout, mxArray *out[], int nin, const mxArray *in[]);
void mexFunction(int nout, mxArray *out[], int nin, const mxArray *in[]) {
  static bool known;
  if (!known) mexAtExit(mex_release);
  known = true;
  mex_release();
  if (nin < 1) mex_fail("EARG", "roberval_mex needs the name of a command");
  if (nout > 1) mex_fail("EARG", "roberval_mex gives one value");
  const char *name = mex_text(in[0], "the name of a command");
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(commands[i].name, name) != 0) continue;
    if (nin - 1 < commands[i].least)
      mex_fail("EARG", "%s needs at least %d arguments", name, commands[i].least);
    out[0] = commands[i].run(nin - 1, in + 1);
    mex_release();
    return;
  }
  mex_fail("EARG", "there is no command '%s'", name);
}
