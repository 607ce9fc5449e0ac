/* A robot as simulators describe it: bodies, and armature, damping, friction and
 * stiffness per joint. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linalg/linalg.h"

#include "export/export_internal.h"

/* ---- memory ---- */

static void layout(simulator_model *p, int nbody, int n, rbv_arena *a) {
  p->body = RBV_TAKE(a, nbody * RBV_INERTIAL, double);
  RBV_TAKE_ALL(a, n, double, &p->armature, &p->damping, &p->friction, &p->stiffness, &p->constant,
               &p->spring, &p->spring_damping);
  RBV_TAKE_ALL(a, nbody, double, &p->passive_damping, &p->passive_friction);
  p->tendon = RBV_TAKE(a, n, simulator_tendon);
  p->remark = RBV_TAKE(a, n * SIMULATOR_REMARK, char);
  p->weight = RBV_TAKE(a, n * n, double);
}

static simulator_model *new_model(const rbv_model *m) {
  simulator_model sizes = {.nbody = m->nbody, .njoint = m->njoint}, *p;
  RBV_CARVE_OBJECT(p, a, layout(&sizes, m->nbody, m->njoint, a));
  if (p) *p = sizes;
  return p;
}

rbv_status rbv_simulator_blank(simulator_model **out, const rbv_model *m) {
  *out = new_model(m);
  return *out ? RBV_OK : RBV_EMEM;
}

void rbv_simulator_free(simulator_model *p) { rbv_free(p); }

/* ---- drives ---- */

/* a term that acts on a joint along that joint's own motion alone */
static bool is_own(const rbv_model *m, const drive_term *t) {
  return t->count == 1 && m->direction_joint[t->first] == t->joint;
}

static const drive_term *first_term(const rbv_model *m, int column) {
  for (int t = 0; t < m->nterm; t++)
    if (m->term[t].column == column) return &m->term[t];
  return NULL;
}

static double direction(const rbv_model *m, const drive_term *t, int joint) {
  for (int k = t->first; k < t->first + t->count; k++)
    if (m->direction_joint[k] == joint) return m->direction_weight[k];
  return 0;
}

/* the tendon of a motor; it is created if it does not exist */
static simulator_tendon *tendon_of(simulator_model *p, const rbv_model *m, int motor) {
  for (int t = 0; t < p->ntendon; t++)
    if (p->tendon[t].motor == motor) return &p->tendon[t];
  const int n = p->njoint;
  double *w = p->weight + p->ntendon * n;
  for (int k = 0; k < n; k++)
    w[k] = m->transmission[motor + k * n] / m->transmission[motor + motor * n];
  p->tendon[p->ntendon].motor = motor;
  return &p->tendon[p->ntendon++];
}

/*
 * Friction of a motor that moves several joints: a tendon along w q with viscous b and Coulomb f
 * gives row i  w_i (b w dq + f sign(w dq)). A column whose rows leave their own joint out differs
 * from that by  b w_i^2 dq_i,  which is subtracted from the joints' damping. True: the column is
 * expressed.
 */
static bool add_tendon(simulator_model *p, const rbv_model *m, int column, double chi) {
  const rbv_column *c = &m->column[column];
  if (c->law->element != LAW_DAMPING && c->law->element != LAW_FRICTION) return false;
  const int n = p->njoint, motor = c->joint;
  bool leaves_out = false;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->column == column && direction(m, term, term->joint) == 0) leaves_out = true;
  }
  const bool sign = c->law->element == LAW_FRICTION;
  if (sign && leaves_out) return false;
  simulator_tendon *tendon = tendon_of(p, m, motor);
  const double *w = p->weight + (tendon - p->tendon) * n;
  if (sign) {
    tendon->friction += chi;
    return true;
  }
  tendon->damping += chi;
  for (int i = 0; i < n && leaves_out; i++) p->damping[i] -= chi * w[i] * w[i];
  return true;
}

static rbv_status cannot_say(export_job *e, int column, const char *why) {
  return rbv_export_note(e, "%s = %.6g %s cannot be expressed: %s", e->model->column[column].name,
                         e->chi[column], e->model->column[column].unit, why);
}

/* the joint attribute that expresses a law */
static double *element_of(simulator_model *p, law_element element) {
  switch (element) {
    case LAW_ARMATURE: return p->armature;
    case LAW_DAMPING: return p->damping;
    case LAW_FRICTION: return p->friction;
    case LAW_CONSTANT: return p->constant;
    case LAW_ELEMENT_NONE: return NULL;
  }
  return NULL;
}

/* loads of the gear of a joint at rest, in random poses; one zero for a law that does not depend on
 * them */
enum { POSES = 40 };
static rbv_status typical_loads(double *load, int *count, const export_job *e,
                                const drive_term *t) {
  const rbv_model *m = e->model;
  *count = 1;
  load[0] = 0;
  if (!t->law->uses_torque) return RBV_OK;
  const int n = m->njoint;
  double *chi = rbv_alloc((size_t)m->ncolumn * sizeof *chi);
  double *x = rbv_alloc(5 * (size_t)n * sizeof *x);
  rbv_dynamics *d = NULL;
  rbv_status status = chi && x ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  for (int c = 0; c < m->ncolumn && status == RBV_OK; c++)
    chi[c] = m->column[c].basis == RBV_BASIS_INERTIAL ? e->chi[c] : 0;
  if (status == RBV_OK) status = rbv_dynamics_set(d, chi, m->payload);
  for (int k = 0; k < POSES && status == RBV_OK; k++) {
    rbv_export_state(x, x + n, x + 2 * n, e, k);
    memset(x + n, 0, 2 * (size_t)n * sizeof *x);
    rbv_dynamics_inverse(x + 3 * n, d, x, x + n, x + 2 * n);
    load[k] = x[3 * n + t->joint];
  }
  *count = POSES;
  rbv_dynamics_free(d);
  rbv_free(x);
  rbv_free(chi);
  return status;
}

/* a sentence for the comment of a joint, and for the user */
static rbv_status remark(simulator_model *p, export_job *e, int joint, const char *sentence) {
  char *to = p->remark + joint * SIMULATOR_REMARK;
  const size_t used = strlen(to);
  snprintf(to + used, SIMULATOR_REMARK - used, "%s%s", used ? "; " : "", sentence);
  return rbv_export_note(e, "%s", sentence);
}

/*
 * The pair of Coulomb and viscous friction that is nearest to a law in steady motion, by least
 * squares over the speeds up to the joint's limit (1 rad/s or m/s if it has none), and over the
 * loads of poses at rest.
 */
static rbv_status add_nearest(simulator_model *p, export_job *e, int column) {
  enum { SPEEDS = 200 };
  const rbv_model *m = e->model;
  const drive_term *t = first_term(m, column);
  const double limit = m->joint[t->joint].limits.velocity, top = isfinite(limit) ? limit : 1;
  double load[POSES], s1 = 0, sv = 0, svv = 0, sf = 0, svf = 0, sff = 0;
  int count;
  RBV_TRY(typical_loads(load, &count, e, t));
  for (int k = 1; k <= SPEEDS * count; k++) {
    const double v = top * ((k - 1) % SPEEDS + 1) / SPEEDS;
    double z = 0;
    rbv_law_input at = {
        .motion = v, .sign = 1, .torque = load[(k - 1) / SPEEDS], .state = &z, .shape = t->shape};
    double unused;
    if (t->law->state_count > 0) t->law->state_steady(&z, &unused, &at);
    const double f = e->chi[column] * t->law->value(t->gain, &at);
    s1 += 1;
    sv += v;
    svv += v * v;
    sf += f;
    svf += v * f;
    sff += f * f;
  }
  const double det = s1 * svv - sv * sv;
  const double coulomb = (sf * svv - svf * sv) / det, slope = (s1 * svf - sv * sf) / det;
  // no damping from rounding, which could be negative
  const double viscous = fabs(slope) * top > 1e-9 * fabs(coulomb) ? slope : 0;
  const double rest = sff - coulomb * sf - viscous * svf;
  char sentence[SIMULATOR_REMARK];
  p->friction[t->joint] += coulomb;
  p->damping[t->joint] += viscous;
  snprintf(sentence, sizeof sentence,
           "%s = %.6g %s: %s; it is replaced by the nearest friction %.4g and damping %.4g up to "
           "%.3g rad/s or m/s%s, which differ by %.1f %%",
           m->column[column].name, e->chi[column], m->column[column].unit, t->law->reason, coulomb,
           viscous, top, t->law->uses_torque ? " and for the load of poses at rest" : "",
           sff > 0 ? 100 * sqrt(fmax(rest, 0) / sff) : 0);
  return remark(p, e, t->joint, sentence);
}

/* value of the column of a law at a joint; 0: there is none */
static double value_at(const export_job *e, const char *law, int joint) {
  const rbv_model *m = e->model;
  for (int c = 0; c < m->ncolumn; c++)
    if (m->column[c].joint == joint && rbv_column_has_law(&m->column[c], law) &&
        !rbv_is_coupling(&m->column[c]))
      return e->chi[c];
  return 0;
}

/*
 * Presliding as the LuGre friction of the actuator dcmotor (MuJoCo 3.8): bristles of stiffness f/h
 * without damping are the law of Dahl, and a Stribeck part is its static friction. The rest of the
 * friction stays at the joint.
 */
static rbv_status tell_lugre(export_job *e) {
  const rbv_model *m = e->model;
  for (int j = 0; j < m->njoint; j++) {
    const double f = value_at(e, "Fp", j), more = value_at(e, "Fs", j);
    const double h = rbv_model_shape(m, j, "presliding"), vs = rbv_model_shape(m, j, "stribeck");
    if (!(f > 0 && h > 0)) continue;
    RBV_TRY(rbv_export_note(
        e,
        "joint '%s': in an actuator dcmotor the presliding friction is lugre=\"%.6g 0 %.6g %.6g "
        "%.4g\" (stiffness, damping, Coulomb, static friction, Stribeck velocity); take %.6g from "
        "its frictionloss then",
        m->joint[j].name, f / h, f, f + (more > 0 ? more : 0), vs > 0 ? vs : 0.1, f));
  }
  return RBV_OK;
}

/* The formulas of an MJCF are its springs. Only its own document has their attributes. */
static bool is_spring(const rbv_model *m, int column) {
  return m->document && strcmp(rbv_model_format(m), "mjcf") == 0 && !m->column[column].law;
}

/* has a joint a spring of its own? */
static bool has_spring(const rbv_model *m, int joint) {
  for (int c = 0; c < m->ncolumn; c++)
    if (m->column[c].basis != RBV_BASIS_INERTIAL && is_spring(m, c) &&
        first_term(m, c)->joint == joint)
      return true;
  return false;
}

/* A constant torque as a spring that is far from its rest. */
static rbv_status add_constant(simulator_model *p, export_job *e, int column) {
  const rbv_model *m = e->model;
  const drive_term *t = first_term(m, column);
  if (!is_own(m, t) || has_spring(m, t->joint))
    return cannot_say(e, column, "the joint has a spring, or the motor moves several joints");
  p->constant[t->joint] += e->chi[column] * t->gain;
  p->stiffness[t->joint] = SIMULATOR_SOFT * fabs(p->constant[t->joint]);
  return rbv_export_note(e,
                         "%s = %.6g %s is written as stiffness and springref: a spring so far from "
                         "its rest that its torque is constant",
                         m->column[column].name, e->chi[column], m->column[column].unit);
}

/* the spring of an elastic joint: the motor gets a joint of its own */
static rbv_status add_spring(simulator_model *p, export_job *e, int column) {
  const rbv_column *c = &e->model->column[column];
  if (rbv_column_has_law(c, "Kc")) return cannot_say(e, column, c->law->reason);
  *(rbv_column_has_law(c, "Kj") ? &p->spring[c->joint] : &p->spring_damping[c->joint]) =
      e->chi[column];
  return RBV_OK;
}

/* add the part of a drive column that acts on the joint's own motion */
static rbv_status add_column(simulator_model *p, export_job *e, int column, bool mjcf,
                             bool tendons) {
  const rbv_model *m = e->model;
  const double chi = e->chi[column];
  const rbv_law *law = m->column[column].law;
  if (!law && mjcf && is_spring(m, column)) {
    p->stiffness[first_term(m, column)->joint] = chi;
    return RBV_OK;
  }
  if (!law) return cannot_say(e, column, "it is a formula of the robot file");
  if (law->spring && mjcf) return add_spring(p, e, column);
  if (first_term(m, column)->of_passive && law->element != LAW_DAMPING &&
      law->element != LAW_FRICTION)
    return cannot_say(e, column, "the joint is passive");
  if (law->has_pair) return add_nearest(p, e, column);
  if (!(mjcf ? law->mjcf : law->urdf)) return cannot_say(e, column, law->reason);
  if (law->element == LAW_CONSTANT) return add_constant(p, e, column);
  const int passive = first_term(m, column)->of_passive;
  if (passive) {
    double *to = law->element == LAW_DAMPING ? p->passive_damping : p->passive_friction;
    to[passive - 1] += chi;
    return RBV_OK;
  }
  const bool rotor = law->element == LAW_ARMATURE, sign = law->element == LAW_FRICTION;

  bool coupled = false;
  for (int t = 0; t < m->nterm; t++)
    coupled = coupled || (m->term[t].column == column && !is_own(m, &m->term[t]));
  if (coupled && !rotor) {
    if (tendons && add_tendon(p, m, column, chi)) return RBV_OK;
    return cannot_say(e, column, "it couples joints");
  }
  double *const to = element_of(p, law->element);
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->column != column) continue;
    const double w = direction(m, term, term->joint);
    to[term->joint] += chi * term->gain * (sign ? copysign(1, w) : w);
  }
  if (!coupled) return RBV_OK;
  return rbv_export_note(e,
                         "%s = %.6g %s couples joints: what it adds to its own joint is written, "
                         "the terms between joints cannot be expressed",
                         m->column[column].name, chi, m->column[column].unit);
}

static void add_bodies(simulator_model *p, const rbv_model *m, const double *chi) {
  const int n = m->nbody;
  for (int j = 0; j < n; j++)
    for (int c = 0; c < RBV_INERTIAL && m->link_column[j] >= 0; c++) {
      double *x = &p->body[j * RBV_INERTIAL + c];
      *x = chi[m->link_column[j] + c];
      if (j == m->carrier && m->payload) *x += chi[m->link_column[n] + c];
    }
}

/* smoothing of the Coulomb friction that was written; NaN: it differs between joints */
static void note_smoothing(rbv_smoothing *all, bool *any, const rbv_model *m, int column) {
  const rbv_smoothing own = first_term(m, column)->smoothing;
  *all = (rbv_smoothing){.gamma = *any && own.gamma != all->gamma ? NAN : own.gamma,
                         .speed = *any && own.speed != all->speed ? NAN : own.speed};
  *any = true;
}

/* the law that simulators replace by their own */
static rbv_status tell_smoothing(export_job *e, rbv_smoothing all) {
  char number[32];
  const bool differs = isnan(all.gamma) || isnan(all.speed);
  if (!differs && all.gamma == 0 && all.speed == 0) return RBV_OK;
  snprintf(number, sizeof number, "%g", all.gamma > 0 ? all.gamma : all.speed);
  if (all.gamma != 0)
    return rbv_export_note(e,
                           "Coulomb friction follows (2/pi) atan(%s dq) in this robot; the "
                           "format has its own law",
                           differs ? "gamma" : number);
  return rbv_export_note(e,
                         "Coulomb friction follows dq/sqrt(dq^2 + v0^2) in this robot, with v0 "
                         "%s%s; the format has its own law",
                         differs ? "of each joint" : "= ", differs ? "" : number);
}

rbv_status rbv_simulator_new(simulator_model **out, export_job *e, bool mjcf, bool tendons) {
  *out = NULL;
  const rbv_model *m = e->model;
  simulator_model *p = new_model(m);
  if (!p) return RBV_EMEM;
  add_bodies(p, m, e->chi);
  rbv_status status = RBV_OK;
  bool any = false;
  rbv_smoothing smoothing = {0};
  for (int c = 0; c < m->ncolumn && status == RBV_OK; c++) {
    if (m->column[c].basis == RBV_BASIS_INERTIAL || e->chi[c] == 0 || !first_term(m, c)) continue;
    if (m->column[c].law && m->column[c].law->element == LAW_FRICTION)
      note_smoothing(&smoothing, &any, m, c);
    status = add_column(p, e, c, mjcf, tendons);
  }
  if (status == RBV_OK && mjcf) status = tell_lugre(e);
  if (status == RBV_OK) status = tell_smoothing(e, smoothing);
  if (status == RBV_OK && m->payload)
    status = rbv_export_note(e, "the payload is part of the last link");
  if (status != RBV_OK)
    rbv_simulator_free(p);
  else
    *out = p;
  return status;
}

/* ---- physical consistency ---- */

/* pseudo-inertia [S h; h' m], S = trace(I)/2 - I */
static rbv_status is_consistent(bool *yes, const double b[10]) {
  const double half = (b[0] + b[3] + b[5]) / 2;
  // clang-format off
  double P[16] = {half - b[0], -b[1],       -b[2],       b[6],
                  -b[1],       half - b[3], -b[4],       b[7],
                  -b[2],       -b[4],       half - b[5], b[8],
                  b[6],        b[7],        b[8],        b[9]};
  // clang-format on
  return rbv_cholesky(yes, P, 4, 4);
}

static rbv_status doubt(export_job *e, bool *go_on, const char *what) {
  *go_on = e->options->force;
  if (e->options->force) return rbv_export_note(e, "written although %s", what);
  return rbv_export_refuse(e,
                           "%s. Identify physically consistent links (option consistent); force "
                           "writes it anyway",
                           what);
}

/* a first moment without mass has no centre of mass */
static bool has_centre(const double b[10]) {
  return b[9] > 0 || (b[9] == 0 && b[6] == 0 && b[7] == 0 && b[8] == 0);
}

static rbv_status check_joint(export_job *e, const simulator_model *p, int body, bool *go_on) {
  const double *b = p->body + body * RBV_INERTIAL;
  const char *name = e->model->body[body].name;
  const int j = e->model->coordinate[body];
  char what[256] = "";
  bool consistent;
  RBV_TRY(is_consistent(&consistent, b));
  if (!consistent)
    snprintf(
        what, sizeof what,
        "the link moved by joint '%.64s' cannot exist (mass %.6g kg; its pseudo-inertia is not "
        "positive definite)",
        name, b[9]);
  else if (j < 0)
    return RBV_OK;
  else if (p->armature[j] < 0 || p->damping[j] < 0 || p->friction[j] < 0)
    snprintf(what, sizeof what,
             "joint '%.64s' has a negative armature, damping or friction (%.6g, %.6g, %.6g)", name,
             p->armature[j], p->damping[j], p->friction[j]);
  return what[0] ? doubt(e, go_on, what) : RBV_OK;
}

rbv_status rbv_simulator_check(export_job *e, const simulator_model *p) {
  for (int j = 0; j < p->nbody; j++) {
    const double *b = p->body + j * RBV_INERTIAL;
    if (has_centre(b)) continue;
    return rbv_export_refuse(
        e,
        "the link moved by joint '%s' has the mass %.6g kg and the first "
        "moment (%.3g, %.3g, %.3g) kg m, so there is no centre of mass to "
        "write: base parameters do not separate the bodies. Identify physically consistent links "
        "(option consistent)",
        e->model->body[j].name, b[9], b[6], b[7], b[8]);
  }
  bool go_on = true;
  for (int j = 0; j < p->nbody && go_on; j++)
    if (e->model->link_column[j] >= 0) RBV_TRY(check_joint(e, p, j, &go_on));
  for (int t = 0; t < p->ntendon && go_on; t++)
    if (p->tendon[t].damping < 0 || p->tendon[t].friction < 0)
      RBV_TRY(doubt(e, &go_on, "the friction of a coupling is negative"));
  return RBV_OK;
}

void rbv_body_centre(double *mass, double centre[3], double inertia[6], const double b[10]) {
  const double m = b[9];
  *mass = m;
  for (int i = 0; i < 3; i++) centre[i] = m > 0 ? b[6 + i] / m : 0;
  const double x = centre[0], y = centre[1], z = centre[2];
  const double shift[6] = {y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y};
  for (int k = 0; k < 6; k++) inertia[k] = b[k] - m * shift[k];
}

/* ---- torque ---- */

rbv_status rbv_simulator_torque_new(simulator_torque *out, const rbv_model *m,
                                    const simulator_model *p) {
  *out = (simulator_torque){.simulator_model = p};
  double *chi = rbv_alloc((size_t)m->ncolumn * sizeof *chi);
  rbv_status status = chi ? rbv_dynamics_new(&out->rigid, m) : RBV_EMEM;
  if (status == RBV_OK) {
    for (int j = 0; j < p->nbody; j++)
      if (m->link_column[j] >= 0)
        memcpy(chi + m->link_column[j], p->body + j * RBV_INERTIAL, RBV_INERTIAL * sizeof *chi);
    status = rbv_dynamics_set(out->rigid, chi, false);
  }
  rbv_free(chi);
  if (status != RBV_OK) rbv_simulator_torque_free(out);
  return status;
}

void rbv_simulator_torque_free(simulator_torque *t) {
  rbv_dynamics_free(t->rigid);
  t->rigid = NULL;
}

static double sign(double v) { return (v > 0) - (v < 0); }

void rbv_simulator_torque_eval(double *tau, simulator_torque *t, const double *q, const double *dq,
                               const double *ddq) {
  const simulator_model *p = t->simulator_model;
  const int n = p->njoint;
  rbv_dynamics_inverse(tau, t->rigid, q, dq, ddq);
  for (int j = 0; j < n; j++)
    tau[j] += p->armature[j] * ddq[j] + p->damping[j] * dq[j] + p->friction[j] * sign(dq[j]) +
              p->stiffness[j] * q[j] + p->constant[j];
  for (int k = 0; k < p->ntendon; k++) {
    const double *w = p->weight + k * n;
    double v = 0;
    for (int j = 0; j < n; j++) v += w[j] * dq[j];
    const double pull = p->tendon[k].damping * v + p->tendon[k].friction * sign(v);
    for (int j = 0; j < n; j++) tau[j] += w[j] * pull;
  }
}
