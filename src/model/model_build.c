/* Builds the model from a draft: columns and their terms, the pattern of the rows, a-priori values.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/document.h"
#include "model/model_draft.h"

static const struct {
  const char *name, *unit;
} inertial_kind[RBV_INERTIAL] = {
    {"XX", "kg m^2"}, {"XY", "kg m^2"}, {"XZ", "kg m^2"}, {"YY", "kg m^2"}, {"YZ", "kg m^2"},
    {"ZZ", "kg m^2"}, {"MX", "kg m"},   {"MY", "kg m"},   {"MZ", "kg m"},   {"M", "kg"}};

/* ---- drive columns and shape parameters of the joints ---- */

/* drive column i of the table: the plain columns of all laws, then those of one sensor side */
static draft_drive drive_column(int i) {
  for (int k = 0; k < LAW_COLUMNS; k++)
    for (int law = 0; law < rbv_law_count(); law++) {
      const law_column *as = &rbv_law_at(law)->column[k];
      if (as->prefix && i-- == 0) return (draft_drive){rbv_law_at(law), as};
    }
  return (draft_drive){0};
}

const char *rbv_drive_column_name(int i) {
  const draft_drive d = drive_column(i);
  return d.law ? d.as->prefix : NULL;
}

/* the place of a new drive column: that of the column it replaces, or the end */
static int place_of(const draft_joint *joint, const char *replaces) {
  for (int k = 0; k < joint->ndrive && replaces; k++)
    if (strcmp(joint->drive[k].as->prefix, replaces) == 0) return k;
  return joint->ndrive;
}

bool rbv_draft_add_drive(draft_joint *joint, const char *prefix) {
  for (int i = 0; rbv_drive_column_name(i); i++)
    if (strcmp(rbv_drive_column_name(i), prefix) == 0) {
      const draft_drive drive = drive_column(i);
      const int at = place_of(joint, drive.law->replaces);
      if (at == DRIVE_MAX) return false;
      joint->drive[at] = drive;
      if (at == joint->ndrive) joint->ndrive++;
      return true;
    }
  return false;
}

void rbv_draft_default_drive(draft_joint *joint) {
  const char *const standard[] = {"Ia", "Fv", "Fc", "off"};
  joint->ndrive = 0;
  for (int i = 0; i < RBV_COUNT(standard); i++) (void)rbv_draft_add_drive(joint, standard[i]);
}

static bool has_drive(const draft_joint *joint, const char *prefix) {
  for (int k = 0; k < joint->ndrive; k++)
    if (strcmp(joint->drive[k].as->prefix, prefix) == 0) return true;
  return false;
}

/* the terms replace the common values of the file */
static void take_terms(rbv_draft *d, const rbv_model_terms *terms) {
  double *gamma = &d->shape[rbv_shape_kind_find("gamma")];
  if (terms->gamma >= 0) *gamma = terms->gamma;
  if (terms->stribeck > 0) d->shape[rbv_shape_kind_find("stribeck")] = terms->stribeck;
  d->payload = d->payload || terms->payload;
}

/* the joint's own value, or the common one, or the fallback; NaN: there is none */
static double shape_value(const rbv_draft *d, int joint, const rbv_law_shape *shape) {
  const int kind = rbv_shape_kind_find(shape->name);
  const double own = d->joint[joint].shape[kind], common = d->shape[kind];
  return !isnan(own) ? own : !isnan(common) ? common : shape->fallback;
}

/* a shape parameter of the law that has no value at this joint, NULL: all have one */
static const rbv_law_shape *missing_shape(const rbv_draft *d, int joint, const rbv_law *law) {
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    if (isnan(shape_value(d, joint, &law->shape[k]))) return &law->shape[k];
  return NULL;
}

/* laws that follow another one are added where their shape parameters are given */
static void add_followers(rbv_draft *d, int j) {
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    if (law->follows && has_drive(&d->joint[j], law->follows) &&
        !has_drive(&d->joint[j], law->name) && !missing_shape(d, j, law))
      (void)rbv_draft_add_drive(&d->joint[j], law->name);
  }
}

static rbv_status complete_drives(rbv_draft *d, const rbv_model_terms *terms) {
  take_terms(d, terms);
  RBV_TRY(rbv_draft_add_friction(d, terms->friction, terms->nfriction));
  for (int j = 0; j < d->njoint; j++) {
    add_followers(d, j);
    for (int k = 0; k < d->joint[j].ndrive; k++) {
      const draft_drive *drive = &d->joint[j].drive[k];
      const rbv_law_shape *missing = missing_shape(d, j, drive->law);
      if (missing)
        return rbv_fail(RBV_EINPUT,
                        "%s: joint '%s' has %s, which needs a value of '%s' (%s): for example "
                        "friction: {%s: %g}",
                        d->file, d->joint[j].name, drive->as->prefix, missing->name, missing->text,
                        missing->name, missing->example);
    }
  }
  return RBV_OK;
}

/* ---- adding columns: the first run counts, the second run fills ---- */

typedef struct {
  rbv_model *m;  // arrays NULL while counting
  const rbv_draft *draft;
  int ncolumn, nterm, ndirection;
  size_t text;  // bytes of names
  char *names;
} builder;

/* a further column; name and the number or letter behind it */
static int add_column(builder *b, const char *prefix, const char *suffix, rbv_column column) {
  const size_t length = strlen(prefix) + strlen(suffix) + 1;
  if (b->m->column) {
    char *name = b->names + b->text;
    snprintf(name, length, "%s%s", prefix, suffix);
    column.name = name;
    b->m->column[b->ncolumn] = column;
  }
  b->text += length;
  return b->ncolumn++;
}

/* weight: of the joints in the direction, zero entries left out; skip: joint left out, or -1 */
static void add_term(builder *b, drive_term term, const double *weight, int skip) {
  const int n = b->draft->njoint, first = b->ndirection;
  for (int k = 0; k < n; k++) {
    if (weight[k] == 0 || k == skip) continue;
    if (b->m->direction_joint) {
      b->m->direction_joint[b->ndirection] = b->m->coordinate[k];
      b->m->direction_weight[b->ndirection] = weight[k];
    }
    b->ndirection++;
  }
  if (b->m->term) {
    drive_term *t = &b->m->term[b->nterm];
    *t = term;
    t->first = first;
    t->count = b->ndirection - first;
    t->expression = -1;
    t->state = term.law->state_count > 0 ? b->m->nstate : -1;
    b->m->nstate += term.law->state_count;
    b->m->uses_torque = b->m->uses_torque || term.law->uses_torque;
  }
  b->nterm++;
}

static void joint_suffix(char out[16], int joint) { snprintf(out, 16, "%d", joint + 1); }

/* the number of a drive column: a motor has that of its joint */
static void drive_suffix(char out[16], const rbv_draft *d, int j) {
  joint_suffix(out, d->joint[j].motor ? d->joint[j].leads : j);
}

static void add_inertial(builder *b, int link, const char *suffix) {
  if (b->m->link_column) b->m->link_column[link] = b->ncolumn;
  for (int c = 0; c < RBV_INERTIAL; c++)
    add_column(b, inertial_kind[c].name, suffix,
               (rbv_column){.unit = inertial_kind[c].unit,
                            .basis = RBV_BASIS_INERTIAL,
                            .side = RBV_SIDE_LINK,
                            .joint = link,
                            .component = c});
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

static int add_law_column(builder *b, int j, const rbv_law *law, const law_column *as) {
  const bool prismatic = b->draft->joint[j].geometry.type == RBV_JOINT_PRISMATIC;
  char suffix[16];
  drive_suffix(suffix, b->draft, j);
  return add_column(b, as->prefix, suffix,
                    (rbv_column){.unit = law->unit[prismatic],
                                 .basis = RBV_BASIS_LAW,
                                 .side = as->side,
                                 .joint = rbv_model_leader(b->m, j),
                                 .component = -1,
                                 .law = law});
}

/* a spring pulls the motor back and the joint forward; rigid joints have no deflection */
static void add_spring(builder *b, int j, int column, const rbv_law *law, double *w) {
  const rbv_draft *d = b->draft;
  int motor = d->njoint - 1;
  while (motor >= 0 && !(d->joint[motor].motor && d->joint[motor].leads == j)) motor--;
  memset(w, 0, (size_t)d->njoint * sizeof *w);
  drive_term term = {.column = column, .joint = b->m->coordinate[j], .gain = 1, .law = law};
  if (motor >= 0) {
    w[motor] = 1;
    w[j] = -1;
    term.gain = -1;
  }
  add_term(b, term, w, -1);
  if (motor < 0) return;
  term.joint = b->m->coordinate[motor];
  term.gain = 1;
  add_term(b, term, w, -1);
}

/* friction of a joint whose position follows from the loops: torque by the rates, as its speed */
static void add_passive(builder *b, int j, int column, const rbv_law *law, double *w) {
  const rbv_model *m = b->m;
  const double *rate = m->map + j;
  memset(w, 0, (size_t)b->draft->njoint * sizeof *w);
  for (int i = 0; i < m->njoint && !m->closure; i++) w[m->leader[i]] = rate[i * m->nbody];
  for (int i = 0; i < m->njoint; i++)
    if (rate[i * m->nbody] != 0)
      add_term(b,
               (drive_term){.column = column,
                            .joint = i,
                            .gain = m->closure ? 1 : rate[i * m->nbody],
                            .law = law,
                            .passive = m->closure ? j + 1 : 0,
                            .of_passive = j + 1},
               w, -1);
}

static void add_drive(builder *b, int j, const draft_drive *drive, double *w) {
  const rbv_draft *d = b->draft;
  const rbv_law *law = drive->law;
  const int c = add_law_column(b, j, law, drive->as), *row = b->m->coordinate;
  if (d->joint[j].passive) {
    add_passive(b, j, c, law, w);
    return;
  }
  if (law->spring) {
    add_spring(b, j, c, law, w);
    return;
  }
  if (law->motion != RBV_LAW_ACCELERATION) {
    memset(w, 0, (size_t)d->njoint * sizeof *w);
    w[j] = 1;
    add_term(b, (drive_term){.column = c, .joint = row[j], .gain = 1, .law = law}, w, -1);
    return;
  }
  // The rotor turns with every joint that its motor moves. In the parametrisation of Gautier 2011
  // eq. 29 the part that acts on another joint's own acceleration is already in that joint's Ia.
  motor_weights(w, d, j);
  for (int i = 0; i < d->njoint; i++)
    if (w[i] != 0)
      add_term(b, (drive_term){.column = c, .joint = row[i], .gain = w[i], .law = law}, w,
               d->law == COUPLING_JOINT && i != j ? i : -1);
}

static void add_coupling(builder *b, int m, double *w) {
  const rbv_draft *d = b->draft;
  motor_weights(w, d, m);
  if (!is_coupled(w, d->njoint, m)) return;
  for (int k = 0; k < rbv_law_count(); k++) {
    const rbv_law *law = rbv_law_at(k);
    if (!law->coupling.prefix) continue;
    const int c = add_law_column(b, m, law, &law->coupling);
    const bool own_left_out = law->linear ? d->law == COUPLING_JOINT : d->printed_coulomb;
    for (int i = 0; i < d->njoint; i++)
      if (w[i] != 0)
        add_term(b,
                 (drive_term){.column = c, .joint = b->m->coordinate[i], .gain = w[i], .law = law},
                 w, own_left_out ? i : -1);
  }
}

/* a column that the file defines: its terms are stored in the order of their expressions */
static void add_defined(builder *b, const draft_column *d) {
  const int c = add_column(b, d->name, "",
                           (rbv_column){.basis = RBV_BASIS_EXPRESSION,
                                        .side = d->side,
                                        .joint = b->draft->term[d->first].joint,
                                        .component = -1});
  // the unit is stored behind the name
  const size_t length = strlen(d->unit) + 1;
  if (b->m->column) {
    memcpy(b->names + b->text, d->unit, length);
    b->m->column[c].unit = b->names + b->text;
  }
  b->text += length;
  for (int t = d->first; t < d->first + d->count; t++, b->nterm++)
    if (b->m->term)
      b->m->term[b->nterm] = (drive_term){
          .column = c, .joint = b->draft->term[t].joint, .gain = 1, .expression = t, .state = -1};
}

static bool is_split(const rbv_draft *d) {
  for (int j = 0; j < d->njoint; j++)
    for (int k = 0; k < d->joint[j].ndrive; k++)
      if (d->joint[j].drive[k].as->split) return true;
  return false;
}

/* the drive columns of one block: rotors, motor side, link side */
static void add_block(builder *b, bool rotors, rbv_side side, double *w) {
  for (int j = 0; j < b->draft->njoint; j++)
    for (int k = 0; k < b->draft->joint[j].ndrive; k++) {
      const draft_drive *drive = &b->draft->joint[j].drive[k];
      const bool rotor = drive->law->motion == RBV_LAW_ACCELERATION;
      if (rotor == rotors && (rotors || drive->as->side == side)) add_drive(b, j, drive, w);
    }
}

/* names of the motors, which the draft does not have */
static void add_motor_names(builder *b) {
  static const char suffix[] = "_motor";
  for (int j = 0; j < b->draft->njoint; j++) {
    if (!b->draft->joint[j].motor) continue;
    const char *name = b->draft->joint[j].name;
    const size_t length = strlen(name) + sizeof suffix;
    if (b->names) {
      char *to = b->names + b->text;
      snprintf(to, length, "%s%s", name, suffix);
      b->m->body[j].name = b->m->joint[b->m->coordinate[j]].name = to;
    }
    b->text += length;
  }
}

static void add_all(builder *b, double *w) {
  const rbv_draft *d = b->draft;
  const bool split = is_split(d);
  for (int j = 0; j < d->njoint; j++) {
    char suffix[16];
    joint_suffix(suffix, j);
    if (!d->joint[j].massless) add_inertial(b, j, suffix);
    for (int k = 0; k < d->joint[j].ndrive && !split; k++)
      add_drive(b, j, &d->joint[j].drive[k], w);
  }
  if (split) {
    add_block(b, true, RBV_SIDE_MOTOR, w);
    add_block(b, false, RBV_SIDE_MOTOR, w);
    add_block(b, false, RBV_SIDE_LINK, w);
  }
  for (int m = 0; m < d->njoint; m++) add_coupling(b, m, w);
  for (int i = 0; i < d->ncolumn; i++) add_defined(b, &d->column[i]);
  if (d->payload) add_inertial(b, d->njoint, "L");
  add_motor_names(b);
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

/* does a body load a coordinate: does one of the joints that carry it depend on the coordinate? */
static bool loads(const rbv_model *m, int body, int coordinate) {
  if (!m->map) return set_has(&m->support[body], coordinate);
  for (int i = 0; i <= body; i++)
    if (set_has(&m->support[body], i) && m->map[i + coordinate * m->nbody] != 0) return true;
  return false;
}

static bool acts(const rbv_model *m, int c, rbv_torque torque, int joint) {
  const rbv_column *column = &m->column[c];
  if (!side_acts(column->side, torque)) return false;
  if (column->basis == RBV_BASIS_INERTIAL)
    return loads(m, column->joint < m->nbody ? column->joint : m->carrier, joint);
  for (int t = 0; t < m->nterm; t++)
    if (m->term[t].column == c && m->term[t].joint == joint) return true;
  return false;
}

/* count the entries; fill row and pattern if they are allocated */
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

/* the column that replaces the one with this name, -1: none */
static int find_replacement(const rbv_model *m, const char *name) {
  for (int c = 0; c < m->ncolumn; c++) {
    const rbv_law *law = m->column[c].law;
    char replaced[32];
    if (!law || !law->replaces) continue;
    snprintf(replaced, sizeof replaced, "%s%d", law->replaces, m->leader[m->column[c].joint] + 1);
    if (strcmp(replaced, name) == 0) return c;
  }
  return -1;
}

/* a value that the URDF gives as an attribute of a joint: the law that this attribute expresses */
static void set_prior(rbv_model *m, law_element element, int joint, double value) {
  for (int i = 0; i < rbv_law_count(); i++) {
    if (rbv_law_at(i)->element != element) continue;
    char name[32];
    snprintf(name, sizeof name, "%s%d", rbv_law_at(i)->name, joint + 1);
    int c = rbv_model_find(m, name);
    if (c < 0) c = find_replacement(m, name);
    if (c >= 0) m->parameters[c] = value;
  }
}

static rbv_status set_parameters(rbv_model *m, const rbv_draft *d) {
  m->has_parameters = d->nvalue > 0 || d->has_priors;
  for (int j = 0; j < d->njoint && d->has_priors; j++) {
    for (int c = 0; c < RBV_INERTIAL && m->link_column[j] >= 0; c++)
      m->parameters[m->link_column[j] + c] = d->joint[j].inertial[c];
    set_prior(m, LAW_ARMATURE, j, d->joint[j].armature);
    set_prior(m, LAW_DAMPING, j, d->joint[j].damping);
    set_prior(m, LAW_FRICTION, j, d->joint[j].friction);
  }
  for (int i = 0; i < d->nvalue; i++) {
    const draft_value *v = &d->value[i];
    int c = rbv_model_find(m, v->name);
    if (c < 0) c = find_replacement(m, v->name);
    // values of the payload are ignored if the model has no payload
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

/* equal, or one is the name of the base parameter of the other */
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
      // of the columns that the file defines, only the earlier ones
      if (m->column[c].basis == RBV_BASIS_EXPRESSION && c >= first + i) continue;
      if (names_clash(name, m->column[c].name)) taken = m->column[c].name;
    }
    // names of payload columns are reserved even without a payload
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
                           "'%s' and '%s' cannot both be columns: a name that ends in R is the "
                           "base parameter of the other",
                           name, taken);
  }
  return RBV_OK;
}

static void borrow_expressions(rbv_model *m, const rbv_draft *d) {
  for (int t = 0; t < m->nexpression; t++) {
    m->expression[t] = d->term[t].expression;
    if (m->expression[t].nregister > m->nregister) m->nregister = m->expression[t].nregister;
  }
}

/* ---- allocation: rbv_model_free releases everything after a failure; names, notes, capsules,
 * frames, expressions and the document stay with the draft ---- */

static rbv_status check(const rbv_draft *d) {
  if (d->njoint < 1) return rbv_fail(RBV_EINPUT, "%s: the robot has no moving joint", d->file);
  if (d->njoint > MOVING_MAX)
    return rbv_fail(RBV_EUNSUPPORTED, "%s: %d joints move; the limit is %d", d->file, d->njoint,
                    MOVING_MAX);
  return RBV_OK;
}

static void *take(size_t count, size_t size, bool *failed) {
  void *block = rbv_alloc(count * size);
  if (!block) *failed = true;
  return block;
}

static rbv_status fill(rbv_model *m, const rbv_draft *d, double *w) {
  const int n = m->njoint, nbody = m->nbody;
  bool failed = false;
  builder count = {.m = m, .draft = d};
  add_all(&count, w);
  m->ncolumn = count.ncolumn;
  m->nterm = count.nterm;
  m->ndirection = count.ndirection;
  m->geometry = take((size_t)nbody, sizeof *m->geometry, &failed);
  m->transmission = take((size_t)n * (size_t)n, sizeof *m->transmission, &failed);
  m->shape = take((size_t)(n + 1) * LAW_SHAPE_KINDS, sizeof *m->shape, &failed);
  m->transmission_offset = take((size_t)n, sizeof *m->transmission_offset, &failed);
  m->link_column = take((size_t)nbody + 1, sizeof *m->link_column, &failed);
  m->column = take((size_t)m->ncolumn, sizeof *m->column, &failed);
  m->term = take((size_t)m->nterm, sizeof *m->term, &failed);
  m->direction_joint = take((size_t)m->ndirection, sizeof *m->direction_joint, &failed);
  m->direction_weight = take((size_t)m->ndirection, sizeof *m->direction_weight, &failed);
  m->expression = take((size_t)d->nterm, sizeof *m->expression, &failed);
  m->parameters = take((size_t)m->ncolumn, sizeof *m->parameters, &failed);
  m->names = take(count.text, 1, &failed);
  if (failed) return RBV_EMEM;

  for (int i = 0; i <= nbody; i++) m->link_column[i] = -1;
  builder write = {.m = m, .draft = d, .names = m->names};
  add_all(&write, w);
  RBV_TRY(check_names(m, d));
  m->nentry = lay_rows(m);
  m->row = take((size_t)m->nrow, sizeof *m->row, &failed);
  m->pattern = take((size_t)m->nentry, sizeof *m->pattern, &failed);
  if (failed) return RBV_EMEM;
  lay_rows(m);

  m->nexpression = d->nterm;
  borrow_expressions(m, d);
  memcpy(m->shape + n * LAW_SHAPE_KINDS, d->shape, sizeof d->shape);
  for (int i = 0; i < nbody; i++) m->geometry[i] = d->joint[i].geometry;
  for (int j = 0; j < n; j++) {
    memcpy(m->shape + j * LAW_SHAPE_KINDS, d->joint[m->leader[j]].shape, sizeof d->shape);
    if (d->transmission_offset) m->transmission_offset[j] = d->transmission_offset[j];
    for (int k = 0; k < n; k++)
      m->transmission[j + k * n] = d->transmission ? d->transmission[j + k * n] : j == k;
  }
  rbv_model_shape_terms(m);
  m->ncapsule = d->ncapsule;
  m->capsule = d->capsule;
  m->shapeless = d->shapeless;
  return set_parameters(m, d);
}

/* the model of a draft whose drives are complete */
static rbv_status build(rbv_model **out, rbv_draft *d, const rbv_model_terms *terms) {
  rbv_model *m = rbv_alloc(sizeof *m);
  double *w = rbv_alloc((size_t)d->njoint * sizeof *w);
  rbv_status status = m && w ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    m->sensing = terms->sensing >= 0 ? (rbv_sensing)terms->sensing : d->sensing;
    m->payload = d->payload;
    m->carrier = terms->carrier - 1;
    memcpy(m->gravity, terms->gravity ? terms->gravity : d->gravity, sizeof m->gravity);
    m->floor = d->floor;
    memcpy(m->tip, d->tip, sizeof m->tip);
    status = rbv_topology_build(m, d);
  }
  if (status == RBV_OK && d->ncontact > 0 && m->sensing >= RBV_SENSING_BOTH)
    status = rbv_fail_option(RBV_EUNSUPPORTED, "contacts",
                             "%s: contacts need torques of the motors or of the joints, not both",
                             d->file);
  if (status == RBV_OK) status = fill(m, d, w);
  rbv_free(w);
  if (status != RBV_OK) {
    rbv_model_free(m);
    return status;
  }
  m->name = d->name;
  m->nsnap = d->nsnap;
  m->snap = d->snap;
  m->nnote = d->nnote;
  m->note = d->note;
  m->nframe = d->nframe;
  m->frame = d->frame;
  m->ncontact = d->ncontact;
  m->contact = d->contact;
  m->document = d->document;
  m->format = d->format;
  *out = m;
  return RBV_OK;
}

rbv_status rbv_draft_build(rbv_model **out, const rbv_draft *d, const rbv_model_terms *terms) {
  *out = NULL;
  RBV_TRY(check(d));
  // the terms add drives and shape parameters to a copy; other variants have their own
  rbv_draft own = *d;
  const size_t size = (size_t)d->njoint * sizeof *d->joint;
  own.joint = rbv_alloc(size);
  if (!own.joint) return RBV_EMEM;
  memcpy(own.joint, d->joint, size);
  rbv_status status = complete_drives(&own, terms);
  if (status == RBV_OK && terms->motors) status = rbv_draft_add_motors(&own);
  if (status == RBV_OK) status = build(out, &own, terms);
  rbv_free(own.joint);
  if (own.transmission != d->transmission) rbv_free(own.transmission);
  return status;
}
