/* Thresholds of the check module; base/threshold.h explains the rows. */
#ifndef CHECK_CHECK_THRESHOLDS_H
#define CHECK_CHECK_THRESHOLDS_H

#include "base/threshold.h"

#define ON_DEFECTS \
  "simulated logs with twelve defects, seeds from 1001 (tests/check/test_defects.c)"
#define ON_DELAYS \
  "simulated and shifted recordings (tests/check/slow_delay.c, slow_delay_recordings.c)"
#define ON_COUPLINGS \
  "simulated arms with and without coupling (tests/check/coupled.h) and the TX40 recording"
#define ON_DRIFTS "simulated recordings with and without drift (tests/check/slow_drift.c)"
#define ON_WINDOWS "57 fits of windows and whole recordings, validated on other motions"
#define ON_SPOILED "24 errors put into 16 recordings; tried on 23 others (scripts/verdicts)"
#define ON_STANCES \
  "a simulated quadruped that stands and lifts legs (tests/cross/test_free_motions.c)"
#define JUDGED "judgement; no run that set it is known"

// clang-format off
/* used in several files of the module */
#define CHECK_KNOTS_THRESHOLDS(X) \
  X(count, KNOTS, 400, "samples", JUDGED ", for speed", "samples of a recording that the model is evaluated at")

/* regular_view.c */
#define CHECK_VIEW_THRESHOLDS(X) \
  X(count, SHORTEST, 300, "samples", "reason: spectra need 256", "shorter recordings are refused") \
  X(real, LARGEST, 1e30, "rad, m, N m or N", "reason: squares of larger values overflow", "larger values are missing values") \
  X(size, FILTER_ORDER, 4, "order", "the low-pass of the identification", "order of the low-pass") \
  X(count, GRID_GROWTH, 4, "grid points per sample", JUDGED, "a regular grid with more points is refused") \
  X(real, REST_SHARE, 0.02, "share of the 95 % speed", "reason: a sine is slower for 1.3 % of the time", "a slower joint stands still") \
  X(real, REST_NOISE, 3, "sigmas of the velocity noise", JUDGED, "a joint with a lower speed stands still")

#define CHECK_FILE_THRESHOLDS(X) \
  X(real, GAP_STEPS, 2.5, "median steps", "reason: one lost sample with jitter is shorter", "a longer step is a gap") \
  X(real, JITTER_LIMIT, 0.03, "rms, share of a step", "reason: differences of positions are then wrong by 4 % rms", "above it jitter is a warning") \
  X(real, JITTER_NOTE, 0.01, "rms, share of a step", "the limit of the log module for irregular stamps", "above it jitter is a note") \
  X(real, GAP_SHARE, 0.1, "share of the time", JUDGED, "above it gaps are an error") \
  X(real, SATURATED_SHARE, 0.05, "share of the samples", JUDGED ": least squares is then biased", "above it saturation is an error")

#define CHECK_ROWS_THRESHOLDS(X) \
  X(count, NAMED, 6, "values", JUDGED, "bad values that one sentence names")

#define CHECK_FIT_THRESHOLDS(X) \
  X(real, UNEXPLAINED, 0.9, "share of the torque", "reason: a poor model explains most of a torque, chance a few per cent of noise", "above it the torques are called noise")

#define CHECK_CONTACT_THRESHOLDS(X) \
  X(size, SAMPLES, 2000, "samples", JUDGED ", for speed", "samples of a recording in which forces at contact points are computed") \
  X(real, CARRIES, 0.4, "median force of the points that are called touched", ON_STANCES, "a point with more carries a force") \
  X(real, CARRIES_SHARE, 0.05, "share of the samples", ON_STANCES, "a point that is called free may carry a force in so many") \
  X(real, IDLE, 0.1, "median force of the points that are called touched", ON_STANCES, "a point with less carries no force") \
  X(real, IDLE_SHARE, 0.05, "share of the samples", ON_STANCES, "a point that is called touched may carry no force in so many") \
  X(real, RIDGE, 1e-9, "mean of the diagonal", "rounding of normal equations", "regularisation: forces along which nothing moves are zero")

#define CHECK_JUDGE_THRESHOLDS(X) \
  X(real, ERROR_CARE, 0.1, "comparable error", "reason: good arms with simple friction have about a tenth", "above it a result is to be used with care") \
  X(real, ERROR_NO, 0.25, "comparable error", "reason: the model lacks an important effect", "above it a result is not to be used") \
  X(real, WORSE_CARE, 1.5, "ratio", JUDGED, "error of the validation over that of the fit: care") \
  X(real, PREDICTED_CARE, 0.2, "relative error", ON_WINDOWS, "a larger predicted error of other motions asks for care") \
  X(real, WORSE_FILE, 1.2, "ratio of errors", "the TX40 with its published parameters in the robot file: 1.01 on blocks that were not used", "the fit may be worse than the robot file by this") \
  X(real, WORSE_LEAST, 0.01, "share of the torque", JUDGED ": where both are small, either one can be used", "the same on data that was not used, as a difference") \
  X(real, MOVE_CARE, 3.0, "sigmas", JUDGED, "consistency may move a parameter by so much") \
  X(real, POSITION_CARE, 0.1, "tracking error", "real arms and legs are simulated to 2 to 7 % of it", "above it a result from positions alone is to be used with care") \
  X(real, POSITION_NO, 0.3, "tracking error", "reason: delay and gains alone predict most of the tracking error", "above it a result from positions alone is not to be used") \
  X(real, LAW_CARE, 0.1, "value", "the same step as that of gains", "parameters that other laws of the drive change by more are told") \
  X(real, MASKED_CARE, 0.6, "share of the rows", JUDGED, "above it masked rows are told")

#define CHECK_OUTLOOK_THRESHOLDS(X) \
  X(real, PREDICTED_CARE, 0.2, "relative error", ON_WINDOWS, "a larger predicted error of other motions asks for care") \
  X(real, PREDICTED_NO, 1.0, "relative error", ON_WINDOWS, "above it a result is not to be used") \
  X(real, RANGE, 1.5, "rad", "reason: the range of use; with the recorded range 62 to 76 % wrong fits pass", "least half range of the motions that are predicted") \
  X(size, MOTIONS, 3, "motions", JUDGED, "random motions that are predicted") \
  X(size, POINTS, 60, "samples", JUDGED, "samples of each") \
  X(size, HARMONICS, 5, "harmonics", JUDGED, "of each joint in each motion") \
  X(real, ENERGY_SHARE, 0.05, "rms torque of the joint", ON_WINDOWS, "friction that drives by more is an error") \
  X(real, ENERGY_ERROR, 0.5, "error of the joint", "reason: more than half of its torque is something else", "friction of a joint with a larger error is not judged") \
  X(real, ENERGY_SIGMAS, 3.0, "sigmas", "reason: the lowest of some twenty speeds and joints; windows of the LWR4+ reach 2.6", "friction that drives by less is a note") \
  X(real, UNKNOWN_DRIVE, 0.2, "rms torque of the joint", "reason: friction of robots is a tenth to a third of the torque", "error of a joint whose friction or offset a recording does not determine") \
  X(size, SPEEDS, 24, "speeds", JUDGED, "speeds at which friction is judged") \
  X(real, SLOWEST, 0.05, "recorded top speed", "reason: below it the law of friction is not known", "slowest of them") \
  X(real, FASTEST, 3.0, "recorded top speed", JUDGED, "fastest of them; above 1 it is only a note")

#define CHECK_MOTION_THRESHOLDS(X) \
  X(real, BEYOND, 1.5, "times the limit", "reason: a controller does not exceed a limit by more; " ON_DEFECTS, "a position or speed beyond it is reported") \
  X(real, FAR_BEYOND, 4.0, "times the limit", "reason: degrees are 57 times radians, a faster robot is not; " ON_DEFECTS, "most joints beyond it: the positions may be degrees") \
  X(real, REST_SPEED, 0.05, "share of the speed limit", JUDGED, "poses: a slower joint rests") \
  X(count, LEAST_JUMPS, 5, "jumps", "reason: a corrupt sample has two", "fewer jumps are not a recording of poses") \
  X(real, JUMP_COUNTS, 20.0, "encoder counts", "reason: a coarse encoder at a high rate jumps by a few", "a smaller step is not a jump") \
  X(real, JUMPED_SHARE, 0.8, "share of the travel", JUDGED, "above it a joint jumps from pose to pose") \
  X(real, TURNED_FAR, 6 * RBV_PI, "rad", JUDGED, "without limits: a position beyond it is not in radians") \
  X(real, TURNED_FAST, 40.0, "rad/s", JUDGED, "without limits: a speed beyond it is not in radians") \
  X(real, ALIASED_SPEED, 0.02, "rad/s or m/s", "the mask of an identification", "slower joints are not examined") \
  X(real, ALIASED_SHARE, 0.02, "share of the energy of the velocity", "reason: coarse encoders of slow joints cause up to 0.01; " ON_DEFECTS, "above it the rate is too low: a warning") \
  X(real, ALIASED_BADLY, 0.1, "share of the energy of the velocity", ON_DEFECTS, "above it the rate is too low: an error") \
  X(real, ROUNDING_FACTOR, 4.0, "variance of rounding", "reason: positions are rounded twice, and have other noise", "fast variance below it is that of an encoder") \
  X(real, FLOOR_FACTOR, 10.0, "noise floor", JUDGED, "spectral power below it is noise") \
  X(real, FLOOR_QUANTILE, 0.1, "quantile", JUDGED, "quantile of the upper half band that is the noise floor") \
  X(real, REST_ALL, 0.05, "share of the time", "reason: stops at reversals are shorter; the TX40 recording has 0.16", "above it standstill of all joints is reported") \
  X(real, REST_ONE, 0.2, "share of the time", "reason: stops between moves are shorter", "above it standstill of one joint is reported") \
  X(real, REST_LEAST, 0.25, "s", JUDGED, "a shorter standstill does not count") \
  X(real, NOISE_PEAK, 2.0, "speeds of standstill", "reason: six sigmas of the velocity noise", "no faster sample of any joint: the recording is a pose") \
  X(real, POSE_TRAVEL, 0.02, "rad or m", "reason: noise of encoders is far below", "the same: a joint that travels more moves") \
  X(real, SLOW_ANGLE, 0.05, "rad/s", "reason: friction needs speeds above those that a mask removes", "a slower joint is reported") \
  X(real, SLOW_SLIDE, 0.01, "m/s", "as SLOW_ANGLE", "a slower prismatic joint is reported") \
  X(real, SLOW_SHARE, 0.03, "share of the speed limit", JUDGED, "a slower joint is reported") \
  X(real, ONE_WAY_SHARE, 0.05, "share of the moving time", JUDGED, "a rarer direction is reported") \
  X(real, SAME_WAVEFORM, 0.99, "correlation", "reason: independent sines are far below", "velocities with a higher one share a waveform") \
  X(real, SAME_FILE, 0.995, "correlation", JUDGED, "positions of two logs with a higher one are one trajectory") \
  X(real, SAME_RATE, 0.01, "relative difference", JUDGED, "logs whose rates differ more are not compared") \
  X(real, HARDLY_MOVES, 3.0, "speeds of standstill", JUDGED, "slower joints are not compared") \
  X(real, VELOCITY_FACTOR, 1.25, "ratio", ON_DEFECTS, "a recorded velocity that differs more from the slope of the position is reported") \
  X(real, VELOCITY_FIT, 0.9, "correlation", ON_DEFECTS, "a recorded velocity with a lower one is reported")

#define CHECK_PRIOR_THRESHOLDS(X) \
  X(size, FEATURES, 12, "columns", "memory", "columns of friction of a joint") \
  X(size, PARTS, 6, "parts of time", JUDGED, "each is left out once, for the sigma of a factor or an angle") \
  X(size, ROUNDS, 40, "rounds", JUDGED, "rounds of a bounded fit") \
  X(real, RIDGE, 1e-9, "diagonal", "rounding of normal equations", "regularisation of columns that nearly depend on each other")

#define CHECK_CONFLICT_THRESHOLDS(X) \
  X(count, LEAST_KNOTS, 96, "samples", JUDGED, "shorter recordings are not compared with the robot file") \
  X(real, CLEAN, 1e-4, "share of the squared torque", JUDGED, "below it nothing is wrong with the recording") \
  X(real, LEAST_ANGLE, 10.0, "degrees", ON_SPOILED ": clean recordings are below 7", "gravity closer to the file's is not reported") \
  X(real, ANGLE_SIGMAS, 6.0, "sigmas", ON_SPOILED ": clean recordings are below 3.4", "the same, in its uncertainty") \
  X(real, GRAVITY_GAIN, 1.8, "ratio of the squared error", ON_SPOILED, "another gravity must lower it by this") \
  X(real, JOINT_GAIN, 1.4, "ratio of the squared error", ON_SPOILED, "a factor of one joint must lower it by this") \
  X(real, JOINT_FACTOR, 1.5, "ratio", ON_SPOILED, "a factor closer to 1 is not reported") \
  X(real, BALANCE_GAIN, 1.1, "ratio of the squared error", "the KR300 without its counterbalance", "gravity and inertia of a joint that differ must lower it by this") \
  X(real, STATE_GAIN, 2.0, "ratio of the squared error", ON_SPOILED, "exchanged joints and the like must lower it by this") \
  X(real, LEAST_LEFT, 0.007, "share of the squared torque", "reason: what real recordings leave; files whose links are wrong by 30 % do so too", "below it signs and orders are judged by the torques of their joints alone") \
  X(real, OWN_GAIN, 2.7, "ratio of the squared error", "reason: clean joints reach 1.1; friction changes its sign with the torque; " ON_DEFECTS, "the sign or the order of joints with small torques must lower that of their own torques by this") \
  X(real, OWN_LEFT, 0.5, "share of the squared torque", "reason: more than half is not explained", "what the correction may leave of it") \
  X(real, OWN_WORSE, 1.05, "ratio of the squared error", JUDGED, "what the correction may change that of all torques by") \
  X(real, UNIT_GAIN, 6.0, "ratio of the squared error", "the TX40 without its coupling, the KR300 without its counterbalance", "positions in another unit, which become smaller, must lower it by this") \
  X(real, LOAD_GAIN, 3.0, "ratio of the squared error", ON_SPOILED, "a payload must lower it by this") \
  X(real, LEAST_MASS, 0.3, "kg", ON_SPOILED, "a smaller payload is not reported") \
  X(real, SCALE_SIGMAS, 4.0, "sigmas", ON_SPOILED, "a scale must differ from 1 by this") \
  X(real, SCALE_NO_LOW, 0.6, "ratio", "reason: link errors of 30 % give 0.80 to 1.30; " ON_SPOILED, "a smaller scale is an error") \
  X(real, SCALE_NO_HIGH, 1.6, "ratio", "as SCALE_NO_LOW", "a larger scale is an error") \
  X(real, SCALE_LOW, 0.82, "ratio", "reason: link errors of 20 % give 0.85 to 1.18; " ON_SPOILED, "a smaller scale asks for care") \
  X(real, SCALE_HIGH, 1.22, "ratio", "as SCALE_LOW", "a larger scale asks for care") \
  X(real, FREE_GRAVITY, 0.35, "share of the file's gravity", ON_SPOILED, "less gravity has been subtracted") \
  X(real, FREE_INERTIA, 2.5, "ratio", ON_SPOILED, "inertia must exceed gravity by this where gravity was subtracted") \
  X(real, FREE_JOINT, 0.5, "ratio of the squared error", ON_SPOILED, "one joint must not explain as much where gravity was subtracted") \
  X(real, UNEXPLAINED, 0.5, "share of the squared torque", "reason: slow recordings without gravity are mostly friction; the LWR4+ leave 0.34", "above it torques without gravity belong to another robot") \
  X(real, FOREIGN, 0.25, "share of the squared torque", "reason: recordings of moves whose file is wrong by 20 % leave up to 0.15; " ON_DEFECTS, "above it the log belongs to another robot") \
  X(real, CAUSE_LEFT, 0.035, "share of the squared torque", "reason: files whose links are wrong by 30 % leave 0.02, other robots 0.03 to 0.35", "the same, if a common factor or another gravity is what explains most") \
  X(real, BEYOND, 1.2, "times the limits", JUDGED, "a joint beyond it is outside its limits") \
  X(real, LEAST_RANGE, 0.3, "rad", JUDGED, "a joint with a smaller range, read as degrees, is not interpreted as degrees") \
  X(step, SCALE_STEP, 1.4142135623730951, "ratio", JUDGED, "step of the factors of positions that are tried") \
  X(real, SCALE_FIRST, 2.0, "ratio", JUDGED, "smallest factor of positions that is tried") \
  X(real, SCALE_LAST, 5.0, "ratio", JUDGED, "factors of positions below it are tried")

#define CHECK_GRAVITY_THRESHOLDS(X) \
  X(count, LEAST_KNOTS, 96, "samples", "as LEAST_KNOTS of prior_conflicts.c", "shorter recordings are not searched") \
  X(real, RIDGE, 1e-9, "diagonal", "rounding of normal equations", "regularisation of columns that depend on each other") \
  X(real, FIRST_STEP, 20.0, "degrees", "reason: half the distance of the first directions", "first step of the search") \
  X(real, LAST_STEP, 0.5, "degrees", "reason: a twentieth of what is reported", "last step of the search") \
  X(real, LEAST_TURN, 10.0, "degrees", "as LEAST_ANGLE of prior_conflicts.c", "gravity closer to the file's is not reported") \
  X(real, GAIN_CARE, 2.0, "ratio of the squared error", "137 clean recordings and windows are below 2, two above 1.4", "the file's gravity must leave more by this") \
  X(real, GAIN_NO, 10.0, "ratio of the squared error", "arms with all joints in motion have 30 to 480 from 30 degrees on", "above it: an error") \
  X(real, UNCERTAIN, 1.4, "ratio of the squared error", "arms with strong friction have 1.0 to 1.8", "the opposite direction is possible below it")

#define CHECK_SIGN_THRESHOLDS(X) \
  X(count, LEAST_MOVING, 96, "samples", "as LEAST_KNOTS of prior_conflicts.c", "a joint that moves at fewer is not judged") \
  X(size, FOLDS, 4, "parts", JUDGED, "parts of time, each of which is left out once") \
  X(real, LEAST_LEFT, 1e-4, "share of the squared torque", "noise of good sensors", "less does not count") \
  X(real, MOST_LEFT, 0.5, "share of the squared torque", "as OWN_LEFT of prior_conflicts.c", "what may be left of a torque whose sign is turned") \
  X(real, GAIN_CARE, 1.0, "sum of logarithms", "reversed torques of 20 recordings have 1.7 to 14, clean ones less than 1", "a turned sign must lower the sum by this") \
  X(real, GAIN_NO, 2.0, "sum of logarithms", JUDGED ": twice GAIN_CARE", "above it: an error") \
  X(size, MOST_TURNED, 4, "joints", JUDGED, "signs that are turned, at most")

#define CHECK_IDENTIFIABILITY_THRESHOLDS(X) \
  X(count, CONDITION_WARN, 200, "condition number", "reason: good excitations have 20 to 100", "above it: a warning") \
  X(count, CONDITION_BAD, 500, "condition number", "the KR300 recordings have 760 to 1550 and 35 % error in validation", "above it: an error") \
  X(real, LOST_BADLY, 0.25, "share of the base parameters", JUDGED, "if more are missing: an error") \
  X(real, VANISHES, 1e-9, "largest column", "reason: rounding, for example of cos(pi/2)", "a smaller column is zero") \
  X(real, NOISE_FLOOR, 1e-3, "rms of the row", JUDGED, "smallest sigma of a row")

#define CHECK_COUPLING_THRESHOLDS(X) \
  X(count, SHORTEST, 300, "samples", "as in regular_view.c", "shorter motions are not searched") \
  X(count, LONGEST, 200000, "samples", "memory", "samples of a motion that are read") \
  X(real, CUTOFF, 20.0, "Hz", JUDGED, "cut-off of motions without one") \
  X(size, FILTER_ORDER, 4, "order", "the low-pass of the identification", "order of the low-pass")

/* coupling_equations.h and its users */
#define CHECK_FOLDS_THRESHOLDS(X) \
  X(size, FOLDS, 6, "parts", JUDGED, "parts of the data, of which each is left out once") \
  X(size, WINDOW, 5, "samples", "reason: the reach of the low-pass", "samples of a sign column around an instant")

#define CHECK_COUPLING_EQUATIONS_THRESHOLDS(X) \
  X(real, BLOCK_S, 2.0, "s", JUDGED, "length of a block; blocks are dealt to the parts in turn") \
  X(count, INSTANTS, 1200, "instants", JUDGED ", for speed", "instants of all recordings together") \
  X(real, EXCITED, 1e-3, "scaled singular value", JUDGED, "directions with a smaller one are not used") \
  X(real, REST, 0.02, "share of the 95 % speed", "as REST_SHARE of regular_view.c", "a slower joint stands still")

#define CHECK_COUPLING_SEARCH_THRESHOLDS(X) \
  X(real, RATIO_LEAST, 0.1, "ratio", "reason: with a smaller ratio the sign of the motor's speed is that of its joint", "smallest ratio that is tried") \
  X(real, RATIO_MOST, 6.0, "ratio", JUDGED, "largest ratio that is tried") \
  X(size, RATIO_STEPS, 16, "ratios", JUDGED ", for speed", "ratios of each sign that are tried") \
  X(real, EACH_JOINT, 0.9, "held-out squared error", ON_COUPLINGS, "a coupling must lower that of each joint to this share") \
  X(real, BOTH_JOINTS, 0.6, "held-out squared error", "reason: friction laws of gears save up to a half, but in one joint; " ON_COUPLINGS, "a coupling must lower the mean of both joints to this share") \
  X(count, MOST_FOLDS, 5, "parts", JUDGED, "a coupling must help in so many of six parts") \
  X(real, RATIO_SPAN, 2.0, "ratio", JUDGED, "a coupling whose ratio is known less well is not proposed") \
  X(real, SHARE_SLACK, 0.95, "ratio", JUDGED, "uncertainty of the shares of friction and inertia") \
  X(real, SIGMAS, 2.0, "sigmas", "95 % of a normal distribution", "half the range of the ratio that is reported") \
  X(real, MODEL_ERROR, 2.0, "ratio", "reason: residuals are correlated over longer times than the low-pass explains", "factor of the sigma of a ratio") \
  X(real, NEAR, 0.1, "relative distance", JUDGED, "a whole or half number this close is proposed instead of the estimate")

#define CHECK_DELAY_THRESHOLDS(X) \
  X(real, LEAST_SAMPLES, 1.5, "samples", "reason: a control loop has a delay of one", "a shorter delay is not reported") \
  X(real, LEAST_S, 1e-3, "s", "reason: the current loop of a drive takes up to that", "a shorter delay is not reported") \
  X(real, LEAST_GAIN, 0.01, "share of the held-out error", ON_DELAYS, "a delay must lower it by this") \
  X(real, LEAST_T, 2.0, "t of the gains of the blocks", "95 % of a normal distribution", "a delay with a lower one is not reported") \
  X(count, LEAST_JOINTS, 3, "joints", "reason: fewer cannot disagree", "with fewer joints a delay is a note") \
  X(real, CLEAR_SIGMAS, 4.0, "sigmas", ON_DELAYS, "a delay above it can be recommended") \
  X(real, WEAK_SIGMAS, 3.0, "sigmas", ON_DELAYS, "a delay above it can be a note") \
  X(real, CLEAR_GAIN, 0.05, "share of the held-out error", ON_DELAYS, "an uncertain delay must lower it by this") \
  X(real, CARE_GAIN, 0.1, "share of the held-out error", "recordings without a delay have at most 0.03; 30 ms in the KR300 0.18 to 0.28", "a delay that lowers it by more asks for care, also without a value to correct it with") \
  X(real, CLEAR_T, 4.0, "t of the gains of the blocks", "one recording of the KR300 gains 9 % without a delay", "an uncertain delay needs this") \
  X(real, CLEAR_SAMPLES, 3.0, "samples", "reason: controller and recorder together explain up to two", "an uncertain delay must be longer")

#define CHECK_DELAY_FIT_THRESHOLDS(X) \
  X(size, BLOCKS, 20, "blocks", JUDGED, "blocks of time, of which each is left out once") \
  X(real, HIGHEST_HZ, 10.0, "Hz", "reason: friction and vibration dominate above", "upper end of the band") \
  X(real, PASS_BAND, 0.8, "half the cut-off", "the decimation of an identification", "pass band of the fit") \
  X(count, ITERATIONS, 15, "iterations", JUDGED, "iterations of the shared delay") \
  X(real, CONVERGED, 1e-6, "s", JUDGED, "a smaller step ends the iterations") \
  X(real, REGULARISATION, 1e-3, "norm of a column", JUDGED, "a column with less excitation is held")

/* delay_fit.h and its users */
#define CHECK_DELAY_REACH_THRESHOLDS(X) \
  X(real, DELAY_REACH, 0.06, "s", JUDGED, "largest delay that is searched")

#define CHECK_DELAY_TRIAL_THRESHOLDS(X) \
  X(size, SHARES, 7, "ends", "reason: ends of 8 s of moves whose lengths differ by 5 % can behave differently", "ends of the recording that are predicted") \
  X(real, MOST_WORSE, 1.01, "ratio of errors", ON_DELAYS, "a delay that predicts one end worse is not recommended")

/* lagged_rows.h and its users */
#define CHECK_LAG_STENCIL_THRESHOLDS(X) \
  X(size, LAG_STENCIL, 4, "lags", "cubic interpolation", "lags that an interpolation uses")

#define CHECK_LAGGED_ROWS_THRESHOLDS(X) \
  X(real, PASS_BAND, 0.8, "Nyquist frequency of decimated rows", "the decimation of an identification", "pass band of the rows") \
  X(count, LAGS_PER_PERIOD, 20, "lags", "reason: a cubic is then exact to 2e-4", "lags per period of the highest frequency") \
  X(count, MOST_ROWS, 2000, "rows", JUDGED ", for speed", "rows of one torque; longer recordings are thinned out")

#define CHECK_DRIFT_THRESHOLDS(X) \
  X(size, BLOCKS, 20, "blocks", JUDGED, "blocks of time, of which each is left out once") \
  X(real, BLOCK_S, 1.0, "s", "reason: shorter blocks are correlated", "shortest block; shorter recordings are not tested") \
  X(real, LEVEL, 0.005, "probability", ON_DRIFTS, "level of the test, for all joints together") \
  X(real, LEAST_CHANGE, 0.05, "share of the friction", JUDGED, "a smaller change is not reported") \
  X(real, LEAST_GAIN, 0.01, "held-out squared error", ON_DRIFTS, "a drift must lower it by this") \
  X(real, GAIN_ERRORS, 2, "standard errors", "95 % of a normal distribution", "the gain must exceed so many") \
  X(size, NUISANCES, 3, "columns", "load, root and square of the speed", "columns beside that of the drift") \
  X(real, RIDGE, 1e-10, "scaled normal matrix", "rounding of normal equations", "regularisation of columns that nearly depend on each other")
// clang-format on

#endif
