/* Controllers as YAML files. */
#include <math.h>
#include <string.h>

#include "document/document.h"

#include "control/control_internal.h"

#define JOINTS_MAX 100
#define TICKS_MAX 1000
#define RATE_TOLERANCE 0.01  // a recorder's clock and a nominal rate differ by less

/* ---- reading ---- */

/* read a number; *out is unchanged if the key is missing */
static rbv_status read_real(double *out, const rbv_node *map, const char *key) {
  const rbv_node *node = rbv_node_find(map, key);
  return node ? rbv_node_real(out, node) : RBV_OK;
}

static rbv_status read_list(double *out, int *count, const rbv_node *map, const char *key) {
  const rbv_node *list = rbv_node_find(map, key);
  if (!list) return rbv_node_fail(RBV_EINPUT, map, "a transfer function needs num and den");
  *count = rbv_node_count(list);
  if (rbv_node_get_kind(list) != RBV_NODE_LIST || *count < 1 || *count > RBV_TRANSFER_ORDER / 2 + 1)
    return rbv_node_fail(RBV_EINPUT, list, "%s must be a list of 1 to %d numbers", key,
                         RBV_TRANSFER_ORDER / 2 + 1);
  return rbv_node_reals(out, *count, list);
}

static rbv_status read_tuned(rbv_control_joint *out, const rbv_node *map, int j,
                             const rbv_control_options *o) {
  static const char *const keys[] = {"bandwidth_hz", "inertia", "integral", "roll_off", NULL};
  RBV_TRY(rbv_node_only_keys(map, keys));
  const rbv_node *bandwidth = rbv_node_find(map, "bandwidth_hz");
  const rbv_node *inertia = rbv_node_find(map, "inertia");
  if (!bandwidth) return rbv_node_fail(RBV_EINPUT, map, "tuned needs bandwidth_hz");
  double hertz, J = 0, integral = 0.2, roll_off = 10;
  RBV_TRY(rbv_node_real(&hertz, bandwidth));
  RBV_TRY(read_real(&integral, map, "integral"));
  RBV_TRY(read_real(&roll_off, map, "roll_off"));
  const char *text = inertia ? rbv_node_text(inertia) : "auto";
  if (text && strcmp(text, "auto") == 0) {
    if (!o->inertia || j >= o->njoint)
      return rbv_node_fail(
          RBV_EINPUT, map,
          "inertia: auto needs a robot and a motion, which are not available here: give the "
          "joint's inertia as a number");
    J = o->inertia[j];
  } else {
    RBV_TRY(rbv_node_real(&J, inertia));
  }
  if (!(hertz > 0) || !(J > 0) || !(roll_off > 0) || !(integral >= 0))
    return rbv_node_fail(RBV_EINPUT, map,
                         "bandwidth_hz, inertia and roll_off must be positive, integral not "
                         "negative");
  *out = rbv_control_tune(J, 2 * RBV_PI * hertz, integral, roll_off);
  return RBV_OK;
}

static rbv_status read_limit(rbv_control_joint *out, const rbv_node *node) {
  if (rbv_node_get_kind(node) == RBV_NODE_LIST) {
    double range[2];
    RBV_TRY(rbv_node_reals(range, 2, node));
    out->lower = range[0];
    out->upper = range[1];
  } else {
    RBV_TRY(rbv_node_real(&out->upper, node));
    out->lower = -out->upper;
  }
  if (!(out->lower < out->upper))
    return rbv_node_fail(RBV_EINPUT, node, "a limit is a positive number, or [lower, upper]");
  return RBV_OK;
}

static rbv_status read_antiwindup(rbv_control_joint *out, const rbv_node *node) {
  static const char *const keys[] = {"tracking_s", NULL};
  if (rbv_node_get_kind(node) == RBV_NODE_MAP) {
    RBV_TRY(rbv_node_only_keys(node, keys));
    out->antiwindup = RBV_ANTIWINDUP_TRACKING;
    return read_real(&out->tracking_s, node, "tracking_s");
  }
  const char *name;
  RBV_TRY(rbv_node_string(&name, node));
  if (rbv_antiwindup_parse(&out->antiwindup, name) && out->antiwindup != RBV_ANTIWINDUP_TRACKING)
    return RBV_OK;
  return rbv_node_fail(RBV_EINPUT, node,
                       "antiwindup '%s' is not known: it can be none, clamp or {tracking_s: "
                       "SECONDS}",
                       name);
}

/* gains of another kind of controller are refused */
static rbv_status read_law(rbv_control_joint *out, const rbv_node *map) {
  const rbv_node *kind = rbv_node_find(map, "kind");
  const char *name = "pid";
  if (kind) RBV_TRY(rbv_node_string(&name, kind));
  if (!rbv_control_kind_parse(&out->kind, name))
    return rbv_node_fail(RBV_EINPUT, kind,
                         "kind '%s' is not known: it can be pid, cascade or transfer", name);
  static const char *const all[] = {"k_p", "k_i", "k_d", "filter_s", "k_x", "reference_velocity",
                                    "num", "den"};
  static const bool fits[][8] = {{1, 1, 1, 1, 0, 1, 0, 0},   // pid
                                 {1, 1, 0, 1, 1, 1, 0, 0},   // cascade
                                 {0, 0, 0, 0, 0, 0, 1, 1}};  // transfer
  for (int i = 0; i < RBV_COUNT(all); i++)
    if (!fits[out->kind][i] && rbv_node_find(map, all[i]))
      return rbv_node_fail(RBV_EINPUT, rbv_node_find(map, all[i]),
                           "%s does not belong to a controller of kind %s", all[i], name);
  if (out->kind == RBV_CONTROL_TRANSFER) {
    RBV_TRY(read_list(out->transfer.num, &out->transfer.nnum, map, "num"));
    return read_list(out->transfer.den, &out->transfer.nden, map, "den");
  }
  RBV_TRY(read_real(&out->k_p, map, "k_p"));
  RBV_TRY(read_real(&out->k_i, map, "k_i"));
  RBV_TRY(read_real(&out->k_d, map, "k_d"));
  RBV_TRY(read_real(&out->k_x, map, "k_x"));
  RBV_TRY(read_real(&out->filter_s, map, "filter_s"));
  return read_real(&out->reference_velocity, map, "reference_velocity");
}

static rbv_status read_joint(rbv_control_joint *out, const rbv_node *map, int j,
                             const rbv_control_options *o) {
  static const char *const keys[] = {"name",
                                     "kind",
                                     "k_p",
                                     "k_i",
                                     "k_d",
                                     "filter_s",
                                     "k_x",
                                     "reference_velocity",
                                     "num",
                                     "den",
                                     "tuned",
                                     "velocity_gain",
                                     "acceleration_gain",
                                     "limit",
                                     "antiwindup",
                                     "delay",
                                     NULL};
  RBV_TRY(rbv_node_only_keys(map, keys));
  *out = rbv_control_joint_defaults();
  const rbv_node *tuned = rbv_node_find(map, "tuned"), *limit = rbv_node_find(map, "limit");
  const rbv_node *windup = rbv_node_find(map, "antiwindup"), *delay = rbv_node_find(map, "delay");
  if (tuned && (rbv_node_find(map, "kind") || rbv_node_find(map, "k_p")))
    return rbv_node_fail(RBV_EINPUT, tuned, "give either tuned, or the gains");
  RBV_TRY(tuned ? read_tuned(out, tuned, j, o) : read_law(out, map));
  RBV_TRY(read_real(&out->velocity_gain, map, "velocity_gain"));
  RBV_TRY(read_real(&out->acceleration_gain, map, "acceleration_gain"));
  if (limit) RBV_TRY(read_limit(out, limit));
  if (windup) RBV_TRY(read_antiwindup(out, windup));
  return delay ? rbv_node_int(&out->delay, delay) : RBV_OK;
}

static rbv_status read_rate(double *out, const rbv_node *root, const rbv_control_options *o) {
  const rbv_node *node = rbv_node_find(root, "rate_hz");
  *out = o->rate_hz;
  if (!node && !(o->rate_hz > 0))
    return rbv_node_fail(RBV_EINPUT, root, "the controller has no rate_hz (its sample rate)");
  if (!node) return RBV_OK;
  RBV_TRY(rbv_node_real(out, node));
  if (!(*out > 0)) return rbv_node_fail(RBV_EINPUT, node, "rate_hz must be positive");
  const double apart = fabs(*out - o->rate_hz);
  if (o->recording && o->rate_hz > 0) {
    if (!(apart <= RATE_TOLERANCE * *out))
      return rbv_node_fail(RBV_EINPUT, node,
                           "rate_hz is %g, but the recording has %g rows per second: set rate_hz "
                           "to the rate of the rows, and drive_rate_hz to that of the drive if its "
                           "law runs at another one",
                           *out, o->rate_hz);
    *out = o->rate_hz;
    return RBV_OK;
  }
  if (o->rate_hz > 0 && !(apart <= 1e-9 * *out))
    return rbv_node_fail(RBV_EINPUT, node,
                         "the controller runs at %g Hz, but %g Hz is requested: remove the rate "
                         "in one of the two places",
                         *out, o->rate_hz);
  return RBV_OK;
}

/* rate of the law, and delay of the reference */
static rbv_status read_drive(rbv_control *control, const rbv_node *root,
                             const rbv_control_options *o) {
  const rbv_node *fast = rbv_node_find(root, "drive_rate_hz");
  const rbv_node *late = rbv_node_find(root, "command_delay_s");
  double drive_hz = control->rate_hz, delay_s = 0;
  if (fast) RBV_TRY(rbv_node_real(&drive_hz, fast));
  if (late) RBV_TRY(rbv_node_real(&delay_s, late));
  const double ticks = nearbyint(drive_hz / control->rate_hz);
  if (!(ticks >= 1 && ticks <= TICKS_MAX &&
        fabs(drive_hz - ticks * control->rate_hz) <= RATE_TOLERANCE * drive_hz))
    return rbv_node_fail(RBV_EINPUT, fast,
                         "drive_rate_hz is %g, but must be 1 to %d times the rate of %g Hz",
                         drive_hz, TICKS_MAX, control->rate_hz);
  if (!(delay_s >= 0 && delay_s <= 0.1))
    return rbv_node_fail(RBV_EINPUT, late, "command_delay_s must be 0 to 0.1");
  if (!o->at_rows) rbv_control_set_drive(control, (int)ticks, delay_s);
  return RBV_OK;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* the laws of the joints: those of the file, or of one recording */
static rbv_status find_joints(const rbv_node **out, const rbv_node *root, const char *recording) {
  static const char *const keys[] = {"file", "joints", NULL};
  const rbv_node *list = rbv_node_find(root, "recordings");
  *out = rbv_node_find(root, "joints");
  if (!list) return RBV_OK;
  if (*out || rbv_node_get_kind(list) != RBV_NODE_LIST || rbv_node_count(list) < 1)
    return rbv_node_fail(RBV_EINPUT, list,
                         "recordings must be a list of maps with file and joints, without joints "
                         "beside it");
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *item = rbv_node_at(list, i), *file = NULL;
    const char *name;
    if (rbv_node_get_kind(item) == RBV_NODE_MAP) file = rbv_node_find(item, "file");
    if (!file) return rbv_node_fail(RBV_EINPUT, item, "a recording needs file and joints");
    RBV_TRY(rbv_node_only_keys(item, keys));
    RBV_TRY(rbv_node_string(&name, file));
    *out = rbv_node_find(item, "joints");
    if (!recording || strcmp(base_name(name), base_name(recording)) == 0) return RBV_OK;
  }
  return rbv_node_fail(RBV_EINPUT, list, "there is no law of the recording '%s'",
                       base_name(recording));
}

static rbv_status read_root(rbv_control **out, const rbv_document *doc,
                            const rbv_control_options *o) {
  static const char *const keys[] = {"name",        "rate_hz", "drive_rate_hz", "command_delay_s",
                                     "feedforward", "joints",  "recordings",    NULL};
  const rbv_node *root = rbv_document_root(doc);
  if (rbv_node_get_kind(root) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, root, "a controller is a map with rate_hz and joints");
  RBV_TRY(rbv_node_only_keys(root, keys));
  const rbv_node *name = rbv_node_find(root, "name"), *model = rbv_node_find(root, "feedforward");
  const rbv_node *joints;
  RBV_TRY(find_joints(&joints, root, o->recording));
  const char *title = rbv_document_name(doc), *kind = "none";
  if (name) RBV_TRY(rbv_node_string(&title, name));
  if (model) RBV_TRY(rbv_node_string(&kind, model));
  rbv_feedforward feedforward;
  if (!rbv_feedforward_parse(&feedforward, kind))
    return rbv_node_fail(RBV_EINPUT, model,
                         "feedforward '%s' is not known: it can be none, gravity or model", kind);
  double rate_hz;
  RBV_TRY(read_rate(&rate_hz, root, o));
  const int n = rbv_node_count(joints);
  if (!joints || rbv_node_get_kind(joints) != RBV_NODE_LIST || n < 1 || n > JOINTS_MAX)
    return rbv_node_fail(RBV_EINPUT, joints ? joints : root,
                         "joints must be a list, one per joint");
  if (o->njoint > 0 && n != o->njoint)
    return rbv_node_fail(RBV_EINPUT, joints, "the controller has %d joints, the robot %d", n,
                         o->njoint);
  RBV_NEW(rbv_control_joint, joint, n);
  rbv_status status = RBV_OK;
  for (int j = 0; j < n && status == RBV_OK; j++)
    status = read_joint(&joint[j], rbv_node_at(joints, j), j, o);
  rbv_control *control = NULL;
  if (status == RBV_OK) status = rbv_control_new(&control, title, rate_hz, feedforward, joint, n);
  rbv_free(joint);
  if (status == RBV_OK) status = read_drive(control, root, o);
  RBV_GIVE(out, control, status, rbv_control_free(control));
}

static rbv_status read_doc(rbv_control **out, rbv_document *doc, const rbv_control_options *o) {
  static const rbv_control_options nothing = {0};
  RBV_FINISH(read_root(out, doc, o ? o : &nothing), rbv_document_free(doc));
}

rbv_status rbv_control_load(rbv_control **out, const char *path, const rbv_control_options *o) {
  *out = NULL;
  rbv_document *doc;
  RBV_TRY(rbv_document_load(&doc, path));
  return read_doc(out, doc, o);
}

rbv_status rbv_control_parse(rbv_control **out, const char *name, const char *text, size_t size,
                             const rbv_control_options *o) {
  *out = NULL;
  rbv_document *doc;
  RBV_TRY(rbv_document_parse(&doc, name, text, size));
  return read_doc(out, doc, o);
}

/* ---- writing ---- */

static void put_real(rbv_text *t, const char *key, double x) {
  char number[32];
  rbv_format_double(number, x);
  rbv_text_print(t, ", %s: %s", key, number);
}

/* write a gain unless it is zero */
static void put_gain(rbv_text *t, const char *key, double x) {
  if (x != 0) put_real(t, key, x);
}

static void put_list(rbv_text *t, const char *key, const double *x, int count) {
  rbv_text_print(t, ", %s: [", key);
  for (int i = 0; i < count; i++) {
    char number[32];
    rbv_format_double(number, x[i]);
    rbv_text_print(t, "%s%s", i ? ", " : "", number);
  }
  rbv_text_put(t, "]");
}

static void put_joint(rbv_text *t, const rbv_control_joint *j) {
  rbv_text_print(t, "  - {kind: %s", rbv_control_kind_name(j->kind));
  if (j->kind == RBV_CONTROL_TRANSFER) {
    put_list(t, "num", j->transfer.num, j->transfer.nnum);
    put_list(t, "den", j->transfer.den, j->transfer.nden);
  } else {
    const bool cascade = j->kind == RBV_CONTROL_CASCADE;
    if (cascade) put_real(t, "k_x", j->k_x);
    if (cascade || j->reference_velocity != 1)
      put_real(t, "reference_velocity", j->reference_velocity);
    put_real(t, "k_p", j->k_p);
    put_gain(t, "k_i", j->k_i);
    if (j->kind == RBV_CONTROL_PID) put_gain(t, "k_d", j->k_d);
    put_gain(t, "filter_s", j->filter_s);
  }
  put_gain(t, "velocity_gain", j->velocity_gain);
  put_gain(t, "acceleration_gain", j->acceleration_gain);
  const double range[] = {j->lower, j->upper};
  if (isfinite(j->lower) && isfinite(j->upper)) put_list(t, "limit", range, 2);
  if (j->antiwindup == RBV_ANTIWINDUP_CLAMP) rbv_text_put(t, ", antiwindup: clamp");
  if (j->antiwindup == RBV_ANTIWINDUP_TRACKING) {
    char number[32];
    rbv_format_double(number, j->tracking_s);
    rbv_text_print(t, ", antiwindup: {tracking_s: %s}", number);
  }
  if (j->delay > 0) rbv_text_print(t, ", delay: %d", j->delay);
  rbv_text_put(t, "}\n");
}

/* in double quotes; quotes and backslashes are escaped, control characters become spaces */
static void put_name(rbv_text *t, const char *name) {
  rbv_text_put(t, "name: \"");
  for (const char *c = name; *c; c++) {
    if (*c == '"' || *c == '\\') rbv_text_put(t, "\\");
    const char shown = (unsigned char)*c < 32 ? ' ' : *c;
    rbv_text_add(t, &shown, 1);
  }
  rbv_text_put(t, "\"\n");
}

rbv_status rbv_control_format(char **text, size_t *size, const rbv_control *c) {
  *text = NULL;
  *size = 0;
  if (!c) return rbv_fail(RBV_EARG, "no controller");
  rbv_text t = {0};
  char number[32];
  put_name(&t, c->name);
  rbv_format_double(number, c->rate_hz / c->ticks);
  rbv_text_print(&t, "rate_hz: %s\n", number);
  rbv_format_double(number, c->rate_hz);
  if (c->ticks > 1) rbv_text_print(&t, "drive_rate_hz: %s\n", number);
  rbv_format_double(number, c->command_delay_s);
  if (c->command_delay_s > 0) rbv_text_print(&t, "command_delay_s: %s\n", number);
  rbv_text_print(&t, "feedforward: %s\njoints:\n", rbv_feedforward_name(c->feedforward));
  for (int j = 0; j < c->njoint; j++) put_joint(&t, &c->joint[j]);
  if (t.failed) {
    rbv_text_free(&t);
    return RBV_EMEM;
  }
  *text = t.data;
  *size = t.size;
  return RBV_OK;
}

rbv_status rbv_control_save(const rbv_control *c, const char *path) {
  char *text;
  size_t size;
  RBV_TRY(rbv_control_format(&text, &size, c));
  RBV_FINISH(rbv_file_write(path, text, size), rbv_file_free(text));
}
