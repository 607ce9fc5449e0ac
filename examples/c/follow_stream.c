/*
 * follow_stream ROBOT RESULT [PER_HOUR]: follows a robot at work. Rows come from the standard
 * input, one per line: time, positions, torques, with spaces or commas between them. Events are
 * printed as they happen, with at most PER_HOUR false alarms (default 1).
 */
#include <roberval/roberval.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES 128 /* of a row, at most */

static void print_event(void *self, const rbv_follow_event *event) {
  (void)self;
  printf("%.3f %s\n", event->t, event->text);
  fflush(stdout);
}

/* numbers of a line; returns how many there are */
static int read_values(double *value, char *line) {
  int count = 0;
  char *end;
  for (char *at = line; count < VALUES; at = end, count++) {
    at += strspn(at, ", ");
    value[count] = strtod(at, &end);
    if (end == at) break;
  }
  return count;
}

int main(int argc, char **argv) {
  rbv_follower *follower = NULL;
  char line[8192];
  double row[VALUES];
  if (argc < 3) {
    fprintf(stderr, "usage: follow_stream ROBOT RESULT [PER_HOUR] < ROWS\n");
    return 2;
  }
  rbv_status status = rbv_follower_new(&follower, argv[1], argv[2]);
  if (status == RBV_OK && argc > 3) status = rbv_follower_set(follower, "alarms", argv[3]);
  rbv_follower_on_event(follower, print_event, NULL);
  const int n = rbv_follower_joint_count(follower);
  const int width = 1 + n + rbv_follower_torque_count(follower);
  while (status == RBV_OK && fgets(line, sizeof line, stdin))
    if (read_values(row, line) == width) /* other lines are no rows: a head, a comment */
      status = rbv_follower_push(follower, row[0], row + 1, row + 1 + n);
  if (status == RBV_OK) status = rbv_follower_end(follower);
  if (status == RBV_OK) printf("payload %.2f kg\n", rbv_follower_mass(follower));
  if (status != RBV_OK) fprintf(stderr, "follow_stream: %s\n", rbv_message());
  rbv_follower_free(follower);
  return status == RBV_OK ? 0 : 3;
}
