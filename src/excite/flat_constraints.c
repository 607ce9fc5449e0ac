#include "excite/flat_constraints.h"

#include <math.h>
#include <string.h>

#include "excite/flat_chain.h"
#include "excite/flat_gram.h"
#include "trajectory/classes.h"

#define PER_WAVE 150  // samples of a wave: the largest one is smaller than the peak by 2e-4
#define PER_BLEND 50  // samples of a blend
#define ACROSS 40.0   // largest acceleration of a distance between two bodies [m/s^2]
#define SAMPLES_MAX 1e6

/* ---- limits ---- */

static void put_limits(device_repair *r, const keeper *k) {
  for (int j = 0; j < r->njoint; j++) {
    const rbv_limits *l = &k->limits[j];
    r->center[j] = k->center[j];
    r->lower[j] = l->lower;
    r->upper[j] = l->upper;
    r->rate[0][j] = l->velocity;
    r->rate[1][j] = l->acceleration;
    r->rate[2][j] = l->jerk;
    r->torque[j] = HOLD * l->effort;
  }
  memcpy(r->tool, k->given.tool, sizeof r->tool);
  r->tool_speed = k->given.tool_speed > 0 ? HOLD * k->given.tool_speed : INFINITY;
}

/* ---- distances ---- */

static rbv_status put_space(device_repair *r, const keeper *k, double step_s) {
  const clearance *c = &k->space;
  if (c->given->nbox > 0) return rbv_fail(RBV_EUNSUPPORTED, "a device does not check boxes");
  if (c->nbody > DEVICE_BODIES || c->npair > DEVICE_BODY_PAIRS || c->nplane_end > DEVICE_PLANE_ENDS)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "a device has room for %d bodies, %d pairs and %d ends at planes, not for %d, "
                    "%d and %d",
                    DEVICE_BODIES, DEVICE_BODY_PAIRS, DEVICE_PLANE_ENDS, c->nbody, c->npair,
                    c->nplane_end);
  // between two samples a distance is smaller than at both by at most this
  const double near = NEAR + fmin(NEAR, ACROSS * step_s * step_s / 8);
  int place[DEVICE_BODIES], next = 0;
  for (int link = 0; link <= r->njoint; link++) {
    r->bodies_of[link] = next;
    for (int i = 0; i < c->nbody; i++) {
      if (c->body[i].link != link) continue;
      memcpy(r->body[next].from, c->body[i].from, sizeof r->body[next].from);
      memcpy(r->body[next].to, c->body[i].to, sizeof r->body[next].to);
      place[i] = next++;
    }
  }
  r->bodies_of[r->njoint + 1] = next;
  r->pairs = c->npair;
  for (int i = 0; i < c->npair; i++) {
    const body_pair *p = &c->pair[i];
    const double need = p->need + near;
    r->pair[i] = (device_body_pair){.a = place[p->a],
                                    .b = place[p->b],
                                    .need = need,
                                    .far = need + c->half[p->a] + c->half[p->b]};
  }
  r->plane_ends = c->nplane_end;
  for (int i = 0; i < c->nplane_end; i++) {
    const plane_end *p = &c->plane_end[i];
    device_plane_end *to = &r->plane_end[i];
    *to = (device_plane_end){.end = 2 * place[p->end / 2] + p->end % 2, .limit = p->limit - near};
    memcpy(to->normal, p->normal, sizeof to->normal);
  }
  // as own_mean of the repair on the CPU
  r->rest = 2 * NEAR - near;
  return RBV_OK;
}

/* ---- torques ---- */

static void put_values(double *values, const device_repair *r, const rbv_model *m,
                       const double *theta, const int *column) {
  for (int j = 0; j < r->njoint; j++)
    memcpy(values + 10 * (ptrdiff_t)j, theta + m->link_column[j], RBV_INERTIAL * sizeof *values);
  for (int e = 0; e < r->drives_of[r->njoint]; e++)
    values[10 * DEVICE_JOINTS + e] = theta[column[e]];
}

static rbv_status put_torques(flat_constraints *f, const keeper *k) {
  device_repair *r = &f->repair;
  const rbv_model *m = k->model;
  int column[DEVICE_DRIVES], count = 0;
  if (!rbv_keeper_limits_torque(k)) return RBV_OK;
  for (int j = 0; j < r->njoint; j++) {
    r->drives_of[j] = count;
    for (int i = 0; i < m->nterm; i++) {
      if (m->term[i].joint != j) continue;
      if (count == DEVICE_DRIVES)
        return rbv_fail(RBV_EUNSUPPORTED, "a device has room for %d drive terms", DEVICE_DRIVES);
      RBV_TRY(rbv_flat_drive(&r->drive[count], m, &m->term[i]));
      column[count++] = m->term[i].column;
    }
  }
  for (int j = r->njoint; j <= DEVICE_JOINTS; j++) r->drives_of[j] = count;
  r->robots = 1 + k->given.nrobot;
  f->values = rbv_alloc((size_t)r->robots * DEVICE_VALUES * sizeof *f->values);
  if (!f->values) return RBV_EMEM;
  for (int i = 0; i < r->robots; i++)
    put_values(f->values + (ptrdiff_t)i * DEVICE_VALUES, r, m,
               i == 0 ? k->given.prior : k->given.robots + (ptrdiff_t)(i - 1) * m->ncolumn, column);
  return RBV_OK;
}

/* ---- samples ---- */

/* times of the parts of a motion that differ, with both ends of each */
static rbv_status put_samples(flat_constraints *f, const rbv_trajectory *t, double step_s,
                              int parts, double span[2][2]) {
  device_repair *r = &f->repair;
  double steps[2], total = 0;
  for (int p = 0; p < parts; p++) {
    steps[p] = fmax(1, ceil((span[p][1] - span[p][0]) / step_s));
    total += steps[p] + 1;
  }
  if (!(total <= SAMPLES_MAX))
    return rbv_fail(RBV_EUNSUPPORTED, "a device does not check %g samples of a motion", total);
  r->samples = (int64_t)total;
  double *time = rbv_alloc((size_t)r->samples * sizeof *time), *next = time;
  if (!time) return RBV_EMEM;
  for (int p = 0; p < parts; p++)
    for (double i = 0; i <= steps[p]; i++)
      *next++ = span[p][0] + (span[p][1] - span[p][0]) * i / steps[p];
  const rbv_status status = rbv_flat_basis_at(&f->basis, &r->terms, t, 4, time, r->samples);
  rbv_free(time);
  return status;
}

static rbv_status fill(flat_constraints *f, const keeper *k, const rbv_trajectory *t, double step_s,
                       double waves) {
  device_repair *r = &f->repair;
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(t);
  RBV_TRY(rbv_flat_frames(r->joint, r->up, k->model));
  double span[2][2];
  const int parts = rbv_different_parts(span, t);
  const double period = shape->duration_s / rbv_trajectory_speed(t),
               blend = shape->blend_s / rbv_trajectory_speed(t);
  double step = fmin(step_s, period / (PER_WAVE * fmax(1, waves)));
  if (blend > 0) step = fmin(step, blend / PER_BLEND);
  RBV_TRY(put_samples(f, t, step, parts, span));
  // the peak of a wave is at most half a step from a sample
  const double angle = 2 * RBV_PI * fmax(1, waves) / period * step;
  r->margin = angle * angle / 8;
  r->mean = rbv_class_find(NULL, shape, shape->counts[0], ROLE_MEAN);
  r->about_mean = r->mean >= 0 && rbv_clearance_any(&k->space);
  r->least_share = (int)ceil(SHARE_LEAST * DEVICE_UNITS);
  put_limits(r, k);
  RBV_TRY(put_space(r, k, step));
  return put_torques(f, k);
}

rbv_status rbv_flat_constraints(flat_constraints *out, const keeper *k, const rbv_trajectory *t,
                                double step_s, double waves) {
  *out = (flat_constraints){.repair = {.njoint = k->model->njoint}};
  const rbv_status status = fill(out, k, t, step_s, waves);
  if (status != RBV_OK) rbv_flat_constraints_free(out);
  return status;
}

void rbv_flat_constraints_free(flat_constraints *f) {
  rbv_free(f->basis);
  rbv_free(f->values);
  *f = (flat_constraints){0};
}
