#include "model/expression.h"
#include "document/document.h"

#include <math.h>
#include <string.h>

/* ---- the operations: one row gives the name, folding at load and the loop over samples ---- */

/* NaN on either side stays NaN, unlike with fmin and fmax */
#define LESS(a, b) ((a) < (b) || isnan(a) ? (a) : (b))
#define MORE(a, b) ((a) > (b) || isnan(a) ? (a) : (b))
#define SIGN(a) ((a) > 0 ? 1 : (a) < 0 ? -1 : (a))

#define OPERATOR_LIST(X) \
  X(ADD, a + b)          \
  X(SUBTRACT, a - b)     \
  X(MULTIPLY, a *b)      \
  X(DIVIDE, a / b)       \
  X(POWER, pow(a, b))    \
  X(NEGATE, -a)

#define FUNCTION_LIST(X)   \
  X(sin, 1, sin(a))        \
  X(cos, 1, cos(a))        \
  X(tan, 1, tan(a))        \
  X(asin, 1, asin(a))      \
  X(acos, 1, acos(a))      \
  X(atan, 1, atan(a))      \
  X(atan2, 2, atan2(a, b)) \
  X(sinh, 1, sinh(a))      \
  X(cosh, 1, cosh(a))      \
  X(tanh, 1, tanh(a))      \
  X(exp, 1, exp(a))        \
  X(log, 1, log(a))        \
  X(sqrt, 1, sqrt(a))      \
  X(abs, 1, fabs(a))       \
  X(sign, 1, SIGN(a))      \
  X(min, 2, LESS(a, b))    \
  X(max, 2, MORE(a, b))    \
  X(pow, 2, pow(a, b))

typedef enum {
  LOAD_CONSTANT,
  LOAD_Q,  // the order of q, dq, ddq
  LOAD_DQ,
  LOAD_DDQ,
#define X(name, formula) OPERATE_##name,
  OPERATOR_LIST(X)
#undef X
#define X(name, arity, formula) CALL_##name,
      FUNCTION_LIST(X)
#undef X
} operation;

static const struct {
  const char *name;
  operation operation;
  int arity;
} functions[] = {
#define X(name, arity, formula) {#name, CALL_##name, arity},
    FUNCTION_LIST(X)
#undef X
};

/* ---- evaluation ---- */

static double apply(operation kind, double a, double b) {
  (void)b;
  switch (kind) {
#define X(name, formula) \
  case OPERATE_##name: return formula;
    OPERATOR_LIST(X)
#undef X
#define X(name, arity, formula) \
  case CALL_##name: return formula;
    FUNCTION_LIST(X)
#undef X
    default: return NAN;
  }
}

#define LOOP(formula)                \
  for (int k = 0; k < n; k++) {      \
    const double a = A[k], b = B[k]; \
    (void)b;                         \
    out[k] = formula;                \
  }                                  \
  break;

/* out may be A or B */
static void apply_all(double *out, operation kind, const double *A, const double *B, int n) {
  switch (kind) {
#define X(name, formula) \
  case OPERATE_##name: LOOP(formula)
    OPERATOR_LIST(X)
#undef X
#define X(name, arity, formula) \
  case CALL_##name: LOOP(formula)
    FUNCTION_LIST(X)
#undef X
    default: break;
  }
}

static void run(const expression *e, double *scratch, const double *const motion[3], ptrdiff_t ld,
                ptrdiff_t first, int n) {
  for (int i = 0; i < e->count; i++) {
    const instruction *s = &e->code[i];
    double *to = scratch + s->to * EXPRESSION_CHUNK;
    const operation kind = (operation)s->operation;
    if (kind > LOAD_DDQ) {
      apply_all(to, kind, scratch + s->a * EXPRESSION_CHUNK, scratch + s->b * EXPRESSION_CHUNK, n);
      continue;
    }
    const double *from = kind == LOAD_CONSTANT ? NULL : motion[kind - LOAD_Q];
    if (from)
      memcpy(to, from + s->a * ld + first, (size_t)n * sizeof *to);
    else
      for (int k = 0; k < n; k++) to[k] = s->value;
  }
}

void rbv_expression_eval(double *out, const expression *e, double *scratch, const double *q,
                         const double *dq, const double *ddq, ptrdiff_t ld, ptrdiff_t count) {
  const double *const motion[3] = {q, dq, ddq};
  for (ptrdiff_t first = 0; first < count; first += EXPRESSION_CHUNK) {
    const ptrdiff_t left = count - first;
    const int n = left < EXPRESSION_CHUNK ? (int)left : EXPRESSION_CHUNK;
    run(e, scratch, motion, ld, first, n);
    memcpy(out + first, scratch + e->result * EXPRESSION_CHUNK, (size_t)n * sizeof *out);
  }
}

void rbv_expression_free(expression *e) {
  rbv_free(e->code);
  *e = (expression){0};
}

const char *rbv_instruction_name(int *arity, const instruction *s) {
  static const char *const load[] = {"constant", "q", "dq", "ddq"};
  static const char *const operator[] = {"+", "-", "*", "/", "pow", "neg"};
  const int kind = s->operation;
  *arity = 0;
  if (kind <= LOAD_DDQ) return load[kind];
  *arity = kind == OPERATE_NEGATE ? 1 : 2;
  if (kind <= OPERATE_NEGATE) return operator[kind - OPERATE_ADD];
  for (int i = 0; i < RBV_COUNT(functions); i++)
    if ((int)functions[i].operation == kind) {
      *arity = functions[i].arity;
      return functions[i].name;
    }
  return NULL;
}

/* ---- messages with the position ---- */

#define FAIL(c, where, ...) \
  rbv_node_fail_at(RBV_EINPUT, (c)->node, (where) - (c)->text, __VA_ARGS__)

/* the token at s, for a message */
#define TOKEN_SIZE 40

static bool is_letter(char x) {
  return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_';
}
static bool is_digit(char x) { return x >= '0' && x <= '9'; }

static const char *token(char out[TOKEN_SIZE], const char *s) {
  if (!*s) return "the end";
  size_t n = 0;
  while (is_letter(s[n]) || is_digit(s[n])) n++;
  // a character outside ASCII is shown as a whole
  if (n == 0) n = 1;
  while (((unsigned char)s[n] & 0xC0) == 0x80) n++;
  if (n > TOKEN_SIZE - 3) n = TOKEN_SIZE - 3;
  out[0] = out[n + 1] = '\'';
  memcpy(out + 1, s, n);
  out[n + 2] = 0;
  return out;
}

static void skip_blanks(compiler *c) {
  while (*c->at && strchr(" \t\r\n", *c->at)) c->at++;
}

/* ---- writing instructions ---- */

static rbv_status emit(compiler *c, instruction s) {
  expression *e = &c->program;
  if (e->count == c->capacity) {
    const int fresh = c->capacity ? 2 * c->capacity : 32;
    instruction *code =
        rbv_realloc(e->code, (size_t)c->capacity * sizeof *code, (size_t)fresh * sizeof *code);
    if (!code) return RBV_EMEM;
    e->code = code;
    c->capacity = fresh;
  }
  e->code[e->count++] = s;
  return RBV_OK;
}

/* a fresh temporary register */
static rbv_status take_register(int *out, compiler *c, const char *where) {
  if (c->used == EXPRESSION_REGISTERS)
    return FAIL(
        c, where,
        "the formula needs more than %d intermediate values: give names to parts of it under let",
        EXPRESSION_REGISTERS);
  *out = c->used++;
  if (c->used > c->program.nregister) c->program.nregister = c->used;
  return RBV_OK;
}

static rbv_status load(operand *out, compiler *c, operation kind, int joint, double value,
                       const char *where) {
  *out = (operand){0};
  RBV_TRY(take_register(&out->place, c, where));
  return emit(c, (instruction){value, (uint8_t)kind, (uint8_t)out->place, (uint8_t)joint, 0});
}

static rbv_status into_register(operand *x, compiler *c, const char *where) {
  return x->known ? load(x, c, LOAD_CONSTANT, 0, x->value, where) : RBV_OK;
}

/* temporaries are a stack; the operands are its topmost entries: release them */
static void release(compiler *c, const operand *x) {
  if (x->place >= c->kept) c->used--;
}

/* *a = a operation b; b is NULL for one operand */
static rbv_status combine(operand *a, compiler *c, operation kind, operand *b, const char *where) {
  if (a->known && (!b || b->known)) {
    const double value = apply(kind, a->value, b ? b->value : 0);
    if (!isfinite(value)) return FAIL(c, where, "this is not a finite number");
    *a = (operand){.known = true, .value = value};
    return RBV_OK;
  }
  // a square is a product
  const bool square = kind == OPERATE_POWER && b->known && b->value == 2;
  if (square) kind = OPERATE_MULTIPLY;
  RBV_TRY(into_register(a, c, where));
  if (b && !square) RBV_TRY(into_register(b, c, where));
  const operand right = b && !square ? *b : *a;
  release(c, a);
  if (b && !square) release(c, b);
  int to = 0;
  RBV_TRY(take_register(&to, c, where));
  RBV_TRY(emit(
      c, (instruction){0, (uint8_t)kind, (uint8_t)to, (uint8_t)a->place, (uint8_t)right.place}));
  *a = (operand){.place = to};
  return RBV_OK;
}

/* ---- reading ---- */

static rbv_status read_sum(operand *out, compiler *c);

static rbv_status read_number(operand *out, compiler *c) {
  char text[64];
  const char *s = c->at;
  while (is_digit(*s)) s++;
  if (*s == '.') s++;
  while (is_digit(*s)) s++;
  if (*s == 'e' || *s == 'E') {
    const char *power = s + 1 + (s[1] == '+' || s[1] == '-');
    if (is_digit(*power)) s = power;
    while (s == power && is_digit(*power)) s = ++power;
  }
  const size_t length = (size_t)(s - c->at);
  *out = (operand){.known = true};
  if (length < sizeof text) {
    memcpy(text, c->at, length);
    text[length] = 0;
  }
  if (length >= sizeof text || !rbv_real_parse(&out->value, text))
    return FAIL(c, c->at, "this is not a finite number");
  c->at = s;
  return RBV_OK;
}

/* read the identifier at c->at and advance c->at */
static rbv_status read_identifier(char out[EXPRESSION_NAME_SIZE], compiler *c) {
  const char *s = c->at;
  while (is_letter(*s) || is_digit(*s)) s++;
  const size_t length = (size_t)(s - c->at);
  if (length >= EXPRESSION_NAME_SIZE)
    return FAIL(c, c->at, "a name has at most %d characters", EXPRESSION_NAME_SIZE - 1);
  memcpy(out, c->at, length);
  out[length] = 0;
  c->at = s;
  return RBV_OK;
}

/* q, dq, ddq at the beginning of a name: *rest is the remainder; LOAD_CONSTANT if it is none of
 * them */
static operation motion_of(const char **rest, const char *name) {
  const int d = name[0] != 'd' ? 0 : name[1] != 'd' ? 1 : 2;
  *rest = name + d + 1;
  return name[d] == 'q' ? (operation)(LOAD_Q + d) : LOAD_CONSTANT;
}

/* q2, or q alone: then [joint] follows */
static bool is_motion(const char *name) {
  const char *s;
  if (motion_of(&s, name) == LOAD_CONSTANT) return false;
  while (is_digit(*s)) s++;
  return !*s;
}

/* index of the joint with this number from 1; -1 when there is none */
static int joint_number(const char *digits, int njoint) {
  int number = 0;
  for (; *digits && number <= njoint; digits++) number = 10 * number + (*digits - '0');
  return number <= njoint ? number - 1 : -1;
}

static rbv_status read_motion(operand *out, compiler *c, const char *name, const char *where) {
  const char *rest;
  const operation kind = motion_of(&rest, name);
  char joint[256];
  int j = -1;
  if (*rest) {
    strcpy(joint, rest);
    j = joint_number(rest, c->njoint);
  } else {
    skip_blanks(c);
    if (*c->at != '[')
      return FAIL(c, where, "'%s' of which joint? Write %s1 or %s[name]", name, name, name);
    const char *close = strchr(c->at, ']');
    if (!close) return FAIL(c, c->at, "this '[' is never closed");
    const size_t length = (size_t)(close - c->at) - 1;
    if (length >= sizeof joint) return FAIL(c, c->at, "no joint has such a long name");
    memcpy(joint, c->at + 1, length);
    joint[length] = 0;
    c->at = close + 1;
    j = c->joint(c->robot, joint);
  }
  if (j < 0)
    return FAIL(c, where, "there is no joint '%s'; the robot has %d moving joints", joint,
                c->njoint);
  c->program.uses_ddq = c->program.uses_ddq || kind == LOAD_DDQ;
  return load(out, c, kind, j, 0, where);
}

static int find_function(const char *name) {
  return RBV_FIND(functions, RBV_COUNT(functions), name, name);
}

/* c->at is at the opening bracket */
static rbv_status read_call(operand *out, compiler *c, const char *name, const char *where) {
  const int f = find_function(name);
  if (f < 0) {
    rbv_text known = {0};
    for (int i = 0; i < RBV_COUNT(functions); i++) rbv_text_print(&known, " %s", functions[i].name);
    const rbv_status status =
        known.failed ? RBV_EMEM
                     : FAIL(c, where, "there is no function '%s'; there are%s", name, known.data);
    rbv_text_free(&known);
    return status;
  }
  const char *open = c->at++;
  operand argument[2];
  int count = 0;
  skip_blanks(c);
  while (*c->at != ')' || count > 0) {
    operand extra;
    RBV_TRY(read_sum(count < 2 ? &argument[count] : &extra, c));
    count++;
    if (*c->at == ')') break;
    if (!*c->at) return FAIL(c, open, "this '(' is never closed");
    char found[TOKEN_SIZE];
    if (*c->at != ',')
      return FAIL(c, c->at, "expected an operator, ',' or ')', found %s", token(found, c->at));
    c->at++;
  }
  c->at++;
  if (count != functions[f].arity)
    return FAIL(c, where, "%s takes %d argument%s, found %d", name, functions[f].arity,
                functions[f].arity > 1 ? "s" : "", count);
  RBV_TRY(combine(&argument[0], c, functions[f].operation, count > 1 ? &argument[1] : NULL, where));
  *out = argument[0];
  return RBV_OK;
}

static rbv_status read_name(operand *out, compiler *c) {
  const char *where = c->at;
  char name[EXPRESSION_NAME_SIZE];
  RBV_TRY(read_identifier(name, c));
  skip_blanks(c);
  if (*c->at == '(') return read_call(out, c, name, where);
  if (is_motion(name)) return read_motion(out, c, name, where);
  for (int i = 0; i < c->nname; i++)
    if (strcmp(c->name[i].name, name) == 0) {
      *out = c->name[i].is;
      return RBV_OK;
    }
  if (strcmp(name, "pi") == 0) {
    *out = (operand){.known = true, .value = RBV_PI};
    return RBV_OK;
  }
  if (find_function(name) >= 0)
    return FAIL(c, where, "'%s' is a function: write %s(...)", name, name);
  return FAIL(c, where,
              "'%s' is not known: it is neither q, dq or ddq of a joint nor a constant or let "
              "defined before it",
              name);
}

static rbv_status read_value(operand *out, compiler *c) {
  skip_blanks(c);
  if (is_digit(*c->at) || (*c->at == '.' && is_digit(c->at[1]))) return read_number(out, c);
  if (is_letter(*c->at)) return read_name(out, c);
  char found[TOKEN_SIZE];
  if (*c->at != '(') return FAIL(c, c->at, "expected a value, found %s", token(found, c->at));
  const char *open = c->at++;
  RBV_TRY(read_sum(out, c));
  if (!*c->at) return FAIL(c, open, "this '(' is never closed");
  if (*c->at != ')')
    return FAIL(c, c->at, "expected an operator or ')', found %s", token(found, c->at));
  c->at++;
  return RBV_OK;
}

/* every recursion passes here, so the depth is counted here */
static rbv_status read_unary(operand *out, compiler *c) {
  skip_blanks(c);
  const char *where = c->at;
  if (c->depth == EXPRESSION_DEPTH)
    return FAIL(c, where, "the formula is nested deeper than %d", EXPRESSION_DEPTH);
  c->depth++;
  if (*where == '-' || *where == '+') {
    c->at++;
    RBV_TRY(read_unary(out, c));
    if (*where == '-') RBV_TRY(combine(out, c, OPERATE_NEGATE, NULL, where));
  } else {
    RBV_TRY(read_value(out, c));
    skip_blanks(c);
    const char *power = c->at;
    if (*power == '^' || (power[0] == '*' && power[1] == '*')) {
      operand exponent;
      c->at += *power == '^' ? 1 : 2;
      RBV_TRY(read_unary(&exponent, c));
      RBV_TRY(combine(out, c, OPERATE_POWER, &exponent, power));
    }
  }
  skip_blanks(c);
  c->depth--;
  return RBV_OK;
}

static rbv_status read_product(operand *out, compiler *c) {
  RBV_TRY(read_unary(out, c));
  while (*c->at == '*' || *c->at == '/') {
    const char *sign = c->at++;
    operand right;
    RBV_TRY(read_unary(&right, c));
    RBV_TRY(combine(out, c, *sign == '*' ? OPERATE_MULTIPLY : OPERATE_DIVIDE, &right, sign));
  }
  return RBV_OK;
}

static rbv_status read_sum(operand *out, compiler *c) {
  RBV_TRY(read_product(out, c));
  while (*c->at == '+' || *c->at == '-') {
    const char *sign = c->at++;
    operand right;
    RBV_TRY(read_product(&right, c));
    RBV_TRY(combine(out, c, *sign == '+' ? OPERATE_ADD : OPERATE_SUBTRACT, &right, sign));
  }
  return RBV_OK;
}

static rbv_status read_formula(operand *out, compiler *c, const rbv_node *node) {
  RBV_TRY(rbv_node_string(&c->text, node));
  c->node = node;
  c->at = c->text;
  c->depth = 0;
  const size_t length = strlen(c->text);
  if (length > EXPRESSION_LENGTH)
    return rbv_node_fail(RBV_EINPUT, node, "the formula has %zu characters; the limit is %d",
                         length, EXPRESSION_LENGTH);
  RBV_TRY(read_sum(out, c));
  char found[TOKEN_SIZE];
  if (*c->at == ')') return FAIL(c, c->at, "this ')' was never opened");
  if (*c->at) return FAIL(c, c->at, "expected an operator, found %s", token(found, c->at));
  return RBV_OK;
}

/* ---- names ---- */

bool rbv_is_identifier(const char *name) {
  if (!is_letter(name[0]) || strlen(name) >= EXPRESSION_NAME_SIZE) return false;
  while (is_letter(*name) || is_digit(*name)) name++;
  return !*name;
}

static rbv_status add_name(compiler *c, const char *name, const rbv_node *node, operand is) {
  if (!rbv_is_identifier(name))
    return rbv_node_fail(
        RBV_EINPUT, node,
        "'%s' cannot be a name: letters, digits and _, at most %d, not a digit first", name,
        EXPRESSION_NAME_SIZE - 1);
  if (is_motion(name) || strcmp(name, "pi") == 0 || find_function(name) >= 0)
    return rbv_node_fail(RBV_EINPUT, node, "'%s' is a reserved name", name);
  for (int i = 0; i < c->nname; i++)
    if (strcmp(c->name[i].name, name) == 0)
      return rbv_node_fail(RBV_EINPUT, node, "'%s' is given twice", name);
  if (c->nname == EXPRESSION_NAMES)
    return rbv_node_fail(RBV_EINPUT, node, "more than %d constants and lets are not allowed",
                         EXPRESSION_NAMES);
  c->name[c->nname++] = (named_value){name, is};
  return RBV_OK;
}

static void give_up(compiler *c) { rbv_expression_free(&c->program); }

rbv_status rbv_compile_constant(compiler *c, const char *name, const rbv_node *node) {
  operand is;
  rbv_status status = read_formula(&is, c, node);
  if (status == RBV_OK && !is.known)
    status = rbv_node_fail(RBV_EINPUT, node,
                           "constant '%s' depends on the motion: put it under let", name);
  if (status == RBV_OK) status = add_name(c, name, node, is);
  if (status != RBV_OK) give_up(c);
  return status;
}

rbv_status rbv_compile_let(compiler *c, const char *name, const rbv_node *node) {
  operand is;
  rbv_status status = read_formula(&is, c, node);
  if (status == RBV_OK) status = add_name(c, name, node, is);
  // its register, the lowest temporary, is reserved from now on
  if (status == RBV_OK) c->kept = c->used;
  if (status != RBV_OK) give_up(c);
  return status;
}

rbv_status rbv_compile_result(expression *out, compiler *c, const rbv_node *node) {
  operand is;
  rbv_status status = read_formula(&is, c, node);
  if (status == RBV_OK) status = into_register(&is, c, c->text);
  if (status != RBV_OK) {
    give_up(c);
    return status;
  }
  c->program.result = is.place;
  *out = c->program;
  c->program = (expression){0};
  return RBV_OK;
}
