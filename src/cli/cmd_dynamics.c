/* roberval dynamics: torques of a motion, accelerations of torques, mass matrices, energy. */
#include <roberval/sys/dynamics.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>

#include "motion_table.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  const char *parameters, *output;
  bool forward, mass, energy;
} options;

/* One kind of output: input channels, column names, and the function for one sample. */
typedef struct {
  rbv_channel channels[4];
  int (*columns)(const rbv_model *m);
  void (*name)(char *out, size_t size, const rbv_model *m, int c);
  bool (*eval)(double *out, rbv_dynamics *d,
               double *const x[3]);  // false: not defined for this sample
} answer;

static void number_name(char *out, size_t size, const char *stem, int k) {
  snprintf(out, size, "%s%d", stem, k + 1);
}

static void torque_name(char *out, size_t size, const rbv_model *m, int c) {
  static const char *const stem[] = {"tau", "tauj", "taud"};
  const rbv_row *row = rbv_model_row(m, c);
  number_name(out, size, stem[row->torque], row->joint);
}

static void acceleration_name(char *out, size_t size, const rbv_model *m, int c) {
  (void)m;
  number_name(out, size, "ddq", c);
}

static void mass_name(char *out, size_t size, const rbv_model *m, int c) {
  const int n = rbv_model_joint_count(m);
  snprintf(out, size, "M%d_%d", c % n + 1, c / n + 1);
}

static void energy_name(char *out, size_t size, const rbv_model *m, int c) {
  (void)m;
  snprintf(out, size, "%s_J", c ? "potential" : "kinetic");
}

static int mass_columns(const rbv_model *m) {
  return rbv_model_joint_count(m) * rbv_model_joint_count(m);
}

static int energy_columns(const rbv_model *m) {
  (void)m;
  return 2;
}

static bool eval_inverse(double *out, rbv_dynamics *d, double *const x[3]) {
  rbv_dynamics_rows(out, d, x[0], x[1], x[2]);
  return true;
}

static bool eval_forward(double *out, rbv_dynamics *d, double *const x[3]) {
  bool regular;
  rbv_dynamics_forward(out, &regular, d, x[0], x[1], x[2]);
  return regular;
}

static bool eval_mass(double *out, rbv_dynamics *d, double *const x[3]) {
  rbv_dynamics_mass(out, d, x[0]);
  return true;
}

static bool eval_energy(double *out, rbv_dynamics *d, double *const x[3]) {
  rbv_dynamics_energy(&out[0], &out[1], d, x[0], x[1]);
  return true;
}

static const answer inverse = {
    {RBV_CHANNEL_POSITION, RBV_CHANNEL_VELOCITY, RBV_CHANNEL_ACCELERATION, RBV_CHANNEL_OTHER},
    rbv_model_row_count,
    torque_name,
    eval_inverse};
static const answer forward = {
    {RBV_CHANNEL_POSITION, RBV_CHANNEL_VELOCITY, RBV_CHANNEL_TORQUE, RBV_CHANNEL_OTHER},
    rbv_model_joint_count,
    acceleration_name,
    eval_forward};
static const answer mass = {
    {RBV_CHANNEL_POSITION, RBV_CHANNEL_OTHER}, mass_columns, mass_name, eval_mass};
static const answer energy = {{RBV_CHANNEL_POSITION, RBV_CHANNEL_VELOCITY, RBV_CHANNEL_OTHER},
                              energy_columns,
                              energy_name,
                              eval_energy};

/* ---- parameters ---- */

static int set_parameters(rbv_dynamics *d, const rbv_model *m, const options *o) {
  const double *given = rbv_model_parameters(m);
  if (!o->parameters) {
    if (!given) {
      fprintf(stderr, "roberval: the robot '%s' has no parameter values. Use --parameters\n",
              rbv_model_name(m));
      return EXIT_INPUT;
    }
    const rbv_status status = rbv_dynamics_set(d, given, rbv_model_has_payload(m));
    return status == RBV_OK ? -1 : cli_fail(status);
  }
  rbv_parameters *set = NULL;
  double *chi = malloc((size_t)rbv_model_column_count(m) * sizeof *chi);
  if (!chi) return cli_out_of_memory();
  rbv_status status = rbv_parameters_load(&set, o->parameters);
  if (status == RBV_OK) status = rbv_parameters_apply(chi, NULL, set, m);
  if (status == RBV_OK) status = rbv_dynamics_set(d, chi, rbv_model_has_payload(m));
  rbv_parameters_free(set);
  free(chi);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* ---- the table ---- */

static int write_rows(cli_table *table, const answer *a, rbv_dynamics *d, const cli_motion *motion,
                      int n, int ncolumn) {
  double *state = malloc(3 * (size_t)n * sizeof *state);
  double *out = malloc((size_t)ncolumn * sizeof *out);
  double *const x[3] = {state, state + n, state + 2 * n};
  int code = state && out ? -1 : cli_out_of_memory();
  for (ptrdiff_t k = 0; k < motion->count && code < 0; k++) {
    for (int i = 0; i < 3 && motion->values[i]; i++)
      for (int j = 0; j < n; j++) x[i][j] = motion->values[i][k + j * motion->count];
    if (!a->eval(out, d, x)) {
      fprintf(stderr,
              "roberval: %s:%td: the mass matrix is not positive definite here: the "
              "parameters are physically inconsistent\n",
              rbv_log_name(motion->log), rbv_log_line(motion->log, k));
      code = EXIT_FAILED;
      break;
    }
    code = cli_table_rows(table, out, 1, 1);
  }
  free(state);
  free(out);
  return code;
}

static int run(const rbv_model *m, const options *o, const answer *a, const char *path) {
  const int ncolumn = a->columns(m);
  cli_motion motion = {0};
  cli_table *table = NULL;
  rbv_dynamics *d = NULL;
  char(*text)[32] = malloc((size_t)ncolumn * sizeof *text);
  const char **names = malloc((size_t)ncolumn * sizeof *names);
  int code = text && names ? -1 : cli_out_of_memory();
  for (int c = 0; c < ncolumn && code < 0; c++) {
    a->name(text[c], sizeof text[c], m, c);
    names[c] = text[c];
  }
  if (code < 0) code = cli_read_motion(&motion, m, path, a->channels);
  if (code < 0) {
    const rbv_status status = rbv_dynamics_new(&d, m);
    if (status != RBV_OK) code = cli_fail(status);
  }
  if (code < 0) code = set_parameters(d, m, o);
  if (code < 0 && a != &inverse) {
    const rbv_status status = rbv_dynamics_check_forward(d);
    if (status != RBV_OK) code = cli_fail(status);
  }
  if (code < 0) code = cli_table_open(&table, o->output, o->common.json, names, ncolumn);
  if (code < 0) code = write_rows(table, a, d, &motion, rbv_model_joint_count(m), ncolumn);
  if (code < 0)
    code = cli_table_close(table);
  else
    cli_table_drop(table);
  rbv_dynamics_free(d);
  cli_free_motion(&motion);
  free(text);
  free(names);
  return code;
}

int cli_run_dynamics(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .robot = {.model = rbv_model_defaults()}};
  const cli_opt table[] = {
      {"parameters", 'p', OPT_TEXT, &o.parameters, "FILE",
       "parameter set or result (default: the robot's own)"},
      {"forward", 'f', OPT_FLAG, &o.forward, NULL, "compute accelerations from q, dq and tau"},
      {"mass", 'm', OPT_FLAG, &o.mass, NULL, "compute the mass matrix"},
      {"energy", 'e', OPT_FLAG, &o.energy, NULL, "compute kinetic and potential energy"},
      {"output", 'o', OPT_OUTPUT, &o.output, "FILE", "write the table here (default: stdout)"},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "dynamics", table);
  if (code >= 0) return code;
  if (o.forward + o.mass + o.energy > 1)
    return cli_usage("dynamics", "use only one of --forward, --mass and --energy");
  rbv_model *m;
  code = cli_load_robot(&m, "dynamics", &o.robot, argv[1], &o.common);
  if (code >= 0) return code;
  const answer *a = o.forward ? &forward : o.mass ? &mass : o.energy ? &energy : &inverse;
  code = run(m, &o, a, argv[2]);
  rbv_model_free(m);
  return code;
}
