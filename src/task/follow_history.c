#include "task/follow_history.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support.h"
#include "storage/storage.h"
#include "storage/storage_internal.h"

#define PAGE_ROWS 4000  // that are kept for the page

static void write_head(const follow_history *h, const rbv_model *m, const rbv_follow_report *r) {
  FILE *f = h->file;
  fprintf(f, "t");
  for (int i = 0; i < h->n; i++) fprintf(f, ",residual%d", i + 1);
  for (int i = 0; i < h->n; i++) fprintf(f, ",limit%d", i + 1);
  fprintf(f, ",contact,load,mass,mass_sigma");
  for (int i = 0; i < 3; i++) fprintf(f, ",centre_%c,centre_sigma_%c", 'x' + i, 'x' + i);
  for (int i = 0; i < r->ndrift; i++) {
    const char *name = rbv_model_column(m, r->drift_column[i])->name;
    fprintf(f, ",drift_%s,drift_sigma_%s", name, name);
  }
  fprintf(f, "\n");
}

/* Nothing is lost before the file is this process's own. */
static rbv_status open_file(follow_history *h, long long from) {
  RBV_TRY(rbv_output_check(h->path));
  const int fd = open(h->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  struct stat info;
  if (fd < 0 && errno == EISDIR)
    return rbv_fail(RBV_EINPUT, "%s: is a directory; the history is a file", h->path);
  if (fd < 0 || fstat(fd, &info) != 0 || !(h->file = fdopen(fd, "w"))) {
    const int reason = errno;
    if (fd >= 0) close(fd);
    return rbv_file_refuse(h->path, reason);
  }
  if (!S_ISREG(info.st_mode)) return RBV_OK;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return rbv_fail(RBV_EINPUT, "%s: another process writes this history", h->path);
  // what was written after the state was saved is written again
  if (ftruncate(fd, from > 0 ? (off_t)from : 0) == 0 && fseek(h->file, 0, SEEK_END) == 0)
    return RBV_OK;
  return rbv_file_refuse(h->path, errno);
}

static rbv_status flush(const follow_history *h) {
  if (!h->file || (fflush(h->file) == 0 && !ferror(h->file))) return RBV_OK;
  return rbv_file_refuse(h->path, errno);
}

rbv_status follow_history_open(follow_history *h, const char *path, FILE *stream, bool page,
                               const rbv_model *model, const rbv_follow_report *r, long long from) {
  *h = (follow_history){.path = path,
                        .file = stream,
                        .given = stream != NULL,
                        .n = rbv_model_joint_count(model),
                        .page = page,
                        .step = 1};
  h->stride = 3 + 2 * h->n + 2 * r->ndrift;
  if (page) h->row = rbv_alloc((size_t)(PAGE_ROWS * h->stride) * sizeof *h->row);
  if (page && !h->row) return RBV_EMEM;
  if (path && !stream) RBV_TRY(open_file(h, from));
  if (h->file && from < 0) write_head(h, model, r);
  return flush(h);
}

bool follow_history_wanted(const follow_history *h) { return h->file || h->page; }

static void write_number(FILE *f, double x) {
  if (isfinite(x))
    fprintf(f, ",%.9g", x);
  else
    fprintf(f, ",nan");
}

static void write_row(const follow_history *h, const rbv_follow_report *r) {
  const rbv_payload *p = &r->payload;
  FILE *f = h->file;
  fprintf(f, "%.6f", r->t);
  for (int i = 0; i < h->n; i++) write_number(f, r->residual[i]);
  for (int i = 0; i < h->n; i++) write_number(f, r->limit[i]);
  fprintf(f, ",%d,%d", r->contact + 1, (int)r->load);
  write_number(f, p->mass);
  write_number(f, p->mass_sigma);
  for (int i = 0; i < 3; i++) {
    write_number(f, p->centre[i]);
    write_number(f, p->centre_sigma[i]);
  }
  for (int i = 0; i < r->ndrift; i++) {
    write_number(f, r->drift[i]);
    write_number(f, r->drift_sigma[i]);
  }
  fprintf(f, "\n");
}

/* keep every second row from now on, when the memory is full */
static void thin_out(follow_history *h) {
  h->count /= 2;
  h->step *= 2;
  for (ptrdiff_t k = 0; k < h->count; k++)
    memcpy(h->row + k * h->stride, h->row + 2 * k * h->stride, (size_t)h->stride * sizeof *h->row);
}

static void keep_row(follow_history *h, const rbv_follow_report *r) {
  if (h->skipped++ % h->step != 0) return;
  if (h->count == PAGE_ROWS) thin_out(h);
  double *to = h->row + h->count++ * h->stride;
  const bool known = isfinite(r->payload.mass_sigma);
  *to++ = r->t;
  for (int i = 0; i < h->n; i++) *to++ = r->residual[i];
  for (int i = 0; i < h->n; i++) *to++ = r->limit[i];
  *to++ = known ? r->payload.mass : NAN;
  *to++ = known ? r->payload.mass_sigma : NAN;
  for (int i = 0; i < r->ndrift; i++) *to++ = r->drift[i];
  for (int i = 0; i < r->ndrift; i++) *to++ = r->drift_sigma[i];
}

rbv_status follow_history_add(follow_history *h, const rbv_follow_report *r) {
  if (h->page) keep_row(h, r);
  if (h->file) write_row(h, r);
  return flush(h);
}

long long follow_history_size(follow_history *h, long long before) {
  if (!h->file || h->given) return before;
  fflush(h->file);
  return (long long)ftell(h->file);
}

rbv_status follow_history_close(follow_history *h) {
  if (!h->file || h->given) return RBV_OK;
  const bool failed = ferror(h->file) != 0;
  const bool closed = fclose(h->file) == 0;
  h->file = NULL;
  return closed && !failed ? RBV_OK : rbv_fail(RBV_EWRITE, "%s: cannot be written", h->path);
}

void follow_history_free(follow_history *h) {
  if (h->file && !h->given) fclose(h->file);
  rbv_free(h->row);
}

rbv_status follow_history_page(rbv_report **out, const follow_history *h, rbv_follow_page *page,
                               const rbv_follow_report *r, const char *path) {
  *out = NULL;
  if (h->count == 0) return rbv_fail(RBV_EINPUT, "%s: the stream was too short for a page", path);
  page->count = h->count;
  page->stride = h->stride;
  page->row = h->row;
  page->ndrift = r->ndrift;
  page->drift_column = r->drift_column;
  return rbv_report_follow(out, page);
}
