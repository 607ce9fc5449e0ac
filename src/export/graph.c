#include "export/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/graph_functions.h"

#define SIGN(a) ((a) > 0 ? 1 : (a) < 0 ? -1 : (a))
#define LESS(a, b) ((a) < (b) || isnan(a) ? (a) : (b))
#define MORE(a, b) ((a) > (b) || isnan(a) ? (a) : (b))

static const struct {
  const char *name;
  int arity;
  const char *text;  // NULL: the operator itself
  int helper;
} functions[] = {
#define X(name, arity, text, helper, value, by_a, by_b) {name, arity, text, helper},
    FUNCTION_LIST(X)
#undef X
};

static const char *const helper_code[GRAPH_HELPERS] = {
    "sign(double a) {\n  return a > 0 ? 1 : a < 0 ? -1 : a;\n}\n",
    "least(double a, double b) {\n  return a < b || a != a ? a : b;\n}\n",
    "largest(double a, double b) {\n  return a > b || a != a ? a : b;\n}\n",
};

static double call(int function, double a, double b) {
  (void)b;
  int i = 0;
#define X(name, arity, text, helper, value, by_a, by_b) \
  if (function == i++) return value;
  FUNCTION_LIST(X)
#undef X
  return NAN;
}

/* ---- nodes ---- */

static bool same(const graph_item *x, const graph_item *y) {
  return x->kind == y->kind && x->function == y->function && x->a == y->a && x->b == y->b &&
         memcmp(&x->value, &y->value, sizeof x->value) == 0;
}

static unsigned hash(const graph_item *x) {
  uint64_t bits;
  memcpy(&bits, &x->value, sizeof bits);
  uint64_t h = (uint64_t)x->kind + 31 * (uint64_t)x->function;
  h = h * 0x9E3779B97F4A7C15u + (uint64_t)x->a;
  h = h * 0x9E3779B97F4A7C15u + (uint64_t)x->b;
  h = (h ^ bits) * 0x9E3779B97F4A7C15u;
  return (unsigned)(h >> 33);
}

/* make room for one more node; the buckets grow with the nodes */
static bool grow(graph *g) {
  const int fresh = g->capacity ? 2 * g->capacity : 256;
  graph_item *item =
      rbv_realloc(g->item, (size_t)g->capacity * sizeof *item, (size_t)fresh * sizeof *item);
  if (item) g->item = item;
  node *bucket = item ? rbv_alloc((size_t)fresh * sizeof *bucket) : NULL;
  if (!bucket) return false;
  rbv_free(g->bucket);
  g->bucket = bucket;
  g->capacity = g->nbucket = fresh;
  for (int i = 0; i < fresh; i++) bucket[i] = -1;
  for (int i = 0; i < g->count; i++) {
    node *at = &bucket[hash(&g->item[i]) % (unsigned)fresh];
    g->item[i].next = *at;
    *at = i;
  }
  return true;
}

static node take(graph *g, graph_item x) {
  if (g->failed) return 0;
  if (g->nbucket && !(g->plain && x.kind >= NODE_NEGATE))
    for (node i = g->bucket[hash(&x) % (unsigned)g->nbucket]; i >= 0; i = g->item[i].next)
      if (same(&g->item[i], &x)) return i;
  if (g->count == g->capacity && !grow(g)) {
    g->failed = true;
    return 0;
  }
  node *at = &g->bucket[hash(&x) % (unsigned)g->nbucket];
  x.next = *at;
  g->item[g->count] = x;
  return *at = g->count++;
}

void rbv_graph_start(graph *g, bool plain) {
  rbv_graph_free(g);
  *g = (graph){.plain = plain};
  (void)take(g, (graph_item){.kind = NODE_CONSTANT, .value = 0});
  (void)take(g, (graph_item){.kind = NODE_CONSTANT, .value = 1});
}

void rbv_graph_free(graph *g) {
  rbv_free(g->item);
  rbv_free(g->bucket);
  *g = (graph){0};
}

static bool known(const graph *g, node a) { return g->item && g->item[a].kind == NODE_CONSTANT; }
static double value(const graph *g, node a) { return g->item[a].value; }
static bool is(const graph *g, node a, node_kind kind) { return g->item[a].kind == kind; }

node rbv_graph_number(graph *g, double x) {
  return take(g, (graph_item){.kind = NODE_CONSTANT, .value = x == 0 ? 0 : x});
}

node rbv_graph_variable(graph *g, node_kind kind, int joint) {
  return take(g, (graph_item){.kind = kind, .a = joint});
}

static node raw(graph *g, node_kind kind, node a, node b) {
  return take(g, (graph_item){.kind = kind, .a = a, .b = b});
}

static void sort(node *a, node *b) {
  if (*a <= *b) return;
  const node t = *a;
  *a = *b;
  *b = t;
}

node rbv_graph_negate(graph *g, node a) {
  if (g->failed) return 0;
  if (known(g, a)) return rbv_graph_number(g, -value(g, a));
  if (is(g, a, NODE_NEGATE) && !g->plain) return g->item[a].a;
  return raw(g, NODE_NEGATE, a, 0);
}

/* a = *factor * *rest with a known factor, which may be 1 */
static void split(const graph *g, double *factor, node *rest, node a) {
  *factor = 1;
  *rest = a;
  if (is(g, a, NODE_MULTIPLY) && known(g, g->item[a].a)) {
    *factor = value(g, g->item[a].a);
    *rest = g->item[a].b;
  }
}

/* x a + y a */
static bool like_terms(graph *g, node *out, node a, node b, double sign) {
  double x, y;
  node left, right;
  split(g, &x, &left, a);
  split(g, &y, &right, b);
  if (left != right) return false;
  *out = rbv_graph_multiply(g, rbv_graph_number(g, x + sign * y), left);
  return true;
}

/* constants are last in a sum */
node rbv_graph_add(graph *g, node a, node b) {
  if (g->failed) return 0;
  if (g->plain) return raw(g, NODE_ADD, a, b);
  if (known(g, a) && known(g, b)) return rbv_graph_number(g, value(g, a) + value(g, b));
  if (a == GRAPH_ZERO) return b;
  if (b == GRAPH_ZERO) return a;
  if (is(g, b, NODE_NEGATE)) return rbv_graph_subtract(g, a, g->item[b].a);
  if (is(g, a, NODE_NEGATE)) return rbv_graph_subtract(g, b, g->item[a].a);
  // (x - y) + y, y + (x - y)
  if (is(g, a, NODE_SUBTRACT) && g->item[a].b == b) return g->item[a].a;
  if (is(g, b, NODE_SUBTRACT) && g->item[b].b == a) return g->item[b].a;
  node sum;
  if (!known(g, a) && !known(g, b) && like_terms(g, &sum, a, b, 1)) return sum;
  sort(&a, &b);
  if (known(g, a)) {
    const node t = a;
    a = b;
    b = t;
  }
  if (known(g, b) && is(g, a, NODE_ADD) && known(g, g->item[a].b))
    return rbv_graph_add(g, g->item[a].a,
                         rbv_graph_number(g, value(g, b) + value(g, g->item[a].b)));
  return raw(g, NODE_ADD, a, b);
}

/* b - a is the negative of the node a - b; a constant is added */
node rbv_graph_subtract(graph *g, node a, node b) {
  if (g->failed) return 0;
  if (g->plain) return raw(g, NODE_SUBTRACT, a, b);
  if (known(g, b)) return rbv_graph_add(g, a, rbv_graph_number(g, -value(g, b)));
  if (a == GRAPH_ZERO) return rbv_graph_negate(g, b);
  if (known(g, a))
    return rbv_graph_negate(g, rbv_graph_add(g, b, rbv_graph_number(g, -value(g, a))));
  if (a == b) return GRAPH_ZERO;
  if (is(g, b, NODE_NEGATE)) return rbv_graph_add(g, a, g->item[b].a);
  if (is(g, a, NODE_NEGATE)) return rbv_graph_negate(g, rbv_graph_add(g, g->item[a].a, b));
  // x - (x - y), (x + y) - x, (x + y) - y
  if (is(g, b, NODE_SUBTRACT) && g->item[b].a == a) return g->item[b].b;
  if (is(g, a, NODE_ADD) && g->item[a].a == b) return g->item[a].b;
  if (is(g, a, NODE_ADD) && g->item[a].b == b) return g->item[a].a;
  node difference;
  if (like_terms(g, &difference, a, b, -1)) return difference;
  if (a < b) return raw(g, NODE_SUBTRACT, a, b);
  return rbv_graph_negate(g, raw(g, NODE_SUBTRACT, b, a));
}

/* constants are first in a product and positive */
node rbv_graph_multiply(graph *g, node a, node b) {
  if (g->failed) return 0;
  if (g->plain) return raw(g, NODE_MULTIPLY, a, b);
  if (known(g, a) && known(g, b)) return rbv_graph_number(g, value(g, a) * value(g, b));
  if (known(g, b)) {
    const node t = a;
    a = b;
    b = t;
  }
  if (a == GRAPH_ZERO) return a;
  if (a == GRAPH_ONE) return b;
  if (is(g, b, NODE_NEGATE)) return rbv_graph_negate(g, rbv_graph_multiply(g, a, g->item[b].a));
  if (known(g, a) && value(g, a) < 0)
    return rbv_graph_negate(g, rbv_graph_multiply(g, rbv_graph_number(g, -value(g, a)), b));
  if (is(g, a, NODE_NEGATE)) return rbv_graph_negate(g, rbv_graph_multiply(g, g->item[a].a, b));
  if (known(g, a) && is(g, b, NODE_MULTIPLY) && known(g, g->item[b].a))
    return rbv_graph_multiply(g, rbv_graph_number(g, value(g, a) * value(g, g->item[b].a)),
                              g->item[b].b);
  if (!known(g, a)) sort(&a, &b);
  return raw(g, NODE_MULTIPLY, a, b);
}

node rbv_graph_call(graph *g, const char *name, node a, node b) {
  if (g->failed) return 0;
  int f = 0;
  while (strcmp(functions[f].name, name) != 0) f++;
  if (functions[f].arity < 2) b = 0;
  if (known(g, a) && (functions[f].arity < 2 || known(g, b))) {
    const double x = call(f, value(g, a), value(g, b));
    if (isfinite(x)) return rbv_graph_number(g, x);
  }
  // a division by a number is a multiplication
  if (strcmp(name, "/") == 0 && known(g, b) && isfinite(1 / value(g, b)))
    return rbv_graph_multiply(g, rbv_graph_number(g, 1 / value(g, b)), a);
  return take(g, (graph_item){.kind = NODE_CALL, .function = f, .a = a, .b = b});
}

/* ---- values ---- */

const char *rbv_graph_input(int i) {
  static const char *const name[GRAPH_INPUTS] = {"q",      "dq", "ddq", "z",   "dt",  "sine",
                                                 "cosine", "c",  "d3q", "d4q", "bend"};
  return name[i];
}

void rbv_graph_eval(double *v, const graph *g, const graph_inputs *in) {
  for (int i = 0; i < g->count; i++) {
    const graph_item *x = &g->item[i];
    switch (x->kind) {
      case NODE_CONSTANT: v[i] = x->value; break;
      case NODE_Q:
      case NODE_DQ:
      case NODE_DDQ:
      case NODE_STATE:
      case NODE_SINE:
      case NODE_COSINE:
      case NODE_POINT:
      case NODE_JERK:
      case NODE_SNAP:
      case NODE_BEND:
      case NODE_TIME: v[i] = in->x[x->kind - NODE_Q] ? in->x[x->kind - NODE_Q][x->a] : 0; break;
      case NODE_NEGATE: v[i] = -v[x->a]; break;
      case NODE_ADD: v[i] = v[x->a] + v[x->b]; break;
      case NODE_SUBTRACT: v[i] = v[x->a] - v[x->b]; break;
      case NODE_MULTIPLY: v[i] = v[x->a] * v[x->b]; break;
      case NODE_CALL: v[i] = call(x->function, v[x->a], v[x->b]); break;
    }
  }
}

/* ---- printing ---- */

#define INLINE_DEPTH 5  // nested operations of one expression before it gets a temporary

typedef struct {
  rbv_text *text;
  graph *g;
  int *uses;   // how often a needed node is read, 0: never
  int *name;   // number of its temporary, -1: none yet
  int *depth;  // depth of its expression
  const char *prefix;
} printer;

static bool is_leaf(const graph *g, node i) { return g->item[i].kind < NODE_NEGATE; }

int rbv_graph_arity(const graph_item *x) {
  if (x->kind < NODE_NEGATE) return 0;
  if (x->kind == NODE_NEGATE) return 1;
  return x->kind == NODE_CALL ? functions[x->function].arity : 2;
}

void rbv_put_number(rbv_text *text, double x) {
  char digits[32];
  rbv_format_double(digits, x);
  rbv_text_put(text, digits);
  if (!strpbrk(digits, ".e")) rbv_text_put(text, ".0");
}

static void put(printer *p, node i, bool brackets);

static void put_call(printer *p, const graph_item *x) {
  const char *text = functions[x->function].text;
  if (!text) {
    put(p, x->a, true);
    rbv_text_put(p->text, " / ");
    put(p, x->b, true);
    return;
  }
  const bool helper = functions[x->function].helper >= 0;
  rbv_text_print(p->text, "%s%s%s(", helper ? p->prefix : "", helper ? "_" : "", text);
  put(p, x->a, false);
  if (functions[x->function].arity > 1) {
    rbv_text_put(p->text, ", ");
    put(p, x->b, false);
  }
  rbv_text_put(p->text, ")");
}

/* the expression of a node without its temporary */
static void put_inside(printer *p, node i) {
  const graph_item *x = &p->g->item[i];
  switch (x->kind) {
    case NODE_CONSTANT: rbv_put_number(p->text, x->value); break;
    case NODE_Q:
    case NODE_DQ:
    case NODE_DDQ:
    case NODE_STATE:
    case NODE_SINE:
    case NODE_COSINE:
    case NODE_POINT:
    case NODE_JERK:
    case NODE_SNAP:
    case NODE_BEND:
      rbv_text_print(p->text, "%s[%d]", rbv_graph_input((int)(x->kind - NODE_Q)), x->a);
      break;
    case NODE_TIME: rbv_text_put(p->text, rbv_graph_input(NODE_TIME - NODE_Q)); break;
    case NODE_NEGATE:
      rbv_text_put(p->text, "-");
      put(p, x->a, true);
      break;
    case NODE_ADD:
      put(p, x->a, false);
      if (known(p->g, x->b) && value(p->g, x->b) < 0) {
        rbv_text_put(p->text, " - ");
        rbv_put_number(p->text, -value(p->g, x->b));
        break;
      }
      rbv_text_put(p->text, " + ");
      put(p, x->b, false);
      break;
    case NODE_SUBTRACT:
      put(p, x->a, false);
      rbv_text_put(p->text, " - ");
      put(p, x->b, true);
      break;
    case NODE_MULTIPLY:
      put(p, x->a, true);
      rbv_text_put(p->text, " * ");
      put(p, x->b, true);
      break;
    case NODE_CALL: put_call(p, x); break;
  }
}

/* brackets: the node is an operand of a product, or the right operand of a difference */
static void put(printer *p, node i, bool brackets) {
  if (p->name[i] >= 0) {
    rbv_text_print(p->text, "t%d", p->name[i]);
    return;
  }
  const graph_item *x = &p->g->item[i];
  const bool negative = x->kind == NODE_CONSTANT && x->value < 0;
  const bool call_in_words = x->kind == NODE_CALL && functions[x->function].text;
  brackets = brackets && (negative || (x->kind >= NODE_NEGATE && !call_in_words));
  if (brackets) rbv_text_put(p->text, "(");
  put_inside(p, i);
  if (brackets) rbv_text_put(p->text, ")");
}

/* count how often each needed node is read, and the operations */
static void count_uses(graph_cost *cost, int *uses, const graph *g, const node *output,
                       int noutput) {
  *cost = (graph_cost){0};
  for (int k = 0; k < noutput; k++)
    if (output[k] >= 0) uses[output[k]]++;
  for (node i = g->count - 1; i >= 0; i--) {
    if (!uses[i]) continue;
    const graph_item *x = &g->item[i];
    const int n = rbv_graph_arity(x);
    // a negation has no temporary: it is printed where it is used
    if (n > 0) uses[x->a] += x->kind == NODE_NEGATE ? uses[i] : 1;
    if (n > 1) uses[x->b]++;
    const bool divides = x->kind == NODE_CALL && !functions[x->function].text;
    cost->multiplications += x->kind == NODE_MULTIPLY || divides;
    cost->additions += x->kind == NODE_ADD || x->kind == NODE_SUBTRACT;
    cost->calls += x->kind == NODE_CALL && !divides;
    if (x->kind >= NODE_Q && x->kind < NODE_NEGATE) cost->uses[x->kind - NODE_Q] = true;
  }
}

void rbv_graph_count(graph_cost *cost, graph *g, const node *output, int noutput) {
  *cost = (graph_cost){0};
  if (g->failed) return;
  int *uses = rbv_alloc((size_t)g->count * sizeof *uses);
  if (uses)
    count_uses(cost, uses, g, output, noutput);
  else
    g->failed = true;
  rbv_free(uses);
}

/* an output and its node */
typedef struct {
  node of;
  int number;
} graph_output;

static int by_node(const void *a, const void *b) {
  const graph_output *x = a, *y = b;
  return x->of != y->of ? (x->of > y->of) - (x->of < y->of) : x->number - y->number;
}

/* a temporary for a node that is read more than once, or whose expression becomes long */
static void print_temporary(printer *p, node i, int *names) {
  const graph_item *x = &p->g->item[i];
  const int da = p->name[x->a] < 0 ? p->depth[x->a] : 0;
  const int db = rbv_graph_arity(x) > 1 && p->name[x->b] < 0 ? p->depth[x->b] : 0;
  p->depth[i] = 1 + (da > db ? da : db);
  // a negation gets no temporary
  const bool shared = p->uses[i] > 1 && x->kind != NODE_NEGATE;
  if (!shared && p->depth[i] < INLINE_DEPTH) return;
  rbv_text_print(p->text, "  const double t%d = ", *names);
  put(p, i, false);
  rbv_text_put(p->text, ";\n");
  p->name[i] = (*names)++;
}

/* An output is written as soon as its node is known: a compiler then needs no memory to keep it,
 * and the code is shorter. */
static void print_nodes(printer *p, const graph_output *output, int noutput, const char *out) {
  int names = 0, done = 0;
  for (node i = 0; i < p->g->count; i++) {
    p->name[i] = -1;
    if (p->uses[i] && !is_leaf(p->g, i)) print_temporary(p, i, &names);
    for (; done < noutput && output[done].of == i; done++) {
      rbv_text_print(p->text, "  %s[%d] = ", out, output[done].number);
      put(p, i, false);
      rbv_text_put(p->text, ";\n");
    }
  }
}

void rbv_graph_print(rbv_text *text, graph_cost *cost, graph *g, const node *output, int noutput,
                     const char *out, const char *prefix) {
  *cost = (graph_cost){0};
  if (g->failed) return;
  int *block = rbv_alloc(3 * (size_t)g->count * sizeof *block);
  graph_output *sorted = rbv_alloc((size_t)noutput * sizeof *sorted);
  g->failed = !block || !sorted;
  if (!g->failed) {
    int count = 0;
    for (int k = 0; k < noutput; k++)
      if (output[k] >= 0) sorted[count++] = (graph_output){output[k], k};
    qsort(sorted, (size_t)count, sizeof *sorted, by_node);
    printer p = {text, g, block, block + g->count, block + 2 * g->count, prefix};
    count_uses(cost, p.uses, g, output, noutput);
    print_nodes(&p, sorted, count, out);
  }
  rbv_free(sorted);
  rbv_free(block);
}

void rbv_graph_print_helpers(rbv_text *text, bool used[GRAPH_HELPERS], graph *g, const node *output,
                             int noutput, const char *prefix) {
  graph_cost cost;
  int *uses = g->failed ? NULL : rbv_alloc((size_t)g->count * sizeof *uses);
  g->failed = g->failed || !uses;
  if (g->failed) return;
  count_uses(&cost, uses, g, output, noutput);
  for (int i = 0; i < g->count; i++) {
    const graph_item *x = &g->item[i];
    const int helper = x->kind == NODE_CALL ? functions[x->function].helper : -1;
    if (helper < 0 || used[helper] || !uses[i]) continue;
    used[helper] = true;
    rbv_text_print(text, "static double %s_%s\n", prefix, helper_code[helper]);
  }
  rbv_free(uses);
}
