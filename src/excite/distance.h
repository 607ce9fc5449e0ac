/* Distances between segments and boxes. */
#ifndef EXCITE_DISTANCE_H
#define EXCITE_DISTANCE_H

/* Between the segments a-b and c-d. */
double rbv_segment_distance(const double a[3], const double b[3], const double c[3],
                            const double d[3]);

/* Between the segment a-b and a box along the axes; 0 when it enters. */
double rbv_box_distance(const double a[3], const double b[3], const double min[3],
                        const double max[3]);

#endif
