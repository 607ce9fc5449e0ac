#include "log/parquet_dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/support.h"
#include "log/map_guess.h"

#define INFO "../../meta/info.json"

rbv_status parquet_dataset_open(parquet_dataset *d, const char *path) {
  *d = (parquet_dataset){0};
  const char *slash = strrchr(path, '/');
  rbv_text name = {0};
  rbv_text_print(&name, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, INFO);
  struct stat info;
  rbv_status status = name.failed ? RBV_EMEM : RBV_OK;
  if (status == RBV_OK && stat(name.data, &info) == 0 && S_ISREG(info.st_mode))
    status = rbv_document_load(&d->info, name.data);
  rbv_text_free(&name);
  if (status != RBV_OK || !d->info) return status;
  const rbv_node *rate = rbv_node_find(rbv_document_root(d->info), "fps");
  if (rate && (rbv_node_real(&d->rate_hz, rate) != RBV_OK || !(d->rate_hz > 0))) d->rate_hz = 0;
  return RBV_OK;
}

void parquet_dataset_close(parquet_dataset *d) { rbv_document_free(d->info); }

/* The label of a number; NULL: it has none. */
static const char *label_of(const parquet_dataset *d, const char *column, size_t i, size_t n) {
  const rbv_node *of = d->info ? rbv_node_find(rbv_document_root(d->info), "features") : NULL;
  of = of ? rbv_node_find(of, column) : NULL;
  of = of ? rbv_node_find(of, "names") : NULL;
  // a list, or one list by name: {motors: [...]}
  if (of && rbv_node_get_kind(of) == RBV_NODE_MAP && rbv_node_count(of) == 1)
    of = rbv_node_at(of, 0);
  if (!of || rbv_node_get_kind(of) != RBV_NODE_LIST || (size_t)rbv_node_count(of) != n) return NULL;
  const char *label;
  return rbv_node_string(&label, rbv_node_at(of, (int)i)) == RBV_OK ? label : NULL;
}

static bool is_quantity(const char *word) {
  meaning m;
  meaning_of(&m, word, NULL);
  return m.of != QUANTITY_NONE;
}

void parquet_dataset_name(char *text, size_t size, const parquet_dataset *d, const char *column,
                          size_t i, size_t n) {
  const char *label = label_of(d, column, i, n), *dot = label ? strrchr(label, '.') : NULL;
  const bool motion = strcmp(column, "observation.state") == 0 || strcmp(column, "action") == 0;
  if (dot && is_quantity(dot + 1)) {
    snprintf(text, size, "%s.%.60s[%.*s]", column, dot + 1, (int)(dot - label), label);
    return;
  }
  const char *means = motion ? ".position" : "";
  if (label)
    snprintf(text, size, "%s%s[%s]", column, means, label);
  else if (motion)
    snprintf(text, size, "%s%s[%zu]", column, means, i);
  else
    table_part_name(text, size, column, i, n);
}
