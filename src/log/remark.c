/* Remarks in CSV files: what a program that wrote the file wants its readers to know. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <roberval/sys/log.h>

#include "base/support.h"
#include "log/log_internal.h"

#define HEAD_BYTES 65536  // a remark stands in the first lines

/* the rest of the line behind the key; NULL: this is another line */
static char *behind_key(const char *line, size_t length, const char *key) {
  const size_t start = strlen(LOG_REMARK), n = strlen(key);
  if (length < start + n || memcmp(line, LOG_REMARK, start) != 0 ||
      memcmp(line + start, key, n) != 0)
    return NULL;
  const size_t rest = length - start - n;
  char *out = rbv_alloc(rest + 1);
  if (out) memcpy(out, line + start + n, rest);
  return out;
}

rbv_status log_remark_in(char **out, const char *text, size_t size, const char *key) {
  *out = NULL;
  if (size > HEAD_BYTES) size = HEAD_BYTES;
  for (size_t at = 0; at < size && !*out;) {
    const char *end = memchr(text + at, '\n', size - at);
    const size_t length = end ? (size_t)(end - text) - at : size - at;
    *out = behind_key(text + at, length, key);
    at += length + 1;
  }
  return RBV_OK;
}

rbv_status rbv_log_remark(char **out, const char *path, const char *key) {
  *out = NULL;
  struct stat info;
  // a pipe can be read only once
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return RBV_OK;
  FILE *file = fopen(path, "rb");
  if (!file) return RBV_OK;  // the reader of the recording says why
  char *head = rbv_alloc(HEAD_BYTES + 1);
  const size_t size = head ? fread(head, 1, HEAD_BYTES, file) : 0;
  fclose(file);
  RBV_FINISH(head ? log_remark_in(out, head, size, key) : RBV_EMEM, rbv_free(head));
}
