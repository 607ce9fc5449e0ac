/* Plots: ranges, boxes, Bode plots of known transfer functions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/plots.h"
#include "support.h"

static int count_of(const char *text, const char *part) {
  int n = 0;
  for (; (text = strstr(text, part)); text++) n++;
  return n;
}

static drawing small(void) {
  return (drawing){.xlabel = "x [1]", .ylabel = "y [1]", .width = 300, .height = 200};
}

/* ranges cover the finite values; a range that is set is kept */
static void test_curves(void **state) {
  (void)state;
  const double x[4] = {0, 1, 2, 4}, y[4] = {-1, NAN, 3, 2};
  const plot_curve curve = {"c1", "one", x, y, 4};
  drawing d = small();
  rbv_plot_curves(&d, &curve, 1);
  assert_true(d.xmin == 0 && d.xmax == 4);
  assert_near(d.ymin, -1.2, 0, 1e-12);  // 5 % of the range of 4
  assert_near(d.ymax, 3.2, 0, 1e-12);
  assert_int_equal(count_of(rbv_text_string(&d.body), "class=\"line c1\""), 1);
  rbv_draw_free(&d);
  d = small();
  d.ymin = -10;
  d.ymax = 10;
  rbv_plot_curves(&d, &curve, 1);
  assert_true(d.ymin == -10 && d.ymax == 10);
  rbv_draw_free(&d);
}

/* a path in a window: absolute after a break, else steps; the sum of the steps is the last point,
 * with a hundredth of a pixel upwards. A band does not set the range, limits do. */
static void test_time(void **state) {
  (void)state;
  double t[400], y[400], low[400], high[400];
  const double limit[2] = {-3, INFINITY};
  for (int k = 0; k < 400; k++) {
    t[k] = 0.01 * k;
    y[k] = k == 200 ? NAN : sin(0.05 * k);
    low[k] = -9;
    high[k] = 9;
  }
  const plot_time p = {.t = t,
                       .count = 400,
                       .low = low,
                       .high = high,
                       .limit = limit,
                       .ncurve = 1,
                       .curve = {{"c1", "one", y}}};
  drawing d = small();
  rbv_plot_time(&d, &p);
  assert_true(d.ymin > -3.5 && d.ymin < -3 && d.ymax < 1.5);
  const char *svg = rbv_text_string(&d.body);
  assert_int_equal(count_of(svg, "<svg class=\"window\""), 1);
  assert_int_equal(count_of(svg, " limit\" d="), 1);
  const char *at = strstr(svg, "data-name=\"one\" d=\"");
  assert_non_null(at);
  at = strstr(at, " d=") + 4;
  double px = 0, py = 0;
  int points = 0, begins = 0;
  bool absolute = false;
  while (*at != '"') {
    char *end;
    if (*at == 'M' || *at == 'l') absolute = *at++ == 'M';
    const double dx = strtod(at, &end), dy = strtod(end, &end);
    px = absolute ? dx : px + dx;
    py = absolute ? dy : py + dy;
    begins += absolute;
    at = end;
    const int k = points + (points >= 200);
    assert_near(px, rbv_draw_x(&d, t[k]), 0.0501, 0);
    assert_near(py, rbv_draw_y(&d, y[k]), 0.00501, 0);
    points++;
  }
  assert_int_equal(points, 399);
  assert_int_equal(begins, 2);
  rbv_draw_free(&d);
}

/* 1 to 9: median 5, quartiles 3 and 7, so that 20 is beyond 7 + 1.5 * 4 */
static void test_boxes(void **state) {
  (void)state;
  const double value[2][9] = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {9, 8, 20, 6, 5, 4, 3, 2, 1}};
  const plot_box box[2] = {{"f1", "A", value[0], 9}, {"f2", "B", value[1], 9}};
  drawing d = small();
  rbv_plot_boxes(&d, box, 2);
  const char *svg = rbv_text_string(&d.body);
  assert_int_equal(count_of(svg, "<rect class=\"f1\""), 1);
  assert_int_equal(count_of(svg, "<rect class=\"f2\""), 1);
  assert_int_equal(count_of(svg, "class=\"dots"), 1);
  char rect[64];
  snprintf(rect, sizeof rect, "y=\"%.1f\" width", rbv_draw_y(&d, 7));
  assert_non_null(strstr(svg, rect));
  rbv_draw_free(&d);
}

/* a gain of 10 is 20 dB and 0 degrees; a delay of one sample is 1 and -180 degrees at half the rate
 */
static void test_bode(void **state) {
  (void)state;
  rbv_transfer gain = rbv_transfer_unit(), delay = rbv_transfer_unit();
  gain.num[0] = 10;
  delay.advance = -1;
  const plot_transfer t[2] = {{"c1", "gain", &gain}, {"c2", "delay", &delay}};
  drawing g = small(), p = small();
  assert_ok(rbv_plot_bode(&g, &p, t, 2, 1, 1000));
  assert_near(g.ymin, -1, 0, 1e-9);  // 0 dB and 20 dB, 5 % more at each end
  assert_near(g.ymax, 21, 0, 1e-9);
  assert_near(p.ymin, -0.499 * 360 * 1.05, 0, 0.05);
  assert_near(p.ymax, 0.499 * 360 * 0.05, 0, 0.05);
  rbv_draw_free(&g);
  rbv_draw_free(&p);
}

static void test_matrix(void **state) {
  (void)state;
  const double A[4] = {1, -1, -1, 1};
  const char *const name[2] = {"a<b", "c"};
  drawing d = small();
  rbv_plot_matrix(&d, A, name, 2, "correlation [1]");
  const char *svg = rbv_text_string(&d.body);
  assert_non_null(strstr(svg, "a&lt;b"));
  assert_non_null(strstr(svg, "<path class=\"h8\" d=\"M"));     // +1
  assert_non_null(strstr(svg, "<path class=\"h0\" d=\"M"));     // -1
  assert_non_null(strstr(svg, "<path class=\"h4\" d=\"\"/>"));  // no 0
  assert_non_null(strstr(svg, ">-0.89<"));
  rbv_draw_free(&d);
  // without negative entries the scale starts at 0
  const double B[4] = {1, 0.5, 0.5, 1};
  d = small();
  rbv_plot_matrix(&d, B, name, 2, "coupling [1]");
  svg = rbv_text_string(&d.body);
  assert_null(strstr(svg, ">-0.89<"));
  assert_non_null(strstr(svg, ">0.89<"));
  rbv_draw_free(&d);
}

/* an alternating series: every lag is outside; a series that is too short draws nothing */
static void test_autocorrelation(void **state) {
  (void)state;
  double e[200];
  for (int k = 0; k < 200; k++) e[k] = k % 2 ? 1 : -1;
  drawing d = small();
  assert_int_equal(rbv_plot_autocorrelation(&d, e, 200, 20), 20);
  rbv_draw_free(&d);
  d = small();
  assert_int_equal(rbv_plot_autocorrelation(&d, e, 3, 20), -1);
  assert_null(d.body.data);
  rbv_draw_free(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_curves), cmocka_unit_test(test_time),
      cmocka_unit_test(test_boxes),  cmocka_unit_test(test_bode),
      cmocka_unit_test(test_matrix), cmocka_unit_test(test_autocorrelation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
