/* The ways to identify that competed. */
#include "identify_output.h"

void cli_describe_pipelines(const rbv_cross_validation *cv, const cli_common *common) {
  if (!common->verbose || cv->ncandidate == 0) return;
  cli_message(common, "pipelines: error of %d parts of the recordings that were left out\n",
              cv->folds);
  cli_message(common, "  %-36s %6s  %s\n", "", "score", "errors [%]");
  for (int i = 0; i < cv->ncandidate; i++) {
    const rbv_result_candidate *c = &cv->candidate[i];
    cli_message(common, "%s %-36s %6.3f ", i == cv->chosen ? "*" : " ", c->name, c->score);
    for (int k = 0; k < cv->folds; k++) cli_message(common, " %6.2f", 100 * c->fold[k]);
    cli_message(common, "\n");
  }
}
