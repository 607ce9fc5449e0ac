/* Lines with which the controllers of robots are told their payload: one row each. */
#include <math.h>
#include <stdio.h>

#include "linalg/linalg.h"
#include "payload/payload_internal.h"

static bool has_inertia(const rbv_payload *p) {
  for (int i = 0; i < 6; i++)
    if (!isfinite(p->inertia_sigma[i])) return false;
  return p->inertia_possible;
}

static bool has_centre(const rbv_payload *p) {
  for (int i = 0; i < 3; i++)
    if (!isfinite(p->centre_sigma[i])) return false;
  return isfinite(p->mass_sigma);
}

/* Decimals with which a number shows two digits of its sigma, 6 at most. */
static int decimals(const double *sigma, int n) {
  double least = INFINITY;
  for (int i = 0; i < n; i++) least = fmin(least, sigma[i]);
  return least > 0 ? (int)fmin(6, fmax(0, 1 - floor(log10(least)))) : 6;
}

/* mass, centre and inertia (about the centre: xx xy xz yy yz zz) with the digits that are known */
typedef struct {
  char mass[32], centre[3][32], inertia[6][32];
} digits;

static void print_digits(digits *d, const rbv_payload *p) {
  static const double zero[6];
  const double *I = has_inertia(p) ? p->inertia : zero;
  snprintf(d->mass, sizeof d->mass, "%.*f", decimals(&p->mass_sigma, 1), p->mass);
  for (int i = 0; i < 3; i++)
    snprintf(d->centre[i], sizeof d->centre[i], "%.*f", decimals(p->centre_sigma, 3), p->centre[i]);
  for (int i = 0; i < 6; i++)
    snprintf(d->inertia[i], sizeof d->inertia[i], "%.*f",
             has_inertia(p) ? decimals(p->inertia_sigma, 6) : 1, I[i]);
}

/* URScript: inertia in the order xx yy zz xy xz yz */
static void universal_robots(char *out, size_t size, const rbv_payload *p, const digits *d) {
  const char(*c)[32] = (const char(*)[32])d->centre, (*i)[32] = (const char(*)[32])d->inertia;
  if (has_inertia(p))
    snprintf(out, size, "set_target_payload(%s, [%s, %s, %s], [%s, %s, %s, %s, %s, %s])", d->mass,
             c[0], c[1], c[2], i[0], i[3], i[5], i[1], i[2], i[4]);
  else
    snprintf(out, size, "set_payload(%s, [%s, %s, %s])", d->mass, c[0], c[1], c[2]);
}

/* the RTDE interface ur_rtde: mass and centre */
static void rtde(char *out, size_t size, const rbv_payload *p, const digits *d) {
  (void)p;
  snprintf(out, size, "rtde_c.setPayload(%s, [%s, %s, %s])", d->mass, d->centre[0], d->centre[1],
           d->centre[2]);
}

/* nine numbers, column by column, with the text between them */
static int matrix(char *out, size_t size, const digits *d) {
  static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
  int n = 0;
  for (int k = 0; k < 9 && n < (int)size; k++)
    n += snprintf(out + n, size - (size_t)n, "%s%s", k ? ", " : "", d->inertia[at[k]]);
  return n;
}

static void franka(char *out, size_t size, const rbv_payload *p, const digits *d) {
  char nine[320];
  (void)p;
  matrix(nine, sizeof nine, d);
  snprintf(out, size, "robot.setLoad(%s, {{%s, %s, %s}}, {{%s}});", d->mass, d->centre[0],
           d->centre[1], d->centre[2], nine);
}

/* endeffector-config.json of Franka's Desk; its transformation is that of the flange */
static void franka_desk(char *out, size_t size, const rbv_payload *p, const digits *d) {
  char nine[320];
  (void)p;
  matrix(nine, sizeof nine, d);
  snprintf(out, size,
           "{\"mass\": %s, \"centerOfMass\": [%s, %s, %s], \"inertia\": [%s], "
           "\"transformation\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}",
           d->mass, d->centre[0], d->centre[1], d->centre[2], nine);
}

/* SDF, which Gazebo and Drake read */
static void sdf(char *out, size_t size, const rbv_payload *p, const digits *d) {
  const int n = snprintf(out, size, "<inertial><pose>%s %s %s 0 0 0</pose><mass>%s</mass>",
                         d->centre[0], d->centre[1], d->centre[2], d->mass);
  static const char *const tag[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  int at = n;
  if (has_inertia(p)) at += snprintf(out + at, size - (size_t)at, "<inertia>");
  for (int i = 0; i < 6 && has_inertia(p); i++)
    at += snprintf(out + at, size - (size_t)at, "<%s>%s</%s>", tag[i], d->inertia[i], tag[i]);
  snprintf(out + at, size - (size_t)at, "%s</inertial>", has_inertia(p) ? "</inertia>" : "");
}

/*
 * KRL: millimetres, the principal inertias, and their axes by A about z, B about the new y and C
 * about the new x [degrees].
 */
static void kuka(char *out, size_t size, const rbv_payload *p, const digits *d) {
  const double *i = p->inertia;
  const double I[9] = {i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5]};
  double J[3] = {0}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  (void)d;
  if (has_inertia(p) && rbv_eigen_symmetric(J, R, I, 3, 3) != RBV_OK) return;
  // the third axis makes it a rotation
  R[6] = R[1] * R[5] - R[2] * R[4];
  R[7] = R[2] * R[3] - R[0] * R[5];
  R[8] = R[0] * R[4] - R[1] * R[3];
  const double degree = 180 / RBV_PI, A = degree * atan2(R[1], R[0]);
  const double B = degree * atan2(-R[2], hypot(R[0], R[1])), C = degree * atan2(R[5], R[8]);
  const int mm = decimals(p->centre_sigma, 3) > 3 ? decimals(p->centre_sigma, 3) - 3 : 0;
  const int digit = has_inertia(p) ? decimals(p->inertia_sigma, 6) : 1;
  snprintf(out, size,
           "LOAD_DATA[1]={M %s,CM {X %.*f,Y %.*f,Z %.*f,A %.1f,B %.1f,C %.1f},J {X %.*f,Y %.*f,Z "
           "%.*f}}",
           d->mass, mm, 1e3 * p->centre[0], mm, 1e3 * p->centre[1], mm, 1e3 * p->centre[2], A, B, C,
           digit, J[0], digit, J[1], digit, J[2]);
}

static const struct {
  rbv_controller_line shown;
  void (*write)(char *out, size_t size, const rbv_payload *p, const digits *d);
} rows[] = {
    {{"universal_robots", "Universal Robots (URScript)"}, universal_robots},
    {{"ur_rtde", "Universal Robots (ur_rtde)"}, rtde},
    {{"franka", "Franka (libfranka)"}, franka},
    {{"franka_desk", "Franka (endeffector-config.json)"}, franka_desk},
    {{"kuka", "KUKA (KRL)"}, kuka},
    {{"sdf", "SDF (Gazebo, Drake)"}, sdf},
};

const rbv_controller_line *rbv_controller_line_at(int i) {
  return i >= 0 && i < RBV_COUNT(rows) ? &rows[i].shown : NULL;
}

bool rbv_controller_line_write(char *out, size_t size, int i, const rbv_payload *p) {
  if (!rbv_controller_line_at(i) || !p || !has_centre(p)) return false;
  digits d;
  *out = 0;
  print_digits(&d, p);
  rows[i].write(out, size, p, &d);
  return true;
}
