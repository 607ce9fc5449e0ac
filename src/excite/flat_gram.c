#include "excite/flat_gram.h"

#include "excite/flat_chain.h"
#include "model/model_internal.h"
#include "trajectory/classes.h"

/* ---- columns ---- */

/* A base column: the last joint whose row it can be in. */
static int last_row(const rbv_model *m, int column) {
  for (int j = 0; j < m->njoint; j++)
    if (column >= m->link_column[j] && column < m->link_column[j] + RBV_INERTIAL) return j;
  int last = 0;
  for (int t = 0; t < m->nterm; t++)
    if (m->term[t].column == column && m->term[t].joint > last) last = m->term[t].joint;
  return last;
}

/* columns of the last rows last: the columns of a row then begin at one place */
static void place_columns(flat_gram *f, const rbv_excite *e) {
  int next = 0;
  for (int row = 0; row < e->model->njoint; row++)
    for (int b = 0; b < e->n; b++)
      if (last_row(e->model, e->base->kept[b]) == row) f->place[b] = next++;
}

static bool put_link(flat_gram *f, const rbv_model *m, int column, int place) {
  for (int j = 0; j < m->njoint; j++) {
    const int c = column - m->link_column[j];
    if (c < 0 || c >= RBV_INERTIAL) continue;
    f->gram.column[j][c] = place;
    return true;
  }
  return false;
}

static rbv_status put_drive(flat_gram *f, int *count, const rbv_model *m, const drive_term *t,
                            int place) {
  if (*count == DEVICE_DRIVES)
    return rbv_fail(RBV_EUNSUPPORTED, "a device scores at most %d drive columns", DEVICE_DRIVES);
  device_drive *d = &f->gram.drive[(*count)++];
  RBV_TRY(rbv_flat_drive(d, m, t));
  d->column = place;
  return RBV_OK;
}

/* drive columns, row by row; those of the joint's own motion first */
static rbv_status put_drives(flat_gram *f, const rbv_excite *e) {
  const rbv_model *m = e->model;
  int count = 0;
  for (int i = 0; i < m->njoint; i++) {
    f->gram.drives_of[i] = count;
    for (int own = 1; own >= 0; own--)
      for (int b = 0; b < e->n; b++)
        for (int t = 0; t < m->nterm; t++) {
          const drive_term *term = &m->term[t];
          if (term->column != e->base->kept[b] || term->joint != i) continue;
          const int before = count;
          RBV_TRY(put_drive(f, &count, m, term, f->place[b]));
          if (f->gram.drive[before].own != own) count = before;
        }
  }
  for (int i = m->njoint; i <= DEVICE_JOINTS; i++) f->gram.drives_of[i] = count;
  return RBV_OK;
}

rbv_status rbv_flat_gram(flat_gram *out, const rbv_excite *e) {
  const rbv_model *m = e->model;
  *out = (flat_gram){.gram = {.njoint = m->njoint, .columns = e->n}};
  device_gram *g = &out->gram;
  if (m->njoint > DEVICE_JOINTS || e->n > DEVICE_COLUMNS)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "a device scores at most %d joints and %d parameters, the robot has %d and %d",
                    DEVICE_JOINTS, DEVICE_COLUMNS, m->njoint, e->n);
  RBV_TRY(rbv_flat_frames(g->joint, g->up, m));
  for (int j = 0; j < m->njoint; j++) {
    g->weight[j] = e->row[j].weight;
    for (int c = 0; c < RBV_INERTIAL; c++) g->column[j][c] = -1;
  }
  place_columns(out, e);
  for (int b = 0; b < e->n; b++) (void)put_link(out, m, e->base->kept[b], out->place[b]);
  RBV_TRY(put_drives(out, e));
  device_find_zeros(g);
  return RBV_OK;
}

/* ---- motions ---- */

rbv_status rbv_flat_basis_at(double **out, int *terms, const rbv_trajectory *t, int orders,
                             const double *time, ptrdiff_t samples) {
  *out = NULL;
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(t);
  bool linear = rbv_class_linear(rbv_class_of(shape->kind));
  rbv_trajectory_first(t, 0, terms);
  for (int j = 1; j < shape->njoint; j++) {
    int other;
    rbv_trajectory_first(t, j, &other);
    linear = linear && other == *terms;
  }
  if (!linear)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "a device scores motions that are linear in their coefficients, with the same "
                    "number of terms in each joint");
  double *basis = rbv_alloc((size_t)orders * (size_t)*terms * (size_t)samples * sizeof *basis);
  double *one = rbv_alloc(2 * (size_t)*terms * sizeof *one);
  rbv_status status = basis && one ? RBV_OK : RBV_EMEM;
  for (int order = 0; order < orders && status == RBV_OK; order++)
    for (ptrdiff_t k = 0; k < samples && status == RBV_OK; k++) {
      status = rbv_trajectory_gradient(one, t, 0, order, time[k]);
      for (int p = 0; p < *terms; p++)
        basis[((ptrdiff_t)order * *terms + p) * samples + k] = one[p];
    }
  rbv_free(one);
  if (status == RBV_OK)
    *out = basis;
  else
    rbv_free(basis);
  return status;
}

rbv_status rbv_flat_basis(double **out, int *terms, const rbv_trajectory *t, ptrdiff_t samples) {
  *out = NULL;
  double *time = rbv_alloc((size_t)samples * sizeof *time);
  if (!time) return RBV_EMEM;
  for (ptrdiff_t k = 0; k < samples; k++)
    time[k] = rbv_trajectory_duration(t) * ((double)k + 0.5) / (double)samples;
  const rbv_status status = rbv_flat_basis_at(out, terms, t, 3, time, samples);
  rbv_free(time);
  return status;
}
