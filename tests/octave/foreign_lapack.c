/* A LAPACK that is not ours: whoever calls it ends with exit code 99. */
#include <stdio.h>
#include <unistd.h>

void dgeqp3_(void);
void dgeqrf_(void);
void dgesdd_(void);
void dpotrf_(void);
void dsyevd_(void);
void dormqr_(void);
void dtrtrs_(void);

static void stop(void) {
  static const char text[] = "foreign LAPACK\n";
  if (write(2, text, sizeof text - 1) > 0) _exit(99);
  _exit(98);
}

void dgeqp3_(void) { stop(); }
void dgeqrf_(void) { stop(); }
void dgesdd_(void) { stop(); }
void dpotrf_(void) { stop(); }
void dsyevd_(void) { stop(); }
void dormqr_(void) { stop(); }
void dtrtrs_(void) { stop(); }
