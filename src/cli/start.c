/*
 * What OpenBLAS does where threads or memory are missing. It starts its threads when it is loaded,
 * before main. Functions of the section .preinit_array run before those of the shared libraries,
 * and before a sanitizer is ready.
 *
 * Where threads cannot be had (a container with a limit of processes), it says so and raises
 * SIGINT. Where its buffer cannot be mapped (a limit of address space), it tries again for ever.
 * The tool needs one thread of OpenBLAS only, so it then starts itself again with
 * OPENBLAS_NUM_THREADS=1, and ends with a sentence if this was not enough.
 */
#include "cli.h"

#if defined(__ELF__) && defined(__GLIBC__) && !defined(ROBERVAL_SANITIZED)
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ONE_THREAD "OPENBLAS_NUM_THREADS=1"
#define ENVIRONMENT_MAX 4096  // entries

static char **first_argv, **first_environment;
static struct sigaction first_action;  // of SIGINT
static atomic_bool loaded;

static _Noreturn void leave(const char *sentence) {
  if (write(STDERR_FILENO, sentence, strlen(sentence)) < 0) _exit(EXIT_FAILED);
  _exit(EXIT_FAILED);
}

/* Start the tool again with one thread of OpenBLAS; returns if that has been tried, or fails. */
static void start_again(void) {
  static char *environment[ENVIRONMENT_MAX + 2] = {(char *)(uintptr_t)ONE_THREAD};
  int count = 0;
  for (; first_environment && first_environment[count] && count < ENVIRONMENT_MAX; count++) {
    environment[count + 1] = first_environment[count];
    if (strcmp(first_environment[count], ONE_THREAD) == 0) return;
  }
  execve("/proc/self/exe", first_argv, environment);
}

static void on_interrupt(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  if (info->si_pid != getpid()) _exit(EXIT_INTERRUPTED);  // Ctrl-C while the libraries are loaded
  start_again();
  leave("roberval: no threads can be started: raise the limit of processes\n");
}

static void before_libraries(int argc, char **argv, char **environment) {
  (void)argc;
  first_argv = argv;
  first_environment = environment;
  const struct sigaction action = {.sa_sigaction = on_interrupt,
                                   .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGINT, &action, &first_action);
}
__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(int, char **, char **) = before_libraries;

void cli_libraries_are_loaded(void) {
  atomic_store(&loaded, true);
  sigaction(SIGINT, &first_action, NULL);
}

#if defined(SYS_mmap) && defined(__LP64__)
#define REFUSALS 1000  // in a row: nobody but OpenBLAS asks so often, after a few milliseconds

/* In place of that of libc, for all libraries: ends the process that would never end. */
__attribute__((visibility("default"))) void *mmap(void *address, size_t size, int protection,
                                                  int flags, int file, off_t offset) {
  static atomic_int refused;
  const long got = syscall(SYS_mmap, address, size, protection, flags, file, offset);
  const bool no_memory = got == -1 && errno == ENOMEM;
  if (!no_memory) {
    atomic_store_explicit(&refused, 0, memory_order_relaxed);
  } else if (atomic_fetch_add_explicit(&refused, 1, memory_order_relaxed) >= REFUSALS) {
    if (!atomic_load(&loaded)) start_again();
    leave("roberval: out of memory: raise the limit of address space (ulimit -v) to 1 GB\n");
  }
  return (void *)got;
}
#endif

#else
void cli_libraries_are_loaded(void) {}
#endif
