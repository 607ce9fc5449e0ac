/*
 * roberval-mpi: the tool as a team of processes, `mpirun -n N roberval-mpi COMMAND ...`. Process 0,
 * the leader, distributes jobs, reads and writes journals, writes files and prints. The other
 * processes run the same command without output and compute the jobs that they receive.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

#define TAG 1
#define PAUSE_LEAST_NS 20000
#define PAUSE_MOST_NS 1000000
#define REASON 512

/* ---- waiting: sleeps between polls, because blocking MPI calls keep a core busy ---- */

static void pause_longer(long *pause_ns) {
  const struct timespec t = {.tv_nsec = *pause_ns};
  nanosleep(&t, NULL);
  if (*pause_ns < PAUSE_MOST_NS) *pause_ns *= 2;
}

/* a barrier for all processes */
static void wait_for_all(void) {
  MPI_Request request;
  int there = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (long pause = PAUSE_LEAST_NS; MPI_Test(&request, &there, MPI_STATUS_IGNORE), !there;)
    pause_longer(&pause);
}

/* ---- messages; an MPI error ends all processes, the default of MPI ---- */

static rbv_status send_bytes(void *self, int to, const void *data, size_t size) {
  (void)self;
  MPI_Send(data, (int)size, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
  return RBV_OK;
}

static rbv_status receive_bytes(void *self, int *from, rbv_bytes *out) {
  (void)self;
  MPI_Message message;
  MPI_Status status;
  int there = 0, size;
  for (long pause = PAUSE_LEAST_NS;
       MPI_Improbe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &message, &status), !there;)
    pause_longer(&pause);
  MPI_Get_count(&status, MPI_BYTE, &size);
  char *data = malloc((size_t)size + 1);
  if (!data) return RBV_EMEM;
  MPI_Mrecv(data, size, MPI_BYTE, &message, &status);
  rbv_bytes_add(out, data, (size_t)size);
  free(data);
  *from = status.MPI_SOURCE;
  return RBV_OK;
}

/* ---- the other processes ---- */

/* true if the command is divided into jobs; the leader runs other commands alone */
static bool has_jobs(const char *command) {
  static const char *const names[] = {"montecarlo", "excite", "identify"};
  for (size_t i = 0; command && i < sizeof names / sizeof *names; i++)
    if (strcmp(command, names[i]) == 0) return true;
  return false;
}

/* redirect messages to a file, which is read if the command fails; discard stdout */
static FILE *redirect_output(void) {
  FILE *messages = tmpfile();
  if (!messages || dup2(fileno(messages), STDERR_FILENO) < 0 ||
      !freopen("/dev/null", "w", stdout)) {
    fprintf(stderr, "roberval: the output streams of a process cannot be redirected\n");
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
  }
  return messages;
}

/* the reason of a failure: the last line of the messages */
static void read_reason(char *reason, FILE *messages) {
  char line[REASON];
  fflush(stderr);
  rewind(messages);
  while (fgets(line, sizeof line, messages)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0]) strcpy(reason, line);
  }
}

static void follow(int argc, char **argv) {
  char reason[REASON] = "";
  FILE *messages = redirect_output();
  if (argc > 1 && has_jobs(argv[1]) && cli_main(argc, argv) > EXIT_NO)
    read_reason(reason, messages);
  if (rbv_team_leave(reason, NULL, NULL) != RBV_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
}

/* ---- the leader ---- */

static void print_reason(void *payload, int member, const char *reason) {
  // if the leader failed, it has printed the reason itself
  if (*(const int *)payload <= EXIT_NO) fprintf(stderr, "process %d failed: %s\n", member, reason);
}

static int lead(int argc, char **argv) {
  int code = cli_main(argc, argv);
  if (rbv_team_leave("", print_reason, &code) != RBV_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
  return code;
}

int main(int argc, char **argv) {
  int provided, code = EXIT_DONE;
  rbv_team team = {.send = send_bytes, .receive = receive_bytes};
  // a process may use threads, but only this thread calls MPI
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &team.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &team.size);
  if (rbv_team_join(&team) != RBV_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
  if (team.rank == 0)
    code = lead(argc, argv);
  else
    follow(argc, argv);
  wait_for_all();
  MPI_Finalize();
  return code;
}
