/*
 * Functions of a graph: name in formulas, arguments, text in C (NULL: the operator itself), helper
 * that it needs, value for numbers a and b, slopes by a and by b as nodes. In slopes A and B are
 * the arguments and V the value of the call.
 */
#ifndef EXPORT_GRAPH_FUNCTIONS_H
#define EXPORT_GRAPH_FUNCTIONS_H

// clang-format off
#define FUNCTION_LIST(X)                                                                            \
  X("sin", 1, "sin", -1, sin(a), CALL("cos", A), NONE)                                              \
  X("cos", 1, "cos", -1, cos(a), NEGATE(CALL("sin", A)), NONE)                                      \
  X("tan", 1, "tan", -1, tan(a), ADD(NUMBER(1), MUL(V, V)), NONE)                                   \
  X("asin", 1, "asin", -1, asin(a), OVER(CALL("sqrt", SUB(NUMBER(1), MUL(A, A)))), NONE)            \
  X("acos", 1, "acos", -1, acos(a), NEGATE(OVER(CALL("sqrt", SUB(NUMBER(1), MUL(A, A))))), NONE)    \
  X("atan", 1, "atan", -1, atan(a), OVER(ADD(NUMBER(1), MUL(A, A))), NONE)                          \
  X("atan2", 2, "atan2", -1, atan2(a, b), MUL(B, OVER(ADD(MUL(A, A), MUL(B, B)))),                  \
    NEGATE(MUL(A, OVER(ADD(MUL(A, A), MUL(B, B))))))                                                \
  X("sinh", 1, "sinh", -1, sinh(a), CALL("cosh", A), NONE)                                          \
  X("cosh", 1, "cosh", -1, cosh(a), CALL("sinh", A), NONE)                                          \
  X("tanh", 1, "tanh", -1, tanh(a), SUB(NUMBER(1), MUL(V, V)), NONE)                                \
  X("exp", 1, "exp", -1, exp(a), V, NONE)                                                           \
  X("log", 1, "log", -1, log(a), OVER(A), NONE)                                                     \
  X("sqrt", 1, "sqrt", -1, sqrt(a), MUL(NUMBER(0.5), OVER(V)), NONE)                                \
  X("abs", 1, "fabs", -1, fabs(a), CALL("sign", A), NONE)                                           \
  X("pow", 2, "pow", -1, pow(a, b), MUL(B, CALL2("pow", A, SUB(B, NUMBER(1)))),                     \
    MUL(V, CALL("log", A)))                                                                         \
  X("sign", 1, "sign", 0, SIGN(a), NONE, NONE)                                                      \
  X("min", 2, "least", 1, LESS(a, b), SHARE(SUB(B, A)), SHARE(SUB(A, B)))                           \
  X("max", 2, "largest", 2, MORE(a, b), SHARE(SUB(A, B)), SHARE(SUB(B, A)))                         \
  X("/", 2, NULL, -1, a / b, OVER(B), NEGATE(MUL(V, OVER(B))))
// clang-format on

#endif
