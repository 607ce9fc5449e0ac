/* The files of a report: a page, and a directory with figures. */
#include <roberval/sys/storage.h>

#include "job/job_internal.h"
#include "report/report_internal.h"

static rbv_status write_figure(const char *directory, const rbv_figure *f) {
  rbv_text path = {0};
  rbv_text_print(&path, "%s/%s", directory, f->name);
  RBV_FINISH(path.failed ? RBV_EMEM : rbv_file_write(path.data, f->text, f->size),
             rbv_text_free(&path));
}

rbv_status rbv_report_write(const rbv_report *page, const char *html, const char *plots,
                            const rbv_notes *notes) {
  if (html) {
    RBV_TRY(rbv_file_write(html, page->html, page->size));
    rbv_tell(notes, NULL, "written: %s", html);
  }
  if (!plots) return RBV_OK;
  RBV_TRY(rbv_directory_make(plots));
  for (int i = 0; i < page->nfigure; i++) RBV_TRY(write_figure(plots, &page->figure[i]));
  rbv_tell(notes, NULL, "written: %d figures in %s", page->nfigure, plots);
  return RBV_OK;
}
