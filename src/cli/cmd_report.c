/* roberval report: a result as a page that people read. */
#include "report_options.h"

#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result_model.h"

/* ---- out ---- */

static int write_plots(const char *directory, const rbv_report *page) {
  const int made = cli_make_directory(directory);
  if (made >= 0) return made;
  for (int i = 0; i < page->nfigure; i++) {
    const rbv_figure *f = &page->figure[i];
    const int code = cli_write_into(directory, f->name, f->text, f->size);
    if (code != EXIT_DONE) return code;
  }
  return EXIT_DONE;
}

static int write_json(const rbv_report *page, const cli_report *wanted) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.report/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "verdict", rbv_verdict_name(page->verdict));
  rbv_json_key(json, "reasons");
  rbv_json_list(json);
  for (int i = 0; i < page->nreason; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "rule", page->reason[i].rule);
    rbv_json_put_string(json, "level", rbv_verdict_name(page->reason[i].level));
    rbv_json_put_string(json, "text", page->reason[i].text);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_bool(json, "interactive", rbv_report_interactive());
  rbv_json_put_string(json, "file", wanted->html);
  rbv_json_put_int(json, "bytes", (long long)page->size);
  rbv_json_put_string(json, "plots", wanted->plots);
  rbv_json_key(json, "figures");
  rbv_json_list(json);
  for (int i = 0; i < page->nfigure; i++) rbv_json_string(json, page->figure[i].name);
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

int cli_write_page(const rbv_report *page, const cli_report *wanted, const cli_common *common) {
  int code = EXIT_DONE;
  if (wanted->html) {
    code = cli_write(wanted->html, page->html, page->size);
    if (code == EXIT_DONE) cli_say(common, "written: %s\n", wanted->html);
  }
  if (code == EXIT_DONE && wanted->plots) {
    code = write_plots(wanted->plots, page);
    if (code == EXIT_DONE)
      cli_say(common, "written: %d figures in %s\n", page->nfigure, wanted->plots);
  }
  return code;
}

int cli_write_report(rbv_verdict *verdict, const cli_report *wanted, const rbv_report_input *input,
                     const cli_common *common) {
  if (!wanted->html && !wanted->plots) return EXIT_DONE;
  rbv_report *page;
  const rbv_status status = rbv_report_new(&page, input);
  if (status != RBV_OK) return cli_fail(status);
  int code = cli_write_page(page, wanted, common);
  if (verdict) {
    *verdict = page->verdict;
    if (code == EXIT_DONE && common->json) code = write_json(page, wanted);
    if (!common->json)
      for (int i = 0; i < page->nreason; i++)
        if (page->reason[i].level > RBV_VERDICT_USABLE)
          cli_say(common, "%s: %s\n", rbv_verdict_name(page->reason[i].level),
                  page->reason[i].text);
  }
  rbv_report_free(page);
  return code;
}

/* ---- the command: everything is read again ---- */

typedef struct {
  cli_common common;
  cli_report report;
  const char *robot, *map;
} options;

typedef struct {
  cli_judged judged;
  cli_motions fit, validation;
  cli_prior prior;
  int nremark;
  char **remark;
} job;

static void free_job(job *j) {
  for (int i = 0; i < j->nremark; i++) free(j->remark[i]);
  free(j->remark);
  cli_prior_free(&j->prior);
  cli_motions_free(&j->fit);
  cli_motions_free(&j->validation);
  cli_judged_free(&j->judged);
}

static int remark(job *j, const char *format, const char *a, const char *b) {
  char **grown = realloc(j->remark, (size_t)(j->nremark + 1) * sizeof *grown);
  if (!grown) return cli_out_of_memory();
  j->remark = grown;
  const int length = snprintf(NULL, 0, format, a, b);
  char *text = malloc((size_t)length + 1);
  if (!text) return cli_out_of_memory();
  snprintf(text, (size_t)length + 1, format, a, b);
  j->remark[j->nremark++] = text;
  return -1;
}

/* a recording that is missing or has changed is left out, with a remark */
static int add_log(job *j, cli_motions *to, const rbv_input *log, const cli_recording *recording,
                   const cli_common *common) {
  char hash[65];
  if (rbv_hash_file(hash, log->path) != RBV_OK)
    return remark(j, "The recording '%s' was not found, so its figures are missing.%s", log->path,
                  "");
  if (strcmp(hash, log->sha256) != 0)
    return remark(j, "The recording '%s' has changed (its SHA-256 is now %s), so it was not used.",
                  log->path, hash);
  return cli_motions_add(to, "report", j->judged.model, recording, &log->path, 1, log->loaded,
                         common);
}

static int load_logs(job *j, const options *o) {
  const rbv_result *r = j->judged.result;
  const cli_recording recording = cli_judged_recording(&j->judged, o->map);
  cli_recording of_fit = recording;
  of_fit.reference = !rbv_identify_needs_positions(r->method);
  int code = -1;
  for (int i = 0; i < r->ninput && code < 0; i++)
    code = add_log(j, &j->fit, &r->input[i], &of_fit, &o->common);
  for (int i = 0; i < r->nvalidation_input && code < 0; i++)
    code = add_log(j, &j->validation, &r->validation_input[i], &recording, &o->common);
  return code;
}

static int load_prior(job *j) {
  const char *text = rbv_result_setting(j->judged.result, "prior");
  if (!text || strcmp(text, "none") == 0) return -1;
  const rbv_status status = cli_prior_load(&j->prior, text, j->judged.model);
  if (status == RBV_EMEM) return cli_fail(status);
  if (status != RBV_OK) return remark(j, "The prior '%s' cannot be read: %s.", text, rbv_message());
  return -1;
}

static int run(job *j, const options *o, const char *path) {
  int code = cli_judged_load(&j->judged, path, o->robot, &o->common);
  if (code >= 0) return code;
  code = load_logs(j, o);
  if (code < 0) code = load_prior(j);
  if (code >= 0) return code;
  const rbv_report_input input = {.result = j->judged.result,
                                  .model = j->judged.model,
                                  .nfit = j->fit.count,
                                  .fit = j->fit.motion,
                                  .nvalidation = j->validation.count,
                                  .validation = j->validation.motion,
                                  .filter = j->judged.filter,
                                  .prior = j->prior.value,
                                  .prior_sigma = j->prior.sigma,
                                  .nremark = j->nremark,
                                  .remark = (const char *const *)j->remark};
  rbv_verdict verdict = RBV_VERDICT_NO;
  code = cli_write_report(&verdict, &o->report, &input, &o->common);
  return code == EXIT_DONE && verdict == RBV_VERDICT_NO ? EXIT_NO : code;
}

int cli_run_report(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS};
  const cli_opt table[] = {
      {"output", 'o', OPT_TEXT, &o.report.html, "FILE.html", "write the page here"},
      CLI_REPORT(o.report),
      {"robot", 0, OPT_TEXT, &o.robot, "ROBOT", "the robot, where it has moved since"},
      {"map", 0, OPT_TEXT, &o.map, "COLUMNS.yaml", "what the columns of the logs mean"},
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "report", table);
  if (code >= 0) return code;
  if (!o.report.html && !o.report.plots)
    return cli_usage("report", "give -o FILE.html, or --plots DIR, or both");
  job j = {0};
  code = run(&j, &o, argv[1]);
  free_job(&j);
  return code;
}
