/* SHA-256 with the instructions of x86: two rounds, or four words of the schedule, at a time. */
#include "storage/sha256.h"

#if defined(__SHA__) && defined(__SSE4_1__)
#include <cpuid.h>
#include <immintrin.h>

static __m128i load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }

static void compress(uint32_t H[8], const uint8_t *data, size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);

  // the instructions want a b e f and c d g h, highest word first
  const __m128i badc = _mm_shuffle_epi32(load(H), 0xB1),
                hgfe = _mm_shuffle_epi32(load(H + 4), 0x1B);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);

  for (; blocks > 0; blocks--, data += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i W[4];  // the last sixteen words
    for (int i = 0; i < 4; i++) W[i] = _mm_shuffle_epi8(load(data + 16 * i), swap);
#pragma GCC unroll 16
    for (int t = 0; t < 16; t++) {
      __m128i *w = &W[t % 4];
      const __m128i next = W[(t + 1) % 4], third = W[(t + 2) % 4], last = W[(t + 3) % 4];
      if (t >= 4)
        *w = _mm_sha256msg2_epu32(
            _mm_add_epi32(_mm_sha256msg1_epu32(*w, next), _mm_alignr_epi8(last, third, 4)), last);
      const __m128i sum = _mm_add_epi32(*w, load(rbv_sha256_constants + 4 * t));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)H, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(H + 4), _mm_alignr_epi8(dchg, feba, 8));
}

rbv_sha256_compress *rbv_sha256_fast(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA ? compress : NULL;
}
#else
rbv_sha256_compress *rbv_sha256_fast(void) { return NULL; }
#endif
