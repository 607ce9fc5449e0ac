/* The table of a filter scan. */
#include <math.h>
#include <string.h>

#include "identify_output.h"

/* the run of a method with a cut-off, with the decimation from the data or none; NULL: none */
static const rbv_scan_run *find_run(const rbv_filter_scan *scan, const char *method,
                                    double cutoff_hz, bool from_data) {
  for (int i = 0; i < scan->nrun; i++) {
    const rbv_scan_run *r = &scan->run[i];
    if (strcmp(r->method, method) == 0 && r->cutoff_hz == cutoff_hz && r->from_data == from_data)
      return r;
  }
  return NULL;
}

/* "0.31", with a star if the method did not converge, "-" without an estimate */
static void put_change(char text[16], const rbv_scan_run *run) {
  if (!run || !isfinite(run->change))
    snprintf(text, 16, "-");
  else
    snprintf(text, 16, "%.*f%s", 100 * run->change < 9.95 ? 2 : 0, 100 * run->change,
             run->converged ? "" : "*");
}

/* is this the first run with its cut-off? */
static bool is_first(const rbv_filter_scan *scan, int run) {
  for (int i = 0; i < run; i++)
    if (scan->run[i].cutoff_hz == scan->run[run].cutoff_hz) return false;
  return true;
}

static void print_method(const rbv_filter_scan *scan, const rbv_scan_method *m,
                         const cli_common *common) {
  cli_message(common, "  %-7s", m->method);
  for (int i = 0; i < scan->nrun; i++) {
    if (!is_first(scan, i)) continue;
    char text[2][16], both[40];
    const rbv_scan_run *run[2];
    for (int d = 0; d < 2; d++) {
      run[d] = find_run(scan, m->method, scan->run[i].cutoff_hz, d == 0);
      put_change(text[d], run[d]);
    }
    snprintf(both, sizeof both, "%s%s%s", run[0] ? text[0] : "", run[0] && run[1] ? " / " : "",
             run[1] ? text[1] : "");
    cli_message(common, " %11s", both);
  }
  cli_message(common, "   %d of %d", m->stable, scan->compared);
  if (m->worst)
    cli_message(common, "; %s %.*f %%", m->worst, 100 * m->largest < 9.95 ? 1 : 0,
                100 * m->largest);
  cli_message(common, "\n");
}

static void print_reasons(const rbv_filter_scan *scan, const cli_common *common) {
  bool star = false;
  for (int i = 0; i < scan->nrun; i++) {
    const rbv_scan_run *r = &scan->run[i];
    star = star || (!r->reason && !r->converged);
    if (r->reason)
      cli_message(common, "  %s, %.3g Hz, decimation %d: %s\n", r->method, r->cutoff_hz,
                  r->decimate, r->reason);
    else if (strcmp(r->used, r->method) != 0)
      cli_message(common, "  %s, %.3g Hz, decimation %d: its noise model fails, so this is %s\n",
                  r->method, r->cutoff_hz, r->decimate, r->used);
  }
  if (star) cli_message(common, "  * not converged\n");
}

void cli_print_scan(const rbv_filter_scan *scan, const cli_common *common) {
  if (scan->nrun == 0) return;
  const bool middle = strcmp(scan->against, "middle") == 0;
  const bool robot = strcmp(scan->against, "robot") == 0;
  cli_message(common,
              "filter scan: median change [%%] of %d identified parameters from %s\n"
              "  (with the decimation of the run / without; how many stay in all; largest change)\n"
              "  cut-off",
              scan->compared,
              middle  ? "the middle of each method"
              : robot ? "the robot file"
                      : scan->against);
  for (int i = 0; i < scan->nrun; i++)
    if (is_first(scan, i)) cli_message(common, " %8.3g Hz", scan->run[i].cutoff_hz);
  cli_message(common, "   stay; largest\n");
  for (int m = 0; m < scan->nmethod; m++) print_method(scan, &scan->method[m], common);
  print_reasons(scan, common);
}
