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

#ifdef __cplusplus
extern "C" {
#endif

/* ---- columns ---- */

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
  X(RBV_CHANNEL_TEMPERATURE, "temp", "degC")               \
  X(RBV_CHANNEL_UPTIME, "uptime", "s")                     \
  X(RBV_CHANNEL_OTHER, "", "")

typedef enum {
#define X(name, stem, unit) name,
  RBV_CHANNEL_LIST(X)
#undef X
} rbv_channel;

/* "tau" for RBV_CHANNEL_TORQUE, "" for RBV_CHANNEL_OTHER and for other numbers. Static storage. */
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
  const double *values;   /* one per sample, contiguous */
  const char *conversion; /* formula from the column of the file; NULL if it was not converted */
} rbv_log_column;

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
RBV_API RBV_MUST_CHECK rbv_status rbv_log_map_load(rbv_log_map **out, const char *path);
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
  char *yaml;       /* the map as a document, with the reasons as comments; NULL without joints */
  rbv_log_guess_item *items;
  int count;
  char **missing; /* sentences: what was not found */
  int nmissing;
  const char *gain; /* of missing: the columns are currents without a gain; NULL: they are not */
  const char *gap;  /* of missing: the first columns that lack a joint; NULL: none do */
  char **ambiguous; /* sentences: what could be read in two ways; a map must decide it */
  int nambiguous;
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

RBV_API const char *rbv_log_format(const rbv_log *log); /* name of its format, or "memory" */
RBV_API rbv_log_sensing rbv_log_get_sensing(const rbv_log *log);

/* Columns in the order of the file, those of the map first; NULL if there is no column i. */
RBV_API const rbv_log_column *rbv_log_column_at(const rbv_log *log, int i);

/* Number of joints, counted from 0 without a gap, that have this channel. */
RBV_API int rbv_log_channel_count(const rbv_log *log, rbv_channel channel);

/* Values of a channel of a joint (-1 for time), NULL if it was not recorded. */
RBV_API const double *rbv_log_channel(const rbv_log *log, rbv_channel channel, int joint);

/*
 * Sort the joints into the order of these names, which are those of a robot. A log without names
 * does not change. Refused: a joint of the log that is not among the names. A joint whose name is
 * not in the log has no channels. Call this before threads share the log.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_order_joints(rbv_log *log, const char *const *names,
                                                       int n);

/*
 * Positions and reference of a joint that turns without end, in radians, without jumps by a full
 * turn. Nothing is changed if a position jumps by something else. Returns the number of jumps of
 * the position. Call this before threads share the log.
 */
RBV_API ptrdiff_t rbv_log_unwrap(rbv_log *log, int joint);

/* Line of a sample in its file, from 1; 0 for a format without lines. */
RBV_API ptrdiff_t rbv_log_line(const rbv_log *log, ptrdiff_t sample);

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

RBV_API rbv_log_rate rbv_log_get_rate(const rbv_log *log);

/*
 * The unit of time that a median step suggests: "ns", "us", "ms" (units of a column map), "" if it
 * is too short for any of them, or NULL if it can be in seconds (1 us to 0.5 s).
 */
RBV_API const char *rbv_log_time_unit(double median_step);

/*
 * Samples that are stamped at the same time as another one, or almost: within a quarter of the
 * median step after it. One of the two stamps is wrong; interpolation between them would turn
 * noise into large speeds.
 *
 *   close  out  samples: true for the one of the two that fits the clock less
 *
 * Returns the number of such samples; 0 without a clock that advances.
 */
RBV_API ptrdiff_t rbv_log_close_stamps(bool *close, const rbv_log *log);

/*
 * SHA-256 of a recording as 64 hexadecimal digits: of the file, or of the hashes of the files of a
 * folder or of a path "A+B".
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_hash(char out[65], const char *path);

/*
 * A remark in the first lines of a CSV file, "# roberval KEY TEXT": see rbv_csv_remark.
 *
 *   out  out  the text behind the key; NULL: there is none, or the file is a pipe. rbv_free it
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_remark(char **out, const char *path, const char *key);

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

typedef struct {
  bool regular;   /* all stamps are within 1 % of a step of the grid from first to last */
  bool repeats;   /* a stamp occurs twice */
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
 * Samples first to first + count - 1 as a separate log; the caller frees it. Samples that overlap
 * the previous piece are not read again. Reading forwards is fastest.
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
  ptrdiff_t sample; /* first sample of the defect */
  ptrdiff_t count;  /* number of samples */
  double value;     /* gap: its length [s]; saturated, constant: the value; time: the stamp */
} rbv_defect;

typedef struct {
  double gap_steps; /* a step longer than this many median steps is a gap; default 2.5 */
  ptrdiff_t
      saturated_run; /* an extreme value held for this many samples is saturation; default 5 */
} rbv_defect_options;

RBV_API rbv_defect_options rbv_defect_defaults(void);

typedef struct {
  rbv_defect *items; /* by kind, then column, then sample */
  int count;
} rbv_defect_list;

/*
 * Find defects of the recording. Saturation is searched in torques only, because positions stay at
 * their extremes. Options NULL: the defaults.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_scan(rbv_defect_list *out, const rbv_log *log,
                                               const rbv_defect_options *options);
RBV_API void rbv_defect_list_free(rbv_defect_list *list); /* frees its content; NULL is allowed */

/* "duplicate time stamp" for RBV_DEFECT_DUPLICATE_TIME. Static storage. */
RBV_API const char *rbv_defect_name(rbv_defect_kind kind);

/* Write a message with file, line and column name to out (size bytes, always with a closing 0). */
RBV_API void rbv_defect_describe(char *out, size_t size, const rbv_log *log,
                                 const rbv_defect *defect);

/*
 * Refuse a recording that cannot be used for identification, with RBV_EINPUT and the place: no time
 * column, fewer than least samples, time that runs backwards or does not advance, a value of a
 * known channel that is not finite, no torque, or all torques zero.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_require(const rbv_log *log, ptrdiff_t least);

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

/* "spike" for RBV_BAD_SPIKE. Static storage. */
RBV_API const char *rbv_bad_name(rbv_bad_kind kind);

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
RBV_API RBV_MUST_CHECK rbv_status rbv_log_find_bad_rows(rbv_bad_rows *out, const rbv_log *log,
                                                        const rbv_bad_options *options);
RBV_API void rbv_bad_rows_free(rbv_bad_rows *list); /* frees its content; NULL is allowed */

/* "line 812: q3 = 253 between samples near 0.41", without the name of the file. */
RBV_API void rbv_bad_value_describe(char *out, size_t size, const rbv_log *log,
                                    const rbv_bad_value *item);

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
RBV_API RBV_MUST_CHECK rbv_status rbv_log_without(rbv_log **out, rbv_drop_info *info,
                                                  const rbv_log *log, const rbv_bad_rows *bad);

/* Number of a sample of such a copy in the log that was copied; of another log, the sample itself.
 */
RBV_API ptrdiff_t rbv_log_origin(const rbv_log *log, ptrdiff_t sample);

/* True if a row of a copy is bad in its original and was interpolated. */
RBV_API bool rbv_log_is_filled(const rbv_log *log, ptrdiff_t sample);

/* A copy with samples 0, stride, 2 stride, ... */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_every(rbv_log **out, const rbv_log *log,
                                                ptrdiff_t stride);

/* A copy with count samples from first on. */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_part(rbv_log **out, const rbv_log *log, ptrdiff_t first,
                                               ptrdiff_t count);

/* As rbv_log_load, but rows that cannot be read (text, a wrong number of columns, a truncated last
 * line) become rows of NaN, unless they are frequent. */
RBV_API RBV_MUST_CHECK rbv_status rbv_log_load_tolerant(rbv_log **out, const char *path,
                                                        const rbv_log_map *map);

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
RBV_API RBV_MUST_CHECK rbv_status rbv_trace_write(const char *path, const rbv_trace *trace);
RBV_API bool rbv_trace_known(const char *path); /* is the ending one of these? */

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

/* A line "# roberval TEXT" before the rows; rbv_log_remark reads it, other programs skip it. */
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_remark(rbv_csv_writer *writer, const char *text);

/*
 * Add rows. Writing to a stream allocates nothing.
 *   A  in  nrow x ncol, column-major, leading dimension ld
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_rows(rbv_csv_writer *writer, const double *A,
                                               ptrdiff_t nrow, ptrdiff_t ld);
/* Write one field with text to a stream, quoted where it needs it, formulas made harmless. */
RBV_API void rbv_csv_put_text(FILE *stream, const char *text);
RBV_API RBV_MUST_CHECK rbv_status rbv_csv_finish(rbv_csv_writer *writer);
RBV_API void rbv_csv_free(rbv_csv_writer *writer);

/* Name of library i that this module uses (matio, zlib), and its version; NULL after the last. */
RBV_API const char *rbv_log_library(int i, char version[64]);

#ifdef __cplusplus
}
#endif
#endif
