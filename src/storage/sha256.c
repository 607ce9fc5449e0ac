/* SHA-256 (FIPS 180-4, section 6.2). */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "storage/sha256.h"
#include "storage/storage_internal.h"

typedef struct {
  rbv_sha256_compress *compress;
  uint32_t state[8];
  uint8_t block[64];
  size_t filled;  // bytes waiting in block
  uint64_t size;  // bytes seen
} sha256;

// clang-format off
/* fractional parts of the cube roots of the first 64 primes */
const uint32_t rbv_sha256_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
// clang-format on

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void schedule(uint32_t W[64], const uint8_t block[64]) {
  for (int t = 0; t < 16; t++)
    W[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
           (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
  for (int t = 16; t < 64; t++) {
    const uint32_t s0 = rotate(W[t - 15], 7) ^ rotate(W[t - 15], 18) ^ W[t - 15] >> 3;
    const uint32_t s1 = rotate(W[t - 2], 17) ^ rotate(W[t - 2], 19) ^ W[t - 2] >> 10;
    W[t] = s1 + W[t - 7] + s0 + W[t - 16];
  }
}

static void compress_block(uint32_t H[8], const uint8_t block[64]) {
  uint32_t W[64];
  schedule(W, block);
  uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
  for (int t = 0; t < 64; t++) {
    const uint32_t S1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const uint32_t T1 = h + S1 + ((e & f) ^ (~e & g)) + rbv_sha256_constants[t] + W[t];
    const uint32_t S0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const uint32_t T2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + T1;
    d = c, c = b, b = a, a = T1 + T2;
  }
  const uint32_t add[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; i++) H[i] += add[i];
}

void rbv_sha256_plain(uint32_t H[8], const uint8_t *data, size_t blocks) {
  for (size_t i = 0; i < blocks; i++) compress_block(H, data + 64 * i);
}

/* fractional parts of the square roots of the first 8 primes */
static sha256 begin(void) {
  rbv_sha256_compress *fast = rbv_sha256_fast();
  return (sha256){.compress = fast ? fast : rbv_sha256_plain,
                  .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                            0x1f83d9ab, 0x5be0cd19}};
}

static void feed(sha256 *s, const uint8_t *data, size_t size) {
  s->size += size;
  while (size > 0) {
    size_t n;
    if (s->filled == 0 && size >= sizeof s->block) {
      // whole blocks where they are
      const size_t blocks = size / sizeof s->block;
      s->compress(s->state, data, blocks);
      n = blocks * sizeof s->block;
    } else {
      const size_t room = sizeof s->block - s->filled;
      n = size < room ? size : room;
      memcpy(s->block + s->filled, data, n);
      s->filled += n;
      if (s->filled == sizeof s->block) {
        s->compress(s->state, s->block, 1);
        s->filled = 0;
      }
    }
    data += n;
    size -= n;
  }
}

/* a one bit, zeros to 8 bytes before a full block, the length in bits */
static void finish(char out[65], sha256 *s) {
  static const uint8_t pad[64] = {0x80};
  const uint64_t bits = 8 * s->size;
  feed(s, pad, 1 + (119 - s->filled) % 64);
  uint8_t length[8];
  for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  feed(s, length, sizeof length);
  for (int i = 0; i < 64; i++)
    out[i] = "0123456789abcdef"[s->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
  out[64] = 0;
}

void rbv_hash_bytes(char out[65], const void *data, size_t size) {
  sha256 s = begin();
  feed(&s, data, size);
  finish(out, &s);
}

rbv_status rbv_hash_file(char out[65], const char *path) {
  int fd;
  size_t announced;
  RBV_TRY(rbv_file_open(&fd, &announced, path));
  sha256 s = begin();
  uint8_t buffer[16384];
  ssize_t n;
  do {
    n = read(fd, buffer, sizeof buffer);
    if (n > 0) feed(&s, buffer, (size_t)n);
  } while (n > 0 || (n < 0 && errno == EINTR));
  const int reason = errno;
  close(fd);
  if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(reason));
  finish(out, &s);
  return RBV_OK;
}
