#include "export/code_table.h"

#include <math.h>
#include <string.h>

#define REGROUP_TOLERANCE 2e-13
#define PAYLOAD_COLUMNS 4  // first moments and mass

/* ---- the functions ---- */

static int joints(const coder *c) { return c->m->njoint; }
static int squares(const coder *c) { return c->m->njoint * c->m->njoint; }
static int entries(const coder *c) { return c->m->nrow * c->base->count; }
static int states(const coder *c) { return c->m->nstate; }

static rbv_status write_inverse(node *out, graph *g, const coder *c) {
  return rbv_write_inverse(out, g, c->m, c->chi);
}
static rbv_status write_gravity(node *out, graph *g, const coder *c) {
  return rbv_write_gravity(out, g, c->m, c->chi);
}
static rbv_status write_friction(node *out, graph *g, const coder *c) {
  return rbv_write_friction(out, g, c->m, c->chi);
}
static rbv_status write_mass(node *out, graph *g, const coder *c) {
  return rbv_write_mass(out, g, c->m, c->chi);
}
static rbv_status write_regressor(node *out, graph *g, const coder *c) {
  return rbv_write_regressor(out, g, c->m, c->chi, c->base->kept, c->base->count);
}
static rbv_status write_step(node *out, graph *g, const coder *c) {
  return rbv_write_step(out, g, c->m);
}

static int four_joints(const coder *c) { return 4 * c->m->njoint; }
static int two_joints(const coder *c) { return 2 * c->m->njoint; }
static int pose_size(const coder *c) {
  (void)c;
  return 12;
}
static int jacobian_size(const coder *c) { return 6 * c->m->njoint; }

static rbv_status write_momentum(node *out, graph *g, const coder *c) {
  return rbv_write_momentum(out, g, c->m, c->chi);
}
/* p of all columns of joint 0, of joint 1, ...; then b in the same order */
static int payload_size(const coder *c) { return PAYLOAD_COLUMNS * two_joints(c); }
static int two_squares(const coder *c) { return 2 * squares(c); }

static rbv_status write_payload(node *out, graph *g, const coder *c) {
  return rbv_write_payload_momentum(out, g, c->m);
}

static rbv_status write_derivatives(node *out, graph *g, const coder *c) {
  const int n = c->m->njoint;
  node tau[MOVING_MAX];
  RBV_TRY(rbv_write_inverse(tau, g, c->m, c->chi));
  for (int k = 0; k < 2 * n; k++)
    RBV_TRY(rbv_graph_derivative(out + n * k, g, tau, n, k < n ? NODE_Q : NODE_DQ, k % n));
  return RBV_OK;
}
static rbv_status write_pose(node *out, graph *g, const coder *c) {
  return rbv_write_tool_pose(out, g, c->m);
}
static rbv_status write_jacobian(node *out, graph *g, const coder *c) {
  return rbv_write_tool_jacobian(out, g, c->m);
}

static const double still[MOVING_MAX] = {0};

static rbv_states one_state(const graph_inputs *at) {
  return (rbv_states){
      .count = 1, .ld = 1, .q = at->x[0], .dq = at->x[1], .ddq = at->x[2], .state = at->x[3]};
}

static void want_inverse(double *out, coder *c, const graph_inputs *at) {
  const rbv_states s = one_state(at);
  rbv_dynamics_inverse_batch(out, 1, c->full, &s);
}
static void want_gravity(double *out, coder *c, const graph_inputs *at) {
  rbv_dynamics_inverse(out, c->links, at->x[0], still, still);
}
/* friction has no acceleration, and the load is that of the links */
static void want_friction(double *out, coder *c, const graph_inputs *at) {
  double load[MOVING_MAX];
  rbv_states s = one_state(at);
  rbv_dynamics_load_batch(load, 1, c->links, &s);
  s.load = load;
  s.ddq = still;
  rbv_dynamics_inverse_batch(out, 1, c->friction, &s);
}
static void want_mass(double *out, coder *c, const graph_inputs *at) {
  rbv_dynamics_mass(out, c->full, at->x[0]);
}
/* p = M dq; C'dq is half the gradient of dq' M(q) dq, gravity is the torque at rest */
static void momentum_of(double *out, coder *c, rbv_dynamics *full, rbv_dynamics *links,
                        const graph_inputs *state) {
  const double *q = state->x[0], *dq = state->x[1];
  const int n = c->m->njoint;
  double *M = c->square, *at = M + n * n, *rest = at + n * n;
  rbv_dynamics_mass(M, full, q);
  rbv_dynamics_derivatives(at, NULL, NULL, links, q, still, dq);
  rbv_dynamics_derivatives(rest, NULL, NULL, links, q, still, still);
  rbv_dynamics_inverse(out + n, links, q, still, still);
  for (int i = 0; i < n; i++) {
    double slope = 0;
    out[i] = 0;
    for (int k = 0; k < n; k++) {
      out[i] += M[i + k * n] * dq[k];
      slope += 0.5 * dq[k] * (at[k + i * n] - rest[k + i * n]);
    }
    out[n + i] = slope - out[n + i];
  }
}
static void want_momentum(double *out, coder *c, const graph_inputs *at) {
  momentum_of(out, c, c->full, c->links, at);
}
/* ten parameters of a unit mass at c (k = 3), or of a unit of first moment about c along axis k:
 * the derivative of those of a point mass */
static void point_body(double body[RBV_INERTIAL], const double p[3], int k) {
  double e[3] = {0};
  if (k < 3) e[k] = 1;
  const double *a = k < 3 ? e : p, factor = k < 3 ? 2 : 1;
  const double along = factor * (a[0] * p[0] + a[1] * p[1] + a[2] * p[2]);
  for (int r = 0, i = 0; r < 3; r++)
    for (int s = r; s < 3; s++, i++)
      body[i] = (r == s ? along : 0) - 0.5 * factor * (a[r] * p[s] + a[s] * p[r]);
  for (int r = 0; r < 3; r++) body[6 + r] = a[r];
  body[9] = k < 3 ? 0 : 1;
}
static void want_payload(double *out, coder *c, const graph_inputs *at) {
  double *body = &c->unit[c->m->link_column[c->m->nbody - 1]], one[2 * MOVING_MAX] = {0};
  for (int k = 0; k < PAYLOAD_COLUMNS; k++) {
    point_body(body, at->x[NODE_POINT - NODE_Q], k);
    if (rbv_dynamics_set(c->body, c->unit, false) == RBV_OK)
      momentum_of(one, c, c->body, c->body, at);
    for (int i = 0; i < two_joints(c); i++) out[PAYLOAD_COLUMNS * i + k] = one[i];
  }
}
static void want_derivatives(double *out, coder *c, const graph_inputs *at) {
  rbv_dynamics_derivatives(out, out + squares(c), NULL, c->full, at->x[0], at->x[1], at->x[2]);
}
static void want_pose(double *out, coder *c, const graph_inputs *at) {
  rbv_dynamics_pose(out, out + 9, c->full, at->x[0], c->m->nbody - 1);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[9 + i] += out[i + 3 * k] * c->m->tip[k];
}
static void want_jacobian(double *out, coder *c, const graph_inputs *at) {
  rbv_dynamics_jacobian(out, c->full, at->x[0], c->m->nbody - 1, c->m->tip);
}
/* the regressor is compared by its torque */
static void want_regressor(double *out, coder *c, const graph_inputs *at) {
  const rbv_states s = one_state(at);
  rbv_dynamics_rows_batch(out, 1, c->full, &s);
}
static void want_step(double *out, coder *c, const graph_inputs *at) {
  const rbv_model *m = c->m;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->state < 0) continue;
    double v = 0;
    for (int i = term->first; i < term->first + term->count; i++)
      v += m->direction_weight[i] * at->x[1][m->direction_joint[i]];
    out[term->state] = at->x[3][term->state];
    term->law->state_step(&out[term->state], &(rbv_law_input){.motion = v, .shape = term->shape},
                          at->x[4][0]);
  }
}

/* A function with write_WORD and want_WORD: word, name, output, number of values, text, inputs. */
#define FUNCTION(word_, name_, out_, count_, what_, ...) \
  { name_, out_, what_, {__VA_ARGS__}, count_, write_##word_, want_##word_ }

#define write_elastic rbv_code_write_elastic
#define want_elastic rbv_code_want_elastic

const code_function rbv_code_functions[EXPORT_FUNCTIONS] = {
    FUNCTION(inverse, "inverse_dynamics", "tau", joints,
             "Torque of the motors, with friction, rotors and all other columns.", YES, YES, YES,
             WITH_STATES, NO),
    FUNCTION(gravity, "gravity", "tau", joints, "Torque that gravity asks for.", YES, NO, NO, NO,
             NO),
    FUNCTION(friction, "friction", "tau", joints, "Friction and offsets of the drives.", WITH_LOAD,
             YES, WITH_LOAD, WITH_STATES, NO),
    FUNCTION(mass, "mass_matrix", "M", squares, "Mass matrix with rotors, column-major.", YES, NO,
             NO, NO, NO),
    FUNCTION(regressor, "regressor", "W", entries,
             "Base regressor, ROWS x BASE, column-major: W times the base values is the torque of "
             "all rows.",
             YES, YES, YES, WITH_STATES, NO),
    FUNCTION(step, "step", "next", states,
             "States of friction z after a time dt [s] at constant velocities; next may be z. "
             "Start with zeros.",
             NO, YES, NO, YES, YES),
    FUNCTION(
        momentum, "momentum", "m", two_joints,
        "For a momentum observer: p = M dq, then b = C'dq - gravity; dp/dt = b + tau - friction.",
        YES, YES, NO, NO, NO, YES, YES),
    FUNCTION(
        pose, "tool_pose", "T", pose_size,
        "Rotation of the last frame in the base, column-major, and the position of the tool [m].",
        YES, NO, NO, NO, NO),
    FUNCTION(
        jacobian, "tool_jacobian", "J", jacobian_size,
        "Jacobian of the tool, 6 x JOINTS, column-major: its velocity, then its angular velocity.",
        YES, NO, NO, NO, NO),
    FUNCTION(payload, "payload_momentum", "m", payload_size,
             "Momentum p and b as above of a body on the last link near the point c [m], for each "
             "of its first moments about c [kg m] and its mass [kg] alone: p of joint i and column "
             "k at [4 i + k], b behind all p.",
             YES, YES, NO, NO, NO, YES, YES, YES),
    FUNCTION(derivatives, "derivatives", "D", two_squares,
             "Derivatives of inverse_dynamics by q, then by dq, JOINTS x JOINTS each, "
             "column-major; by ddq they are the mass matrix.",
             YES, YES, YES, NO, NO),
    FUNCTION(elastic, "elastic_dynamics", "out", four_joints,
             "Elastic joints: motors for a motion of the links with its third and fourth "
             "derivatives. Torque of the motors, their positions, their velocities, and the rates "
             "of the deflections, JOINTS each. Joints with damping need their deflection bend "
             "(motor less link): start with the stiffness's, and add the rates times dt / (1 + dt "
             "stiffness / damping) in every step; of others bend is not used. All other functions "
             "are those of rigid joints.",
             YES, YES, YES, NO, NO, NO, NO, NO, YES, YES, YES),
};

bool rbv_code_is_regressor(const code_function *f) { return f->write == write_regressor; }

bool rbv_code_has_mass(const coder *c) { return rbv_dynamics_check_forward(c->full) == RBV_OK; }

bool rbv_code_has_tool(const coder *c) { return c->m->ntip == 1; }

/* the library differentiates formulas of the robot file by differences, and has no derivatives of
 * laws with states */
static bool has_derivatives(const coder *c) {
  bool formula = false;
  for (int t = 0; t < c->m->nterm; t++) formula = formula || !c->m->term[t].law;
  return !formula && c->m->nstate == 0;
}

bool rbv_code_is_absent(const code_function *f, const coder *c) {
  if (f->write == write_step) return c->m->nstate == 0;
  if (f->write == write_elastic) return !rbv_code_has_elastic(c);
  if (f->write == write_derivatives) return !c->e->options->derivatives || !has_derivatives(c);
  const bool needs_tool =
      f->write == write_pose || f->write == write_jacobian || f->write == write_payload;
  const bool needs_mass =
      f->write == write_mass || f->write == write_momentum || f->write == write_payload;
  return (needs_tool && !rbv_code_has_tool(c)) || (needs_mass && !rbv_code_has_mass(c));
}

rbv_status rbv_code_notes(const coder *c) {
  if (!rbv_code_has_mass(c))
    RBV_TRY(rbv_export_note(c->e, "there is no mass_matrix: %s", rbv_message()));
  if (!rbv_code_has_tool(c))
    RBV_TRY(rbv_export_note(c->e,
                            "the robot has %d tips, so there are no pose, Jacobian, wrench and "
                            "payload of a tool: write the code of one limb for them",
                            c->m->ntip));
  if (rbv_code_is_elastic(c) && !rbv_code_has_elastic(c))
    RBV_TRY(rbv_export_note(c->e,
                            "the joints are elastic, and all functions are those of rigid joints: "
                            "there is no elastic_dynamics, because friction of this robot has "
                            "states or depends on the load, or there are formulas of its own"));
  if (c->e->options->derivatives && !has_derivatives(c))
    RBV_TRY(rbv_export_note(c->e,
                            "there are no derivatives: friction of this robot has states, or "
                            "formulas of its own"));
  return RBV_OK;
}

bool rbv_code_takes(const code_function *f, const coder *c, int input) {
  const input_use use = f->takes[input];
  if (use == WITH_LOAD)
    return rbv_export_has_load(c->m, c->chi) ||
           (input == 0 && rbv_export_has_position(c->m, c->chi));
  return use == YES || (use == WITH_STATES && c->m->nstate > 0);
}

int rbv_code_compared(const code_function *f, const coder *c) {
  return rbv_code_is_regressor(f) ? c->m->nrow : f->count(c);
}

/* ---- preparing ---- */

void rbv_code_free(coder *c) {
  rbv_base_free(c->base);
  rbv_free(c->values);
  rbv_free(c->chi);
  rbv_dynamics_free(c->full);
  rbv_dynamics_free(c->links);
  rbv_dynamics_free(c->friction);
  rbv_dynamics_free(c->body);
  rbv_dynamics_free(c->drives);
  rbv_free(c->spring);
  rbv_free(c->unit);
  rbv_free(c->dry);
  rbv_graph_free(&c->g);
  rbv_graph_free(&c->plain);
  RBV_FREE_ALL(c->output, c->value, c->extra, c->square);
}

/*
 * Put base parameters at their columns if the motor torque is measured. With a torque sensor only
 * the links are regrouped, and nothing is regrouped if no channel includes the links. Friction and
 * offsets keep their values, because gravity and friction are separate functions, and gravity on a
 * vertical prismatic joint is constant like an offset.
 */
static rbv_status regroup(coder *c) {
  const rbv_model *m = c->m;
  const double *chi = c->e->chi;
  memcpy(c->chi, chi, (size_t)m->ncolumn * sizeof *chi);
  if (m->sensing == RBV_SENSING_DIFFERENCE) return RBV_OK;
  rbv_base_options options = rbv_base_defaults();
  rbv_base *base = NULL;
  // rotors are no load: they stay apart where friction depends on it
  const bool rotors = m->sensing == RBV_SENSING_MOTOR && !rbv_export_has_load(m, chi);
  options.columns = rotors ? RBV_COLUMNS_RIGID : RBV_COLUMNS_INERTIAL;
  RBV_TRY(rbv_base_new(&base, m, &options));
  double *block = rbv_alloc((size_t)(base->count + m->ncolumn) * sizeof *block);
  if (block) {
    rbv_base_values(block, base, chi);
    rbv_base_expand(block + base->count, base, block);
    for (int k = 0; k < m->ncolumn; k++) {
      const bool rotor = law_is_of(m->column[k].law, RBV_LAW_ACCELERATION);
      if (m->column[k].basis == RBV_BASIS_INERTIAL || (rotors && rotor))
        c->chi[k] = block[base->count + k];
    }
  }
  rbv_free(block);
  rbv_base_free(base);
  return block ? RBV_OK : RBV_EMEM;
}

static rbv_status new_dynamics(rbv_dynamics **out, const coder *c, bool links, bool drives) {
  const rbv_model *m = c->m;
  RBV_NEW(double, chi, m->ncolumn);
  for (int k = 0; k < m->ncolumn; k++) {
    const bool friction = rbv_is_friction(&m->column[k]);
    if (m->column[k].basis == RBV_BASIS_INERTIAL ? links : drives && (links || friction))
      chi[k] = c->e->chi[k];
  }
  rbv_status status = rbv_dynamics_new(out, m);
  if (status == RBV_OK) status = rbv_dynamics_set(*out, chi, m->payload);
  rbv_free(chi);
  return status;
}

/* largest change of torque by regrouping, as a fraction of the state's torque */
static rbv_status regrouping_error(double *out, const coder *c) {
  const int n = c->m->njoint;
  double *block = rbv_alloc(5 * (size_t)n * sizeof *block);
  rbv_dynamics *d = NULL;
  rbv_status status = block ? rbv_dynamics_new(&d, c->m) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_dynamics_set(d, c->chi, c->m->payload);
  *out = 0;
  for (int k = 0; k < EXPORT_STATES && status == RBV_OK; k++) {
    double size = 0, difference = 0, *q = block, *want = q + 3 * n, *got = want + n;
    rbv_export_state(q, q + n, q + 2 * n, c->e, k);
    rbv_dynamics_inverse(want, c->full, q, q + n, q + 2 * n);
    rbv_dynamics_inverse(got, d, q, q + n, q + 2 * n);
    for (int j = 0; j < n; j++)
      if (isfinite(want[j])) {
        size = fmax(size, fabs(want[j]));
        difference = fmax(difference, fabs(want[j] - got[j]));
      }
    if (size > 0) *out = fmax(*out, difference / size);
  }
  rbv_dynamics_free(d);
  rbv_free(block);
  return status;
}

rbv_status rbv_code_prepare(coder *c) {
  const rbv_model *m = c->m;
  RBV_TRY(rbv_base_new(&c->base, m, NULL));
  c->values = rbv_alloc((size_t)c->base->count * sizeof *c->values);
  c->chi = rbv_alloc((size_t)m->ncolumn * sizeof *c->chi);
  RBV_TRY(rbv_code_prepare_elastic(c));
  int largest = 0;
  for (int i = 0; i < EXPORT_FUNCTIONS; i++)
    if (rbv_code_functions[i].count(c) > largest) largest = rbv_code_functions[i].count(c);
  c->output = rbv_alloc((size_t)largest * sizeof *c->output);
  c->extra = rbv_alloc((size_t)(m->nstate + 1 + 5 * m->njoint + 3) * sizeof *c->extra);
  c->square = rbv_alloc(3 * (size_t)squares(c) * sizeof *c->square);
  c->unit = rbv_alloc((size_t)m->ncolumn * sizeof *c->unit);
  if (!c->unit || !c->values || !c->chi || !c->output || !c->extra || !c->square) return RBV_EMEM;
  rbv_base_values(c->values, c->base, c->e->chi);
  RBV_TRY(new_dynamics(&c->full, c, true, true));
  RBV_TRY(regroup(c));
  // relations between frames at arbitrary angles have fewer digits: then nothing is regrouped
  double error;
  RBV_TRY(regrouping_error(&error, c));
  if (!(error <= REGROUP_TOLERANCE)) memcpy(c->chi, c->e->chi, (size_t)m->ncolumn * sizeof *c->chi);
  RBV_TRY(rbv_dynamics_new(&c->body, m));
  RBV_TRY(new_dynamics(&c->links, c, true, false));
  return new_dynamics(&c->friction, c, false, true);
}
