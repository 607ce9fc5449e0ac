/* The vocabulary of column names. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/support.h"
#include "log/map_guess.h"

#define MOST_WORDS 32
#define WORD_BYTES 32

/* ---- words ---- */

typedef enum {
  SAYS_QUANTITY,
  SAYS_REFERENCE,
  SAYS_MEASURED,
  SAYS_MOTOR,
  SAYS_FOREIGN,
  SAYS_NOTHING
} says;

typedef struct {
  const char *word;
  says what;
  quantity of;
} vocable;

#define POSITION_WORD(w) \
  { w, SAYS_QUANTITY, QUANTITY_POSITION }
#define VELOCITY_WORD(w) \
  { w, SAYS_QUANTITY, QUANTITY_VELOCITY }
#define ACCELERATION_WORD(w) \
  { w, SAYS_QUANTITY, QUANTITY_ACCELERATION }
#define TORQUE_WORD(w) \
  { w, SAYS_QUANTITY, QUANTITY_TORQUE }
#define CURRENT_WORD(w) \
  { w, SAYS_QUANTITY, QUANTITY_CURRENT }
#define WORD(w, what) \
  { w, what, QUANTITY_NONE }

static const vocable vocabulary[] = {
    POSITION_WORD("q"),
    POSITION_WORD("pos"),
    POSITION_WORD("position"),
    POSITION_WORD("positions"),
    POSITION_WORD("angle"),
    POSITION_WORD("angles"),
    POSITION_WORD("theta"),
    POSITION_WORD("ang"),
    POSITION_WORD("jpos"),
    POSITION_WORD("winkel"),
    POSITION_WORD("posizione"),
    POSITION_WORD("posizioni"),
    POSITION_WORD("angolo"),
    POSITION_WORD("posicion"),
    POSITION_WORD("angulo"),
    POSITION_WORD("posicao"),
    POSITION_WORD("kat"),
    POSITION_WORD("posición"),
    POSITION_WORD("ángulo"),
    POSITION_WORD("posição"),
    POSITION_WORD("stellung"),
    POSITION_WORD("gelenkwinkel"),
    POSITION_WORD("位置"),
    POSITION_WORD("角度"),
    POSITION_WORD("关节角"),
    POSITION_WORD("위치"),
    POSITION_WORD("угол"),
    POSITION_WORD("положение"),
    VELOCITY_WORD("dq"),
    VELOCITY_WORD("qd"),
    VELOCITY_WORD("qdot"),
    VELOCITY_WORD("vel"),
    VELOCITY_WORD("velocity"),
    VELOCITY_WORD("velocities"),
    VELOCITY_WORD("speed"),
    VELOCITY_WORD("speeds"),
    VELOCITY_WORD("dtheta"),
    VELOCITY_WORD("thetadot"),
    VELOCITY_WORD("jvel"),
    VELOCITY_WORD("geschwindigkeit"),
    VELOCITY_WORD("vitesse"),
    VELOCITY_WORD("vitesses"),
    VELOCITY_WORD("velocita"),
    VELOCITY_WORD("velocità"),
    VELOCITY_WORD("velocidad"),
    VELOCITY_WORD("velocidade"),
    VELOCITY_WORD("predkosc"),
    VELOCITY_WORD("drehzahl"),
    VELOCITY_WORD("速度"),
    VELOCITY_WORD("속도"),
    VELOCITY_WORD("скорость"),
    ACCELERATION_WORD("ddq"),
    ACCELERATION_WORD("qdd"),
    ACCELERATION_WORD("qddot"),
    ACCELERATION_WORD("acc"),
    ACCELERATION_WORD("accel"),
    ACCELERATION_WORD("acceleration"),
    ACCELERATION_WORD("accelerations"),
    ACCELERATION_WORD("ddtheta"),
    TORQUE_WORD("tau"),
    TORQUE_WORD("torque"),
    TORQUE_WORD("torques"),
    TORQUE_WORD("effort"),
    TORQUE_WORD("efforts"),
    TORQUE_WORD("trq"),
    TORQUE_WORD("tq"),
    TORQUE_WORD("moment"),
    TORQUE_WORD("moments"),
    TORQUE_WORD("drehmoment"),
    TORQUE_WORD("couple"),
    TORQUE_WORD("couples"),
    TORQUE_WORD("coppia"),
    TORQUE_WORD("coppie"),
    TORQUE_WORD("torsion"),
    TORQUE_WORD("力矩"),
    TORQUE_WORD("扭矩"),
    TORQUE_WORD("トルク"),
    TORQUE_WORD("토크"),
    TORQUE_WORD("момент"),
    TORQUE_WORD("force"),
    TORQUE_WORD("forces"),
    CURRENT_WORD("current"),
    CURRENT_WORD("currents"),
    CURRENT_WORD("curr"),
    CURRENT_WORD("cur"),
    CURRENT_WORD("amp"),
    CURRENT_WORD("amps"),
    CURRENT_WORD("iq"),
    CURRENT_WORD("strom"),
    CURRENT_WORD("courant"),
    CURRENT_WORD("corriente"),
    CURRENT_WORD("corrente"),
    CURRENT_WORD("prad"),
    CURRENT_WORD("电流"),
    CURRENT_WORD("電流"),
    CURRENT_WORD("전류"),
    CURRENT_WORD("ток"),
    WORD("ref", SAYS_REFERENCE),
    WORD("reference", SAYS_REFERENCE),
    WORD("des", SAYS_REFERENCE),
    WORD("desired", SAYS_REFERENCE),
    WORD("cmd", SAYS_REFERENCE),
    WORD("command", SAYS_REFERENCE),
    WORD("commands", SAYS_REFERENCE),
    WORD("commanded", SAYS_REFERENCE),
    WORD("target", SAYS_REFERENCE),
    WORD("goal", SAYS_REFERENCE),
    WORD("setpoint", SAYS_REFERENCE),
    WORD("set", SAYS_REFERENCE),
    WORD("sp", SAYS_REFERENCE),
    WORD("planned", SAYS_REFERENCE),
    WORD("demand", SAYS_REFERENCE),
    WORD("output", SAYS_REFERENCE),
    WORD("action", SAYS_REFERENCE),
    WORD("soll", SAYS_REFERENCE),
    WORD("actual", SAYS_MEASURED),
    WORD("act", SAYS_MEASURED),
    WORD("meas", SAYS_MEASURED),
    WORD("measured", SAYS_MEASURED),
    WORD("feedback", SAYS_MEASURED),
    WORD("fb", SAYS_MEASURED),
    WORD("present", SAYS_MEASURED),
    WORD("msr", SAYS_MEASURED),
    WORD("observation", SAYS_MEASURED),
    WORD("ist", SAYS_MEASURED),
    WORD("motor", SAYS_MOTOR),
    WORD("mot", SAYS_MOTOR),
    WORD("rotor", SAYS_MOTOR),
    WORD("err", SAYS_FOREIGN),
    WORD("error", SAYS_FOREIGN),
    WORD("ext", SAYS_FOREIGN),
    WORD("external", SAYS_FOREIGN),
    WORD("hat", SAYS_FOREIGN),
    WORD("temp", SAYS_FOREIGN),
    WORD("temperature", SAYS_FOREIGN),
    WORD("voltage", SAYS_FOREIGN),
    WORD("gravity", SAYS_FOREIGN),
    WORD("coriolis", SAYS_FOREIGN),
    WORD("residual", SAYS_FOREIGN),
    WORD("friction", SAYS_FOREIGN),
    WORD("predicted", SAYS_FOREIGN),
    WORD("pred", SAYS_FOREIGN),
    WORD("model", SAYS_FOREIGN),
    WORD("tcp", SAYS_FOREIGN),
    WORD("pose", SAYS_FOREIGN),
    WORD("std", SAYS_FOREIGN),
    WORD("var", SAYS_FOREIGN),
    WORD("covariance", SAYS_FOREIGN),
    WORD("limit", SAYS_FOREIGN),
    WORD("max", SAYS_FOREIGN),
    WORD("min", SAYS_FOREIGN),
    WORD("offset", SAYS_FOREIGN),
    WORD("stiffness", SAYS_FOREIGN),
    WORD("damping", SAYS_FOREIGN),
    WORD("dtau", SAYS_FOREIGN),
    WORD("window", SAYS_FOREIGN),
    WORD("mode", SAYS_FOREIGN),
    WORD("status", SAYS_FOREIGN),
};

static const vocable *find_word(const char *word) {
  for (int i = 0; i < RBV_COUNT(vocabulary); i++)
    if (strcmp(vocabulary[i].word, word) == 0) return &vocabulary[i];
  return NULL;
}

typedef struct {
  int count;
  char word[MOST_WORDS][WORD_BYTES];
} word_list;

/* Divide a name into words of letters, in lower case: "actualQ_dot[3]" is actual, q, dot. */
static void divide(word_list *out, const char *name) {
  out->count = 0;
  size_t n = 0;
  char before = 0;
  for (const char *p = name;; before = *p++) {
    // bytes of letters beyond ASCII are not changed
    const bool letter = isalpha((unsigned char)*p) || (unsigned char)*p >= 128;
    const bool hump = letter && islower((unsigned char)before) && isupper((unsigned char)*p);
    if (n > 0 && (!letter || hump)) {
      out->word[out->count++][n] = 0;
      n = 0;
    }
    if (!*p || out->count == MOST_WORDS) return;
    if (letter && n < WORD_BYTES - 1) out->word[out->count][n++] = (char)tolower((unsigned char)*p);
  }
}

/* ---- units ---- */

/* As people write it, as a column map has it. Lower and upper case are the same, except milli. */
static const struct {
  const char *written, *unit;
} spellings[] = {
    {"rad", "rad"},
    {"radian", "rad"},
    {"radians", "rad"},
    {"deg", "deg"},
    {"degree", "deg"},
    {"degrees", "deg"},
    {"\xC2\xB0", "deg"},
    {"rad/s", "rad/s"},
    {"deg/s", "deg/s"},
    {"\xC2\xB0/s", "deg/s"},
    {"rpm", "rpm"},
    {"1/min", "rpm"},
    {"rad/s^2", "rad/s^2"},
    {"rad/s2", "rad/s^2"},
    {"deg/s^2", "deg/s^2"},
    {"deg/s2", "deg/s^2"},
    {"nm", "Nm"},
    {"n m", "Nm"},
    {"n.m", "Nm"},
    {"n*m", "Nm"},
    {"n\xC2\xB7m", "Nm"},
    {"n", "N"},
    {"kn", "kN"},
    {"knm", "kNm"},
    {"m", "m"},
    {"mm", "mm"},
    {"m/s", "m/s"},
    {"mm/s", "mm/s"},
    {"a", "A"},
    {"amp", "A"},
    {"ampere", "A"},
    {"ma", "mA"},
    {"turn", "turn"},
    {"rev", "turn"},
    {"turns", "turn"},
    {"rev/s", "turn/s"},
    {"s", "s"},
    {"sec", "s"},
    {"seconds", "s"},
    {"ms", "ms"},
    {"us", "us"},
    {"\xC2\xB5s", "us"},
    {"ns", "ns"},
    {"nanoseconds", "ns"},
};

static const char *find_unit(const char *text, size_t n) {
  // mNm and MNm differ by their case only
  if (n == 3 && memcmp(text, "mNm", 3) == 0) return "mNm";
  for (int i = 0; i < RBV_COUNT(spellings); i++)
    if (strlen(spellings[i].written) == n && strncasecmp(spellings[i].written, text, n) == 0)
      return spellings[i].unit;
  return NULL;
}

/* The text inside the last brackets of a name. */
static const char *bracketed(size_t *n, const char *name) {
  const size_t length = strlen(name);
  if (length < 3 || !strchr("])", name[length - 1])) return NULL;
  const char open = name[length - 1] == ']' ? '[' : '(';
  const char *p = strrchr(name, open);
  if (!p) return NULL;
  *n = length - 2 - (size_t)(p - name);
  return *n > 0 ? p + 1 : NULL;
}

size_t length_without_unit(const char *name) {
  size_t n = 0;
  const char *inside = bracketed(&n, name);
  return inside && find_unit(inside, n) ? (size_t)(inside - 1 - name) : strlen(name);
}

bool is_unit(const char *cell) {
  size_t n = strlen(cell);
  const char *inside = bracketed(&n, cell);
  if (inside || n == 0 || strcmp(cell, "-") == 0 || strcmp(cell, "1") == 0) return true;
  return find_unit(cell, n) != NULL;
}

/* The unit of a cell below the name, of brackets at the end, or of a word such as deg. */
static void state_unit(meaning *m, const char *name, const char *cell, const word_list *words) {
  size_t n = 0;
  const char *text = bracketed(&n, name);
  if (cell && *cell) {
    text = bracketed(&n, cell);
    if (!text) {
      text = cell;
      n = strlen(cell);
    }
  }
  if (text && memchr(text, '*', n)) text = NULL;  // brackets around the joint
  const char *unit = text ? find_unit(text, n) : NULL;
  const bool none = text && n == 1 && (*text == '-' || *text == '1');
  if (text && !unit && !none) snprintf(m->strange, sizeof m->strange, "%.*s", (int)n, text);
  static const char *const bare[] = {"deg", "degrees", "rad", "radians", "nm", "mnm", "ma", "rpm"};
  for (int i = 0; i < words->count && !unit; i++)
    for (int k = 0; k < RBV_COUNT(bare); k++)
      if (strcmp(bare[k], words->word[i]) == 0)
        unit = k == 5 ? "mNm" : find_unit(bare[k], strlen(bare[k]));
  if (!unit) return;
  // "speed [deg]" is used for degrees per second
  const bool angle = strcmp(unit, "deg") == 0 || strcmp(unit, "rad") == 0;
  const char *per = !angle                           ? ""
                    : m->of == QUANTITY_VELOCITY     ? "/s"
                    : m->of == QUANTITY_ACCELERATION ? "/s^2"
                                                     : "";
  snprintf(m->unit, sizeof m->unit, "%s%s", unit, per);
}

const char *stated_time_unit(const char *name, const char *cell) {
  static const char *const times[] = {"s", "ms", "us", "ns"};
  word_list words;
  meaning m = {0};
  divide(&words, name);
  state_unit(&m, name, cell, &words);
  for (int i = 0; i < RBV_COUNT(times); i++)
    if (strcmp(times[i], m.unit) == 0) return times[i];
  // time_ms, timestamp_ns; the last word only
  if (words.count < 2) return NULL;
  const char *last = words.word[words.count - 1];
  const char *unit = find_unit(last, strlen(last));
  for (int i = 0; i < RBV_COUNT(times) && unit; i++)
    if (strcmp(times[i], unit) == 0) return times[i];
  return NULL;
}

/* ---- meaning ---- */

void meaning_of(meaning *out, const char *name, const char *unit) {
  *out = (meaning){0};
  word_list words;
  // without the unit at its end
  char plain[256];
  size_t n = 0;
  const char *inside = bracketed(&n, name);
  const bool unit_at_end = inside && !memchr(inside, '*', n);
  snprintf(plain, sizeof plain, "%.*s",
           (int)(unit_at_end ? (size_t)(inside - 1 - name) : strlen(name)), name);
  divide(&words, plain);
  int at = -1, others = 0;
  for (int i = 0; i < words.count; i++) {
    const vocable *v = find_word(words.word[i]);
    if (!v || v->what != SAYS_QUANTITY) continue;
    // the last one counts: names go from the source to the quantity
    const bool adjective =
        v->of == QUANTITY_CURRENT && i + 1 < words.count && strcmp(words.word[i], "current") == 0;
    others += adjective;
    if (adjective && at < 0) {
      // "current position": present, unless nothing else is a quantity
      at = i;
      out->of = QUANTITY_CURRENT;
      continue;
    }
    at = i;
    out->of = v->of;
  }
  if (others > 0 && out->of != QUANTITY_CURRENT) out->measured = true;
  // "tq" alone can be a torque or the target of q
  const bool unclear = at >= 0 && strcmp(words.word[at], "tq") == 0;

  rbv_text group = {0};
  for (int i = 0; i < words.count; i++) {
    const char *word = words.word[i];
    const vocable *v = find_word(word);
    const bool after = at >= 0 && i == at + 1;
    if (i == at) continue;
    if (after && strcmp(word, "dot") == 0 && out->of == QUANTITY_POSITION) {
      out->of = QUANTITY_VELOCITY;
      at = i;
    } else if (after && strcmp(word, "ddot") == 0 && out->of == QUANTITY_POSITION) {
      out->of = QUANTITY_ACCELERATION;
      at = i;
    } else if (after && (strcmp(word, "d") == 0 || strcmp(word, "r") == 0)) {
      out->reference = true;  // q_d, as libfranka names the desired position
    } else if (after && strcmp(word, "m") == 0 && out->of != QUANTITY_NONE) {
      out->motor = true;
    } else if (after && strcmp(word, "j") == 0 && strcmp(words.word[at], "tau") == 0) {
      out->sensor = true;  // tau_J, not effort[j1]
      at = i;
    } else if (v) {
      out->reference |= v->what == SAYS_REFERENCE;
      out->measured |= v->what == SAYS_MEASURED;
      out->motor |= v->what == SAYS_MOTOR;
      out->foreign |= v->what == SAYS_FOREIGN;
    } else if (!find_unit(word, strlen(word))) {
      rbv_text_print(&group, "%s ", word);
    }
  }
  if (unclear && !out->measured && !out->foreign) out->of = QUANTITY_NONE;
  snprintf(out->group, sizeof out->group, "%s", group.data ? group.data : "");
  rbv_text_free(&group);
  state_unit(out, name, unit, &words);
}
