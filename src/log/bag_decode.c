#include "log/bag_decode.h"

#include <string.h>

#include "base/support.h"

#define LARGEST_MESSAGE ((size_t)64 << 20)
#define ZSTD_MAGIC "\x28\xB5\x2F\xFD"

/* ---- one message ---- */

rbv_status bag_type_find(bool *known, bag_type *out, const bag_topic *t) {
  *known = false;
  *out = (bag_type){{NULL}};
  if (strcmp(t->encoding, "cdr") != 0) return RBV_OK;
  if (t->definition) {
    const rbv_status status =
        cdr_type_parse(&out->variant[0], t->type, t->definition, strlen(t->definition));
    // a definition that is not understood: perhaps it is a type that we know
    if (status == RBV_EMEM) return status;
  }
  for (int i = 0; i < BAG_VARIANTS && !(t->definition && out->variant[0]); i++)
    RBV_TRY(cdr_type_built_in(&out->variant[i], t->type, i));
  *known = out->variant[0] != NULL;
  return RBV_OK;
}

void bag_type_free(bag_type *type) {
  for (int i = 0; i < BAG_VARIANTS; i++) cdr_type_free(type->variant[i]);
  *type = (bag_type){{NULL}};
}

rbv_status bag_unpack(bag_message *m, unpacked *u, const char *path) {
  if (m->size < 4 || memcmp(m->data, ZSTD_MAGIC, 4) != 0) return RBV_OK;
  u->size = 0;
  RBV_TRY(unpack(u, PACKED_ZSTD, path, m->data, m->size, LARGEST_MESSAGE));
  m->data = u->data;
  m->size = u->size;
  return RBV_OK;
}

rbv_status bag_layout(cdr_layout **out, const bag_type *type, const bag_message *m) {
  rbv_status status = RBV_OK;
  for (int i = 0; i < BAG_VARIANTS && type->variant[i]; i++) {
    status = cdr_layout_new(out, type->variant[i], m->data, m->size);
    if (status != RBV_EINPUT) return status;
  }
  return status;
}

rbv_status bag_in_topic(rbv_status status, const bag *b, int topic) {
  if (status == RBV_OK || status == RBV_EMEM) return status;
  char *sentence = rbv_strdup(rbv_message());
  if (!sentence) return RBV_EMEM;
  status = rbv_fail(status, "%s: topic %.100s: %s", b->path, b->topics[topic].name, sentence);
  rbv_free(sentence);
  return status;
}

/* ---- columns ---- */

static void free_shape(bag_shape *s) {
  cdr_layout_free(s->layout);
  rbv_free(s->field);
  *s = (bag_shape){0};
}

void bag_decoder_free(bag_decoder *d) {
  for (int i = 0; i < BAG_SHAPES; i++) free_shape(&d->shapes[i]);
  bag_type_free(&d->type);
  unpacked_free(&d->unpacked);
  rbv_free(d->field);
  *d = (bag_decoder){0};
}

rbv_status bag_decoder_make(bag_decoder *d, const bag *b, int topic, const char *const *columns,
                            int ncol) {
  *d = (bag_decoder){.b = b, .topic = topic, .ncol = ncol, .receive = -1};
  d->field = rbv_alloc(sizeof *d->field * (size_t)(ncol + 1));
  if (!d->field) return RBV_EMEM;
  const size_t n = strlen(b->topics[topic].name) + 1;
  for (int j = 0; j < ncol; j++) {
    const bool receive = strcmp(columns[j], BAG_RECEIVE) == 0;
    d->field[j] = receive ? NULL : columns[j] + n;
    if (receive) d->receive = j;
  }
  bool known;
  RBV_TRY(bag_type_find(&known, &d->type, &b->topics[topic]));
  if (known) return RBV_OK;
  return rbv_fail(RBV_EINPUT,
                  "%s: topic %.100s: the bag has no definition of its type %.100s in ros2msg, or "
                  "its messages are not in CDR",
                  b->path, b->topics[topic].name, b->topics[topic].type);
}

/* Find the columns in a layout. */
static rbv_status fill_shape(bag_shape *s, const bag_decoder *d, const bag_message *m) {
  RBV_TRY(bag_layout(&s->layout, &d->type, m));
  s->field = rbv_alloc(sizeof *s->field * (size_t)(d->ncol + 1));
  if (!s->field) return RBV_EMEM;
  const int n = cdr_layout_count(s->layout);
  s->stamp = s->stamp_field = -1;
  for (int i = 0; i < n; i++) {
    const cdr_field *f = cdr_layout_field(s->layout, i);
    if (f->kind == CDR_TIME && strcmp(f->name, BAG_STAMP) == 0) s->stamp_field = i;
  }
  for (int j = 0; j < d->ncol; j++) {
    s->field[j] = -1;
    for (int i = 0; d->field[j] && i < n && s->field[j] < 0; i++)
      if (strcmp(cdr_layout_field(s->layout, i)->name, d->field[j]) == 0) s->field[j] = i;
    if (s->field[j] < 0) continue;
    if (strcmp(d->field[j], BAG_STAMP) != 0) {
      s->found++;
    } else if (s->field[j] == s->stamp_field) {
      s->stamp = j;
      s->field[j] = -1;  // it is computed from the origin
    }
  }
  return RBV_OK;
}

static rbv_status find_shape(const bag_shape **out, bag_decoder *d, const bag_message *m) {
  for (int i = 0; i < BAG_SHAPES; i++) {
    const int k = (d->newest + i) % BAG_SHAPES;
    const bag_shape *s = &d->shapes[k];
    if (!s->layout || !cdr_layout_fits(s->layout, m->data, m->size)) continue;
    d->newest = k;
    *out = s;
    return RBV_OK;
  }
  d->newest = (d->newest + BAG_SHAPES - 1) % BAG_SHAPES;
  bag_shape *s = &d->shapes[d->newest];
  free_shape(s);
  const rbv_status status = fill_shape(s, d, m);
  if (status != RBV_OK) free_shape(s);
  *out = s;
  return status;
}

rbv_status bag_decode(bool *row, double *out, ptrdiff_t ld, bag_decoder *d, bag_message *m,
                      bag_origin *o) {
  const bag_shape *s = NULL;
  *row = false;
  RBV_TRY(bag_unpack(m, &d->unpacked, d->b->path));
  RBV_TRY(bag_in_topic(find_shape(&s, d, m), d->b, d->topic));
  if (s->found == 0) return RBV_OK;
  *row = true;
  const cdr_field *stamp = s->stamp_field >= 0 ? cdr_layout_field(s->layout, s->stamp_field) : NULL;
  if (!o->known) {
    *o = (bag_origin){.known = true, .receive = m->time};
    if (stamp) o->stamp = cdr_time(s->layout, stamp, m->data);
  }
  cdr_read(out, ld, s->layout, s->field, d->ncol, m->data);
  // times are differences of whole nanoseconds
  if (s->stamp >= 0)
    out[s->stamp * ld] = (double)(cdr_time(s->layout, stamp, m->data) - o->stamp) / 1e9;
  if (d->receive >= 0)
    out[d->receive * ld] = (double)(int64_t)((uint64_t)m->time - (uint64_t)o->receive) / 1e9;
  return RBV_OK;
}
