/*
 * Consistent standard parameters against DSDP: the problems of tests/consistency, where the optima
 * are compared. Reported: all problems together, the one whose optimum has a body without mass, and
 * the one with the worst ratio.
 */
#include "../tests/consistency/dsdp.h"
#include "stopwatch.h"

#define PROBLEMS 30
#define NO_MASS 1e-3  // kg

typedef struct {
  rbv_model *m;
  double *chi, *size;
  estimate e;
} problem;

static rbv_standard *solve(const problem *p) {
  const rbv_consistency_options o = without_divergence();
  rbv_standard *s;
  assert_ok(rbv_consistency_solve(&s, p->m, &p->e.input, p->chi, &o));
  return s;
}

static void run_ours(void *self) { rbv_standard_free(solve(self)); }

static void run_dsdp(void *self) {
  const problem *p = self;
  double lower, upper;
  solve_with_dsdp(&lower, &upper, p->m, &p->e, p->size);
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

static bool loses_mass(const problem *p) {
  rbv_standard *s = solve(p);
  bool lost = false;
  for (int j = 0; j < s->nbody; j++) lost = lost || s->body[j].mass < NO_MASS;
  rbv_standard_free(s);
  return lost;
}

/* mean time per problem, for each round */
static void add_up(contestant *total, const contestant *c, int rounds) {
  for (int r = 0; r < rounds; r++) {
    total->ns[r] = 0;
    for (int i = 0; i < PROBLEMS; i++) total->ns[r] += c[i].ns[r] / PROBLEMS;
  }
}

static int slowest(const stopwatch *w, const contestant *ours, const contestant *theirs) {
  int at = 0;
  for (int i = 1; i < PROBLEMS; i++)
    if (ratio_of(w, &ours[i], &theirs[i]).middle > ratio_of(w, &ours[at], &theirs[at]).middle)
      at = i;
  return at;
}

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  static problem all[PROBLEMS];
  static contestant c[2 * PROBLEMS], total[2] = {{.name = "ours"}, {.name = "DSDP"}};
  contestant *ours = c, *theirs = c + PROBLEMS;
  for (int i = 0; i < PROBLEMS; i++) {
    make(&all[i], (uint64_t)i + 1);
    ours[i] = (contestant){.name = "ours", .run = run_ours, .self = &all[i], .calls = 1};
    theirs[i] = (contestant){.name = "DSDP", .run = run_dsdp, .self = &all[i], .calls = 1};
  }
  stopwatch_run(&w, c, 2 * PROBLEMS);
  add_up(&total[0], ours, w.rounds);
  add_up(&total[1], theirs, w.rounds);
  print_times(&w, "consistent parameters, mean of 30 problems", total, 2);
  print_ratio_head();
  print_ratio(&w, "consistent standard parameters : DSDP", &total[0], &total[1], 1);
  for (int i = 0; i < PROBLEMS; i++)
    if (loses_mass(&all[i]))
      print_ratio(&w, "the one with a vanishing mass : DSDP", &ours[i], &theirs[i], 1);
  const int worst = slowest(&w, ours, theirs);
  print_ratio(&w, "the slowest of them : DSDP", &ours[worst], &theirs[worst], 1);
  for (int i = 0; i < PROBLEMS; i++) {
    estimate_free(&all[i].e);
    free(all[i].chi);
    rbv_model_free(all[i].m);
  }
  stopwatch_close(&w);
  return 0;
}
