/* The input of follow: CSV text from a stream or a growing file, and where a stream goes on. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "prepare/prepare.h"
#include "storage/storage.h"
#include "task/follow_run.h"

#define READ_SIZE 65536       // bytes
#define PAUSE_MS 200          // without rows, until a stop or a heartbeat is looked for
#define GROW_NS 5000000       // before the end of a growing file is read again
#define EARLY_SIZE (1 << 24)  // bytes of a stream that are kept until its columns are known
#define FEW_BACK 10           // rows behind the state that are no new start of the clock

/* ---- where a stream goes on ---- */

/* the first rows of a stream, bit by bit (FNV-1a); bad ones are as good here */
static void digest(uint64_t *h, double t, const double *q, int n, const double *torque, int nrow) {
  for (int i = 0; i < 1 + n + nrow; i++) {
    const double x = i == 0 ? t : i <= n ? q[i - 1] : torque[i - 1 - n];
    unsigned char bytes[sizeof x];
    memcpy(bytes, &x, sizeof x);
    for (size_t k = 0; k < sizeof x; k++) *h = (*h ^ bytes[k]) * UINT64_C(0x100000001b3);
  }
}

static rbv_status use(following *j, long long line, const char *wrong, double t, const double *q,
                      const double *torque) {
  if (!wrong && j->digested < FIRST_ROWS) {
    if (j->digested++ == 0) j->place.first = UINT64_C(0xcbf29ce484222325);
    digest(&j->place.first, t, q, j->f->n, torque, j->f->nrow);
  }
  j->last_row = live_now_s();
  return rbv_follower_take(j->f, line, wrong, t, q, torque);
}

/* use the rows that were kept, from one on */
static rbv_status use_head(following *j, int first) {
  stream_head *h = &j->head;
  const ptrdiff_t width = j->f->n + j->f->nrow;
  h->decided = true;
  h->known += first;
  for (int i = first; i < h->count; i++) {
    const double *v = h->values + i * width;
    RBV_TRY(use(j, h->row[i].line, NULL, h->row[i].t, v, v + j->f->n));
  }
  return RBV_OK;
}

static uint64_t head_digest(const following *j) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (int i = 0; i < j->head.count; i++) {
    const double *v = j->head.values + (ptrdiff_t)i * (j->f->n + j->f->nrow);
    digest(&h, j->head.row[i].t, v, j->f->n, v + j->f->n, j->f->nrow);
  }
  return h;
}

static rbv_status start_again(following *j) {
  rbv_tell(&j->task->common.notes, NULL,
           "the stream begins at %.3f s, the state ended at %.3f s: the clock was set back",
           j->head.row[0].t, j->from.t);
  return use_head(j, 0);
}

/*
 * A stream that goes on may repeat rows that are known: a few, or all from its start on, which then
 * has the same first rows to the bit. Otherwise its clock has started again.
 */
static rbv_status resume_row(following *j, long long line, double t, const double *q,
                             const double *torque) {
  stream_head *h = &j->head;
  if (h->repeated && t <= j->from.t) {
    h->known++;
    return RBV_OK;
  }
  if (h->repeated || t > j->from.t) {
    const int known = h->count;
    h->repeated = false;
    RBV_TRY(use_head(j, known));
    return use(j, line, NULL, t, q, torque);
  }
  double *v = h->values + (ptrdiff_t)h->count * (j->f->n + j->f->nrow);
  memcpy(v, q, (size_t)j->f->n * sizeof *q);
  memcpy(v + j->f->n, torque, (size_t)j->f->nrow * sizeof *torque);
  h->row[h->count++] = (early_row){line, t};
  if (h->count < FIRST_ROWS) return RBV_OK;
  if (head_digest(j) != j->from.first) return start_again(j);
  h->repeated = true;
  h->known = h->count;
  h->count = 0;
  rbv_tell(&j->task->common.notes, NULL,
           "the stream repeats the one of the state: its rows up to %.3f s are skipped", j->from.t);
  return RBV_OK;
}

rbv_status follow_take_row(void *self, long long line, const char *wrong, double t, const double *q,
                           const double *torque) {
  following *j = self;
  const bool resumes = j->f->resumed && !j->head.decided;
  if (!resumes) return use(j, line, wrong, t, q, torque);
  if (!j->live && line <= j->from.line) return RBV_OK;
  if (!j->live) {
    j->head.decided = true;
    return use(j, line, wrong, t, q, torque);
  }
  j->last_row = live_now_s();
  // a row without a time is neither before nor behind the state
  return wrong || !isfinite(t) ? RBV_OK : resume_row(j, line, t, q, torque);
}

rbv_status follow_end_head(following *j) {
  stream_head *h = &j->head;
  if (!j->live || !j->f->resumed || h->decided) return RBV_OK;
  if (!h->repeated && h->count >= FEW_BACK) return start_again(j);
  return rbv_fail(RBV_EINPUT,
                  "the stream has no row behind the state, which ended at %.3f s (%lld rows are "
                  "known)",
                  j->from.t, h->known + h->count);
}

/* ---- text ---- */

/* CSV text from a stream or a growing file */
typedef struct {
  following *j;
  const char *path;
  int fd;
  bool regular;
  double last;         // when bytes came
  rbv_text early;      // read before the columns are known
  rbv_row_text *text;  // NULL: they are not
  rbv_log_map *own;    // a guess
  size_t tried;        // bytes at the last attempt
} text_source;

/* The next bytes; 0: there are none now. *end: there will be none. */
static rbv_status read_some(size_t *got, bool *end, char *buffer, text_source *s) {
  *got = 0;
  follow_beat(s->j);
  struct pollfd ready = {.fd = s->fd, .events = POLLIN};
  if (!s->regular && poll(&ready, 1, PAUSE_MS) <= 0) return RBV_OK;
  const ssize_t n = read(s->fd, buffer, READ_SIZE);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return RBV_OK;
  if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", s->path, strerror(errno));
  *got = (size_t)n;
  if (n > 0) s->last = live_now_s();
  *end = n == 0 && !(s->regular && live_now_s() - s->last < s->j->task->wait);
  if (s->regular && n == 0 && !*end) nanosleep(&(struct timespec){.tv_nsec = GROW_NS}, NULL);
  return RBV_OK;
}

static rbv_status open_rows(text_source *s, const rbv_log_map *map, int head_lines) {
  following *j = s->j;
  RBV_TRY(
      rbv_row_text_new(&s->text, s->path, j->f->fitted.model, map, head_lines, j->f->fitted.gain));
  return s->early.size > 0
             ? rbv_row_text_add(s->text, s->early.data, s->early.size, follow_take_row, j)
             : RBV_OK;
}

/* Begin if the first lines say what the columns are; more: further lines may say more. */
static rbv_status recognise(text_source *s, bool more) {
  size_t lines = 0, size = 0;
  for (size_t i = 0; i < s->early.size; i++)
    if (s->early.data[i] == '\n') {
      lines++;
      size = i + 1;
    }
  if (more && lines < FIRST_ROWS) return RBV_OK;
  if (!more) size = s->early.size;
  const rbv_log_input in = {.path = s->path, .text = s->early.data, .size = size};
  rbv_log_guess *g;
  rbv_status status =
      s->early.size == 0
          ? rbv_fail(RBV_EINPUT, "the stream has no rows with rising time stamps")
          : rbv_recording_guess(&g, s->j->f->fitted.model, &in, s->j->task->options.rate_hz);
  if (status != RBV_OK) return status;
  const bool known = g->standard || g->usual || (g->map && g->nambiguous == 0 && g->nmissing == 0);
  if (known || !more) {
    status = rbv_recording_accept(&s->own, s->path, g, &s->j->task->common.notes);
    if (status == RBV_OK) status = open_rows(s, s->own, g->head_lines);
    rbv_text_free(&s->early);
  }
  rbv_log_guess_free(g);
  return status;
}

static rbv_status take_bytes(text_source *s, const char *bytes, size_t size) {
  if (s->text) return rbv_row_text_add(s->text, bytes, size, follow_take_row, s->j);
  const size_t before = s->early.size;
  rbv_text_add(&s->early, bytes, size);
  if (s->early.failed) return RBV_EMEM;
  // columns without names need more rows: try again whenever there are twice as many
  const size_t try_at = s->tried > 0 ? 2 * s->tried : 0;
  if (before > 0 && s->early.size < try_at) return RBV_OK;
  s->tried = s->early.size;
  return recognise(s, s->early.size < EARLY_SIZE);
}

rbv_status follow_read_text(following *j, const char *path, const rbv_log_map *map) {
  text_source s = {.j = j, .path = strcmp(path, "-") == 0 ? "standard input" : path};
  const bool standard = strcmp(path, "-") == 0;
  RBV_TRY(rbv_input_note(NULL, path));
  s.fd = standard ? STDIN_FILENO : open(path, O_RDONLY);
  if (s.fd < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  struct stat info;
  s.regular = fstat(s.fd, &info) == 0 && S_ISREG(info.st_mode);
  s.last = live_now_s();
  char *buffer = rbv_alloc(READ_SIZE);
  rbv_status status = buffer ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && map) status = open_rows(&s, map, -1);
  bool end = false;
  while (status == RBV_OK && !end && !j->f->stop) {
    size_t got;
    status = read_some(&got, &end, buffer, &s);
    if (status == RBV_OK && got > 0) status = take_bytes(&s, buffer, got);
    if (status == RBV_OK && got > 0) status = rbv_go_on("rows", NAN);
  }
  if (status == RBV_OK && !s.text && !j->f->stop) status = recognise(&s, false);
  if (status == RBV_OK && s.text && !j->f->stop)
    status = rbv_row_text_end(s.text, follow_take_row, j);
  rbv_row_text_free(s.text);
  rbv_text_free(&s.early);
  rbv_log_map_free(s.own);
  rbv_free(buffer);
  if (!standard) close(s.fd);
  return status;
}
