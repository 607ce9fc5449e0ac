/*
 * Repair of motions on a grid of samples, for C and for CUDA: see device_repair. A team of
 * REPAIR_LANES lanes repairs one motion; lane l has the samples l, l + REPAIR_LANES and so on. On a
 * device a team is a block of threads, in plain C the lanes take turns. What lanes find is joined
 * by minima and maxima, so that results do not depend on their order.
 */
#ifndef DEVICE_POINT_REPAIR_H
#define DEVICE_POINT_REPAIR_H

#include "device/point_gram.h"

#define REPAIR_LANES 256

/* Each lane of the team in turn; the lanes wait for each other before. */
#ifdef __CUDA_ARCH__
#define TEAM_WAIT __syncthreads()
#define EACH_LANE(lane) \
  __syncthreads();      \
  for (int lane = (int)threadIdx.x, once = 1; once; once = 0)
#else
#define TEAM_WAIT (void)0
#define EACH_LANE(lane) for (int lane = 0; lane < REPAIR_LANES; lane++)
#endif

/* Peaks of a joint: deviation above and below its mean, then of the three derivatives. */
enum { PEAK_ABOVE, PEAK_BELOW, PEAK_RATES, REPAIR_PEAKS = PEAK_RATES + 3 };

/* memory of a team, in doubles: centre, pivots, factors and peaks of the joints, the smallest
 * factor that breaks a constraint, coefficients term by term */
#define REPAIR_POSE(n, about_mean) ((about_mean) * (n)) /* the centre, or the pivots */
#define REPAIR_PIVOT(n) REPAIR_POSE(n, 1)
#define REPAIR_OWN(n) (2 * (n))
#define REPAIR_PEAK(n) (3 * (n))
#define REPAIR_LEAST(n) (REPAIR_PEAK(n) + REPAIR_PEAKS * (n))
#define REPAIR_COEFFICIENTS(n) (REPAIR_LEAST(n) + 1)
#define REPAIR_ROOM(n, terms) (REPAIR_COEFFICIENTS(n) + (n) * (terms))

/* *peak = max(*peak, x) over all lanes; x >= 0 */
POINT void raise_peak(double *peak, double x) {
#ifdef __CUDA_ARCH__
  UNROLL
  for (int step = 16; step > 0; step /= 2) x = fmax(x, __shfl_xor_sync(0xffffffffu, x, step));
  // numbers that are not negative have the order of their bits
  if (threadIdx.x % 32 == 0)
    atomicMax((unsigned long long *)peak, (unsigned long long)__double_as_longlong(x));
#else
  if (x > *peak) *peak = x;
#endif
}

/* *least = min(*least, x) over all lanes; high: what *least is before */
POINT void lower_least(int *least, int x, int high) {
  if (x >= high) return;
#ifdef __CUDA_ARCH__
  atomicMin(least, x);
#else
  if (x < *least) *least = x;
#endif
}

/* ---- motion ---- */

/* position and derivatives of the joints */
typedef struct {
  double q[DEVICE_JOINTS], dq[DEVICE_JOINTS], ddq[DEVICE_JOINTS];
} repair_state;

/* lane `lane`: its share of the coefficients; the pivots, about which joints are scaled */
POINT void repair_load(double *room, int lane, const device_repair *r,
                       const device_repair_arrays *a, int64_t individual, const int n) {
  const double *x = a->coefficients + individual * n * r->terms;
  for (int i = lane; i < n * r->terms; i += REPAIR_LANES)
    room[REPAIR_COEFFICIENTS(n) + i] = x[i % n * r->terms + i / n];
  if (lane < n) {
    room[REPAIR_POSE(n, 0) + lane] = r->center[lane];
    room[REPAIR_PIVOT(n) + lane] = r->mean >= 0 ? x[lane * r->terms + r->mean] : r->center[lane];
    for (int p = 0; p < REPAIR_PEAKS; p++) room[REPAIR_PEAK(n) + p * n + lane] = 0;
  }
}

/* derivative `order` of all joints at sample k */
POINT void repair_curve(double *out, const double *room, const device_repair *r,
                        const device_repair_arrays *a, int order, int64_t k, const int n) {
  const double *x = room + REPAIR_COEFFICIENTS(n);
  const double *basis = a->basis + order * (int64_t)r->terms * r->samples + k;
  UNROLL
  for (int j = 0; j < n; j++) out[j] = 0;
  ROLLED
  for (int p = 0; p < r->terms; p++, x += n, basis += r->samples) {
    const double b = *basis;
    UNROLL
    for (int j = 0; j < n; j++) out[j] += b * x[j];
  }
}

/* the motion at sample k after step 1 */
POINT void repair_motion(repair_state *s, const double *room, const device_repair *r,
                         const device_repair_arrays *a, int64_t k, int rates, const int n) {
  const double *pivot = room + REPAIR_PIVOT(n), *own = room + REPAIR_OWN(n);
  repair_curve(s->q, room, r, a, 0, k, n);
  if (rates) {
    repair_curve(s->dq, room, r, a, 1, k, n);
    repair_curve(s->ddq, room, r, a, 2, k, n);
  }
  UNROLL
  for (int j = 0; j < n; j++) {
    s->q[j] = pivot[j] + own[j] * (s->q[j] - pivot[j]);
    s->dq[j] = rates ? own[j] * s->dq[j] : 0;
    s->ddq[j] = rates ? own[j] * s->ddq[j] : 0;
  }
}

/* ---- step 1: limits of the joints ---- */

/* peaks at the samples of a lane */
POINT void repair_peaks(double *room, int lane, const device_repair *r,
                        const device_repair_arrays *a, const int n) {
  ROLLED
  for (int order = 0; order < 4; order++) {
    double x[DEVICE_JOINTS], above[DEVICE_JOINTS], below[DEVICE_JOINTS];
    UNROLL
    for (int j = 0; j < n; j++) above[j] = below[j] = 0;
    ROLLED
    for (int64_t k = lane; k < r->samples; k += REPAIR_LANES) {
      repair_curve(x, room, r, a, order, k, n);
      UNROLL
      for (int j = 0; j < n; j++) {
        const double d = order == 0 ? x[j] - room[REPAIR_PIVOT(n) + j] : x[j];
        if (d > above[j]) above[j] = d;
        if (-d > below[j]) below[j] = -d;
      }
    }
    double *peak = room + REPAIR_PEAK(n);
    UNROLL
    for (int j = 0; j < n; j++) {
      if (order == 0) {
        raise_peak(peak + PEAK_ABOVE * n + j, above[j]);
        raise_peak(peak + PEAK_BELOW * n + j, below[j]);
      } else {
        raise_peak(peak + (PEAK_RATES + order - 1) * n + j,
                   above[j] > below[j] ? above[j] : below[j]);
      }
    }
  }
}

/* the factor with which a peak is at most `most` */
POINT double factor_of(double peak, double most, double margin) {
  const double size = peak * (1 + margin);
  return size > most ? most / size : 1;
}

/* factor of joint j, from the peaks of all lanes */
POINT void repair_own(double *room, int j, const device_repair *r, const int n) {
  const double *peak = room + REPAIR_PEAK(n) + j, pivot = room[REPAIR_PIVOT(n) + j];
  double s = factor_of(peak[PEAK_ABOVE * n], r->upper[j] - pivot, r->margin);
  s = fmin(s, factor_of(peak[PEAK_BELOW * n], pivot - r->lower[j], r->margin));
  for (int d = 0; d < 3; d++)
    s = fmin(s, factor_of(peak[(PEAK_RATES + d) * n], r->rate[d][j], r->margin));
  room[REPAIR_OWN(n) + j] = s;
}

/* ---- step 2: constraints that couple joints ---- */

/* ends of the bodies of a link with the axes R and the origin o */
POINT void put_bodies(double ends[][6], const device_repair *r, int link, m3 R, v3 o) {
  ROLLED
  for (int i = r->bodies_of[link]; i < r->bodies_of[link + 1]; i++) {
    const v3 a = add(o, turn(R, constant(r->body[i].from))),
             b = add(o, turn(R, constant(r->body[i].to)));
    ends[i][0] = a.x, ends[i][1] = a.y, ends[i][2] = a.z;
    ends[i][3] = b.x, ends[i][4] = b.y, ends[i][5] = b.z;
  }
}

/* 1 if a distance is smaller than it must be, by more than -rest; or if the tool or a
 * joint is too fast */
POINT int breaks_space(const device_repair *r, const repair_state *s, double rest, const int n,
                       const int kind) {
  double ends[DEVICE_BODIES][6];
  m3 R = unit_rows();
  v3 o = no_vector(), w = o, v = o;
  put_bodies(ends, r, 0, R, o);
  UNROLL
  for (int j = 0; j < n; j++) {
    const device_frame *f = &r->joint[j];
    const joint_turn at = frame_turn(f, j, turning_of(f, j, s->q[j], kind), kind);
    const v3 p = turn(R, link_origin(f, s->q[j], kind));
    o = add(o, p);
    v = add_cross(v, w, p);
    R = turn_frame(frame_kind(f, j, kind), &at, R);
    const v3 axis = turn(R, constant(f->axis));
    if (kind == GRAM_ANY && f->slides)
      v = add_scaled(v, axis, s->dq[j]);
    else
      w = add_scaled(w, axis, s->dq[j]);
    if (!(dot(v, v) <= r->tool_speed * r->tool_speed)) return 1;
    put_bodies(ends, r, j + 1, R, o);
  }
  const v3 tool = add_cross(v, w, turn(R, constant(r->tool)));
  if (!(dot(tool, tool) <= r->tool_speed * r->tool_speed)) return 1;
  ROLLED
  for (int i = 0; i < r->plane_ends; i++) {
    const device_plane_end *p = &r->plane_end[i];
    const double *at = ends[p->end / 2] + 3 * (p->end % 2);
    if (!(p->limit - dot(constant(p->normal), constant(at)) >= rest)) return 1;
  }
  ROLLED
  for (int i = 0; i < r->pairs; i++) {
    const device_body_pair *p = &r->pair[i];
    const v3 a = constant(ends[p->a]), b = constant(ends[p->a] + 3), c = constant(ends[p->b]),
             d = constant(ends[p->b] + 3);
    // segments are at least as far apart as the spheres around them
    const v3 between =
        scale(vec(a.x + b.x - c.x - d.x, a.y + b.y - c.y - d.y, a.z + b.z - c.z - d.z), 0.5);
    const double far = p->far + rest, need = p->need + rest;
    if (dot(between, between) >= far * far) continue;
    if (!(segment_square(a, b, c, d) >= need * need)) return 1;
  }
  return 0;
}

/* torque of the drive terms of row i */
POINT double drive_torque(const device_repair *r, const double *values, const repair_state *s,
                          int i, const int n) {
  double sum = 0;
  ROLLED
  for (int e = r->drives_of[i]; e < r->drives_of[i + 1]; e++) {
    const device_drive *d = &r->drive[e];
    double speed = 0, acceleration = 0;
    UNROLL
    for (int j = 0; j < n; j++) {
      speed += d->weight[j] * s->dq[j];
      acceleration += d->weight[j] * s->ddq[j];
    }
    sum += values[10 * DEVICE_JOINTS + e] * d->gain * drive_value(d, speed, acceleration);
  }
  return sum;
}

/* XX XY XZ YY YZ ZZ MX MY MZ M */
POINT body link_body(const double *x) {
  body b;
  b.xx = x[0], b.xy = x[1], b.xz = x[2];
  b.yy = x[3], b.yz = x[4], b.zz = x[5];
  b.h = constant(x + 6);
  b.m = x[9];
  return b;
}

/* 1 if the torque of a joint is beyond its limit with the parameters of a robot */
POINT int breaks_torque(const device_repair *r, const double *values, const repair_state *s,
                        const int n, const int kind) {
  twist at[DEVICE_JOINTS], m = rest(constant(r->up));
  turning t[DEVICE_JOINTS];
  UNROLL
  for (int j = 0; j < n; j++) {
    t[j] = turning_of(&r->joint[j], j, s->q[j], kind);
    m = move_link(m, &r->joint[j], j, t[j], s->q[j], s->dq[j], s->ddq[j], kind);
    at[j].w = m.w;
    at[j].dw = m.dw;
    at[j].acc = m.acc;
  }
  v3 force = no_vector(), moment = force;
  int broken = 0;
  UNROLL
  for (int i = 0; i < n; i++) {
    // from the last link to the first
    const int j = n - 1 - i;
    if (i > 0) {
      const device_frame *f = &r->joint[j + 1];
      const joint_turn turned = frame_turn(f, j + 1, t[j + 1], kind);
      carry_wrench(frame_kind(f, j + 1, kind), &force, &moment, &turned,
                   link_origin(f, s->q[j + 1], kind));
    }
    const body b = link_body(values + 10 * j);
    v3 own_force, own_moment;
    finish(&at[j]);
    link_wrench(&own_force, &own_moment, &at[j], &b, LINK_ANY);
    force = add(force, own_force);
    moment = add(moment, own_moment);
    const v3 axis = constant(r->joint[j].axis);
    const double links = dot(axis, kind == GRAM_ANY && r->joint[j].slides ? force : moment);
    if (!(fabs(links + drive_torque(r, values, s, j, n)) <= r->torque[j])) broken = 1;
  }
  return broken;
}

/* 1 if the motion of a sample, scaled by a factor about a pose, breaks a constraint */
POINT int breaks_scaled(const device_repair *r, const device_repair_arrays *a,
                        const repair_state *whole, const double *pose, int units, const int n,
                        const int kind) {
  const double factor = (double)units / DEVICE_UNITS;
  repair_state s;
  UNROLL
  for (int j = 0; j < n; j++) {
    s.q[j] = pose[j] + factor * (whole->q[j] - pose[j]);
    s.dq[j] = factor * whole->dq[j];
    s.ddq[j] = factor * whole->ddq[j];
  }
  if (breaks_space(r, &s, 0, n, kind)) return 1;
  ROLLED
  for (int i = 0; i < r->robots; i++)
    if (breaks_torque(r, a->values + i * DEVICE_VALUES, &s, n, kind)) return 1;
  return 0;
}

/* The smallest factor up to `units` that breaks a constraint at a sample of this lane, of samples
 * that `units` breaks one at; units + 1: none does. */
POINT int least_broken(const double *room, int lane, const device_repair *r,
                       const device_repair_arrays *a, const double *pose, int units, const int n,
                       const int kind) {
  const int rates = r->robots > 0 || r->tool_speed < INFINITY;
  int least = units + 1;
  ROLLED
  for (int64_t k = lane; k < r->samples; k += REPAIR_LANES) {
    repair_state s;
    repair_motion(&s, room, r, a, k, rates, n);
    // first the largest factor that the samples before allow, then by halving
    int low = 0, high = least, next = least - 1;
    ROLLED
    while (next > low) {
      if (breaks_scaled(r, a, &s, pose, next, n, kind))
        high = next;
      else
        low = next;
      next = (low + high) / 2;
    }
    least = high;
  }
  return least;
}

/* The largest factor about a pose that breaks no constraint, from above; 0: there is none. */
POINT int largest_share(double *room, const device_repair *r, const device_repair_arrays *a,
                        const double *pose, const int n, const int kind) {
  int *least = (int *)(void *)(room + REPAIR_LEAST(n));
  int high = DEVICE_UNITS + 1;
  ROLLED
  while (high > 1) {
    EACH_LANE(lane) if (lane == 0) *least = high;
    EACH_LANE(lane)
    lower_least(least, least_broken(room, lane, r, a, pose, high - 1, n, kind), high);
    TEAM_WAIT;
    const int found = *least;
    if (found == high) break;
    high = found;
  }
  return high - 1;
}

/* ---- all of it, by one team ---- */

POINT device_repaired repair_individual(double *room, const device_repair *r,
                                        const device_repair_arrays *a, int64_t individual,
                                        const int n, const int kind) {
  device_repaired out;
  EACH_LANE(lane) repair_load(room, lane, r, a, individual, n);
  EACH_LANE(lane) repair_peaks(room, lane, r, a, n);
  EACH_LANE(lane) if (lane < n) repair_own(room, lane, r, n);
  TEAM_WAIT;
  UNROLL
  for (int j = 0; j < DEVICE_JOINTS; j++) out.own[j] = j < n ? room[REPAIR_OWN(n) + j] : 1;
  out.share = 0;
  out.about_mean = 0;
  if (r->about_mean) {
    repair_state still;
    UNROLL
    for (int j = 0; j < n; j++) {
      still.q[j] = room[REPAIR_PIVOT(n) + j];
      still.dq[j] = still.ddq[j] = 0;
    }
    out.about_mean = !breaks_space(r, &still, r->rest, n, kind);
  }
  // about the means, then about the centre
  int about = out.about_mean;
  ROLLED
  do {
    out.about_mean = about;
    out.share = largest_share(room, r, a, room + REPAIR_POSE(n, about), n, kind);
  } while (out.share < r->least_share && about-- > 0);
  return out;
}

#endif
