/* Rigid bodies in coordinates: serial chains, and trees with the map q_body = K q + k0. */
#include <string.h>

#include "dynamics/projection.h"
#include "model/geometry.h"

/* ---- memory and tables ---- */

static bool is_branching(const rbv_model *m, int body) {
  for (int k = body + 2; k < m->nbody; k++)
    if (m->parent[k] == body) return true;
  return false;
}

static int depth_of(const rbv_model *m, int body) {
  int depth = 0;
  while ((body = m->parent[body]) >= 0) depth++;
  return depth;
}

void rbv_rigid_layout(rbv_dynamics *d, const rbv_model *m, rbv_arena *a) {
  const bool tree = !is_chain(m), map = m->map != NULL;
  const int n = tree ? m->nbody : 0, mapped = map ? m->nbody : 0;
  int paths = 0;
  d->nsaved = 0;
  for (int i = 0; i < n; i++) {
    paths += depth_of(m, i) + 1;
    if (is_branching(m, i)) d->nsaved += TREE_SLOT + 6 * (depth_of(m, i) + 1);
  }
  d->path = RBV_TAKE(a, paths, int);
  d->body_entry = RBV_TAKE(a, paths, int);
  d->tree_int = RBV_TAKE(a, 4 * n, int);
  d->ordered = RBV_TAKE(a, n, joint_geometry);
  d->saved = RBV_TAKE(a, d->nsaved * LANES_MAX, double);
  d->composite = RBV_TAKE(a, n * TREE_BODY * LANES_MAX, double);
  d->body_state = RBV_TAKE(a, 3 * mapped * LANES_MAX, double);
  d->body_tau = RBV_TAKE(a, 2 * n * LANES_MAX, double);
  d->body_mass = RBV_TAKE(a, 3 * n * n * LANES_MAX, double);
  d->body_W = RBV_TAKE(a, map ? paths * RBV_INERTIAL * LANES_MAX : 0, double);
  rbv_projection_layout(d, m, a);
}

/* where the kernel of trees writes the blocks: into the regressor, or one after the other */
static void find_body_entries(rbv_dynamics *d) {
  const rbv_model *m = d->model;
  int *const first = d->tree_int, *const depth = first + m->nbody;
  for (int j = 0; j < m->nbody && d->rigid >= 0; j++)
    for (int k = 0; k <= depth[j]; k++) {
      const int at = first[j] + k;
      d->body_entry[at] = m->map ? at * RBV_INERTIAL : block_of(d, d->rigid, d->path[at], j);
    }
}

/* the axis of its frame that a joint turns about or slides along; none: the third */
static int axis_of(const joint_geometry *g) {
  for (int i = 0; i < 2; i++)
    if (g->axis[i] == 1) return i;
  return 2;
}

static void order_axes(rbv_dynamics *d, int *last) {
  const rbv_model *m = d->model;
  for (int j = 0; j < m->nbody; j++) {
    last[j] = axis_of(&m->geometry[j]);
    d->ordered[j] =
        rbv_joint_ordered(&m->geometry[j], m->parent[j] < 0 ? 2 : last[m->parent[j]], last[j]);
  }
}

void rbv_rigid_set(rbv_dynamics *d) {
  const rbv_model *m = d->model;
  d->is_tree = !is_chain(m);
  if (!d->is_tree) return;
  const int n = m->nbody;
  int *const first = d->tree_int, *const depth = first + n, *const slot = depth + n;
  int *const last = slot + n;
  int at = 0, saved = 0;
  for (int i = 0; i < n; i++) {
    first[i] = at;
    depth[i] = depth_of(m, i);
    for (int k = i, p = depth[i]; p >= 0; k = m->parent[k], p--) d->path[at + p] = k;
    at += depth[i] + 1;
    slot[i] = is_branching(m, i) ? saved : -1;
    if (slot[i] >= 0) saved += TREE_SLOT + 6 * (depth[i] + 1);
  }
  d->tree = (kernel_tree){.chain = d->chain,
                          .parent = m->parent,
                          .first = first,
                          .path = d->path,
                          .depth = depth,
                          .slot = slot,
                          .ordered = d->ordered,
                          .last = last};
  order_axes(d, last);
  find_body_entries(d);
}

/* ---- the map ---- */

/* K x, with or without k0, in lanes; NULL stays NULL */
static const double *expand(double *to, const rbv_model *m, const double *x, ptrdiff_t ld,
                            int width, bool offset) {
  if (!x) return NULL;
  for (int i = 0; i < m->nbody; i++) {
    for (int k = 0; k < width; k++) to[i * width + k] = offset ? m->map_offset[i] : 0;
    for (int c = 0; c < m->njoint; c++) {
      const double factor = m->map[i + c * m->nbody];
      for (int k = 0; k < width && factor != 0; k++) to[i * width + k] += factor * x[c * ld + k];
    }
  }
  return to;
}

/* the states of the bodies' joints; those of the caller without a map */
typedef struct {
  const double *q, *dq, *ddq;
  ptrdiff_t ld;
} joint_states;

static joint_states states_of(rbv_dynamics *d, int width, const double *q, const double *dq,
                              const double *ddq, ptrdiff_t ld) {
  const rbv_model *m = d->model;
  const int size = m->nbody * width;
  if (!m->map) return (joint_states){q, dq, ddq, ld};
  if (d->projection) {
    rbv_projection_states(d, width, q, dq, ddq, ld);
    return (joint_states){d->body_state, d->body_state + size, d->body_state + 2 * size, width};
  }
  return (joint_states){.q = expand(d->body_state, m, q, ld, width, true),
                        .dq = expand(d->body_state + size, m, dq, ld, width, false),
                        .ddq = expand(d->body_state + 2 * size, m, ddq, ld, width, false),
                        .ld = width};
}

/* to = K' x */
static void collapse(double *to, ptrdiff_t ldto, const rbv_model *m, const double *x, int width) {
  for (int c = 0; c < m->njoint; c++) {
    for (int k = 0; k < width; k++) to[c * ldto + k] = 0;
    for (int i = 0; i < m->nbody; i++) {
      const double factor = m->map[i + c * m->nbody];
      for (int k = 0; k < width && factor != 0; k++) to[c * ldto + k] += factor * x[i * width + k];
    }
  }
}

/* to = K' X K; the columns of X K replace the first columns of X. Without a map: a copy. */
static void collapse_matrix(double *to, ptrdiff_t ldto, const rbv_model *m, double *X, int width) {
  const int n = m->njoint, nbody = m->nbody;
  for (int c = 0; c < n; c++)
    for (int r = 0; r < n; r++) {
      double *sum = to + (r + c * n) * ldto;
      for (int k = 0; k < width; k++) sum[k] = m->map ? 0 : X[(r + c * n) * width + k];
      for (int j = 0; j < nbody && m->map; j++) {
        const double right = m->map[j + c * nbody];
        for (int i = 0; i < nbody && right != 0; i++) {
          const double factor = m->map[i + r * nbody] * right;
          for (int k = 0; k < width && factor != 0; k++)
            sum[k] += factor * X[(i + j * nbody) * width + k];
        }
      }
    }
}

/* ---- dynamics ---- */

void rbv_rigid_inverse(double *tau, ptrdiff_t ldtau, rbv_dynamics *d, const rbv_kernel *kernel,
                       const double *link, const double *q, const double *dq, const double *ddq,
                       ptrdiff_t ld) {
  if (!d->is_tree) {
    kernel->inverse(tau, ldtau, &d->chain, d->scratch, link, q, dq, ddq, ld);
    return;
  }
  const int width = kernel->width;
  const bool map = d->model->map;
  const joint_states s = states_of(d, width, q, dq, ddq, ld);
  rbv_tree_kernel(width)->inverse(map ? d->body_tau : tau, map ? width : ldtau, &d->tree,
                                  d->scratch, d->saved, link, s.q, s.dq, s.ddq, s.ld);
  if (d->projection)
    rbv_projection_vector(tau, ldtau, d, d->body_tau, width);
  else if (map)
    collapse(tau, ldtau, d->model, d->body_tau, width);
}

/* dq and bias NULL: the mass matrix alone */
static void tree_system(double *M, double *bias, rbv_dynamics *d, int width, const double *link,
                        const double *q, const double *dq, ptrdiff_t ld) {
  const rbv_model *m = d->model;
  const joint_states s = states_of(d, width, q, dq, NULL, ld);
  double *body_bias = bias && m->map ? d->body_tau : bias;
  rbv_tree_kernel(width)->system(m->map ? d->body_mass : M, body_bias, &d->tree, d->scratch,
                                 d->saved, d->composite, link, s.q, s.dq, s.ld);
  if (!m->map) return;
  if (d->projection) {
    if (bias) rbv_projection_add_bias(body_bias, d, d->body_mass, width);
    if (bias) rbv_projection_vector(bias, width, d, body_bias, width);
    rbv_projection_matrix(M, width, d, d->body_mass, width);
    return;
  }
  collapse_matrix(M, width, m, d->body_mass, width);
  if (bias) collapse(bias, width, m, body_bias, width);
}

void rbv_rigid_mass(double *M, rbv_dynamics *d, const rbv_kernel *kernel, const double *link,
                    const double *q, ptrdiff_t ld) {
  if (d->is_tree)
    tree_system(M, NULL, d, kernel->width, link, q, NULL, ld);
  else
    kernel->mass(M, &d->chain, d->scratch, link, q, ld);
}

void rbv_rigid_system(double *M, double *bias, rbv_dynamics *d, const rbv_kernel *kernel,
                      const double *link, const double *q, const double *dq, ptrdiff_t ld) {
  if (d->is_tree)
    tree_system(M, bias, d, kernel->width, link, q, dq, ld);
  else
    kernel->system(M, bias, &d->chain, d->scratch, link, q, dq, ld);
}

void rbv_rigid_forward(double *ddq, ptrdiff_t ldddq, bool *regular, rbv_dynamics *d,
                       const rbv_kernel *kernel, const double *link, const double *q,
                       const double *dq, ptrdiff_t ld, const double *tau, ptrdiff_t ldtau) {
  if (!d->is_tree) {
    kernel->forward(ddq, ldddq, regular, d->mass, &d->chain, d->scratch, link, d->rotor, q, dq, ld,
                    tau, ldtau);
    return;
  }
  const int n = d->model->njoint, width = kernel->width;
  double *x = d->body_tau + d->model->nbody * width;
  tree_system(d->mass, x, d, width, link, q, dq, ld);
  for (int e = 0; e < n * n; e++)
    for (int k = 0; k < width && d->rotor[e] != 0; k++) d->mass[e * width + k] += d->rotor[e];
  for (int j = 0; j < n; j++)
    for (int k = 0; k < width; k++) x[j * width + k] = tau[j * ldtau + k] - x[j * width + k];
  kernel->factor(d->mass, regular, n);
  kernel->solve(x, d->mass, n);
  for (int j = 0; j < n; j++) memcpy(ddq + j * ldddq, x + j * width, (size_t)width * sizeof *ddq);
}

void rbv_rigid_derivatives(double *const by[3], const ptrdiff_t ldby[3], rbv_dynamics *d,
                           const rbv_kernel *kernel, const double *link, const double *q,
                           const double *dq, const double *ddq, ptrdiff_t ld) {
  if (!d->is_tree) {
    kernel->derivatives(by, ldby, &d->chain, d->scratch, link, q, dq, ddq, ld);
    return;
  }
  if (d->projection) {
    rbv_projection_derivatives(by, ldby, d, kernel, link, q, dq, ddq, ld);
    return;
  }
  const rbv_model *m = d->model;
  const int width = kernel->width, size = m->nbody * m->nbody * width;
  const joint_states s = states_of(d, width, q, dq, ddq, ld);
  double *const own[3] = {d->body_mass, d->body_mass + size, d->body_mass + 2 * size};
  rbv_tree_kernel(width)->derivatives(own, &d->tree, d->scratch, d->saved, link, s.q, s.dq, s.ddq,
                                      s.ld);
  for (int i = 0; i < 3; i++) collapse_matrix(by[i], ldby[i], m, own[i], width);
}

/* ---- regressor ---- */

/* the ten columns of body j in the row of a coordinate: sum of K_ic times those of row i */
static void collapse_block(double *to, ptrdiff_t ldw, const rbv_dynamics *d, int coordinate, int j,
                           int width) {
  const rbv_model *m = d->model;
  for (int e = 0; e < RBV_INERTIAL; e++)
    for (int k = 0; k < width; k++) to[e * ldw + k] = 0;
  for (int at = d->tree.first[j]; at <= d->tree.first[j] + d->tree.depth[j]; at++) {
    const double factor = m->map[d->path[at] + coordinate * m->nbody];
    const double *from = d->body_W + d->body_entry[at] * width;
    for (int e = 0; e < RBV_INERTIAL && factor != 0; e++)
      for (int k = 0; k < width; k++) to[e * ldw + k] += factor * from[e * width + k];
  }
}

int rbv_rigid_part(const rbv_dynamics *d, int first) {
  const rbv_model *m = d->model;
  int end = first + 1;
  while (end < m->nbody && (!d->is_tree || m->map || m->parent[end] >= 0)) end++;
  return end;
}

/* the bodies from first to end */
static kernel_tree part_of(const kernel_tree *tree, int first, int end) {
  kernel_tree part = *tree;
  part.chain.joint += first;
  part.chain.njoint = end - first;
  part.base = first;
  part.parent += first;
  part.first += first;
  part.depth += first;
  part.slot += first;
  part.ordered += first;
  part.last += first;
  return part;
}

void rbv_rigid_regressor(double *W, ptrdiff_t ldw, rbv_dynamics *d, int first, int end,
                         const double *q, const double *dq, const double *ddq, ptrdiff_t ld) {
  const rbv_model *m = d->model;
  const int width = d->kernel->width;
  const joint_states s = states_of(d, width, q, dq, ddq, ld);
  const kernel_tree part = part_of(&d->tree, first, end);
  const ptrdiff_t skip = first * s.ld;
  rbv_tree_kernel(width)->regressor(m->map ? d->body_W : W, m->map ? width : ldw, d->body_entry,
                                    &part, d->scratch, d->saved, s.q + skip, s.dq + skip,
                                    s.ddq + skip, s.ld);
  for (int c = 0; c < m->njoint && m->map; c++)
    for (int j = 0; j < m->nbody; j++) {
      const int e = block_of(d, d->rigid, c, j);
      if (e >= 0 && d->projection)
        rbv_projection_block(W + e * ldw, ldw, d, c, j, width);
      else if (e >= 0)
        collapse_block(W + e * ldw, ldw, d, c, j, width);
    }
}
