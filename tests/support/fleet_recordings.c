#include "fleet_recordings.h"

#include <math.h>
#include <roberval/sys/base.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "bench.h"
#include "support.h"
#include "tool.h"

#define SCATTER 0.01  // relative scatter of every parameter between robots
#define SAMPLES 5000
#define RATE 500.0

/* each joint: sum of four sines; all frequencies are different */
static void write_motion(void) {
  FILE *f = fopen(temp_file("traj.csv", NULL), "w");
  assert_non_null(f);
  fputs("t,q1,q2,q3,q4,q5,q6\n", f);
  for (int k = 0; k < SAMPLES; k++) {
    fprintf(f, "%.6f", k / RATE);
    for (int j = 1; j <= BENCH_JOINTS; j++) {
      double q = 0;
      for (int s = 1; s <= 4; s++) {
        const double w = 2 * RBV_PI * (0.11 + 0.31 * (s - 1) + 0.043 * j);
        q += 0.9 / s * sin(w * k / RATE + 1.7 * s * j);
      }
      fprintf(f, ",%.15g", q);
    }
    fputc('\n', f);
  }
  assert_int_equal(fclose(f), 0);
}

static void write_parameters(int i, const rbv_model *m, const fleet_options *o) {
  FILE *f = fopen(temp_file("truth.yaml", NULL), "w");
  assert_non_null(f);
  for (int k = 0; k < BENCH_TRUE; k++) {
    const char *name = bench_true[k];
    double value = rbv_model_parameters(m)[rbv_model_find(m, name)];
    value *= 1 + SCATTER * rbv_random_normal(40, (uint64_t)i, (uint64_t)k);
    if (i == o->worn && (strcmp(name, "Fv3") == 0 || strcmp(name, "Fc3") == 0)) value *= o->wear;
    fprintf(f, "%s: %.17g\n", name, value);
  }
  if (i == o->loaded)
    fprintf(f, "M6: %g\nMZ6: %g\nXX6: %g\nYY6: %g\n", o->mass, 0.08 * o->mass,
            0.08 * 0.08 * o->mass, 0.08 * 0.08 * o->mass);
  assert_int_equal(fclose(f), 0);
}

void fleet_record(const fleet_options *o) {
  rbv_model *m = bench_model();
  write_motion();
  for (int i = 1; i <= o->count; i++) {
    write_parameters(i, m, o);
    free(
        tool_text("simulate tx40 traj.csv -p truth.yaml --gamma 150 --encoder 20000 "
                  "--torque-noise 2%% --seed %d -q -o log%d.csv",
                  i, i));
  }
  FILE *f = fopen(temp_file("fleet.yaml", NULL), "w");
  assert_non_null(f);
  fputs("robot: tx40\noptions: {gamma: 150}\nrobots:\n", f);
  for (int i = 1; i <= o->count; i++) fprintf(f, "  - {name: arm%d, logs: [log%d.csv]}\n", i, i);
  assert_int_equal(fclose(f), 0);
  rbv_model_free(m);
}
