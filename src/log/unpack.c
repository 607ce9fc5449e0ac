#include "log/unpack.h"

#include <errno.h>
#include <limits.h>
#include <lz4.h>
#include <lz4frame.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/support.h"

#define PIECE ((size_t)1 << 16)  // packed bytes that are read together; room for each step

struct unpacker {
  packing how;
  const char *name;
  packed_bytes from;
  size_t taken;     // bytes of from that are in the input, or were
  uint8_t *buffer;  // PIECE bytes of a file; NULL: the input is in memory

  const uint8_t *in;
  size_t size, used;  // of the input
  bool last;          // nothing follows the input

  bool between;  // the last member or frame is complete
  bool ended;
  z_stream z;
  bool z_open;
  ZSTD_DCtx *zstd;
  LZ4F_dctx *lz4;
};

/* What one step did. */
typedef struct {
  size_t made;  // unpacked bytes
  bool hungry;  // more input is needed
} progress;

static rbv_status damaged(const char *name, const char *what) {
  return rbv_fail(RBV_EINPUT, "%s: the compressed data are damaged: %s", name, what);
}

static rbv_status cut_off(const char *name) {
  return rbv_fail(RBV_EINPUT, "%s: the compressed data are truncated", name);
}

rbv_status unpack_refuse_more(const char *name, size_t most) {
  return rbv_fail(RBV_EINPUT, "%s: the compressed data have more than %zu MB", name, most >> 20);
}

/* ---- gzip: one or more members; or one stream without a header ---- */

static rbv_status step_zlib(progress *p, unpacker *u, uint8_t *to, size_t room) {
  const size_t left = u->size - u->used;
  if (u->between) {
    // another member, or padding
    p->hungry = left < 2 && !u->last;
    if (p->hungry) return RBV_OK;
    u->ended = left < 2 || u->in[u->used] != 0x1F || u->in[u->used + 1] != 0x8B;
    if (u->ended) return RBV_OK;
    if (inflateReset(&u->z) != Z_OK) return damaged(u->name, "gzip");
    u->between = false;
  }
  z_stream *z = &u->z;
  z->next_in = (Bytef *)(uintptr_t)(u->in + u->used);  // zlib does not change its input
  z->avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
  z->next_out = to;
  z->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
  const uInt in = z->avail_in, out = z->avail_out;
  const int code = inflate(z, Z_NO_FLUSH);
  u->used += in - z->avail_in;
  p->made = out - z->avail_out;
  if (code == Z_STREAM_END) {
    u->ended = u->how == PACKED_DEFLATE;
    u->between = true;
    return RBV_OK;
  }
  if (code != Z_OK && code != Z_BUF_ERROR) return damaged(u->name, z->msg ? z->msg : "gzip");
  p->hungry = u->used == u->size && z->avail_out > 0;
  return RBV_OK;
}

/* ---- zstd and lz4: one or more frames ---- */

/* Is there nothing, or nothing yet, behind a complete frame? */
static bool is_frame_end(progress *p, unpacker *u) {
  if (!u->between || u->used < u->size) return false;
  u->ended = u->last;
  p->hungry = !u->last;
  return true;
}

/* After a step over input up to used; left = 0: a frame is complete. */
static void note_step(progress *p, unpacker *u, size_t used, size_t made, size_t left) {
  p->made = made;
  p->hungry = used == u->size && used == u->used && made == 0;
  u->between = left == 0;
  u->used = used;
}

static rbv_status step_zstd(progress *p, unpacker *u, uint8_t *to, size_t room) {
  if (is_frame_end(p, u)) return RBV_OK;
  ZSTD_inBuffer in = {u->in, u->size, u->used};
  ZSTD_outBuffer out = {to, room, 0};
  const size_t left = ZSTD_decompressStream(u->zstd, &out, &in);
  if (ZSTD_isError(left)) return damaged(u->name, ZSTD_getErrorName(left));
  note_step(p, u, in.pos, out.pos, left);
  return RBV_OK;
}

static rbv_status step_lz4(progress *p, unpacker *u, uint8_t *to, size_t room) {
  if (is_frame_end(p, u)) return RBV_OK;
  size_t in = u->size - u->used, out = room;
  const size_t left = LZ4F_decompress(u->lz4, to, &out, u->in + u->used, &in, NULL);
  if (LZ4F_isError(left)) return damaged(u->name, LZ4F_getErrorName(left));
  note_step(p, u, u->used + in, out, left);
  return RBV_OK;
}

/* ---- piece by piece ---- */

static rbv_status open_library(unpacker *u) {
  switch (u->how) {
    case PACKED_GZIP:
    case PACKED_DEFLATE:
      u->z_open = inflateInit2(&u->z, u->how == PACKED_GZIP ? 15 + 16 : -15) == Z_OK;
      return u->z_open ? RBV_OK : RBV_EMEM;
    case PACKED_ZSTD:
      if (!(u->zstd = ZSTD_createDCtx())) return RBV_EMEM;
      // frames that need a larger window are not written by recorders
      (void)ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, 27);
      return RBV_OK;
    case PACKED_LZ4:
      return LZ4F_isError(LZ4F_createDecompressionContext(&u->lz4, LZ4F_VERSION)) ? RBV_EMEM
                                                                                  : RBV_OK;
  }
  return rbv_fail(RBV_EARG, "unknown compression");
}

/* Free what open and the libraries allocated, but not the unpacker itself. */
static void release(unpacker *u) {
  if (u->z_open) inflateEnd(&u->z);
  if (u->zstd) ZSTD_freeDCtx(u->zstd);
  if (u->lz4) LZ4F_freeDecompressionContext(u->lz4);
  rbv_free(u->buffer);
}

static rbv_status start(unpacker *u, packing how, const char *name, const packed_bytes *from) {
  *u = (unpacker){.how = how, .name = name, .from = *from};
  if (from->data) {
    u->in = from->data;
    u->size = u->taken = from->size;
    u->last = true;
  } else if (!(u->in = u->buffer = rbv_alloc(PIECE))) {
    return RBV_EMEM;
  }
  const rbv_status status = open_library(u);
  if (status != RBV_OK) release(u);
  return status;
}

rbv_status unpacker_open(unpacker **out, packing how, const char *name, const packed_bytes *from) {
  *out = rbv_alloc(sizeof **out);
  if (!*out) return RBV_EMEM;
  const rbv_status status = start(*out, how, name, from);
  if (status == RBV_OK) return RBV_OK;
  rbv_free(*out);
  *out = NULL;
  return status;
}

void unpacker_close(unpacker *u) {
  if (!u) return;
  release(u);
  rbv_free(u);
}

size_t unpacker_used(const unpacker *u) { return u->taken - (u->size - u->used); }

/* Read more of the file behind what is left of the input. */
static rbv_status refill(unpacker *u) {
  memmove(u->buffer, u->buffer + u->used, u->size - u->used);
  u->size -= u->used;
  u->used = 0;
  const size_t left = u->from.size - u->taken, room = PIECE - u->size;
  ssize_t got;
  do
    got = pread(u->from.file, u->buffer + u->size, left < room ? left : room,
                (off_t)(u->from.at + u->taken));
  while (got < 0 && errno == EINTR);
  if (got < 0) return rbv_fail(RBV_EREAD, "%s: %s", u->name, strerror(errno));
  u->last = got == 0;
  u->size += (size_t)got;
  u->taken += (size_t)got;
  return RBV_OK;
}

rbv_status unpacker_read(size_t *got, unpacker *u, uint8_t *to, size_t room) {
  *got = 0;
  while (*got < room && !u->ended) {
    progress p = {0};
    switch (u->how) {
      case PACKED_GZIP:
      case PACKED_DEFLATE: RBV_TRY(step_zlib(&p, u, to + *got, room - *got)); break;
      case PACKED_ZSTD: RBV_TRY(step_zstd(&p, u, to + *got, room - *got)); break;
      case PACKED_LZ4: RBV_TRY(step_lz4(&p, u, to + *got, room - *got)); break;
    }
    *got += p.made;
    if (p.hungry && u->last) return cut_off(u->name);
    if (p.hungry) RBV_TRY(refill(u));
  }
  return RBV_OK;
}

/* ---- at once ---- */

/* Room for the next bytes of packed data of this size: little for short data. */
static rbv_status make_room(unpacked *u, size_t packed) {
  const size_t step = packed + 1024 < PIECE ? packed + 1024 : PIECE;
  if (u->room - u->size >= step) return RBV_OK;
  const size_t room = u->room < 4 * step ? 4 * step : 2 * u->room;
  uint8_t *larger = rbv_realloc(u->data, u->size, room);
  if (!larger) return RBV_EMEM;
  u->data = larger;
  u->room = room;
  return RBV_OK;
}

rbv_status unpack(unpacked *out, packing how, const char *name, const uint8_t *data, size_t size,
                  size_t most) {
  unpacker u;
  RBV_TRY(start(&u, how, name, &(packed_bytes){.data = data, .size = size}));
  rbv_status status = RBV_OK;
  while (status == RBV_OK && !u.ended) {
    size_t got = 0;
    status = out->size > most ? unpack_refuse_more(name, most) : make_room(out, size);
    if (status == RBV_OK)
      status = unpacker_read(&got, &u, out->data + out->size, out->room - out->size);
    out->size += got;
  }
  release(&u);
  return status;
}

void unpacked_free(unpacked *u) {
  rbv_free(u->data);
  *u = (unpacked){0};
}

uint32_t crc32_of(const uint8_t *data, size_t size) { return (uint32_t)crc32_z(0, data, size); }

const char *unpack_library(int i, char version[64]) {
  if (i == 0) {
    snprintf(version, 64, "%s", ZSTD_versionString());
    return "zstd";
  }
  if (i != 1) return NULL;
  snprintf(version, 64, "%s", LZ4_versionString());
  return "lz4";
}
