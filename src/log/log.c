#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "log/log_formats.h"
#include "log/log_internal.h"
#include "log/log_source.h"
#include "log/numbers.h"
#include "storage/storage.h"

#define MOST_JOINTS 1000
#define GRID_TOLERANCE 0.01  // of a step; within this distance of the grid, stamps are regular
#define CLOSE_STEP 0.25      // of the median step; closer stamps cannot both be right

/* ---- names ---- */

static const char *const stems[] = {
#define X(name, stem, unit) stem,
    RBV_CHANNEL_LIST(X)
#undef X
};

const char *rbv_channel_name(rbv_channel channel) {
  return (unsigned)channel < (unsigned)RBV_COUNT(stems) ? stems[channel] : "";
}

rbv_channel rbv_channel_parse(int *joint, const char *name) {
  *joint = -1;
  const size_t stem = strcspn(name, "0123456789");

  // joint number, without leading zero; 0 is not a joint
  int number = 0;
  const char *p = name + stem;
  if (*p == '0') return RBV_CHANNEL_OTHER;
  for (; *p >= '0' && *p <= '9' && number <= MOST_JOINTS; p++) number = 10 * number + (*p - '0');
  if (*p || number > MOST_JOINTS) return RBV_CHANNEL_OTHER;

  for (int k = 0; k < RBV_CHANNEL_OTHER; k++)
    if (strlen(stems[k]) == stem && strncmp(stems[k], name, stem) == 0) {
      if (k == RBV_CHANNEL_TIME) return number ? RBV_CHANNEL_OTHER : RBV_CHANNEL_TIME;
      *joint = number ? number - 1 : 0;
      return (rbv_channel)k;
    }
  return RBV_CHANNEL_OTHER;
}

bool channel_is_torque(rbv_channel channel) {
  return channel == RBV_CHANNEL_TORQUE || channel == RBV_CHANNEL_MOTOR_TORQUE ||
         channel == RBV_CHANNEL_JOINT_TORQUE;
}

bool channel_is_condition(rbv_channel channel) {
  return channel == RBV_CHANNEL_TEMPERATURE || channel == RBV_CHANNEL_UPTIME;
}

/* ---- construction ---- */

/* Refuse two columns with the same meaning. seen: RBV_CHANNEL_OTHER x (MOST_JOINTS + 1), the number
 * of the column with a meaning plus one */
static rbv_status see_column(int *seen, const rbv_log *log, int column) {
  const rbv_log_column *c = &log->columns[column];
  int *slot = &seen[(int)c->channel * (MOST_JOINTS + 1) + c->joint + 1];
  if (*slot > 0)
    return rbv_fail(RBV_EINPUT, "%s: columns '%s' and '%s' mean the same", log->name,
                    log->columns[*slot - 1].name, c->name);
  *slot = column + 1;
  return RBV_OK;
}

/* Interpret the names in the header. raw: columns that are not known stay as they are. seen: zeros,
 * see see_column */
static rbv_status name_columns_into(rbv_log *log, bool raw, int *seen) {
  const table *t = &log->source;
  if (!t->names && t->nmark == 0)
    return rbv_fail(RBV_EINPUT,
                    "%s: the columns have no names: save arrays with names (t, q, tau) or use a "
                    "column map",
                    log->name);
  if (!t->names)
    return rbv_fail(RBV_EINPUT,
                    "%s:1: no header row: add one (t,q1,...,tau1,...) or use a column map",
                    log->name);
  log->columns = rbv_alloc(sizeof *log->columns * (size_t)t->ncol);
  if (!log->columns) return RBV_EMEM;
  bool any = false;
  for (int j = 0; j < t->ncol; j++) {
    rbv_log_column *c = &log->columns[j];
    c->channel = rbv_channel_parse(&c->joint, t->names[j]);
    c->values = t->values + j * t->ld;
    c->name = rbv_strdup(t->names[j]);
    if (!c->name) return RBV_EMEM;
    log->ncolumn = j + 1;
    if (c->channel == RBV_CHANNEL_OTHER) continue;
    any = true;
    if (t->text && t->text[j].cell) return refuse_text(t, log->name, j);
    RBV_TRY(see_column(seen, log, j));
  }
  if (!any && !raw)
    return rbv_fail(
        RBV_EINPUT,
        "%s: none of the %d columns ('%.40s', ...) has a known name (t, q1, tau1, ...); "
        "rename them or give a column map",
        log->name, t->ncol, t->names[0]);
  return RBV_OK;
}

static rbv_status name_columns(rbv_log *log, bool raw) {
  RBV_NEW(int, seen, RBV_CHANNEL_OTHER *(MOST_JOINTS + 1));
  RBV_FINISH(name_columns_into(log, raw, seen), rbv_free(seen));
}

/* where torque was measured, as far as the columns say it */
static rbv_log_sensing guess_sensing(const rbv_log *log) {
  bool tau = false, motor = false, joint = false;
  for (int i = 0; i < log->ncolumn; i++) {
    tau |= log->columns[i].channel == RBV_CHANNEL_TORQUE;
    motor |= log->columns[i].channel == RBV_CHANNEL_MOTOR_TORQUE;
    joint |= log->columns[i].channel == RBV_CHANNEL_JOINT_TORQUE;
  }
  if (joint) return tau || motor ? RBV_LOG_SENSING_BOTH : RBV_LOG_SENSING_JOINT;
  return motor && !tau ? RBV_LOG_SENSING_MOTOR : RBV_LOG_SENSING_UNKNOWN;
}

rbv_status log_judge_time(rbv_log *log) {
  rbv_log_rate *r = &log->rate;
  *r = (rbv_log_rate){0};
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  const ptrdiff_t n = log->samples;
  if (!t || n < 2) return RBV_OK;

  // steps between finite stamps
  RBV_NEW(double, step, n);
  ptrdiff_t steps = 0;
  for (ptrdiff_t k = 1; k < n; k++)
    if (isfinite(t[k] - t[k - 1])) step[steps++] = t[k] - t[k - 1];
  if (steps == 0 || !isfinite(t[n - 1] - t[0])) {
    rbv_free(step);
    return RBV_OK;
  }
  r->known = true;
  r->start = t[0];
  r->duration = t[n - 1] - t[0];
  r->period = r->duration / (double)(n - 1);
  r->shortest = r->longest = step[0];
  for (ptrdiff_t k = 0; k < steps; k++) {
    r->shortest = fmin(r->shortest, step[k]);
    r->longest = fmax(r->longest, step[k]);
  }
  r->increasing = steps == n - 1 && r->shortest > 0;

  // distance of the stamps from a grid
  bool on_grid = r->increasing;
  for (ptrdiff_t k = 0; k < n && on_grid; k++)
    on_grid = fabs(t[k] - (t[0] + (double)k * r->period)) <= GRID_TOLERANCE * r->period;
  r->regular = on_grid;

  // spread of the steps
  r->median = rbv_select(step, steps, (steps - 1) / 2);
  double sum = 0;
  for (ptrdiff_t k = 0; k < steps; k++) sum += (step[k] - r->median) * (step[k] - r->median);
  r->jitter = r->median > 0 ? sqrt(sum / (double)steps) / r->median : INFINITY;
  rbv_free(step);
  return RBV_OK;
}

/* Columns without a header are called 1, 2, ... */
static rbv_status number_columns(table *t) {
  t->names = rbv_alloc(sizeof *t->names * (size_t)t->ncol);
  for (int j = 0; j < t->ncol && t->names; j++) {
    char name[16];
    snprintf(name, sizeof name, "%d", j + 1);
    if (!(t->names[j] = rbv_strdup(name))) return RBV_EMEM;
  }
  return t->names ? RBV_OK : RBV_EMEM;
}

rbv_status log_from_table(rbv_log **out, const char *name, table *t, const rbv_log_map *map) {
  return log_from_columns(out, name, t, map, false);
}

rbv_status log_from_columns(rbv_log **out, const char *name, table *t, const rbv_log_map *map,
                            bool raw) {
  *out = NULL;
  rbv_log *log = rbv_alloc(sizeof *log);
  if (!log) {
    table_free(t);
    return RBV_EMEM;
  }
  log->source = *t;
  *t = (table){0};
  for (int j = 0; log->source.names && j < log->source.ncol; j++)
    if (log->source.names[j]) rbv_clean(log->source.names[j]);
  log->samples = log->source.rows;
  log->format = log->source.format;
  log->name = rbv_strdup(name);
  rbv_status status = log->name ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && raw && !log->source.names) status = number_columns(&log->source);
  if (status == RBV_OK) status = map ? log_map_apply(log, map) : name_columns(log, raw);
  if (status == RBV_OK) {
    for (int i = 0; i < log->ncolumn; i++)
      if (log->columns[i].joint >= log->njoint) log->njoint = log->columns[i].joint + 1;
    if (log->sensing == RBV_LOG_SENSING_UNKNOWN) log->sensing = guess_sensing(log);
    status = log_judge_time(log);
  }
  if (status != RBV_OK) {
    rbv_log_free(log);
    return status;
  }
  *out = log;
  return RBV_OK;
}

rbv_status rbv_log_bytes(size_t *out, const char *path) {
  if (!out || !path) return rbv_fail(RBV_EARG, "no file, or no place for its size");
  *out = 0;
  return log_format_bytes(out, path);
}

rbv_status log_own_map(rbv_log_map **out, const char *path) {
  *out = NULL;
  const char *real;
  RBV_TRY(log_real_path(&real, path));
  if (!log_format_of(real)->peek) return RBV_OK;
  rbv_log_guess *guess;
  RBV_TRY(rbv_log_guess_columns(&guess, path, NULL, 0, 0));
  *out = guess->map;
  guess->map = NULL;
  rbv_log_guess_free(guess);
  return RBV_OK;
}

static rbv_status load(rbv_log **out, const char *path, const rbv_log_map *map, bool tolerant,
                       bool raw) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the log");
  *out = NULL;
  if (!path) return rbv_fail(RBV_EARG, "no file");
  RBV_TRY(rbv_input_note("load", path));
  rbv_log_map *own = NULL;
  if (!map) {
    RBV_TRY(log_own_map(&own, path));
    map = own;
  }
  table t = {.tolerant = tolerant};
  wanted_columns want = {0};
  const char **names = NULL;
  rbv_status status = map ? log_map_columns(&want, &names, map) : RBV_OK;
  if (status == RBV_OK) status = log_format_table(&t, path, map ? &want : NULL);
  if (status == RBV_OK) status = log_from_columns(out, path, &t, map, raw);
  rbv_free(names);
  rbv_log_map_free(own);
  return status;
}

rbv_status rbv_log_load(rbv_log **out, const char *path, const rbv_log_map *map) {
  return load(out, path, map, false, false);
}

rbv_status rbv_log_load_tolerant(rbv_log **out, const char *path, const rbv_log_map *map) {
  return load(out, path, map, true, false);
}

rbv_status log_load_raw(rbv_log **out, const char *path) {
  return load(out, path, NULL, false, true);
}

rbv_status rbv_log_parse(rbv_log **out, const char *name, const char *text, size_t size,
                         const rbv_log_map *map) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the log");
  *out = NULL;
  if (!name || !text) return rbv_fail(RBV_EARG, "no name or no text");
  table t = {0};
  RBV_TRY(log_format_text(&t, name, text, size));
  return log_from_table(out, name, &t, map);
}

rbv_status rbv_log_new(rbv_log **out, const char *name, const char *const *names, int ncol,
                       const double *A, ptrdiff_t samples, ptrdiff_t ld) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the log");
  *out = NULL;
  if (!name || !names || !A) return rbv_fail(RBV_EARG, "no name, no column names or no values");
  if (ncol < 1 || samples < 1 || ld < samples)
    return rbv_fail(RBV_EDIM, "%s: %d columns of %td samples, leading dimension %td", name, ncol,
                    samples, ld);
  table t = {.rows = samples, .ld = table_stride(samples), .ncol = ncol, .format = "memory"};
  t.names = rbv_alloc(sizeof *t.names * (size_t)ncol);
  t.values = rbv_alloc(sizeof(double) * (size_t)t.ld * (size_t)ncol);
  bool whole = t.names && t.values;
  for (int j = 0; j < ncol && whole; j++) {
    whole = (t.names[j] = rbv_strdup(names[j])) != NULL;
    memcpy(t.values + j * t.ld, A + j * ld, sizeof(double) * (size_t)samples);
  }
  if (!whole) {
    table_free(&t);
    return RBV_EMEM;
  }
  return log_from_columns(out, name, &t, NULL, true);
}

bool rbv_log_is_raw(const rbv_log *log) {
  for (int i = 0; i < log->ncolumn; i++)
    if (log->columns[i].channel != RBV_CHANNEL_OTHER && log->columns[i].channel != RBV_CHANNEL_TIME)
      return false;
  return true;
}

rbv_status log_with_map(rbv_log **out, const rbv_log *log, const rbv_log_map *map) {
  *out = NULL;
  const table *from = &log->source;
  table t = {.rows = from->rows, .ld = from->ld, .ncol = from->ncol, .format = from->format};
  const size_t size = sizeof(double) * (size_t)t.ld * (size_t)t.ncol;
  rbv_status status = names_copy(&t.names, from->names, t.ncol);
  if (status == RBV_OK && from->units) status = names_copy(&t.units, from->units, t.ncol);
  if (status == RBV_OK && from->text) status = text_copy(&t.text, from->text, t.ncol);
  t.values = status == RBV_OK ? rbv_alloc(size) : NULL;
  if (!t.values) {
    table_free(&t);
    return RBV_EMEM;
  }
  memcpy(t.values, from->values, size);
  return log_from_table(out, log->name, &t, map);
}

void log_drop(const char *text) {
  char *own;
  memcpy(&own, &text, sizeof own);  // const in the public struct, but owned by the log
  rbv_free(own);
}

void rbv_log_free(rbv_log *log) {
  if (!log) return;
  for (int i = 0; i < log->ncolumn; i++) {
    log_drop(log->columns[i].name);
    log_drop(log->columns[i].conversion);
  }
  rbv_free(log->columns);
  for (int j = 0; log->joint_names && j < log->njoint; j++) rbv_free(log->joint_names[j]);
  rbv_free(log->joint_names);
  rbv_free(log->extra);
  for (int i = 0; i < log->nown; i++) rbv_free(log->own[i]);
  RBV_FREE_ALL(log->own, log->origin, log->filled);
  table_free(&log->source);
  rbv_free(log->name);
  rbv_free(log);
}

/* ---- access ---- */

const char *rbv_log_name(const rbv_log *log) { return log ? log->name : NULL; }

const char *rbv_log_format(const rbv_log *log) { return log->format; }

ptrdiff_t rbv_log_samples(const rbv_log *log) { return log ? log->samples : 0; }

rbv_log_sensing rbv_log_get_sensing(const rbv_log *log) { return log->sensing; }

int rbv_log_column_count(const rbv_log *log) { return log ? log->ncolumn : 0; }

const rbv_log_column *rbv_log_column_at(const rbv_log *log, int i) {
  return log && i >= 0 && i < log->ncolumn ? &log->columns[i] : NULL;
}

int rbv_log_find(const rbv_log *log, const char *name) {
  for (int i = 0; log && name && i < log->ncolumn; i++)
    if (strcmp(log->columns[i].name, name) == 0) return i;
  return -1;
}

int rbv_log_joint_count(const rbv_log *log) { return log ? log->njoint : 0; }

int rbv_log_channel_count(const rbv_log *log, rbv_channel channel) {
  int n = 0;
  while (rbv_log_channel(log, channel, n)) n++;
  return n;
}

const char *rbv_log_joint_name(const rbv_log *log, int joint) {
  return log && log->joint_names && joint >= 0 && joint < log->njoint ? log->joint_names[joint]
                                                                      : NULL;
}

const double *rbv_log_channel(const rbv_log *log, rbv_channel channel, int joint) {
  if (channel == RBV_CHANNEL_OTHER) return NULL;
  if (channel == RBV_CHANNEL_TIME) joint = -1;
  for (int i = 0; i < log->ncolumn; i++)
    if (log->columns[i].channel == channel && log->columns[i].joint == joint)
      return log->columns[i].values;
  return NULL;
}

rbv_log_rate rbv_log_get_rate(const rbv_log *log) { return log->rate; }

const char *rbv_log_time_unit(double step) {
  static const struct {
    const char *name;
    double factor;
  } units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  if (step >= 1e-6 && step < 0.5) return NULL;
  // robots are recorded at 20 Hz to 20 kHz
  for (int i = 0; i < RBV_COUNT(units); i++)
    if (step * units[i].factor >= 5e-5 && step * units[i].factor <= 0.05) return units[i].name;
  for (int i = 0; i < RBV_COUNT(units); i++)
    if (step >= 0.5 && step * units[i].factor < 0.5) return units[i].name;
  return "";
}

ptrdiff_t rbv_log_close_stamps(bool *close, const rbv_log *log) {
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1), step = log->rate.median;
  const ptrdiff_t n = log->samples;
  memset(close, 0, sizeof *close * (size_t)n);
  ptrdiff_t found = 0;
  if (!t || !log->rate.known || !(step >= 0)) return 0;
  // before, last: the two stamps that are kept before sample k
  for (ptrdiff_t k = 1, last = 0, before = -1; k < n; k++) {
    if (t[k] > t[last] && t[k] - t[last] >= CLOSE_STEP * step) {
      before = last;
      last = k;
      continue;
    }
    // the earlier of two different stamps is wrong if it is late and the other is on time
    const double early = before >= 0 ? t[last] - t[before] : step;
    const double late = k + 1 < n ? t[k + 1] - t[k] : INFINITY;
    const bool first = t[k] > t[last] && early > 1.5 * step && late < 1.5 * step;
    close[first ? last : k] = true;
    if (first) last = k;
    found++;
  }
  return found;
}

ptrdiff_t rbv_log_line(const rbv_log *log, ptrdiff_t sample) {
  const table *t = &log->source;
  if (t->nmark == 0 || sample < 0 || sample >= log->samples) return 0;
  // the last mark at or before the sample
  ptrdiff_t low = 0, high = t->nmark - 1;
  while (low < high) {
    const ptrdiff_t middle = (low + high + 1) / 2;
    if (t->marks[middle].row <= sample)
      low = middle;
    else
      high = middle - 1;
  }
  return t->marks[low].line + (sample - t->marks[low].row);
}
