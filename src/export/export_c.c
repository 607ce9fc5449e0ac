/*
 * C code of one robot: a C99 source and its header, which need libm only. Standard parameters are
 * regrouped to base parameters first: the torques are the same and most terms vanish.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/baseparam.h>
#include <roberval/sys/document.h>

#include "export/export_control.h"
#include "export/export_internal.h"
#include "export/recursion.h"

#define JOINTS_MAX 100  // limit of the model
#define REGROUP_TOLERANCE 2e-13
#define SINGLE_TOLERANCE 1e-4  // of the self-test of single-precision code
#define TESTS 4                // states of the self-test
#define TEST_CANDIDATES 10000  // states drawn until TESTS of them have finite torques

/* Inputs of the code, and the library objects with which it is compared. */
typedef struct {
  export_job *e;
  const rbv_model *m;
  rbv_base *base;
  double *values;          // base.count
  double *chi;             // regrouped, ncolumn
  rbv_dynamics *full;      // with the parameters as they were given
  rbv_dynamics *links;     // the same without drives
  rbv_dynamics *friction;  // friction and offsets alone
  graph g, plain;
  node *output;       // of the function being written
  double *value;      // of all nodes
  double *law_state;  // states of laws in a comparison, and a time
  double *square;     // 3 njoint x njoint: scratch memory
  bool helpers[GRAPH_HELPERS];
  char upper[64];
} coder;

/* ---- the functions ---- */

/* When a function takes an input: never, always, if friction depends on loads, if laws have states.
 */
typedef enum { NO, YES, WITH_LOAD, WITH_STATES } input_use;

typedef struct {
  const char *name, *out, *what;
  input_use takes[GRAPH_INPUTS];
  int (*count)(const coder *c);
  rbv_status (*write)(node *out, graph *g, const coder *c);
  /* the same values from the library: the torque of the output, or the output itself */
  void (*want)(double *out, coder *c, const graph_inputs *at);
} function;

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

static int two_joints(const coder *c) { return 2 * c->m->njoint; }
static int pose_size(const coder *c) {
  (void)c;
  return 12;
}
static int jacobian_size(const coder *c) { return 6 * c->m->njoint; }

static rbv_status write_momentum(node *out, graph *g, const coder *c) {
  return rbv_write_momentum(out, g, c->m, c->chi);
}
static rbv_status write_pose(node *out, graph *g, const coder *c) {
  return rbv_write_tool_pose(out, g, c->m);
}
static rbv_status write_jacobian(node *out, graph *g, const coder *c) {
  return rbv_write_tool_jacobian(out, g, c->m);
}

static const double still[JOINTS_MAX] = {0};

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
  double load[JOINTS_MAX];
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
static void want_momentum(double *out, coder *c, const graph_inputs *state) {
  const double *q = state->x[0], *dq = state->x[1];
  const int n = c->m->njoint;
  double *M = c->square, *at = M + n * n, *rest = at + n * n;
  rbv_dynamics_mass(M, c->full, q);
  rbv_dynamics_derivatives(at, NULL, NULL, c->links, q, still, dq);
  rbv_dynamics_derivatives(rest, NULL, NULL, c->links, q, still, still);
  rbv_dynamics_inverse(out + n, c->links, q, still, still);
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
static void want_pose(double *out, coder *c, const graph_inputs *at) {
  rbv_dynamics_pose(out, out + 9, c->full, at->x[0], c->m->njoint - 1);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[9 + i] += out[i + 3 * k] * c->m->tip[k];
}
static void want_jacobian(double *out, coder *c, const graph_inputs *at) {
  rbv_dynamics_jacobian(out, c->full, at->x[0], c->m->njoint - 1, c->m->tip);
}
/* the regressor is compared by its torque */
static void want_rows(double *out, coder *c, const graph_inputs *at) {
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

static const function functions[EXPORT_FUNCTIONS] = {
    {"inverse_dynamics",
     "tau",
     "Torque of the motors, with friction, rotors and all other columns.",
     {YES, YES, YES, WITH_STATES, NO},
     joints,
     write_inverse,
     want_inverse},
    {"gravity",
     "tau",
     "Torque that gravity asks for.",
     {YES, NO, NO, NO, NO},
     joints,
     write_gravity,
     want_gravity},
    {"friction",
     "tau",
     "Friction and offsets of the drives.",
     {WITH_LOAD, YES, WITH_LOAD, WITH_STATES, NO},
     joints,
     write_friction,
     want_friction},
    {"mass_matrix",
     "M",
     "Mass matrix with rotors, column-major.",
     {YES, NO, NO, NO, NO},
     squares,
     write_mass,
     want_mass},
    {"regressor",
     "W",
     "Base regressor, ROWS x BASE, column-major: W times the base values is the torque of all "
     "rows.",
     {YES, YES, YES, WITH_STATES, NO},
     entries,
     write_regressor,
     want_rows},
    {"step",
     "next",
     "States of friction z after a time dt [s] at constant velocities; next may be z. Start with "
     "zeros.",
     {NO, YES, NO, YES, YES},
     states,
     write_step,
     want_step},
    {"momentum",
     "m",
     "For a momentum observer: p = M dq, then b = C'dq - gravity; dp/dt = b + tau - friction.",
     {YES, YES, NO, NO, NO},
     two_joints,
     write_momentum,
     want_momentum},
    {"tool_pose",
     "T",
     "Rotation of the last frame in the base, column-major, and the position of the tool [m].",
     {YES, NO, NO, NO, NO},
     pose_size,
     write_pose,
     want_pose},
    {"tool_jacobian",
     "J",
     "Jacobian of the tool, 6 x JOINTS, column-major: its velocity, then its angular velocity.",
     {YES, NO, NO, NO, NO},
     jacobian_size,
     write_jacobian,
     want_jacobian},
};

static bool is_regressor(const function *f) { return f->write == write_regressor; }
static bool is_mass(const function *f) {
  return f->write == write_mass || f->write == write_momentum;
}
static bool is_step(const function *f) { return f->write == write_step; }

static bool has_mass(const coder *c) { return rbv_dynamics_check_forward(c->full) == RBV_OK; }

/* functions that this robot does not have */
static bool is_absent(const function *f, const coder *c) {
  return (is_mass(f) && !has_mass(c)) || (is_step(f) && c->m->nstate == 0);
}

static bool takes(const function *f, const coder *c, int input) {
  const input_use use = f->takes[input];
  if (use == WITH_LOAD) return rbv_export_has_load(c->m, c->chi);
  return use == YES || (use == WITH_STATES && c->m->nstate > 0);
}

/* elements of an input; 0: one number that is no array */
static int length(const coder *c, int input) {
  const int n = c->m->njoint;
  return input < 3 ? n : input == NODE_STATE - NODE_Q ? c->m->nstate : 0;
}

/* numbers of a state of the comparison: the motion, then states of laws and a time if there are any
 */
static int state_size(const coder *c) {
  return 3 * c->m->njoint + (c->m->nstate > 0 ? c->m->nstate + 1 : 0);
}

static graph_inputs inputs_at(const coder *c, const double *state) {
  const int n = c->m->njoint, ns = c->m->nstate;
  graph_inputs at = {{state, state + n, state + 2 * n}};
  if (ns > 0) {
    at.x[3] = state + 3 * n;
    at.x[4] = state + 3 * n + ns;
  }
  return at;
}

/* number of values by which a function is compared */
static int compared(const function *f, const coder *c) {
  return is_regressor(f) ? c->m->nrow : f->count(c);
}

/* ---- preparing ---- */

static void coder_free(coder *c) {
  rbv_base_free(c->base);
  rbv_free(c->values);
  rbv_free(c->chi);
  rbv_dynamics_free(c->full);
  rbv_dynamics_free(c->links);
  rbv_dynamics_free(c->friction);
  rbv_graph_free(&c->g);
  rbv_graph_free(&c->plain);
  rbv_free(c->output);
  rbv_free(c->value);
  rbv_free(c->law_state);
  rbv_free(c->square);
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
  double *chi = rbv_alloc((size_t)m->ncolumn * sizeof *chi);
  if (!chi) return RBV_EMEM;
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

static rbv_status prepare(coder *c) {
  const rbv_model *m = c->m;
  RBV_TRY(rbv_base_new(&c->base, m, NULL));
  c->values = rbv_alloc((size_t)c->base->count * sizeof *c->values);
  c->chi = rbv_alloc((size_t)m->ncolumn * sizeof *c->chi);
  int largest = 0;
  for (int i = 0; i < EXPORT_FUNCTIONS; i++)
    if (functions[i].count(c) > largest) largest = functions[i].count(c);
  c->output = rbv_alloc((size_t)largest * sizeof *c->output);
  c->law_state = rbv_alloc((size_t)(m->nstate + 1) * sizeof *c->law_state);
  c->square = rbv_alloc(3 * (size_t)squares(c) * sizeof *c->square);
  if (!c->values || !c->chi || !c->output || !c->law_state || !c->square) return RBV_EMEM;
  rbv_base_values(c->values, c->base, c->e->chi);
  RBV_TRY(new_dynamics(&c->full, c, true, true));
  RBV_TRY(regroup(c));
  // relations between frames at arbitrary angles have fewer digits: then nothing is regrouped
  double error;
  RBV_TRY(regrouping_error(&error, c));
  if (!(error <= REGROUP_TOLERANCE)) memcpy(c->chi, c->e->chi, (size_t)m->ncolumn * sizeof *c->chi);
  RBV_TRY(new_dynamics(&c->links, c, true, false));
  return new_dynamics(&c->friction, c, false, true);
}

/* ---- names ---- */

/* a C identifier that begins with a letter, used as prefix of _gravity and _H */
static rbv_status make_name(coder *c) {
  const char *given = c->e->options->name ? c->e->options->name : rbv_model_name(c->m);
  const char *slash = strrchr(given, '/');
  // it is quoted in an #include
  for (const char *s = c->e->options->name; s && *s; s++)
    if (*s == '"' || *s == '\\' || (unsigned char)*s < ' ')
      return rbv_fail(RBV_EARG, "'%s' cannot be the name of a C file that another one includes",
                      c->e->options->name);
  if (slash) given = slash + 1;
  char name[48];
  snprintf(name, sizeof name, "%s%s", isalpha((unsigned char)given[0]) ? "" : "robot_", given);
  for (char *s = name; *s; s++)
    if (!isalnum((unsigned char)*s) || (unsigned char)*s > 127) *s = '_';
  for (size_t i = 0; i <= strlen(name); i++) c->upper[i] = (char)toupper((unsigned char)name[i]);
  c->e->name = rbv_strdup(name);
  return c->e->name ? RBV_OK : RBV_EMEM;
}

/* replace characters that could end a comment */
static void put_comment(rbv_text *t, const char *s) {
  for (; *s; s++) {
    const bool bad = *s == '*' || *s == '\\' || *s == '?' || (unsigned char)*s < ' ';
    rbv_text_add(t, bad ? "_" : s, 1);
  }
}

/* ---- checksum of every number in the code ---- */

#define EXPRESSION_NUMBER 10  // of a formula, among the numbers of the laws

/* shape parameters: the common values, zero where none is given, and a joint's own ones */
static void put_shape(rbv_text *t, const rbv_model *m, int joint) {
  const double *value = m->shape + (joint < 0 ? m->njoint : joint) * LAW_SHAPE_KINDS;
  for (int i = 0; i < rbv_shape_kind_count(); i++) {
    const double x = isnan(value[i]) ? 0 : value[i];
    if (joint >= 0 && isnan(value[i])) continue;
    if (joint >= 0) rbv_text_print(t, " %s ", rbv_shape_kind(i)->name);
    rbv_put_numbers(t, &x, 1);
  }
}

static rbv_status checksum(char out[65], const coder *c) {
  const rbv_model *m = c->m;
  rbv_text t = {0};
  rbv_put_numbers(&t, m->gravity, 3);
  put_shape(&t, m, -1);
  rbv_text_print(&t, " sensing %d payload %d\n", (int)m->sensing, m->payload);
  for (int j = 0; j < m->njoint; j++) {
    const joint_geometry *g = &m->geometry[j];
    rbv_text_print(&t, "joint %d ", (int)g->type);
    rbv_put_numbers(&t, g->axis, 3);
    rbv_put_numbers(&t, &g->offset, 1);
    rbv_put_numbers(&t, g->fixed, 9);
    rbv_put_numbers(&t, g->cosine, 9);
    rbv_put_numbers(&t, g->sine, 9);
    rbv_put_numbers(&t, g->origin, 3);
    rbv_put_numbers(&t, g->slide, 3);
    put_shape(&t, m, j);
  }
  for (int k = 0; k < m->ncolumn; k++) {
    rbv_text_print(&t, "\n%s ", m->column[k].name);
    rbv_put_numbers(&t, &c->e->chi[k], 1);
  }
  for (int k = 0; k < m->nterm; k++) {
    const drive_term *d = &m->term[k];
    rbv_text_print(&t, "\nterm %d %d %d ", d->column, d->joint,
                   d->law ? d->law->number : EXPRESSION_NUMBER);
    rbv_put_numbers(&t, &d->gain, 1);
    for (int i = d->first; i < d->first + d->count; i++) {
      rbv_text_print(&t, " %d ", m->direction_joint[i]);
      rbv_put_numbers(&t, &m->direction_weight[i], 1);
    }
    for (int i = 0; !d->law && i < m->expression[d->expression].count; i++) {
      const instruction *s = &m->expression[d->expression].code[i];
      rbv_text_print(&t, " %d %d %d %d ", s->operation, s->to, s->a, s->b);
      rbv_put_numbers(&t, &s->value, 1);
    }
  }
  const rbv_status status = t.failed ? RBV_EMEM : RBV_OK;
  if (status == RBV_OK) rbv_hash_bytes(out, t.data, t.size);
  rbv_text_free(&t);
  return status;
}

/* ---- one function ---- */

static void put_signature(rbv_text *t, const coder *c, const function *f, bool definition) {
  rbv_text_print(t, "void %s_%s(double %s[%d]", c->e->name, f->name, f->out, f->count(c));
  for (int i = 0; i < GRAPH_INPUTS; i++) {
    if (!takes(f, c, i)) continue;
    if (length(c, i) > 0)
      rbv_text_print(t, ", const double %s[%d]", rbv_graph_input(i), length(c, i));
    else
      rbv_text_print(t, ", double %s", rbv_graph_input(i));
  }
  rbv_text_put(t, definition ? ") {\n" : ");\n");
}

/* the values of the graph that are compared */
typedef struct {
  coder *c;
  const function *f;
} from_graph;

/* Inputs of a comparison. States of laws can have any value between -1 and 1: one that follows from
 * the velocities. */
static graph_inputs complete_inputs(double *room, const coder *c, const double *q, const double *dq,
                                    const double *ddq) {
  const int n = c->m->njoint, ns = c->m->nstate;
  graph_inputs at = {{q, dq, ddq, room, room + ns}};
  for (int i = 0; i < ns; i++) room[i] = sin(3 * dq[i % n] + i);
  room[ns] = 1e-3 * (1 + fabs(dq[0]));
  return at;
}

static void eval_graph(double *out, void *payload, const double *q, const double *dq,
                       const double *ddq) {
  const from_graph *x = payload;
  coder *c = x->c;
  const graph_inputs at = complete_inputs(c->law_state, c, q, dq, ddq);
  rbv_graph_eval(c->value, &c->g, &at);
  if (!is_regressor(x->f)) {
    for (int k = 0; k < x->f->count(c); k++) out[k] = c->value[c->output[k]];
    return;
  }
  for (int r = 0; r < c->m->nrow; r++) {
    out[r] = 0;
    for (int k = 0; k < c->base->count; k++) {
      const node n = c->output[r + k * c->m->nrow];
      if (n >= 0) out[r] += c->value[n] * c->values[k];
    }
  }
}

static void eval_library(double *out, void *payload, const double *q, const double *dq,
                         const double *ddq) {
  const from_graph *x = payload;
  const graph_inputs at = complete_inputs(x->c->law_state, x->c, q, dq, ddq);
  x->f->want(out, x->c, &at);
}

static rbv_status check_function(coder *c, const function *f) {
  rbv_free(c->value);
  c->value = rbv_alloc((size_t)c->g.count * sizeof *c->value);
  if (!c->value) return RBV_EMEM;
  from_graph x = {c, f};
  return rbv_export_compare(c->e, compared(f, c), eval_library, &x, eval_graph, &x, f->name);
}

static void add_cost(coder *c, const function *f, const graph_cost *own, const graph_cost *generic,
                     const char *body) {
  rbv_export *s = &c->e->shown;
  int temporaries = 0;
  for (const char *at = body; at && (at = strstr(at, "const double t")) != NULL; at++)
    temporaries++;
  c->e->cost[s->ncost++] =
      (rbv_export_cost){f->name,    own->multiplications,     own->additions,
                        own->calls, generic->multiplications, generic->additions,
                        temporaries};
}

static rbv_status put_function(coder *c, const function *f) {
  const int count = f->count(c);
  graph_cost own, generic;
  // the operations of a program for any robot
  rbv_graph_start(&c->plain, true);
  RBV_TRY(f->write(c->output, &c->plain, c));
  rbv_graph_count(&generic, &c->plain, c->output, count);
  rbv_graph_free(&c->plain);

  rbv_graph_start(&c->g, false);
  RBV_TRY(f->write(c->output, &c->g, c));
  RBV_TRY(check_function(c, f));
  rbv_text *t = &c->e->text, body = {0};
  rbv_graph_print_helpers(t, c->helpers, &c->g, c->output, count, c->e->name);
  rbv_graph_print(&body, &own, &c->g, c->output, count, f->out, c->e->name);
  add_cost(c, f, &own, &generic, body.data);
  rbv_text_print(t, "/* %d multiplications, %d additions, %d calls */\n", own.multiplications,
                 own.additions, own.calls);
  put_signature(t, c, f, true);
  for (int i = 0; i < GRAPH_INPUTS; i++)
    if (takes(f, c, i) && !own.uses[i]) rbv_text_print(t, "  (void)%s;\n", rbv_graph_input(i));
  if (is_regressor(f)) rbv_text_print(t, "  for (int i = 0; i < %d; i++) W[i] = 0;\n", count);
  if (body.data) rbv_text_add(t, body.data, body.size);
  rbv_text_put(t, "}\n\n");
  const bool failed = body.failed || c->g.failed;
  rbv_text_free(&body);
  return failed ? RBV_EMEM : RBV_OK;
}

/* ---- the self-test ---- */

static void put_array(rbv_text *t, const double *x, int n) {
  rbv_text_put(t, "{");
  for (int i = 0; i < n; i++) {
    if (i) rbv_text_put(t, i % 6 ? ", " : ",\n     ");
    rbv_put_number(t, x[i]);
  }
  rbv_text_put(t, "}");
}

static bool finite_row(const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

/* states at which every torque is defined */
static rbv_status draw_states(double *state, double *scratch, coder *c) {
  const int n = c->m->njoint, size = state_size(c);
  int found = 0;
  for (int k = 0; k < TEST_CANDIDATES && found < TESTS; k++) {
    double *q = state + found * size;
    rbv_export_state(q, q + n, q + 2 * n, c->e, EXPORT_STATES + k);
    if (size > 3 * n) (void)complete_inputs(q + 3 * n, c, q, q + n, q + 2 * n);
    rbv_dynamics_inverse(scratch, c->full, q, q + n, q + 2 * n);
    if (finite_row(scratch, n)) found++;
  }
  if (found == TESTS) return RBV_OK;
  return rbv_fail(RBV_EINPUT, "the torque is finite at %d of %d states only", found,
                  TEST_CANDIDATES);
}

static void put_vectors(rbv_text *t, coder *c, const double *state, double *want) {
  const int size = state_size(c);
  rbv_text_print(t, "static const double test_state[%d][%d] = {\n", TESTS, size);
  for (int k = 0; k < TESTS; k++) {
    rbv_text_put(t, "    ");
    put_array(t, state + size * k, size);
    rbv_text_put(t, k + 1 < TESTS ? ",\n" : "};\n");
  }
  for (int i = 0; i < EXPORT_FUNCTIONS; i++) {
    const function *f = &functions[i];
    if (is_absent(f, c)) continue;
    rbv_text_print(t, "static const double test_%s[%d][%d] = {\n", f->name, TESTS, compared(f, c));
    for (int k = 0; k < TESTS; k++) {
      const graph_inputs at = inputs_at(c, state + size * k);
      f->want(want, c, &at);
      rbv_text_put(t, "    ");
      put_array(t, want, compared(f, c));
      rbv_text_put(t, k + 1 < TESTS ? ",\n" : "};\n");
    }
  }
}

/* friction that needs velocities alone: the observer and forward dynamics call it so */
static bool has_plain_friction(const coder *c) {
  return c->m->nstate == 0 && !rbv_export_has_load(c->m, c->chi);
}

static control_code control_of(const coder *c) {
  return (control_code){.name = c->e->name,
                        .upper = c->upper,
                        .njoint = c->m->njoint,
                        .mass = has_mass(c) && has_plain_friction(c),
                        .single = c->e->options->single,
                        .limit = c->e->options->limit,
                        .base = c->values,
                        .nbase = c->base->count};
}

static void put_call(rbv_text *t, const coder *c, const function *f) {
  rbv_text_print(t, "    %s_%s(%s", c->e->name, f->name, is_regressor(f) ? "W" : "out");
  for (int i = 0, at = 0; i < GRAPH_INPUTS; at += length(c, i++)) {
    if (!takes(f, c, i)) continue;
    rbv_text_print(t, length(c, i) > 0 ? ", s + %d" : ", s[%d]", at);
  }
  rbv_text_put(t, ");\n");
  if (is_regressor(f))
    rbv_text_print(
        t,
        "    for (int i = 0; i < %d; i++) {\n      out[i] = 0;\n"
        "      for (int j = 0; j < %d; j++) out[i] += W[i + %d * j] * %s_base[j];\n    }\n",
        c->m->nrow, c->base->count, c->m->nrow, c->e->name);
  rbv_text_print(t, "    failed += test_differs(out, test_%s[k], %d);\n", f->name, compared(f, c));
}

static rbv_status put_selftest(coder *c) {
  rbv_text *t = &c->e->text;
  const int size = TESTS * state_size(c);
  int largest = c->m->nrow;
  for (int i = 0; i < EXPORT_FUNCTIONS; i++)
    if (compared(&functions[i], c) > largest) largest = compared(&functions[i], c);
  double *block = rbv_alloc((size_t)(size + largest) * sizeof *block);
  if (!block) return RBV_EMEM;
  const rbv_status status = draw_states(block, block + size, c);
  if (status == RBV_OK) {
    rbv_text_print(t, "#ifdef %s_SELFTEST\n\n", c->upper);
    put_vectors(t, c, block, block + size);
    rbv_text_print(
        t,
        "\nstatic int test_differs(const double *got, const double *want, int n) {\n"
        "  double size = 1;\n"
        "  for (int i = 0; i < n; i++) size = fabs(want[i]) > size ? fabs(want[i]) : size;\n"
        "  for (int i = 0; i < n; i++)\n"
        "    if (!(fabs(got[i] - want[i]) <= %g * size)) return 1;\n"
        "  return 0;\n}\n\n"
        "int %s_selftest(void) {\n  static double W[%d];\n  double out[%d];\n"
        "  int failed = 0;\n  for (int k = 0; k < %d; k++) {\n"
        "    const double *s = test_state[k];\n",
        c->e->options->single ? SINGLE_TOLERANCE : EXPORT_TOLERANCE, c->e->name,
        entries(c) > 0 ? entries(c) : 1, largest, TESTS);
    for (int i = 0; i < EXPORT_FUNCTIONS; i++)
      if (!is_absent(&functions[i], c)) put_call(t, c, &functions[i]);
    const control_code control = control_of(c);
    rbv_control_test(t, &control);
    rbv_text_print(t,
                   "  }\n  return failed;\n}\n\n#ifdef %s_SELFTEST_MAIN\n"
                   "int main(void) { return %s_selftest() ? 1 : 0; }\n#endif\n#endif\n",
                   c->upper, c->e->name);
  }
  rbv_free(block);
  return status;
}

/* ---- the two files ---- */

static void put_head(rbv_text *t, const coder *c, const char *hash, const char *end) {
  rbv_text_print(t, "/*\n * %s.%s: dynamics of the robot '", c->e->name, end);
  put_comment(t, rbv_model_name(c->m));
  rbv_text_print(t, "', written by roberval %s.\n * Model %.16s.\n */\n", rbv_version(), hash);
}

static void put_base_values(rbv_text *t, const coder *c) {
  const int n = c->base->count;
  rbv_text_print(t, "const char *const %s_base_name[%d] = {", c->e->name, n);
  for (int k = 0; k < n; k++)
    rbv_text_print(t, "%s%s\"%s\"", k ? "," : "", k % 8 ? " " : "\n    ", c->base->name[k]);
  rbv_text_print(t, "};\n\nconst double %s_base[%d] =\n    ", c->e->name, n);
  put_array(t, c->values, n);
  rbv_text_put(t, ";\n\n");
}

/* bodies before they were regrouped to base parameters */
static void put_remarks(rbv_text *t, const coder *c) {
  if (!c->e->options->standard) return;
  rbv_text_print(t, " * Links, %s\n", rbv_export_remark);
  for (int j = 0; j < c->m->njoint; j++) {
    char remark[256];
    if (rbv_export_body_remark(remark, sizeof remark, c->e, j))
      rbv_text_print(t, " *   %d  %s\n", j, remark);
  }
}

static void put_joints(rbv_text *t, const coder *c) {
  rbv_text_put(t, "/*\n * Joints, in the order of q, dq and ddq:\n");
  for (int j = 0; j < c->m->njoint; j++) {
    rbv_text_print(t, " *   %d  ", j);
    put_comment(t, c->m->joint[j].name);
    rbv_text_put(t, c->m->joint[j].type == RBV_JOINT_PRISMATIC ? "  [m, N]\n" : "  [rad, N m]\n");
  }
  if (c->m->payload) rbv_text_put(t, " * The payload is part of the last link.\n");
  put_remarks(t, c);
  rbv_text_print(t,
                 " * Rows of the regressor: %s torque. Nothing allocates, nothing is kept between "
                 "calls;\n * outputs must not overlap inputs. M_ij is at [i + %d * j].\n */\n\n",
                 rbv_sensing_name(c->m->sensing), c->m->njoint);
}

static void put_header(coder *c, const char *hash) {
  rbv_text *t = &c->e->header;
  put_head(t, c, hash, "h");
  rbv_text_print(t, "#ifndef %s_H\n#define %s_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                 c->upper, c->upper);
  rbv_text_print(t, "#define %s_JOINTS %d\n#define %s_ROWS %d\n#define %s_BASE %d\n", c->upper,
                 c->m->njoint, c->upper, c->m->nrow, c->upper, c->base->count);
  if (c->m->nstate > 0) rbv_text_print(t, "#define %s_STATES %d\n", c->upper, c->m->nstate);
  rbv_text_print(t, "#define %s_MODEL \"%s\" /* SHA-256 */\n\n", c->upper, hash);
  put_joints(t, c);
  int shown = 0;
  for (int i = 0; i < EXPORT_FUNCTIONS; i++) {
    if (is_absent(&functions[i], c)) continue;
    const rbv_export_cost *cost = &c->e->cost[shown++];
    rbv_text_print(t,
                   "/* %s\n * Always %d multiplications, %d additions, %d calls; stack: at most %d "
                   "bytes of temporaries. */\n",
                   functions[i].what, cost->multiplications, cost->additions, cost->calls,
                   cost->temporaries * (c->e->options->single ? 4 : 8));
    put_signature(t, c, &functions[i], false);
    rbv_text_put(t, "\n");
  }
  rbv_text_print(t,
                 "/* Base parameters in the order of the regressor's columns. */\n"
                 "extern const char *const %s_base_name[%d];\nextern const double %s_base[%d];\n\n",
                 c->e->name, c->base->count, c->e->name, c->base->count);
  const control_code control = control_of(c);
  rbv_control_declare(t, &control);
  rbv_text_print(
      t,
      "/*\n * With %s_SELFTEST defined: compare with %d states of the program that wrote "
      "this; 0 when\n * all agree. %s_SELFTEST_MAIN adds a main() that does it.\n */\n"
      "#if defined(%s_SELFTEST_MAIN) && !defined(%s_SELFTEST)\n#define %s_SELFTEST\n"
      "#endif\n#ifdef %s_SELFTEST\nint %s_selftest(void);\n#endif\n",
      c->upper, TESTS, c->upper, c->upper, c->upper, c->upper, c->upper, c->e->name);
  rbv_text_put(t, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

static rbv_status write_files(coder *c) {
  rbv_text *t = &c->e->text;
  char hash[65];
  RBV_TRY(make_name(c));
  RBV_TRY(prepare(c));
  RBV_TRY(checksum(hash, c));
  put_head(t, c, hash, "c");
  const char *file = c->e->options->name;
  rbv_text_print(t, "#include \"%s.h\"\n\n#include <math.h>\n\n", file ? file : c->e->name);
  put_base_values(t, c);
  const control_code control = control_of(c);
  const size_t before = t->size;
  for (int i = 0; i < EXPORT_FUNCTIONS; i++) {
    // one note for all functions that need the mass matrix
    if (functions[i].write == write_mass && !has_mass(c))
      RBV_TRY(rbv_export_note(c->e, "there is no mass_matrix: %s", rbv_message()));
    if (!is_absent(&functions[i], c)) RBV_TRY(put_function(c, &functions[i]));
  }
  if (has_mass(c) && !has_plain_friction(c))
    RBV_TRY(rbv_export_note(c->e,
                            "there is no observer and no forward_dynamics: the friction of "
                            "this robot depends on load or has states"));
  rbv_control_write(t, &control);
  put_header(c, hash);
  RBV_TRY(put_selftest(c));
  RBV_TRY(rbv_control_own(t, before, &control));
  if (!c->e->options->single) return RBV_OK;
  RBV_TRY(rbv_control_single(t));
  return rbv_control_single(&c->e->header);
}

rbv_status rbv_export_code(export_job *e) {
  coder c = {.e = e, .m = e->model};
  const rbv_status status = write_files(&c);
  coder_free(&c);
  return status;
}
