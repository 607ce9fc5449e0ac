/* Texts that are part of the binary. The build makes them from robots/. */
#ifndef MODEL_BUILTIN_H
#define MODEL_BUILTIN_H

typedef struct {
  const char *name;
  const char *text;
} rbv_builtin;

/* Each ends with a row of NULL. */
extern const rbv_builtin rbv_builtin_table[];       // robots: YAML
extern const rbv_builtin rbv_builtin_references[];  // motions of the reference simulation: knots

#endif
