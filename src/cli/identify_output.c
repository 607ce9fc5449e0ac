#include "identify_output.h"

#include <math.h>
#include <stdio.h>

static void say_rows(const rbv_fit *fit, const rbv_model *m, const cli_common *common) {
  for (int r = 0; r < fit->nrow; r++) {
    const rbv_row_fit *f = &fit->row[r];
    const bool slides = rbv_model_joint(m, f->joint)->type == RBV_JOINT_PRISMATIC;
    cli_say(common, "  %-*s %-10s %6.2f %%   residual %8.4g %s rms", cli_name_width(m),
            rbv_model_joint(m, f->joint)->name, rbv_torque_name(f->torque), 100 * f->relative_error,
            f->rms, slides ? "N" : "N m");
    if (isfinite(f->durbin_watson)) cli_say(common, "   Durbin-Watson %.2f", f->durbin_watson);
    if (f->noise_variance > 0) cli_say(common, "   noise AR(%d)", f->noise_order);
    cli_say(common, "\n");
  }
}

/* white-noise theory gave the sigmas; where the residual is not white they are too small */
static void say_colour(const rbv_estimate *e, const rbv_model *m, const cli_common *common) {
  // what would round to 1.0 times is nothing to act upon
  if (!(e->diagnostics.sigma_inflation >= 1.05)) return;
  int coloured = 0;
  for (int r = 0; r < e->fit.nrow; r++) {
    if (!e->fit.row[r].coloured) continue;
    cli_say(common, "%s%s", coloured++ == 0 ? "  the residual is coloured in " : ", ",
            rbv_model_joint(m, e->fit.row[r].joint)->name);
  }
  if (coloured > 0)
    cli_say(common,
            ": the true standard deviations are about %.1f times those given; decimate further to "
            "have them right\n",
            e->diagnostics.sigma_inflation);
}

static void say_instruments(const rbv_estimate *e, const cli_common *common) {
  const rbv_hausman *h = &e->instruments.hausman;
  cli_say(common, "instruments explain at least %.1f %% of every column; condition of Z'W %.0f\n",
          100 * e->instruments.strength, e->instruments.condition);
  if (h->biased)
    cli_say(common,
            "least squares is biased on these data: use instruments (%s moves by %.1f sigma, p = "
            "%.2g)\n",
            e->base->name[h->worst], h->shift, h->p);
  else
    cli_say(common,
            "least squares is fine on these data (no parameter moves by more than %.1f sigma)\n",
            h->shift);
}

static const char *body_name(const rbv_model *m, int body) {
  return body < rbv_model_joint_count(m) ? rbv_model_joint(m, body)->name : "payload";
}

/* what consistency did to the estimate */
static void say_standard(const rbv_estimate *e, const rbv_model *m, const cli_common *common) {
  const rbv_standard *s = e->standard;
  if (!s) return;
  cli_say(common, "consistent: base parameters moved by %.2g sigma at most (chi-square %.3g)",
          s->largest_move, s->chi2);
  if (s->nactive > 0) cli_say(common, "; held back by");
  for (int b = 0; b < s->nbody; b++)
    if (s->body_active[b]) cli_say(common, " %s", body_name(m, b));
  for (int c = 0; c < s->ncolumn; c++)
    if (s->active[c]) cli_say(common, " %s", rbv_model_column(m, c)->name);
  cli_say(common, "\n");
  bool any = false;
  for (int b = 0; b < s->nbody; b++) {
    if (s->prior_kind[b] != RBV_PRIOR_REPLACED) continue;
    cli_say(common, "%s %s", any ? "" : "  no body has the values given beforehand for",
            body_name(m, b));
    any = true;
  }
  if (any) cli_say(common, ": solids of the links' size stand in\n");
}

void cli_say_estimate(const rbv_estimate *e, const rbv_prediction *validation, const rbv_model *m,
                      const cli_common *common) {
  if (e->choice[0]) cli_say(common, "auto: %s\n", e->choice);
  cli_say(
      common,
      "%s: %d base parameters, condition %.0f (%.0f after scaling), error %.2f %% of the torque "
      "norm",
      e->method, e->active, e->diagnostics.condition_number, e->diagnostics.condition_number_scaled,
      100 * e->fit.relative_error);
  if (e->masked_fraction > 0)
    cli_say(common, "; %.0f %% of the rows masked", 100 * e->masked_fraction);
  if (e->iterations > 1) cli_say(common, "; %d iterations", e->iterations);
  if (e->prior_weight > 0) cli_say(common, "; prior with weight %.3g", e->prior_weight);
  if (e->dropped > 0) cli_say(common, "; %d parameters not essential", e->dropped);
  if (e->band_hz > 0) cli_say(common, "; rows up to %.0f Hz", e->band_hz);
  cli_say(common, "\n");
  say_rows(&e->fit, m, common);
  if (e->instruments.strength > 0) say_instruments(e, common);
  if (e->validation.nrow > 0) {
    cli_say(common, "held out at the end: error %.2f %%\n", 100 * e->validation.relative_error);
    say_rows(&e->validation, m, common);
  }
  if (validation) {
    cli_say(common, "other recordings: error %.2f %% (unfiltered %.2f %%)\n",
            100 * validation->fit.relative_error, 100 * validation->unfiltered);
    say_rows(&validation->fit, m, common);
  }
  say_colour(e, m, common);
  say_standard(e, m, common);
}

void cli_print_estimate(const rbv_estimate *e, const rbv_model *m) {
  const rbv_base *b = e->base;
  printf("%-8s %12s %12s %8s", "name", "value", "sigma", "%");
  if (e->bootstrapped) printf(" %12s", "bootstrap");
  printf("  %-14s %s\n", "unit", "status");
  for (int k = 0; k < b->count; k++) {
    const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * b->count]);
    printf("%-8s %12.5g %12.3g %8.2f", b->name[k], e->value[k], sigma,
           100 * sigma / fabs(e->value[k]));
    if (e->bootstrapped) printf(" %12.3g", e->bootstrap_sigma[k]);
    printf("  %-14s %s\n", rbv_model_column(m, b->kept[k])->unit,
           rbv_parameter_status_name(e->status[k]));
  }
}

/* a result that leaves parameters open, or did not come to rest, is an answer, and it is no */
int cli_judge_estimate(const rbv_estimate *e, const cli_common *common) {
  const int open = e->base->count - e->active - e->dropped;
  if (!e->converged) cli_say(common, "not converged after %d iterations\n", e->iterations);
  const bool settled = !e->standard || e->standard->converged;
  if (!settled)
    cli_say(common, "no certified optimum among consistent parameters after %d steps\n",
            e->standard->iterations);
  if (open == 0) return e->converged && settled ? EXIT_DONE : EXIT_NO;
  cli_say(common,
          "%d of %d base parameters are not identifiable from this motion: excite more:", open,
          e->base->count);
  for (int k = 0; k < e->base->count; k++)
    if (e->status[k] == RBV_STATUS_NOT_IDENTIFIABLE) cli_say(common, " %s", e->base->name[k]);
  cli_say(common, "\n");
  return EXIT_NO;
}
