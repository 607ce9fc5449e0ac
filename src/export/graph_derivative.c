/* Derivatives of the outputs of a graph by one of its inputs: forward, node by node. */

#include "export/graph.h"
#include "export/graph_functions.h"

#define ADD(x, y) rbv_graph_add(g, x, y)
#define SUB(x, y) rbv_graph_subtract(g, x, y)
#define MUL(x, y) rbv_graph_multiply(g, x, y)
#define NEGATE(x) rbv_graph_negate(g, x)
#define NUMBER(x) rbv_graph_number(g, x)
#define CALL(name, x) rbv_graph_call(g, name, x, 0)
#define CALL2(name, x, y) rbv_graph_call(g, name, x, y)
#define OVER(x) rbv_graph_call(g, "/", GRAPH_ONE, x)
#define NONE GRAPH_ZERO
// 1 where x is positive, 0 where it is negative
#define SHARE(x) MUL(NUMBER(0.5), ADD(GRAPH_ONE, CALL("sign", x)))

/* slope of a call by its first or second argument */
static node slope(graph *g, const graph_item *x, node V, bool second) {
  const node A = x->a, B = x->b;
  (void)B;
  int i = 0;
#define X(name, arity, text, helper, value, by_a, by_b) \
  if (x->function == i++) return second ? (by_b) : (by_a);
  FUNCTION_LIST(X)
#undef X
  return GRAPH_ZERO;
}

/* What is differentiated by: an input, or the time. */
typedef struct {
  bool time;
  node_kind kind;
  int input;
} variable;

/* the derivative of an input by the time: the next input */
static node next_of(graph *g, const graph_item *x) {
  static const node_kind next[] = {NODE_DQ, NODE_DDQ, NODE_JERK};
  if (x->kind >= NODE_Q && x->kind <= NODE_DDQ)
    return rbv_graph_variable(g, next[x->kind - NODE_Q], x->a);
  return x->kind == NODE_JERK ? rbv_graph_variable(g, NODE_SNAP, x->a) : GRAPH_ZERO;
}

static node derivative(graph *g, const node *d, graph_item x, node at, const variable *by) {
  switch (x.kind) {
    case NODE_CONSTANT: return GRAPH_ZERO;
    case NODE_Q:
    case NODE_DQ:
    case NODE_DDQ:
    case NODE_JERK:
    case NODE_SNAP:
    case NODE_BEND:
    case NODE_STATE:
    case NODE_TIME:
      if (by->time) return next_of(g, &x);
      return x.kind == by->kind && x.a == by->input ? GRAPH_ONE : GRAPH_ZERO;
    // inputs of their own: a function that is differentiated by positions calls sin and cos
    case NODE_SINE:
    case NODE_COSINE:
    case NODE_POINT: return GRAPH_ZERO;
    case NODE_NEGATE: return NEGATE(d[x.a]);
    case NODE_ADD: return ADD(d[x.a], d[x.b]);
    case NODE_SUBTRACT: return SUB(d[x.a], d[x.b]);
    case NODE_MULTIPLY: return ADD(MUL(x.a, d[x.b]), MUL(x.b, d[x.a]));
    case NODE_CALL: break;
  }
  node sum = GRAPH_ZERO;
  if (d[x.a] != GRAPH_ZERO) sum = MUL(slope(g, &x, at, false), d[x.a]);
  if (rbv_graph_arity(&x) > 1 && d[x.b] != GRAPH_ZERO)
    sum = ADD(sum, MUL(slope(g, &x, at, true), d[x.b]));
  return sum;
}

static rbv_status differentiate(node *out, graph *g, const node *output, int noutput,
                                const variable *by) {
  // nodes of derivatives come behind these
  const int count = g->count;
  node *d = rbv_alloc((size_t)count * sizeof *d);
  bool *needed = rbv_alloc((size_t)count * sizeof *needed);
  if (!d || !needed) {
    rbv_free(d);
    rbv_free(needed);
    return RBV_EMEM;
  }
  for (int i = 0; i < noutput; i++) needed[output[i]] = true;
  for (int i = count - 1; i >= 0; i--) {
    const graph_item *x = &g->item[i];
    if (!needed[i] || x->kind < NODE_NEGATE) continue;
    needed[x->a] = true;
    if (rbv_graph_arity(x) > 1) needed[x->b] = true;
  }
  for (int i = 0; i < count && !g->failed; i++)
    if (needed[i]) d[i] = derivative(g, d, g->item[i], i, by);
  for (int i = 0; i < noutput; i++) out[i] = d[output[i]];
  rbv_free(d);
  rbv_free(needed);
  return g->failed ? RBV_EMEM : RBV_OK;
}

rbv_status rbv_graph_derivative(node *out, graph *g, const node *output, int noutput,
                                node_kind kind, int input) {
  return differentiate(out, g, output, noutput, &(variable){.kind = kind, .input = input});
}

rbv_status rbv_graph_time_derivative(node *out, graph *g, const node *output, int noutput) {
  return differentiate(out, g, output, noutput, &(variable){.time = true});
}
