/* What `excite` reports: a design or the score of a motion, as words and as JSON. */
#ifndef CLI_EXCITE_OUTPUT_H
#define CLI_EXCITE_OUTPUT_H

#include <roberval/sys/excite.h>

#include "provenance.h"
#include "report_options.h"

/* Name of the kind of jobs that a search is. */
#define CLI_SEARCH_KIND "excite"

typedef struct {
  const rbv_model *model;
  const rbv_excite *excite;
  const cli_provenance *provenance;
  const char *criterion, *kind, *search;
  const double *prior;       // of all columns, or NULL
  bool noise_known;          // from an identification
  const rbv_limits *limits;  // of the joints
  int count;
  rbv_trajectory **trajectory;  // count; NULL: a motion was scored
  rbv_motion *const *motion;    // count
  rbv_search_info info;         // how they were found
  rbv_usage *usage;             // of the joints of each
  rbv_usage_info *used;         // of each
  rbv_score score, before;
  bool has_before;           // recordings were there already
  double *sigma, *coupling;  // of the base parameters
} cli_excited;

void cli_print_excited(const cli_excited *excited);

/* As roberval.excite/1 on stdout; an exit code. */
int cli_write_excited(const cli_excited *excited);

/* As a page, where one is wanted; EXIT_DONE, or the code to exit with. */
int cli_report_excited(const cli_excited *excited, const cli_report *wanted,
                       const cli_common *common);

#endif
