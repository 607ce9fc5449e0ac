/* Write a result, by the table of its fields. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "document/document.h"
#include "result/result_fields.h"

static void write_settings(rbv_json *j, const rbv_setting *setting, int n) {
  rbv_json_map(j);
  for (int i = 0; i < n; i++) {
    const rbv_setting *s = &setting[i];
    if (s->text)
      rbv_json_put_string(j, s->key, s->text);
    else if (s->flag)
      rbv_json_put_bool(j, s->key, s->number != 0);
    else
      rbv_json_put_real(j, s->key, s->number);
  }
  rbv_json_end(j);
}

/* five digits are more than enough for an uncertainty */
static double rounded(double x) {
  char text[32];
  if (!isfinite(x) || x == 0) return x;
  snprintf(text, sizeof text, "%.4e", x);
  return strtod(text, NULL);
}

/* one list per parameter: its change if a part of the data is left out */
static void write_parts(rbv_json *j, const rbv_result *r) {
  const rbv_jackknife *b = &r->jackknife;
  rbv_json_list(j);
  for (int k = 0; k < r->estimate.count; k++) {
    rbv_json_flat_list(j);
    for (int i = 0; i < b->nblock + b->nrecording && isfinite(r->estimate.item[k].sigma); i++)
      rbv_json_real(j, rounded(b->deviation[k + (ptrdiff_t)i * r->estimate.count]));
    rbv_json_end(j);
  }
  rbv_json_end(j);
}

/* a list on one line */
static void write_flat(rbv_json *j, const rbv_field *f, const field_place *p) {
  const int n = *(const int *)(const void *)((const char *)p->result + f->count);
  const void *array = rbv_field_pointer(p->record + f->at);
  rbv_json_flat_list(j);
  for (int i = 0; i < n; i++)
    if (f->kind == FIELD_REALS)
      rbv_json_real(j, ((const double *)array)[i]);
    else
      rbv_json_string(j, ((const char *const *)array)[i]);
  rbv_json_end(j);
}

static void write_rows(rbv_json *j, const rbv_field *f, const rbv_fit *fit) {
  rbv_json_flat_list(j);
  for (int i = 0; i < fit->nrow; i++) {
    const void *member = (const char *)&fit->row[i] + f->at;
    if (f->row == FIELD_FLAG)
      rbv_json_bool(j, *(const bool *)member);
    else
      rbv_json_real(j, *(const double *)member);
  }
  rbv_json_end(j);
}

static void write_fields(rbv_json *j, const rbv_field *table, const field_place *p);

static void write_list(rbv_json *j, const rbv_field *f, const field_place *p) {
  rbv_json_list(j);
  for (int i = 0; i < *rbv_field_count(f, p); i++) {
    const field_place element = rbv_field_element(f, p, i);
    rbv_json_map(j);
    write_fields(j, f->fields, &element);
    rbv_json_end(j);
  }
  rbv_json_end(j);
}

static void write_three(rbv_json *j, const double *x) {
  rbv_json_list(j);
  for (int i = 0; i < 3; i++) rbv_json_real(j, x[i]);
  rbv_json_end(j);
}

static void write_map(rbv_json *j, const rbv_field *f, const field_place *p) {
  const field_place inner = rbv_field_map(f, p);
  rbv_json_map(j);
  write_fields(j, f->fields, &inner);
  rbv_json_end(j);
}

static void write_value(rbv_json *j, const rbv_field *f, const field_place *p) {
  const void *member = rbv_field_member(f, p);
  switch (f->kind) {
    case FIELD_TEXT: rbv_json_string(j, rbv_field_pointer(member)); break;
    case FIELD_REAL:
    case FIELD_SIGMA: rbv_json_real(j, *(const double *)member); break;
    case FIELD_INT: rbv_json_int(j, *(const int *)member); break;
    case FIELD_COUNT: rbv_json_int(j, *(const ptrdiff_t *)member); break;
    case FIELD_FLAG: rbv_json_bool(j, *(const bool *)member); break;
    case FIELD_WORD: rbv_json_string(j, f->word(p, *(const int *)member)); break;
    case FIELD_THREE: write_three(j, member); break;
    case FIELD_MAP: write_map(j, f, p); break;
    case FIELD_LIST: write_list(j, f, p); break;
    case FIELD_REALS:
    case FIELD_TEXTS: write_flat(j, f, p); break;
    case FIELD_ROWS: write_rows(j, f, &p->result->fit); break;
    case FIELD_SETTINGS:
      write_settings(j, rbv_field_pointer(member), *rbv_field_count(f, p));
      break;
    case FIELD_PARTS: write_parts(j, p->result); break;
    case FIELD_DERIVED: break;
  }
}

static void write_fields(rbv_json *j, const rbv_field *table, const field_place *p) {
  for (const rbv_field *f = table; !FIELD_IS_END(f); f++) {
    if (f->kind == FIELD_DERIVED) {
      f->put(j, f->key, p);
    } else if (rbv_field_exists(f, table, p)) {
      rbv_json_key(j, f->key);
      write_value(j, f, p);
      if (f->reason && !isfinite(*(const double *)rbv_field_member(f, p)))
        rbv_json_put_string(j, "reason", f->reason);
    }
  }
}

void rbv_judgement_put(rbv_json *j, const rbv_judgement *judgement) {
  const rbv_result r = {.verdict = *judgement};
  const field_place p = rbv_field_root(&r);
  for (const rbv_field *f = rbv_result_fields; !FIELD_IS_END(f); f++) {
    if (strcmp(f->key, "verdict") != 0) continue;
    rbv_json_key(j, f->key);
    write_map(j, f, &p);
  }
}

rbv_status rbv_result_write(char **text, size_t *size, const rbv_result *r) {
  if (!text || !size || !r) return rbv_fail(RBV_EARG, "result, text and size must not be NULL");
  *text = NULL;
  rbv_json *j;
  RBV_TRY(rbv_json_new(&j));
  rbv_json_map(j);
  rbv_json_put_string(j, "schema", "roberval.result/1");
  rbv_json_put_string(j, "version", r->version ? r->version : rbv_version());
  const field_place place = rbv_field_root(r);
  write_fields(j, rbv_result_fields, &place);
  rbv_json_end(j);
  const char *finished;
  rbv_status status = rbv_json_finish(&finished, size, j);
  if (status == RBV_OK) {
    *text = rbv_strndup(finished, *size);
    if (!*text) status = RBV_EMEM;
  }
  rbv_json_free(j);
  return status;
}

void rbv_text_release(char *text) { rbv_free(text); }
