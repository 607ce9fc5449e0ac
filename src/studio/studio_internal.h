/* Declarations shared by the files of this module. */
#ifndef STUDIO_STUDIO_INTERNAL_H
#define STUDIO_STUDIO_INTERNAL_H

#include <semaphore.h>
#include <stddef.h>

#include "base/support.h"
#include "studio/studio.h"

#define STUDIO_TOKEN 32    // letters of the token
#define STUDIO_PATH 4096   // of a path with its end
#define STUDIO_BODY 65536  // bytes of a command
#define STUDIO_WORDS 256   // of a command
#define STUDIO_JOBS 2      // commands that run at a time

struct studio {
  char folder[STUDIO_PATH];   // absolute, without links
  char program[STUDIO_PATH];  // this tool
  char token[STUDIO_TOKEN + 1];
  char url[128], host[2][32];  // "127.0.0.1:PORT", "localhost:PORT"
  int ngiven;
  char **given;  // absolute paths, or names of built-in robots
  long long most_bytes;
  sem_t jobs;
  bool has_jobs;
  void *daemon;
};

/* Texts of the page; the last row is NULL. Generated. */
typedef struct {
  const char *name, *text;
} studio_asset;
extern const studio_asset studio_assets[];

/* Serve until studio_stop. The one file that knows the server library. */
RBV_MUST_CHECK rbv_status studio_start(studio *s, int port);
void studio_stop(studio *s);

/* A name of components that stay in the folder: no leading dot or dash, no control characters. */
bool studio_plain_path(const char *path);

/* The path of a file that exists in the folder, also behind links; false: none. */
bool studio_find(char out[STUDIO_PATH], const studio *s, const char *path);

/* The work as JSON: files, runs, what was given, built-in robots. */
RBV_MUST_CHECK rbv_status studio_state(rbv_text *out, const studio *s);

/*
 * Run a command: words, one per line, without the name of the tool. RBV_EOPTION: refused. out is
 * JSON: command, exit, output and messages.
 */
RBV_MUST_CHECK rbv_status studio_command(rbv_text *out, studio *s, const char *words, size_t size);

#endif
