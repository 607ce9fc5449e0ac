/* What a run of follow does before it begins: its lock, and outputs that are no inputs. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/storage_internal.h"
#include "task/follow_run.h"

/* The state is replaced by each save, so that a file of its own is locked. */
static bool lock_name(char out[4096], const char *state) {
  return snprintf(out, 4096, "%s.lock", state) < 4096;
}

rbv_status follow_lock(int *lock, const char *state) {
  char name[4096];
  *lock = -1;
  if (!lock_name(name, state)) return rbv_file_refuse(state, ENAMETOOLONG);
  for (int trial = 0; trial < 100; trial++) {
    const int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return rbv_file_refuse(name, errno);
    struct stat own, there;
    const bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
    const int reason = errno;
    // the process that held it may have removed the name meanwhile
    if (locked && fstat(fd, &own) == 0 && stat(name, &there) == 0 && own.st_ino == there.st_ino) {
      *lock = fd;
      return RBV_OK;
    }
    close(fd);
    if (!locked && reason == EWOULDBLOCK)
      return rbv_fail(RBV_EINPUT, "%s: another process uses this state", state);
    if (!locked) return rbv_file_refuse(name, reason);
  }
  return rbv_fail(RBV_EWRITE, "%s: the lock cannot be taken", name);
}

void follow_unlock(int lock, const char *state) {
  char name[4096];
  if (lock < 0) return;
  if (lock_name(name, state)) (void)unlink(name);
  close(lock);
}

rbv_status follow_check_outputs(const rbv_follow_task *t) {
  const rbv_files *clean = &t->options.clean;
  const char *const out[] = {t->output, t->report, t->state};
  const char *const in[] = {t->common.input[0], t->common.input[1],
                            t->topic.topic ? NULL : t->common.input[2], t->options.map};
  for (int i = 0; i < RBV_COUNT(out); i++) {
    if (!out[i]) continue;
    bool used = false;
    for (int k = 0; k < RBV_COUNT(in); k++) used = used || rbv_file_same(out[i], in[k]);
    for (int k = 0; k < clean->count; k++) used = used || rbv_file_same(out[i], clean->item[k]);
    for (int k = 0; k < i; k++)
      used = used || (out[k] && (strcmp(out[i], out[k]) == 0 || rbv_file_same(out[i], out[k])));
    if (used)
      return rbv_fail(RBV_EINPUT, "%s: is an input, or another output: choose another name",
                      out[i]);
  }
  return RBV_OK;
}
