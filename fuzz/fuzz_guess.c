/* Column maps that are guessed, and the recordings that are read with them. */
#include <roberval/sys/log.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const joints[] = {"shoulder_joint", "elbow_joint", "wrist_1_joint"};
  if (size < 2) return 0;
  const char *path = fuzz_file(data + 1, size - 1, "", 0);
  rbv_log_guess *guess = NULL;
  const int n = 1 + data[0] % 3;
  fuzz_begin();
  rbv_status status = rbv_log_guess_columns(&guess, path, joints, n, data[0] & 4 ? 100 : 0);
  fuzz_end(status, guess, size, (fuzz_budget){4 << 20, 16 << 10});
  if (status != RBV_OK) return 0;
  rbv_log *log = NULL;
  fuzz_begin();
  status = rbv_log_load(&log, path, guess->map);
  fuzz_end(status, log, size, (fuzz_budget){4 << 20, 16 << 10});
  rbv_log_free(log);
  rbv_log_guess_free(guess);
  return 0;
}
