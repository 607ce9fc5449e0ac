/*
 * roberval-mpi: the tool as a team of processes, `mpirun -n N roberval-mpi COMMAND ...`. Process 0
 * leads, hands out jobs and does all that is done once: it reads and writes journals, writes files
 * and prints; the others run the same command up to its jobs, in silence, and do these.
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

/* ---- waiting: MPI's own calls keep a core busy, these do not ---- */

static void rest(long *pause_ns) {
  const struct timespec t = {.tv_nsec = *pause_ns};
  nanosleep(&t, NULL);
  if (*pause_ns < PAUSE_MOST_NS) *pause_ns *= 2;
}

/* until all are here */
static void meet(void) {
  MPI_Request request;
  int there = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (long pause = PAUSE_LEAST_NS; MPI_Test(&request, &there, MPI_STATUS_IGNORE), !there;)
    rest(&pause);
}

/* ---- messages; what goes wrong in MPI ends all processes, as it does by default ---- */

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
    rest(&pause);
  MPI_Get_count(&status, MPI_BYTE, &size);
  char *data = malloc((size_t)size + 1);
  if (!data) return RBV_EMEM;
  MPI_Mrecv(data, size, MPI_BYTE, &message, &status);
  rbv_bytes_add(out, data, (size_t)size);
  free(data);
  *from = status.MPI_SOURCE;
  return RBV_OK;
}

/* ---- the others ---- */

/* which commands fall into jobs; what else there is the leader does alone */
static bool has_jobs(const char *command) {
  static const char *const names[] = {"montecarlo", "excite", "identify"};
  for (size_t i = 0; command && i < sizeof names / sizeof *names; i++)
    if (strcmp(command, names[i]) == 0) return true;
  return false;
}

/* words go to a file that is read when it ends badly */
static FILE *be_silent(void) {
  FILE *words = tmpfile();
  if (!words || dup2(fileno(words), STDERR_FILENO) < 0 || !freopen("/dev/null", "w", stdout)) {
    fprintf(stderr, "roberval: the streams of a member cannot be redirected\n");
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
  }
  return words;
}

/* the last line */
static void read_reason(char *reason, FILE *words) {
  char line[REASON];
  fflush(stderr);
  rewind(words);
  while (fgets(line, sizeof line, words)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0]) strcpy(reason, line);
  }
}

static void follow(int argc, char **argv) {
  char reason[REASON] = "";
  FILE *words = be_silent();
  if (argc > 1 && has_jobs(argv[1]) && cli_main(argc, argv) > EXIT_NO) read_reason(reason, words);
  if (rbv_team_leave(reason, NULL, NULL) != RBV_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
}

/* ---- the leader ---- */

static void hear(void *payload, int member, const char *reason) {
  // where the leader failed, the others did for the same reason or because of it
  if (*(const int *)payload <= EXIT_NO)
    fprintf(stderr, "process %d did not take part: %s\n", member, reason);
}

static int lead(int argc, char **argv) {
  int code = cli_main(argc, argv);
  if (rbv_team_leave("", hear, &code) != RBV_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
  return code;
}

int main(int argc, char **argv) {
  int provided, code = EXIT_DONE;
  rbv_team team = {.send = send_bytes, .receive = receive_bytes};
  // alone it may have threads, but only this one talks
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &team.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &team.size);
  if (rbv_team_join(&team) != RBV_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
  if (team.rank == 0)
    code = lead(argc, argv);
  else
    follow(argc, argv);
  meet();
  MPI_Finalize();
  return code;
}
