#include "montecarlo_table.h"

#include <math.h>
#include <stdio.h>

/* percent with three digits, nine characters wide */
static void put_percent(double share) {
  if (isfinite(share))
    printf(" %8.*f", fabs(share) < 0.0995 ? 2 : fabs(share) < 9.995 ? 1 : 0, 100 * share);
  else
    printf(" %8s", "-");
}

static void print_parameters(const rbv_montecarlo_summary *r) {
  int zero = 0;
  printf("%-10s %9s ", "", "");
  for (int i = 0; i < r->nmethod; i++) printf("  %17s", r->method[i].method);
  printf("\n%-10s %9s ", "parameter", "truth");
  for (int i = 0; i < r->nmethod; i++) printf("   %7s %8s", "bias %", "spread %");
  printf("\n");
  for (int k = 0; k < r->nparameter; k++) {
    zero += r->truth[k] == 0;
    if (r->truth[k] == 0) continue;
    printf("%-10s %9.4g ", r->name[k], r->truth[k]);
    for (int i = 0; i < r->nmethod; i++) {
      const rbv_montecarlo_parameter *p = &r->method[i].parameter[k];
      printf(" ");
      put_percent(p->bias / fabs(r->truth[k]));
      put_percent(p->spread / fabs(r->truth[k]));
    }
    printf("  %s\n", r->unit[k]);
  }
  if (zero > 0) printf("(%d parameters with the true value 0 are only in the files)\n", zero);
}

typedef double number_of(const rbv_montecarlo_method *m);

static double bias_median(const rbv_montecarlo_method *m) { return m->bias_median; }
static double bias_worst(const rbv_montecarlo_method *m) { return m->bias_worst; }
static double spread_median(const rbv_montecarlo_method *m) { return m->spread_median; }
static double sigma_median(const rbv_montecarlo_method *m) { return m->sigma_median; }
static double ratio_median(const rbv_montecarlo_method *m) { return m->ratio_median; }
static double excess_median(const rbv_montecarlo_method *m) { return m->excess_median; }
static double coverage(const rbv_montecarlo_method *m) { return m->coverage; }
static double fit_error(const rbv_montecarlo_method *m) { return m->fit_error; }
static double second_error(const rbv_montecarlo_method *m) { return m->second_error; }
static double iterations(const rbv_montecarlo_method *m) { return m->iterations; }

static const struct {
  const char *text;
  number_of *number;
  bool percent;
} lines[] = {{"median |bias| %", bias_median, true},
             {"worst |bias| %", bias_worst, true},
             {"median spread %", spread_median, true},
             {"median estimated sigma %", sigma_median, true},
             {"sigma over spread, median", ratio_median, false},
             {"spread over Cramer-Rao bound", excess_median, false},
             {"coverage of 1.96 sigma %", coverage, true},
             {"torque error, fit %", fit_error, true},
             {"torque error, second motion %", second_error, true},
             {"iterations, mean", iterations, false}};

static void print_methods(const rbv_montecarlo_summary *r) {
  printf("\n%-30s", "");
  for (int i = 0; i < r->nmethod; i++) printf(" %9s", r->method[i].method);
  printf("\n%-30s", "converged");
  for (int i = 0; i < r->nmethod; i++) printf(" %9d", r->method[i].converged);
  printf("\n%-30s", "not converged");
  for (int i = 0; i < r->nmethod; i++) printf(" %9d", r->method[i].not_converged);
  printf("\n%-30s", "failed");
  for (int i = 0; i < r->nmethod; i++) printf(" %9d", r->method[i].failed);
  for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
    printf("\n%-30s", lines[l].text);
    for (int i = 0; i < r->nmethod; i++) {
      const double x = lines[l].number(&r->method[i]);
      printf(" ");
      if (lines[l].percent)
        put_percent(x);
      else if (isfinite(x))
        printf(" %8.2f", x);
      else
        printf(" %8s", "-");
    }
  }
  printf("\n");
}

static void print_text(const rbv_montecarlo_summary *r) {
  printf("%d run%s", r->done, r->done == 1 ? "" : "s");
  if (r->done < r->runs) printf(" of %d", r->runs);
  if (r->diverged > 0) printf(", %d of them diverged (the first: %s)", r->diverged, r->reason);
  printf("\n\n");
}

static void print_reasons(const rbv_montecarlo_summary *r) {
  for (int i = 0; i < r->nmethod; i++)
    if (r->method[i].failed > 0)
      printf("first failure of %s: %s\n", r->method[i].method, r->method[i].reason);
}

void cli_print_summary(const rbv_montecarlo_summary *r) {
  print_text(r);
  print_parameters(r);
  print_methods(r);
  print_reasons(r);
}
