/* roberval check: errors in recordings, and parameters that their motion cannot identify. */
#include <math.h>
#include <roberval/sys/task.h>
#include <stdio.h>

#include "identify_output.h"
#include "task_command.h"
#include "terminal.h"

/* ---- text output ---- */

static void print_findings(const rbv_check_result *r) {
  static const char *const title[] = {"notes:", "warnings:", "errors:"};
  static const cli_style style[] = {CLI_NOTE, CLI_WARNING, CLI_ERROR};
  int last = -1;
  for (int i = 0; i < r->nfinding; i++) {
    const rbv_finding *f = &r->finding[i];
    if ((int)f->severity != last)
      printf("%s%s%s%s\n", i ? "\n" : "", cli_colour(stdout, style[f->severity]),
             title[f->severity], cli_colour(stdout, CLI_USUAL));
    last = (int)f->severity;
    printf("  %-16s %s", rbv_finding_name(f->code), f->sentence);
    if (f->option && f->option_value[0])
      printf(" (--%s %s)\n", f->option, f->option_value);
    else
      printf(f->option ? " (see --%s)\n" : "\n", f->option);
  }
  if (r->nfinding == 0)
    printf("%sno errors were found%s\n", cli_colour(stdout, CLI_GOOD),
           cli_colour(stdout, CLI_USUAL));
}

static void print_fate(const rbv_identifiability *i, const rbv_model *m, rbv_fate wanted,
                       const char *title) {
  int count = 0;
  for (int c = 0; c < i->base->ncolumn; c++) count += rbv_fate_of(i, c) == wanted;
  printf("\n%s (%d):", title, count);
  for (int c = 0; c < i->base->ncolumn; c++)
    if (rbv_fate_of(i, c) == wanted) printf(" %s", rbv_model_column(m, c)->name);
  printf("\n");
}

static void print_base(const rbv_identifiability *i, const rbv_model *m) {
  printf("\n%-8s %12s %10s  %s\n", "name", "sigma", "of prior", "unit");
  for (int k = 0; k < i->base->count; k++) {
    printf("%-8s %12.3g ", i->base->name[k], i->sigma[k]);
    if (isfinite(i->relative[k]))
      printf("%8.3g %%", 100 * i->relative[k]);
    else
      printf("%10s", "-");
    printf("  %s\n", rbv_model_column(m, i->base->kept[k])->unit);
  }
}

static void print_identifiability(const rbv_identifiability *i, const rbv_model *m, bool verbose) {
  if (!i->known) {
    printf("\nthe identifiable parameters are not known: %s\n", i->reason);
    return;
  }
  printf(
      "\nthese motions identify %d of the %d base parameters; condition number %.0f after "
      "scaling\n",
      i->base->count, i->structure->count, i->condition_scaled);
  print_fate(i, m, RBV_FATE_ALONE, "identifiable alone");
  print_fate(i, m, RBV_FATE_COMBINED, "identifiable only in combination");
  if (i->base->count < i->structure->count || verbose)
    print_fate(i, m, RBV_FATE_LOST, "not identifiable from these motions");
  print_fate(i, m, RBV_FATE_NEVER, "not identifiable from any motion");
  if (verbose)
    print_base(i, m);
  else
    printf("\n-v shows the expected standard deviations\n");
}

/* ---- the command ---- */

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  (void)self;
  const rbv_check_task *j = rbv_task_data(task);
  print_findings(j->result);
  print_identifiability(&j->result->identifiability, j->model, common->verbose);
  cli_print_verdict(&j->result->verdict, common);
}

int cli_run_check(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "check", .print = print});
}
