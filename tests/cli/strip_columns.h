/* Recordings without some of their columns. */
#ifndef CLI_STRIP_COLUMNS_H
#define CLI_STRIP_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* Copy a log of the temporary directory without the columns of a stem ("tau"). */
static inline void strip_columns(const char *to, const char *from, const char *stem) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", temp_directory(), from);
  char *text = read_text(path, NULL), *save = NULL;
  FILE *out = fopen(temp_file(to, NULL), "w");
  assert_non_null(out);
  bool kept[64] = {0};
  int row = 0;
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), row++) {
    int column = 0;
    bool first = true;
    char *inner = NULL;
    for (char *cell = strtok_r(line, ",", &inner); cell; cell = strtok_r(NULL, ",", &inner)) {
      const size_t letters = strspn(cell, "abcdefghijklmnopqrstuvwxyz");
      if (row == 0) kept[column] = letters != strlen(stem) || strncmp(cell, stem, letters) != 0;
      if (kept[column]) fprintf(out, "%s%s", first ? "" : ",", cell);
      first = first && !kept[column];
      column++;
    }
    fputc('\n', out);
  }
  fclose(out);
  free(text);
}

#endif
