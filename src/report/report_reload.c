/* The report of a result that was saved earlier: its recordings and prior are read again. */
#include <roberval/sys/identification.h>
#include <roberval/sys/report.h>
#include <roberval/sys/storage.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/support.h"
#include "log/log.h"

rbv_report_input rbv_report_input_of(const rbv_identification *job) {
  const rbv_recordings *fit = rbv_identification_recordings(job);
  const rbv_recordings *others = rbv_identification_validation(job);
  if (!rbv_identification_result(job)) return (rbv_report_input){0};
  return (rbv_report_input){.result = rbv_identification_result(job),
                            .model = rbv_identification_model(job),
                            .nfit = fit->count,
                            .fit = fit->motion,
                            .nvalidation = others->count,
                            .validation = others->motion,
                            .filter = *rbv_identification_filter(job),
                            .prior = rbv_identification_prior(job)->value,
                            .prior_sigma = rbv_identification_prior(job)->sigma};
}

/* what a report borrows; freed together */
typedef struct {
  rbv_result_model fitted;
  rbv_recordings fit, validation;
  rbv_prior_values prior;
  int nremark;
  const char **remark;
} sources;

static void free_sources(sources *s) {
  for (int i = 0; i < s->nremark; i++) rbv_free((void *)(uintptr_t)s->remark[i]);
  rbv_free(s->remark);
  rbv_prior_free(&s->prior);
  rbv_recordings_free(&s->fit);
  rbv_recordings_free(&s->validation);
  rbv_result_model_free(&s->fitted);
}

RBV_PRINTF(2, 3) static rbv_status remark(sources *s, const char *format, ...) {
  const size_t size = sizeof *s->remark;
  const char **longer =
      rbv_realloc(s->remark, (size_t)s->nremark * size, (size_t)(s->nremark + 1) * size);
  if (!longer) return RBV_EMEM;
  s->remark = longer;
  rbv_text text = {0};
  va_list args;
  va_start(args, format);
  rbv_text_vprint(&text, format, args);
  va_end(args);
  if (text.failed) return RBV_EMEM;
  s->remark[s->nremark++] = text.data;
  return RBV_OK;
}

/* a recording that is missing or has changed is left out, with a remark */
static rbv_status add_log(sources *s, rbv_recordings *to, const rbv_input *log,
                          const rbv_recording_options *recording, bool reference,
                          const rbv_report_reload *with) {
  char hash[65];
  if (strcmp(log->path, "-") == 0 || rbv_log_hash(hash, log->path) != RBV_OK)
    return remark(s, "The recording '%s' was not found, so its figures are missing.", log->path);
  if (strcmp(hash, log->sha256) != 0)
    return remark(s, "The recording '%s' has changed (its SHA-256 is now %s), so it was not used.",
                  log->path, hash);
  const rbv_recording_use use = {.loaded = log->loaded,
                                 .reference = reference,
                                 .gain = s->fitted.gain,
                                 .controller = rbv_recording_law(&s->fitted.options),
                                 .threads = with->threads};
  return rbv_recordings_add(to, s->fitted.model, recording, &use, &log->path, 1, &with->notes);
}

static rbv_status load_logs(sources *s, const rbv_report_reload *with) {
  const rbv_result *r = s->fitted.result;
  rbv_recording_options recording = s->fitted.options.recording;
  if (with->map) recording.map = with->map;
  const bool reference = rbv_method_find(r->method)->loop == RBV_LOOP_DIDIM;
  for (int i = 0; i < r->ninput; i++)
    RBV_TRY(add_log(s, &s->fit, &r->input[i], &recording, reference, with));
  for (int i = 0; i < r->nvalidation_input; i++)
    RBV_TRY(add_log(s, &s->validation, &r->validation_input[i], &recording, false, with));
  return RBV_OK;
}

static rbv_status load_prior(sources *s) {
  const char *prior = s->fitted.options.prior;
  if (!prior) return RBV_OK;
  const rbv_status status = rbv_prior_load(&s->prior, prior, s->fitted.model);
  if (status == RBV_OK || status == RBV_EMEM) return status;
  return remark(s, "The prior '%s' cannot be read: %s.", prior, rbv_message());
}

static rbv_status make(rbv_report **out, sources *s, const char *result,
                       const rbv_report_reload *with) {
  RBV_TRY(rbv_result_model_load(&s->fitted, result, with->robot, &with->notes));
  // what changed or is missing becomes a remark of the page
  RBV_TRY(rbv_result_model_find_logs(&s->fitted, NULL));
  RBV_TRY(load_logs(s, with));
  RBV_TRY(load_prior(s));
  s->fitted.filter.threads = with->threads;
  const rbv_report_input input = {.result = s->fitted.result,
                                  .model = s->fitted.model,
                                  .nfit = s->fit.count,
                                  .fit = s->fit.motion,
                                  .nvalidation = s->validation.count,
                                  .validation = s->validation.motion,
                                  .filter = s->fitted.filter,
                                  .prior = s->prior.value,
                                  .prior_sigma = s->prior.sigma,
                                  .nremark = s->nremark,
                                  .remark = s->remark,
                                  .date = with->date};
  return rbv_report_new(out, &input);
}

rbv_status rbv_report_load(rbv_report **out, const char *result, const rbv_report_reload *with) {
  const rbv_report_reload nothing = {0};
  if (!out || !result) return rbv_fail(RBV_EARG, "the path of a result is needed");
  *out = NULL;
  sources s = {0};
  RBV_FINISH(make(out, &s, result, with ? with : &nothing), free_sources(&s));
}

const char *rbv_page_date(rbv_date *date) {
  const char *given = getenv("SOURCE_DATE_EPOCH");
  char *end = NULL;
  time_t now = time(NULL);
  if (given && *given) {
    const long long seconds = strtoll(given, &end, 10);
    if (*end == 0 && seconds >= 0) now = (time_t)seconds;
  }
  struct tm day;
  if (!gmtime_r(&now, &day)) return NULL;
  return strftime(date->text, sizeof date->text, "%Y-%m-%d", &day) > 0 ? date->text : NULL;
}

rbv_status rbv_report_save(const char *result, const char *path) {
  if (!result || !path) return rbv_fail(RBV_EARG, "the paths of a result and of a page are needed");
  rbv_report *page;
  rbv_date date;
  const rbv_report_reload with = {.date = rbv_page_date(&date)};
  RBV_TRY(rbv_report_load(&page, result, &with));
  RBV_FINISH(rbv_file_write(path, page->html, page->size), rbv_report_free(page));
}
