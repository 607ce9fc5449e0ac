#include "consistency/cone.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

bool rbv_drive_bounded(const rbv_column *c) { return c->law && c->law->nonnegative; }

/* ---- coupled drives ---- */

/*
 * True for a column of Ia or Fv whose power is not the square of one speed: the part of a motor
 * that acts on the own motion of another joint is in the column of that joint. Such columns are
 * only bounded together.
 */
static bool is_mixed(const rbv_model *m, int column) {
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->column != column) continue;
    bool own = term->passive > 0;  // at the speed of its own joint
    for (int k = term->first; k < term->first + term->count; k++)
      own = own || m->direction_joint[k] == term->joint;
    if (!own) return true;
  }
  return false;
}

/* joints that mixed columns of a law act on; their number */
static int mixed_joints(int *place, const rbv_model *m, const rbv_law *law) {
  int count = 0;
  for (int j = 0; j < m->njoint; j++) place[j] = -1;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->law != law || !is_mixed(m, term->column)) continue;
    if (place[term->joint] < 0) place[term->joint] = count++;
  }
  return count;
}

/* ---- cone set: build runs once to measure and once to fill ---- */

typedef struct {
  cone_set *set;
  const cone_choice *choice;
  rbv_arena *arena;
  int *place;  // njoint: row of the joint in the coupled matrix, -1: not in it
} builder;

static cone *add_cone(builder *b, cone_kind kind, int body, int size, int count) {
  static cone nowhere;
  const int square = size * size;
  cone *c = b->arena->base ? &b->set->cone[b->set->count] : &nowhere;
  *c = (cone){.kind = kind,
              .body = body,
              .size = size,
              .count = count,
              .first = b->set->columns,
              .row = b->set->rows};
  c->column = RBV_TAKE(b->arena, count, int);
  c->map = RBV_TAKE(b->arena, count * square, double);
  c->prior = RBV_TAKE(b->arena, square, double);
  c->prior_inverse = RBV_TAKE(b->arena, square, double);
  b->set->count++;
  b->set->order += size;
  b->set->columns += count;
  b->set->rows += rbv_packed_length(size);
  if (size > b->set->largest) b->set->largest = size;
  return b->arena->base ? c : NULL;
}

static void add_body(builder *b, int body) {
  cone *c = add_cone(b, CONE_BODY, body, 4, RBV_INERTIAL);
  for (int k = 0; c && k < RBV_INERTIAL; k++) {
    double unit[RBV_INERTIAL] = {0};
    unit[k] = 1;
    c->column[k] = b->set->model->link_column[body] + k;
    rbv_body_pseudo(c->map + 16 * k, unit);
  }
}

static void add_mass(builder *b, int body) {
  cone *c = add_cone(b, CONE_MASS, body, 1, 1);
  if (!c) return;
  c->column[0] = b->set->model->link_column[body] + RBV_INERTIAL - 1;
  c->map[0] = 1;
}

static bool has_bound(const rbv_ellipsoid *e) {
  for (int i = 0; i < 9; i++)
    if (e->axes[i] != 0) return true;
  return false;
}

/*
 * Mass within (x - c)' E (x - c) <= 1 needs the integral of 1 - (x - c)' E (x - c) to be positive:
 * M - tr(E S) + 2 c' E h - M c' E c  (Wensing et al., eq. 17).
 */
static rbv_status add_bound(builder *b, int body, const rbv_ellipsoid *e) {
  cone *out = add_cone(b, CONE_BOUND, body, 1, RBV_INERTIAL);
  if (!out) return RBV_OK;
  double inverse[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, E[9], Ec[3], cEc = 0;
  const rbv_status status = rbv_solve_general(inverse, 3, 3, e->axes, 3, 3);
  if (status == RBV_ENUM)
    return rbv_fail(RBV_EINPUT, "the bounding ellipsoid of body %d has no volume", body + 1);
  RBV_TRY(status);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      E[i + 3 * j] = 0;
      for (int k = 0; k < 3; k++) E[i + 3 * j] += inverse[k + 3 * i] * inverse[k + 3 * j];
    }
  for (int i = 0; i < 3; i++) {
    Ec[i] = E[i] * e->centre[0] + E[i + 3] * e->centre[1] + E[i + 6] * e->centre[2];
    cEc += e->centre[i] * Ec[i];
  }
  for (int k = 0; k < RBV_INERTIAL; k++) {
    double unit[RBV_INERTIAL] = {0}, P[16];
    unit[k] = 1;
    rbv_body_pseudo(P, unit);
    out->column[k] = b->set->model->link_column[body] + k;
    out->map[k] = P[15] * (1 - cEc);
    for (int i = 0; i < 3; i++) {
      out->map[k] += 2 * Ec[i] * P[i + 12];
      for (int j = 0; j < 3; j++) out->map[k] -= E[i + 3 * j] * P[i + 4 * j];
    }
  }
  return RBV_OK;
}

/* symmetric part of the effect of a column on the joints of the block */
static void coupled_map(double *A, const rbv_model *m, int column, const int *place, int size) {
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->column != column) continue;
    for (int k = term->first; k < term->first + term->count; k++) {
      const int i = place[term->joint], j = place[m->direction_joint[k]];
      if (i < 0 || j < 0) continue;
      A[i + j * size] += term->gain * m->direction_weight[k] / 2;
      A[j + i * size] += term->gain * m->direction_weight[k] / 2;
    }
  }
}

static bool in_block(const rbv_model *m, int column, const int *place) {
  for (int t = 0; t < m->nterm; t++)
    if (m->term[t].column == column && place[m->term[t].joint] < 0) return false;
  return true;
}

/* columns of a law: those of the coupled joints in one matrix, each other one alone */
static void add_drives(builder *b, const rbv_law *law) {
  const rbv_model *m = b->set->model;
  const int size = law->linear ? mixed_joints(b->place, m, law) : 0;
  int count = 0;
  bool seen_block = false;
  for (int c = 0; c < m->ncolumn; c++) {
    if (m->column[c].law != law) continue;
    const bool seen = !b->choice->unseen || !b->choice->unseen[c];
    if (size > 0 && in_block(m, c, b->place)) {
      count++;
      seen_block = seen_block || seen;
      continue;
    }
    if (!seen) continue;
    cone *alone = add_cone(b, CONE_DRIVE, -1, 1, 1);
    if (!alone) continue;
    alone->column[0] = c;
    alone->map[0] = 1;
  }
  if (!seen_block) return;
  cone *block = add_cone(b, CONE_DRIVE, -1, size, count);
  for (int c = 0, k = 0; block && c < m->ncolumn; c++)
    if (m->column[c].law == law && in_block(m, c, b->place)) {
      block->column[k] = c;
      coupled_map(block->map + (ptrdiff_t)k * size * size, m, c, b->place, size);
      k++;
    }
}

static rbv_status build(builder *b) {
  cone_set *s = b->set;
  const rbv_ellipsoid *bound = b->choice->bound;
  const rbv_model *m = s->model;
  s->count = s->order = s->columns = s->rows = s->largest = 0;
  s->cone = RBV_TAKE(b->arena, 3 * s->nbody + m->ncolumn + 2, cone);
  for (int j = 0; j < s->nbody; j++)
    if (has_parameters(m, j)) add_body(b, j);
  for (int j = 0; j < s->nbody && b->choice->masses; j++)
    if (has_parameters(m, j)) add_mass(b, j);
  for (int j = 0; j < s->nbody && bound; j++)
    if (has_parameters(m, j) && has_bound(&bound[j])) RBV_TRY(add_bound(b, j, &bound[j]));
  for (int i = 0; i < rbv_law_count(); i++)
    if (rbv_law_at(i)->nonnegative) add_drives(b, rbv_law_at(i));
  return RBV_OK;
}

rbv_status rbv_cones_new(cone_set *out, char **memory, const rbv_model *m,
                         const cone_choice *choice) {
  *memory = NULL;
  *out = (cone_set){.model = m, .nbody = m->nbody + m->payload};
  RBV_NEW(int, place, m->njoint);
  rbv_arena measure = {0};
  rbv_status status = build(&(builder){out, choice, &measure, place});
  rbv_arena carve = {.base = status == RBV_OK ? rbv_alloc(measure.used) : NULL};
  if (status == RBV_OK && !carve.base) status = RBV_EMEM;
  if (status == RBV_OK) status = build(&(builder){out, choice, &carve, place});
  char *block = carve.base;
  if (status == RBV_OK)
    *memory = block;
  else
    rbv_free(block);
  rbv_free(place);
  return status;
}

/* ---- evaluation ---- */

void rbv_cone_matrix(double *X, const cone *c, const double *chi) {
  const int square = c->size * c->size;
  memset(X, 0, (size_t)square * sizeof *X);
  for (int k = 0; k < c->count; k++)
    for (int i = 0; i < square; i++) X[i] += c->map[k * square + i] * chi[c->column[k]];
}

/* written out, because most matrices are 4 x 4 or 1 x 1, where a LAPACK call takes longer */
bool rbv_cone_factor(double *L, double *Linv, double *log_det, int size) {
  const int s = size;
  if (log_det) *log_det = 0;
  for (int j = 0; j < s; j++) {
    for (int i = j; i < s; i++) {
      double sum = L[i + j * s];
      for (int k = 0; k < j; k++) sum -= L[i + k * s] * L[j + k * s];
      if (i == j && !(sum > 0 && isfinite(sum))) return false;
      L[i + j * s] = i == j ? sqrt(sum) : sum / L[j + j * s];
    }
    for (int i = 0; i < j; i++) L[i + j * s] = 0;
    if (log_det) *log_det += 2 * log(L[j + j * s]);
  }
  for (int j = 0; j < s && Linv; j++)
    for (int i = 0; i < s; i++) {
      double sum = i == j;
      for (int k = j; k < i; k++) sum -= L[i + k * s] * Linv[k + j * s];
      Linv[i + j * s] = i < j ? 0 : sum / L[i + i * s];
    }
  return true;
}

void rbv_cone_pack(double *v, const double *A, int size) {
  for (int j = 0; j < size; j++)
    for (int i = j; i < size; i++) *v++ = (i == j ? 1 : sqrt(2)) * A[i + j * size];
}

void rbv_cone_unpack(double *A, const double *v, int size) {
  for (int j = 0; j < size; j++)
    for (int i = j; i < size; i++)
      A[i + j * size] = A[j + i * size] = *v++ / (i == j ? 1 : sqrt(2));
}

/* v += a (x y' + y x'), packed */
static void add_pair(double *v, double a, const double *x, const double *y, int size) {
  for (int j = 0; j < size; j++)
    for (int i = j; i < size; i++) *v++ += (i == j ? a : a * sqrt(2)) * (x[i] * y[j] + y[i] * x[j]);
}

/* the maps have only two or three non-zero entries */
void rbv_cone_congruence(double *K, const cone *c, const double *S) {
  const int s = c->size, length = rbv_packed_length(s);
  memset(K, 0, (size_t)(length * c->count) * sizeof *K);
  for (int k = 0; k < c->count; k++) {
    const double *A = c->map + (ptrdiff_t)k * s * s;
    for (int j = 0; j < s; j++)
      for (int i = j; i < s; i++)
        if (A[i + j * s] != 0)
          add_pair(K + k * length, i == j ? A[i + j * s] / 2 : A[i + j * s], S + i * s, S + j * s,
                   s);
  }
}
