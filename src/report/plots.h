/*
 * What other modules may use of this one: plots that several pages share, on top of drawing.h, and
 * the frame of pages. A plot sets the ranges of the axes, draws the axes and the marks. The caller
 * sets name, title, labels and size before.
 */
#ifndef REPORT_PLOTS_H
#define REPORT_PLOTS_H

#include <roberval/sys/control.h>

#include "report/drawing.h"

/* A figure as an SVG file with its style, light and dark. */
void rbv_plot_file(rbv_text *out, const drawing *d);

/* A page in the frame of all pages: head, style, contents, foot and scripts. */
typedef struct {
  const char *id, *name;
} page_link;
typedef struct {
  const char *title, *kind, *headline, *sub; /* text; headline "": none */
  const page_link *link;                     /* of the contents */
  int nlink;
  void (*write)(rbv_text *out, const void *self); /* what is between head and foot, as HTML */
  const void *self;
} page_frame;
void rbv_page_framed(rbv_text *out, const page_frame *frame);

/* Curves with a legend, if any of them has a name. Ranges that are set (max > min) are kept. */
typedef struct {
  const char *class, *name; /* "c1"; name NULL: not in the legend */
  const double *x, *y;
  ptrdiff_t count;
} plot_curve;
void rbv_plot_curves(drawing *d, const plot_curve *curve, int count);

/*
 * Lines over time in a window that the script can zoom: one set of times for all. Lines and limits
 * set the range of y; a band that is not "shown" does not, because a recorded torque can be much
 * noisier than the lines.
 */
#define RBV_PLOT_TIME_MOST 5
typedef struct {
  const double *t;
  ptrdiff_t count;
  const double *low, *high; /* of a band; NULL: none */
  bool band_shown;
  const double *limit; /* two, not finite: none; NULL: none */
  int ncurve;
  struct {
    const char *class, *name;
    const double *y;
  } curve[RBV_PLOT_TIME_MOST];
} plot_time;
void rbv_plot_time(drawing *d, const plot_time *p);

/* Points, with their ranges and a line at zero; of a curve only class, x, y and count are used. */
void rbv_plot_points(drawing *d, const plot_curve *points, int count);

/*
 * Bars in groups, with a legend. The height of the drawing is reduced if the names of the groups
 * fit below the axis. A value that is not finite has no bar.
 */
typedef struct {
  const char *class, *name; /* "f1"; of the legend */
  const double *value;      /* one per group */
} plot_bars;
void rbv_plot_bars(drawing *d, const char *const *group, int ngroup, const plot_bars *bars,
                   int count);

/*
 * Box plot: median, quartiles, and whiskers to the last value within 1.5 interquartile ranges;
 * values beyond are dots. work has the length of the longest group.
 */
typedef struct {
  const char *class, *name; /* "f1" for the box; below the axis */
  const double *value;
  int count; /* 1 to RBV_PLOT_BOX_MOST */
} plot_box;
#define RBV_PLOT_BOX_MOST 1000
void rbv_plot_boxes(drawing *d, const plot_box *box, int count);

/*
 * A table with entries from -1 to 1 as a map of shades; NaN has no cell. Entries of at least 7/9
 * and at most -7/9 have the extreme shades.
 *
 *   A    in  nrow x ncol, column-major
 *   row  in  nrow names; col: ncol names below
 *   key  in  labels of the RBV_PLOT_SHADES shades, from -1 to 1; NULL: values in the middle
 *   xlabel and ylabel of the drawing are the labels of columns and rows.
 */
#define RBV_PLOT_SHADES 9
typedef struct {
  const double *A;
  int nrow, ncol;
  const char *const *row, *const *col;
  const char *title;      /* of the key, "correlation [1]" */
  const char *const *key; /* NULL: values */
  bool positive;          /* the scale starts at 0 */
} plot_grid;
void rbv_plot_grid(drawing *d, const plot_grid *grid);

/* The same for a square matrix; the scale starts at 0 if no entry is negative. */
void rbv_plot_matrix(drawing *d, const double *A, const char *const *name, int n, const char *key);

/* Histogram with the normal density of the same mean and variance; values beyond 4 sigma are not
 * shown, their number is returned. Less than 8 values or no variance: an empty frame. */
ptrdiff_t rbv_plot_histogram(drawing *d, const double *e, ptrdiff_t n);

/* Autocorrelation with the 2 sigma bounds of white noise; returns the number of lags from 1 to lags
 * that are outside, -1 if it cannot be computed (nothing is drawn then). */
int rbv_plot_autocorrelation(drawing *d, const double *e, ptrdiff_t n, int lags);

/* Bode plot of discrete transfer functions: gain [dB] and phase [degrees, unwrapped]. */
typedef struct {
  const char *class, *name;
  const rbv_transfer *H;
} plot_transfer;
RBV_MUST_CHECK rbv_status rbv_plot_bode(drawing *gain, drawing *phase, const plot_transfer *t,
                                        int count, double low_hz, double rate_hz);

#endif
