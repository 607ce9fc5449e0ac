#include <math.h>
#include <string.h>

#include "dynamics/projection.h"

/* ---- the object ---- */

static void layout(rbv_dynamics *d, const rbv_model *m, rbv_arena *a) {
  const int n = m->njoint;
  d->chi = RBV_TAKE(a, m->ncolumn, double);
  d->link = RBV_TAKE(a, m->nbody * RBV_INERTIAL, double);
  d->link_lanes = RBV_TAKE(a, m->nbody * RBV_INERTIAL * LANES_MAX, double);
  d->rotor = RBV_TAKE(a, n * n, double);
  d->scratch = RBV_TAKE(a, m->nbody * (KERNEL_SCRATCH + KERNEL_DERIVATIVES) * LANES_MAX, double);
  d->mass = RBV_TAKE(a, n * n * LANES_MAX, double);
  d->state = RBV_TAKE(a, 4 * n * LANES_MAX, double);
  d->pad = RBV_TAKE(a, m->nstate * LANES_MAX, double);
  d->tail = RBV_TAKE(a, m->nentry * LANES_MAX, double);
  d->row = RBV_TAKE(a, n * LANES_MAX, double);
  d->term = RBV_TAKE(a, DRIVE_PIECE, double);
  d->piece = RBV_TAKE(a, n * DRIVE_PIECE, double);
  d->registers = RBV_TAKE(a, m->nregister * EXPRESSION_CHUNK, double);
  d->adjoint = RBV_TAKE(a, rbv_adjoint_room(m), char);
  d->derivative = RBV_TAKE(a, 3 * n * n * LANES_MAX, double);
  d->loaded = RBV_TAKE(a, m->uses_torque ? rbv_loaded_room(n) : 0, char);
  d->swap = RBV_TAKE(a, n, int);
  d->block = RBV_TAKE(a, 2 * n * (m->nbody + 1), int);
  d->entry = RBV_TAKE(a, n * n, int);
  d->repeat = RBV_TAKE(a, 2 * n * m->nbody + 4 * n, int);
  d->term_entry = RBV_TAKE(a, 2 * m->nterm, int);
  rbv_contacts_layout(d, m, a);
  rbv_rigid_layout(d, m, a);
}

/* entry of a column in the pattern of a row; -1 if the pattern does not have it */
static int entry_of(const rbv_row *row, int column) {
  for (int k = 0; k < row->count; k++)
    if (row->columns[k] == column) return row->first + k;
  return -1;
}

static void find_entries(rbv_dynamics *d) {
  const rbv_model *m = d->model;
  const int n = m->njoint;
  d->rigid = -1;
  for (int c = 0; c < d->nchannel; c++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= m->nbody; j++)
        d->block[(c * n + i) * (m->nbody + 1) + j] =
            m->link_column[j] < 0 ? -1 : entry_of(&m->row[c * n + i], m->link_column[j]);
    // the kernel writes the first channel that includes the links
    if (d->rigid < 0 && side_acts(RBV_SIDE_LINK, d->channel[c])) d->rigid = c;
    for (int t = 0; t < m->nterm; t++)
      d->term_entry[c * m->nterm + t] =
          entry_of(&m->row[c * n + m->term[t].joint], m->term[t].column);
  }
}

/* the regressor computes the first count links */
static void use_links(rbv_dynamics *d, int count) {
  if (d->is_tree) return;
  d->used = d->chain;
  d->used.njoint = count;
  for (int i = 0; i < count && d->rigid >= 0; i++)
    for (int j = 0; j < count; j++) d->entry[i * count + j] = block_of(d, d->rigid, i, j);
}

static void add_repeat(rbv_dynamics *d, int *count, int to, int from) {
  int *pair = d->repeat + 2 * (d->nrepeat + d->npayload);
  pair[0] = to;
  pair[1] = from;
  ++*count;
}

/* the payload moves with a link; a second channel has the same link entries as the first */
static void find_repeats(rbv_dynamics *d) {
  const int n = d->model->njoint, nbody = d->model->nbody, first = d->rigid;
  d->nrepeat = d->npayload = 0;
  if (first < 0) return;
  for (int c = first + 1; c < d->nchannel; c++)
    for (int i = 0; i < n && side_acts(RBV_SIDE_LINK, d->channel[c]); i++)
      for (int j = 0; j < nbody; j++)
        if (block_of(d, c, i, j) >= 0)
          add_repeat(d, &d->nrepeat, block_of(d, c, i, j), block_of(d, first, i, j));
  for (int c = first; c < d->nchannel; c++)
    for (int i = 0; i < n; i++)
      if (block_of(d, c, i, nbody) >= 0)
        add_repeat(d, &d->npayload, block_of(d, c, i, nbody),
                   block_of(d, first, i, d->model->carrier));
}

rbv_status rbv_dynamics_new(rbv_dynamics **out, const rbv_model *m) {
  *out = NULL;
  if (!m) return rbv_fail(RBV_EARG, "rbv_dynamics_new: no model");
  RBV_TRY(rbv_laws_require(m, LAW_IN_DYNAMICS));
  rbv_dynamics sizes = {0};
  rbv_dynamics *d;
  RBV_CARVE_OBJECT(d, a, layout(&sizes, m, a));
  if (!d) return RBV_EMEM;
  *d = sizes;
  d->model = m;
  d->kernel = rbv_kernel_choose(LANES_MAX);
  d->chain = (kernel_chain){m->nbody, m->geometry, {m->gravity[0], m->gravity[1], m->gravity[2]}};
  d->nchannel = m->nrow / m->njoint;
  for (int c = 0; c < d->nchannel; c++) d->channel[c] = m->row[c * m->njoint].torque;
  d->nonlinear = -1;
  find_entries(d);
  find_repeats(d);
  rbv_rigid_set(d);
  use_links(d, m->njoint);
  *out = d;
  return RBV_OK;
}

void rbv_regressor_select(rbv_dynamics *d, const int *columns, int count) {
  const rbv_model *m = d->model;
  const int n = m->njoint, nbody = m->nbody;
  int links = 1;
  for (int c = 0; c < m->nterm * d->nchannel; c++) d->term_entry[c] = -1;
  for (int k = 0; k < count; k++) {
    const int column = columns[k];
    // the payload has the columns of the link that carries it
    for (int j = 0; j <= nbody; j++) {
      const int first = m->link_column[j], link = (j < nbody ? j : m->carrier) + 1;
      if (first >= 0 && column >= first && column < first + RBV_INERTIAL && link > links)
        links = link;
    }
    for (int t = 0; t < m->nterm; t++)
      for (int c = 0; c < d->nchannel && m->term[t].column == column; c++)
        d->term_entry[c * m->nterm + t] = entry_of(&m->row[c * n + m->term[t].joint], column);
  }
  use_links(d, links);
}

void rbv_dynamics_free(rbv_dynamics *d) { rbv_free(d); }

int rbv_dynamics_width(const rbv_dynamics *d) { return d->kernel->width; }

/* copy the inertial parameters to all lanes of the batch kernel */
static void fill_lanes(rbv_dynamics *d) {
  const int width = d->kernel->width;
  for (int i = 0; i < d->model->nbody * RBV_INERTIAL; i++)
    for (int k = 0; k < width; k++) d->link_lanes[i * width + k] = d->link[i];
}

void rbv_dynamics_limit_width(rbv_dynamics *d, int width) {
  d->kernel = rbv_kernel_choose(width);
  fill_lanes(d);
}

rbv_status rbv_dynamics_set(rbv_dynamics *d, const double *chi, bool loaded) {
  const rbv_model *m = d->model;
  const int n = m->njoint;
  for (int c = 0; c < m->ncolumn; c++)
    if (!isfinite(chi[c]))
      return rbv_fail(RBV_EARG, "parameter %s is not a finite number", m->column[c].name);
  memcpy(d->chi, chi, (size_t)m->ncolumn * sizeof *chi);
  for (int j = 0; j < m->nbody; j++)
    for (int c = 0; c < RBV_INERTIAL; c++) {
      double value = m->link_column[j] < 0 ? 0 : chi[m->link_column[j] + c];
      if (j == m->carrier && loaded && m->payload) value += chi[m->link_column[m->nbody] + c];
      d->link[j * RBV_INERTIAL + c] = value;
    }
  fill_lanes(d);
  memset(d->rotor, 0, (size_t)(n * n) * sizeof *d->rotor);
  d->nonlinear = -1;
  d->nload = 0;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    const bool uses_ddq = !term->law && m->expression[term->expression].uses_ddq;
    if (term->law && term->law->uses_torque && chi[term->column] != 0) d->nload++;
    if (d->nonlinear < 0 && chi[term->column] != 0 && uses_ddq) d->nonlinear = term->column;
    if (!law_is_of(term->law, RBV_LAW_ACCELERATION)) continue;
    for (int k = term->first; k < term->first + term->count; k++)
      d->rotor[term->joint + m->direction_joint[k] * n] +=
          chi[term->column] * term->gain * m->direction_weight[k];
  }
  return RBV_OK;
}

rbv_status rbv_dynamics_check_forward(const rbv_dynamics *d) {
  if (d->nonlinear < 0) return RBV_OK;
  const rbv_column *column = &d->model->column[d->nonlinear];
  return rbv_fail(
      RBV_EUNSUPPORTED,
      "column '%s' has ddq in its expression: the mass matrix is then not defined, only "
      "inverse dynamics",
      column->name);
}

/* ---- drives ---- */

/* sign of n <= DRIVE_PIECE speeds, smoothed if asked for; the speeds are padded to whole vectors */
static void coulomb(double *sign, const rbv_kernel *kernel, const double *v, rbv_smoothing how,
                    int n) {
  if (how.gamma > 0 || how.speed > 0)
    kernel->friction(sign, NULL, v, how, (n + kernel->width - 1) / kernel->width);
  else
    for (int i = 0; i < n; i++) sign[i] = (v[i] > 0 ? 1.0 : 0.0) - (v[i] < 0 ? 1.0 : 0.0);
}

/* states of n samples in which the law is steady */
static void steady(double *state, const drive_term *t, const double *v, const double *sign, int n) {
  double slope;
  for (int i = 0; i < n; i++)
    t->law->state_steady(&state[i], &slope,
                         &(rbv_law_input){.motion = v[i], .sign = sign[i], .shape = t->shape});
}

/* replace n <= DRIVE_PIECE speeds by gain * law; first: index of the first one in `at` */
static void eval_law(double *out, const rbv_kernel *kernel, const drive_term *t,
                     const drive_motion *at, ptrdiff_t first, int n) {
  static const double no_load[DRIVE_PIECE];
  double v[DRIVE_PIECE], sign[DRIVE_PIECE], state[DRIVE_PIECE];
  const bool steady_state = t->state >= 0 && !at->state, signs = t->law->steps || steady_state;
  memcpy(v, out, (size_t)n * sizeof *v);
  if (signs) {
    for (int i = n; i % kernel->width; i++) v[i] = 0;
    coulomb(sign, kernel, v, t->smoothing, n);
  }
  if (steady_state) steady(state, t, v, sign, n);
  const double *load = at->load ? at->load + first + t->joint * at->ldload : no_load;
  const double *states = NULL;
  if (t->state >= 0) states = steady_state ? state : at->state + first + t->state * at->ldstate;
  const law_samples samples = {.motion = v,
                               .sign = signs ? sign : NULL,
                               .torque = t->law->uses_torque ? load : NULL,
                               .state = states,
                               .shape = t->shape};
  t->law->values(out, t->gain, NULL, &samples, n);
}

void rbv_drive_eval(double *out, rbv_dynamics *d, const rbv_kernel *kernel, const drive_term *t,
                    const drive_motion *at, ptrdiff_t count) {
  const rbv_model *m = d->model;
  const double gain = t->gain;
  const ptrdiff_t ld = at->ld;
  if (!t->law) {
    rbv_expression_eval(out, &m->expression[t->expression], d->registers, at->q, at->dq, at->ddq,
                        ld, count);
    return;
  }
  if (t->law->motion == RBV_LAW_CONSTANT) {
    for (ptrdiff_t k = 0; k < count; k++) out[k] = gain;
    return;
  }
  // along the direction
  const double *const motion[] = {at->q, at->dq, at->ddq}, *x = motion[law_derivative(t->law)];
  for (ptrdiff_t k = 0; k < count; k++) out[k] = 0;
  for (int i = t->first; x && i < t->first + t->count; i++) {
    const double w = m->direction_weight[i], *xi = x + m->direction_joint[i] * ld;
    for (ptrdiff_t k = 0; k < count; k++) out[k] += w * xi[k];
  }
  if (t->passive) rbv_projection_speeds(out, d, t->passive, at, count);
  for (ptrdiff_t k = 0; k < count && t->law->linear; k++) out[k] *= gain;
  for (ptrdiff_t k = 0; k < count && !t->law->linear; k += DRIVE_PIECE)
    eval_law(out + k, kernel, t, at, k, count - k < DRIVE_PIECE ? (int)(count - k) : DRIVE_PIECE);
  if (t->passive) rbv_projection_factor(out, d, t->passive, t->joint, at, count);
}

void rbv_drives_add(double *tau, ptrdiff_t ldtau, rbv_dynamics *d, const rbv_kernel *kernel,
                    rbv_torque channel, double sign, const drive_motion *at, int count) {
  const rbv_model *m = d->model;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    const double chi = sign * d->chi[term->column];
    if (chi == 0 || !side_acts(m->column[term->column].side, channel)) continue;
    if (!at->ddq && law_is_of(term->law, RBV_LAW_ACCELERATION)) continue;
    rbv_drive_eval(d->term, d, kernel, term, at, count);
    for (int k = 0; k < count; k++) tau[term->joint * ldtau + k] += chi * d->term[k];
  }
}

/* ---- one sample ---- */

/* add the drives to the torque of the links, which is also the load of the gears */
static void add_drives(double *tau, rbv_dynamics *d, rbv_torque channel, const double *load,
                       const double *q, const double *dq, const double *ddq) {
  const drive_motion at = {.q = q, .dq = dq, .ddq = ddq, .ld = 1, .load = load, .ldload = 1};
  rbv_drives_add(tau, 1, d, &rbv_kernel_w1, channel, 1, &at, 1);
}

static const double *keep_load(rbv_dynamics *d, const double *tau) {
  if (!d->model->uses_torque) return NULL;
  memcpy(d->piece, tau, (size_t)d->model->njoint * sizeof *tau);
  return d->piece;
}

void rbv_dynamics_inverse(double *tau, rbv_dynamics *d, const double *q, const double *dq,
                          const double *ddq) {
  rbv_rigid_inverse(tau, 1, d, &rbv_kernel_w1, d->link, q, dq, ddq, 1);
  add_drives(tau, d, RBV_TORQUE_MOTOR, keep_load(d, tau), q, dq, ddq);
}

void rbv_dynamics_rows(double *tau, rbv_dynamics *d, const double *q, const double *dq,
                       const double *ddq) {
  const int n = d->model->njoint;
  rbv_rigid_inverse(d->row, 1, d, &rbv_kernel_w1, d->link, q, dq, ddq, 1);
  for (int c = 0; c < d->nchannel; c++) {
    const bool rigid = side_acts(RBV_SIDE_LINK, d->channel[c]);
    for (int j = 0; j < n; j++) tau[c * n + j] = rigid ? d->row[j] : 0;
    add_drives(tau + c * n, d, d->channel[c], d->row, q, dq, ddq);
  }
}

void rbv_dynamics_mass(double *M, rbv_dynamics *d, const double *q) {
  const int n = d->model->njoint;
  rbv_rigid_mass(M, d, &rbv_kernel_w1, d->link, q, 1);
  for (int k = 0; k < n * n; k++) M[k] = d->nonlinear < 0 ? M[k] + d->rotor[k] : NAN;
}

void rbv_dynamics_bias(double *N, rbv_dynamics *d, const double *q, const double *dq) {
  rbv_rigid_inverse(N, 1, d, &rbv_kernel_w1, d->link, q, dq, NULL, 1);
  add_drives(N, d, RBV_TORQUE_MOTOR, keep_load(d, N), q, dq, NULL);
}

void rbv_dynamics_forward(double *ddq, bool *regular, rbv_dynamics *d, const double *q,
                          const double *dq, const double *tau) {
  const int n = d->model->njoint;
  *regular = false;
  if (d->nonlinear >= 0) return;
  const drive_motion at = {.q = q, .dq = dq, .ld = 1};
  if (has_load(d)) {
    rbv_forward_loaded(ddq, 1, regular, d, &at, tau, 1);
    return;
  }
  memcpy(d->row, tau, (size_t)n * sizeof *tau);
  rbv_drives_add(d->row, 1, d, &rbv_kernel_w1, RBV_TORQUE_MOTOR, -1, &at, 1);
  rbv_rigid_forward(ddq, 1, regular, d, &rbv_kernel_w1, d->link, q, dq, 1, d->row, 1);
}
