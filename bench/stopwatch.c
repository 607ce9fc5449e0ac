#include "stopwatch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

stopwatch stopwatch_new(int argc, char **argv) {
  stopwatch w = {.rounds = 41};
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && strcmp(argv[i], "--rounds") == 0) {
      w.rounds = atoi(argv[i + 1]);
    } else if (i + 1 < argc && strcmp(argv[i], "--json") == 0) {
      w.json = fopen(argv[i + 1], "a");
      if (!w.json) {
        perror(argv[i + 1]);
        exit(4);
      }
    } else {
      fprintf(stderr, "usage: %s [--rounds N] [--json FILE]\n", argv[0]);
      exit(2);
    }
  }
  if (w.rounds < 1 || w.rounds > ROUNDS_MAX) {
    fprintf(stderr, "%s: rounds must be 1 to %d\n", argv[0], ROUNDS_MAX);
    exit(2);
  }
  return w;
}

void stopwatch_close(stopwatch *w) {
  if (w->json && fclose(w->json) != 0) {
    perror("json");
    exit(4);
  }
}

static double now(const stopwatch *w) {
  struct timespec t;
  clock_gettime(w->wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

void stopwatch_run(const stopwatch *w, contestant *c, int count) {
  for (int r = -1; r < w->rounds; r++)
    for (int i = 0; i < count; i++) {
      const double start = now(w);
      c[i].run(c[i].self);  // also sets the number to which seconds points
      const double spent = c[i].seconds ? 1e9 * *c[i].seconds : now(w) - start;
      if (r >= 0) c[i].ns[r] = spent / c[i].calls;
    }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(const double *sorted, int n, double p) {
  const double at = p * (n - 1);
  const int k = (int)at;
  return k + 1 < n ? sorted[k] + (at - k) * (sorted[k + 1] - sorted[k]) : sorted[k];
}

static spread quartiles(double *x, int n) {
  qsort(x, (size_t)n, sizeof *x, ascending);
  return (spread){quantile(x, n, 0.25), quantile(x, n, 0.5), quantile(x, n, 0.75)};
}

spread time_of(const stopwatch *w, const contestant *c) {
  double x[ROUNDS_MAX];
  memcpy(x, c->ns, (size_t)w->rounds * sizeof *x);
  return quartiles(x, w->rounds);
}

spread ratio_of(const stopwatch *w, const contestant *ours, const contestant *theirs) {
  double x[ROUNDS_MAX];
  for (int r = 0; r < w->rounds; r++) x[r] = ours->ns[r] / theirs->ns[r];
  return quartiles(x, w->rounds);
}

void print_times(const stopwatch *w, const char *title, const contestant *c, int count) {
  printf("\n%-52s %9s   quartiles\n", title, "ns");
  for (int i = 0; i < count; i++) {
    const spread s = time_of(w, &c[i]);
    printf("  %-50s %9.1f   %.1f .. %.1f\n", c[i].name, s.middle, s.low, s.high);
    if (w->json)
      fprintf(w->json,
              "{\"kind\": \"time\", \"group\": \"%s\", \"name\": \"%s\", \"median_ns\": %.17g, "
              "\"quartiles_ns\": [%.17g, %.17g], \"rounds\": %d}\n",
              title, c[i].name, s.middle, s.low, s.high, w->rounds);
  }
}

void print_ratio_head(void) {
  printf("\n  %-58s %-7s  %-16s  target\n", "ratios, ours : peer", "median", "quartiles");
}

/* "1/7.5" if faster, "14.0" if slower; two decimals for ratios below 3 */
static void print_share(char text[16], double ratio) {
  const double times = ratio < 1 ? 1 / ratio : ratio;
  snprintf(text, 16, "%s%.*f", ratio < 1 ? "1/" : "", times < 3 ? 2 : 1, times);
}

void print_ratio(const stopwatch *w, const char *what, const contestant *ours,
                 const contestant *theirs, double target) {
  const spread s = ratio_of(w, ours, theirs);
  const bool met = s.middle <= target;
  char text[3][16];
  print_share(text[0], s.middle);
  print_share(text[1], s.high);
  print_share(text[2], s.low);
  printf("  %-58s %-7s  %s .. %s", what, text[0], text[1], text[2]);
  if (target > 0)
    printf(target > 1 ? "   %.3g %s" : "   1/%.3g %s", target > 1 ? target : 1 / target,
           met ? "met" : "MISSED");
  printf("\n");
  if (!w->json) return;
  fprintf(w->json,
          "{\"kind\": \"ratio\", \"name\": \"%s\", \"ours\": \"%s\", \"peer\": \"%s\", "
          "\"median\": %.17g, \"quartiles\": [%.17g, %.17g]",
          what, ours->name, theirs->name, s.middle, s.low, s.high);
  if (target > 0)
    fprintf(w->json, ", \"target\": %.17g, \"met\": %s", target, met ? "true" : "false");
  fprintf(w->json, "}\n");
}

void print_peak_share(const stopwatch *w, const char *what, double flops, const contestant *ours,
                      const contestant *peak) {
  const spread s = ratio_of(w, peak, ours);
  const double k = flops / 1000;
  printf("  %-58s %-7.2f  %.2f .. %.2f   %.0f flops\n", what, k * s.middle, k * s.low, k * s.high,
         flops);
  if (w->json)
    fprintf(w->json,
            "{\"kind\": \"share of peak\", \"name\": \"%s\", \"ours\": \"%s\", \"flops\": %.17g, "
            "\"peak_flops_per_ns\": %.17g, \"median\": %.17g, \"quartiles\": [%.17g, %.17g]}\n",
            what, ours->name, flops, 1000 / time_of(w, peak).middle, k * s.middle, k * s.low,
            k * s.high);
}
