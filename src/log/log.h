/* What other modules of the library use of log, beside its public header. */
#ifndef LOG_LOG_H
#define LOG_LOG_H

#include <roberval/sys/log.h>

/* ---- columns ---- */

/*
 * What a column name means: "tau3" is RBV_CHANNEL_TORQUE of joint 2 (joints count from 0 here), "t"
 * is RBV_CHANNEL_TIME of joint -1. A stem alone ("q") is joint 0. Anything else is
 * RBV_CHANNEL_OTHER of joint -1.
 */
rbv_channel rbv_channel_parse(int *joint, const char *name);

/* ---- column maps ---- */

/*
 * Where the torque of a recording was measured. The map states it, or it follows from the columns
 * (tauj and no other torque: joint; tauj and tau or taum: both; taum alone: motor). Otherwise it is
 * RBV_LOG_SENSING_UNKNOWN.
 */
typedef enum {
  RBV_LOG_SENSING_UNKNOWN,
  RBV_LOG_SENSING_MOTOR,
  RBV_LOG_SENSING_JOINT,
  RBV_LOG_SENSING_BOTH
} rbv_log_sensing;

/* ---- columns by their content ---- */

/*
 * One reading of the columns of a recording: positions, and blocks of columns that may be the
 * torques. Sample k of joint j is at [k + j * count].
 */
typedef struct {
  ptrdiff_t count;
  const double *q, *dq, *ddq;  /* [rad or m, per second] */
  const double *const *torque; /* ntorque blocks, smoothed as the positions */
  int ntorque;
} rbv_log_reading;

/* How well a model explains a block as its torques. */
typedef struct {
  double error; /* held-out error over the deviation of the torque: geometric mean of the joints */
  double scale; /* the block over the torque that the robot file predicts; NaN: not known */
} rbv_log_explained;

/* What is known of the robot while columns are recognised. */
typedef struct {
  const bool *slides; /* of each joint: a prismatic one */
  rbv_status (*explain)(rbv_log_explained *out, void *self, const rbv_log_reading *reading);
  void *self;
} rbv_log_physics;

/* ---- formats ---- */

/*
 * The formats that logs are read from, i from 0 to count - 1. NULL if there is no format i. Static
 * storage.
 */
int rbv_log_format_count(void);
const char *rbv_log_format_name(int i); /* "MAT 7.3" */
const char *rbv_log_format_text(int i); /* one sentence about it */

/* Why files of format i cannot be read in pieces; NULL if they can. */
const char *rbv_log_format_whole_only(int i);

/* ---- logs ---- */

const char *rbv_log_format(const rbv_log *log); /* name of its format, or "memory" */
bool rbv_log_is_raw(const rbv_log *log);        /* no column of a joint is known */
rbv_log_sensing rbv_log_get_sensing(const rbv_log *log);

/* Number of joints, counted from 0 without a gap, that have this channel. */
int rbv_log_channel_count(const rbv_log *log, rbv_channel channel);

/*
 * Sort the joints into the order of these names, which are those of a robot. A log without names
 * does not change. Refused: a joint of the log that is not among the names. A joint whose name is
 * not in the log has no channels. Call this before threads share the log.
 */
RBV_MUST_CHECK rbv_status rbv_log_order_joints(rbv_log *log, const char *const *names, int n);

/*
 * Rows of the recording per row of the log. Where a recorder wrote rows faster than new values came
 * (zero-order hold), the log has one row per value; this is the factor. 0: each row is in the log.
 */
double rbv_log_held(const rbv_log *log);

/* ---- time stamps ---- */

typedef struct {
  bool known;      /* false: no time column, fewer than two stamps, or none finite */
  bool increasing; /* every stamp is larger than the one before */
  bool regular;    /* and all are within 1 % of a step of the grid from first to last */
  double start;    /* first stamp                                        [s] */
  double duration; /* last minus first                                   [s] */
  double period;   /* duration / (samples - 1)                           [s] */
  double median;   /* of the steps; the lower one of two                 [s] */
  double shortest; /* step; may be negative                              [s] */
  double longest;  /* step                                               [s] */
  double jitter;   /* root mean square of step minus median, over median [1] */
} rbv_log_rate;

rbv_log_rate rbv_log_get_rate(const rbv_log *log);

/*
 * The unit of time that a median step suggests: "ns", "us", "ms" (units of a column map), "" if it
 * is too short for any of them, or NULL if it can be in seconds (1 us to 0.5 s).
 */
const char *rbv_log_time_unit(double median_step);

/*
 * Samples that are stamped at the same time as another one, or almost: within a quarter of the
 * median step after it. One of the two stamps is wrong; interpolation between them would turn
 * noise into large speeds.
 *
 *   close  out  samples: true for the one of the two that fits the clock less
 *
 * Returns the number of such samples; 0 without a clock that advances.
 */
ptrdiff_t rbv_log_close_stamps(bool *close, const rbv_log *log);

/*
 * SHA-256 of a recording as 64 hexadecimal digits: of the file, or of the hashes of the files of a
 * folder or of a path "A+B".
 */
RBV_MUST_CHECK rbv_status rbv_log_hash(char out[65], const char *path);

/*
 * A remark in the first lines of a CSV file, "# roberval KEY TEXT": see rbv_csv_remark.
 *
 *   out  out  the text behind the key; NULL: there is none, or the file is a pipe. rbv_free it
 */
RBV_MUST_CHECK rbv_status rbv_log_remark(char **out, const char *path, const char *key);

/* ---- recordings larger than memory ---- */

typedef struct {
  bool regular;   /* all stamps are within 1 % of a step of the grid from first to last */
  bool repeats;   /* a stamp occurs twice */
  bool gaps;      /* a step is longer than 1.5 mean steps */
  double rate_hz; /* (samples - 1) / duration */
} rbv_log_clock;

/* See <roberval/sys/log.h>. */
const char *rbv_log_file_name(const rbv_log_file *file);
ptrdiff_t rbv_log_file_samples(const rbv_log_file *file);
double rbv_log_file_held(const rbv_log_file *file); /* as rbv_log_held */
rbv_log_clock rbv_log_file_clock(const rbv_log_file *file);

typedef struct rbv_log_reader rbv_log_reader;

/* A reader borrows the file. */
RBV_MUST_CHECK rbv_status rbv_log_reader_new(rbv_log_reader **out, const rbv_log_file *file);
void rbv_log_reader_free(rbv_log_reader *reader);

/*
 * Samples first to first + count - 1 as a separate log; the caller frees it. Samples that overlap
 * the previous piece are not read again. Reading forwards is fastest.
 */
RBV_MUST_CHECK rbv_status rbv_log_reader_read(rbv_log **out, rbv_log_reader *reader,
                                              ptrdiff_t first, ptrdiff_t count);

/* ---- defects ---- */

typedef enum {
  RBV_DEFECT_MISSING, /* not a number */
  RBV_DEFECT_INFINITE,
  RBV_DEFECT_SATURATED,
  RBV_DEFECT_CONSTANT,
  RBV_DEFECT_ZERO_TORQUE, /* throughout */
} rbv_defect_kind;

typedef struct {
  rbv_defect_kind kind;
  int column;       /* of the log */
  ptrdiff_t sample; /* first sample of the defect */
  ptrdiff_t count;  /* number of samples */
  double value;     /* the first one */
} rbv_defect;

typedef struct {
  rbv_defect *items; /* by column, then sample */
  int count;
} rbv_defect_list;

/*
 * Find the defects of one kind. Saturation is searched in torques only, because positions stay at
 * their extremes.
 */
RBV_MUST_CHECK rbv_status rbv_log_scan(rbv_defect_list *out, const rbv_log *log,
                                       rbv_defect_kind kind);
void rbv_defect_list_free(rbv_defect_list *list); /* frees its content; NULL is allowed */

/*
 * Refuse a recording that cannot be used for identification, with RBV_EINPUT and the place: no time
 * column, fewer than least samples, time that runs backwards or does not advance, a value of a
 * known channel that is not finite, no torque, or all torques zero.
 */
RBV_MUST_CHECK rbv_status rbv_log_require(const rbv_log *log, ptrdiff_t least);

/* ---- bad rows ---- */

/* "spike" for RBV_BAD_SPIKE. Static storage. */
const char *rbv_bad_name(rbv_bad_kind kind);

/* A value, or a whole row, that must not be used. */
typedef struct {
  rbv_bad_kind kind;
  int column;       /* of the log; -1: the whole row */
  ptrdiff_t sample; /* row of the log, from 0 */
  double value;     /* as recorded */
  double expected;  /* by the neighbours; NaN: not known */
} rbv_bad_value;

typedef struct {
  rbv_bad_value *items; /* by row, then column */
  int count;
  ptrdiff_t rows; /* that have an item */
  bool *row;      /* samples: has the row an item? */
} rbv_bad_rows;

/* How much of a log is bad: nothing; single samples, which change no estimate; samples that can be
 * left out with care; more, or rows that are bad in another way. */
typedef enum { RBV_BAD_NONE, RBV_BAD_SINGLE, RBV_BAD_SEVERAL, RBV_BAD_MANY } rbv_bad_extent;
rbv_bad_extent rbv_bad_rows_extent(const rbv_bad_rows *bad, ptrdiff_t samples);

typedef struct {
  int njoint;      /* columns of later joints are not examined; 0: all are */
  bool velocities; /* examine recorded velocities and accelerations too */
} rbv_bad_options;

/*
 * Find rows that must not be used: cells without a finite number (known channels), time stamps out
 * of order, and corrupt values of positions, reference positions and torques: samples that leave
 * the signal and return, for up to 20 samples. What is usual in a column decides, so that steps of
 * friction, coarse encoders and noise are not corrupt. Positions that jump for good (an encoder
 * that wraps around) and defects in more than 2 % of the samples are not found: these are no
 * accidents of single rows.
 *
 *   options  in  NULL: all joints, positions and torques
 */
RBV_MUST_CHECK rbv_status rbv_log_find_bad_rows(rbv_bad_rows *out, const rbv_log *log,
                                                const rbv_bad_options *options);
void rbv_bad_rows_free(rbv_bad_rows *list); /* frees its content; NULL is allowed */

/* "line 812: q3 = 253 between samples near 0.41", without the name of the file. */
void rbv_bad_value_describe(char *out, size_t size, const rbv_log *log, const rbv_bad_value *item);

/* What became of the bad rows. */
typedef struct {
  ptrdiff_t filled;  /* rows whose values were interpolated */
  ptrdiff_t removed; /* rows that are not in the copy */
} rbv_drop_info;

/*
 * A copy of the log without its bad rows. Up to five bad rows between good ones are replaced by
 * interpolation if their time is known, from their own stamps or at a regular rate; other rows are
 * removed, which leaves a gap. Of a row with one bad value only this value is replaced.
 */
RBV_MUST_CHECK rbv_status rbv_log_without(rbv_log **out, rbv_drop_info *info, const rbv_log *log,
                                          const rbv_bad_rows *bad);

/* Number of a sample of such a copy in the log that was copied; of another log, the sample itself.
 */
ptrdiff_t rbv_log_origin(const rbv_log *log, ptrdiff_t sample);

/* True if a row of a copy is bad in its original and was interpolated. */
bool rbv_log_is_filled(const rbv_log *log, ptrdiff_t sample);

/* A copy with samples 0, stride, 2 stride, ... */
RBV_MUST_CHECK rbv_status rbv_log_every(rbv_log **out, const rbv_log *log, ptrdiff_t stride);

/* A copy with count samples from first on. */
RBV_MUST_CHECK rbv_status rbv_log_part(rbv_log **out, const rbv_log *log, ptrdiff_t first,
                                       ptrdiff_t count);

/* As rbv_log_load, but rows that cannot be read (text, a wrong number of columns, a truncated last
 * line) become rows of NaN, unless they are frequent. */
RBV_MUST_CHECK rbv_status rbv_log_load_tolerant(rbv_log **out, const char *path,
                                                const rbv_log_map *map);

/* ---- traces ---- */

/* A signal of all joints. */
typedef struct {
  const char *name;     /* "measured" */
  const double *values; /* rows x njoint, column-major */
  bool torque;
} rbv_trace_signal;

typedef struct {
  const char *const *joints;
  int njoint;
  const double *t; /* rows [s] */
  ptrdiff_t rows;
  const rbv_trace_signal *signals;
  int nsignal;
} rbv_trace;

/*
 * Write signals for other programs; the ending of the name decides how. .csv: columns t and
 * JOINT/SIGNAL. .npz: arrays t, joints and one per signal. .mcap: a topic of sensor_msgs/JointState
 * for each torque, with it as the effort and with the signals q and dq; PlotJuggler and Foxglove
 * open it.
 */
RBV_MUST_CHECK rbv_status rbv_trace_write(const char *path, const rbv_trace *trace);
bool rbv_trace_known(const char *path); /* is the ending one of these? */

/* ---- writing CSV ---- */

/* A line "# roberval TEXT" before the rows; rbv_log_remark reads it, other programs skip it. */
RBV_MUST_CHECK rbv_status rbv_csv_remark(rbv_csv_writer *writer, const char *text);

/* Write one field with text to a stream, quoted where it needs it, formulas made harmless. */
void rbv_csv_put_text(FILE *stream, const char *text);

/* ---- columns ---- */

/* "tau" for RBV_CHANNEL_TORQUE, "" for RBV_CHANNEL_OTHER and for other numbers. Static storage. */
const char *rbv_channel_name(rbv_channel channel);

/* ---- column maps ---- */

/* See <roberval/sys/log.h>. */
RBV_MUST_CHECK rbv_status rbv_log_map_load(rbv_log_map **out, const char *path);

#endif
