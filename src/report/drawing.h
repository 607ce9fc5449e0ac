/*
 * A figure with axes, as SVG. Coordinates are given in the units of the axes; NaN breaks a line.
 * Colours are CSS classes (c1 measured, c2 predicted, c3 and c4 others), so that one style works
 * for light and dark. Every axis has a label: "quantity [unit]", or the word for names and for
 * numbers without a unit.
 */
#ifndef REPORT_DRAWING_H
#define REPORT_DRAWING_H

#include "base/support.h"

typedef struct {
  char name[64];    // file name without .svg
  char title[192];  // content
  const char *xlabel, *ylabel;
  double width, height;
  double xmin, xmax, ymin, ymax;
  bool xlog, ylog;
  int bottom;   // height for names below the x axis; 0: height of numbers
  bool bare;    // the caller draws the ticks of the x axis
  bool legend;  // reserve space for a legend
  bool window;  // lines are in a window that the script of a page can zoom
  // filled by rbv_draw_axes
  double left, top, w, h;
  double legend_x;
  rbv_text body;
} drawing;

#define DRAWING_WIDE 900
#define DRAWING_SMALL 330

/* An empty drawing of this size; labels are borrowed. */
drawing rbv_drawing(double width, double height, const char *xlabel, const char *ylabel);

/* Widen [low, high] by a share at each end, so that it is not empty. Not finite: 0 to 1. */
void rbv_draw_range(double *low, double *high, double share);

/* Widen [low, high] to the finite values of x; NaN, or infinite the other way: still empty. */
void rbv_draw_include(double *low, double *high, const double *x, ptrdiff_t n);

/* Frame, grid, ticks and labels. Ranges must be set. What is drawn from here to
 * rbv_draw_close_window is in the window, if the drawing has one. */
void rbv_draw_axes(drawing *d);
void rbv_draw_close_window(drawing *d);
double rbv_draw_x(const drawing *d, double x);
double rbv_draw_y(const drawing *d, double y);

void rbv_draw_line(drawing *d, const char *class, const double *x, const double *y, ptrdiff_t n);

/* The same; the script reads values of the line under this name. */
void rbv_draw_named_line(drawing *d, const char *class, const char *name, const double *x,
                         const double *y, ptrdiff_t n);
void rbv_draw_band(drawing *d, const char *class, const double *x, const double *low,
                   const double *high, ptrdiff_t n);
void rbv_draw_dots(drawing *d, const char *class, const double *x, const double *y, ptrdiff_t n);
void rbv_draw_bar(drawing *d, const char *class, double x0, double x1, double y0, double y1);
void rbv_draw_horizontal(drawing *d, const char *class, double y);  // a horizontal line at y
void rbv_draw_vertical(drawing *d, const char *class, double x);    // a vertical line at x

/* An entry of the legend: a line for "c1", a square for "f1". */
void rbv_draw_legend(drawing *d, const char *class, const char *text);

/* Text at a pixel position; anchor "start", "middle" or "end". */
void rbv_draw_text(drawing *d, double px, double py, const char *anchor, const char *text);

/* Names below the x axis instead of numbers; vertical when they do not fit. */
void rbv_draw_names(drawing *d, const char *const *name, int n);

/* The figure as an SVG file, or as an element of a page. */
void rbv_draw_file(rbv_text *out, const drawing *d, const char *style);
void rbv_draw_inline(rbv_text *out, const drawing *d);
void rbv_draw_free(drawing *d);

#endif
