#include "job_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arm.h"
#include "motions.h"
#include "support.h"
#include "tool.h"

const job_file job_files[] = {
    {"arm.yaml", NULL, "log.csv", {0}},
    {"log.csv", NULL, "log.csv", {0}},
    {"other.csv", "validate", "log.csv", {0}},
    {"loaded.csv", "loaded", "empty.csv", {"payload", "true"}},
    {"map.yaml", "map", "log.csv", {0}},
    {"prior.yaml", "prior", "log.csv", {"prior-weight", "1"}},
    {"bounds.yaml", "bounds", "log.csv", {"consistent", "true"}},
    {"pid.yaml", "controller", "log.csv", {"method", "iv"}},
    {"start.yaml", "start", "log.csv", {"method", "iv", "controller", "pid.yaml"}},
    {"weights.yaml", "weights", "log.csv", {0}},
    {"gains.yaml", "gains", "log.csv", {0}},
    {"stiffness.yaml", "stiffness", "sensed.csv", {"sensing", "motor"}},
    {"open.csv", "back-emf", "log.csv", {0}},
    {0}};

/* files end with a newline after a space or a comment, which can be changed without effect */
static const struct {
  const char *name, *text;
} texts[] = {
    {"map.yaml",
     "time: t\nsensing: motor\njoints:\n  - {name: elbow, q: q2, tau: tau2, qr: qr2}\n"
     "  - {name: shoulder, q: q1, tau: tau1, qr: qr1}\n# end\n"},
    {"prior.yaml",
     "{Fv1: {value: 1, sigma: 0.1}, Fv2: {value: 0.4, sigma: 0.1}, MX2: 0.2}\n# end\n"},
    {"start.yaml",
     "{ZZ1: 0.3, MX1: 0.5, ZZ2: 0.1, MX2: 0.2, M2: 1, Ia1: 0.1, Ia2: 0.05, Fv1: 1, Fc1: 0.7, "
     "Fv2: 0.4, Fc2: 0.5}\n# end\n"},
    {"bounds.yaml",
     "bounds:\n  - {link: 2, centre: [0.2, 0, 0], half_axes: [0.4, 0.3, 0.3]}\n# end\n"},
    {"weights.yaml", "[0.1, 0.05]\n# end\n"},
    {"gains.yaml", "[1.5, 0.5]\n# end\n"},
    {"stiffness.yaml", "[1.0e5, 2.0e4]\n# end\n"},
};

static const char shapes[] =
    "collision:\n"
    "  - {link: 1, from: [0, 0, 0], to: [0.5, 0, 0], radius: 0.06}\n"
    "  - {link: 2, from: [0, 0, 0], to: [0.4, 0, 0], radius: 0.05}\n# end\n";

/* in its loop: encoder of 65536 counts, 2 % of noise on the torque */
static void simulate(const rbv_model *m, const char *name, uint64_t seed, ptrdiff_t count,
                     const char *options) {
  waves w;
  waves_new(&w, m, NULL, seed, count, 500, false);
  waves_save(&w, temp_file("traj.csv", NULL), "q");
  waves_free(&w);
  free(tool_text(
      "simulate arm.yaml traj.csv -q -o %s --gamma 150 --encoder 65536 --torque-noise 2%% "
      "--bandwidth 8,12 %s",
      name, options));
}

static void record(const char *name, int sensing, bool loaded, const char *stems) {
  rbv_model *m = load_robot("arm.yaml", sensing, true);
  double chi[64];
  memcpy(chi, rbv_model_parameters(m), (size_t)rbv_model_column_count(m) * sizeof *chi);
  chi[rbv_model_find(m, "ML")] = 1.5;
  chi[rbv_model_find(m, "MXL")] = 0.3;
  waves w;
  waves_new(&w, m, chi, 5 + loaded, 2000, 200, loaded);
  waves_add_white(&w, 7 + loaded, 0.01);
  waves_save(&w, name, stems);
  waves_free(&w);
  rbv_model_free(m);
}

/* a voltage of 0.1 and 0.2 V s/rad; without gears the motor turns as the joint does */
static void record_open(const rbv_model *m) {
  waves w;
  waves_new(&w, m, NULL, 9, 2000, 200, false);
  FILE *f = fopen("open.csv", "w");
  assert_non_null(f);
  fprintf(f, "t,qm1,qm2,emf1,emf2\n");
  for (int k = 0; k < 2000; k++)
    fprintf(f, "%.17g,%.17g,%.17g,%.17g,%.17g\n", k / 200.0, w.q[k], w.q[k + 2000], 0.1 * w.dq[k],
            0.2 * w.dq[k + 2000]);
  fprintf(f, " \n");
  assert_int_equal(fclose(f), 0);
  waves_free(&w);
}

void job_files_write(void) {
  char robot[2048];
  assert_int_equal(chdir(temp_directory()), 0);
  snprintf(robot, sizeof robot, "%s%s", sound_arm, shapes);
  temp_file("arm.yaml", robot);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) temp_file(texts[i].name, texts[i].text);
  rbv_model *m = load_robot("arm.yaml", -1, false);
  simulate(m, "log.csv", 1, 2000, "--save-controller pid.yaml");
  simulate(m, "other.csv", 2, 1000, "--seed 2");
  record_open(m);
  rbv_model_free(m);
  record("empty.csv", -1, false, "q tau");
  record("loaded.csv", -1, true, "q tau");
  record("sensed.csv", RBV_SENSING_BOTH, false, "q tau tauj");
}

/* the last byte is a newline, which may be missing or be a space as well */
static void set_last(const char *name, int from, int to) {
  FILE *f = fopen(name, "r+");
  assert_non_null(f);
  assert_int_equal(fseek(f, -1, SEEK_END), 0);
  assert_int_equal(fgetc(f), from);
  assert_int_equal(fseek(f, -1, SEEK_END), 0);
  assert_int_equal(fputc(to, f), to);
  assert_int_equal(fclose(f), 0);
}

void job_file_change(const char *name) { set_last(name, '\n', ' '); }
void job_file_restore(const char *name) { set_last(name, ' ', '\n'); }
