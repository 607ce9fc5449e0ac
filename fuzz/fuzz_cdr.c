/*
 * Messages in CDR. An input is the text of a definition, a zero byte and a message; without a zero
 * byte it is a message of a type that is built in.
 */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "log/cdr.h"

#define MOST_COLUMNS 64

static const char *const types[] = {"sensor_msgs/JointState",
                                    "control_msgs/JointTrajectoryControllerState",
                                    "std_msgs/Float64MultiArray", "geometry_msgs/WrenchStamped"};

/* Read every number of the message, in both ways. */
static void read_numbers(const cdr_layout *layout, const uint8_t *data) {
  int field[MOST_COLUMNS];
  double value[MOST_COLUMNS];
  const int n = cdr_layout_count(layout);
  for (int first = 0; first < n; first += MOST_COLUMNS) {
    const int count = n - first < MOST_COLUMNS ? n - first : MOST_COLUMNS;
    for (int i = 0; i < count; i++) field[i] = first + i;
    cdr_read(value, 1, layout, field, count, data);
    for (int i = 0; i < count; i++) {
      const cdr_field *f = cdr_layout_field(layout, first + i);
      FUZZ_CHECK(f->name && *f->name);
      const double again = cdr_value(layout, f, data);
      FUZZ_CHECK(again == value[i] || (isnan(again) && isnan(value[i])));
      if (f->kind == CDR_TIME) (void)cdr_time(layout, f, data);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz_budget budget = {1 << 20, 64 << 10};
  const uint8_t *zero = size > 0 && data[0] != 0 ? memchr(data, 0, size) : NULL;
  cdr_type *own = NULL;
  const cdr_type *type;
  if (zero) {
    fuzz_begin();
    const rbv_status status =
        cdr_type_parse(&own, "fuzz_msgs/Message", (const char *)data, (size_t)(zero - data));
    fuzz_end(status, own, size, budget);
    if (status != RBV_OK) return 0;
    type = own;
    size -= (size_t)(zero - data) + 1;
    data = zero + 1;
  } else {
    static cdr_type *known[4];
    const int i = size > 0 ? data[size - 1] % 4 : 0;
    if (!known[i]) FUZZ_CHECK(cdr_type_built_in(&known[i], types[i], 0) == RBV_OK);
    type = known[i];
  }
  cdr_layout *layout = NULL;
  fuzz_begin();
  const rbv_status status = cdr_layout_new(&layout, type, data, size);
  fuzz_end(status, layout, size, budget);
  if (status == RBV_OK) {
    FUZZ_CHECK(cdr_layout_fits(layout, data, size));
    read_numbers(layout, data);
  }
  cdr_layout_free(layout);
  cdr_type_free(own);
  return 0;
}
