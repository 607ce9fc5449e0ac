/*
 * log: recordings. Files of several formats are read into named columns in SI units. A column map
 * in YAML describes columns with other names, units, signs and gears. Time stamps are analysed, and
 * defects are found with their place in the file.
 *
 * Column names without a map: t, and per joint 1, 2, ...
 *
 *   q dq ddq      position, velocity, acceleration at the joint     [rad or m, /s, /s^2]
 *   tau           torque of the drive, referred to the joint        [N m or N]
 *   qm taum       position and torque at the rotor, before the gear [rad, N m]
 *   tauj          joint torque sensor                               [N m or N]
 *   qr dqr ddqr   reference                                         [rad or m, /s, /s^2]
 *   temp          motor temperature; temp1 alone: of all motors     [degree Celsius]
 *   uptime        time since the robot was started                  [s]
 *
 * A log does not change once it is loaded; many threads may read it.
 */
#ifndef ROBERVAL_SYS_LOG_H
#define ROBERVAL_SYS_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include <roberval/recording.h>
#include <roberval/sys/base.h>

RBV_BEGIN_C

/* ---- columns ---- */

/* enumerator, stem of the name, unit at a revolute joint */
#define RBV_CHANNEL_LIST(X)                                \
  X(RBV_CHANNEL_TIME, "t", "s")                            \
  X(RBV_CHANNEL_POSITION, "q", "rad")                      \
  X(RBV_CHANNEL_VELOCITY, "dq", "rad/s")                   \
  X(RBV_CHANNEL_ACCELERATION, "ddq", "rad/s^2")            \
  X(RBV_CHANNEL_TORQUE, "tau", "N m")                      \
  X(RBV_CHANNEL_MOTOR_POSITION, "qm", "rad")               \
  X(RBV_CHANNEL_LINK_POSITION, "ql", "rad")                \
  X(RBV_CHANNEL_MOTOR_TORQUE, "taum", "N m")               \
  X(RBV_CHANNEL_JOINT_TORQUE, "tauj", "N m")               \
  X(RBV_CHANNEL_REFERENCE_POSITION, "qr", "rad")           \
  X(RBV_CHANNEL_REFERENCE_VELOCITY, "dqr", "rad/s")        \
  X(RBV_CHANNEL_REFERENCE_ACCELERATION, "ddqr", "rad/s^2") \
  X(RBV_CHANNEL_TEMPERATURE, "temp", "degC")               \
  X(RBV_CHANNEL_UPTIME, "uptime", "s")                     \
  X(RBV_CHANNEL_OTHER, "", "")

typedef enum {
#define X(name, stem, unit) name,
  RBV_CHANNEL_LIST(X)
#undef X
} rbv_channel;

typedef struct {
  const char *name; /* "q1"; RBV_CHANNEL_OTHER: as in the file, or its number without a header */
  rbv_channel channel;
  int joint;              /* from 0; -1 for time and other */
  const double *values;   /* one per sample, contiguous */
  const char *conversion; /* formula from the column of the file; NULL if it was not converted */
} rbv_log_column;

/* ---- column maps ---- */

typedef struct rbv_log_map rbv_log_map;

/*
 * A column map in YAML:
 *
 *   time: {column: "stamp", unit: ms}    # or {sec: stamp_sec, nsec: stamp_nanosec}
 *   rate_hz: 500                         # instead of time, if the file has no time stamps
 *   sensing: motor                       # or joint, both; optional
 *   joints:
 *     - name: shoulder                   # optional; all joints have one or none has
 *       q:   {column: "pos_1", unit: deg, sign: -1, ratio: 32, offset: 0.1}
 *       tau: {column: "cur_1", unit: A, gain: 0.21, ratio: 32}
 *     - name: elbow
 *       q: pos_2                         # only a name: already in SI units
 *       tau: 7                           # a number that is not a name: column 7, counted from 1
 *
 * A joint's entries are q dq ddq tau qm taum tauj qr dqr ddqr temp. A temperature of all motors,
 * temp, and uptime may also stand beside time. A column is given by its name or by its number;
 * columns of a file without header by number only. The stored value is
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
 *   temperatures   degC K degF
 *
 * Several entries may read the same column. Columns that the map does not name are kept as
 * RBV_CHANNEL_OTHER. A failure names document, line and column.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_map_parse(rbv_log_map **out, const char *name,
                                                    const char *text, size_t size);
RBV_API void rbv_log_map_free(rbv_log_map *map);

/* ---- column maps that are guessed ---- */

/* One channel of a guessed map. */
typedef struct {
  rbv_channel channel;
  const char *columns; /* "actual_q_*", with * in place of the joint */
  const char *reason;  /* why these columns */
} rbv_log_guess_item;

typedef struct {
  bool standard;    /* the columns have the names of this module: no map is needed */
  rbv_log_map *map; /* NULL: standard, or no column of a joint was recognised */
  bool usual;       /* the names are those of this module; the content may still say more */
  bool recognised;  /* a column of the joints was recognised */
  char *yaml;       /* the map as a document, with the reasons as comments, or what must be filled
                       in; NULL without joints */
  rbv_log_guess_item *items;
  int count;
  char **missing; /* sentences: what was not found */
  int nmissing;
  const char *gain; /* of missing: the columns are currents without a gain; NULL: they are not */
  const char *gap;  /* of missing: the first columns that lack a joint; NULL: none do */
  char **ambiguous; /* sentences: what could be read in two ways; a map must decide it */
  int nambiguous;
  int head_lines; /* of a text, before its first row; -1: not known */
} rbv_log_guess;

/*
 * Guess what the columns of a recording mean, from the names of the joints, the words of the
 * columns, their units and the first rows. Columns belong to a joint by its name
 * ("elbow_joint_position", "/joint_states/position[elbow_joint]"), by a column of text that has
 * its name, or by a number from 0 or 1 ("actual_q_3", "tau_J[2]").
 *
 *   joints   in  njoint names, in the order of the robot; NULL: those that the recording names
 *   rate_hz  in  of a recording without time stamps; 0: not known
 *
 * Refused: what rbv_log_load refuses. A recording that nothing is recognised in is not refused.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_guess_columns(rbv_log_guess **out, const char *path,
                                                        const char *const *joints, int njoint,
                                                        double rate_hz);
RBV_API void rbv_log_guess_free(rbv_log_guess *guess);

/* ---- logs ---- */

/*
 * Read a recording. Its first bytes, or its name, decide which format it has.
 *
 * CSV: columns divided by comma, semicolon, tab or blanks (detected), with or without a header row
 * (without one a map is needed), comment lines that begin with #, a decimal comma if the delimiter
 * is not a comma; an empty cell and "nan" are NaN. MAT version 5 and 7.3: matrices and vectors
 * named as above (q with n columns or n rows is q1...qn), or one struct that holds them.
 *
 * Bags of ROS 2: a file or a folder. A column is a number of a topic,
 * "/joint_states.position[elbow_joint]", or "receive_time"; without a map, joint states are read.
 *
 *   path  in  file or folder; "-": standard input; "A+B": columns of two files, joined on the
 *             clock of the first
 *   map   in  column map, NULL: names as above; not kept
 *
 * Refused with RBV_EINPUT and a message with file, line and column: rows of different length, text
 * between the numbers, a truncated file, no rows, no known column, two columns with the same
 * meaning, MATLAB objects such as timeseries. Unsorted time stamps, NaN and similar defects are not
 * refused here: rbv_log_scan finds them and rbv_log_require refuses them.
 *
 * Memory is the table (8 bytes per cell) and a buffer.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_load(rbv_log **out, const char *path,
                                               const rbv_log_map *map);

/* Read CSV text in memory; name is used in messages. */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_parse(rbv_log **out, const char *name, const char *text,
                                                size_t size, const rbv_log_map *map);

/* Columns in the order of the file, those of the map first; NULL if there is no column i. */
RBV_API const rbv_log_column *rbv_log_column_at(const rbv_log *log, int i);

/* Values of a channel of a joint (-1 for time), NULL if it was not recorded. */
RBV_API const double *rbv_log_channel(const rbv_log *log, rbv_channel channel, int joint);

/*
 * Positions and reference of a joint that turns without end, in radians, without jumps by a full
 * turn. Nothing is changed if a position jumps by something else. Returns the number of jumps of
 * the position. Call this before threads share the log.
 */
RBV_API ptrdiff_t rbv_log_unwrap(rbv_log *log, int joint);

/* Line of a sample in its file, from 1; 0 for a format without lines. */
RBV_API ptrdiff_t rbv_log_line(const rbv_log *log, ptrdiff_t sample);

/* ---- recordings larger than memory ---- */

/*
 * Estimate the bytes that the numbers of a recording need as doubles, without reading them. For a
 * CSV file this is the size of the file, for a pipe 0.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_bytes(size_t *out, const char *path);

/*
 * A recording that is read in pieces. Opening it reads the file once from end to end, checks all
 * that rbv_log_load and rbv_log_require (with least) check, and stores where rows begin, so that
 * any piece can be read later. Memory does not grow with the file. A format that can only be read
 * as a whole (rbv_log_format_whole_only) is refused with RBV_EUNSUPPORTED, and so are positions
 * that jump by a full turn (rbv_log_unwrap). The result does not
 * depend on the number of threads that read; 0 means one.
 *
 * Many threads may share a file, each with its own reader; it must not change meanwhile.
 */
typedef struct rbv_log_file rbv_log_file;

RBV_API RBV_MUST_CHECK rbv_status rbv_log_file_open(rbv_log_file **out, const char *path,
                                                    const rbv_log_map *map, ptrdiff_t least,
                                                    int threads);
RBV_API void rbv_log_file_free(rbv_log_file *file);

/* ---- bad rows ---- */

/* enumerator, name, words of the message */
#define RBV_BAD_LIST(X)                                                        \
  X(RBV_BAD_UNREADABLE, "unreadable", "the row is truncated or contains text") \
  X(RBV_BAD_MISSING, "missing", "is missing")                                  \
  X(RBV_BAD_INFINITE, "infinite", "is infinite")                               \
  X(RBV_BAD_STAMP, "stamp", "is out of order")                                 \
  X(RBV_BAD_SPIKE, "spike", "between samples near")                            \
  X(RBV_BAD_ZERO, "zero", "between samples near")                              \
  X(RBV_BAD_STUCK, "stuck", "the row repeats an earlier one while the robot moves")

typedef enum {
#define X(enumerator, name, text) enumerator,
  RBV_BAD_LIST(X)
#undef X
} rbv_bad_kind;

/*
 * One channel of joints 1 ... n as a matrix.
 *
 *   out  out  samples x n, column-major; rbv_log_block_free it
 *
 * Refused with RBV_EINPUT: another number of joints, a value that is not finite.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_block(double **out, const rbv_log *log,
                                                rbv_channel channel, int n);
RBV_API void rbv_log_block_free(double *block);

/* ---- writing CSV ---- */

typedef struct rbv_csv_writer rbv_csv_writer;

/*
 * Write a header and then rows, with as many digits as are needed to read the number back exactly
 * (17 at most), independent of the locale. rbv_csv_create collects the text and writes the file at
 * once in rbv_csv_finish, by rbv_file_write; if the writer is freed before, no file is written.
 * rbv_csv_stream writes to a stream, which the caller closes.
 *
 *   names  in  ncol, copied; not empty, quoted where they need it
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_create(rbv_csv_writer **out, const char *path,
                                                 const char *const *names, int ncol);
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_stream(rbv_csv_writer **out, FILE *stream,
                                                 const char *const *names, int ncol);

/*
 * Add rows. Writing to a stream allocates nothing.
 *   A  in  nrow x ncol, column-major, leading dimension ld
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_rows(rbv_csv_writer *writer, const double *A,
                                               ptrdiff_t nrow, ptrdiff_t ld);
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_finish(rbv_csv_writer *writer);
RBV_API void rbv_csv_free(rbv_csv_writer *writer);

/* Name of library i that this module uses (matio, zlib), and its version; NULL after the last. */
RBV_API const char *rbv_log_library(int i, char version[64]);

RBV_END_C
#endif
