/*
 * Columns that have no known name, by their content. Time increases evenly. Positions and torques
 * are the two blocks of columns between which the model of the robot holds, in parts of the
 * recording that were not fitted; speeds, accelerations and references follow from the positions.
 * A reading counts only if every other one is clearly worse; otherwise the guess says what is open.
 */
#include "log/guess_content.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "log/log_thresholds.h"

RBV_THRESHOLDS(LOG_READINGS);

#define DEGREE (RBV_PI / 180)

/* ---- readings ---- */

/* Units that the positions may have: 1 and DEGREE, or 1 and 1e-3 for slides. */
static bool is_possible(const content *x, const content_block *q, double turn, double slide) {
  int joints = 0, beyond = 0;
  for (int j = 0; j < x->s->n; j++) {
    const double *v = content_at(x, q, j, 0);
    double most = 0;
    for (int k = 0; k < x->used; k++) most = fmax(most, fabs(v[k]));
    if (x->physics->slides[j]) {
      if (most * slide > MOST_TRAVEL) return false;
      // a slide that never moves a tenth of a millimetre is none
      if (slide < 1 && content_range(v, x->used) * slide < 1e-4) return false;
      continue;
    }
    joints++;
    beyond += most * turn > (turn < 1 ? MOST_DEGREES * DEGREE : MOST_TURNS);
  }
  return 2 * beyond <= joints && (turn == 1 || joints > 0);
}

static rbv_status explain(content *x, content_reading *r, const content_block *q,
                          const int *order) {
  const int n = x->s->n, count = x->used;
  const content_block *tau = &x->blocks[r->torque];
  double *v = x->scratch;
  for (int d = 0; d < 4; d++)
    for (int j = 0; j < n; j++) {
      const int from = order ? order[j] : j;
      const double unit = x->physics->slides[j] ? r->slide : r->turn;
      const double *source = d < 3 ? content_at(x, q, from, d) : content_at(x, tau, from, 0);
      for (int k = 0; k < count; k++) v[k + count * (j + d * n)] = (d < 3 ? unit : 1) * source[k];
    }
  const ptrdiff_t size = (ptrdiff_t)count * n;
  const double *torque = v + 3 * size;
  const rbv_log_reading reading = {
      .count = count, .q = v, .dq = v + size, .ddq = v + 2 * size, .torque = &torque, .ntorque = 1};
  rbv_log_explained how;
  RBV_TRY(x->physics->explain(&how, x->physics->self, &reading));
  r->error = how.error;
  r->scale = how.scale;
  return RBV_OK;
}

/* All torques that positions q in these units may belong to. */
static rbv_status read_with(content *x, int q, double turn, double slide) {
  const content_block *position = &x->blocks[q];
  if (!is_possible(x, position, turn, slide)) return RBV_OK;
  x->possible = true;
  for (int i = 0; i < x->nblock && x->nreading < MOST_READINGS; i++) {
    const content_block *b = &x->blocks[i];
    const bool fits = x->torque >= 0 ? i == x->torque : b->open;
    if (!fits || i == q || b->sorted != position->sorted || content_overlap(x, position, b) ||
        (x->torque < 0 && content_is_derived(x, position, b)))
      continue;
    content_reading r = {.position = q, .torque = i, .turn = turn, .slide = slide};
    RBV_TRY(explain(x, &r, position, NULL));
    x->readings[x->nreading++] = r;
  }
  return RBV_OK;
}

static rbv_status read_all(content *x) {
  bool turns = false, slides = false;
  for (int j = 0; j < x->s->n; j++) {
    slides |= x->physics->slides[j];
    turns |= !x->physics->slides[j];
  }
  for (int q = 0; q < x->nblock; q++) {
    if (x->position >= 0 ? q != x->position : !x->blocks[q].open) continue;
    const double *unit = x->stated;
    if (unit[0] > 0) {
      RBV_TRY(read_with(x, q, unit[0], unit[1]));
      continue;
    }
    for (int a = 0; a < (turns ? 2 : 1); a++)
      for (int b = 0; b < (slides ? 2 : 1); b++)
        RBV_TRY(read_with(x, q, a ? DEGREE : 1, b ? 1e-3 : 1));
  }
  return RBV_OK;
}

/* ---- the decision ---- */

static void show_block(char out[GUESS_PATTERN], const content *x, const content_block *b) {
  const int n = x->s->n, last = b->column[n - 1];
  if (b->f)
    snprintf(out, GUESS_PATTERN, "%s", b->f->shown);
  else if (last - b->column[0] == n - 1)
    snprintf(out, GUESS_PATTERN, "columns %d to %d", b->column[0] + 1, last + 1);
  else
    snprintf(out, GUESS_PATTERN, "columns %d, ..., %d", b->column[0] + 1, last + 1);
}

static rbv_status doubt(content *x, int a, int b, const char *what) {
  char one[GUESS_PATTERN], two[GUESS_PATTERN];
  show_block(one, x, &x->blocks[a]);
  show_block(two, x, &x->blocks[b]);
  return guess_say(&x->s->out->ambiguous, &x->s->out->nambiguous,
                   "by their content, '%s' and '%s' can both be %s", one, two, what);
}

/* Of measurement and reference the measurement comes later. */
static rbv_status choose_measured(content_reading *best, bool *sure, content *x) {
  for (int i = 0; i < x->nreading && *sure; i++) {
    const content_reading *r = &x->readings[i];
    const content_block *mine = &x->blocks[best->position], *other = &x->blocks[r->position];
    if (r->position == best->position || content_overlap(x, mine, other) ||
        !content_is_same(x, mine, other))
      continue;
    const int lead = content_lead(x, mine, other);
    if (lead == 0) {
      *sure = false;
      return doubt(x, best->position, r->position, "the positions");
    }
    if (lead < 0 && r->torque == best->torque && r->turn == best->turn && r->slide == best->slide)
      *best = *r;
  }
  return RBV_OK;
}

static bool in_newton_metres(double scale) {
  return scale >= 1 / UNIT_FACTOR && scale <= UNIT_FACTOR;
}

/* Currents and torques are the same signal: the robot file says which of them are torques. */
static void choose_scale(content_reading *best, const content *x) {
  for (int i = 0; i < x->nreading; i++) {
    const content_reading *r = &x->readings[i];
    if (r->position == best->position && r->torque != best->torque && r->turn == best->turn &&
        !in_newton_metres(best->scale) && in_newton_metres(r->scale) &&
        content_is_same(x, &x->blocks[best->torque], &x->blocks[r->torque]))
      *best = *r;
  }
}

/* Is every other reading clearly worse? If not, say what is open. */
static rbv_status compare_readings(bool *sure, const content_reading *best, content *x) {
  for (int i = 0; i < x->nreading && *sure; i++) {
    const content_reading *r = &x->readings[i];
    const bool position = r->position == best->position, torque = r->torque == best->torque;
    const bool units = r->turn == best->turn && r->slide == best->slide;
    if (position && torque && units) continue;
    if (!position && !content_overlap(x, &x->blocks[r->position], &x->blocks[best->position]) &&
        content_is_same(x, &x->blocks[best->position], &x->blocks[r->position]))
      continue;  // the reference
    const bool scaled = position && !torque && !in_newton_metres(r->scale) &&
                        in_newton_metres(best->scale) &&
                        content_is_same(x, &x->blocks[best->torque], &x->blocks[r->torque]);
    if (scaled) continue;
    // a block that the model explains, too, may be the output of a model
    const double limit =
        position && units ? fmax(EXPLAINED, CERTAIN * best->error) : CERTAIN * best->error;
    if (r->error >= limit) continue;
    *sure = false;
    if (position && torque)
      return guess_say(&x->s->out->ambiguous, &x->s->out->nambiguous,
                       "the motion is too small to tell the unit of the positions");
    return position ? doubt(x, best->torque, r->torque, "the torques")
                    : doubt(x, best->position, r->position, "the positions");
  }
  return RBV_OK;
}

/* Blocks without names: would another order of two joints explain the torque better? */
static rbv_status try_orders(bool *sure, const content_reading *best, content *x) {
  const int n = x->s->n;
  int order[GUESS_MOST_JOINTS];
  const content_block *q = &x->blocks[best->position];
  if (q->f || n > 12) return RBV_OK;
  for (int a = 0; a < n && *sure; a++)
    for (int b = a + 1; b < n && *sure; b++) {
      for (int j = 0; j < n; j++) order[j] = j == a ? b : j == b ? a : j;
      content_reading r = *best;
      RBV_TRY(explain(x, &r, q, order));
      if (r.error * CERTAIN >= best->error) continue;
      *sure = false;
      RBV_TRY(guess_say(&x->s->out->ambiguous, &x->s->out->nambiguous,
                        "the columns of joints '%s' and '%s' seem to be exchanged", x->s->joints[a],
                        x->s->joints[b]));
    }
  return RBV_OK;
}

/* ---- the result ---- */

static rbv_status adopt(content *x, int block, rbv_channel channel, quantity of, const char *unit,
                        const char *slide_unit, const char *why) {
  search *s = x->s;
  const content_block *b = &x->blocks[block];
  family *f = &s->by_content[channel];
  if (s->chosen[channel] || f->column) return RBV_OK;
  *f = (family){.by = BY_CONTENT, .found = s->n, .channel = channel, .slide_unit = slide_unit};
  f->means.of = of;
  snprintf(f->means.unit, sizeof f->means.unit, "%s", unit);
  snprintf(f->why, sizeof f->why, "%s", why);
  show_block(f->shown, x, b);
  f->column = rbv_alloc(sizeof *f->column * (size_t)s->n);
  if (!f->column) return RBV_EMEM;
  memcpy(f->column, b->column, sizeof *f->column * (size_t)s->n);
  s->chosen[channel] = f;
  s->found_content = true;
  return RBV_OK;
}

static bool near(double x, double y) { return fabs(x - y) <= 0.05 * fabs(y); }

/* Speeds whose unit follows from the positions, and the reference. */
static rbv_status adopt_others(content *x, const content_reading *best) {
  const content_block *q = &x->blocks[best->position];
  for (int i = 0; i < x->nblock; i++) {
    const content_block *b = &x->blocks[i];
    if (!b->open || b->sorted != q->sorted || content_overlap(x, q, b) ||
        content_overlap(x, &x->blocks[best->torque], b))
      continue;
    likeness v;
    const bool speed = content_is_speed(&v, x, q, b);
    const double low = v.low / best->turn, high = v.high / best->turn;
    const bool same = near(low, 1) && near(high, 1);
    if (speed && (same || (near(low, 1 / DEGREE) && near(high, 1 / DEGREE)))) {
      if (same) x->counter = false;
      if (best->slide == 1)
        RBV_TRY(adopt(x, i, RBV_CHANNEL_VELOCITY, QUANTITY_VELOCITY, same ? "" : "deg/s", "",
                      "it is the derivative of the positions"));
    } else if (content_is_same(x, q, b) && content_lead(x, q, b) > 0) {
      const likeness r = content_compare(x, q, 0, NULL, b);
      if (near(r.low, 1) && near(r.high, 1))
        RBV_TRY(adopt(x, i, RBV_CHANNEL_REFERENCE_POSITION, QUANTITY_POSITION,
                      best->turn < 1 ? "deg" : "", best->slide < 1 ? "mm" : "",
                      "it leads the positions"));
    }
  }
  return RBV_OK;
}

static rbv_status doubt_scale(content *x, const content_reading *best) {
  const content_block *tau = &x->blocks[best->torque];
  rbv_log_guess *g = x->s->out;
  char shown[GUESS_PATTERN];
  if (!tau->open || in_newton_metres(best->scale)) return RBV_OK;
  show_block(shown, x, tau);
  if (isnan(best->scale))
    return guess_say(
        &g->ambiguous, &g->nambiguous,
        "'%s' follow the torques, but the robot file has no masses to tell their unit: "
        "are they in N m?",
        shown);
  return guess_say(&g->ambiguous, &g->nambiguous,
                   "'%s' follow the torques, but are %.2g times what the robot file predicts: they "
                   "may be currents or have the other sign",
                   shown, best->scale);
}

static rbv_status decide(content *x) {
  search *s = x->s;
  if (x->nreading == 0) return RBV_OK;
  content_reading best = x->readings[0];
  for (int i = 1; i < x->nreading; i++)
    if (x->readings[i].error < best.error) best = x->readings[i];
  if (!(best.error <= EXPLAINED)) return RBV_OK;
  bool sure = true;
  choose_scale(&best, x);
  RBV_TRY(choose_measured(&best, &sure, x));
  if (sure) RBV_TRY(compare_readings(&sure, &best, x));
  if (sure) RBV_TRY(try_orders(&sure, &best, x));
  if (!sure) return RBV_OK;
  double second = INFINITY;
  for (int i = 0; i < x->nreading; i++) {
    const content_reading *r = &x->readings[i];
    if (r->position != best.position || r->torque != best.torque || r->turn != best.turn)
      second = fmin(second, r->error);
  }
  char why[160];
  snprintf(why, sizeof why, "the model explains the torques up to %.2g %% in parts not fitted",
           100 * best.error);
  if (isfinite(second)) {
    const size_t used = strlen(why);
    snprintf(why + used, sizeof why - used, ", the next reading up to %.2g %%", 100 * second);
  }
  if (x->position >= 0) s->chosen[RBV_CHANNEL_POSITION] = NULL;
  RBV_TRY(adopt(x, best.position, RBV_CHANNEL_POSITION, QUANTITY_POSITION,
                best.turn < 1 ? "deg" : "", best.slide < 1 ? "mm" : "", why));
  RBV_TRY(doubt_scale(x, &best));
  RBV_TRY(adopt(x, best.torque, RBV_CHANNEL_TORQUE, QUANTITY_TORQUE, "", "", why));
  return adopt_others(x, &best);
}

/* Positions that are counts of an encoder, or another unit that is not known. */
static rbv_status doubt_counts(content *x) {
  if (x->possible || x->position < 0) return RBV_OK;
  rbv_log_guess *g = x->s->out;
  return guess_say(&g->ambiguous, &g->nambiguous,
                   "'%s' are neither radians nor degrees: write unit: counts and counts_per_turn, "
                   "or their unit",
                   x->s->chosen[RBV_CHANNEL_POSITION]->shown);
}

/* ---- all of it ---- */

static void set_known(content *x) {
  const search *s = x->s;
  x->position = x->torque = -1;
  const family *q = s->chosen[RBV_CHANNEL_POSITION], *tau = s->chosen[RBV_CHANNEL_TORQUE];
  if (!tau) tau = s->chosen[RBV_CHANNEL_JOINT_TORQUE];
  for (int i = 0; i < x->nblock; i++) {
    const size_t size = sizeof(int) * (size_t)s->n;
    if (q && memcmp(x->blocks[i].column, q->column, size) == 0) x->position = i;
    if (tau && memcmp(x->blocks[i].column, tau->column, size) == 0) x->torque = i;
  }
  // the unit that names say is not doubted
  if (!q) return;
  const char *unit = q->means.unit;
  if (strcmp(unit, "deg") == 0) x->stated[0] = DEGREE;
  if (strcmp(unit, "rad") == 0 || strcmp(unit, "m") == 0) x->stated[0] = 1;
  if (strcmp(unit, "mm") == 0) x->stated[0] = 1;
  x->stated[1] = strcmp(unit, "mm") == 0 ? 1e-3 : 1;
}

static rbv_status run(content *x) {
  const table *t = x->s->t;
  if (x->clock->column < 0 && !(x->rate_hz > 0)) RBV_TRY(content_find_clock(x));
  if (x->clock->column < 0 && !(x->rate_hz > 0)) return RBV_OK;
  if (x->s->out->nambiguous > 0) return RBV_OK;
  content_fill_times(x);
  RBV_TRY(content_list_blocks(x));
  set_known(x);
  bool enough = false;
  if (x->nblock > 0) RBV_TRY(content_fill_knots(&enough, x));
  const size_t size = (size_t)x->nknot * (size_t)x->s->n;
  x->scratch = rbv_alloc(sizeof *x->scratch * (4 * size + 1));
  x->readings = rbv_alloc(sizeof *x->readings * MOST_READINGS);
  if (!x->scratch || !x->readings) return RBV_EMEM;
  if (enough) {
    RBV_TRY(read_all(x));
    RBV_TRY(doubt_counts(x));
    RBV_TRY(decide(x));
  }
  // a counter of rows is a time in milliseconds only if the speeds say so
  if (!x->counter) return RBV_OK;
  char name[16];
  snprintf(name, sizeof name, "%d", x->clock->column + 1);
  return guess_say(&x->s->out->ambiguous, &x->s->out->nambiguous,
                   "'%s' counts the rows: is it a time in ms, or is the sample rate another one?",
                   t->names ? t->names[x->clock->column] : name);
}

rbv_status guess_content(search *s, clock_guess *c, double rate_hz) {
  content x = {.s = s, .clock = c, .rate_hz = rate_hz, .physics = s->physics};
  x.timed = rbv_alloc(sizeof *x.timed * (size_t)s->t->ncol);
  x.t = rbv_alloc(sizeof *x.t * (size_t)(s->t->rows + 1));
  const bool before = c->column >= 0;
  rbv_status status = x.timed && x.t ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && s->t->rows > 0) status = run(&x);
  s->found_content |= !before && c->column >= 0;
  for (int i = 0; i < x.nblock; i++) {
    rbv_free(x.blocks[i].column);
    rbv_free(x.blocks[i].x);
  }
  rbv_free(x.blocks);
  rbv_free(x.readings);
  rbv_free(x.scratch);
  rbv_free(x.timed);
  rbv_free(x.t);
  return status;
}

bool guess_is_too_large(const search *s) {
  const family *q = s->chosen[RBV_CHANNEL_POSITION];
  int joints = 0, beyond = 0;
  for (int j = 0; q && j < s->n && !q->means.unit[0]; j++) {
    const double *v = s->t->values + q->column[j] * s->t->ld;
    double most = 0;
    for (ptrdiff_t k = 0; k < s->t->rows; k++)
      if (isfinite(v[k])) most = fmax(most, fabs(v[k]));
    joints++;
    beyond += most > (s->physics && s->physics->slides[j] ? MOST_TRAVEL : MOST_TURNS);
  }
  return 2 * beyond > joints;
}
