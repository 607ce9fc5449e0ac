/* From a draft to the model: columns and what they do, the pattern of the rows, a-priori values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model_draft.h"

/* ---- the catalogue of drive columns: a friction form is a row here ---- */

struct drive_kind {
  const char *name;
  rbv_side side;
  rbv_basis basis;
  bool split;  // names one side of the torque sensor: the model then lists its columns by block
  const char *unit[2];  // revolute, prismatic
};

#define N_M \
  { "N m", "N" }
#define N_M_S \
  { "N m s/rad", "N s/m" }

static const struct drive_kind catalogue[] = {
    {"Ia", RBV_SIDE_MOTOR, RBV_BASIS_ACCELERATION, false, {"kg m^2", "kg"}},
    {"Fv", RBV_SIDE_LINK, RBV_BASIS_VELOCITY, false, N_M_S},
    {"Fc", RBV_SIDE_LINK, RBV_BASIS_SIGN, false, N_M},
    {"off", RBV_SIDE_LINK, RBV_BASIS_ONE, false, N_M},
    {"Fcp", RBV_SIDE_LINK, RBV_BASIS_SIGN_UP, false, N_M},
    {"Fcn", RBV_SIDE_LINK, RBV_BASIS_SIGN_DOWN, false, N_M},
    {"Fsq", RBV_SIDE_LINK, RBV_BASIS_SQUARE, false, {"N m s^2/rad^2", "N s^2/m^2"}},
    {"Fcu", RBV_SIDE_LINK, RBV_BASIS_CUBE, false, {"N m s^3/rad^3", "N s^3/m^3"}},
    {"Fs", RBV_SIDE_LINK, RBV_BASIS_STRIBECK, false, N_M},
    {"Fvm", RBV_SIDE_MOTOR, RBV_BASIS_VELOCITY, true, N_M_S},
    {"Fcm", RBV_SIDE_MOTOR, RBV_BASIS_SIGN, true, N_M},
    {"offm", RBV_SIDE_MOTOR, RBV_BASIS_ONE, true, N_M},
    {"Fvl", RBV_SIDE_LINK, RBV_BASIS_VELOCITY, true, N_M_S},
    {"Fcl", RBV_SIDE_LINK, RBV_BASIS_SIGN, true, N_M},
    {"offl", RBV_SIDE_LINK, RBV_BASIS_ONE, true, N_M},
};

/* what a motor that moves several joints adds; they belong to the motor */
static const struct drive_kind coupling_viscous = {"fvm", RBV_SIDE_MOTOR, RBV_BASIS_VELOCITY, false,
                                                   N_M_S};
static const struct drive_kind coupling_coulomb = {"fcm", RBV_SIDE_MOTOR, RBV_BASIS_SIGN, false,
                                                   N_M};

static const struct {
  const char *name, *unit;
} inertial_kind[RBV_INERTIAL] = {
    {"XX", "kg m^2"}, {"XY", "kg m^2"}, {"XZ", "kg m^2"}, {"YY", "kg m^2"}, {"YZ", "kg m^2"},
    {"ZZ", "kg m^2"}, {"MX", "kg m"},   {"MY", "kg m"},   {"MZ", "kg m"},   {"M", "kg"}};

const char *rbv_drive_kind_name(int i) {
  return i < RBV_COUNT(catalogue) ? catalogue[i].name : NULL;
}

bool rbv_draft_add_drive(draft_joint *joint, const char *kind) {
  for (int i = 0; i < RBV_COUNT(catalogue); i++)
    if (strcmp(catalogue[i].name, kind) == 0 && joint->ndrive < DRIVE_MAX) {
      joint->drive[joint->ndrive++] = &catalogue[i];
      return true;
    }
  return false;
}

void rbv_draft_default_drive(draft_joint *joint) {
  const char *const standard[] = {"Ia", "Fv", "Fc", "off"};
  joint->ndrive = 0;
  for (int i = 0; i < RBV_COUNT(standard); i++) (void)rbv_draft_add_drive(joint, standard[i]);
}

static bool has_drive(const draft_joint *joint, const char *kind) {
  for (int k = 0; k < joint->ndrive; k++)
    if (strcmp(joint->drive[k]->name, kind) == 0) return true;
  return false;
}

/* with a speed for the Stribeck law, joints with Coulomb friction have it */
static rbv_status add_stribeck(rbv_draft *d) {
  if (d->options->stribeck > 0) d->stribeck = d->options->stribeck;
  for (int j = 0; j < d->njoint; j++) {
    draft_joint *joint = &d->joint[j];
    if (has_drive(joint, "Fs") && !(d->stribeck > 0))
      return rbv_fail(RBV_EINPUT,
                      "%s: joint '%s' has Fs, whose speed is not given: friction: {stribeck: 0.1}",
                      d->file, joint->name);
    if (d->stribeck > 0 && has_drive(joint, "Fc") && !has_drive(joint, "Fs"))
      (void)rbv_draft_add_drive(joint, "Fs");
  }
  return RBV_OK;
}

/* ---- adding columns; run once to count, once to fill, like an arena ---- */

typedef struct {
  rbv_model *m;  // arrays NULL while counting
  const rbv_draft *draft;
  int ncolumn, nterm, ndirection;
  size_t text;  // bytes of names
  char *names;
} builder;

static int add_column(builder *b, const char *prefix, const char *suffix, const char *unit,
                      rbv_basis basis, rbv_side side, int joint, int component) {
  const size_t length = strlen(prefix) + strlen(suffix) + 1;
  if (b->m->column) {
    char *name = b->names + b->text;
    snprintf(name, length, "%s%s", prefix, suffix);
    b->m->column[b->ncolumn] = (rbv_column){name, unit, basis, side, joint, component};
  }
  b->text += length;
  return b->ncolumn++;
}

/* direction: weights over the joints, entries that are zero left out; skip < 0: none left out */
static void add_term(builder *b, int column, int row, double gain, rbv_basis basis,
                     const double *weight, int skip) {
  const int n = b->draft->njoint, first = b->ndirection;
  for (int k = 0; k < n; k++) {
    if (weight[k] == 0 || k == skip) continue;
    if (b->m->direction_joint) {
      b->m->direction_joint[b->ndirection] = k;
      b->m->direction_weight[b->ndirection] = weight[k];
    }
    b->ndirection++;
  }
  if (b->m->term)
    b->m->term[b->nterm] = (drive_term){column, row, gain, basis, first, b->ndirection - first, -1};
  b->nterm++;
}

static void joint_suffix(char out[16], int joint) { snprintf(out, 16, "%d", joint + 1); }

static void add_inertial(builder *b, int link, const char *suffix) {
  if (b->m->link_column) b->m->link_column[link] = b->ncolumn;
  for (int c = 0; c < RBV_INERTIAL; c++)
    add_column(b, inertial_kind[c].name, suffix, inertial_kind[c].unit, RBV_BASIS_INERTIAL,
               RBV_SIDE_LINK, link, c);
}

/* row of K of motor m in joint-side units: weights w_k = K_mk / K_mm */
static void motor_weights(double *w, const rbv_draft *d, int m) {
  const int n = d->njoint;
  for (int k = 0; k < n; k++)
    w[k] = d->transmission ? d->transmission[m + k * n] / d->transmission[m + m * n] : k == m;
}

static bool is_coupled(const double *w, int n, int m) {
  for (int k = 0; k < n; k++)
    if (k != m && w[k] != 0) return true;
  return false;
}

static void add_drive(builder *b, int j, const struct drive_kind *kind, double *w) {
  const rbv_draft *d = b->draft;
  const bool prismatic = d->joint[j].geometry.type == RBV_JOINT_PRISMATIC;
  char suffix[16];
  joint_suffix(suffix, j);
  const int c =
      add_column(b, kind->name, suffix, kind->unit[prismatic], kind->basis, kind->side, j, -1);
  if (kind->basis != RBV_BASIS_ACCELERATION) {
    memset(w, 0, (size_t)d->njoint * sizeof *w);
    w[j] = 1;
    add_term(b, c, j, 1, kind->basis, w, -1);
    return;
  }
  // the rotor turns with every joint that its motor moves; in the papers' parametrisation the part
  // that acts on another joint's own acceleration is already in that joint's Ia (Gautier 2011 eq.
  // 29)
  motor_weights(w, d, j);
  for (int i = 0; i < d->njoint; i++)
    if (w[i] != 0)
      add_term(b, c, i, w[i], kind->basis, w, d->law == COUPLING_JOINT && i != j ? i : -1);
}

static void add_coupling(builder *b, int m, double *w) {
  const rbv_draft *d = b->draft;
  motor_weights(w, d, m);
  if (!is_coupled(w, d->njoint, m)) return;
  char suffix[16];
  joint_suffix(suffix, m);
  const struct drive_kind *const kinds[2] = {&coupling_viscous, &coupling_coulomb};
  for (int k = 0; k < 2; k++) {
    const bool prismatic = d->joint[m].geometry.type == RBV_JOINT_PRISMATIC;
    const int c = add_column(b, kinds[k]->name, suffix, kinds[k]->unit[prismatic], kinds[k]->basis,
                             kinds[k]->side, m, -1);
    const bool own_left_out = k == 0 ? d->law == COUPLING_JOINT : d->printed_coulomb;
    for (int i = 0; i < d->njoint; i++)
      if (w[i] != 0) add_term(b, c, i, w[i], kinds[k]->basis, w, own_left_out ? i : -1);
  }
}

/* the file's own: its terms are laid one after another, as their expressions are */
static void add_defined(builder *b, const draft_column *d) {
  const int c = add_column(b, d->name, "", d->unit, RBV_BASIS_EXPRESSION, d->side,
                           b->draft->term[d->first].joint, -1);
  // the unit goes where the name is
  const size_t length = strlen(d->unit) + 1;
  if (b->m->column) {
    memcpy(b->names + b->text, d->unit, length);
    b->m->column[c].unit = b->names + b->text;
  }
  b->text += length;
  for (int t = d->first; t < d->first + d->count; t++, b->nterm++)
    if (b->m->term)
      b->m->term[b->nterm] = (drive_term){.column = c,
                                          .joint = b->draft->term[t].joint,
                                          .gain = 1,
                                          .basis = RBV_BASIS_EXPRESSION,
                                          .expression = t};
}

static bool is_split(const rbv_draft *d) {
  for (int j = 0; j < d->njoint; j++)
    for (int k = 0; k < d->joint[j].ndrive; k++)
      if (d->joint[j].drive[k]->split) return true;
  return false;
}

/* the drive columns of one block: rotors, motor side, link side */
static void add_block(builder *b, bool rotors, rbv_side side, double *w) {
  for (int j = 0; j < b->draft->njoint; j++)
    for (int k = 0; k < b->draft->joint[j].ndrive; k++) {
      const struct drive_kind *kind = b->draft->joint[j].drive[k];
      const bool rotor = kind->basis == RBV_BASIS_ACCELERATION;
      if (rotor == rotors && (rotors || kind->side == side)) add_drive(b, j, kind, w);
    }
}

static void add_all(builder *b, double *w) {
  const rbv_draft *d = b->draft;
  const bool split = is_split(d);
  for (int j = 0; j < d->njoint; j++) {
    char suffix[16];
    joint_suffix(suffix, j);
    add_inertial(b, j, suffix);
    for (int k = 0; k < d->joint[j].ndrive && !split; k++) add_drive(b, j, d->joint[j].drive[k], w);
  }
  if (split) {
    add_block(b, true, RBV_SIDE_MOTOR, w);
    add_block(b, false, RBV_SIDE_MOTOR, w);
    add_block(b, false, RBV_SIDE_LINK, w);
  }
  for (int m = 0; m < d->njoint; m++) add_coupling(b, m, w);
  for (int i = 0; i < d->ncolumn; i++) add_defined(b, &d->column[i]);
  if (d->payload) add_inertial(b, d->njoint, "L");
}

/* ---- rows ---- */

static int channels(rbv_torque out[2], rbv_sensing sensing) {
  switch (sensing) {
    case RBV_SENSING_MOTOR: out[0] = RBV_TORQUE_MOTOR; return 1;
    case RBV_SENSING_JOINT: out[0] = RBV_TORQUE_JOINT; return 1;
    case RBV_SENSING_DIFFERENCE: out[0] = RBV_TORQUE_DIFFERENCE; return 1;
    case RBV_SENSING_BOTH:
      out[0] = RBV_TORQUE_MOTOR;
      out[1] = RBV_TORQUE_JOINT;
      return 2;
  }
  return 0;
}

static bool acts(const rbv_model *m, int c, rbv_torque torque, int joint) {
  const rbv_column *column = &m->column[c];
  if (!side_acts(column->side, torque)) return false;
  // link j never loads joint i > j; the payload hangs on the last link
  if (column->basis == RBV_BASIS_INERTIAL) return column->joint >= joint;
  for (int t = 0; t < m->nterm; t++)
    if (m->term[t].column == c && m->term[t].joint == joint) return true;
  return false;
}

/* count the entries, or fill row and pattern when they are there */
static int lay_rows(rbv_model *m) {
  rbv_torque torque[2];
  const int nchannel = channels(torque, m->sensing);
  int entry = 0;
  for (int r = 0; r < nchannel * m->njoint; r++) {
    const rbv_torque t = torque[r / m->njoint];
    const int joint = r % m->njoint, first = entry;
    for (int c = 0; c < m->ncolumn; c++) {
      if (!acts(m, c, t, joint)) continue;
      if (m->pattern) m->pattern[entry] = c;
      entry++;
    }
    if (m->pattern) m->row[r] = (rbv_row){t, joint, first, entry - first, m->pattern + first};
  }
  m->nrow = nchannel * m->njoint;
  return entry;
}

/* ---- a-priori values ---- */

static void set_prior(rbv_model *m, const char *prefix, int joint, double value) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", prefix, joint + 1);
  const int c = rbv_model_find(m, name);
  if (c >= 0) m->parameters[c] = value;
}

static rbv_status set_parameters(rbv_model *m, const rbv_draft *d) {
  m->has_parameters = d->nvalue > 0 || d->has_priors;
  for (int j = 0; j < d->njoint && d->has_priors; j++) {
    for (int c = 0; c < RBV_INERTIAL; c++)
      m->parameters[m->link_column[j] + c] = d->joint[j].inertial[c];
    set_prior(m, "Fv", j, d->joint[j].damping);
    set_prior(m, "Fc", j, d->joint[j].friction);
  }
  for (int i = 0; i < d->nvalue; i++) {
    const draft_value *v = &d->value[i];
    const int c = rbv_model_find(m, v->name);
    // values of the payload wait for a model that has one
    const size_t length = strlen(v->name);
    if (c < 0 && !d->payload && length > 1 && v->name[length - 1] == 'L') continue;
    if (c < 0)
      return rbv_fail(RBV_EINPUT, "%s:%d:%d: the robot has no parameter '%s'", d->file, v->line,
                      v->column, v->name);
    m->parameters[c] = v->value + (v->add ? m->parameters[c] : 0);
  }
  return RBV_OK;
}

/* ---- columns that the file defines ---- */

/* the same, or one of them as the base parameter of the other */
static bool names_clash(const char *a, const char *b) {
  const size_t na = strlen(a), nb = strlen(b), n = na < nb ? na : nb;
  if (memcmp(a, b, n) != 0) return false;
  return na == nb || strcmp(a + n, "R") == 0 || strcmp(b + n, "R") == 0;
}

static rbv_status check_names(const rbv_model *m, const rbv_draft *d) {
  int first = 0;
  while (first < m->ncolumn && m->column[first].basis != RBV_BASIS_EXPRESSION) first++;
  for (int i = 0; i < d->ncolumn; i++) {
    const char *name = d->column[i].name, *taken = NULL;
    for (int c = 0; c < m->ncolumn && !taken; c++) {
      // of its kind, those that stand before
      if (m->column[c].basis == RBV_BASIS_EXPRESSION && c >= first + i) continue;
      if (names_clash(name, m->column[c].name)) taken = m->column[c].name;
    }
    // names of a payload are taken whether there is one or not
    char payload[8];
    for (int c = 0; c < RBV_INERTIAL && !taken; c++) {
      snprintf(payload, sizeof payload, "%sL", inertial_kind[c].name);
      if (names_clash(name, payload)) taken = payload;
    }
    if (taken && strcmp(taken, name) == 0)
      return rbv_node_fail(RBV_EINPUT, d->column[i].node, "the robot has a column '%s' already",
                           name);
    if (taken)
      return rbv_node_fail(RBV_EINPUT, d->column[i].node,
                           "'%s' and '%s': a column that ends in R is taken for the base parameter "
                           "of the other",
                           name, taken);
  }
  return RBV_OK;
}

static void take_expressions(rbv_model *m, rbv_draft *d) {
  for (int t = 0; t < m->nexpression; t++) {
    m->expression[t] = d->term[t].expression;
    d->term[t].expression = (expression){0};
    if (m->expression[t].nregister > m->nregister) m->nregister = m->expression[t].nregister;
  }
}

/* ---- the model in one allocation after another, freed by rbv_model_free on any failure ---- */

static rbv_status check(const rbv_draft *d) {
  if (d->njoint < 1) return rbv_fail(RBV_EINPUT, "%s: the robot has no joint that moves", d->file);
  if (d->njoint > MOVING_MAX)
    return rbv_fail(RBV_EUNSUPPORTED, "%s: %d joints move: more than %d are not done", d->file,
                    d->njoint, MOVING_MAX);
  return RBV_OK;
}

static void *take(size_t count, size_t size, bool *failed) {
  void *block = rbv_alloc(count * size);
  if (!block) *failed = true;
  return block;
}

static rbv_status fill(rbv_model *m, rbv_draft *d, double *w) {
  const int n = d->njoint;
  bool failed = false;
  builder count = {.m = m, .draft = d};
  add_all(&count, w);
  m->ncolumn = count.ncolumn;
  m->nterm = count.nterm;
  m->ndirection = count.ndirection;
  m->joint = take((size_t)n, sizeof *m->joint, &failed);
  m->geometry = take((size_t)n, sizeof *m->geometry, &failed);
  m->transmission = take((size_t)n * (size_t)n, sizeof *m->transmission, &failed);
  m->transmission_offset = take((size_t)n, sizeof *m->transmission_offset, &failed);
  m->link_column = take((size_t)n + 1, sizeof *m->link_column, &failed);
  m->column = take((size_t)m->ncolumn, sizeof *m->column, &failed);
  m->term = take((size_t)m->nterm, sizeof *m->term, &failed);
  m->direction_joint = take((size_t)m->ndirection, sizeof *m->direction_joint, &failed);
  m->direction_weight = take((size_t)m->ndirection, sizeof *m->direction_weight, &failed);
  m->expression = take((size_t)d->nterm, sizeof *m->expression, &failed);
  m->parameters = take((size_t)m->ncolumn, sizeof *m->parameters, &failed);
  m->names = take(count.text, 1, &failed);
  if (failed) return RBV_EMEM;

  m->link_column[n] = -1;
  builder write = {.m = m, .draft = d, .names = m->names};
  add_all(&write, w);
  RBV_TRY(check_names(m, d));
  m->nentry = lay_rows(m);
  m->row = take((size_t)m->nrow, sizeof *m->row, &failed);
  m->pattern = take((size_t)m->nentry, sizeof *m->pattern, &failed);
  if (failed) return RBV_EMEM;
  lay_rows(m);

  m->nexpression = d->nterm;
  take_expressions(m, d);
  for (int j = 0; j < n; j++) {
    m->geometry[j] = d->joint[j].geometry;
    m->joint[j] = (rbv_joint){d->joint[j].name, d->joint[j].geometry.type, d->joint[j].limits};
    d->joint[j].name = NULL;
    if (d->transmission_offset) m->transmission_offset[j] = d->transmission_offset[j];
    for (int k = 0; k < n; k++)
      m->transmission[j + k * n] = d->transmission ? d->transmission[j + k * n] : j == k;
  }
  m->ncapsule = d->ncapsule;
  m->capsule = d->capsule;
  d->capsule = NULL;
  m->shapeless = d->shapeless;
  d->shapeless = (rbv_text){0};
  return set_parameters(m, d);
}

rbv_status rbv_draft_build(rbv_model **out, rbv_draft *d) {
  *out = NULL;
  RBV_TRY(check(d));
  RBV_TRY(add_stribeck(d));
  rbv_model *m = rbv_alloc(sizeof *m);
  double *w = rbv_alloc((size_t)d->njoint * sizeof *w);
  rbv_status status = m && w ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    m->njoint = d->njoint;
    m->gamma = d->options->gamma >= 0 ? d->options->gamma : d->gamma;
    if (!(m->gamma > 0)) m->gamma = d->options->smooth_gamma;
    m->stribeck = d->stribeck;
    m->sensing = d->options->sensing >= 0 ? (rbv_sensing)d->options->sensing : d->sensing;
    m->payload = d->payload;
    memcpy(m->gravity, d->gravity, sizeof m->gravity);
    status = fill(m, d, w);
  }
  rbv_free(w);
  if (status != RBV_OK) {
    rbv_model_free(m);
    return status;
  }
  // what the model takes over
  m->name = d->name;
  m->nsnap = d->nsnap;
  m->snap = d->snap;
  m->nnote = d->nnote;
  m->note = d->note;
  m->urdf = d->urdf;
  d->name = NULL;
  d->snap = NULL;
  d->note = NULL;
  d->urdf = NULL;
  d->nsnap = d->nnote = 0;
  *out = m;
  return RBV_OK;
}
