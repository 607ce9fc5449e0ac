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
  const char *output;
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
  const int why = row->verdict == RBV_MATCH_AGREES ? 0 : note(n, row->why);
  printf("%-9s %-12s %-40s %9s %9s %9s", rbv_match_name(row->verdict), row->where, row->what,
         digits(paper, row->paper), digits(ours, row->ours), digits(tolerance, row->tolerance));
  if (*row->unit) printf(" %s", row->unit);
  if (basis) printf(" [%d]", basis);
  if (why) printf(" [%d]", why);
  printf("\n");
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
    printf("%s: %d agree, %d differ for a known reason, %d cannot be compared, %d disagree\n",
           r->name, r->verdicts[RBV_MATCH_AGREES], r->verdicts[RBV_MATCH_EXPLAINED],
           r->verdicts[RBV_MATCH_CANNOT], r->verdicts[RBV_MATCH_DIFFERS]);
  }
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
  rbv_json_end(json);
}

static void put_counts(rbv_json *json, const int *count) {
  for (rbv_match v = RBV_MATCH_AGREES; v <= RBV_MATCH_CANNOT; v++)
    rbv_json_put_int(json, rbv_match_name(v), count[v]);
}

static int print_json(const job *j, const options *o) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.reproduction/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_int(json, "seed", (long long)o->common.seed);
  int sum[4];
  for (rbv_match v = RBV_MATCH_AGREES; v <= RBV_MATCH_CANNOT; v++) sum[v] = total(j, v);
  put_counts(json, sum);
  rbv_json_key(json, "experiments");
  rbv_json_list(json);
  for (int i = 0; i < j->count; i++) {
    const rbv_reproduction *r = j->done[i];
    rbv_json_map(json);
    rbv_json_put_string(json, "name", r->name);
    rbv_json_put_string(json, "paper", r->paper);
    rbv_json_put_string(json, "text", r->text);
    put_counts(json, r->verdicts);
    rbv_json_key(json, "rows");
    rbv_json_list(json);
    for (int k = 0; k < r->count; k++) put_row(json, &r->row[k]);
    rbv_json_end(json);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* ---- HTML ---- */

static void put_escaped(FILE *out, const char *s) {
  for (; *s; s++) switch (*s) {
      case '&': fputs("&amp;", out); break;
      case '<': fputs("&lt;", out); break;
      case '>': fputs("&gt;", out); break;
      default: fputc(*s, out);
    }
}

static void put_cell(FILE *out, const char *class, const char *s) {
  fprintf(out, "<td%s%s%s>", class ? " class=\"" : "", class ? class : "", class ? "\"" : "");
  put_escaped(out, s);
  fputs("</td>", out);
}

static void put_table(FILE *out, const rbv_reproduction *r) {
  char number[32];
  fprintf(out, "<h2>%s</h2>\n<p>", r->name);
  put_escaped(out, r->paper);
  fputs(": ", out);
  put_escaped(out, r->text);
  fputs(
      "</p>\n<table>\n<tr><th>verdict</th><th>where</th><th>what</th><th>paper</th>"
      "<th>ours</th><th>tolerance</th><th>unit</th><th>tolerance is</th><th>why</th></tr>\n",
      out);
  for (int k = 0; k < r->count; k++) {
    const rbv_reproduced *row = &r->row[k];
    const char *verdict = rbv_match_name(row->verdict);
    fprintf(out, "<tr class=\"%s\">", verdict);
    put_cell(out, NULL, verdict);
    put_cell(out, NULL, row->where);
    put_cell(out, NULL, row->what);
    put_cell(out, "n", digits(number, row->paper));
    put_cell(out, "n", digits(number, row->ours));
    put_cell(out, "n", digits(number, row->tolerance));
    put_cell(out, NULL, row->unit);
    put_cell(out, NULL, row->basis);
    put_cell(out, NULL, row->why ? row->why : "");
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

static int write_page(const job *j, const options *o) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return cli_out_of_memory();
  fputs(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<title>roberval reproduce</title>\n<style>\n"
      "body{font:15px/1.4 sans-serif;margin:2em;color:#222}\n"
      "table{border-collapse:collapse;margin:1em 0}\n"
      "td,th{padding:.15em .7em;text-align:left;border-bottom:1px solid #ddd;"
      "vertical-align:top}\n"
      ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
      ".agrees td:first-child{color:#176b2c}.explained td:first-child{color:#8a5a00}\n"
      ".differs td{background:#fbd8d8}.cannot td:first-child{color:#666}\n"
      "</style></head><body>\n<h1>The papers' experiments</h1>\n",
      out);
  fprintf(out,
          "<p>roberval %s, seed %llu: %d numbers agree, %d differ for a known reason, %d cannot be "
          "compared, %d disagree.</p>\n",
          rbv_version(), (unsigned long long)o->common.seed, total(j, RBV_MATCH_AGREES),
          total(j, RBV_MATCH_EXPLAINED), total(j, RBV_MATCH_CANNOT), total(j, RBV_MATCH_DIFFERS));
  for (int i = 0; i < j->count; i++) put_table(out, j->done[i]);
  fputs("</body></html>\n", out);
  const bool failed = ferror(out) != 0;
  const bool whole = fclose(out) == 0 && !failed;
  const int code = whole ? cli_write(o->output, text, size) : cli_out_of_memory();
  free(text);
  return code;
}

/* ---- the command ---- */

static int reproduce(job *j, const char *name, const options *o) {
  const rbv_reproduce_options how = {.seed = o->common.seed, .threads = o->common.threads};
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
  rbv_json_put_string(json, "schema", "roberval.experiments/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_key(json, "experiments");
  rbv_json_list(json);
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
  options o = {.common = CLI_COMMON_DEFAULTS};
  const cli_opt table[] = {
      {"output", 'o', OPT_TEXT, &o.output, "FILE.html", "also write the tables as an HTML page"},
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "reproduce", table);
  if (code >= 0) return code;
  if (count == 0 && o.output)
    return cli_usage("reproduce", "-o %s needs the name of an experiment, or all", o.output);
  if (count == 0) return o.common.json ? list_as_json() : list_experiments();
  job j = {0};
  code = reproduce_named(&j, argv[1], &o);
  if (code < 0 && o.output) {
    const int written = write_page(&j, &o);
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
