/* roberval show: what a result contains, for people or as the JSON of the file. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/result.h>
#include <stdio.h>

#include "cli.h"
#include "identify_output.h"
#include "terminal.h"

static void show_inputs(const rbv_result *r) {
  printf("robot       %s (%s torque)\n", r->robot, rbv_sensing_name(r->sensing));
  for (int i = 0; i < r->ninput; i++)
    printf("%-11s %s\n", i == 0 ? "recordings" : "", r->input[i].path);
  for (int i = 0; i < r->nvalidation_input; i++)
    printf("%-11s %s\n", i == 0 ? "validation" : "", r->validation_input[i].path);
  printf("method      %s", r->method);
  if (r->choice && *r->choice) printf(" (auto: %s)", r->choice);
  if (!r->converged)
    printf(", %snot converged%s", cli_colour(stdout, CLI_ERROR), cli_colour(stdout, CLI_USUAL));
  if (r->version) printf("\nmade by     roberval %s", r->version);
  printf("\n");
}

static void show_headline(const rbv_result *r) {
  const rbv_headline gain = rbv_result_headline(r);
  char sentence[RBV_HEADLINE_MAX];
  rbv_headline_write(sentence, &gain);
  if (*sentence)
    printf("\n%s%s%s\n", cli_colour(stdout, gain.file <= gain.error ? CLI_WARNING : CLI_GOOD),
           sentence, cli_colour(stdout, CLI_USUAL));
}

static void show_joints(const rbv_result *r) {
  printf("\n%-16s %10s %12s\n", "joint", "fit", r->validation.nrow > 0 ? "validation" : "");
  for (int j = 0; j < rbv_result_joint_count(r); j++) {
    const double fit = rbv_result_joint_fit_error(r, j),
                 other = rbv_result_joint_validation_error(r, j);
    printf("%-16s", rbv_result_joint_name(r, j));
    if (isfinite(fit)) printf(" %8.2f %%", 100 * fit);
    if (isfinite(other)) printf(" %10.2f %%", 100 * other);
    printf("\n");
  }
}

static void show_parameters(const rbv_result *r) {
  printf("\n%-7s %10s %9s %7s  %-10s %s\n", "name", "value", "sigma", "%", "unit", "status");
  for (int i = 0; i < rbv_result_parameter_count(r); i++) {
    const double value = rbv_result_parameter_value(r, i), sigma = rbv_result_parameter_sigma(r, i);
    char text[3][CLI_NUMBER_MAX];
    printf("%-7s %10s %9s %7s  %-10s %s\n", rbv_result_parameter_name(r, i),
           cli_number(text[0], 'g', 5, value), cli_number(text[1], 'g', 3, sigma),
           cli_number(text[2], 'f', 2, 100 * sigma / fabs(value)), rbv_result_parameter_unit(r, i),
           cli_parameter_word(rbv_result_parameter_status(r, i), value, sigma));
  }
}

static void show_meanings(const rbv_result *r) {
  printf("\ncombinations of standard parameters:\n");
  for (int i = 0; i < rbv_result_parameter_count(r); i++)
    printf("  %-8s  %s\n", rbv_result_parameter_name(r, i), rbv_result_parameter_meaning(r, i));
}

static void show_bodies(const rbv_result_standard *s) {
  if (s->nbody == 0) return;
  printf("\n%-16s %10s %9s %7s  %-26s\n", "link of", "mass [kg]", "sigma", "known",
         "centre of mass [m]");
  for (int b = 0; b < s->nbody; b++) {
    const rbv_result_body *body = &s->body[b];
    char text[6][CLI_NUMBER_MAX];
    for (int i = 0; i < 3; i++) cli_number(text[i], 'f', 4, body->centre[i]);
    printf("%-16s %10s %9s %5s %%  %8s %8s %8s\n", body->name,
           cli_number(text[3], 'g', 4, body->mass), cli_number(text[4], 'g', 2, body->mass_sigma),
           cli_number(text[5], 'f', 0, 100 * body->mass_known), text[0], text[1], text[2]);
  }
}

/* terms of friction can replace each other, their sum cannot */
static void show_friction(const rbv_result *r) {
  if (r->nfriction_speeds == 0) return;
  printf("\n%-16s %26s %26s %26s   of the load\n", "friction", "at 10 % of its speed", "50 %",
         "100 %");
  for (int j = 0; j < r->nfriction_speeds; j++) {
    const rbv_result_friction_speeds *f = &r->friction_speeds[j];
    printf("%-16s", rbv_result_joint_name(r, f->joint));
    for (int k = 0; k < RBV_FRICTION_SPEEDS; k++)
      printf(" %9.4g +- %8.2g %-4s", f->torque[k], f->sigma[k], f->unit);
    printf(" %7.1f %%\n", 100 * f->load[RBV_FRICTION_SPEEDS - 1]);
  }
}

static void show_springs(const rbv_result *r) {
  if (r->nspring == 0) return;
  printf("\n%-16s %10s    %8s %7s %10s    %8s %12s   %s\n", "spring of", "stiffness", "", "",
         "inertia", "", "deflection", "left");
  for (int i = 0; i < r->nspring; i++) {
    const rbv_result_spring *s = &r->spring[i];
    printf("%-16s ", rbv_result_joint_name(r, s->joint));
    if (isfinite(s->sigma))
      printf("%10.4g +- %8.2g %-7s %10.3g +- %8.2g", s->stiffness, s->sigma, s->unit, s->inertia,
             s->inertia_sigma);
    else
      printf("%-54s", "not identified: the deflection does not follow the torque");
    printf(" %12.3g %4.0f %%\n", s->deflection, 100 * s->rest / s->deflection);
  }
}

static void show_findings(const char *title, cli_style style, const rbv_result_finding *finding,
                          int count) {
  for (int i = 0; i < count; i++) {
    printf("%s%s%s%s: %s", i == 0 ? "\n" : "", cli_colour(stdout, style), title,
           cli_colour(stdout, CLI_USUAL), finding[i].sentence);
    printf(finding[i].option ? " (see --%s)\n" : "\n", finding[i].option);
  }
}

int cli_run_show(int argc, char **argv) {
  cli_common common = CLI_COMMON_DEFAULTS;
  const cli_opt table[] = {CLI_OUTPUT(common), {0}};
  int count;
  const int code = cli_parse(&count, argc, argv, "show", table);
  if (code >= 0) return code;
  rbv_result *r;
  rbv_status status = rbv_result_load(&r, argv[1]);
  if (status != RBV_OK) return cli_fail(status);
  if (common.json) {
    char *text;
    size_t size;
    status = rbv_result_write(&text, &size, r);
    const int written = status == RBV_OK ? cli_write(NULL, text, size) : cli_fail(status);
    if (status == RBV_OK) rbv_text_release(text);
    rbv_result_free(r);
    return written;
  }
  show_inputs(r);
  show_headline(r);
  show_joints(r);
  show_parameters(r);
  show_friction(r);
  show_springs(r);
  if (common.verbose) show_meanings(r);
  show_bodies(&r->standard);
  show_findings("error", CLI_ERROR, r->finding, r->nfinding);
  show_findings("advice", CLI_NOTE, r->advice, r->nadvice);
  if (r->verdict.nreason > 0) cli_print_verdict(&r->verdict, &common);
  const bool doubtful = r->verdict.nreason > 0 ? r->verdict.level == RBV_VERDICT_NO
                                               : r->nfinding > 0 || !r->converged;
  rbv_result_free(r);
  return doubtful ? EXIT_NO : EXIT_DONE;
}
