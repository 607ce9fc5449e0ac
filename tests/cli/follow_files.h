/* A TX40 at work for tests of `follow`: clean.csv, work.csv and result.json. */
#ifndef TEST_FOLLOW_FILES_H
#define TEST_FOLLOW_FILES_H

#include <stdio.h>
#include <stdlib.h>

#include "stream.h"
#include "support.h"
#include "tool.h"

#define RATE 500
#define CONTACT_S 5.0  // for 0.3 s
#define PICK_S 8.0     // until the end
#define END_S 11.0

static void write_head(FILE *f) {
  fprintf(f, "t");
  for (int j = 0; j < 6; j++) fprintf(f, ",q%d", j + 1);
  for (int j = 0; j < 6; j++) fprintf(f, ",tau%d", j + 1);
  fprintf(f, "\n");
}

static void write_row(FILE *f, const stream *s) {
  fprintf(f, "%.6f", s->t);
  for (int j = 0; j < 6; j++) fprintf(f, ",%.9g", s->q[j]);
  for (int j = 0; j < 6; j++) fprintf(f, ",%.9g", s->tau[j]);
  fprintf(f, "\n");
}

/* clean.csv for the identification, work.csv with a contact and a payload */
static int prepare_follow(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  const double speed[] = {0.005, 0.005, 0.005, 0.005, 0.005, 0.005};
  assert_ok(rbv_model_smooth(&m, speed));
  stream s;
  FILE *f = fopen(temp_file("clean.csv", NULL), "w");
  assert_non_null(f);
  stream_new(&s, m, rbv_model_parameters(m), RATE, 0.01, 1, 1);
  write_head(f);
  for (int k = 0; k < 30 * RATE; k++) {
    stream_next(&s);
    write_row(f, &s);
  }
  assert_int_equal(fclose(f), 0);
  stream_free(&s);
  f = fopen(temp_file("work.csv", NULL), "w");
  assert_non_null(f);
  stream_new(&s, m, rbv_model_parameters(m), RATE, 0.01, 3, 2);
  write_head(f);
  for (int k = 0; k < (int)(END_S * RATE); k++) {
    const double t = (double)k / RATE;
    // 10 % of the rated torque of joint 2
    s.external[1] = t >= CONTACT_S && t < CONTACT_S + 0.3 ? 13 : 0;
    if (k == (int)(PICK_S * RATE)) stream_carry(&s, 3, (const double[3]){0.02, 0, 0.08}, 0.05);
    stream_next(&s);
    write_row(f, &s);
  }
  assert_int_equal(fclose(f), 0);
  stream_free(&s);
  rbv_model_free(m);
  free(tool_text("identify tx40 clean.csv -q -o result.json"));
  return 0;
}

#endif
