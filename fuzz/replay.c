/*
 * replay [--mutate N] [--seed S] [--case K] PATH...: run saved fuzz inputs (files, or all files of
 * a directory), then N mutations of them.
 *
 * A mutation depends on the seed, its number and the inputs only; --case runs a single one. An
 * input stands directly before a page that cannot be read, so that a reader that goes beyond its
 * end is stopped. An input that fails, or takes more than SECONDS, is written to the working
 * directory.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define SECONDS 10
#define MOST_BYTES ((size_t)1 << 16)  // of a mutated input

typedef struct {
  uint8_t *data;
  size_t size;
} bytes;

static bytes *inputs;
static int count;

/* ---- one input ---- */

static uint8_t *area;  // MOST_BYTES that end at a page that cannot be read
static const uint8_t *current;
static size_t current_size;

static void make_area(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  area = mmap(NULL, MOST_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED || mprotect(area + MOST_BYTES, page, PROT_NONE) != 0) {
    perror("mmap");
    exit(1);
  }
}

/* Store the input that failed. Calls only functions that are allowed in a signal handler. */
static void store_input(int number) {
  const int file = open("broken-" FUZZ_READER, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && write(file, current, current_size) == (ssize_t)current_size)
    (void)!write(STDERR_FILENO, "input stored in broken-" FUZZ_READER "\n",
                 sizeof "input stored in broken-" FUZZ_READER);
  signal(number, SIG_DFL);
  raise(number);
}

static void run(const uint8_t *data, size_t size) {
  current = data;
  current_size = size;
  alarm(SECONDS);
  LLVMFuzzerTestOneInput(data, size);
}

/* ---- saved inputs ---- */

static void run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  // exactly the size of the input, so that AddressSanitizer detects reads beyond its end
  uint8_t *data = malloc(size ? (size_t)size : 1);
  bytes *more = realloc(inputs, sizeof *more * (size_t)(count + 1));
  if (!data || !more || fread(data, 1, (size_t)size, file) != (size_t)size) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fclose(file);
  fprintf(stderr, "%s\n", path);
  run(data, (size_t)size);
  inputs = more;
  inputs[count++] = (bytes){data, (size_t)size};
}

static void run_directory(const char *path) {
  // in the order of the names, on which the mutations depend
  struct dirent **list;
  const int n = scandir(path, &list, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", path, list[i]->d_name);
    if (list[i]->d_name[0] != '.') run_file(name);
    free(list[i]);
  }
  if (n >= 0) free(list);
}

/* ---- mutations ---- */

/* splitmix64 */
static uint64_t state;
static uint64_t random_bits(void) {
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
static size_t below(size_t n) { return n ? (size_t)(random_bits() % n) : 0; }

/* Insert n bytes, or as many as fit; returns the new size. */
static size_t insert(uint8_t *d, size_t size, size_t at, const uint8_t *from, size_t n) {
  if (n > MOST_BYTES - size) n = MOST_BYTES - size;
  memmove(d + at + n, d + at, size - at);
  memcpy(d + at, from, n);
  return size + n;
}

static size_t remove_bytes(uint8_t *d, size_t size, size_t at, size_t n) {
  if (n > size - at) n = size - at;
  memmove(d + at, d + at + n, size - at - n);
  return size - n;
}

/* Change one thing; returns the new size. */
static size_t mutate(uint8_t *d, size_t size) {
  static const uint64_t edges[] = {0,        1,          2,          0x7F,      0x80,
                                   0xFF,     0x7FFF,     0x8000,     0xFFFF,    0x7FFFFFFF,
                                   1u << 31, 0xFFFFFFFF, UINT64_MAX, INT64_MAX, (uint64_t)1 << 63};
  static const char *const words[] = {
      "0",  "-1", "1e308", "1e-320", "nan", "inf", "4294967296", ",", "\n", "\r\n", ";",   "\t",
      "\"", "[",  "]",     "<",      "/>",  ">",   "=",          ".", "#",  "NULL", "%s%n"};
  uint8_t copy[64];
  const size_t at = below(size + 1), one = below(size);
  switch (below(9)) {
    case 0:
      if (size) d[one] ^= (uint8_t)(1u << below(8));
      return size;
    case 1:
      if (size) d[one] = (uint8_t)random_bits();
      return size;
    case 2: return remove_bytes(d, size, at, 1 + below(below(2) ? 4 : 64));
    case 3: {
      // repeat a part of the input
      const size_t from = below(size), n = 1 + below(sizeof copy);
      const size_t k = n < size - from ? n : size - from;
      memcpy(copy, d + from, k);
      return insert(d, size, at, copy, k);
    }
    case 4: {
      // an integer of 1, 2, 4 or 8 bytes at the edge of its range, or the number of bytes
      uint64_t x = below(4) ? edges[below(sizeof edges / sizeof *edges)] : size - at;
      x += below(3) - 1;
      const size_t n = (size_t)1 << below(4);
      memcpy(copy, &x, n);
      if (below(4) == 0)
        for (size_t i = 0; i < n / 2; i++) {
          const uint8_t t = copy[i];
          copy[i] = copy[n - 1 - i];
          copy[n - 1 - i] = t;
        }
      if (n <= size) memcpy(d + below(size - n + 1), copy, n);
      return size;
    }
    case 5: {
      const char *word = words[below(sizeof words / sizeof *words)];
      if (below(2)) size = remove_bytes(d, size, at, strlen(word));
      return insert(d, size, at, (const uint8_t *)word, strlen(word));
    }
    case 6: {
      // a part of another input
      const bytes *other = &inputs[below((size_t)count)];
      const size_t from = below(other->size), n = 1 + below(other->size - from);
      const size_t k = n < 256 ? n : 256;
      if (other->size == 0) return size;
      if (below(2)) return insert(d, size, at, other->data + from, k);
      const size_t room = size - at < k ? size - at : k;
      memcpy(d + at, other->data + from, room);
      return size;
    }
    case 7:
      for (size_t n = below(8), i = at; n > 0 && i < size; n--, i++) d[i] = (uint8_t)random_bits();
      return size;
  }
  return below(8) ? size : at;  // seldom: cut off
}

static void run_mutation(uint64_t seed, uint64_t number) {
  static uint8_t work[MOST_BYTES];
  state = seed * 0xD6E8FEB86659FD93u + number;
  (void)random_bits();
  const bytes *from = &inputs[below((size_t)count)];
  size_t size = from->size < MOST_BYTES ? from->size : MOST_BYTES;
  memcpy(work, from->data, size);
  for (size_t n = 1 + below(below(2) ? 2 : 6); n > 0; n--) size = mutate(work, size);
  uint8_t *data = area + MOST_BYTES - size;
  memcpy(data, work, size);
  run(data, size);
}

int main(int argc, char **argv) {
  uint64_t mutations = 0, seed = 1, first = 0, seconds = 0, done = 0;
  make_area();
  for (int i = 0; i < 4; i++) signal((int[]){SIGSEGV, SIGBUS, SIGABRT, SIGALRM}[i], store_input);
  for (int i = 1; i < argc; i++) {
    struct stat info;
    if (i + 1 < argc && strcmp(argv[i], "--mutate") == 0) {
      mutations = strtoull(argv[++i], NULL, 10);
    } else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) {
      seed = strtoull(argv[++i], NULL, 10);
    } else if (i + 1 < argc && strcmp(argv[i], "--seconds") == 0) {
      seconds = strtoull(argv[++i], NULL, 10);
    } else if (i + 1 < argc && strcmp(argv[i], "--case") == 0) {
      first = strtoull(argv[++i], NULL, 10);
      mutations = 1;
    } else if (stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode)) {
      run_directory(argv[i]);
    } else {
      run_file(argv[i]);
    }
  }
  const time_t start = time(NULL);
  for (; done < mutations && count > 0; done++) {
    if (seconds && done % 256 == 0 && time(NULL) - start >= (time_t)seconds) break;
    run_mutation(seed, first + done);
  }
  printf("%d inputs, %llu mutations, %lld accepted\n", count, (unsigned long long)done,
         fuzz_accepted());
  for (int i = 0; i < count; i++) free(inputs[i].data);
  free(inputs);
  return count > 0 ? 0 : 1;
}
