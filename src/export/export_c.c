/*
 * C code of one robot: a C99 source and its header, which need libm only. Standard parameters are
 * regrouped to base parameters first: the torques are the same and most terms vanish.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/document.h>

#include "export/code_table.h"
#include "export/export_control.h"
#include "storage/storage.h"

#define SINGLE_TOLERANCE 1e-4  // of the self-test of single-precision code
#define TESTS 4                // states of the self-test
#define TEST_CANDIDATES 10000  // states drawn until TESTS of them have finite torques

/* elements of an input; 0: one number that is no array */
static int length(const coder *c, int input) {
  const int n = c->m->njoint;
  if (input == NODE_TIME - NODE_Q) return 0;
  if (input == NODE_POINT - NODE_Q) return 3;
  return input == NODE_STATE - NODE_Q ? c->m->nstate : n;
}

/* numbers of an input in a state of the comparison, which has all inputs one behind the other */
static int room_of(const coder *c, int input) {
  if (input >= NODE_JERK - NODE_Q && !rbv_code_has_elastic(c)) return 0;
  return input == NODE_TIME - NODE_Q ? 1 : length(c, input);
}

static int state_size(const coder *c) {
  int size = 0;
  for (int i = 0; i < GRAPH_INPUTS; i++) size += room_of(c, i);
  return size;
}

static graph_inputs inputs_at(const coder *c, const double *state) {
  graph_inputs at;
  for (int i = 0; i < GRAPH_INPUTS; state += room_of(c, i++)) at.x[i] = state;
  return at;
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
  for (int j = 0; j < m->nbody; j++) {
    const joint_geometry *g = &m->geometry[j];
    rbv_text_print(&t, "joint %d ", (int)g->type);
    if (!is_chain(m)) rbv_text_print(&t, "on %d ", m->parent[j]);
    for (int k = 0; k < m->njoint && m->map; k++) rbv_put_numbers(&t, &m->map[j + k * m->nbody], 1);
    if (m->map) rbv_put_numbers(&t, &m->map_offset[j], 1);
    rbv_put_numbers(&t, g->axis, 3);
    rbv_put_numbers(&t, &g->offset, 1);
    rbv_put_numbers(&t, g->fixed, 9);
    rbv_put_numbers(&t, g->cosine, 9);
    rbv_put_numbers(&t, g->sine, 9);
    rbv_put_numbers(&t, g->origin, 3);
    rbv_put_numbers(&t, g->slide, 3);
    if (j < m->njoint) put_shape(&t, m, j);
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

static void put_signature(rbv_text *t, const coder *c, const code_function *f, bool definition) {
  rbv_text_print(t, "void %s_%s(double %s[%d]", c->e->name, f->name, f->out, f->count(c));
  for (int i = 0; i < GRAPH_INPUTS; i++) {
    if (!rbv_code_takes(f, c, i)) continue;
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
  const code_function *f;
} from_graph;

/* Inputs of a comparison; those behind the motion are put into room. States of
 * laws can have any value between -1 and 1: one that follows from the velocities. */
static graph_inputs complete_inputs(double *room, const coder *c, const double *q, const double *dq,
                                    const double *ddq) {
  const int n = c->m->njoint, ns = c->m->nstate;
  double *sine = room + ns + 1, *cosine = sine + n, *point = cosine + n;
  graph_inputs at = {{q, dq, ddq, room, room + ns, sine, cosine, point}};
  for (int i = 0; i < 3 && rbv_code_has_elastic(c); i++) {
    static const double size[] = {20, 300, 0.01};
    double *x = point + 3 + i * n;
    for (int j = 0; j < n; j++) x[j] = size[i] * sin(q[j] + 2 * dq[j] + i);
    at.x[NODE_JERK - NODE_Q + i] = x;
  }
  for (int i = 0; i < ns; i++) room[i] = sin(3 * dq[i % n] + i);
  room[ns] = 1e-3 * (1 + fabs(dq[0]));
  for (int j = 0; j < n; j++) {
    sine[j] = sin(q[j]);
    cosine[j] = cos(q[j]);
  }
  for (int i = 0; i < 3; i++) point[i] = 0.1 * sin(i + q[0]);
  return at;
}

static void eval_graph(double *out, void *payload, const double *q, const double *dq,
                       const double *ddq) {
  const from_graph *x = payload;
  coder *c = x->c;
  const graph_inputs at = complete_inputs(c->extra, c, q, dq, ddq);
  rbv_graph_eval(c->value, &c->g, &at);
  if (!rbv_code_is_regressor(x->f)) {
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
  const graph_inputs at = complete_inputs(x->c->extra, x->c, q, dq, ddq);
  x->f->want(out, x->c, &at);
}

static rbv_status check_function(coder *c, const code_function *f) {
  rbv_free(c->value);
  c->value = rbv_alloc((size_t)c->g.count * sizeof *c->value);
  if (!c->value) return RBV_EMEM;
  from_graph x = {c, f};
  return rbv_export_compare(c->e, rbv_code_compared(f, c), eval_library, &x, eval_graph, &x,
                            f->name);
}

static void add_cost(coder *c, const code_function *f, const graph_cost *own,
                     const graph_cost *generic, const char *body) {
  rbv_export *s = &c->e->shown;
  int temporaries = 0;
  for (const char *at = body; at && (at = strstr(at, "const double t")) != NULL; at++)
    temporaries++;
  c->e->cost[s->ncost++] =
      (rbv_export_cost){f->name,    own->multiplications,     own->additions,
                        own->calls, generic->multiplications, generic->additions,
                        temporaries};
}

static rbv_status put_function(coder *c, const code_function *f) {
  const int count = f->count(c);
  graph_cost own, generic;
  // the operations of a program for any robot
  rbv_graph_start(&c->plain, true);
  c->plain.angles = rbv_code_takes(f, c, NODE_SINE - NODE_Q);
  RBV_TRY(f->write(c->output, &c->plain, c));
  rbv_graph_count(&generic, &c->plain, c->output, count);
  rbv_graph_free(&c->plain);

  rbv_graph_start(&c->g, false);
  c->g.angles = rbv_code_takes(f, c, NODE_SINE - NODE_Q);
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
    if (rbv_code_takes(f, c, i) && !own.uses[i])
      rbv_text_print(t, "  (void)%s;\n", rbv_graph_input(i));
  if (rbv_code_is_regressor(f))
    rbv_text_print(t, "  for (int i = 0; i < %d; i++) W[i] = 0;\n", count);
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
    (void)complete_inputs(q + 3 * n, c, q, q + n, q + 2 * n);
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
    const code_function *f = &rbv_code_functions[i];
    if (rbv_code_is_absent(f, c)) continue;
    rbv_text_print(t, "static const double test_%s[%d][%d] = {\n", f->name, TESTS,
                   rbv_code_compared(f, c));
    for (int k = 0; k < TESTS; k++) {
      const graph_inputs at = inputs_at(c, state + size * k);
      f->want(want, c, &at);
      rbv_text_put(t, "    ");
      put_array(t, want, rbv_code_compared(f, c));
      rbv_text_put(t, k + 1 < TESTS ? ",\n" : "};\n");
    }
  }
}

static control_code control_of(const coder *c) {
  return (control_code){.name = c->e->name,
                        .upper = c->upper,
                        .njoint = c->m->njoint,
                        .mass = rbv_code_has_mass(c),
                        .tool = rbv_code_has_tool(c),
                        .nstate = c->m->nstate,
                        .load = rbv_export_has_load(c->m, c->chi),
                        .position = rbv_export_has_position(c->m, c->chi),
                        .single = c->e->options->single,
                        .limit = c->e->options->limit,
                        .dry = c->dry,
                        .tip = c->m->tip,
                        .base = c->values,
                        .nbase = c->base->count};
}

static void put_call(rbv_text *t, const coder *c, const code_function *f) {
  rbv_text_print(t, "    %s_%s(%s", c->e->name, f->name, rbv_code_is_regressor(f) ? "W" : "out");
  for (int i = 0, at = 0; i < GRAPH_INPUTS; at += room_of(c, i++)) {
    if (!rbv_code_takes(f, c, i)) continue;
    rbv_text_print(t, length(c, i) > 0 ? ", s + %d" : ", s[%d]", at);
  }
  rbv_text_put(t, ");\n");
  if (rbv_code_is_regressor(f))
    rbv_text_print(
        t,
        "    for (int i = 0; i < %d; i++) {\n      out[i] = 0;\n"
        "      for (int j = 0; j < %d; j++) out[i] += W[i + %d * j] * %s_base[j];\n    }\n",
        c->m->nrow, c->base->count, c->m->nrow, c->e->name);
  rbv_text_print(t, "    failed += test_differs(out, test_%s[k], %d);\n", f->name,
                 rbv_code_compared(f, c));
}

static rbv_status put_selftest(coder *c) {
  rbv_text *t = &c->e->text;
  const int size = TESTS * state_size(c);
  int largest = c->m->nrow;
  for (int i = 0; i < EXPORT_FUNCTIONS; i++)
    if (rbv_code_compared(&rbv_code_functions[i], c) > largest)
      largest = rbv_code_compared(&rbv_code_functions[i], c);
  RBV_NEW(double, block, size + largest);
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
        c->m->nrow * c->base->count > 0 ? c->m->nrow * c->base->count : 1, largest, TESTS);
    for (int i = 0; i < EXPORT_FUNCTIONS; i++)
      if (!rbv_code_is_absent(&rbv_code_functions[i], c)) put_call(t, c, &rbv_code_functions[i]);
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
  for (int j = 0; j < c->m->nbody; j++) {
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
    if (rbv_code_is_absent(&rbv_code_functions[i], c)) continue;
    const rbv_export_cost *cost = &c->e->cost[shown++];
    rbv_text_print(t,
                   "/* %s\n * Always %d multiplications, %d additions, %d calls; stack: at most %d "
                   "bytes of temporaries. */\n",
                   rbv_code_functions[i].what, cost->multiplications, cost->additions, cost->calls,
                   cost->temporaries * (c->e->options->single ? 4 : 8));
    put_signature(t, c, &rbv_code_functions[i], false);
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
  RBV_TRY(rbv_code_prepare(c));
  c->dry = rbv_alloc((size_t)c->m->njoint * sizeof *c->dry);
  if (!c->dry) return RBV_EMEM;
  for (int j = 0; j < c->m->njoint; j++) c->dry[j] = rbv_dry_friction(c->m, c->e->chi, j);
  RBV_TRY(checksum(hash, c));
  put_head(t, c, hash, "c");
  const char *file = c->e->options->name;
  rbv_text_print(t, "#include \"%s.h\"\n\n#include <math.h>\n\n", file ? file : c->e->name);
  put_base_values(t, c);
  const control_code control = control_of(c);
  const size_t before = t->size;
  RBV_TRY(rbv_code_notes(c));
  for (int i = 0; i < EXPORT_FUNCTIONS; i++)
    if (!rbv_code_is_absent(&rbv_code_functions[i], c))
      RBV_TRY(put_function(c, &rbv_code_functions[i]));
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
  RBV_TRY(rbv_model_need_open(e->model, "C code"));
  RBV_TRY(rbv_laws_require(e->model, LAW_IN_CODE));
  RBV_FINISH(write_files(&c), rbv_code_free(&c));
}
