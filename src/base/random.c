#include <math.h>

#include "base/support.h"

#define PHILOX_ROUNDS 10

/* Philox 4x32 (Salmon et al., SC 2011): a keyed bijection of a 128-bit counter. */
static void philox(uint32_t counter[4], uint32_t key0, uint32_t key1) {
  for (int round = 0; round < PHILOX_ROUNDS; round++) {
    const uint64_t a = (uint64_t)0xD2511F53u * counter[0];
    const uint64_t b = (uint64_t)0xCD9E8D57u * counter[2];
    const uint32_t next[4] = {(uint32_t)(b >> 32) ^ counter[1] ^ key0, (uint32_t)b,
                              (uint32_t)(a >> 32) ^ counter[3] ^ key1, (uint32_t)a};
    for (int i = 0; i < 4; i++) counter[i] = next[i];
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

static void block(uint64_t out[2], uint64_t seed, uint64_t stream, uint64_t index) {
  uint32_t c[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream,
                   (uint32_t)(stream >> 32)};
  philox(c, (uint32_t)seed, (uint32_t)(seed >> 32));
  out[0] = (uint64_t)c[1] << 32 | c[0];
  out[1] = (uint64_t)c[3] << 32 | c[2];
}

/* 52 bits plus half a step: never 0 and never 1. */
static double unit(uint64_t bits) { return ((double)(bits >> 12) + 0.5) * 0x1p-52; }

uint64_t rbv_random_bits(uint64_t seed, uint64_t stream, uint64_t index) {
  uint64_t out[2];
  block(out, seed, stream, index);
  return out[0];
}

double rbv_random_uniform(uint64_t seed, uint64_t stream, uint64_t index) {
  return unit(rbv_random_bits(seed, stream, index));
}

double rbv_random_normal(uint64_t seed, uint64_t stream, uint64_t index) {
  // Box-Muller with two uniforms from one block, so that each index is independent of the others
  uint64_t out[2];
  block(out, seed, stream, index);
  return sqrt(-2 * log(unit(out[0]))) * cos(2 * RBV_PI * unit(out[1]));
}
