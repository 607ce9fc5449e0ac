/*
 * log: what a recorder wrote. CSV and MAT files become named columns in SI units; a column map in
 * YAML says what columns with other names, units, signs and gears mean; the time stamps are judged
 * and defects found, with their place in the file.
 *
 * Column names without a map: t, and per joint 1, 2, ...
 *
 *   q dq ddq      position, velocity, acceleration at the joint     [rad or m, /s, /s^2]
 *   tau           torque of the drive, referred to the joint        [N m or N]
 *   qm taum       position and torque at the rotor, before the gear [rad, N m]
 *   tauj          joint torque sensor                               [N m or N]
 *   qr dqr ddqr   reference                                         [rad or m, /s, /s^2]
 *
 * A log does not change once it is loaded; many threads may read it.
 */
#ifndef ROBERVAL_SYS_LOG_H
#define ROBERVAL_SYS_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include <roberval/sys/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a column is ---- */

/* enumerator, stem of the name, unit at a revolute joint */
#define RBV_CHANNEL_LIST(X)                                \
  X(RBV_CHANNEL_TIME, "t", "s")                            \
  X(RBV_CHANNEL_POSITION, "q", "rad")                      \
  X(RBV_CHANNEL_VELOCITY, "dq", "rad/s")                   \
  X(RBV_CHANNEL_ACCELERATION, "ddq", "rad/s^2")            \
  X(RBV_CHANNEL_TORQUE, "tau", "N m")                      \
  X(RBV_CHANNEL_MOTOR_POSITION, "qm", "rad")               \
  X(RBV_CHANNEL_MOTOR_TORQUE, "taum", "N m")               \
  X(RBV_CHANNEL_JOINT_TORQUE, "tauj", "N m")               \
  X(RBV_CHANNEL_REFERENCE_POSITION, "qr", "rad")           \
  X(RBV_CHANNEL_REFERENCE_VELOCITY, "dqr", "rad/s")        \
  X(RBV_CHANNEL_REFERENCE_ACCELERATION, "ddqr", "rad/s^2") \
  X(RBV_CHANNEL_OTHER, "", "")

typedef enum {
#define X(name, stem, unit) name,
  RBV_CHANNEL_LIST(X)
#undef X
} rbv_channel;

/* "tau" for RBV_CHANNEL_TORQUE, "" for RBV_CHANNEL_OTHER and what is none. Static storage. */
RBV_API const char *rbv_channel_name(rbv_channel channel);

/*
 * What a column name means: "tau3" is RBV_CHANNEL_TORQUE of joint 2 (joints count from 0 here), "t"
 * is RBV_CHANNEL_TIME of joint -1. A stem alone ("q") is joint 0. Anything else is
 * RBV_CHANNEL_OTHER of joint -1.
 */
RBV_API rbv_channel rbv_channel_parse(int *joint, const char *name);

typedef struct {
  const char *name; /* "q1"; RBV_CHANNEL_OTHER: as in the file, or its number without a header */
  rbv_channel channel;
  int joint;              /* from 0; -1 for time and other */
  const double *values;   /* samples of them, contiguous */
  const char *conversion; /* how it came from the file's column; NULL when taken as it was */
} rbv_log_column;

/* ---- column maps ---- */

/*
 * Where the torque of a recording was measured: RBV_LOG_SENSING_UNKNOWN unless the map says it or
 * the columns leave one reading (tauj and no other torque: joint; tauj and tau or taum: both; taum
 * alone: motor).
 */
typedef enum {
  RBV_LOG_SENSING_UNKNOWN,
  RBV_LOG_SENSING_MOTOR,
  RBV_LOG_SENSING_JOINT,
  RBV_LOG_SENSING_BOTH
} rbv_log_sensing;

typedef struct rbv_log_map rbv_log_map;

/*
 * A column map in YAML:
 *
 *   time: {column: "stamp", unit: ms}
 *   sensing: motor                       # or joint, both; optional
 *   joints:
 *     - name: shoulder                   # optional; all joints have one or none has
 *       q:   {column: "pos_1", unit: deg, sign: -1, ratio: 32, offset: 0.1}
 *       tau: {column: "cur_1", unit: A, gain: 0.21, ratio: 32}
 *     - name: elbow
 *       q: pos_2                         # a name alone: SI already
 *       tau: 7                           # a number that is no name: the column counted from 1
 *
 * A joint's entries are q dq ddq tau qm taum tauj qr dqr ddqr. A column is given by its name or by
 * its number; a file without header knows numbers only. What is stored is
 *
 *   positions, velocities, accelerations   sign * raw * unit / ratio + offset
 *   torques                                sign * raw * unit * ratio + offset
 *
 * with sign 1 or -1 (default 1), ratio = turns of the motor per turn of the joint (default 1; not
 * allowed at qm and taum, which are before the gear), offset in the SI unit (default 0), and
 *
 *   time           s ms us ns min
 *   positions      rad deg turn counts (needs counts_per_turn) m mm
 *   velocities     rad/s deg/s rpm turn/s counts/s (needs counts_per_turn) m/s mm/s
 *   accelerations  rad/s^2 deg/s^2 m/s^2 mm/s^2
 *   torques        Nm mNm kNm N kN; A mA V raw, which need gain [N m per A, A, V, unit of the file]
 *
 * Several entries may read the same column. Columns that the map does not name are kept as
 * RBV_CHANNEL_OTHER. A failure names document, line and column.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_map_load(rbv_log_map **out, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_log_map_parse(rbv_log_map **out, const char *name,
                                                    const char *text, size_t size);
RBV_API void rbv_log_map_free(rbv_log_map *map);

/* ---- formats ---- */

/*
 * The formats that logs are read from, i from 0 to count - 1. NULL if there is no format i. Static
 * storage.
 */
RBV_API int rbv_log_format_count(void);
RBV_API const char *rbv_log_format_name(int i); /* "MAT 7.3" */
RBV_API const char *rbv_log_format_text(int i); /* one sentence about it */

/* Why files of format i cannot be read in pieces; NULL if they can. */
RBV_API const char *rbv_log_format_whole_only(int i);

/* ---- logs ---- */

typedef struct rbv_log rbv_log;

/*
 * Read a recording. Its first bytes, or its name, decide which format it has.
 *
 * CSV: columns divided by comma, semicolon, tab or blanks (detected), with or without a header row
 * (without one a map is needed), comment lines that begin with #, a decimal comma if the delimiter
 * is not a comma; an empty cell and "nan" are NaN. MAT version 5 and 7.3: matrices and vectors
 * named as above (q with n columns or n rows is q1...qn), or one struct that holds them.
 *
 *   path  in  file
 *   map   in  column map, NULL: names as above; not kept
 *
 * Refused with RBV_EINPUT and a sentence with file, line and column: rows of different length, text
 * among the numbers, a truncated file, no rows, no column with a meaning, two columns with the same
 * meaning; MATLAB objects such as timeseries. Unsorted time, NaN and their like are no refusal here
 * but found by rbv_log_scan and refused by rbv_log_require.
 *
 * Memory is the table (8 bytes per cell) and a buffer.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_load(rbv_log **out, const char *path,
                                               const rbv_log_map *map);

/* The same from CSV text in memory; name is what messages call it. */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_parse(rbv_log **out, const char *name, const char *text,
                                                size_t size, const rbv_log_map *map);

/*
 * A log from columns in memory, copied.
 *
 *   names  in  ncol of them, as in a header
 *   A      in  samples x ncol, column-major, leading dimension ld
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_new(rbv_log **out, const char *name,
                                              const char *const *names, int ncol, const double *A,
                                              ptrdiff_t samples, ptrdiff_t ld);
RBV_API void rbv_log_free(rbv_log *log);

RBV_API const char *rbv_log_name(const rbv_log *log);   /* path, or the name given */
RBV_API const char *rbv_log_format(const rbv_log *log); /* name of its format, or "memory" */
RBV_API ptrdiff_t rbv_log_samples(const rbv_log *log);
RBV_API rbv_log_sensing rbv_log_get_sensing(const rbv_log *log);

/* Columns in the order of the file (of the map first); NULL when there is no column i. */
RBV_API int rbv_log_column_count(const rbv_log *log);
RBV_API const rbv_log_column *rbv_log_column_at(const rbv_log *log, int i);

/* Number of the column with this name, -1 when there is none. */
RBV_API int rbv_log_find(const rbv_log *log, const char *name);

/* Highest joint with a channel, plus one; how many joints from 0 on have this channel, all of them.
 */
RBV_API int rbv_log_joint_count(const rbv_log *log);
RBV_API int rbv_log_channel_count(const rbv_log *log, rbv_channel channel);

/* Name that the map gave the joint; NULL without one. */
RBV_API const char *rbv_log_joint_name(const rbv_log *log, int joint);

/* Values of a channel of a joint (-1 for time), NULL when it was not recorded. */
RBV_API const double *rbv_log_channel(const rbv_log *log, rbv_channel channel, int joint);

/*
 * Put the joints into the order of these names, which are those of a robot. A log without names is
 * left as it is. Refused: a joint of the log that is not among them. A name that the log does not
 * have leaves its joint without channels. Before the log is shared.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_order_joints(rbv_log *log, const char *const *names,
                                                       int n);

/* Line of a sample in its CSV file, from 1; 0 for other formats. */
RBV_API ptrdiff_t rbv_log_line(const rbv_log *log, ptrdiff_t sample);

/* ---- time stamps ---- */

typedef struct {
  bool known;      /* false: no time column, or fewer than two stamps, or none finite */
  bool increasing; /* every stamp is later than the one before */
  bool regular;    /* and none is off the grid from first to last by more than 1 % of a step */
  double start;    /* first stamp                                        [s] */
  double duration; /* last minus first                                   [s] */
  double period;   /* duration / (samples - 1)                           [s] */
  double median;   /* of the steps; the lower one of two                 [s] */
  double shortest; /* step; may be negative                              [s] */
  double longest;  /* step                                               [s] */
  double jitter;   /* root mean square of step minus median, over median [1] */
} rbv_log_rate;

RBV_API rbv_log_rate rbv_log_get_rate(const rbv_log *log);

/* ---- recordings larger than memory ---- */

/*
 * Bytes that the numbers of a recording take, about, without reading them: of a CSV file those of
 * the file, of what is no file (a pipe) 0.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_bytes(size_t *out, const char *path);

/*
 * A recording that is read in pieces. Opening it reads the file once from end to end, checks all
 * that rbv_log_load and rbv_log_require (with least) check, and stores where rows begin, so that
 * any piece can be read later. Memory does not grow with the file. A format that can only be read
 * as a whole (rbv_log_format_whole_only) is refused with RBV_EUNSUPPORTED. The result does not
 * depend on the number of threads that read; 0 means one.
 *
 * Many threads may share a file, each with its own reader; it must not change meanwhile.
 */
typedef struct rbv_log_file rbv_log_file;

typedef struct {
  bool regular;   /* no stamp is off the grid from first to last by more than 1 % of a step */
  bool repeats;   /* a stamp is there twice */
  bool gaps;      /* a step is longer than 1.5 mean steps */
  double rate_hz; /* (samples - 1) / duration */
} rbv_log_clock;

RBV_API RBV_MUST_CHECK rbv_status rbv_log_file_open(rbv_log_file **out, const char *path,
                                                    const rbv_log_map *map, ptrdiff_t least,
                                                    int threads);
RBV_API void rbv_log_file_free(rbv_log_file *file);
RBV_API const char *rbv_log_file_name(const rbv_log_file *file);
RBV_API ptrdiff_t rbv_log_file_samples(const rbv_log_file *file);
RBV_API rbv_log_clock rbv_log_file_clock(const rbv_log_file *file);

typedef struct rbv_log_reader rbv_log_reader;

/* A reader borrows the file. */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_reader_new(rbv_log_reader **out,
                                                     const rbv_log_file *file);
RBV_API void rbv_log_reader_free(rbv_log_reader *reader);

/*
 * Samples first to first + count - 1 as a log of their own, to be freed. A piece that overlaps the
 * one before it is not read twice where they do; forwards is fastest.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_reader_read(rbv_log **out, rbv_log_reader *reader,
                                                      ptrdiff_t first, ptrdiff_t count);

/* ---- defects ---- */

#define RBV_DEFECT_LIST(X)                             \
  X(RBV_DEFECT_DUPLICATE_TIME, "duplicate time stamp") \
  X(RBV_DEFECT_BACKWARD_TIME, "time runs backwards")   \
  X(RBV_DEFECT_GAP, "gap")                             \
  X(RBV_DEFECT_MISSING, "missing values")              \
  X(RBV_DEFECT_INFINITE, "infinite values")            \
  X(RBV_DEFECT_SATURATED, "saturated")                 \
  X(RBV_DEFECT_CONSTANT, "constant")                   \
  X(RBV_DEFECT_ZERO_TORQUE, "torque is zero throughout")

typedef enum {
#define X(name, text) name,
  RBV_DEFECT_LIST(X)
#undef X
} rbv_defect_kind;

typedef struct {
  rbv_defect_kind kind;
  int column;       /* of the log */
  ptrdiff_t sample; /* first one concerned */
  ptrdiff_t count;  /* samples concerned, in a row */
  double value;     /* gap: its length [s]; saturated, constant: the value; time: the stamp */
} rbv_defect;

typedef struct {
  double gap_steps;        /* a step longer than this many median steps is a gap; default 2.5 */
  ptrdiff_t saturated_run; /* an extreme value held for so many samples is saturation; default 5 */
} rbv_defect_options;

RBV_API rbv_defect_options rbv_defect_defaults(void);

typedef struct {
  rbv_defect *items; /* by kind, then column, then sample */
  int count;
} rbv_defect_list;

/*
 * Find what is wrong with the recording itself. Saturation is looked for in torques only: a
 * position rests at its extremes. Options NULL: the defaults.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_scan(rbv_defect_list *out, const rbv_log *log,
                                               const rbv_defect_options *options);
RBV_API void rbv_defect_list_free(rbv_defect_list *list); /* its content; NULL is fine */

/* "duplicate time stamp" for RBV_DEFECT_DUPLICATE_TIME. Static storage. */
RBV_API const char *rbv_defect_name(rbv_defect_kind kind);

/* One sentence with file, line and column name into out (size bytes, always closed with 0). */
RBV_API void rbv_defect_describe(char *out, size_t size, const rbv_log *log,
                                 const rbv_defect *defect);

/*
 * Refuse a recording that nobody can identify from, with RBV_EINPUT and the place: no time column,
 * fewer than least samples, time that runs backwards or stands still throughout, a value of a known
 * channel that is not finite, no torque, or torque zero throughout.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_require(const rbv_log *log, ptrdiff_t least);

/* ---- writing CSV ---- */

typedef struct rbv_csv_writer rbv_csv_writer;

/*
 * Write a header and then rows, with the digits that read back exactly (17 at most), free of the
 * locale. rbv_csv_create keeps the text and puts the file there whole in rbv_csv_finish, by
 * rbv_file_write; a writer that is freed before leaves nothing. rbv_csv_stream writes to a stream
 * that stays the caller's and keeps a buffer only.
 *
 *   names  in  ncol, copied; neither empty nor with a quotation mark or an end of line in them
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_create(rbv_csv_writer **out, const char *path,
                                                 const char *const *names, int ncol);
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_stream(rbv_csv_writer **out, FILE *stream,
                                                 const char *const *names, int ncol);

/*
 * Add rows. To a stream nothing is allocated.
 *   A  in  nrow x ncol, column-major, leading dimension ld
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_rows(rbv_csv_writer *writer, const double *A,
                                               ptrdiff_t nrow, ptrdiff_t ld);
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_finish(rbv_csv_writer *writer);
RBV_API void rbv_csv_free(rbv_csv_writer *writer);

/* All columns of a log as CSV, atomic. */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_save(const rbv_log *log, const char *path);

/* matio and zlib: name of library i that this room stands on, and the version in use; NULL past the
 * last. */
RBV_API const char *rbv_log_library(int i, char version[64]);

#ifdef __cplusplus
}
#endif
#endif
