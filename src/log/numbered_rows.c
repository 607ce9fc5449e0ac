#include "log/numbered_rows.h"

#include "base/support.h"

static size_t row_bytes(const rows *r) { return sizeof(double) * (size_t)r->ncol; }

size_t numbered_size(const rows *r) {
  return row_bytes(r) * (size_t)((const numbered_rows *)r)->samples;
}

row_place numbered_tell(const rows *r) {
  const numbered_rows *m = (const numbered_rows *)r;
  return (row_place){row_bytes(r) * (size_t)m->next, 0, m->next - m->base};
}

rbv_status numbered_seek(rows *r, const row_place *place) {
  numbered_rows *m = (numbered_rows *)r;
  m->next = place->row;
  m->end = m->samples;
  m->base = 0;
  return RBV_OK;
}

rbv_status numbered_seek_stretch(rows *r, size_t after, size_t last) {
  numbered_rows *m = (numbered_rows *)r;
  const size_t end = last / row_bytes(r) + 1;
  m->next = m->base = after == 0 ? 0 : (ptrdiff_t)(after / row_bytes(r)) + 1;
  m->end = end < (size_t)m->samples ? (ptrdiff_t)end : m->samples;
  return RBV_OK;
}

rbv_status table_from_rows(table *t, rows *r) {
  const ptrdiff_t n = ((const numbered_rows *)r)->samples;
  *t = (table){.ncol = r->ncol, .ld = table_stride(n)};
  t->values = rbv_alloc(sizeof *t->values * (size_t)t->ld * (size_t)t->ncol);
  rbv_status status = t->values ? rows_read(&t->rows, r, t->values, n, t->ld) : RBV_EMEM;
  if (status == RBV_OK && r->names) status = names_copy(&t->names, r->names, r->ncol);
  rows_close(r);
  if (status != RBV_OK) table_free(t);
  return status;
}
