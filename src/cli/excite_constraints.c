#include "excite_constraints.h"

#include <math.h>
#include <roberval/sys/log.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion_table.h"
#include "recordings.h"

/* ---- constraints ---- */

static rbv_status read_limit(double *out, const rbv_node *map, const char *key) {
  const rbv_node *node = rbv_node_find(map, key);
  return node ? rbv_node_real(out, node) : RBV_OK;
}

static rbv_status read_limits(cli_constraints *c, const rbv_node *list, int n) {
  if (rbv_node_count(list) != n)
    return rbv_node_fail(RBV_EINPUT, list, "'limits' has %d entries, the robot %d joints",
                         rbv_node_count(list), n);
  static const char *const known[] = {"lower", "upper",  "velocity", "acceleration",
                                      "jerk",  "effort", NULL};
  rbv_status status = RBV_OK;
  for (int j = 0; j < n && status == RBV_OK; j++) {
    const rbv_node *map = rbv_node_at(list, j);
    rbv_limits *l = &c->limits[j];
    double *const to[] = {&l->lower,        &l->upper, &l->velocity,
                          &l->acceleration, &l->jerk,  &l->effort};
    status = rbv_node_only_keys(map, known);
    for (int i = 0; i < 6 && status == RBV_OK; i++) status = read_limit(to[i], map, known[i]);
  }
  return status;
}

static rbv_status read_vector(double *out, int n, const rbv_node *map, const char *key) {
  const rbv_node *node = rbv_node_find(map, key);
  if (!node) return rbv_node_fail(RBV_EINPUT, map, "'%s' is missing", key);
  return rbv_node_reals(out, n, node);
}

static rbv_status read_number(double *out, const rbv_node *map, const char *key) {
  const rbv_node *node = rbv_node_find(map, key);
  if (!node) return rbv_node_fail(RBV_EINPUT, map, "'%s' is missing", key);
  return rbv_node_real(out, node);
}

static rbv_status read_capsule(void *item, const rbv_node *map) {
  static const char *const known[] = {"link", "from", "to", "radius", NULL};
  rbv_capsule *c = item;
  rbv_status status = rbv_node_only_keys(map, known);
  const rbv_node *link = rbv_node_find(map, "link");
  if (status == RBV_OK)
    status =
        link ? rbv_node_int(&c->link, link) : rbv_node_fail(RBV_EINPUT, map, "'link' is missing");
  if (status == RBV_OK) status = read_vector(c->from, 3, map, "from");
  if (status == RBV_OK) status = read_vector(c->to, 3, map, "to");
  return status == RBV_OK ? read_number(&c->radius, map, "radius") : status;
}

static rbv_status read_plane(void *item, const rbv_node *map) {
  static const char *const known[] = {"normal", "offset", NULL};
  rbv_plane *p = item;
  rbv_status status = rbv_node_only_keys(map, known);
  if (status == RBV_OK) status = read_vector(p->normal, 3, map, "normal");
  return status == RBV_OK ? read_number(&p->offset, map, "offset") : status;
}

static rbv_status read_box(void *item, const rbv_node *map) {
  static const char *const known[] = {"min", "max", NULL};
  rbv_box *b = item;
  rbv_status status = rbv_node_only_keys(map, known);
  if (status == RBV_OK) status = read_vector(b->min, 3, map, "min");
  return status == RBV_OK ? read_vector(b->max, 3, map, "max") : status;
}

/* a list of things of one kind; NULL when the key is not there */
static rbv_status read_list(void **out, int *count, size_t size, const rbv_node *root,
                            const char *key, rbv_status (*read)(void *, const rbv_node *)) {
  const rbv_node *list = rbv_node_find(root, key);
  *count = list ? rbv_node_count(list) : 0;
  if (*count == 0) return RBV_OK;
  *out = calloc((size_t)*count, size);
  if (!*out) return RBV_EMEM;
  rbv_status status = RBV_OK;
  for (int i = 0; i < *count && status == RBV_OK; i++)
    status = read((char *)*out + (size_t)i * size, rbv_node_at(list, i));
  return status;
}

static rbv_status read_file(cli_constraints *c, const rbv_node *root, int n) {
  static const char *const known[] = {"limits",    "center", "tool",  "tool_speed", "clearance",
                                      "collision", "planes", "boxes", NULL};
  rbv_status status = rbv_node_only_keys(root, known);
  const rbv_node *node = rbv_node_find(root, "limits");
  if (status == RBV_OK && node) status = read_limits(c, node, n);
  node = rbv_node_find(root, "center");
  if (status == RBV_OK && node) {
    c->pose = calloc((size_t)n, sizeof *c->pose);
    status = c->pose ? rbv_node_reals(c->pose, n, node) : RBV_EMEM;
  }
  node = rbv_node_find(root, "tool");
  if (status == RBV_OK && node) status = rbv_node_reals(c->value.tool, 3, node);
  if (status == RBV_OK) status = read_limit(&c->value.tool_speed, root, "tool_speed");
  if (status == RBV_OK) status = read_limit(&c->value.clearance, root, "clearance");
  void *list[3] = {NULL, NULL, NULL};
  c->capsules_given = rbv_node_find(root, "collision") != NULL;
  if (status == RBV_OK)
    status = read_list(&list[0], &c->value.ncapsule, sizeof *c->capsule, root, "collision",
                       read_capsule);
  if (status == RBV_OK)
    status = read_list(&list[1], &c->value.nplane, sizeof *c->plane, root, "planes", read_plane);
  if (status == RBV_OK)
    status = read_list(&list[2], &c->value.nbox, sizeof *c->box, root, "boxes", read_box);
  c->capsule = list[0];
  c->plane = list[1];
  c->box = list[2];
  return status;
}

/* one number per joint, typed */
static int read_typed(cli_constraints *c, const char *command, int n) {
  const char *const text[] = {c->position, c->velocity, c->acceleration, c->jerk, c->effort};
  static const char *const name[] = {"position", "velocity", "acceleration", "jerk", "effort"};
  for (int i = 0; i < 5; i++) {
    double *x = NULL;
    const int code = cli_read_numbers(&x, command, name[i], text[i], n);
    if (code >= 0) return code;
    for (int j = 0; x && j < n; j++) {
      rbv_limits *l = &c->limits[j];
      double *const to[] = {&l->upper, &l->velocity, &l->acceleration, &l->jerk, &l->effort};
      *to[i] = x[j];
      if (i == 0) l->lower = -x[j];
    }
    free(x);
  }
  if (!c->center) return -1;
  free(c->pose);
  c->pose = NULL;
  return cli_read_numbers(&c->pose, command, "center", c->center, n);
}

int cli_read_constraints(cli_constraints *c, const char *command, const rbv_model *m) {
  const int n = rbv_model_joint_count(m);
  c->limits = calloc((size_t)n, sizeof *c->limits);
  if (!c->limits) return cli_out_of_memory();
  for (int j = 0; j < n; j++) c->limits[j] = rbv_model_joint(m, j)->limits;
  if (c->file) {
    rbv_document *doc = NULL;
    rbv_status status = rbv_document_load(&doc, c->file);
    if (status == RBV_OK && rbv_document_root(doc))
      status = read_file(c, rbv_document_root(doc), n);
    rbv_document_free(doc);
    if (status != RBV_OK) return cli_fail(status);
  }
  const int code = read_typed(c, command, n);
  if (code >= 0) return code;
  if (c->tool_speed > 0) c->value.tool_speed = c->tool_speed;
  c->value.limits = c->limits;
  c->value.center = c->pose;
  c->value.capsule = c->capsule;
  if (!c->capsules_given) {
    c->value.ncapsule = rbv_model_capsule_count(m);
    c->value.capsule = rbv_model_capsule(m, 0);
  }
  c->value.plane = c->plane;
  c->value.box = c->box;
  return -1;
}

void cli_free_constraints(cli_constraints *c) {
  free(c->limits);
  free(c->pose);
  free(c->capsule);
  free(c->plane);
  free(c->box);
}

/* ---- trajectories ---- */

/* rows t, q, dq, ddq of all samples, column-major */
static double *sample(ptrdiff_t *count, const rbv_trajectory *t, double rate_hz) {
  const int n = rbv_trajectory_get_shape(t)->njoint;
  *count = rbv_trajectory_samples(t, rate_hz);
  double *A = malloc((size_t)*count * (size_t)(1 + 3 * n) * sizeof *A);
  if (!A) return NULL;
  const rbv_samples s = {
      .ld = *count, .q = A + *count, .dq = A + (1 + n) * *count, .ddq = A + (1 + 2 * n) * *count};
  for (ptrdiff_t k = 0; k < *count; k++) A[k] = (double)k / rate_hz;
  rbv_trajectory_sample(&s, t, 0, 1 / rate_hz, *count);
  return A;
}

int cli_write_motion(const char *path, const rbv_trajectory *t, double rate_hz) {
  const int n = rbv_trajectory_get_shape(t)->njoint, ncolumn = 1 + 3 * n;
  static const char *const stem[] = {"q", "dq", "ddq"};
  ptrdiff_t count;
  double *A = sample(&count, t, rate_hz);
  char(*text)[16] = malloc((size_t)ncolumn * sizeof *text);
  const char **names = malloc((size_t)ncolumn * sizeof *names);
  rbv_csv_writer *csv = NULL;
  rbv_status status = A && text && names ? RBV_OK : RBV_EMEM;
  for (int c = 0; c < ncolumn && status == RBV_OK; c++) {
    if (c == 0)
      snprintf(text[c], sizeof text[c], "t");
    else
      snprintf(text[c], sizeof text[c], "%s%d", stem[(c - 1) / n], (c - 1) % n + 1);
    names[c] = text[c];
  }
  if (status == RBV_OK) status = rbv_csv_create(&csv, path, names, ncolumn);
  if (status == RBV_OK) status = rbv_csv_rows(csv, A, count, count);
  if (status == RBV_OK) status = rbv_csv_finish(csv);
  rbv_csv_free(csv);
  free(A);
  free(text);
  free(names);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* text that grows, kept simple: a memory stream; without a path it is thrown away */
static int finish(FILE *out, char **text, size_t *size, const char *path) {
  const bool failed = fclose(out) != 0;
  int code = failed ? cli_out_of_memory() : EXIT_DONE;
  if (code == EXIT_DONE && path) code = cli_write(path, *text, *size);
  free(*text);
  return code == EXIT_DONE ? -1 : code;
}

/* JSON is YAML, too: where a design comes from, indented below its key */
static int put_provenance(FILE *out, const cli_provenance *provenance) {
  rbv_json *json;
  const char *text = "";
  size_t size;
  rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "version", rbv_version());
  cli_put_provenance(json, provenance);
  rbv_json_end(json);
  status = rbv_json_finish(&text, &size, json);
  fputs("provenance:\n", out);
  for (const char *line = text; status == RBV_OK && *line;) {
    const size_t length = strcspn(line, "\n");
    fprintf(out, "  %.*s\n", (int)length, line);
    line += length + (line[length] != 0);
  }
  rbv_json_free(json);
  return status == RBV_OK ? -1 : cli_fail(status);
}

int cli_write_coefficients(const char *path, const rbv_trajectory *t, const rbv_model *m,
                           const cli_provenance *provenance) {
  const int n = rbv_model_joint_count(m);
  const char **names = malloc((size_t)n * sizeof *names);
  if (!names) return cli_out_of_memory();
  for (int j = 0; j < n; j++) names[j] = rbv_model_joint(m, j)->name;
  char *curve, *text = NULL;
  size_t size;
  const rbv_status status = rbv_trajectory_write(&curve, &size, t, names);
  free(names);
  if (status != RBV_OK) return cli_fail(status);
  FILE *out = open_memstream(&text, &size);
  int code = out ? -1 : cli_out_of_memory();
  if (out) {
    fputs(curve, out);
    code = put_provenance(out, provenance);
    const int end = finish(out, &text, &size, code < 0 ? path : NULL);
    if (code < 0) code = end;
  }
  rbv_text_release(curve);
  return code;
}

static void put_list(FILE *out, const char *key, const double *A, ptrdiff_t k, ptrdiff_t ld,
                     int n) {
  fprintf(out, "%s[", key);
  for (int j = 0; j < n; j++) fprintf(out, "%s%.9f", j ? ", " : "", A[k + j * ld]);
  fputs("]", out);
}

/* a motion sampled at a rate, and who will run it: t, then q, dq, ddq of n joints, count each */
typedef struct {
  const rbv_model *model;
  double rate_hz;
  const double *A;
  ptrdiff_t count;
  int n;
} sampled;

typedef void put_motion(FILE *out, const sampled *s);

static int write_sampled(const char *path, const rbv_trajectory *t, sampled s, put_motion *put) {
  char *text = NULL;
  size_t size = 0;
  double *A = sample(&s.count, t, s.rate_hz);
  FILE *out = A ? open_memstream(&text, &size) : NULL;
  s.A = A;
  if (out) put(out, &s);
  free(A);
  return out ? finish(out, &text, &size, path) : cli_out_of_memory();
}

static void put_ros(FILE *out, const sampled *s) {
  fputs("joint_names: [", out);
  for (int j = 0; j < s->n; j++)
    fprintf(out, "%s\"%s\"", j ? ", " : "", rbv_model_joint(s->model, j)->name);
  fputs("]\npoints:\n", out);
  for (ptrdiff_t k = 0; k < s->count; k++) {
    put_list(out, "  - positions: ", s->A + s->count, k, s->count, s->n);
    put_list(out, "\n    velocities: ", s->A + (1 + s->n) * s->count, k, s->count, s->n);
    put_list(out, "\n    accelerations: ", s->A + (1 + 2 * s->n) * s->count, k, s->count, s->n);
    const double whole = floor(s->A[k]);
    fprintf(out, "\n    time_from_start: {sec: %.0f, nanosec: %.0f}\n", whole,
            fmin(999999999, 1e9 * (s->A[k] - whole)));
  }
}

int cli_write_ros(const char *path, const rbv_trajectory *t, const rbv_model *m, double rate_hz) {
  const sampled s = {.model = m, .rate_hz = rate_hz, .n = rbv_model_joint_count(m)};
  return write_sampled(path, t, s, put_ros);
}

static void put_urscript(FILE *out, const sampled *s) {
  fputs("def excite():\n", out);
  put_list(out, "  movej(", s->A + s->count, 0, s->count, s->n);
  fputs(", a=0.5, v=0.3)\n", out);
  for (ptrdiff_t k = 0; k < s->count; k++) {
    put_list(out, "  servoj(", s->A + s->count, k, s->count, s->n);
    fprintf(out, ", t=%.6f, lookahead_time=0.03, gain=300)\n", 1 / s->rate_hz);
  }
  fputs("  stopj(2)\nend\nexcite()\n", out);
}

int cli_write_urscript(const char *path, const rbv_trajectory *t, double rate_hz) {
  const int n = rbv_trajectory_get_shape(t)->njoint;
  if (n != 6) {
    fprintf(stderr, "roberval: URScript moves six joints, the robot has %d\n", n);
    return EXIT_INPUT;
  }
  return write_sampled(path, t, (sampled){.rate_hz = rate_hz, .n = n}, put_urscript);
}

/* ---- motions that are there already ---- */

int cli_load_motion(rbv_motion **out, const rbv_model *model, const char *path,
                    const cli_common *common) {
  static const rbv_channel channels[] = {RBV_CHANNEL_POSITION, RBV_CHANNEL_VELOCITY,
                                         RBV_CHANNEL_ACCELERATION, RBV_CHANNEL_OTHER};
  const int n = rbv_model_joint_count(model);
  rbv_log *log = NULL;
  rbv_status status = rbv_log_load(&log, path, NULL);
  if (status != RBV_OK) return cli_fail(status);
  const bool whole = rbv_log_channel_count(log, RBV_CHANNEL_ACCELERATION) > 0;
  rbv_log_free(log);
  if (!whole) {
    const rbv_recording_use use = {.loaded = rbv_model_has_payload(model)};
    rbv_recordings all = {0};
    const int code = cli_recordings_add(&all, "excite", model, NULL, &use, &path, 1, common);
    if (code < 0) {
      *out = all.motion[0];
      all.motion[0] = NULL;
    }
    rbv_recordings_free(&all);
    return code;
  }
  cli_motion m;
  const int code = cli_read_motion(&m, model, path, channels);
  if (code >= 0) return code;
  const rbv_log_rate rate = rbv_log_get_rate(m.log);
  const rbv_motion_info info = {.name = path,
                                .njoint = n,
                                .count = m.count,
                                .rate_hz = rate.known && rate.period > 0 ? 1 / rate.period : 1};
  const rbv_samples s = {.ld = m.count, .q = m.values[0], .dq = m.values[1], .ddq = m.values[2]};
  status = rbv_motion_from_arrays(out, &info, &s);
  cli_free_motion(&m);
  return status == RBV_OK ? -1 : cli_fail(status);
}
