/* roberval reproduce: repeat experiments of published papers and compare the numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "papers.h"

#include "cli.h"

#define EXPERIMENTS_MOST 16
#define NOTES_MOST 64

typedef struct {
  cli_common common;
  const char *output, *plots, *data;
} options;

typedef struct {
  int count;
  rbv_reproduction *done[EXPERIMENTS_MOST];
} job;

static int total(const job *j, rbv_match verdict) {
  int sum = 0;
  for (int i = 0; i < j->count; i++) sum += j->done[i]->verdicts[verdict];
  return sum;
}

/* ---- text output ---- */

/* four digits; "-" for a missing number */
static const char *digits(char out[32], double x) {
  if (isnan(x))
    strcpy(out, "-");
  else
    snprintf(out, 32, "%.4g", x == 0 ? 0 : x);
  return out;
}

/* footnotes: many rows share a sentence, which is printed once below the table */
typedef struct {
  int count;
  const char *text[NOTES_MOST];
} notes;

/* returns the number of the footnote, from 1; 0: none */
static int note(notes *n, const char *text) {
  if (!text || !*text) return 0;
  int i = 0;
  while (i < n->count && strcmp(n->text[i], text) != 0) i++;
  if (i == n->count && i < NOTES_MOST) n->text[n->count++] = text;
  return i + 1;
}

static void print_row(notes *n, const rbv_reproduced *row) {
  char paper[32], ours[32], tolerance[32];
  const int basis = note(n, row->basis);
  const bool same = row->verdict == RBV_MATCH_AGREES || row->verdict == RBV_MATCH_RECOVERED;
  const int why = same ? 0 : note(n, row->why);
  const int shown = row->verdict == RBV_MATCH_EXPLAINED ? note(n, row->shown) : 0;
  printf("%-9s %-12s %-40s %9s %9s %9s", rbv_match_name(row->verdict), row->where, row->what,
         digits(paper, row->paper), digits(ours, row->ours), digits(tolerance, row->tolerance));
  if (*row->unit) printf(" %s", row->unit);
  if (row->paper_percent > 0)
    printf(" (sigma %s %%, paper %s %%)", digits(ours, row->ours_percent),
           digits(paper, row->paper_percent));
  if (basis) printf(" [%d]", basis);
  if (why) printf(" [%d]", why);
  if (shown) printf(" [%d]", shown);
  printf("\n");
}

static void print_counts(const char *name, const int *count, int figures) {
  printf("%s: ", name);
  for (rbv_match v = RBV_MATCH_AGREES; v < RBV_MATCH_COUNT; v++)
    printf("%s%s %d", v > 0 ? ", " : "", rbv_match_name(v), count[v]);
  printf("; %d figures\n", figures);
}

static void print_text(const job *j) {
  for (int i = 0; i < j->count; i++) {
    const rbv_reproduction *r = j->done[i];
    notes n = {0};
    printf("%s%s: %s\n%s\n\n%-9s %-12s %-40s %9s %9s %9s\n", i > 0 ? "\n" : "", r->name, r->paper,
           r->text, "verdict", "where", "what", "paper", "ours", "tolerance");
    for (int k = 0; k < r->count; k++) print_row(&n, &r->row[k]);
    printf("\n");
    for (int k = 0; k < n.count; k++) printf("[%d] %s\n", k + 1, n.text[k]);
    print_counts(r->name, r->verdicts, r->nfigure);
  }
  if (j->count < 2) return;
  int sum[RBV_MATCH_COUNT], figures = 0;
  for (rbv_match v = RBV_MATCH_AGREES; v < RBV_MATCH_COUNT; v++) sum[v] = total(j, v);
  for (int i = 0; i < j->count; i++) figures += j->done[i]->nfigure;
  printf("\n");
  print_counts("all", sum, figures);
}

/* ---- JSON ---- */

static void put_row(rbv_json *json, const rbv_reproduced *row) {
  rbv_json_map(json);
  rbv_json_put_string(json, "where", row->where);
  rbv_json_put_string(json, "what", row->what);
  rbv_json_put_string(json, "unit", row->unit);
  rbv_json_put_real(json, "paper", row->paper);
  rbv_json_put_real(json, "ours", row->ours);
  rbv_json_put_real(json, "tolerance", row->tolerance);
  rbv_json_put_string(json, "tolerance_basis", row->basis);
  rbv_json_put_string(json, "verdict", rbv_match_name(row->verdict));
  rbv_json_put_string(json, "why", row->why);
  rbv_json_put_string(json, "shown_by", row->shown);
  rbv_json_put_bool(json, "simulated", row->simulated);
  if (row->paper_percent > 0) {
    rbv_json_put_real(json, "paper_percent_sigma", row->paper_percent);
    rbv_json_put_real(json, "ours_percent_sigma", row->ours_percent);
  }
  rbv_json_end(json);
}

static void put_figure(rbv_json *json, const rbv_reproduced_figure *f) {
  rbv_json_map(json);
  rbv_json_put_string(json, "name", f->name);
  rbv_json_put_string(json, "where", f->where);
  rbv_json_put_string(json, "printed", f->printed);
  rbv_json_put_string(json, "title", f->title);
  rbv_json_end(json);
}

static void put_counts(rbv_json *json, const int *count) {
  for (rbv_match v = RBV_MATCH_AGREES; v < RBV_MATCH_COUNT; v++)
    rbv_json_put_int(json, rbv_match_name(v), count[v]);
}

static int print_json(const job *j, const options *o) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_schema(json, "roberval.reproduction/1");
  rbv_json_put_int(json, "seed", (long long)o->common.seed);
  int sum[RBV_MATCH_COUNT];
  for (rbv_match v = RBV_MATCH_AGREES; v < RBV_MATCH_COUNT; v++) sum[v] = total(j, v);
  put_counts(json, sum);
  rbv_json_put_list(json, "experiments");
  for (int i = 0; i < j->count; i++) {
    const rbv_reproduction *r = j->done[i];
    rbv_json_map(json);
    rbv_json_put_string(json, "name", r->name);
    rbv_json_put_string(json, "paper", r->paper);
    rbv_json_put_string(json, "text", r->text);
    put_counts(json, r->verdicts);
    rbv_json_put_list(json, "rows");
    for (int k = 0; k < r->count; k++) put_row(json, &r->row[k]);
    rbv_json_end(json);
    rbv_json_put_list(json, "figures");
    for (int k = 0; k < r->nfigure; k++) put_figure(json, &r->figure[k]);
    rbv_json_end(json);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* ---- files ---- */

static int write_page(const job *j, const options *o) {
  char *text;
  size_t size;
  const rbv_status status = rbv_reproduce_page(&text, &size, j->done, j->count, o->common.seed);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write(o->output, text, size);
  rbv_reproduce_page_free(text);
  return code;
}

static int write_plots(const job *j, const options *o) {
  int code = cli_make_directory(o->plots), figures = 0;
  if (code >= 0) return code;
  for (int i = 0; i < j->count; i++)
    for (int k = 0; k < j->done[i]->nfigure; k++) {
      const rbv_reproduced_figure *f = &j->done[i]->figure[k];
      char name[96];
      snprintf(name, sizeof name, "%s.svg", f->name);
      code = cli_write_into(o->plots, name, f->file, strlen(f->file));
      if (code != EXIT_DONE) return code;
      figures++;
    }
  cli_message(&o->common, "written: %d figures in %s\n", figures, o->plots);
  return EXIT_DONE;
}

/* ---- the command ---- */

static int reproduce(job *j, const char *name, const options *o) {
  const rbv_reproduce_options how = {
      .seed = o->common.seed, .threads = o->common.threads, .data = o->data};
  const time_t start = time(NULL);
  cli_message(&o->common, "%s ...\n", name);
  const rbv_status status = rbv_reproduce(&j->done[j->count], name, &how);
  if (status != RBV_OK) return cli_fail(status);
  j->count++;
  if (o->common.verbose)
    cli_message(&o->common, "%s took %.0f s\n", name, difftime(time(NULL), start));
  return -1;
}

static int reproduce_named(job *j, const char *name, const options *o) {
  bool known = false;
  int code = -1;
  for (int i = 0; rbv_reproduce_name(i) && i < EXPERIMENTS_MOST && code < 0; i++) {
    if (strcmp(name, "all") != 0 && strcmp(name, rbv_reproduce_name(i)) != 0) continue;
    known = true;
    code = reproduce(j, rbv_reproduce_name(i), o);
  }
  return known ? code : cli_usage("reproduce", "there is no experiment '%s'", name);
}

static int list_as_json(void) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_schema(json, "roberval.experiments/1");
  rbv_json_put_list(json, "experiments");
  for (int i = 0; rbv_reproduce_name(i); i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_reproduce_name(i));
    rbv_json_put_string(json, "text", rbv_reproduce_text(i));
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

static int list_experiments(void) {
  for (int i = 0; rbv_reproduce_name(i); i++)
    printf("%-10s %s\n", rbv_reproduce_name(i), rbv_reproduce_text(i));
  printf("%-10s %s\n", "all", "all experiments");
  return EXIT_DONE;
}

int cli_run_reproduce(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .data = getenv("ROBERVAL_DATA")};
  const cli_opt table[] = {
      {"output", 'o', OPT_OUTPUT, &o.output, "FILE.html",
       "also write tables and figures as an HTML page"},
      {"plots", 0, OPT_OUTPUT, &o.plots, "DIR", "write every figure as SVG into this directory"},
      {"data", 0, OPT_TEXT, &o.data, "DIR",
       "directory with the public recordings (default: ROBERVAL_DATA)"},
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "reproduce", table);
  if (code >= 0) return code;
  if (count == 0 && (o.output || o.plots))
    return cli_usage("reproduce", "%s %s needs the name of an experiment, or all",
                     o.output ? "-o" : "--plots", o.output ? o.output : o.plots);
  if (count == 0) return o.common.json ? list_as_json() : list_experiments();
  job j = {0};
  code = reproduce_named(&j, argv[1], &o);
  if (code < 0 && o.output) {
    const int written = write_page(&j, &o);
    if (written != EXIT_DONE) code = written;
  }
  if (code < 0 && o.plots) {
    const int written = write_plots(&j, &o);
    if (written != EXIT_DONE) code = written;
  }
  if (code < 0) {
    if (o.common.json)
      code = print_json(&j, &o);
    else
      print_text(&j);
    if (code <= EXIT_DONE) code = total(&j, RBV_MATCH_DIFFERS) > 0 ? EXIT_NO : EXIT_DONE;
  }
  for (int i = 0; i < j.count; i++) rbv_reproduction_free(j.done[i]);
  return code;
}
