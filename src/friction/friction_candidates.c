/* Which joints move enough, and which laws are tried there. */
#include <math.h>
#include <string.h>

#include "equations/row_stream.h"
#include "friction/friction_internal.h"

#define CHUNK ROW_CHUNK
RBV_THRESHOLDS(FRICTION_CANDIDATES);

/* ---- joints ---- */

typedef struct {
  double low, high;
  int direction;  // of the last motion outside the dead band
} joint_scan;

static void scan_joint(joint_scan *s, joint_facts *f, const double *q, const double *dq,
                       ptrdiff_t count) {
  for (ptrdiff_t k = 0; k < count; k++) {
    s->low = fmin(s->low, q[k]);
    s->high = fmax(s->high, q[k]);
    const int now = (dq[k] > DEAD_BAND * f->top) - (dq[k] < -DEAD_BAND * f->top);
    if (now == 0) continue;
    if (s->direction == -now) f->reversals++;
    s->direction = now;
  }
}

static rbv_status scan_motion(joint_scan *scan, joint_facts *facts, rbv_motion *motion,
                              ptrdiff_t end, double *block) {
  const int n = rbv_motion_get_info(motion)->njoint;
  const rbv_samples s = {.ld = CHUNK, .q = block, .dq = block + (ptrdiff_t)n * CHUNK};
  for (int j = 0; j < n; j++) scan[j].direction = 0;
  for (ptrdiff_t first = 0; first < end; first += CHUNK) {
    const ptrdiff_t count = end - first < CHUNK ? end - first : CHUNK;
    RBV_TRY(rbv_motion_read(motion, &s, first, count));
    for (int j = 0; j < n; j++)
      scan_joint(&scan[j], &facts[j], s.q + j * CHUNK, s.dq + j * CHUNK, count);
  }
  return RBV_OK;
}

/* median of the top speeds of the joints of this type */
static double median_top(const joint_facts *facts, const rbv_model *m, rbv_joint_type type) {
  double sorted[64];
  int count = 0;
  for (int j = 0; j < m->njoint && count < 64; j++) {
    if (m->joint[j].type != type) continue;
    int at = count++;
    for (; at > 0 && sorted[at - 1] > facts[j].top; at--) sorted[at] = sorted[at - 1];
    sorted[at] = facts[j].top;
  }
  return count > 0 ? (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 : 0;
}

rbv_status rbv_friction_facts(joint_facts *facts, const rbv_model *m, rbv_motion *const *motions,
                              int nmotion, double holdout, int threads) {
  const int n = m->njoint;
  double *top = rbv_alloc((size_t)n * sizeof *top);
  double *block = rbv_alloc(2 * (size_t)n * CHUNK * sizeof *block);
  joint_scan *scan = rbv_alloc((size_t)n * sizeof *scan);
  rbv_status status = top && block && scan ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = rbv_typical_speeds(top, motions, nmotion, threads);
  for (int j = 0; j < n && status == RBV_OK; j++) {
    facts[j] = (joint_facts){.top = top[j]};
    scan[j] = (joint_scan){.low = INFINITY, .high = -INFINITY};
  }
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    const ptrdiff_t count = rbv_motion_get_info(motions[i])->count;
    status =
        scan_motion(scan, facts, motions[i], (ptrdiff_t)((1 - holdout) * (double)count), block);
  }
  for (int j = 0; j < n && status == RBV_OK; j++) {
    facts[j].travel = scan[j].high - scan[j].low;
    facts[j].eligible = facts[j].reversals >= REVERSALS && facts[j].top > 0 &&
                        facts[j].top >= SLOWEST * median_top(facts, m, m->joint[j].type);
  }
  rbv_free(top);
  rbv_free(block);
  rbv_free(scan);
  return status;
}

/* ---- candidates ---- */

/* A row per law that is tried, with the values of its own shape parameter. */
static const struct {
  const char *law, *after;
  bool nonnegative;
  enum { NO_SHAPE, OF_ONE, OF_TOP_SPEED, OF_TRAVEL } unit;  // of the values
  double value[8];                                          // 0: end of the list
  double step;       // ratio of the values; 1: a chosen value is not refined
  double low, high;  // bounds of a refined value
} table[] = {
    {"Fl", NULL, true, NO_SHAPE, {0}, 1, 0, 0},
    {"Flb", "Fl", false, NO_SHAPE, {0}, 1, 0, 0},
    {"Flv", NULL, false, NO_SHAPE, {0}, 1, 0, 0},
    {"Fd", NULL, false, OF_ONE, {1 / 3.0, 1 / 2.0, 2 / 3.0}, 1.5, 0.2, 2 / 3.0},  // 1 is Fv
    {"Fsq", NULL, false, OF_TOP_SPEED, {1}, 1, 0, 0},
    {"Fva", NULL, false, NO_SHAPE, {0}, 1, 0, 0},
    {"Fs", NULL, true, OF_TOP_SPEED, {0.01, 0.02, 0.04, 0.08, 0.16, 0.35}, 2, 0.01, 0.35},
    {"Fch", NULL, false, OF_TRAVEL, {1e-5, 3e-5, 1e-4}, 1, 1e-5, 1e-4},
    {"Fp", NULL, true, OF_TRAVEL, {1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1}, 3.2, 1e-4, 0.2},
};

static bool has_law(const rbv_model *m, int joint, const rbv_law *law) {
  for (int c = 0; c < m->ncolumn; c++)
    if (m->column[c].law == law && m->column[c].joint == joint && !rbv_is_coupling(&m->column[c]))
      return true;
  return false;
}

/* the first torque row of a joint in which friction of the link side acts; -1: none */
static int row_of(const rbv_model *m, int joint) {
  for (int r = 0; r < m->nrow; r++)
    if (m->row[r].joint == joint && side_acts(RBV_SIDE_LINK, m->row[r].torque)) return r;
  return -1;
}

/* the unit of the own shape parameter of a row */
static double unit_of(int row, const joint_facts *f) {
  return table[row].unit == OF_TOP_SPEED ? f->top : table[row].unit == OF_TRAVEL ? f->travel : 1;
}

static candidate candidate_of(const rbv_model *m, const joint_facts *f, chosen_term as) {
  const rbv_law *law = rbv_law_find(table[as.row].law);
  candidate c = {
      .kind = -1,
      .of = -1,
      .as = as,
      .law = law,
      .after = table[as.row].after ? rbv_law_find(table[as.row].after) : NULL,
      .joint = as.joint,
      .row = row_of(m, as.joint),
      .low = table[as.row].low * unit_of(as.row, f),
      .high = table[as.row].high * unit_of(as.row, f),
      .lowest = table[as.row].unit == OF_TRAVEL && as.own <= 1.001 * table[as.row].low * f->travel,
      .nonnegative = table[as.row].nonnegative,
      .state = -1};
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    c.shape[k] =
        k == rbv_law_own_shape(law) ? as.own : rbv_model_shape(m, as.joint, law->shape[k].name);
  return c;
}

/* count, or store if there is room */
static void put(candidates *out, candidate c) {
  if (out->item) {
    out->item[out->count] = c;
    out->row[out->count] = c.row;
  }
  out->count++;
  out->nstate += c.law->state_count;
}

/* Coulomb friction as the plain model has it */
static void list_plain(candidates *out, const rbv_model *m, int joint) {
  candidate c = {.kind = -1,
                 .of = -1,
                 .is_plain = true,
                 .as = {.row = -1, .joint = joint, .own = NAN, .step = 1},
                 .law = rbv_law_find("Fc"),
                 .joint = joint,
                 .row = row_of(m, joint),
                 .state = -1};
  put(out, c);
}

/* the term itself, and if it is refined the values near it */
static void list_near(candidates *out, const rbv_model *m, const joint_facts *facts,
                      const chosen_term *t, int index) {
  const joint_facts *f = &facts[t->joint];
  candidate c = candidate_of(m, f, *t);
  c.of = index;
  c.is_term = true;
  put(out, c);
  if (!(t->step > 1)) return;
  const double low = c.low, high = c.high;
  for (int k = -NEAR; k <= NEAR; k++) {
    chosen_term near = *t;
    near.own = t->own * pow(t->step, (double)k / NEAR);
    if (k == 0 || near.own < low || near.own > high) continue;
    c = candidate_of(m, f, near);
    c.of = index;
    put(out, c);
  }
}

static bool is_chosen(const chosen_term *chosen, int nchosen, int row, int joint) {
  for (int i = 0; i < nchosen; i++)
    if (chosen[i].row == row && chosen[i].joint == joint) return true;
  return false;
}

/* the value of a term of this joint is still rough */
static bool is_rough(const chosen_term *chosen, int nchosen, int joint) {
  for (int i = 0; i < nchosen; i++)
    if (chosen[i].joint == joint && chosen[i].step > ROUGH) return true;
  return false;
}

/* Presliding over nearly the length of the state of a law that replaces Fc: one of them is enough.
 */
static bool has_twin(const chosen_term *chosen, int nchosen, int row, int joint, double own) {
  if (!rbv_law_find(table[row].law)->replaces) return false;
  for (int i = 0; i < nchosen; i++)
    if (chosen[i].joint == joint && strcmp(table[chosen[i].row].law, "Fp") == 0 &&
        chosen[i].own < TWIN * own)
      return true;
  return false;
}

/* count, or fill if there is room */
static void list(candidates *out, const rbv_model *m, const joint_facts *facts,
                 const chosen_term *chosen, int nchosen, bool adds, const bool *replaceable,
                 const rbv_law *only) {
  out->count = out->nkind = out->nstate = 0;
  for (int j = 0; j < m->njoint; j++)
    if (replaceable[j]) list_plain(out, m, j);
  for (int i = 0; i < nchosen; i++) list_near(out, m, facts, &chosen[i], i);
  for (int row = 0; row < RBV_COUNT(table) && adds; row++)
    for (int v = 0; v < RBV_COUNT(table[row].value) && (v == 0 || table[row].value[v] > 0);
         v++, out->nkind++)
      for (int j = 0; j < m->njoint; j++) {
        const rbv_law *law = rbv_law_find(table[row].law);
        if (only ? law != only : law->replaces != NULL) continue;
        if (law->replaces && !replaceable[j]) continue;
        if (!facts[j].eligible || is_rough(chosen, nchosen, j) || row_of(m, j) < 0 ||
            is_chosen(chosen, nchosen, row, j) || has_law(m, j, law))
          continue;
        const bool shaped = table[row].unit != NO_SHAPE;
        const double own = shaped ? table[row].value[v] * unit_of(row, &facts[j]) : NAN;
        if (has_twin(chosen, nchosen, row, j, own)) continue;
        const chosen_term as = {.row = row, .joint = j, .own = own, .step = table[row].step};
        candidate c = candidate_of(m, &facts[j], as);
        c.kind = out->nkind;
        put(out, c);
      }
}

void rbv_friction_candidates_free(candidates *all) {
  rbv_free(all->item);
  rbv_free(all->row);
  rbv_free(all->law);
  *all = (candidates){0};
}

rbv_status rbv_friction_candidates(candidates *out, const rbv_model *m, const joint_facts *facts,
                                   const chosen_term *chosen, int nchosen, bool adds,
                                   const bool *replaceable, const rbv_law *only) {
  *out = (candidates){.model = m};
  list(out, m, facts, chosen, nchosen, adds, replaceable, only);
  const size_t count = (size_t)out->count, nstate = (size_t)out->nstate;
  candidate *item = rbv_alloc((count + 1) * sizeof *item);
  out->row = rbv_alloc((count + 1) * sizeof *out->row);
  out->law = rbv_alloc((nstate + 1) * sizeof *out->law);
  out->item = item;
  if (!out->item || !out->row || !out->law) {
    rbv_friction_candidates_free(out);
    return RBV_EMEM;
  }
  list(out, m, facts, chosen, nchosen, adds, replaceable, only);
  out->columns = rbv_friction_columns(out);
  return RBV_OK;
}
