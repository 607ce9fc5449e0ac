/* Joint states of a topic, by the plug-in for DDS. */
#include "topic/topic.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define PLUGIN "libroberval_dds.so"
#define PATIENCE_S 3.0  // until a missing publisher is told
#define EARLY 50        // steps from which the usual one is found
#define MISSING 1.5     // usual steps: a longer one is a gap

struct rbv_topic {
  rbv_topic_options o;
  const topic_table *table;
  topic_door *door;
  const char *const *joint;
  int count;
  bool listening, told_silence, told_stamps, told_qos;
  double waited_s;
  bool started, own_clock;
  int64_t first_ns, last_ns;
  double step[EARLY], usual;  // of the stamps [s]
  int steps;
  long long gaps;
  double *values;  // 3 count: positions, velocities, efforts
  char wrong[TOPIC_TEXT], note[TOPIC_TEXT];
};

static void tell(rbv_topic *t, const char *format, ...) RBV_PRINTF(2, 3);

static void tell(rbv_topic *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(t->note, sizeof t->note, format, args);
  va_end(args);
}

/* ---- opening ---- */

static rbv_status load(const topic_table **out) {
  void *library = rbv_open_plugin(PLUGIN);
  if (!library)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "live topics need %s and Eclipse Cyclone DDS: %s. Install the plug-in, or pipe "
                    "rows into the standard input",
                    PLUGIN, dlerror());
  *out = dlsym(library, TOPIC_SYMBOL);
  if (*out && (*out)->version == TOPIC_VERSION) return RBV_OK;
  return rbv_fail(RBV_EUNSUPPORTED, "%s is not of this release: install both from the same one",
                  PLUGIN);
}

void rbv_topic_close(rbv_topic *t) {
  if (!t) return;
  if (t->door) t->table->close(t->door);
  rbv_free(t->values);
  rbv_free(t);
}

rbv_status rbv_topic_check_name(const char *option, const char *topic) {
  const char *name = topic[0] == '/' ? topic + 1 : topic;
  if (*name == 0 || strlen(name) > 250 ||
      strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/") !=
          strlen(name))
    return rbv_fail_option(RBV_EOPTION, option, "'%.60s' is no name of a topic", topic);
  return RBV_OK;
}

static rbv_status enter(rbv_topic *t) {
  char why[TOPIC_TEXT] = "";
  RBV_TRY(rbv_topic_check_name("topic", t->o.topic));
  const char *net = t->o.network;
  if (net && (*net == 0 || strpbrk(net, "<>&\"")))
    return rbv_fail_option(RBV_EOPTION, "network", "'%.60s' is no name of a network interface",
                           net);
  t->values = rbv_alloc(3 * (size_t)t->count * sizeof *t->values);
  if (!t->values) return RBV_EMEM;
  RBV_TRY(load(&t->table));
  t->door = t->table->open(t->o.domain, t->o.network, why);
  return t->door ? RBV_OK : rbv_fail(RBV_EREAD, "DDS: %s", why);
}

rbv_status rbv_topic_open(rbv_topic **out, const rbv_topic_options *options,
                          const char *const *joint, int count) {
  *out = NULL;
  RBV_NEW(rbv_topic, t, 1);
  *t = (rbv_topic){.o = *options, .joint = joint, .count = count};
  RBV_GIVE(out, t, enter(t), rbv_topic_close(t));
}

/* ---- reading ---- */

static rbv_status try_listening(rbv_topic *t, double seconds) {
  char why[TOPIC_TEXT] = "";
  const char *how = t->o.reliable;
  const int reliable = !how || strcmp(how, "auto") == 0 ? -1 : strcmp(how, "yes") == 0;
  const int code = t->table->listen(t->door, t->o.topic, reliable, why);
  if (code < 0) return rbv_fail(RBV_EREAD, "DDS: %s", why);
  t->listening = code == 0;
  if (t->listening) {
    if (t->told_silence) tell(t, "%s has a publisher now", t->o.topic);
    return RBV_OK;
  }
  t->waited_s += seconds;
  if (t->waited_s < PATIENCE_S || t->told_silence) return RBV_OK;
  t->told_silence = true;
  tell(t, "%s has no publisher in domain %d: waiting", t->o.topic, t->o.domain);
  return RBV_OK;
}

/* a reader that was asked to be stricter than its writer hears nothing, and no call fails */
static rbv_status look_at_status(rbv_topic *t) {
  topic_status s;
  t->table->status(t->door, &s);
  if (s.incompatible)
    return rbv_fail_option(RBV_EINPUT, "reliable",
                           "%s is published as best effort, and a reliable reader hears nothing of "
                           "it",
                           t->o.topic);
  if (!s.text[0] || t->told_qos) return RBV_OK;
  t->told_qos = true;
  tell(t, "DDS says: %s", s.text);
  return RBV_OK;
}

/* missing messages, from the stamps */
static void count_gap(rbv_topic *t, int64_t ns) {
  const double dt = 1e-9 * (double)(ns - t->last_ns);
  if (!(dt > 0)) return;
  if (t->steps < EARLY) {
    // the smallest step of the first ones is the usual one
    t->usual = t->steps == 0 || dt < t->usual ? dt : t->usual;
    t->step[t->steps++] = dt;
    if (t->steps < EARLY) return;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < EARLY; i++)
      if (t->step[i] < MISSING * t->usual) sum += t->step[i], count++;
    t->usual = sum / count;
    for (int i = 0; i < EARLY; i++)
      if (t->step[i] > MISSING * t->usual) t->gaps += llround(t->step[i] / t->usual) - 1;
    return;
  }
  if (dt > MISSING * t->usual) t->gaps += llround(fmin(dt / t->usual, 1e12)) - 1;
}

static bool spoil(rbv_topic *t, const char *format, ...) RBV_PRINTF(2, 3);

static bool spoil(rbv_topic *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(t->wrong, sizeof t->wrong, format, args);
  va_end(args);
  return false;
}

/* values in the order of the joints; false: the message cannot be used */
static bool sort_values(rbv_topic *t, const topic_state *m) {
  const int counts[] = {m->positions, m->velocities, m->efforts};
  const double *const lists[] = {m->position, m->velocity, m->effort};
  if (m->positions != m->names || (m->velocities != 0 && m->velocities != m->names) ||
      (m->efforts != 0 && m->efforts != m->names))
    return spoil(t, "a message has %d names, but %d positions, %d velocities and %d efforts",
                 m->names, m->positions, m->velocities, m->efforts);
  for (int j = 0; j < t->count; j++) {
    int k = j < m->names && strcmp(m->name[j], t->joint[j]) == 0 ? j : 0;
    while (k < m->names && strcmp(m->name[k], t->joint[j]) != 0) k++;
    if (k == m->names) return spoil(t, "a message has no joint '%.100s'", t->joint[j]);
    for (int i = 0; i < 3; i++)
      t->values[i * t->count + j] = counts[i] > 0 ? lists[i][k] : (double)NAN;
  }
  return true;
}

static void use(rbv_topic_row *row, rbv_topic *t, const topic_state *m) {
  if (!t->started) t->own_clock = m->stamp_ns == 0;
  const int64_t ns = t->own_clock ? m->source_ns : m->stamp_ns;
  if (!t->started && t->own_clock)
    tell(t, "messages of %s have no stamps: the times of their writer are used", t->o.topic);
  if (!t->started) t->first_ns = ns;
  if (t->started) count_gap(t, ns);
  t->started = true;
  t->last_ns = ns;
  const bool good = sort_values(t, m);
  *row = (rbv_topic_row){.kind = good ? RBV_TOPIC_ROW : RBV_TOPIC_BAD,
                         .ns = ns - t->first_ns,
                         .stamp_ns = m->stamp_ns,
                         .wrong = good ? NULL : t->wrong,
                         .position = t->values,
                         .velocity = m->velocities > 0 ? t->values + t->count : NULL,
                         .effort = t->values + 2 * (ptrdiff_t)t->count};
}

rbv_status rbv_topic_next(rbv_topic_row *row, rbv_topic *t, double seconds) {
  *row = (rbv_topic_row){.kind = RBV_TOPIC_NONE};
  t->note[0] = 0;
  if (!t->listening) {
    const double span = fmin(seconds, 0.02);
    RBV_TRY(try_listening(t, span));
    if (!t->listening) nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * span)}, NULL);
    return RBV_OK;
  }
  topic_state m;
  int code = t->table->take(t->door, &m);
  if (code == 0 && seconds > 0 && t->table->wait(t->door, seconds))
    code = t->table->take(t->door, &m);
  if (code == 0) return look_at_status(t);
  if (code < 0)
    *row = (rbv_topic_row){.kind = RBV_TOPIC_BAD, .wrong = "a message is no joint state"};
  if (code > 0) use(row, t, &m);
  return RBV_OK;
}

const char *rbv_topic_note(const rbv_topic *t) { return t->note[0] ? t->note : NULL; }

long long rbv_topic_lost(const rbv_topic *t) {
  topic_status s = {0};
  if (t->listening) t->table->status(t->door, &s);
  return s.lost > t->gaps ? s.lost : t->gaps;
}

void rbv_topic_print_head(rbv_text *out, int count) {
  rbv_text_put(out, "t");
  for (int j = 0; j < count; j++) rbv_text_print(out, ",q%d", j + 1);
  for (int j = 0; j < count; j++) rbv_text_print(out, ",tau%d", j + 1);
  rbv_text_put(out, "\n");
}

void rbv_topic_print_row(rbv_text *out, const rbv_topic_row *row, int count) {
  rbv_text_print(out, "%.9f", 1e-9 * (double)row->ns);
  for (int j = 0; j < count; j++) rbv_text_print(out, ",%.17g", row->position[j]);
  for (int j = 0; j < count; j++) rbv_text_print(out, ",%.17g", row->effort[j]);
  rbv_text_put(out, "\n");
}

/* ---- writing ---- */

static rbv_status judge_sent(int code, const char *why) {
  return code >= 0 ? RBV_OK : rbv_fail(RBV_EWRITE, "DDS: %s", why);
}

rbv_status rbv_topic_send_numbers(rbv_topic *t, const char *name, const double *x, int count) {
  char why[TOPIC_TEXT] = "";
  return judge_sent(t->table->send_numbers(t->door, name, x, count, why), why);
}

rbv_status rbv_topic_send_text(rbv_topic *t, const char *name, int level, const char *sender,
                               const char *text) {
  char why[TOPIC_TEXT] = "";
  return judge_sent(t->table->send_text(t->door, name, level, sender, text, why), why);
}

rbv_status rbv_topic_send_motion(rbv_topic *t, const char *name, const topic_motion *motion) {
  char why[TOPIC_TEXT] = "";
  return judge_sent(t->table->send_motion(t->door, name, motion, why), why);
}

rbv_status rbv_topic_motion_readers(int *out, rbv_topic *t, const char *name) {
  char why[TOPIC_TEXT] = "";
  *out = t->table->motion_readers(t->door, name, why);
  return judge_sent(*out, why);
}
