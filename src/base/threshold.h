/*
 * Thresholds: numbers that decide. Each is a row of a list in <module>_thresholds.h:
 *
 *   X(kind, NAME, value, unit, what set the value, what it does)
 *
 * A source file declares the constants of the list GROUP_THRESHOLDS with RBV_THRESHOLDS(GROUP).
 *
 *   real   a constant of type double
 *   count  a constant of type int
 *   size   the same, and the length of an array or the order of an algorithm: it is not varied
 *   step   as real, and the step of a loop: it is not varied
 *
 * The library has plain constants. With RBV_VARY_THRESHOLDS they are variables, which
 * bench/vary_thresholds.c sets for scripts/thresholds; no other program defines that.
 */
#ifndef BASE_THRESHOLD_H
#define BASE_THRESHOLD_H

/* A row, for programs that walk the lists. */
typedef struct {
  const char *kind, *name;
  double value;
  const char *unit, *set_by, *effect;
  double *real;  // the variable; NULL if it is not a real one, or cannot be varied
  int *count;
} rbv_threshold;

#ifndef RBV_VARY_THRESHOLDS

#define RBV_THRESHOLD_real(name, value) static const double name = value;
#define RBV_THRESHOLD_count(name, value) enum { name = value };
#define RBV_THRESHOLD_size(name, value) enum { name = value };
#define RBV_THRESHOLD_step(name, value) static const double name = value;
#define RBV_THRESHOLD_DECLARE(kind, name, value, unit, set_by, effect) \
  RBV_THRESHOLD_##kind(name, value)
// the last declaration takes the semicolon
#define RBV_THRESHOLDS(group) \
  group##_THRESHOLDS(RBV_THRESHOLD_DECLARE) enum { group##_THRESHOLDS_END }

#else

/* The program keeps a list of all rows of all files. */
void rbv_threshold_register(const char *group, const rbv_threshold *rows, int count);

#define RBV_THRESHOLD_real(name, value) static double name = value;
#define RBV_THRESHOLD_count(name, value) static int name = value;
#define RBV_THRESHOLD_size(name, value) enum { name = value };
#define RBV_THRESHOLD_step(name, value) static const double name = value;
#define RBV_THRESHOLD_DECLARE(kind, name, value, unit, set_by, effect) \
  RBV_THRESHOLD_##kind(name, value)
#define RBV_THRESHOLD_AT_real(name) &name, 0
#define RBV_THRESHOLD_AT_count(name) 0, &name
#define RBV_THRESHOLD_AT_size(name) 0, 0
#define RBV_THRESHOLD_AT_step(name) 0, 0
#define RBV_THRESHOLD_ROW(kind, name, value, unit, set_by, effect) \
  {#kind, #name, value, unit, set_by, effect, RBV_THRESHOLD_AT_##kind(name)},
#define RBV_THRESHOLDS(group)                                                      \
  group##_THRESHOLDS(RBV_THRESHOLD_DECLARE)                                        \
      __attribute__((constructor)) static void register_##group(void) {            \
    static const rbv_threshold table_[] = {group##_THRESHOLDS(RBV_THRESHOLD_ROW)}; \
    rbv_threshold_register(#group, table_, (int)(sizeof table_ / sizeof *table_)); \
  }                                                                                \
  enum { group##_THRESHOLDS_END }

#endif
#endif
