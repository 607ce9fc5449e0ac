/*
 * The functions of LAPACK that linalg calls, as OpenBLAS has them: its C interface would be four
 * more shared libraries. Matrices are column-major, as everywhere. They return info. Fortran gets
 * every argument by address, and the lengths of texts after all others.
 */
#ifndef LINALG_LAPACK_H
#define LINALG_LAPACK_H

#include <stddef.h>

#define LAPACK(name, ...) extern void name##_(__VA_ARGS__)
LAPACK(dgeqp3, const int *, const int *, double *, const int *, int *, double *, double *,
       const int *, int *);
LAPACK(dgeqrf, const int *, const int *, double *, const int *, double *, double *, const int *,
       int *);
LAPACK(dgesdd, const char *, const int *, const int *, double *, const int *, double *, double *,
       const int *, double *, const int *, double *, const int *, int *, int *, size_t);
LAPACK(dpotrf, const char *, const int *, double *, const int *, int *, size_t);
LAPACK(dpotrs, const char *, const int *, const int *, const double *, const int *, double *,
       const int *, int *, size_t);
LAPACK(dsyevd, const char *, const char *, const int *, double *, const int *, double *, double *,
       const int *, int *, const int *, int *, size_t, size_t);
LAPACK(dtrtrs, const char *, const char *, const char *, const int *, const int *, const double *,
       const int *, double *, const int *, int *, size_t, size_t, size_t);
LAPACK(dtrtri, const char *, const char *, const int *, double *, const int *, int *, size_t,
       size_t);
LAPACK(dgesv, const int *, const int *, double *, const int *, int *, double *, const int *, int *);
LAPACK(dgelsd, const int *, const int *, const int *, double *, const int *, double *, const int *,
       double *, const double *, int *, double *, const int *, int *, int *);
extern double dlange_(const char *, const int *, const int *, const double *, const int *, double *,
                      size_t);
#undef LAPACK

static inline int lapack_dgeqp3(int m, int n, double *A, int ld, int *order, double *tau,
                                double *work, int lwork) {
  int info = 0;
  dgeqp3_(&m, &n, A, &ld, order, tau, work, &lwork, &info);
  return info;
}

static inline int lapack_dgeqrf(int m, int n, double *A, int ld, double *tau, double *work,
                                int lwork) {
  int info = 0;
  dgeqrf_(&m, &n, A, &ld, tau, work, &lwork, &info);
  return info;
}

static inline int lapack_dgesdd(char job, int m, int n, double *A, int ld, double *s, double *U,
                                int ldu, double *Vt, int ldv, double *work, int lwork, int *iwork) {
  int info = 0;
  dgesdd_(&job, &m, &n, A, &ld, s, U, &ldu, Vt, &ldv, work, &lwork, iwork, &info, 1);
  return info;
}

static inline double lapack_dlange(char norm, int m, int n, const double *A, int ld, double *work) {
  return dlange_(&norm, &m, &n, A, &ld, work, 1);
}

static inline int lapack_dpotrf(char side, int n, double *A, int ld) {
  int info = 0;
  dpotrf_(&side, &n, A, &ld, &info, 1);
  return info;
}

static inline int lapack_dpotrs(char side, int n, int nrhs, const double *L, int ld, double *B,
                                int ldb) {
  int info = 0;
  dpotrs_(&side, &n, &nrhs, L, &ld, B, &ldb, &info, 1);
  return info;
}

static inline int lapack_dsyevd(char job, char side, int n, double *A, int ld, double *values,
                                double *work, int lwork, int *iwork, int liwork) {
  int info = 0;
  dsyevd_(&job, &side, &n, A, &ld, values, work, &lwork, iwork, &liwork, &info, 1, 1);
  return info;
}

static inline int lapack_dtrtrs(char side, char transposed, char unit, int n, int nrhs,
                                const double *R, int ld, double *B, int ldb) {
  int info = 0;
  dtrtrs_(&side, &transposed, &unit, &n, &nrhs, R, &ld, B, &ldb, &info, 1, 1, 1);
  return info;
}

static inline int lapack_dtrtri(char side, char unit, int n, double *R, int ld) {
  int info = 0;
  dtrtri_(&side, &unit, &n, R, &ld, &info, 1, 1);
  return info;
}

static inline int lapack_dgesv(int n, int nrhs, double *A, int ld, int *swaps, double *B, int ldb) {
  int info = 0;
  dgesv_(&n, &nrhs, A, &ld, swaps, B, &ldb, &info);
  return info;
}

static inline int lapack_dgelsd(int m, int n, int nrhs, double *A, int ld, double *B, int ldb,
                                double *s, double rcond, int *rank, double *work, int lwork,
                                int *iwork) {
  int info = 0;
  dgelsd_(&m, &n, &nrhs, A, &ld, B, &ldb, s, &rcond, rank, work, &lwork, iwork, &info);
  return info;
}

#endif
