/* roberval report: write an HTML report of a result. */
#include <roberval/sys/identify.h>
#include <roberval/sys/report.h>

#include "cli.h"

/* ---- output ---- */

static int write_json(const rbv_report *page, const char *html, const char *plots) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_schema(json, "roberval.report/1");
  rbv_json_put_string(json, "verdict", rbv_verdict_name(page->verdict));
  rbv_json_put_list(json, "reasons");
  for (int i = 0; i < page->nreason; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "rule", page->reason[i].rule);
    rbv_json_put_string(json, "level", rbv_verdict_name(page->reason[i].level));
    rbv_json_put_bool(json, "passed", page->reason[i].passed);
    rbv_json_put_string(json, "text", page->reason[i].text);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_bool(json, "interactive", rbv_report_interactive());
  rbv_json_put_string(json, "file", html);
  rbv_json_put_int(json, "bytes", (long long)page->size);
  rbv_json_put_string(json, "plots", plots);
  rbv_json_put_list(json, "figures");
  for (int i = 0; i < page->nfigure; i++) rbv_json_string(json, page->figure[i].name);
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* print the reasons of a verdict that is not "usable" */
static void say_reasons(const rbv_report *page, const cli_common *common) {
  for (int i = 0; i < page->nreason; i++)
    if (page->reason[i].level > RBV_VERDICT_USABLE)
      cli_message(common, "%s: %s\n", rbv_verdict_name(page->reason[i].level),
                  page->reason[i].text);
}

/* ---- the command: reads all input files of the result again ---- */

int cli_run_report(int argc, char **argv) {
  cli_common common = CLI_COMMON_DEFAULTS;
  const char *html = NULL, *plots = NULL;
  rbv_report_reload with = {0};
  const cli_opt table[] = {
      {"output", 'o', OPT_OUTPUT, &html, "FILE.html", "write the report here"},
      {"plots", 0, OPT_OUTPUT, &plots, "DIR", "write every figure as SVG into this directory",
       .topic = CLI_FILES},
      {"robot", 0, OPT_FILE, &with.robot, "ROBOT", "another path of the robot file"},
      {"map", 0, OPT_FILE, &with.map, "COLUMNS.yaml", "column map of the logs"},
      CLI_COMMON(common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "report", table);
  if (code >= 0) return code;
  if (!html && !plots) return cli_usage("report", "use -o FILE.html, --plots DIR, or both");
  rbv_report *page;
  with.notes = cli_notes(&common);
  with.threads = common.threads;
  rbv_date date;
  with.date = rbv_page_date(&date);
  rbv_status status = rbv_report_load(&page, argv[1], &with);
  if (status != RBV_OK) return cli_fail_in("report", status);
  status = rbv_report_write(page, html, plots, &with.notes);
  code = status == RBV_OK ? EXIT_DONE : cli_fail(status);
  if (code == EXIT_DONE && common.json) code = write_json(page, html, plots);
  if (code == EXIT_DONE && !common.json) say_reasons(page, &common);
  if (code == EXIT_DONE && page->verdict == RBV_VERDICT_NO) code = EXIT_NO;
  rbv_report_free(page);
  return code;
}
