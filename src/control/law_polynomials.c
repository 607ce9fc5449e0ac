/* Polynomials of linear laws: in delays, in differences, and with poles inside the unit circle. */
#include <string.h>

#include "control/linear_law.h"

/* (1 - z^-1)^i has the coefficients (-1)^j i!/(j! (i - j)!), and z^-1 = 1 - d the same in d */
void law_swap_basis(double *out, const double *in, int count) {
  double c[LAW_COEFFICIENTS + 1] = {0};
  for (int i = 0; i < count; i++) {
    double binomial = 1;
    for (int j = 0; j <= i; j++) {
      c[j] += (j % 2 ? -1 : 1) * binomial * in[i];
      binomial *= (double)(i - j) / (j + 1);
    }
  }
  memcpy(out, c, (size_t)count * sizeof *c);
}

void law_poles_plain(double *F, const double *phi, int nf) {
  law_swap_basis(F + 1, phi, nf);
  F[0] = 1;
  for (int i = 1; i <= nf; i++) F[i] = -F[i];
}

void law_poles_differences(double *phi, const double *F, int nf) {
  double late[LAW_COEFFICIENTS];
  for (int i = 0; i < nf; i++) late[i] = -F[i + 1] / F[0];
  law_swap_basis(phi, late, nf);
}

void law_stabilise(double *phi, int nf) {
  if (nf == 0) return;
  rbv_transfer H = {.nnum = 1, .nden = nf + 1, .num = {1}};
  law_poles_plain(H.den, phi, nf);
  double zero, pole;
  rbv_transfer_extent(&zero, &pole, &H);
  if (pole < 1 - 1e-7) return;
  double shrink = 1;
  for (int i = 1; i <= nf; i++) {
    shrink *= 0.999 / pole;
    H.den[i] *= shrink;
  }
  law_poles_differences(phi, H.den, nf);
}
