/*
 * Consistent standard parameters against DSDP: the programmes of tests/physical, whose optima the
 * test compares. Those with an optimum at infinity, where ours takes thousands of steps, are timed
 * apart.
 */
#include "../tests/physical/dsdp.h"
#include "stopwatch.h"

#define PROBLEMS 30
#define MANY_STEPS 1000

typedef struct {
  rbv_model *m;
  double *chi, *size;
  estimate e;
} problem;

/* a list of problems, and who solves them */
typedef struct {
  int count;
  const problem *problem[PROBLEMS];
} list;

static rbv_standard *solve(const problem *p) {
  const rbv_physical_options o = without_divergence();
  rbv_standard *s;
  assert_ok(rbv_physical_solve(&s, p->m, &p->e.input, p->chi, &o));
  return s;
}

static void run_ours(void *self) {
  const list *l = self;
  for (int i = 0; i < l->count; i++) rbv_standard_free(solve(l->problem[i]));
}

static void run_dsdp(void *self) {
  const list *l = self;
  for (int i = 0; i < l->count; i++) {
    const problem *p = l->problem[i];
    double lower, upper;
    ask(&lower, &upper, p->m, &p->e, p->size);
  }
}

static void make(problem *p, uint64_t seed) {
  dice d = {seed, 0};
  p->m = random_robot(&d, 1 + (int)(seed % 4));
  const size_t n = (size_t)rbv_model_column_count(p->m);
  p->chi = calloc(2 * n, sizeof *p->chi);
  p->size = p->chi + n;
  random_parameters(p->chi, p->m, &d);
  estimate_new(&p->e, p->m, p->chi, 0.05);
  estimate_add_noise(&p->e, &d, 10);
  sizes(p->size, p->m, p->chi);
}

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  static problem all[PROBLEMS];
  list usual = {0}, far = {0};
  for (int i = 0; i < PROBLEMS; i++) {
    make(&all[i], (uint64_t)i + 1);
    rbv_standard *s = solve(&all[i]);
    list *to = s->iterations < MANY_STEPS ? &usual : &far;
    to->problem[to->count++] = &all[i];
    rbv_standard_free(s);
  }
  contestant c[] = {
      {.name = "ours", .run = run_ours, .self = &usual, .calls = usual.count},
      {.name = "DSDP", .run = run_dsdp, .self = &usual, .calls = usual.count},
      {.name = "ours, far optimum", .run = run_ours, .self = &far, .calls = far.count},
      {.name = "DSDP, far optimum", .run = run_dsdp, .self = &far, .calls = far.count}};
  const int count = far.count > 0 ? 4 : 2;
  stopwatch_run(&w, c, count);
  char title[96];
  snprintf(title, sizeof title, "consistent parameters, %d problems and %d", usual.count,
           far.count);
  print_times(&w, title, c, count);
  print_ratio_head();
  print_ratio(&w, "consistent standard parameters : DSDP", &c[0], &c[1], 1);
  if (count > 2) print_ratio(&w, "the same, optimum at a vanishing mass : DSDP", &c[2], &c[3], 0);
  for (int i = 0; i < PROBLEMS; i++) {
    estimate_free(&all[i].e);
    free(all[i].chi);
    rbv_model_free(all[i].m);
  }
  stopwatch_close(&w);
  return 0;
}
