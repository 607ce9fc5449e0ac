#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/document.h"

#include "base/support.h"
#include "log/log_internal.h"

#define MOST_JOINTS 1000
#define MOST_RATE 1e9  // Hz

/* One quantity of the log and the column that it is read from. */
typedef struct {
  rbv_channel channel;
  int joint;             // -1 for time
  char *column;          // name or number, as written
  char *nsec;            // time: column of nanoseconds; NULL: none
  double scale, offset;  // value = scale * raw + offset
  char *remark;          // "unit deg, sign -1, ratio 32"
  int line, place;       // in the map
} entry;

struct rbv_log_map {
  char *name;
  entry *entries;
  int nentry;
  char **joint_names;  // NULL: none
  int njoint;
  rbv_log_sensing sensing;
  double rate_hz;  // of a recording without time stamps; 0: it has them
};

/* ---- units ---- */

typedef enum { TIME, POSITION, VELOCITY, ACCELERATION, TORQUE, TEMPERATURE } dimension;

typedef struct {
  dimension of;
  const char *name;
  double factor;
  const char *needs;  // a key that is required with this unit
  double shift;       // value = factor * raw + shift
} unit;

static const unit units[] = {
    {TIME, "s", 1, NULL, 0},
    {TIME, "ms", 1e-3, NULL, 0},
    {TIME, "us", 1e-6, NULL, 0},
    {TIME, "ns", 1e-9, NULL, 0},
    {TIME, "min", 60, NULL, 0},
    {POSITION, "rad", 1, NULL, 0},
    {POSITION, "deg", RBV_PI / 180, NULL, 0},
    {POSITION, "turn", 2 * RBV_PI, NULL, 0},
    {POSITION, "counts", 2 * RBV_PI, "counts_per_turn", 0},
    {POSITION, "m", 1, NULL, 0},
    {POSITION, "mm", 1e-3, NULL, 0},
    {VELOCITY, "rad/s", 1, NULL, 0},
    {VELOCITY, "deg/s", RBV_PI / 180, NULL, 0},
    {VELOCITY, "rpm", 2 * RBV_PI / 60, NULL, 0},
    {VELOCITY, "turn/s", 2 * RBV_PI, NULL, 0},
    {VELOCITY, "counts/s", 2 * RBV_PI, "counts_per_turn", 0},
    {VELOCITY, "m/s", 1, NULL, 0},
    {VELOCITY, "mm/s", 1e-3, NULL, 0},
    {ACCELERATION, "rad/s^2", 1, NULL, 0},
    {ACCELERATION, "deg/s^2", RBV_PI / 180, NULL, 0},
    {ACCELERATION, "m/s^2", 1, NULL, 0},
    {ACCELERATION, "mm/s^2", 1e-3, NULL, 0},
    {TORQUE, "Nm", 1, NULL, 0},
    {TORQUE, "N m", 1, NULL, 0},
    {TORQUE, "mNm", 1e-3, NULL, 0},
    {TORQUE, "kNm", 1e3, NULL, 0},
    {TORQUE, "N", 1, NULL, 0},
    {TORQUE, "kN", 1e3, NULL, 0},
    {TORQUE, "A", 1, "gain", 0},
    {TORQUE, "mA", 1e-3, "gain", 0},
    {TORQUE, "V", 1, "gain", 0},
    {TORQUE, "raw", 1, "gain", 0},
    {TEMPERATURE, "degC", 1, NULL, 0},
    {TEMPERATURE, "K", 1, NULL, -273.15},
    {TEMPERATURE, "degF", 5.0 / 9, NULL, -160.0 / 9},
};

static dimension dimension_of(rbv_channel channel) {
  switch (channel) {
    case RBV_CHANNEL_TIME:
    case RBV_CHANNEL_UPTIME: return TIME;
    case RBV_CHANNEL_TEMPERATURE: return TEMPERATURE;
    case RBV_CHANNEL_VELOCITY:
    case RBV_CHANNEL_REFERENCE_VELOCITY: return VELOCITY;
    case RBV_CHANNEL_ACCELERATION:
    case RBV_CHANNEL_REFERENCE_ACCELERATION: return ACCELERATION;
    case RBV_CHANNEL_TORQUE:
    case RBV_CHANNEL_MOTOR_TORQUE:
    case RBV_CHANNEL_JOINT_TORQUE: return TORQUE;
    default: return POSITION;
  }
}

static rbv_status find_unit(const unit **out, const rbv_node *node, dimension of) {
  const char *text;
  RBV_TRY(rbv_node_string(&text, node));
  char known[200] = "";
  for (int i = 0; i < RBV_COUNT(units); i++) {
    if (units[i].of != of) continue;
    if (strcmp(units[i].name, text) == 0) {
      *out = &units[i];
      return RBV_OK;
    }
    const size_t n = strlen(known);
    snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", units[i].name);
  }
  return rbv_node_fail(RBV_EINPUT, node, "'%.40s' is not a unit for this quantity; use one of %s",
                       text, known);
}

/* ---- reading the map ---- */

/* Read a number that must not be zero. Without the key *value does not change. */
static rbv_status factor(double *value, bool *given, const rbv_node *node, const char *key) {
  const rbv_node *at = rbv_node_find(node, key);
  *given = at != NULL;
  if (!at) return RBV_OK;
  RBV_TRY(rbv_node_real(value, at));
  if (*value == 0) return rbv_node_fail(RBV_EINPUT, at, "%s must not be zero", key);
  return RBV_OK;
}

/* Read scale and offset from an entry {column, unit, ...}. */
static rbv_status read_conversion(entry *e, rbv_text *remark, const rbv_node *node) {
  static const char *const time_keys[] = {"column", "unit", "offset", NULL};
  static const char *const motion_keys[] = {"column",          "unit", "sign", "ratio", "offset",
                                            "counts_per_turn", NULL};
  static const char *const torque_keys[] = {"column", "unit", "sign", "ratio",
                                            "offset", "gain", NULL};
  const dimension of = dimension_of(e->channel);
  RBV_TRY(rbv_node_only_keys(node, of == TIME || of == TEMPERATURE ? time_keys
                                   : of == TORQUE                  ? torque_keys
                                                                   : motion_keys));
  // unit, and the key that it requires
  const unit *u = NULL;
  const rbv_node *at = rbv_node_find(node, "unit");
  if (at) {
    RBV_TRY(find_unit(&u, at, of));
    e->scale = u->factor;
    e->offset = u->shift;
    rbv_text_print(remark, "unit %s", u->name);
  }
  double gain = 1, turn = 1, sign = 1, ratio = 1;
  bool has_gain, has_turn, given;
  RBV_TRY(factor(&gain, &has_gain, node, "gain"));
  RBV_TRY(factor(&turn, &has_turn, node, "counts_per_turn"));
  const char *given_key = has_gain ? "gain" : has_turn ? "counts_per_turn" : NULL;
  if (u && u->needs && !given_key)
    return rbv_node_fail(RBV_EINPUT, node, "unit %s needs %s", u->name, u->needs);
  if (given_key && !(u && u->needs && strcmp(u->needs, given_key) == 0))
    return rbv_node_fail(RBV_EINPUT, rbv_node_find(node, given_key), "%s needs unit %s", given_key,
                         has_gain ? "A, mA, V or raw" : "counts or counts/s");
  if (has_turn && turn < 0)
    return rbv_node_fail(RBV_EINPUT, rbv_node_find(node, "counts_per_turn"),
                         "counts_per_turn must be positive; use sign");
  e->scale *= gain / turn;
  char number[32];
  if (given_key) {
    rbv_format_double(number, has_gain ? gain : turn);
    rbv_text_print(remark, ", %s %s", given_key, number);
  }

  // direction
  RBV_TRY(factor(&sign, &given, node, "sign"));
  if (given && sign != 1 && sign != -1)
    return rbv_node_fail(RBV_EINPUT, rbv_node_find(node, "sign"), "sign must be 1 or -1");
  e->scale *= sign;
  if (given) rbv_text_print(remark, "%ssign %g", remark->size ? ", " : "", sign);

  // gear
  RBV_TRY(factor(&ratio, &given, node, "ratio"));
  if (given && (e->channel == RBV_CHANNEL_MOTOR_POSITION || e->channel == RBV_CHANNEL_MOTOR_TORQUE))
    return rbv_node_fail(RBV_EINPUT, rbv_node_find(node, "ratio"),
                         "%s is before the gear and has no ratio; use %s for the joint's side",
                         rbv_channel_name(e->channel),
                         e->channel == RBV_CHANNEL_MOTOR_POSITION ? "q" : "tau");
  if (of == TORQUE)
    e->scale *= ratio;
  else
    e->scale /= ratio;
  if (given) {
    rbv_format_double(number, ratio);
    rbv_text_print(remark, "%sratio %s", remark->size ? ", " : "", number);
  }

  double offset = 0;
  at = rbv_node_find(node, "offset");
  if (at) RBV_TRY(rbv_node_real(&offset, at));
  e->offset += offset;
  return RBV_OK;
}

static rbv_status read_entry(rbv_log_map *map, rbv_channel channel, int joint,
                             const rbv_node *node) {
  entry *e = &map->entries[map->nentry++];
  *e = (entry){.channel = channel, .joint = joint, .scale = 1};
  e->line = rbv_node_line(node);
  e->place = rbv_node_column(node);
  const rbv_node *column = node;
  if (rbv_node_get_kind(node) == RBV_NODE_MAP) {
    rbv_text remark = {0};
    const rbv_status status = read_conversion(e, &remark, node);
    const bool failed = remark.failed;
    if (status == RBV_OK && !failed && remark.size) e->remark = rbv_strdup(remark.data);
    const bool lost = failed || (status == RBV_OK && remark.size && !e->remark);
    rbv_text_free(&remark);
    if (status != RBV_OK) return status;
    if (lost) return RBV_EMEM;
    column = rbv_node_find(node, "column");
    if (!column) return rbv_node_fail(RBV_EINPUT, node, "the key column is missing");
  }
  const char *text;
  RBV_TRY(rbv_node_string(&text, column));
  if (!*text) return rbv_node_fail(RBV_EINPUT, column, "the name of the column is empty");
  e->line = rbv_node_line(column);
  e->place = rbv_node_column(column);
  e->column = rbv_strdup(text);
  return e->column ? RBV_OK : RBV_EMEM;
}

/* {sec: COLUMN, nsec: COLUMN}: seconds and nanoseconds in two columns */
static rbv_status read_clock(rbv_log_map *map, const rbv_node *node) {
  static const char *const keys[] = {"sec", "nsec", NULL};
  const rbv_node *sec = rbv_node_find(node, "sec"), *nsec = rbv_node_find(node, "nsec");
  RBV_TRY(rbv_node_only_keys(node, keys));
  if (!sec || !nsec)
    return rbv_node_fail(RBV_EINPUT, node, "a time in two columns needs the keys sec and nsec");
  RBV_TRY(read_entry(map, RBV_CHANNEL_TIME, -1, sec));
  const char *text;
  RBV_TRY(rbv_node_string(&text, nsec));
  if (!*text) return rbv_node_fail(RBV_EINPUT, nsec, "the name of the column is empty");
  entry *e = &map->entries[map->nentry - 1];
  e->nsec = rbv_strdup(text);
  return e->nsec ? RBV_OK : RBV_EMEM;
}

static rbv_status read_time(rbv_log_map *map, const rbv_node *root) {
  const rbv_node *time = rbv_node_find(root, "time"), *rate = rbv_node_find(root, "rate_hz");
  if (rate) {
    RBV_TRY(rbv_node_real(&map->rate_hz, rate));
    if (!(map->rate_hz > 0 && map->rate_hz <= MOST_RATE))
      return rbv_node_fail(RBV_EINPUT, rate, "rate_hz must be above 0 and at most %g", MOST_RATE);
    if (time) return rbv_node_fail(RBV_EINPUT, rate, "a map has either time or rate_hz");
  }
  if (!time) return RBV_OK;
  const bool pair = rbv_node_get_kind(time) == RBV_NODE_MAP &&
                    (rbv_node_find(time, "sec") || rbv_node_find(time, "nsec"));
  return pair ? read_clock(map, time) : read_entry(map, RBV_CHANNEL_TIME, -1, time);
}

static rbv_status read_joint(rbv_log_map *map, int joint, const rbv_node *node) {
  if (rbv_node_get_kind(node) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, node, "a joint is a map such as {q: pos_1, tau: cur_1}");

  // names: all joints or none
  const rbv_node *name = rbv_node_find(node, "name");
  if (joint > 0 && (name != NULL) != (map->joint_names[0] != NULL))
    return rbv_node_fail(RBV_EINPUT, node, "either all joints have a name or none");
  if (name) {
    const char *text;
    RBV_TRY(rbv_node_string(&text, name));
    for (int i = 0; i < joint; i++)
      if (strcmp(map->joint_names[i], text) == 0)
        return rbv_node_fail(RBV_EINPUT, name, "joints %d and %d are both named '%.40s'", i + 1,
                             joint + 1, text);
    map->joint_names[joint] = rbv_strdup(text);
    if (!map->joint_names[joint]) return RBV_EMEM;
  }

  // quantities
  const char *known[RBV_CHANNEL_OTHER + 1] = {"name"};
  for (int k = 1; k < RBV_CHANNEL_OTHER; k++) known[k] = rbv_channel_name((rbv_channel)k);
  RBV_TRY(rbv_node_only_keys(node, known));
  if (rbv_node_count(node) == (name != NULL))
    return rbv_node_fail(RBV_EINPUT, node, "the joint has no columns");
  for (int k = 1; k < RBV_CHANNEL_OTHER; k++) {
    const rbv_node *at = rbv_node_find(node, known[k]);
    if (at) RBV_TRY(read_entry(map, (rbv_channel)k, joint, at));
  }
  return RBV_OK;
}

static bool has_channel(const rbv_log_map *map, rbv_channel channel) {
  for (int i = 0; i < map->nentry; i++)
    if (map->entries[i].channel == channel) return true;
  return false;
}

static rbv_status read_sensing(rbv_log_map *map, const rbv_node *node) {
  static const char *const words[] = {NULL, "motor", "joint", "both"};
  if (!node) return RBV_OK;
  const char *text;
  RBV_TRY(rbv_node_string(&text, node));
  for (int i = 1; i < RBV_COUNT(words); i++)
    if (strcmp(words[i], text) == 0) map->sensing = (rbv_log_sensing)i;
  if (map->sensing == RBV_LOG_SENSING_UNKNOWN)
    return rbv_node_fail(RBV_EINPUT, node, "sensing is motor, joint or both, not '%.40s'", text);
  if (map->sensing == RBV_LOG_SENSING_BOTH &&
      !(has_channel(map, RBV_CHANNEL_JOINT_TORQUE) &&
        (has_channel(map, RBV_CHANNEL_TORQUE) || has_channel(map, RBV_CHANNEL_MOTOR_TORQUE))))
    return rbv_node_fail(RBV_EINPUT, node,
                         "sensing both needs tauj (the sensor) and tau or taum (the motor)");
  return RBV_OK;
}

/* a column of the whole robot, which a joint may not have too */
static rbv_status read_common(rbv_log_map *map, rbv_channel channel, const rbv_node *root) {
  const char *key = rbv_channel_name(channel);
  const rbv_node *node = rbv_node_find(root, key);
  if (!node) return RBV_OK;
  if (has_channel(map, channel))
    return rbv_node_fail(RBV_EINPUT, node, "%s is given for a joint and for the whole robot", key);
  return read_entry(map, channel, 0, node);
}

static rbv_status read_map(rbv_log_map *map, const rbv_document *doc) {
  static const char *const keys[] = {"time", "rate_hz", "joints", "sensing",
                                     "temp", "uptime",  NULL};
  const rbv_node *root = rbv_document_root(doc);
  if (rbv_node_get_kind(root) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, root, "a column map has the keys time, joints, sensing");
  RBV_TRY(rbv_node_only_keys(root, keys));
  const rbv_node *joints = rbv_node_find(root, "joints");
  if (!joints || rbv_node_get_kind(joints) != RBV_NODE_LIST || rbv_node_count(joints) == 0)
    return rbv_node_fail(RBV_EINPUT, joints ? joints : root, "a column map needs a list of joints");
  const int n = rbv_node_count(joints);
  if (n > MOST_JOINTS)
    return rbv_node_fail(RBV_EINPUT, joints, "%d joints; at most %d are read", n, MOST_JOINTS);

  // the largest possible number of entries
  map->name = rbv_strdup(rbv_document_name(doc));
  map->entries = rbv_alloc(sizeof *map->entries * (size_t)(n * RBV_CHANNEL_OTHER + 3));
  map->joint_names = rbv_alloc(sizeof *map->joint_names * (size_t)n);
  if (!map->name || !map->entries || !map->joint_names) return RBV_EMEM;
  map->njoint = n;
  RBV_TRY(read_time(map, root));
  for (int j = 0; j < n; j++) RBV_TRY(read_joint(map, j, rbv_node_at(joints, j)));
  RBV_TRY(read_common(map, RBV_CHANNEL_TEMPERATURE, root));
  RBV_TRY(read_common(map, RBV_CHANNEL_UPTIME, root));
  return read_sensing(map, rbv_node_find(root, "sensing"));
}

/* Frees the document. */
static rbv_status make_map(rbv_log_map **out, rbv_document *doc) {
  rbv_log_map *map = rbv_alloc(sizeof *map);
  const rbv_status status = map ? read_map(map, doc) : RBV_EMEM;
  rbv_document_free(doc);
  if (status != RBV_OK) {
    rbv_log_map_free(map);
    return status;
  }
  *out = map;
  return RBV_OK;
}

rbv_status rbv_log_map_load(rbv_log_map **out, const char *path) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the map");
  *out = NULL;
  if (!path) return rbv_fail(RBV_EARG, "no file");
  rbv_document *doc;
  RBV_TRY(rbv_document_load(&doc, path));
  return make_map(out, doc);
}

rbv_status rbv_log_map_parse(rbv_log_map **out, const char *name, const char *text, size_t size) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the map");
  *out = NULL;
  if (!name || !text) return rbv_fail(RBV_EARG, "no name or no text");
  rbv_document *doc;
  RBV_TRY(rbv_document_parse(&doc, name, text, size));
  return make_map(out, doc);
}

void rbv_log_map_free(rbv_log_map *map) {
  if (!map) return;
  for (int i = 0; i < map->nentry; i++) {
    RBV_FREE_ALL(map->entries[i].column, map->entries[i].nsec, map->entries[i].remark);
  }
  for (int j = 0; map->joint_names && j < map->njoint; j++) rbv_free(map->joint_names[j]);
  RBV_FREE_ALL(map->entries, map->joint_names, map->name, map);
}

/* A copy of the text; NULL for NULL. */
static bool copy_text(char **to, const char *from) {
  *to = from ? rbv_strdup(from) : NULL;
  return *to || !from;
}

static rbv_status copy_map(rbv_log_map *to, const rbv_log_map *from) {
  to->sensing = from->sensing;
  to->rate_hz = from->rate_hz;
  to->entries = rbv_alloc(sizeof *to->entries * (size_t)from->nentry);
  to->joint_names = rbv_alloc(sizeof *to->joint_names * (size_t)from->njoint);
  if (!to->entries || !to->joint_names || !copy_text(&to->name, from->name)) return RBV_EMEM;
  for (to->nentry = 0; to->nentry < from->nentry; to->nentry++) {
    const entry *e = &from->entries[to->nentry];
    entry *copy = &to->entries[to->nentry];
    *copy = *e;
    copy->column = copy->remark = copy->nsec = NULL;
    if (!copy_text(&copy->column, e->column) || !copy_text(&copy->remark, e->remark) ||
        !copy_text(&copy->nsec, e->nsec)) {
      to->nentry++;  // freed with the map
      return RBV_EMEM;
    }
  }
  for (to->njoint = 0; to->njoint < from->njoint; to->njoint++)
    if (!copy_text(&to->joint_names[to->njoint], from->joint_names[to->njoint])) return RBV_EMEM;
  return RBV_OK;
}

rbv_status log_map_clone(rbv_log_map **out, const rbv_log_map *map) {
  *out = rbv_alloc(sizeof **out);
  const rbv_status status = *out ? copy_map(*out, map) : RBV_EMEM;
  if (status != RBV_OK) {
    rbv_log_map_free(*out);
    *out = NULL;
  }
  return status;
}

/* ---- using the map ---- */

rbv_status log_map_columns(wanted_columns *out, const char ***list, const rbv_log_map *map) {
  const char **names = rbv_alloc(sizeof *names * (size_t)(2 * map->nentry + 1));
  if (!names) return RBV_EMEM;
  int n = 0;
  for (int i = 0; i < map->nentry; i++) {
    names[n++] = map->entries[i].column;
    if (map->entries[i].nsec) names[n++] = map->entries[i].nsec;
  }
  *out = (wanted_columns){names, n};
  *list = names;
  return RBV_OK;
}

/* A column by its name or number. */
static rbv_status find_column(int *out, const rbv_log *log, const rbv_log_map *map, const entry *e,
                              const char *column) {
  const table *t = &log->source;
  for (int j = 0; j < t->ncol && t->names; j++)
    if (strcmp(t->names[j], column) == 0) {
      *out = j;
      return t->text && t->text[j].cell ? refuse_text(t, log->name, j) : RBV_OK;
    }
  int number = 0;
  const char *p = column;
  for (; *p >= '0' && *p <= '9' && number < INT_MAX / 20; p++) number = 10 * number + (*p - '0');
  if (!*p && number >= 1 && number <= t->ncol) {
    *out = number - 1;
    return t->text && t->text[*out].cell ? refuse_text(t, log->name, *out) : RBV_OK;
  }
  if (!*p || !t->names)
    return rbv_fail(RBV_EINPUT, "%s:%d:%d: %s has %d columns%s, not '%.40s'", map->name, e->line,
                    e->place, log->name, t->ncol, t->names ? "" : " and no names", column);
  return rbv_fail(RBV_EINPUT, "%s:%d:%d: %s has no column '%.40s'; it has '%.40s', '%.40s', ...",
                  map->name, e->line, e->place, log->name, column, t->names[0],
                  t->names[t->ncol > 1 ? 1 : 0]);
}

/* "-0.000545 * pos_1 + 0.1 (unit deg, sign -1, ratio 32)" */
static char *describe(const entry *e) {
  rbv_text text = {0};
  char number[32];
  if (e->scale != 1) {
    rbv_format_double(number, e->scale);
    rbv_text_print(&text, "%s * ", number);
  }
  rbv_text_put(&text, e->column);
  if (e->offset != 0) {
    rbv_format_double(number, fabs(e->offset));
    rbv_text_print(&text, " %c %s", e->offset < 0 ? '-' : '+', number);
  }
  if (e->remark) rbv_text_print(&text, " (%s)", e->remark);
  char *copy = text.failed ? NULL : rbv_strdup(rbv_text_string(&text));
  rbv_text_free(&text);
  return copy;
}

static char *numbered(const char *stem, int number) {
  char name[32];
  if (number > 0)
    snprintf(name, sizeof name, "%s%d", stem, number);
  else
    snprintf(name, sizeof name, "%s", stem);
  return rbv_strdup(name);
}

static void convert(double *to, const double *from, ptrdiff_t n, const entry *e) {
  for (ptrdiff_t k = 0; k < n; k++) to[k] = e->scale * from[k] + e->offset;
}

static void add_nanoseconds(double *t, const double *nsec, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n; k++) t[k] += 1e-9 * nsec[k];
}

/* The time of a recording without time stamps, at a given rate. */
static rbv_status make_clock(rbv_log *log, const rbv_log_map *map, double *values) {
  const table *t = &log->source;
  for (ptrdiff_t k = 0; k < t->rows; k++) values[k] = (double)(t->first + k) / map->rate_hz;
  rbv_log_column *c = &log->columns[log->ncolumn++];
  *c = (rbv_log_column){.name = rbv_strdup("t"), .channel = RBV_CHANNEL_TIME, .joint = -1};
  c->values = values;
  char number[32], text[64];
  rbv_format_double(number, map->rate_hz);
  snprintf(text, sizeof text, "row / %s Hz", number);
  c->conversion = rbv_strdup(text);
  return c->name && c->conversion ? RBV_OK : RBV_EMEM;
}

/* Columns of the map, then all others. */
static rbv_status fill_columns(rbv_log *log, const rbv_log_map *map, const int *source,
                               const int *nsec, const int *uses) {
  const table *t = &log->source;

  // columns are converted in place; a column that is used again is copied before
  double *copy = log->extra;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < map->nentry; i++) {
      const entry *e = &map->entries[i];
      bool again = false;
      for (int k = 0; k < i; k++) again |= source[k] == source[i];
      if (again != (pass == 0)) continue;
      double *raw = t->values + source[i] * t->ld, *to = again ? copy : raw;
      if (again) copy += t->ld;
      convert(to, raw, t->rows, e);
      if (nsec[i] >= 0) add_nanoseconds(to, t->values + nsec[i] * t->ld, t->rows);
      log->columns[i].values = to;
    }

  for (int i = 0; i < map->nentry; i++) {
    rbv_log_column *c = &log->columns[log->ncolumn++];
    c->channel = map->entries[i].channel;
    c->joint = map->entries[i].joint;
    c->name = numbered(rbv_channel_name(c->channel), c->joint + 1);
    c->conversion = describe(&map->entries[i]);
    if (!c->name || !c->conversion) return RBV_EMEM;
  }
  if (map->rate_hz > 0) RBV_TRY(make_clock(log, map, copy));
  for (int j = 0; j < t->ncol; j++) {
    if (uses[j]) continue;
    rbv_log_column *c = &log->columns[log->ncolumn++];
    c->channel = RBV_CHANNEL_OTHER;
    c->joint = -1;
    c->values = t->values + j * t->ld;
    c->name = t->names ? rbv_strdup(t->names[j]) : numbered("", j + 1);
    if (!c->name) return RBV_EMEM;
  }
  return RBV_OK;
}

static rbv_status name_joints(rbv_log *log, const rbv_log_map *map) {
  if (!map->joint_names[0]) return RBV_OK;
  log->joint_names = rbv_alloc(sizeof *log->joint_names * (size_t)map->njoint);
  if (!log->joint_names) return RBV_EMEM;
  log->njoint = map->njoint;
  for (int j = 0; j < map->njoint; j++)
    if (!(log->joint_names[j] = rbv_strdup(map->joint_names[j]))) return RBV_EMEM;
  return RBV_OK;
}

rbv_status log_map_apply(rbv_log *log, const rbv_log_map *map) {
  const int ncol = log->source.ncol;
  rbv_status status = RBV_EMEM;
  int *source = rbv_alloc(sizeof *source * (size_t)map->nentry);  // of each entry
  int *nsec = rbv_alloc(sizeof *nsec * (size_t)map->nentry);      // nanoseconds of each entry
  int *uses = rbv_alloc(sizeof *uses * (size_t)ncol);             // of each column
  if (!source || !nsec || !uses) goto done;
  int extra = 0;
  for (int i = 0; i < map->nentry; i++) {
    const entry *e = &map->entries[i];
    nsec[i] = -1;
    status = find_column(&source[i], log, map, e, e->column);
    if (status == RBV_OK && e->nsec) status = find_column(&nsec[i], log, map, e, e->nsec);
    if (status != RBV_OK) goto done;
    extra += uses[source[i]]++ > 0;
  }
  status = RBV_EMEM;
  extra += map->rate_hz > 0;
  log->columns = rbv_alloc(sizeof *log->columns * (size_t)(map->nentry + 1 + ncol));
  log->extra = rbv_alloc(sizeof(double) * (size_t)extra * (size_t)log->source.ld);
  if (!log->columns || !log->extra) goto done;
  status = fill_columns(log, map, source, nsec, uses);
  if (status == RBV_OK) status = name_joints(log, map);
  log->sensing = map->sensing;

done:
  RBV_FREE_ALL(uses, nsec, source);
  return status;
}

rbv_status rbv_log_order_joints(rbv_log *log, const char *const *names, int n) {
  if (!log || !names || n < 1) return rbv_fail(RBV_EARG, "no log or no names");
  if (!log->joint_names) return RBV_OK;

  // new number of each joint
  rbv_status status = RBV_EMEM;
  int *to = rbv_alloc(sizeof *to * (size_t)log->njoint);
  char **fresh = rbv_alloc(sizeof *fresh * (size_t)n);
  char **fresh_columns = rbv_alloc(sizeof *fresh_columns * (size_t)log->ncolumn);
  if (!to || !fresh || !fresh_columns) goto done;
  for (int j = 0; j < log->njoint; j++) {
    to[j] = -1;
    for (int k = 0; k < n; k++)
      if (strcmp(log->joint_names[j], names[k]) == 0) to[j] = k;
    if (to[j] < 0) {
      status =
          rbv_fail(RBV_EINPUT, "%s: joint '%.40s' of the column map is not a joint of the robot",
                   log->name, log->joint_names[j]);
      goto done;
    }
  }

  // make all new names before anything is changed
  for (int k = 0; k < n; k++)
    if (!(fresh[k] = rbv_strdup(names[k]))) goto done;
  for (int i = 0; i < log->ncolumn; i++) {
    const rbv_log_column *c = &log->columns[i];
    if (c->joint < 0) continue;
    fresh_columns[i] = numbered(rbv_channel_name(c->channel), to[c->joint] + 1);
    if (!fresh_columns[i]) goto done;
  }
  for (int i = 0; i < log->ncolumn; i++) {
    rbv_log_column *c = &log->columns[i];
    if (c->joint < 0) continue;
    log_drop(c->name);
    c->name = fresh_columns[i];
    fresh_columns[i] = NULL;
    c->joint = to[c->joint];
  }
  for (int j = 0; j < log->njoint; j++) rbv_free(log->joint_names[j]);
  rbv_free(log->joint_names);
  log->joint_names = fresh;
  log->njoint = n;
  fresh = NULL;
  status = RBV_OK;

done:
  for (int k = 0; fresh && k < n; k++) rbv_free(fresh[k]);
  for (int i = 0; fresh_columns && i < log->ncolumn; i++) rbv_free(fresh_columns[i]);
  RBV_FREE_ALL(fresh_columns, fresh, to);
  return status;
}
