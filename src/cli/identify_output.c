#include "identify_output.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HIGH_CORRELATION 0.9  // of two unknowns
#define WEAK_SHARE 0.5        // sigma over the value of a weak parameter

static void describe_rows(const rbv_fit *fit, const rbv_model *m, const cli_common *common) {
  for (int r = 0; r < fit->nrow; r++) {
    const rbv_row_fit *f = &fit->row[r];
    const bool slides = rbv_model_joint(m, f->joint)->type == RBV_JOINT_PRISMATIC;
    cli_message(common, "  %-*s %-10s %6.2f %%   residual %8.4g %s rms", cli_name_width(m),
                rbv_model_joint(m, f->joint)->name, rbv_torque_name(f->torque),
                100 * f->relative_error, f->rms, slides ? "N" : "N m");
    if (isfinite(f->durbin_watson)) cli_message(common, "   Durbin-Watson %.2f", f->durbin_watson);
    if (f->noise_variance > 0) cli_message(common, "   noise AR(%d)", f->noise_order);
    cli_message(common, "\n");
  }
}

/* the error that is the same number for every method, filter and mask */
static void describe_comparable(const rbv_fit *fit, const cli_common *common) {
  if (isfinite(fit->comparable))
    cli_message(common, ", comparable error %.2f %% (up to %d Hz, every row)",
                100 * fit->comparable, RBV_COMPARABLE_HZ);
  if (fit->rest > 0) cli_message(common, ", %.0f %% of its square at rest", 100 * fit->rest);
}

/* where sigma comes from, and for what it holds */
void cli_describe_sigma(const rbv_estimate *e, const rbv_model *m, const cli_common *common) {
  int coloured = 0, cured = 0;
  for (int r = 0; r < e->fit.nrow; r++) {
    if (!e->fit.row[r].coloured) continue;
    cured += e->fit.row[r].white_at_half;
    cli_message(common, "%s%s", coloured++ == 0 ? "the residual is coloured in " : ", ",
                rbv_model_joint(m, e->fit.row[r].joint)->name);
  }
  if (coloured > 0)
    cli_message(common, ": sigma, from %d blocks of time, takes this into account",
                e->jackknife.nblock);
  // below 1.05 the message would say 1.0 times
  if (coloured > 0 && e->diagnostics.sigma_inflation >= 1.05)
    cli_message(common, " and is %.1f times that of white noise", e->diagnostics.sigma_inflation);
  if (coloured > 0) cli_message(common, "\n");
  if (coloured > 0 && cured == coloured)
    cli_message(common, "  with twice the decimation the residual would be white\n");
  if (e->motions == 1)
    cli_message(
        common,
        "sigma holds for this kind of motion: record a second, different motion to see what "
        "errors of the model add\n");
}

static void describe_clipping(const rbv_estimate *e, const cli_common *common) {
  char doubt[320];
  if (!rbv_clipping_is_sound(doubt, sizeof doubt, &e->clipping))
    cli_message(common, "  do not rely on %s here: %s\n", e->method, doubt);
}

static void describe_instruments(const rbv_estimate *e, const cli_common *common) {
  const rbv_hausman *h = &e->instruments.hausman;
  cli_message(
      common,
      "instruments explain at least %.1f %% of every column (F %.3g); condition of Z'W %.0f\n",
      100 * e->instruments.strength, e->instruments.first_stage, e->instruments.condition);
  if (h->biased)
    cli_message(common,
                "least squares is biased on these data: use instruments (%s moves by %.1f sigma)\n",
                e->base->name[h->worst], h->shift);
  else
    cli_message(
        common,
        "least squares shows no bias on these data (no parameter moves by more than %.1f sigma)\n",
        h->shift);
}

/* the simulated loop beside the recording, its unknowns, and what hangs on the given gains */
static void describe_loop(const rbv_estimate *e, const rbv_model *m, const cli_common *common) {
  const rbv_result_loop *l = &e->loop;
  if (l->noutput == 0) return;
  cli_message(common, "positions of the simulated loop (%d simulations):\n", l->simulations);
  if (l->candidates > 0)
    cli_message(common, "global search: %d candidates, %d generations\n", l->candidates,
                l->generations);
  if (l->starts > 1)
    cli_message(common, "%d of %d starts reached the best optimum\n", l->reached, l->starts);
  if (l->stopped)
    cli_message(common,
                "the search was stopped (limit of time, or interrupted): the best values until "
                "then are the "
                "result\n");
  if (l->near_links)
    cli_message(common,
                "the motion does not determine all links: where it does not, they are those of the "
                "robot file\n");
  for (int i = 0; i < l->noutput; i++) {
    const rbv_output_fit *f = &l->output[i];
    const bool slides = rbv_model_joint(m, f->joint)->type == RBV_JOINT_PRISMATIC;
    cli_message(common, "  %-*s error %8.3g %s rms, tracking error %8.3g", cli_name_width(m),
                rbv_model_joint(m, f->joint)->name, f->rms, slides ? "m" : "rad", f->tracking);
    if (isfinite(f->held_out)) cli_message(common, ", held out %8.3g", f->held_out);
    cli_message(common, "   Durbin-Watson %.2f\n", f->durbin_watson);
  }
  const rbv_law_agreement *a = &l->agreement;
  if (a->laws > 1 && a->p < RBV_AGREEMENT_P)
    cli_message(common,
                "recordings under different laws disagree: %s differs by %.1f sigma (p = %.1g). A "
                "gain or filter of the controller is not that of the robot, or the model lacks a "
                "term\n",
                a->name, a->difference, a->p);
  else if (a->laws > 1)
    cli_message(common,
                "recordings under %d laws agree: the largest difference is %.1f sigma (%s, p = "
                "%.2g)\n",
                a->laws, a->difference, a->name, a->p);
  for (int i = 0; i < l->ninfluence; i++) {
    const rbv_gain_influence *g = &l->influence[i];
    bool law;
    const char *text = rbv_influence_text(&law, g->gains);
    if (text)
      cli_message(common, "%s:", text);
    else
      cli_message(common, "if %s%s %s 10 %% larger than given:", i == 0 ? "all gains" : "only ",
                  i == 0 ? "" : g->gains, i == 0 ? "are" : "is");
    int told = 0;
    for (int k = 0; k < e->base->count; k++) {
      const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
      // parameters that are known, and that move by more than their sigma
      if (!(sigma < 0.1 * fabs(e->value[k])) || !(fabs(g->shift[k]) > sigma)) continue;
      if (told++ < 8)
        cli_message(common, " %s %+.3g %%", e->base->name[k], 100 * g->shift[k] / e->value[k]);
    }
    cli_message(common,
                told == 0  ? " nothing moves by more than its sigma\n"
                : told > 8 ? ", and %d more\n"
                           : "\n",
                told - 8);
  }
}

/* rotor inertias that the motion hardly shows */
static void describe_weak(const rbv_result_loop *l, const rbv_model *m, const cli_common *common) {
  int weak = 0;
  for (int i = 0; i < l->noutput; i++)
    if (l->output[i].inertia_share < RBV_WEAK_INERTIA)
      cli_message(common, "%s%s (%.2g %%)", weak++ ? ", " : "weak rotor inertias: of ",
                  rbv_model_joint(m, l->output[i].joint)->name, 100 * l->output[i].inertia_share);
  if (weak > 0)
    cli_message(
        common,
        ": they cause less than 10 %% of the torque, so that errors of the model move them. "
        "Use a faster motion\n");
}

static void print_loop_headline(const rbv_result_loop *l, const rbv_model *m,
                                const cli_common *common) {
  char sentence[RBV_HEADLINE_MAX];
  bool *slides = malloc((size_t)l->noutput + 1);
  for (int i = 0; slides && i < l->noutput; i++)
    slides[i] = rbv_model_joint(m, l->output[i].joint)->type == RBV_JOINT_PRISMATIC;
  if (!slides) return;
  rbv_loop_headline(sentence, l, slides);
  free(slides);
  if (*sentence && !common->quiet)
    fprintf(stderr, "%s%s.%s\n", cli_colour(stderr, CLI_GOOD), sentence,
            cli_colour(stderr, CLI_USUAL));
}

static const char *body_name(const rbv_model *m, int body) {
  const char *joint = rbv_model_body_joint(m, body);
  return joint ? joint : "payload";
}

/* mass and centre of mass of each body, and how much of them the data know */
static void describe_bodies(const rbv_standard *s, const rbv_model *m, const cli_common *common) {
  const int width = cli_name_width(m);
  cli_message(common,
              "bodies: the data know the given share of each value; the rest is prior, so a single "
              "mass is not a measurement\n"
              "  %-*s %18s %6s %9s   %-26s %s\n",
              width, "link of", "mass [kg]", "known", "prior", "centre of mass [m]", "known");
  for (int b = 0; b < s->nbody; b++) {
    const rbv_body *body = &s->body[b];
    const double *known = s->centre_known + 3 * (ptrdiff_t)b;
    const int mass = s->mass_column[b];
    cli_message(common,
                "  %-*s %9.3g +- %5.2g %4.0f %% %9.3g   %8.4f %8.4f %8.4f %3.0f %3.0f %3.0f %%",
                width, body_name(m, s->of[b]), body->mass, s->sigma[mass], 100 * s->known[mass],
                s->prior[mass], body->centre[0], body->centre[1], body->centre[2], 100 * known[0],
                100 * known[1], 100 * known[2]);
    cli_message(common, "%s\n", s->prior_kind[b] == RBV_PRIOR_ASSUMED ? "   prior assumed" : "");
  }
}

/* every standard parameter */
static void describe_columns(const rbv_standard *s, const rbv_model *m, const cli_common *common) {
  cli_message(common, "  %-8s %12s %10s %8s %12s\n", "name", "value", "sigma", "known", "prior");
  for (int c = 0; c < s->ncolumn; c++)
    cli_message(common, "  %-8s %12.5g %10.3g %6.0f %% %12.5g  %s\n", rbv_model_column(m, c)->name,
                s->chi[c], s->sigma[c], 100 * s->known[c], s->prior[c],
                rbv_model_column(m, c)->unit);
}

/* how the consistency constraints changed the estimate */
static void describe_standard(const rbv_estimate *e, const rbv_model *m, const cli_common *common) {
  const rbv_standard *s = e->standard;
  if (!s) return;
  cli_message(common, "consistent: base parameters moved by %.2g sigma at most (chi-square %.3g)",
              s->largest_move, s->chi2);
  if (s->nactive > 0) cli_message(common, "; active constraints:");
  for (int b = 0; b < s->nbody; b++)
    if (s->body_active[b]) cli_message(common, " %s", body_name(m, s->of[b]));
  for (int c = 0; c < s->ncolumn; c++)
    if (s->active[c]) cli_message(common, " %s", rbv_model_column(m, c)->name);
  cli_message(common, "\n");
  bool any = false;
  for (int b = 0; b < s->nbody; b++) {
    if (s->prior_kind[b] != RBV_PRIOR_REPLACED) continue;
    cli_message(common, "%s %s", any ? "" : "  the prior values are physically inconsistent for",
                body_name(m, s->of[b]));
    any = true;
  }
  if (any) cli_message(common, ": replaced by solids of the size of the links\n");
  describe_bodies(s, m, common);
  if (common->verbose) describe_columns(s, m, common);
}

void cli_describe_friction(const rbv_friction_choice *c, const rbv_model *m,
                           const cli_common *common) {
  // shape parameters that were found for given terms are told by notes
  if (!c || c->nterm == 0 || c->blocks == 0) return;
  cli_message(common,
              "friction chosen from %d blocks of time; held-out error %.2f %% (%.2f %% with Fv and "
              "Fc alone)\n",
              c->blocks, 100 * c->chosen, 100 * c->plain);
  for (int i = 0; i < c->nterm; i++) {
    const rbv_friction_term *t = &c->term[i];
    cli_message(common, "  %-*s %-4s gains %5.1f +- %.1f %%   %s", cli_name_width(m),
                rbv_model_joint(m, t->joint)->name, rbv_law_name(t->law), 100 * t->gain,
                100 * t->gain_sigma, rbv_law_text(t->law));
    if (isfinite(t->shape_sigma))
      cli_message(common, " (%.3g +- %.2g)", t->shape, t->shape_sigma);
    else if (isfinite(t->shape))
      cli_message(common, " (%.3g)", t->shape);
    if (t->at_bound) cli_message(common, "; it is at the lower end of the search, not identified");
    cli_message(common, "\n");
  }
}

void cli_describe_estimate(const rbv_estimate *e, const rbv_prediction *validation,
                           const rbv_model *m, const cli_common *common) {
  if (e->choice[0]) cli_message(common, "choice of method: %s\n", e->choice);
  cli_message(
      common,
      "%s: %d base parameters, condition %.0f (%.0f after scaling), error %.2f %% of the torque "
      "norm",
      e->method, e->active, e->diagnostics.condition_number, e->diagnostics.condition_number_scaled,
      100 * e->fit.relative_error);
  describe_comparable(&e->fit, common);
  if (e->masked_fraction > 0)
    cli_message(common, "; %.0f %% of the rows masked", 100 * e->masked_fraction);
  if (e->iterations > 1) cli_message(common, "; %d iterations", e->iterations);
  if (e->prior_weight > 0) cli_message(common, "; prior with weight %.3g", e->prior_weight);
  if (e->dropped > 0) cli_message(common, "; %d parameters not essential", e->dropped);
  if (e->left_out > 0) cli_message(common, "; %d parameters left out", e->left_out);
  if (e->band_hz > 0) cli_message(common, "; rows up to %.0f Hz", e->band_hz);
  cli_message(common, "\n");
  describe_rows(&e->fit, m, common);
  describe_loop(e, m, common);
  describe_clipping(e, common);
  if (e->instruments.strength > 0) describe_instruments(e, common);
  if (e->validation.nrow > 0) {
    cli_message(common, "held out at the end: error %.2f %%", 100 * e->validation.relative_error);
    describe_comparable(&e->validation, common);
    cli_message(common, "\n");
    describe_rows(&e->validation, m, common);
  }
  if (validation) {
    cli_message(common, "other recordings: error %.2f %%", 100 * validation->fit.relative_error);
    describe_comparable(&validation->fit, common);
    cli_message(common, "\n");
    describe_rows(&validation->fit, m, common);
  }
  describe_weak(&e->loop, m, common);
  if (e->loop.noutput > 0) print_loop_headline(&e->loop, m, common);
  cli_describe_sigma(e, m, common);
  describe_standard(e, m, common);
}

/* ---- ten lines ---- */

const char *cli_parameter_word(rbv_parameter_status status, double value, double sigma) {
  if (status != RBV_STATUS_IDENTIFIED || !(sigma > WEAK_SHARE * fabs(value)))
    return rbv_parameter_status_name(status);
  return sigma > fabs(value) ? "zero" : "weak";
}

/* what the identification gained, and the error of every joint */
static void summarise_error(const rbv_result *r, const cli_common *common) {
  const rbv_headline gain = rbv_result_headline(r);
  char sentence[RBV_HEADLINE_MAX];
  rbv_headline_write(sentence, &gain);
  // cli_message would remove the colours
  if (*sentence && !common->quiet)
    fprintf(stderr, "%s%s%s\n",
            cli_colour(stderr, gain.file <= gain.error ? CLI_WARNING : CLI_GOOD), sentence,
            cli_colour(stderr, CLI_USUAL));
  for (int i = 0; i < gain.fit->nrow; i++) {
    const rbv_row_fit *row = &gain.fit->row[i];
    const bool known = isfinite(row->comparable);
    cli_message(common, "  %s %.2g %%%s", r->joint[row->joint],
                100 * (known ? row->comparable : row->relative_error),
                i + 1 == gain.fit->nrow ? "\n" : "");
  }
}

enum { NAMED = 3 };  // weak parameters that are named

static void summarise_parameters(const rbv_result *r, const cli_common *common) {
  const rbv_parameters *e = &r->estimate;
  int good = 0, weak = 0, zero = 0, named[NAMED], n = 0;
  for (int k = 0; k < e->count; k++) {
    const rbv_parameter *p = &e->item[k];
    if (p->status != RBV_STATUS_IDENTIFIED) continue;
    const char *word = cli_parameter_word(p->status, p->value, p->sigma);
    good += word[0] == 'i';
    zero += word[0] == 'z';
    if (word[0] != 'w') continue;
    weak++;
    // the weakest three, worst first
    int at = n < NAMED ? n++ : n;
    for (; at > 0; at--) {
      const rbv_parameter *other = &e->item[named[at - 1]];
      if (!(p->sigma / fabs(p->value) > other->sigma / fabs(other->value))) break;
      if (at < NAMED) named[at] = named[at - 1];
    }
    if (at < NAMED) named[at] = k;
  }
  cli_message(common, "%d parameters: %d identified, %d weak, %d zero", good + weak + zero, good,
              weak, zero);
  for (int i = 0; i < n; i++)
    cli_message(common, "%s%s", i ? ", " : "; weakest: ", e->item[named[i]].name);
  cli_message(common, "\n");
  const double p = r->diagnostics.predicted_error;
  if (isfinite(p))
    cli_message(common, "other motions: uncertainty of the parameters adds %.2g %% to the error\n",
                100 * p);
}

void cli_summarise(const rbv_result *r, const cli_common *common) {
  if (r->choice && *r->choice) cli_message(common, "choice of method: %s\n", r->choice);
  // positions that were fitted have a headline of their own
  if (r->loop.noutput == 0) summarise_error(r, common);
  if (r->nfriction > 0) {
    cli_message(common, "friction:");
    for (int i = 0; i < r->nfriction; i++) cli_message(common, " %s", r->friction[i].name);
    cli_message(common, "\n");
  }
  summarise_parameters(r, common);
}

/* a value, its sigma, and that in per cent; a value that is hardly above zero has no useful one */
static void print_value(const char *name, double value, double sigma) {
  const double percent = 100 * sigma / fabs(value);
  printf("%-8s %12.5g %12.3g", name, value, sigma);
  if (percent >= 1000)
    printf(" %8s", "> 1000");
  else
    printf(" %8.2f", percent);
}

void cli_print_estimate(const rbv_estimate *e, const rbv_model *m) {
  const rbv_base *b = e->base;
  printf("%-8s %12s %12s %8s", "name", "value", "sigma", "%");
  if (e->bootstrapped) printf(" %12s", "bootstrap");
  printf("  %-14s %s\n", "unit", "status");
  for (int k = 0; k < b->count; k++) {
    const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * b->count]);
    print_value(b->name[k], e->value[k], sigma);
    if (e->bootstrapped) printf(" %12.3g", e->bootstrap_sigma[k]);
    printf("  %-14s %s\n", rbv_model_column(m, b->kept[k])->unit,
           cli_parameter_word(e->status[k], e->value[k], sigma));
  }
  for (int i = 0; i < e->loop.nunknown; i++) {
    const rbv_loop_value *u = &e->loop.unknown[i];
    print_value(u->name, u->value, u->sigma);
    printf("  %-14s %s", u->unit, isfinite(u->sigma) ? "identified" : "not identifiable");
    if (u->partner && fabs(u->correlation) > HIGH_CORRELATION)
      printf(", correlation %.3f with %s", u->correlation, u->partner);
    printf("\n");
  }
}

void cli_print_open(const rbv_estimate *e, const cli_common *common) {
  const int open = e->base->count - e->active - e->dropped;
  if (e->kept_iteration > 0)
    cli_message(common,
                "not converged: after iteration %d the simulated loop no longer followed its "
                "reference; the estimate uses the simulated motion of iteration %d\n",
                e->kept_iteration, e->kept_iteration);
  else if (!e->converged)
    cli_message(common, "not converged after %d iterations\n", e->iterations);
  const bool settled = !e->standard || e->standard->converged;
  if (!settled)
    cli_message(common, "the consistent parameters have no certified optimum after %d steps\n",
                e->standard->iterations);
  if (open == 0) return;
  cli_message(
      common,
      "%d of %d base parameters are not identifiable from this motion (use a more exciting one):",
      open, e->base->count);
  for (int k = 0; k < e->base->count; k++)
    if (e->status[k] == RBV_STATUS_NOT_IDENTIFIABLE) cli_message(common, " %s", e->base->name[k]);
  cli_message(common, "\n");
}

void cli_print_verdict(const rbv_judgement *j, const cli_common *common) {
  static const cli_style style[] = {CLI_GOOD, CLI_WARNING, CLI_ERROR};
  static const char *const word[] = {"usable", "use with care", "do not use"};
  if (common->quiet) return;
  int more = -1;
  for (int i = 0; i < j->nreason; i++) more += j->reason[i].level > RBV_VERDICT_USABLE;
  // cli_message would remove the colours
  fprintf(stderr, "%s%s%s", cli_colour(stderr, style[j->level]), word[j->level],
          cli_colour(stderr, CLI_USUAL));
  if (j->level > RBV_VERDICT_USABLE) {
    const rbv_reason *first = &j->reason[0];
    cli_message(common, ": %s", first->text);
    if (first->cure) cli_message(common, " (--%s)", first->cure);
    if (more > 0) cli_message(common, " [%d more reason%s: --json]", more, more == 1 ? "" : "s");
  }
  fprintf(stderr, "\n");
}
