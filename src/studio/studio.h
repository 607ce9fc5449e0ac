/*
 * studio: a local page that runs commands of the tool and draws their JSON. Part of the tool, not
 * of the library. The page holds no logic of identification and the server neither: a click is a
 * command line, which a child process runs in the folder of the work.
 */
#ifndef STUDIO_STUDIO_H
#define STUDIO_STUDIO_H

#include <stdbool.h>

#include <roberval/sys/base.h>

typedef struct {
  const char *folder;       /* of the work; made if it does not exist */
  const char *const *given; /* robot and recordings of the command line; the first is the robot */
  int ngiven;
  int port;           /* 0: any that is free */
  long long most_mib; /* of an uploaded file */
} studio_options;

typedef struct studio studio;

/*
 * Serve on 127.0.0.1 until studio_free. The URL contains the token that every request needs.
 * RBV_EUNSUPPORTED: this build, or this machine, has no server library.
 */
RBV_MUST_CHECK rbv_status studio_new(studio **out, const studio_options *options);
const char *studio_url(const studio *s);
const char *studio_folder(const studio *s); /* absolute */
void studio_free(studio *s);

#endif
