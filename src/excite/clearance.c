#include "excite/clearance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "excite/distance.h"
#include "excite/gap_kernel.h"
#include "model/model_internal.h"

/* ---- what is measured ---- */

static double norm(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static int body_count(const rbv_model *m, const rbv_constraints *given) {
  return given->ncapsule > 0 ? given->ncapsule : m->nbody;
}

void rbv_clearance_layout(clearance *c, const rbv_model *m, const rbv_constraints *given,
                          rbv_arena *a) {
  const ptrdiff_t n = body_count(m, given);
  *c = (clearance){.model = m, .given = given, .nbody = (int)n, .points = given->ncapsule == 0};
  c->body = RBV_TAKE(a, n, rbv_capsule);
  c->pair = RBV_TAKE(a, n * (n - 1) / 2, body_pair);
  c->plane_end = RBV_TAKE(a, 2 * n * given->nplane, plane_end);
  c->half = RBV_TAKE(a, n, double);
  c->lanes = RBV_TAKE(a, GAP_SCRATCH * (m->nbody + 1 + n) * GAP_LANES, double);
  c->nitem = (int)(2 * n * given->nplane + n * given->nbox + n * (n - 1) / 2);
  c->reach = RBV_TAKE(a, (ptrdiff_t)c->nitem * m->njoint, double);
}

rbv_limits rbv_body_limits(const rbv_model *m, const rbv_limits *limits, int body) {
  if (m->coordinate[body] >= 0) return limits[m->coordinate[body]];
  double offset;
  const int leader = rbv_model_leader(m, body);
  const double factor = rbv_model_map(&offset, m, body, leader);
  rbv_limits l = limits[leader];
  const double a = factor * l.lower + offset, b = factor * l.upper + offset;
  l.lower = fmin(a, b);
  l.upper = fmax(a, b);
  return l;
}

void rbv_least_origin(double p[3], const rbv_model *m, const rbv_limits *limits, int body) {
  const joint_geometry *g = &m->geometry[body];
  const bool slides = g->type == RBV_JOINT_PRISMATIC;
  const rbv_limits l = rbv_body_limits(m, limits, body);
  const double low = l.lower + g->offset, high = l.upper + g->offset;
  const double x = slides ? fmin(fmax(0, low), high) : 0;
  for (int i = 0; i < 3; i++) p[i] = g->origin[i] + (slides ? x * g->slide[i] : 0);
}

bool rbv_part_moves(const clearance *c, int i) {
  const int link = c->body[i].link;
  // without shapes a link is its origin, which the joint of the first link does not move
  return link > 0 && !(c->points && c->model->parent[link - 1] < 0);
}

/* the link that carries a link */
static int carrier(const rbv_model *m, int link) { return m->parent[link - 1] + 1; }

/* the last link from which both are carried, perhaps one of them: links have greater numbers than
 * those that carry them */
static int common_link(const rbv_model *m, int a, int b) {
  while (a != b) {
    if (a > b)
      a = carrier(m, a);
    else
      b = carrier(m, b);
  }
  return a;
}

/* from the joint of a link up to that of the last link before `top`: length, and the place of the
 * latter in `top` */
static double length_up(double place[3], const rbv_model *m, const rbv_limits *limits, int link,
                        int top) {
  double sum = 0;
  memset(place, 0, 3 * sizeof *place);
  for (; link != top; link = carrier(m, link)) {
    rbv_least_origin(place, m, limits, link - 1);
    if (carrier(m, link) != top) sum += norm(place);
  }
  return sum;
}

/* length of the chain between two links, slides retracted: from the end of the one that carries
 * the other, or between their joints */
static double length_between(const rbv_model *m, const rbv_limits *limits, int a, int b) {
  const int top = common_link(m, a, b);
  double p[3], q[3];
  const double sum = length_up(p, m, limits, a, top) + length_up(q, m, limits, b, top);
  if (top == a || top == b) return sum;
  const double apart[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
  return sum + norm(apart);
}

#define JOINED 0.5     // of the length between two links: they cannot always be farther apart
#define SMALLEST 1e-3  // radii below which two assumed bodies are not compared [m]

/*
 * Neighbours touch at their joint. The radius of an assumed body is a guess, and links that a short
 * link joins are close in every pose: they need at most half of the length between them.
 */
static void select_pairs(clearance *c, const rbv_limits *limits) {
  c->npair = 0;
  for (int a = 0; a < c->nbody && !c->points; a++)
    for (int b = a + 1; b < c->nbody; b++) {
      const rbv_capsule *x = &c->body[a], *y = &c->body[b];
      const int low = x->link < y->link ? x->link : y->link, high = x->link + y->link - low;
      if (high == low || carrier(c->model, high) == low) continue;
      double need = x->radius + y->radius;
      if (x->assumed || y->assumed) {
        need = fmin(need, JOINED * length_between(c->model, limits, low, high));
        if (need < SMALLEST) continue;
      }
      const bool guess = (x->assumed || x->around) && (y->assumed || y->around);
      c->pair[c->npair++] = (body_pair){a, b, need + c->given->clearance, guess};
    }
}

double rbv_middle_position(const rbv_limits *l) {
  if (isfinite(l->lower) && isfinite(l->upper)) return (l->lower + l->upper) / 2;
  return isfinite(l->lower) ? l->lower + 1 : isfinite(l->upper) ? l->upper - 1 : 0;
}

double rbv_draw_position(const rbv_limits *l, rbv_joint_type type, uint64_t stream, uint64_t joint,
                         uint64_t draw, double share) {
  const double free = type == RBV_JOINT_PRISMATIC ? 1 : 1.5;
  const double half = isfinite(l->upper - l->lower) ? (l->upper - l->lower) / 2 : free;
  const double u = 2 * rbv_random_uniform(stream, joint, draw) - 1;
  return rbv_middle_position(l) + share * half * u;
}

/* the bodies in one pose: see segment_of */
static void place(clearance *c, const double *q) { rbv_gap_kernel_w1.place(c, c->lanes, q, 1); }

/* ends, middle and half length of the segment of body i in the base frame, after place */
static const double *segment_of(const clearance *c, int i) {
  return c->lanes + 12 * (c->model->nbody + 1) + GAP_BODY * (ptrdiff_t)i;
}

static double height_of(const plane_end *p, const clearance *c) {
  const double *x = segment_of(c, p->end / 2) + 3 * (ptrdiff_t)(p->end % 2);
  return p->limit - p->normal[0] * x[0] - p->normal[1] * x[1] - p->normal[2] * x[2];
}

#define POSES 64   // to find out how high an end can be above the mounting plane
#define SAME 1e-6  // heights that do not differ [m]
#define STREAM 1635

/*
 * The mounting plane: an end whose height never changes belongs to the column of the robot and is
 * not compared. One that can never be as high as it should must keep half of its largest height.
 */
static void fit_to_base(clearance *c, const rbv_limits *limits, double *q) {
  const int n = c->model->njoint;
  int kept = 0;
  for (int i = 0; i < c->nplane_end; i++) {
    plane_end p = c->plane_end[i];
    double low = INFINITY, high = -INFINITY;
    for (int draw = 0; p.base && draw < POSES; draw++) {
      for (int j = 0; j < n; j++)
        q[j] = rbv_draw_position(&limits[j], c->model->joint[j].type, STREAM, (uint64_t)j,
                                 (uint64_t)draw, 1);
      place(c, q);
      const double h = height_of(&p, c);
      low = fmin(low, h);
      high = fmax(high, h);
    }
    if (p.base && high - low < SAME) continue;
    const double need = c->body[p.end / 2].radius + c->given->clearance;
    p.limit -= p.base && high > 0 && high < 2 * need ? high / 2 : need;
    c->plane_end[kept++] = p;
  }
  c->nplane_end = kept;
}

static double pair_gap(const clearance *c, const body_pair *p) {
  const double *a = segment_of(c, p->a), *b = segment_of(c, p->b);
  return rbv_segment_distance(a, a + 3, b, b + 3) - p->need;
}

/* pairs that overlap in every pose say nothing about collisions; they move to the end of the list
 */
static void drop_overlaps(clearance *c, const rbv_limits *limits, double *q) {
  int free = 0;
  for (int draw = 0; draw < POSES; draw++) {
    for (int j = 0; j < c->model->njoint; j++)
      q[j] = rbv_draw_position(&limits[j], c->model->joint[j].type, STREAM, (uint64_t)j,
                               (uint64_t)draw, 1);
    place(c, q);
    // pairs before `free` have been apart in a pose
    for (int i = free; i < c->npair; i++) {
      const body_pair p = c->pair[i];
      if (p.guess && !(pair_gap(c, &p) > 0)) continue;
      c->pair[i] = c->pair[free];
      c->pair[free++] = p;
    }
  }
  c->noverlap = c->npair - free;
  c->npair = free;
}

static void select_planes(clearance *c) {
  c->nplane_end = 0;
  for (int i = 0; i < c->given->nplane; i++) {
    const rbv_plane *plane = &c->given->plane[i];
    const double *v = plane->normal, size = norm(v);
    for (int e = 0; e < 2 * c->nbody; e++) {
      if (!rbv_part_moves(c, e / 2)) continue;
      plane_end p = {.end = e, .limit = plane->offset / size, .base = plane->base};
      for (int k = 0; k < 3; k++) p.normal[k] = v[k] / size;
      c->plane_end[c->nplane_end++] = p;
    }
  }
}

#define STROKE_MAX 20  // of a slide without limits [m]

double rbv_stroke(const rbv_limits *l) {
  const double most = fmax(fabs(l->lower), fabs(l->upper));
  return isfinite(most) ? most : STROKE_MAX;
}

/*
 * Joints between a link (0 for the ground) and the link of a body move it. A joint moves it by at
 * most the length of the chain from its axis to the far end of the body.
 */
static void add_reach(double *reach, const clearance *c, const rbv_limits *limits, int from,
                      const rbv_capsule *body) {
  const rbv_model *m = c->model;
  double far = fmax(norm(body->from), norm(body->to)) + body->radius;
  for (int link = body->link; link > from; link = carrier(m, link)) {
    const int b = link - 1;
    const bool slides = m->geometry[b].type == RBV_JOINT_PRISMATIC;
    const rbv_limits l = rbv_body_limits(m, limits, b);
    for (int j = 0; j < m->njoint; j++)
      reach[j] += fabs(rbv_model_map(NULL, m, b, j)) * (slides ? 1 : far);
    far += norm(m->geometry[b].origin);
    if (slides) far += rbv_stroke(&l) + fabs(m->geometry[b].offset);
  }
}

static void set_reaches(clearance *c, const rbv_limits *limits) {
  double *reach = c->reach;
  const int n = c->model->njoint;
  c->nitem = c->nplane_end + c->given->nbox * c->nbody + c->npair;
  memset(reach, 0, (size_t)c->nitem * (size_t)n * sizeof *reach);
  for (int i = 0; i < c->nplane_end; i++, reach += n)
    add_reach(reach, c, limits, 0, &c->body[c->plane_end[i].end / 2]);
  for (int k = 0; k < c->given->nbox; k++)
    for (int i = 0; i < c->nbody; i++, reach += n) add_reach(reach, c, limits, 0, &c->body[i]);
  for (int i = 0; i < c->npair; i++, reach += n) {
    const rbv_capsule *x = &c->body[c->pair[i].a], *y = &c->body[c->pair[i].b];
    // seen from the last link that carries both, they move
    const int top = common_link(c->model, x->link, y->link);
    add_reach(reach, c, limits, top, x);
    add_reach(reach, c, limits, top, y);
  }
}

void rbv_clearance_fill(clearance *c, const rbv_limits *limits, double *q) {
  const rbv_model *m = c->model;
  for (int i = 0; i < c->nbody; i++) {
    c->body[i] = c->points ? (rbv_capsule){.link = i + 1} : c->given->capsule[i];
    if (c->points) rbv_tool_point(c->body[i].to, m, c->given, i);
    const rbv_capsule *b = &c->body[i];
    const double along[3] = {b->to[0] - b->from[0], b->to[1] - b->from[1], b->to[2] - b->from[2]};
    c->half[i] = norm(along) / 2;
  }
  c->kernel = rbv_gap_kernel();
  select_pairs(c, limits);
  drop_overlaps(c, limits, q);
  select_planes(c);
  fit_to_base(c, limits, q);
  set_reaches(c, limits);
}

bool rbv_clearance_any(const clearance *c) {
  return c->npair > 0 || c->nplane_end > 0 || c->given->nbox > 0;
}

/* ---- one pose ---- */

static void note_plane(gaps *g, double gap, const char *what, bool base, int link) {
  if (!(gap < g->outside)) return;
  g->outside = gap;
  g->what = what;
  g->base = base;
  g->part = link;
}

static void compare_bodies(gaps *g, double *out, const clearance *c) {
  for (int i = 0; i < c->npair; i++) {
    const body_pair *p = &c->pair[i];
    // two segments are at least as far apart as the spheres around them
    const double *u = segment_of(c, p->a) + 6, *v = segment_of(c, p->b) + 6;
    const double x = u[0] - v[0], y = u[1] - v[1], z = u[2] - v[2];
    double gap = sqrt(x * x + y * y + z * z) - u[3] - v[3] - p->need;
    if (gap < g->between + (out ? GAP_EXACT : 0)) {
      gap = pair_gap(c, p);
    }
    if (out) out[i] = gap;
    if (!(gap < g->between)) continue;
    g->between = gap;
    g->link[0] = c->body[p->a].link;
    g->link[1] = c->body[p->b].link;
    g->assumed = c->body[p->a].assumed || c->body[p->b].assumed;
  }
}

gaps rbv_clearance_eval(clearance *c, double *out, const double *q) {
  gaps g = {.between = INFINITY, .outside = INFINITY, .what = ""};
  int at = 0;
  place(c, q);
  for (int i = 0; i < c->nplane_end; i++) {
    const plane_end *p = &c->plane_end[i];
    const double gap = height_of(p, c);
    if (out) out[at++] = gap;
    note_plane(&g, gap, p->base ? "the mounting plane" : "a workspace plane", p->base,
               c->body[p->end / 2].link);
  }
  for (int k = 0; k < c->given->nbox; k++)
    for (int i = 0; i < c->nbody; i++) {
      const double *a = segment_of(c, i);
      const bool moves = rbv_part_moves(c, i);
      const double gap =
          moves ? rbv_box_distance(a, a + 3, c->given->box[k].min, c->given->box[k].max) -
                      c->body[i].radius - c->given->clearance
                : INFINITY;
      if (out) out[at++] = gap;
      note_plane(&g, gap, "a workspace box", false, c->body[i].link);
    }
  compare_bodies(&g, out ? out + at : NULL, c);
  return g;
}

/* ---- several poses ---- */

void rbv_clearance_batch(clearance *c, double *gap, double *least, ptrdiff_t ld, double *q,
                         ptrdiff_t ldq, int count) {
  const int width = c->kernel->width;
  for (int k = 0; k < count; k += width) {
    for (int j = 0; count - k < width && j < c->model->njoint; j++)
      for (int l = count; l < k + width; l++) q[l + j * ldq] = q[count - 1 + j * ldq];
    c->kernel->gaps(gap + k, least + k, ld, c, c->lanes, q + k, ldq);
  }
}

void rbv_clearance_change(double *change, ptrdiff_t ld, const clearance *c, const double *speed,
                          ptrdiff_t ldspeed, int count) {
  for (int k = 0; k < count; k += c->kernel->width)
    c->kernel->change(change + k, ld, c->reach, speed + k, ldspeed, c->nitem, c->model->njoint);
}

void rbv_clearance_margin(double *margin, const clearance *c, const double *a, const double *b,
                          ptrdiff_t ld, const double *change, ptrdiff_t ldchange, const double *h,
                          int count) {
  for (int k = 0; k < count; k += c->kernel->width)
    c->kernel->margin(margin + k, a + k, b + k, ld, change + k, ldchange, h + k, c->nitem);
}

int rbv_gap_name(char *text, size_t size, const gaps *g) {
  if (g->between > g->outside)
    return snprintf(text, size, "%s and link %d: a gap of %.1f mm", g->what, g->part,
                    1e3 * g->outside);
  return snprintf(text, size, "self-collision of links %d and %d: a gap of %.1f mm", g->link[0],
                  g->link[1], 1e3 * g->between);
}
