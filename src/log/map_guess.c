/*
 * Guesses column maps. Columns whose names differ in the joint only are a family. A family is
 * found by the names of the joints, by columns of text that contain these names, or by numbers.
 * The words of its pattern say which channel it is. Whatever two families could be is ambiguous.
 */
#include "log/map_guess.h"

#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "log/guess_parts.h"
#include "log/log_input.h"

/* ---- sentences ---- */

rbv_status guess_say(char ***list, int *count, const char *format, ...) {
  rbv_text text = {0};
  va_list args;
  va_start(args, format);
  rbv_text_vprint(&text, format, args);
  va_end(args);
  char **more =
      rbv_realloc(*list, sizeof *more * (size_t)*count, sizeof *more * (size_t)(*count + 1));
  if (more) *list = more;
  if (!more || text.failed) {
    rbv_text_free(&text);
    return RBV_EMEM;
  }
  // the memory of a text is freed by rbv_free
  (*list)[(*count)++] = text.data;
  return RBV_OK;
}

/* ---- the search ---- */

/* Do the names leave something open that the content may say? */
static bool is_open(const search *s, const clock_guess *c, double rate_hz) {
  const bool torque = s->chosen[RBV_CHANNEL_TORQUE] || s->chosen[RBV_CHANNEL_JOINT_TORQUE] ||
                      s->chosen[RBV_CHANNEL_MOTOR_TORQUE];
  const bool position = s->chosen[RBV_CHANNEL_POSITION] || s->chosen[RBV_CHANNEL_MOTOR_POSITION];
  return (c->column < 0 && !(rate_hz > 0)) || !position || !torque || guess_is_too_large(s);
}

/* open: the content may say more than the names */
static rbv_status run(bool *open, search *s, double rate_hz) {
  clock_guess c = {.column = -1, .second = -1};
  RBV_TRY(guess_find_cores(s));
  if (s->t->names) {
    RBV_TRY(guess_search_names(s));
    RBV_TRY(guess_search_numbers(s));
    RBV_TRY(guess_search_any_units(s));
    RBV_TRY(guess_apply_labels(s));
    RBV_TRY(guess_search_single(s));
    guess_classify(s);
    RBV_TRY(guess_choose(s));
    RBV_TRY(guess_doubt_numbers(s));
    RBV_TRY(guess_doubt_sources(s));
    RBV_TRY(guess_doubt_command(s));
    guess_find_clock(&c, s);
    RBV_TRY(guess_doubt_clock(s, &c));
  } else {
    RBV_TRY(guess_echo(s, &c));
  }
  *open = s->out->nambiguous == 0 && is_open(s, &c, rate_hz);
  s->out->usual = s->t->names && c.column >= 0 && guess_is_standard(s, &c, rate_hz);
  if (*open && s->physics) RBV_TRY(guess_content(s, &c, rate_hz));
  s->out->standard = s->t->names && !s->found_content && guess_is_standard(s, &c, rate_hz);
  RBV_TRY(guess_list_missing(s, &c, rate_hz));
  if (!s->out->standard) RBV_TRY(guess_list_gaps(s));
  return guess_describe(s, &c, rate_hz);
}

/* Joint names that the recording itself has: the labels in brackets of positions. */
static rbv_status own_joints(char ***out, int *n, const table *t) {
  *n = 0;
  *out = rbv_alloc(sizeof **out * (size_t)t->ncol);
  if (!*out) return RBV_EMEM;
  const char *topic = NULL;
  size_t topic_size = 0;
  for (int i = 0; i < t->ncol && t->names && *n < GUESS_MOST_JOINTS; i++) {
    const char *open = strrchr(t->names[i], '['), *close = open ? strchr(open, ']') : NULL;
    if (!close || close[1] || close == open + 1) continue;
    const size_t size = (size_t)(open - t->names[i]);
    // of the first column with a label that is a position
    if (!topic) {
      char head[GUESS_PATTERN];
      meaning m;
      snprintf(head, sizeof head, "%.*s", (int)size, t->names[i]);
      meaning_of(&m, head, NULL);
      if (m.of != QUANTITY_POSITION || m.reference || m.foreign) continue;
      topic = t->names[i];
      topic_size = size;
    }
    if (size != topic_size || strncmp(topic, t->names[i], size) != 0) continue;
    if (!((*out)[*n] = rbv_strndup(open + 1, (size_t)(close - open - 1)))) return RBV_EMEM;
    ++*n;
  }
  return RBV_OK;
}

rbv_status guess_from_table(rbv_log_guess **out, bool *open, const char *name, const table *t,
                            const char *const *joints, int n, double rate_hz,
                            const rbv_log_physics *physics) {
  *out = NULL;
  *open = false;
  search s = {.name = name, .t = t, .joints = joints, .n = n, .physics = physics};
  char **own = NULL;
  int nown = 0;
  rbv_status status = RBV_OK;
  s.out = rbv_alloc(sizeof *s.out);
  s.label = rbv_alloc(sizeof *s.label * (GUESS_MOST_JOINTS + 1));
  if (!s.out || !s.label) status = RBV_EMEM;
  for (int k = 0; s.label && k <= GUESS_MOST_JOINTS; k++) s.label[k] = -1;
  if (status == RBV_OK && !joints) {
    status = own_joints(&own, &nown, t);
    s.joints = (const char *const *)own;
    s.n = nown;
  }
  const bool possible = s.n > 0 && s.n <= GUESS_MOST_JOINTS && t->ncol <= GUESS_MOST_COLUMNS;
  if (status == RBV_OK && s.out) s.out->standard = !possible;
  if (status == RBV_OK && s.out) s.out->head_lines = (int)t->first_line - 1;
  if (status == RBV_OK && possible) status = run(open, &s, rate_hz);
  for (int i = 0; i < s.nfamily; i++) rbv_free(s.families[i].column);
  rbv_free(s.families);
  for (int c = 0; c < RBV_CHANNEL_OTHER; c++) rbv_free(s.by_content[c].column);
  for (int j = 0; j < s.n && s.core; j++) rbv_free(s.core[j]);
  rbv_free(s.core);
  rbv_free(s.label);
  names_free(own, nown);
  if (status == RBV_OK)
    *out = s.out;
  else
    rbv_log_guess_free(s.out);
  return status;
}

rbv_status rbv_log_guess_columns(rbv_log_guess **out, const char *path, const char *const *joints,
                                 int njoint, double rate_hz) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the guess");
  *out = NULL;
  if (!path || (joints && njoint < 1)) return rbv_fail(RBV_EARG, "no file, or no joints");
  const rbv_log_input in = {.path = path};
  return rbv_log_input_guess(out, &in, joints, njoint, rate_hz, NULL);
}

void rbv_log_guess_free(rbv_log_guess *g) {
  if (!g) return;
  for (int i = 0; i < g->count; i++) {
    log_drop(g->items[i].columns);
    log_drop(g->items[i].reason);
  }
  names_free(g->missing, g->nmissing);
  names_free(g->ambiguous, g->nambiguous);
  rbv_log_map_free(g->map);
  rbv_free(g->items);
  rbv_free(g->yaml);
  rbv_free(g);
}
