/* Real robots that record no torque: recordings, control laws, and free runs of results. */
#ifndef TEST_REAL_POSITIONS_H
#define TEST_REAL_POSITIONS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/support.h"
#include "document/document.h"
#include "result/result.h"

#include "support.h"
#include "tool.h"

#define REAL_JOINTS 6

/* gains of the drives, as their users give them */
static inline void write_real_laws(void) {
  (void)temp_file("go2.yaml",
                  "rate_hz: 200\njoints: [{k_p: 20, k_d: 1, reference_velocity: 0}, {k_p: 20, "
                  "k_d: 1, reference_velocity: 0}, {k_p: 40, k_d: 2, reference_velocity: 0}]\n");
  rbv_text t = {0};
  rbv_text_put(&t, "rate_hz: 200\njoints:\n");
  static const int k_p[REAL_JOINTS] = {80, 120, 120, 80, 80, 80};
  for (int j = 0; j < REAL_JOINTS; j++)
    rbv_text_print(&t, "  - {k_p: %d, k_d: 2.5, reference_velocity: 0}\n", k_p[j]);
  (void)temp_file("z1.yaml", t.data);
  rbv_text_free(&t);
}

/* processor time of the processes that have ended [s] */
static inline double used_s(void) {
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* rms of the free run of each joint of a result [rad]; returns the joints */
static inline int free_run(double error[REAL_JOINTS], const char *result, const char *log,
                           const char *options) {
  rbv_document *d = tool_json("validate %s '%s' %s --json", result, log, options);
  const rbv_node *list =
      rbv_node_find(rbv_node_find(rbv_document_root(d), "free_run"), "joint_rms_error");
  assert_non_null(list);
  const int n = rbv_node_count(list);
  for (int j = 0; j < n; j++) assert_ok(rbv_node_real(&error[j], rbv_node_at(list, j)));
  rbv_document_free(d);
  return n;
}

/* every joint of a free run is below a limit [rad] */
static inline void check_free_run(const char *result, const char *log, const char *options,
                                  double most) {
  double error[REAL_JOINTS];
  const int n = free_run(error, result, log, options);
  print_message("%s %s, free run:", result, options);
  for (int j = 0; j < n; j++) print_message(" %.2f", 1e3 * error[j]);
  print_message(" mrad\n");
  for (int j = 0; j < n; j++) assert_true(error[j] <= most);
}

#endif
