// memfd_create, O_TMPFILE
#define _GNU_SOURCE

#include "log/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "base/support.h"

#define PIECE ((size_t)1 << 18)
#define MOST_WHOLE ((size_t)8 << 30)
#define MOST_PIECES ((size_t)64 << 30)
#define MEMORY_PIECES ((size_t)16 << 20)

spool spool_new(bool pieces) {
  return (spool){.file = -1,
                 .memory = pieces ? MEMORY_PIECES : SIZE_MAX,
                 .most = pieces ? MOST_PIECES : MOST_WHOLE};
}

void spool_close(spool *s) {
  if (s->file >= 0) close(s->file);
  s->file = -1;
}

static const char *folder(void) {
  const char *name = getenv("TMPDIR");
  return name && *name ? name : "/tmp";
}

static rbv_status refuse_disk(const char *name) {
  return rbv_fail(RBV_EWRITE,
                  "%s: the unpacked data cannot be written to %s: %s; set TMPDIR to a folder that "
                  "has room for them",
                  name, folder(), strerror(errno));
}

/* A file without a name. */
static int open_unnamed(void) {
  const int file = open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  // some file systems give every file a name
  rbv_text path = {0};
  rbv_text_print(&path, "%s/roberval-XXXXXX", folder());
  const int named = path.failed ? -1 : mkostemp(path.data, O_CLOEXEC);
  if (named >= 0) unlink(path.data);
  rbv_text_free(&path);
  return named;
}

static rbv_status move_to_disk(spool *s, const char *name) {
  const int disk = open_unnamed();
  if (disk < 0) return refuse_disk(name);
  off_t done = 0;
  while ((size_t)done < s->size) {
    const ssize_t n = sendfile(disk, s->file, &done, s->size - (size_t)done);
    if (n > 0 || (n < 0 && errno == EINTR)) continue;
    RBV_FINISH(refuse_disk(name), close(disk));
  }
  spool_close(s);
  s->file = disk;
  s->on_disk = true;
  return RBV_OK;
}

static rbv_status append(spool *s, const char *name, const uint8_t *data, size_t n) {
  if (s->file < 0) s->file = memfd_create("unpacked", MFD_CLOEXEC);
  if (!s->on_disk && (s->file < 0 || n > s->memory - s->size)) RBV_TRY(move_to_disk(s, name));
  for (size_t done = 0; done < n;) {
    const ssize_t k = pwrite(s->file, data + done, n - done, (off_t)(s->size + done));
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0 && s->on_disk) return refuse_disk(name);
    if (k <= 0) return rbv_fail(RBV_EMEM, "%s: no memory for the unpacked data", name);
    done += (size_t)k;
  }
  s->size += n;
  return RBV_OK;
}

rbv_status spool_unpack(spool *s, packing how, const char *name, const packed_bytes *from,
                        size_t enough) {
  unpacker *u = NULL;
  uint8_t *buffer = rbv_alloc(PIECE);
  rbv_status status = buffer ? unpacker_open(&u, how, name, from) : RBV_EMEM;
  size_t total = 0, got = PIECE;
  while (status == RBV_OK && got == PIECE && total < enough) {
    status = unpacker_read(&got, u, buffer, PIECE);
    total += got;
    if (status == RBV_OK && total > s->most) status = unpack_refuse_more(name, s->most);
    if (status == RBV_OK) status = append(s, name, buffer, got);
  }
  unpacker_close(u);
  rbv_free(buffer);
  return status;
}
