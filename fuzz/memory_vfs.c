#include "memory_vfs.h"

#include <sqlite3.h>
#include <string.h>

#include "fuzz.h"

static uint8_t *bytes;
static size_t count;

static int close_file(sqlite3_file *file) {
  (void)file;
  return SQLITE_OK;
}

/* A read beyond the end gives zeros, as the contract of SQLite asks. */
static int read_file(sqlite3_file *file, void *out, int n, sqlite3_int64 at) {
  (void)file;
  const size_t want = (size_t)n, from = (size_t)at;
  const size_t have = from >= count ? 0 : count - from < want ? count - from : want;
  if (have > 0) memcpy(out, bytes + from, have);
  memset((char *)out + have, 0, want - have);
  return have == want ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int refuse_write(sqlite3_file *file, const void *data, int n, sqlite3_int64 at) {
  (void)file, (void)data, (void)n, (void)at;
  return SQLITE_READONLY;
}

static int refuse_truncate(sqlite3_file *file, sqlite3_int64 size) {
  (void)file, (void)size;
  return SQLITE_READONLY;
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *out) {
  (void)file;
  *out = (sqlite3_int64)count;
  return SQLITE_OK;
}

/* Synchronise, lock and unlock have nothing to do. */
static int nothing(sqlite3_file *file, int level) {
  (void)file, (void)level;
  return SQLITE_OK;
}

static int is_reserved(sqlite3_file *file, int *out) {
  (void)file;
  *out = 0;
  return SQLITE_OK;
}

static int control(sqlite3_file *file, int what, void *value) {
  (void)file, (void)what, (void)value;
  return SQLITE_NOTFOUND;
}

static int number(sqlite3_file *file) {
  (void)file;
  return 0;
}

/* As a file that is mapped into memory. */
static int fetch(sqlite3_file *file, sqlite3_int64 at, int n, void **out) {
  (void)file;
  *out = at >= 0 && n >= 0 && (size_t)at + (size_t)n <= count ? bytes + at : NULL;
  return SQLITE_OK;
}

static int unfetch(sqlite3_file *file, sqlite3_int64 at, void *page) {
  (void)file, (void)at, (void)page;
  return SQLITE_OK;
}

static int no_memory_shared(sqlite3_file *file, int region, int size, int extend,
                            void volatile **out) {
  (void)file, (void)region, (void)size, (void)extend;
  *out = NULL;
  return SQLITE_CANTOPEN;
}

static int no_lock_shared(sqlite3_file *file, int offset, int n, int flags) {
  (void)file, (void)offset, (void)n, (void)flags;
  return SQLITE_CANTOPEN;
}

static void no_barrier(sqlite3_file *file) { (void)file; }

static const sqlite3_io_methods methods = {.iVersion = 3,
                                           .xClose = close_file,
                                           .xRead = read_file,
                                           .xWrite = refuse_write,
                                           .xTruncate = refuse_truncate,
                                           .xSync = nothing,
                                           .xFileSize = size_of_file,
                                           .xLock = nothing,
                                           .xUnlock = nothing,
                                           .xCheckReservedLock = is_reserved,
                                           .xFileControl = control,
                                           .xSectorSize = number,
                                           .xDeviceCharacteristics = number,
                                           .xShmMap = no_memory_shared,
                                           .xShmLock = no_lock_shared,
                                           .xShmBarrier = no_barrier,
                                           .xShmUnmap = nothing,
                                           .xFetch = fetch,
                                           .xUnfetch = unfetch};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  (void)vfs, (void)name;
  file->pMethods = NULL;
  if (!(flags & SQLITE_OPEN_MAIN_DB)) return SQLITE_CANTOPEN;
  file->pMethods = &methods;
  if (out) *out = SQLITE_OPEN_READONLY;
  return SQLITE_OK;
}

static int exists(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
  (void)vfs, (void)name, (void)flags;
  *out = 0;
  return SQLITE_OK;
}

static int full_path(sqlite3_vfs *vfs, const char *name, int room, char *out) {
  (void)vfs;
  sqlite3_snprintf(room, out, "%s", name);
  return SQLITE_OK;
}

void memory_vfs_use(uint8_t *data, size_t size) {
  static sqlite3_vfs vfs;
  bytes = data;
  count = size;
  if (vfs.zName) return;
  // one thread, no statistics, pages from one block: opening a database is what takes the time
  static _Alignas(8) char pages[64 * (1024 + 512)];
  (void)sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  (void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, pages, 1024 + 512, 64);
  FUZZ_CHECK(sqlite3_initialize() == SQLITE_OK);
  vfs = *sqlite3_vfs_find(NULL);
  vfs.zName = "memory";
  vfs.szOsFile = sizeof(sqlite3_file);
  vfs.xOpen = open_file;
  vfs.xAccess = exists;
  vfs.xFullPathname = full_path;
  FUZZ_CHECK(sqlite3_vfs_register(&vfs, 1) == SQLITE_OK);
}
