/*
 * identify_iv ROBOT LOG CONTROLLER RESULT.json: the same as
 *   roberval identify ROBOT LOG --method iv --controller CONTROLLER --consistent -o RESULT.json
 */
#include <roberval/roberval.h>
#include <stdio.h>

static void print_note(void *self, const char *sentence, const char *option) {
  (void)self;
  (void)option;
  fprintf(stderr, "%s\n", sentence);
}

int main(int argc, char **argv) {
  rbv_identification *job = NULL;
  if (argc != 5) return 2;
  rbv_status status = rbv_identification_new(&job, argv[1]);
  rbv_identification_on_note(job, print_note, NULL);
  if (status == RBV_OK) status = rbv_identification_add_log(job, argv[2]);
  if (status == RBV_OK) status = rbv_identification_set(job, "method", "iv");
  if (status == RBV_OK) status = rbv_identification_set(job, "controller", argv[3]);
  if (status == RBV_OK) status = rbv_identification_set(job, "consistent", "true");
  if (status == RBV_OK) status = rbv_identification_run(job);
  if (status == RBV_OK) status = rbv_identification_save(job, argv[4]);
  if (status != RBV_OK) fprintf(stderr, "%s\n", rbv_message());
  const rbv_result *result = rbv_identification_result(job);
  for (int i = 0; i < rbv_result_parameter_count(result); i++)
    printf("%-8s %12.5g +- %-10.3g %s\n", rbv_result_parameter_name(result, i),
           rbv_result_parameter_value(result, i), rbv_result_parameter_sigma(result, i),
           rbv_result_parameter_unit(result, i));
  rbv_identification_free(job);
  return status == RBV_OK ? 0 : 1;
}
