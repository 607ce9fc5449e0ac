#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/support.h"

static atomic_long allocations;
static atomic_long fail_countdown;  // 0: off; 1: the next allocation fails
static atomic_size_t held, most_held;

void rbv_alloc_fail_after(long n) { atomic_store(&fail_countdown, n); }

long rbv_alloc_count(void) { return atomic_load(&allocations); }

size_t rbv_alloc_peak(bool again) {
  const size_t peak = atomic_load(&most_held);
  if (again) atomic_store(&most_held, atomic_load(&held));
  return peak;
}

static void count_bytes(size_t bytes) {
  const size_t now = atomic_fetch_add(&held, bytes) + bytes;
  size_t most = atomic_load(&most_held);
  while (now > most && !atomic_compare_exchange_weak(&most_held, &most, now)) continue;
}

/* true when this allocation is the one that a test wants to see fail */
static bool must_fail(void) {
  long left = atomic_load(&fail_countdown);
  while (left > 0)
    if (atomic_compare_exchange_weak(&fail_countdown, &left, left - 1)) return left == 1;
  return false;
}

/*
 * calloc knows which pages come fresh from the system and need no zeros written, so that a large
 * block costs only what is used of it. It aligns to 16: the block begins at the next multiple of
 * 64, and what calloc gave stands just before it, with the size.
 */
typedef struct {
  char *whole;
  size_t bytes;
} heading;

void *rbv_alloc(size_t bytes) {
  atomic_fetch_add(&allocations, 1);
  const size_t room = (bytes + RBV_ARENA_ALIGN) / RBV_ARENA_ALIGN * RBV_ARENA_ALIGN;
  const bool possible = bytes < PTRDIFF_MAX - 2 * RBV_ARENA_ALIGN;
  char *whole = !must_fail() && possible ? calloc(1, room + RBV_ARENA_ALIGN) : NULL;
  if (!whole) {
    (void)rbv_fail(RBV_EMEM, "out of memory: %zu bytes are not to be had", bytes);
    return NULL;
  }
  char *block = whole + RBV_ARENA_ALIGN - (uintptr_t)whole % RBV_ARENA_ALIGN;
  const heading h = {whole, bytes};
  memcpy(block - sizeof h, &h, sizeof h);
  count_bytes(bytes);
  return block;
}

void rbv_free(void *block) {
  if (!block) return;
  heading h;
  memcpy(&h, (char *)block - sizeof h, sizeof h);
  atomic_fetch_sub(&held, h.bytes);
  free(h.whole);
}

void *rbv_realloc(void *block, size_t old_bytes, size_t new_bytes) {
  void *fresh = rbv_alloc(new_bytes);
  if (!fresh) return NULL;
  if (block) memcpy(fresh, block, old_bytes < new_bytes ? old_bytes : new_bytes);
  rbv_free(block);
  return fresh;
}

char *rbv_strndup(const char *s, size_t n) {
  char *copy = rbv_alloc(n + 1);
  if (copy) memcpy(copy, s, n);
  return copy;
}

char *rbv_strdup(const char *s) { return rbv_strndup(s, strlen(s)); }

void *rbv_arena_take(rbv_arena *arena, size_t count, size_t size) {
  // a request that cannot be a size saturates, so that the one allocation refuses it
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4) bytes = SIZE_MAX / 4;
  bytes = (bytes + RBV_ARENA_ALIGN - 1) / RBV_ARENA_ALIGN * RBV_ARENA_ALIGN;
  void *block = arena->base ? arena->base + arena->used : NULL;
  if (__builtin_add_overflow(arena->used, bytes, &arena->used)) arena->used = SIZE_MAX;
  return block;
}
