#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/support.h"

static atomic_long allocations;
static atomic_long fail_countdown;  // 0: off; 1: the next allocation fails
static atomic_size_t live, peak;    // bytes allocated now; their maximum since the reset
static atomic_bool guarded;
static atomic_long damaged;  // blocks with a damaged guard

#define GUARD 0xA5  // bytes behind a block
#define FREED 0xDD  // first bytes of a block after it was freed
#define FREED_BYTES 4096

void rbv_alloc_guard(bool on) { atomic_store(&guarded, on); }

long rbv_alloc_damaged(void) { return atomic_load(&damaged); }

void rbv_alloc_fail_after(long n) { atomic_store(&fail_countdown, n); }

long rbv_alloc_count(void) { return atomic_load(&allocations); }

size_t rbv_alloc_peak(void) { return atomic_load(&peak); }

size_t rbv_alloc_reset_peak(void) {
  const size_t now = atomic_load(&live);
  atomic_store(&peak, now);
  return now;
}

static void count_in(size_t bytes) {
  const size_t now = atomic_fetch_add(&live, bytes) + bytes;
  size_t most = atomic_load(&peak);
  while (now > most && !atomic_compare_exchange_weak(&peak, &most, now))
    ;
}

/* True if a test wants this allocation to fail. */
static bool must_fail(void) {
  long left = atomic_load(&fail_countdown);
  while (left > 0)
    if (atomic_compare_exchange_weak(&fail_countdown, &left, left - 1)) return left == 1;
  return false;
}

/*
 * calloc does not clear pages that are new from the system, so a large block costs only the part
 * that is used. It aligns to 16 bytes. The block therefore begins at the next multiple of 64; the
 * pointer from calloc and the requested size are stored just before it.
 */
typedef struct {
  char *whole;
  size_t bytes;
} note;
_Static_assert(sizeof(note) <= 16, "the note must fit into the space that alignment leaves");

/* Bytes from the beginning of a block to the end of its memory: at least one more than asked for.
 */
static size_t room_of(size_t bytes) {
  return (bytes + RBV_ARENA_ALIGN) / RBV_ARENA_ALIGN * RBV_ARENA_ALIGN;
}

/* Look at the bytes behind a block, then make its beginning useless. */
static void check_guard(unsigned char *block, size_t bytes) {
  for (size_t i = bytes; i < room_of(bytes); i++)
    if (block[i] != GUARD) {
      atomic_fetch_add(&damaged, 1);
      break;
    }
  memset(block, FREED, bytes < FREED_BYTES ? bytes : FREED_BYTES);
}

void *rbv_alloc(size_t bytes) {
  atomic_fetch_add(&allocations, 1);
  const bool possible = bytes < PTRDIFF_MAX - 2 * RBV_ARENA_ALIGN;
  char *whole = !must_fail() && possible ? calloc(1, room_of(bytes) + RBV_ARENA_ALIGN) : NULL;
  if (!whole) {
    (void)rbv_fail(RBV_EMEM, "out of memory: %zu bytes cannot be allocated", bytes);
    return NULL;
  }
  char *block = whole + RBV_ARENA_ALIGN - (uintptr_t)whole % RBV_ARENA_ALIGN;
  const note n = {whole, bytes};
  memcpy(block - sizeof n, &n, sizeof n);
  if (atomic_load_explicit(&guarded, memory_order_relaxed))
    memset(block + bytes, GUARD, room_of(bytes) - bytes);
  count_in(bytes);
  return block;
}

void rbv_free(void *block) {
  if (!block) return;
  note n;
  memcpy(&n, (char *)block - sizeof n, sizeof n);
  if (atomic_load_explicit(&guarded, memory_order_relaxed)) check_guard(block, n.bytes);
  atomic_fetch_sub(&live, n.bytes);
  free(n.whole);
}

void rbv_free_list(void *const *block, size_t count) {
  for (size_t i = 0; i < count; i++) rbv_free(block[i]);
}

void *rbv_realloc(void *block, size_t old_bytes, size_t new_bytes) {
  void *fresh = rbv_alloc(new_bytes);
  if (!fresh) return NULL;
  if (block) memcpy(fresh, block, old_bytes < new_bytes ? old_bytes : new_bytes);
  rbv_free(block);
  return fresh;
}

void *rbv_grow(void *list, int count, int *room, size_t size) {
  if (count < *room) return list;
  if (*room > INT_MAX / 2) {
    (void)rbv_fail(RBV_EMEM, "out of memory: a list has %d items already", count);
    return NULL;
  }
  const int more = *room ? 2 * *room : 16;
  void *longer = rbv_realloc(list, size * (size_t)count, size * (size_t)more);
  if (longer) *room = more;
  return longer;
}

char *rbv_strndup(const char *s, size_t n) {
  char *copy = rbv_alloc(n + 1);
  if (copy) memcpy(copy, s, n);
  return copy;
}

char *rbv_strdup(const char *s) { return rbv_strndup(s, strlen(s)); }

int rbv_find_text(const void *first, size_t stride, int count, const char *text) {
  for (int i = 0; i < count; i++) {
    const char *member;
    memcpy(&member, (const char *)first + (size_t)i * stride, sizeof member);
    if (strcmp(member, text) == 0) return i;
  }
  return -1;
}

void *rbv_arena_take(rbv_arena *arena, size_t count, size_t size) {
  // a size that overflows is set to a huge value, which the allocation refuses
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4) bytes = SIZE_MAX / 4;
  bytes = (bytes + RBV_ARENA_ALIGN - 1) / RBV_ARENA_ALIGN * RBV_ARENA_ALIGN;
  void *block = arena->base ? arena->base + arena->used : NULL;
  if (__builtin_add_overflow(arena->used, bytes, &arena->used)) arena->used = SIZE_MAX;
  return block;
}

bool rbv_arena_next(rbv_arena *arena) {
  if (arena->base) return false;
  arena->base = rbv_alloc(arena->used);
  arena->used = 0;
  return arena->base != NULL;
}
