/* The robots that are carried in the binary, made from robots/ by the build. */
#ifndef MODEL_BUILTIN_H
#define MODEL_BUILTIN_H

typedef struct {
  const char *name;
  const char *text;  // a robot YAML
} rbv_builtin;

extern const rbv_builtin rbv_builtin_table[];  // ends with a row of NULL

#endif
