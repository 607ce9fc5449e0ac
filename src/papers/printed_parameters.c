#include "papers/printed_parameters.h"

#include <ctype.h>
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/linalg.h>
#include <string.h>

#define STATES 100  // random states for a base

/* ---- frames ---- */

rbv_pose rbv_printed_frame(int quarters, double x, double z) {
  static const double sine[5] = {0, 1, 0, -1, 0};
  const int k = (quarters + 4) % 4;
  const double s = sine[k], c = sine[k + 1];
  return (rbv_pose){.R = {1, 0, 0, 0, c, -s, 0, s, c}, .p = {x, 0, z}};
}

static int first_column(const rbv_model *m, int link) {
  int c = 0;
  while (rbv_model_column(m, c)->joint != link || rbv_model_column(m, c)->component != 0) c++;
  return c;
}

/* x' = R'(x - p) */
static rbv_pose inverse_of(const rbv_pose *pose) {
  rbv_pose inverse = {.p = {0}};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      inverse.R[3 * r + c] = pose->R[3 * c + r];
      inverse.p[r] -= pose->R[3 * c + r] * pose->p[c];
    }
  return inverse;
}

static void turn(double *out, const double *in, const rbv_model *m, const printed_frames *f,
                 bool back) {
  if (out != in) memcpy(out, in, (size_t)rbv_model_column_count(m) * sizeof *out);
  for (int j = 0; j < rbv_model_joint_count(m); j++) {
    const rbv_pose pose = back ? inverse_of(&f->link[j]) : f->link[j];
    double link[RBV_INERTIAL];
    rbv_inertial_transform(link, out + first_column(m, j), &pose);
    memcpy(out + first_column(m, j), link, sizeof link);
  }
}

void rbv_printed_to_model(double *ours, const double *theirs, const rbv_model *m,
                          const printed_frames *f) {
  turn(ours, theirs, m, f, false);
}

void rbv_printed_from_model(double *theirs, const double *ours, const rbv_model *m,
                            const printed_frames *f) {
  turn(theirs, ours, m, f, true);
}

/* ---- base parameters in the frames of a table ---- */

/* triangular factor of the regressor for random states */
static rbv_status triangle(double *R, const rbv_model *m) {
  const int n = rbv_model_joint_count(m), nc = rbv_model_column_count(m);
  double x[3 * PRINTED_JOINTS];
  rbv_dynamics *d = NULL;
  rbv_qr *qr = NULL;
  double *W = rbv_alloc((size_t)(rbv_model_row_count(m) * nc) * sizeof *W);
  rbv_status status = W ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_qr_new(&qr, nc);
  for (uint64_t k = 0; k < STATES && status == RBV_OK; k++) {
    for (int i = 0; i < 3 * n; i++) x[i] = 6 * rbv_random_uniform(12, (uint64_t)i, k) - 3;
    rbv_regressor_eval(W, d, x, x + n, x + 2 * n, false);
    status = rbv_qr_add(qr, W, rbv_model_row_count(m), rbv_model_row_count(m));
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  rbv_dynamics_free(d);
  rbv_free(W);
  return status;
}

/* phi = T phi_table, so the columns become W T; then in the order of the table */
static void change_columns(double *out, int *from, double *R, const rbv_model *m,
                           const printed_frames *f) {
  const int nc = rbv_model_column_count(m);
  for (int j = 0; j < rbv_model_joint_count(m); j++) {
    double T[RBV_INERTIAL * RBV_INERTIAL];
    rbv_inertial_matrix(T, &f->link[j]);
    double *link = R + (ptrdiff_t)first_column(m, j) * nc;
    for (int r = 0; r < nc; r++) {
      double row[RBV_INERTIAL] = {0};
      for (int k = 0; k < RBV_INERTIAL; k++)
        for (int i = 0; i < RBV_INERTIAL; i++) row[k] += link[r + i * nc] * T[i + RBV_INERTIAL * k];
      for (int k = 0; k < RBV_INERTIAL; k++) link[r + k * nc] = row[k];
    }
  }
  for (int c = 0; c < nc; c++) {
    const int k = rbv_model_column(m, c)->component;
    from[c] = k < 0 || !f->order ? c : c - k + f->order[k];
    memcpy(out + (ptrdiff_t)c * nc, R + (ptrdiff_t)from[c] * nc, (size_t)nc * sizeof *R);
  }
}

rbv_status rbv_printed_base(rbv_base **out, int *from, const rbv_model *m,
                            const printed_frames *frames, rbv_columns columns) {
  *out = NULL;
  const size_t nc = (size_t)rbv_model_column_count(m);
  if (rbv_model_joint_count(m) != PRINTED_JOINTS)
    return rbv_fail(RBV_EDIM, "the printed tables are of robots with %d joints", PRINTED_JOINTS);
  RBV_NEW(double, R, 2 * nc * nc);
  rbv_base_options o = rbv_base_defaults();
  o.columns = columns;
  rbv_status status = triangle(R, m);
  if (status == RBV_OK) {
    change_columns(R + nc * nc, from, R, m, frames);
    status = rbv_base_of_motion(out, m, R + nc * nc, &o);
  }
  rbv_free(R);
  return status;
}

/* ---- numbers and relations ---- */

void rbv_printed_number(double *value, double *rounding, const char *text) {
  const char *point = strchr(text, '.');
  if (!rbv_real_parse(value, text)) *value = NAN;
  *rounding = point ? 0.5 * pow(10, -(double)strlen(point + 1)) : 0.5;
}

typedef struct {
  double factor, rounding;
  int column;  // of the model, -1: no such name
} term;

/* read the next term and advance the text; false: end of the text */
static bool next_term(term *out, const char **text, const rbv_model *m) {
  const char *s = *text;
  double sign = 1;
  for (; *s == ' ' || *s == '+' || *s == '-'; s++)
    if (*s == '-') sign = -sign;
  if (*s == 0) return false;
  char word[32];
  size_t n = strcspn(s, " ");
  out->factor = 1;
  out->rounding = 1e-12;  // one is exact
  if (isdigit((unsigned char)*s) && n < sizeof word) {
    memcpy(word, s, n);
    word[n] = 0;
    rbv_printed_number(&out->factor, &out->rounding, word);
    out->rounding += 1e-12;
    s += n + strspn(s + n, " ");
    n = strcspn(s, " ");
  }
  if (n >= sizeof word) return false;
  memcpy(word, s, n);
  word[n] = 0;
  out->factor *= sign;
  out->column = rbv_model_find(m, word);
  *text = s + n;
  return true;
}

int rbv_printed_find(const rbv_base *b, const int *from, const rbv_model *m,
                     const printed_relation *relation) {
  const char *text = relation->text;
  term first;
  if (!next_term(&first, &text, m)) return -1;
  for (int k = 0; k < b->count; k++)
    if ((from ? from[b->kept[k]] : b->kept[k]) == first.column) return k;
  return -1;
}

rbv_status rbv_printed_match(int *terms, int *matching, const rbv_base *b, const int *from,
                             const rbv_model *m, const printed_relation *relation) {
  *terms = *matching = 0;
  const int row = rbv_printed_find(b, from, m, relation);
  const char *text = relation->text;
  RBV_NEW(bool, printed, b->ncolumn);
  term t;
  while (next_term(&t, &text, m)) {
    (*terms)++;
    for (int c = 0; c < b->ncolumn && row >= 0; c++) {
      if ((from ? from[c] : c) != t.column) continue;
      printed[c] = true;
      *matching += fabs(b->relation[row + c * b->count] - t.factor) <= t.rounding;
    }
  }
  for (int c = 0; c < b->ncolumn && row >= 0; c++)
    *matching -= !printed[c] && b->relation[row + c * b->count] != 0;
  if (row < 0) *matching = -1;
  rbv_free(printed);
  return RBV_OK;
}

rbv_status rbv_printed_compare(rbv_reproduction *r, const char *where, const rbv_base *b,
                               const int *from, const rbv_model *m,
                               const printed_relation *relation) {
  int terms, matching;
  RBV_TRY(rbv_printed_match(&terms, &matching, b, from, m, relation));
  const rbv_reproduced row = {.where = where,
                              .paper = terms,
                              .ours = matching,
                              .basis = "factors to half the last printed digit",
                              .why = relation->why,
                              .shown = "relations computed from the geometry of the paper",
                              .low = relation->matching,
                              .high = relation->matching};
  const int name = (int)strcspn(relation->text, " ");
  return rbv_reproduction_add(r, &row, "terms of %.*s + ... that agree", name, relation->text);
}

/* ---- estimates ---- */

/* values are linear in the estimates: transform each estimate separately */
rbv_status rbv_printed_values(double *value, double *sigma, const rbv_base *table, const int *from,
                              const rbv_model *m, const printed_frames *frames,
                              const rbv_estimate *e) {
  const int nc = rbv_model_column_count(m), nb = table->count, ne = e->base->count;
  RBV_NEW(double, L, (size_t)(nb * ne) + 2 * (size_t)nc);
  double *chi = L + nb * ne, *ordered = chi + nc;
  for (int k = 0; k < ne; k++) {
    memset(chi, 0, (size_t)nc * sizeof *chi);
    chi[e->base->kept[k]] = 1;
    rbv_printed_from_model(chi, chi, m, frames);
    for (int c = 0; c < nc; c++) ordered[c] = chi[from[c]];
    rbv_base_values(L + k * nb, table, ordered);
  }
  for (int i = 0; i < nb; i++) {
    double variance = 0;
    value[i] = 0;
    for (int k = 0; k < ne; k++) {
      value[i] += L[i + k * nb] * e->value[k];
      for (int l = 0; l < ne; l++)
        variance += L[i + k * nb] * e->covariance[k + l * ne] * L[i + l * nb];
    }
    sigma[i] = sqrt(variance);
  }
  rbv_free(L);
  return RBV_OK;
}

/* ---- Villagrossi 2014, Table 2 ---- */

/*
 * Names: mc is M, Im is Ia. Row 29 has a minus before mc3z that contradicts rows 31, 33 and 36 for
 * any axes and signs of the products (the scan has similar marks in front of row 26).
 */
const printed_relation rbv_printed_villagrossi[40] = {
    {"MY2", -0.230, NULL, 0},
    {"XY2", 0.095, NULL, 0},
    {"YZ2", -0.053, NULL, 0},
    {"XY3", 0.100, NULL, 0},
    {"YZ3", -0.014, NULL, 0},
    {"Ia3", 10.480, NULL, 0},
    {"MX4", -0.001, NULL, 0},
    {"XY4", 0, NULL, 0},
    {"XZ4", 0, NULL, 0},
    {"Ia4", 0.253, NULL, 0},
    {"MX5", 0, NULL, 0},
    {"XY5", 0, NULL, 0},
    {"XZ5", 0, NULL, 0},
    {"YZ5", 0, NULL, 0},
    {"Ia5", 0.298, NULL, 0},
    {"MX6", 0.001, NULL, 0},
    {"MY6", 0, NULL, 0},
    {"XY6", 0, NULL, 0},
    {"XZ6", 0, NULL, 0},
    {"YZ6", 0, NULL, 0},
    {"ZZ6", 0.001, NULL, 0},
    {"Ia6", 0.120, NULL, 0},
    {"YY1 + Ia1 + 0.090 M2 + YY2 + 0.580 M3 + ZZ3 + 0.614 M4 + 0.614 M5 + 0.614 M6", 79.979, NULL,
     0},
    {"MX2 + 0.700 M3 + 0.700 M4 + 0.700 M5 + 0.700 M6", 65.056, NULL, 0},
    {"XX2 - YY2 - 0.490 M3 - 0.490 M4 - 0.490 M5 - 0.490 M6", -45.728, NULL, 0},
    {"XZ2 + 0.700 MY3", 2.952, NULL, 0},
    {"ZZ2 + Ia2 + 0.490 M3 + 0.490 M4 + 0.490 M5 + 0.490 M6", 71.700, NULL, 0},
    {"MX3 + 0.185 M4 + 0.185 M5 + 0.185 M6", 10.725, NULL, 0},
    {"-MZ3 + MY4 + 0.624 M5 + 0.624 M6", 12.181,
     "row 29: the minus before mc3z contradicts rows 31, 33 and 36", 3},
    {"XX3 - ZZ3 - 0.034 M4 + ZZ4 + 0.355 M5 + 0.355 M6", 2.685, NULL, 0},
    {"XZ3 - 0.185 MY4 - 0.115 M5 - 0.115 M6", -1.606,
     "row 31: its beginning is not legible; it must be I3xz - 0.185 mc4y", 4},
    {"YY3 + 0.034 M4 + ZZ4 + 0.423 M5 + 0.423 M6", 6.399,
     "row 32: 0.4236 was truncated to 0.423, not rounded", 3},
    {"MZ4 - MY5", -0.061, NULL, 0},
    {"XX4 - ZZ4 + ZZ5", 0.029, NULL, 0},
    {"YY4 + ZZ5", 0.070, NULL, 0},
    {"YZ4 + 0.624 MY5", 0.035, NULL, 0},
    {"MZ5 + MZ6", 0.190, NULL, 0},
    {"XX5 - ZZ5 + YY6", 0.017, NULL, 0},
    {"YY5 + YY6", 0.019, NULL, 0},
    {"XX6 - YY6", 0, NULL, 0},
};
const double rbv_printed_villagrossi_f0[6] = {68.035, 0.719, 108.777, 1.104, 50.446, 0.685};
const double rbv_printed_villagrossi_f1[6] = {9.248, 0.057, 8.904, 0.287, 5.148, 0.155};

/*
 * Frame of link j: origin of classical frame j-1, axes of frame j, axes 2, 3 and 5 reversed:
 * alpha of the table is 0 -90 0 -90 90 -90 degrees where ours is 0 90 0 90 -90 90.
 */
printed_frames rbv_printed_villagrossi_frames(void) {
  static const int quarters[6] = {-1, 2, 1, 1, 1, 0};
  printed_frames f = {.order = NULL};
  for (int j = 0; j < 6; j++) f.link[j] = rbv_printed_frame(quarters[j], 0, j == 3 ? -0.624 : 0);
  return f;
}

/* ---- Radkhah 2007, Table II ---- */

/* With these names the 32 are base parameters. */
const printed_value rbv_printed_radkhah[32] = {
    {"Iyy1", "YY1", 4.5870, NULL},     {"m2", "M2", 17.3190, NULL},
    {"m2 rcx2", "MX2", -6.4811, NULL}, {"m2 rcy2", "MY2", 1.5141, NULL},
    {"m2 rcz2", "MZ2", -0.7113, NULL}, {"Ixx2", "XX2", 0.2604, NULL},
    {"Iyz2", "YZ2", 1.4234, NULL},     {"m3 rcx3", "MX3", -1.1787, NULL},
    {"m3 rcz3", "MZ3", 1.4229, NULL},  {"Ixx3", "XX3", 1.5213, NULL},
    {"Iyy3", "YY3", 1.0473, NULL},     {"Ixz3", "XZ3", -1.0187, NULL},
    {"Iyz3", "YZ3", -0.2617, NULL},    {"Iyy3", "XY3", -0.9041, "YY3"},
    {"m4 rcx4", "MX4", -0.1602, NULL}, {"m4 rcy4", "MZ4", -1.2604, "MY4"},
    {"Ixx4", "XX4", 1.1344, NULL},     {"Iyy4", "YY4", 0.2872, NULL},
    {"Ixz4", "XZ4", 0.6251, NULL},     {"Iyz4", "YZ4", 0.0593, NULL},
    {"m5 rcx5", "MX5", -0.8743, NULL}, {"m5 rcz5", "MZ5", -0.2604, NULL},
    {"Iyy5", "YY5", -0.5673, NULL},    {"Ixz5", "XZ5", 0.0145, NULL},
    {"Iyz5", "YZ5", 0.7508, NULL},     {"m6 rcx6", "MX6", 0.7508, NULL},
    {"m6 rcy6", "MY6", -0.0221, NULL}, {"Ixx6", "XX6", 0.6623, NULL},
    {"Izz6", "ZZ6", 0.4579, NULL},     {"Iyy6", "XY6", 0.5240, "YY6"},
    {"Ixz6", "XZ6", 0.6552, NULL},     {"Iyz6", "YZ6", 0.3980, NULL},
};

/* columns in the order of the table: mass, first moments, then the inertia */
printed_frames rbv_printed_radkhah_frames(void) {
  static const int order[RBV_INERTIAL] = {9, 6, 7, 8, 0, 3, 5, 1, 2, 4};
  static const int quarters[6] = {1, 0, 1, -1, 1, 0};
  printed_frames f = {.order = order};
  for (int j = 0; j < 6; j++) f.link[j] = rbv_printed_frame(quarters[j], j == 1 ? 0.3048 : 0, 0);
  return f;
}
