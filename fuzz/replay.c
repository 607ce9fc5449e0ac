/* replay PATH...: run saved fuzz inputs (files, or all files of a directory). */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "fuzz.h"

static int count;

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
  if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fclose(file);
  fprintf(stderr, "%s\n", path);
  LLVMFuzzerTestOneInput(data, (size_t)size);
  free(data);
  count++;
}

static void run_directory(const char *path) {
  DIR *directory = opendir(path);
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] != '.') run_file(name);
  }
  if (directory) closedir(directory);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct stat info;
    if (stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode))
      run_directory(argv[i]);
    else
      run_file(argv[i]);
  }
  printf("%d inputs\n", count);
  return count > 0 ? 0 : 1;
}
