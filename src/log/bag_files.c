#include "log/bag_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "document/document.h"

#include "base/support.h"
#include "log/table.h"

#define MOST_FILES 10000

bool folder_has(const char *path, const char *ending) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) return false;
  DIR *folder = opendir(path);
  bool found = false;
  for (struct dirent *e; folder && !found && (e = readdir(folder));)
    found = name_ends_with(e->d_name, ending);
  if (folder) closedir(folder);
  return found;
}

/* bag_2.db3 comes before bag_10.db3 */
static int by_number(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  while (*x && *y) {
    if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
      while (*x == '0' && isdigit((unsigned char)x[1])) x++;
      while (*y == '0' && isdigit((unsigned char)y[1])) y++;
      const size_t n = strspn(x, "0123456789"), m = strspn(y, "0123456789");
      if (n != m) return n < m ? -1 : 1;
      const int order = strncmp(x, y, n);
      if (order) return order;
      x += n;
      y += m;
    } else if (*x != *y) {
      return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
    } else {
      x++;
      y++;
    }
  }
  return (*x != 0) - (*y != 0);
}

static rbv_status add_file(char ***out, int *count, const char *path, const char *name) {
  if (*count == MOST_FILES) return rbv_fail(RBV_EINPUT, "%s: more than %d files", path, MOST_FILES);
  char **more =
      rbv_realloc(*out, sizeof *more * (size_t)*count, sizeof *more * (size_t)(*count + 1));
  if (!more) return RBV_EMEM;
  *out = more;
  rbv_text text = {0};
  rbv_text_print(&text, "%s/%s", path, name);
  if (text.failed) return RBV_EMEM;
  more[(*count)++] = text.data;
  return RBV_OK;
}

static void free_files(char ***files, int *count) {
  names_free(*files, *count);
  *files = NULL;
  *count = 0;
}

/* The list relative_file_paths of metadata.yaml; nothing is taken if one of them is missing. */
static rbv_status read_metadata(char ***out, int *count, const char *path) {
  rbv_text name = {0};
  rbv_text_print(&name, "%s/metadata.yaml", path);
  if (name.failed) return RBV_EMEM;
  rbv_document *doc = NULL;
  struct stat info;
  rbv_status status = RBV_OK;
  if (stat(name.data, &info) == 0 && info.st_size < 1 << 24 &&
      rbv_document_load(&doc, name.data) == RBV_OK) {
    const rbv_node *top = rbv_node_find(rbv_document_root(doc), "rosbag2_bagfile_information");
    const rbv_node *files = top ? rbv_node_find(top, "relative_file_paths") : NULL;
    const int n = files && rbv_node_get_kind(files) == RBV_NODE_LIST ? rbv_node_count(files) : 0;
    bool all = n > 0;
    for (int i = 0; i < n && status == RBV_OK; i++) {
      const char *file;
      if (rbv_node_string(&file, rbv_node_at(files, i)) != RBV_OK) {
        all = false;
        break;
      }
      status = add_file(out, count, path, file);
      all &= status == RBV_OK && stat((*out)[*count - 1], &info) == 0;
    }
    if (!all) free_files(out, count);
  }
  rbv_document_free(doc);
  rbv_text_free(&name);
  return status;
}

static rbv_status list_folder(char ***out, int *count, const char *path) {
  static const char *const endings[] = {".db3", ".mcap"};
  DIR *folder = opendir(path);
  if (!folder) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  rbv_status status = RBV_OK;
  bool compressed = false;
  for (struct dirent *e; status == RBV_OK && (e = readdir(folder));) {
    for (int i = 0; i < RBV_COUNT(endings) && status == RBV_OK; i++)
      if (name_ends_with(e->d_name, endings[i])) status = add_file(out, count, path, e->d_name);
    compressed |= name_ends_with(e->d_name, ".db3.zstd") || name_ends_with(e->d_name, ".mcap.zstd");
  }
  closedir(folder);
  if (status != RBV_OK) return status;
  if (*count == 0)
    return compressed ? rbv_fail(RBV_EINPUT,
                                 "%s: the files of the bag are compressed: unpack them first "
                                 "(zstd -d %s/*.zstd)",
                                 path, path)
                      : rbv_fail(RBV_EINPUT, "%s: the folder has no files .db3 or .mcap", path);
  qsort(*out, (size_t)*count, sizeof **out, by_number);
  return RBV_OK;
}

rbv_status bag_files(char ***out, int *count, const char *path) {
  *out = NULL;
  *count = 0;
  rbv_status status = read_metadata(out, count, path);
  if (status == RBV_OK && *count == 0) status = list_folder(out, count, path);
  if (status != RBV_OK) free_files(out, count);
  return status;
}
