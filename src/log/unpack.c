#include "log/unpack.h"

#include <limits.h>
#include <lz4.h>
#include <lz4frame.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/support.h"

#define PIECE ((size_t)1 << 16)  // room for at least this much before each step of long data

/* Room for the next bytes of packed data of this size: little for short data. */
static rbv_status make_room(unpacked *u, const char *name, size_t packed, size_t most) {
  if (u->size > most)
    return rbv_fail(RBV_EINPUT, "%s: the compressed data have more than %zu MB", name, most >> 20);
  const size_t step = packed + 1024 < PIECE ? packed + 1024 : PIECE;
  if (u->room - u->size >= step) return RBV_OK;
  const size_t room = u->room < 4 * step ? 4 * step : 2 * u->room;
  uint8_t *larger = rbv_realloc(u->data, u->size, room);
  if (!larger) return RBV_EMEM;
  u->data = larger;
  u->room = room;
  return RBV_OK;
}

static rbv_status damaged(const char *name, const char *what) {
  return rbv_fail(RBV_EINPUT, "%s: the compressed data are damaged: %s", name, what);
}

static rbv_status cut_off(const char *name) {
  return rbv_fail(RBV_EINPUT, "%s: the compressed data are truncated", name);
}

/* ---- gzip: one or more members; or one stream without a header (bits -15) ---- */

static rbv_status unpack_zlib(unpacked *u, int bits, const char *name, const uint8_t *data,
                              size_t size, size_t most) {
  z_stream z = {0};
  if (inflateInit2(&z, bits) != Z_OK) return RBV_EMEM;
  rbv_status status = RBV_OK;
  int code = Z_OK;
  size_t used = 0;
  while (status == RBV_OK) {
    status = make_room(u, name, size, most);
    if (status != RBV_OK) break;
    const size_t left = size - used, room = u->room - u->size;
    z.next_in = (Bytef *)(uintptr_t)(data + used);  // zlib does not change its input
    z.avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
    z.next_out = u->data + u->size;
    z.avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
    const uInt in = z.avail_in, out = z.avail_out;
    code = inflate(&z, Z_NO_FLUSH);
    used += in - z.avail_in;
    u->size += out - z.avail_out;
    if (code == Z_STREAM_END) {
      // another member, or padding
      if (bits < 0 || size - used < 2 || data[used] != 0x1F || data[used + 1] != 0x8B) break;
      if (inflateReset(&z) != Z_OK) status = damaged(name, "gzip");
    } else if (code == Z_BUF_ERROR && used == size) {
      status = cut_off(name);
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      status = damaged(name, z.msg ? z.msg : "gzip");
    } else if (used == size && z.avail_out > 0 && code == Z_OK) {
      status = cut_off(name);
    }
  }
  inflateEnd(&z);
  return status;
}

/* ---- zstd: one or more frames ---- */

static rbv_status unpack_zstd(unpacked *u, const char *name, const uint8_t *data, size_t size,
                              size_t most) {
  ZSTD_DCtx *context = ZSTD_createDCtx();
  if (!context) return RBV_EMEM;
  // frames that need a larger window are not written by recorders
  (void)ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 27);
  ZSTD_inBuffer in = {data, size, 0};
  rbv_status status = RBV_OK;
  size_t left = 1;
  while (status == RBV_OK) {
    status = make_room(u, name, size, most);
    if (status != RBV_OK) break;
    ZSTD_outBuffer out = {u->data + u->size, u->room - u->size, 0};
    const size_t before = in.pos;
    left = ZSTD_decompressStream(context, &out, &in);
    u->size += out.pos;
    if (ZSTD_isError(left))
      status = damaged(name, ZSTD_getErrorName(left));
    else if (left == 0 && in.pos == size)
      break;
    else if (in.pos == size && out.pos == 0 && in.pos == before)
      status = cut_off(name);
  }
  ZSTD_freeDCtx(context);
  return status;
}

/* ---- lz4: one or more frames ---- */

static rbv_status unpack_lz4(unpacked *u, const char *name, const uint8_t *data, size_t size,
                             size_t most) {
  LZ4F_dctx *context;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) return RBV_EMEM;
  rbv_status status = RBV_OK;
  size_t used = 0;
  while (status == RBV_OK) {
    status = make_room(u, name, size, most);
    if (status != RBV_OK) break;
    size_t in = size - used, out = u->room - u->size;
    const size_t left = LZ4F_decompress(context, u->data + u->size, &out, data + used, &in, NULL);
    used += in;
    u->size += out;
    if (LZ4F_isError(left))
      status = damaged(name, LZ4F_getErrorName(left));
    else if (left == 0 && used == size)
      break;
    else if (used == size && in == 0 && out == 0)
      status = cut_off(name);
  }
  LZ4F_freeDecompressionContext(context);
  return status;
}

rbv_status unpack(unpacked *out, packing how, const char *name, const uint8_t *data, size_t size,
                  size_t most) {
  switch (how) {
    case PACKED_GZIP: return unpack_zlib(out, 15 + 16, name, data, size, most);
    case PACKED_DEFLATE: return unpack_zlib(out, -15, name, data, size, most);
    case PACKED_ZSTD: return unpack_zstd(out, name, data, size, most);
    case PACKED_LZ4: return unpack_lz4(out, name, data, size, most);
  }
  return rbv_fail(RBV_EARG, "unknown compression");
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
