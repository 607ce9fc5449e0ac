/* weigh ROBOT LOG: prints the base parameters of a robot, identified from a recording, each with
 * its standard deviation. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/log.h>
#include <stdio.h>

/* Identify: convert the recording to a motion, choose the filters from the data, and solve. */
static rbv_status weigh(rbv_estimate **out, const rbv_model *model, const char *path) {
  rbv_log *log = NULL;
  rbv_motion *motion = NULL;
  const rbv_differentiate_options how = rbv_differentiate_defaults();
  rbv_identify_options options = rbv_identify_defaults();
  rbv_status status = rbv_log_load(&log, path, NULL);
  if (status == RBV_OK) status = rbv_motion_from_log(&motion, model, log, &how);
  if (status == RBV_OK) status = rbv_row_filter_suggest(&options.filter, model, &motion, 1, 1);
  if (status == RBV_OK) status = rbv_identify(out, model, &motion, 1, &options);
  rbv_motion_free(motion);
  rbv_log_free(log);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: weigh ROBOT LOG\n");
    return 2;
  }
  rbv_model *model = NULL;
  rbv_estimate *estimate = NULL;
  rbv_status status = rbv_model_load(&model, argv[1], NULL);
  if (status == RBV_OK) status = weigh(&estimate, model, argv[2]);
  if (status != RBV_OK) {
    // the message says what is wrong and where
    fprintf(stderr, "weigh: %s\n", rbv_message());
    rbv_model_free(model);
    return 3;
  }
  const int n = estimate->base->count;
  for (int i = 0; i < n; i++) {
    const rbv_column *column = rbv_model_column(model, estimate->base->kept[i]);
    printf("%-6s %12.5g +- %-10.3g %s\n", estimate->base->name[i], estimate->value[i],
           sqrt(estimate->covariance[i + (ptrdiff_t)i * n]), column->unit);
  }
  printf("error %.2f %% of the torque norm\n", 100 * estimate->fit.relative_error);
  rbv_estimate_free(estimate);
  rbv_model_free(model);
  return 0;
}
