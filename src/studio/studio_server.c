/*
 * The server: who may ask, what is asked, uploads. The only file that knows libmicrohttpd, which is
 * opened when the studio starts: the tool does not depend on it.
 *
 * Every request needs the token, and a Host and an Origin that are the server's own: a page of
 * another site, also behind a name that leads to 127.0.0.1, is refused. Requests that change
 * something need the token in a header, which a form cannot send.
 */
#define _GNU_SOURCE  // O_CLOEXEC, mkostemp
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "studio/studio_internal.h"

#ifdef STUDIO_LIBRARY
#include <microhttpd.h>

#define CONNECTIONS 64
#define IDLE_S 60
#define SPARE_BYTES ((long long)256 << 20)  // of the disk that uploads leave free

static struct {
  void *open;
  struct MHD_Daemon *(*MHD_start_daemon)(unsigned int, uint16_t, MHD_AcceptPolicyCallback, void *,
                                         MHD_AccessHandlerCallback, void *, ...);
  void (*MHD_stop_daemon)(struct MHD_Daemon *);
  const union MHD_DaemonInfo *(*MHD_get_daemon_info)(struct MHD_Daemon *, enum MHD_DaemonInfoType,
                                                     ...);
  const char *(*MHD_lookup_connection_value)(struct MHD_Connection *, enum MHD_ValueKind,
                                             const char *);
  struct MHD_Response *(*MHD_create_response_from_buffer)(size_t, void *,
                                                          enum MHD_ResponseMemoryMode);
  struct MHD_Response *(*MHD_create_response_from_fd64)(uint64_t, int);
  enum MHD_Result (*MHD_add_response_header)(struct MHD_Response *, const char *, const char *);
  enum MHD_Result (*MHD_queue_response)(struct MHD_Connection *, unsigned int,
                                        struct MHD_Response *);
  void (*MHD_destroy_response)(struct MHD_Response *);
} mhd;

static rbv_status open_library(void) {
#define PLACE(name) \
  { #name, &mhd.name }
  static const struct {
    const char *name;
    void *place;
  } function[] = {PLACE(MHD_start_daemon),
                  PLACE(MHD_stop_daemon),
                  PLACE(MHD_get_daemon_info),
                  PLACE(MHD_lookup_connection_value),
                  PLACE(MHD_create_response_from_buffer),
                  PLACE(MHD_create_response_from_fd64),
                  PLACE(MHD_add_response_header),
                  PLACE(MHD_queue_response),
                  PLACE(MHD_destroy_response)};
#undef PLACE
  if (mhd.open) return RBV_OK;
  void *library = dlopen(STUDIO_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return rbv_fail(RBV_EUNSUPPORTED, "the studio needs the library " STUDIO_LIBRARY
                                      " (Debian: apt-get install libmicrohttpd12)");
  for (int i = 0; i < RBV_COUNT(function); i++) {
    void *symbol = dlsym(library, function[i].name);
    if (!symbol)
      return rbv_fail(RBV_EUNSUPPORTED, STUDIO_LIBRARY " has no function %s", function[i].name);
    memcpy(function[i].place, &symbol, sizeof symbol);
  }
  mhd.open = library;
  return RBV_OK;
}

/* ---- answers ---- */

typedef struct MHD_Connection connection;
typedef enum MHD_Result result;

/* types of the files that the page shows; others are downloads */
static const struct {
  const char *end, *type, *policy;
} types[] = {
    {".json", "application/json", NULL},
    {".yaml", "text/plain; charset=utf-8", NULL},
    {".txt", "text/plain; charset=utf-8", NULL},
    {".svg", "image/svg+xml", "default-src 'none'; style-src 'unsafe-inline'; sandbox"},
    // a report has all that it needs, and shows it without the rights of this page
    {".html", "text/html; charset=utf-8",
     "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; "
     "script-src 'unsafe-inline'; img-src data: blob:"}};

static const char page_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
    "data:; "
    "connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors "
    "'none'";

static result send_response(connection *c, unsigned code, struct MHD_Response *r, const char *type,
                            const char *policy) {
  if (!r) return MHD_NO;
  const char *const header[][2] = {{"Content-Type", type},
                                   {"Content-Security-Policy", policy ? policy : page_policy},
                                   {"X-Content-Type-Options", "nosniff"},
                                   {"Referrer-Policy", "no-referrer"},
                                   {"Cross-Origin-Resource-Policy", "same-origin"},
                                   {"Cross-Origin-Opener-Policy", "same-origin"},
                                   {"Cache-Control", "no-store"}};
  for (int i = 0; i < RBV_COUNT(header); i++)
    mhd.MHD_add_response_header(r, header[i][0], header[i][1]);
  const result done = mhd.MHD_queue_response(c, code, r);
  mhd.MHD_destroy_response(r);
  return done;
}

static result send_text(connection *c, unsigned code, const char *text, size_t size,
                        const char *type) {
  return send_response(
      c, code,
      mhd.MHD_create_response_from_buffer(size, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY),
      type, NULL);
}

/* a sentence; the page shows it */
static result refuse(connection *c, unsigned code, const char *why) {
  return send_text(c, code, why, strlen(why), "text/plain; charset=utf-8");
}

/* ---- who may ask ---- */

static const char *header_of(connection *c, const char *name) {
  return mhd.MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

/* the time does not depend on the place of the first difference */
static bool same_token(const studio *s, const char *given) {
  unsigned char different = 0;
  if (!given || strlen(given) != STUDIO_TOKEN) return false;
  for (int i = 0; i < STUDIO_TOKEN; i++) different |= (unsigned char)(given[i] ^ s->token[i]);
  return different == 0;
}

static bool is_own(const studio *s, const char *text, const char *before) {
  const size_t n = strlen(before);
  return strncmp(text, before, n) == 0 &&
         (strcmp(text + n, s->host[0]) == 0 || strcmp(text + n, s->host[1]) == 0);
}

/* NULL: accepted. "null" is the origin of a report in its frame, which reads nothing. */
static const char *objection(const studio *s, connection *c, bool changes) {
  const char *host = header_of(c, "Host"), *origin = header_of(c, "Origin");
  const char *site = header_of(c, "Sec-Fetch-Site");
  if (!host || !is_own(s, host, "")) return "The host is not that of the studio.";
  if (origin && !is_own(s, origin, "http://")) return "A page of another origin may not ask.";
  if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
    return "A page of another site may not ask.";
  const char *token = header_of(c, "X-Roberval-Token");
  if (!token && !changes)
    token = mhd.MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "token");
  return same_token(s, token) ? NULL : "The token is missing or wrong: open the printed address.";
}

/* ---- reading ---- */

static result send_file(const studio *s, connection *c, const char *path) {
  char real[STUDIO_PATH];
  struct stat st;
  if (!studio_find(real, s, path)) return refuse(c, 404, "There is no such file.");
  const int fd = open(real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
    if (fd >= 0) close(fd);
    return refuse(c, 404, "There is no such file.");
  }
  const char *end = strrchr(path, '.'), *type = "application/octet-stream", *policy = NULL;
  for (int i = 0; i < RBV_COUNT(types); i++)
    if (end && strcmp(end, types[i].end) == 0) type = types[i].type, policy = types[i].policy;
  struct MHD_Response *r = mhd.MHD_create_response_from_fd64((uint64_t)st.st_size, fd);
  if (!r) close(fd);
  return send_response(c, 200, r, type, policy);
}

static const char *asset_text(const char *name) {
  for (const studio_asset *a = studio_assets; a->name; a++)
    if (strcmp(a->name, name) == 0) return a->text;
  return NULL;
}

/* a text of the page, in which marks stand for the token and the colours */
static void put_asset(rbv_text *out, const studio *s, const char *at) {
  const struct {
    const char *mark, *text;
  } place[] = {{"@TOKEN@", s->token},
               {"@LIGHT@", asset_text("light.css")},
               {"@DARK@", asset_text("dark.css")}};
  while (*at) {
    size_t n = strcspn(at + 1, "@") + 1;
    for (int i = 0; i < RBV_COUNT(place); i++) {
      const size_t length = strlen(place[i].mark);
      if (strncmp(at, place[i].mark, length) != 0) continue;
      rbv_text_put(out, place[i].text);
      at += length;
      n = 0;
      break;
    }
    rbv_text_add(out, at, n);
    at += n;
  }
}

static result send_asset(const studio *s, connection *c, const char *name) {
  static const char *const type[][2] = {{".html", "text/html; charset=utf-8"},
                                        {".css", "text/css; charset=utf-8"},
                                        {".js", "text/javascript; charset=utf-8"}};
  const char *asset = asset_text(name), *end = strrchr(name, '.'), *own = "text/plain";
  if (!asset) return refuse(c, 404, "There is no such page.");
  rbv_text text = {0};
  put_asset(&text, s, asset);
  for (int i = 0; i < RBV_COUNT(type); i++)
    if (end && strcmp(end, type[i][0]) == 0) own = type[i][1];
  const result done = text.failed ? MHD_NO : send_text(c, 200, text.data, text.size, own);
  rbv_text_free(&text);
  return done;
}

static result get(const studio *s, connection *c, const char *url) {
  if (strcmp(url, "/") == 0) return send_asset(s, c, "studio.html");
  if (strncmp(url, "/file/", 6) == 0) return send_file(s, c, url + 6);
  if (strcmp(url, "/state") != 0) return send_asset(s, c, url + 1);
  rbv_text text = {0};
  const result done = studio_state(&text, s) == RBV_OK
                          ? send_text(c, 200, text.data, text.size, "application/json")
                          : refuse(c, 500, rbv_message());
  rbv_text_free(&text);
  return done;
}

/* ---- writing: commands and uploads, which come in pieces ---- */

typedef struct {
  bool upload;
  rbv_text body;   // of a command
  int fd;          // of an upload
  long long size;  // so far
  char temp[STUDIO_PATH + 32], path[2 * STUDIO_PATH];
} request;

static void free_request(request *q) {
  if (!q) return;
  if (q->fd >= 0) {  // not finished
    close(q->fd);
    unlink(q->temp);
  }
  rbv_text_free(&q->body);
  rbv_free(q);
}

static void request_completed(void *self, connection *c, void **state,
                              enum MHD_RequestTerminationCode how) {
  (void)self, (void)c, (void)how;
  free_request(*state);
  *state = NULL;
}

static bool has_space(const studio *s, long long bytes) {
  struct statvfs v;
  return statvfs(s->folder, &v) == 0 &&
         (long long)v.f_bavail * (long long)v.f_frsize - SPARE_BYTES > bytes;
}

/* 0: accepted; or the code of the refusal */
static unsigned open_upload(request *q, const studio *s, const char *name, const char *length,
                            const char **why) {
  long long bytes = 0;
  for (const char *d = length; d && *d >= '0' && *d <= '9' && bytes < INT64_MAX / 16; d++)
    bytes = 10 * bytes + (*d - '0');
  *why = "The name of an upload is that of a file in the folder.";
  if (strchr(name, '/') || !studio_plain_path(name) || strcmp(name, "runs") == 0) return 400;
  *why = "The file is larger than the studio accepts; give its path on the command line.";
  if (bytes > s->most_bytes) return 413;
  *why = "The disk has too little space for the file.";
  if (!has_space(s, bytes)) return 507;
  snprintf(q->path, sizeof q->path, "%s/%s", s->folder, name);
  snprintf(q->temp, sizeof q->temp, "%s/.upload-XXXXXX", s->folder);
  *why = "The file cannot be written.";
  q->fd = mkostemp(q->temp, O_CLOEXEC);
  return q->fd < 0 ? 500 : 0;
}

static result begin(void **state, const studio *s, connection *c, const char *url,
                    const char *method) {
  request *q = rbv_alloc(sizeof *q);
  if (!q) return MHD_NO;
  q->fd = -1;
  *state = q;
  q->upload = strcmp(method, "PUT") == 0;
  if (!q->upload) return strcmp(url, "/run") == 0 ? MHD_YES : refuse(c, 404, "Nothing is here.");
  const char *why;
  if (strncmp(url, "/file/", 6) != 0) return refuse(c, 404, "Nothing is here.");
  const unsigned code = open_upload(q, s, url + 6, header_of(c, "Content-Length"), &why);
  return code == 0 ? MHD_YES : refuse(c, code, why);
}

/* a body that is too long ends the connection */
static result more(request *q, const studio *s, const char *data, size_t size) {
  q->size += (long long)size;
  if (!q->upload) {
    if (q->size > STUDIO_BODY) return MHD_NO;
    rbv_text_add(&q->body, data, size);
    return q->body.failed ? MHD_NO : MHD_YES;
  }
  if (q->size > s->most_bytes || !has_space(s, (long long)size)) return MHD_NO;
  for (size_t at = 0; at < size;) {
    const ssize_t n = write(q->fd, data + at, size - at);
    if (n < 0 && errno != EINTR) return MHD_NO;
    at += n > 0 ? (size_t)n : 0;
  }
  return MHD_YES;
}

static result finish(request *q, studio *s, connection *c) {
  if (q->upload) {
    const bool good =
        fsync(q->fd) == 0 && fchmod(q->fd, 0644) == 0 && rename(q->temp, q->path) == 0;
    if (!good) return refuse(c, 500, "The file cannot be written.");
    close(q->fd);
    q->fd = -1;
    return send_text(c, 201, "{}", 2, "application/json");
  }
  rbv_text out = {0};
  const rbv_status status = studio_command(&out, s, rbv_text_string(&q->body), q->body.size);
  const result done = status == RBV_OK
                          ? send_text(c, 200, out.data, out.size, "application/json")
                          : refuse(c, status == RBV_EOPTION ? 400 : 500, rbv_message());
  rbv_text_free(&out);
  return done;
}

static result answer(void *self, connection *c, const char *url, const char *method,
                     const char *version, const char *data, size_t *size, void **state) {
  (void)version;
  studio *s = self;
  const bool reads = strcmp(method, "GET") == 0;
  const bool writes = strcmp(method, "PUT") == 0 || strcmp(method, "POST") == 0;
  if (!*state) {
    const char *why = objection(s, c, writes);
    if (why) return refuse(c, 403, why);
    if (reads) return get(s, c, url);
    return writes ? begin(state, s, c, url, method) : refuse(c, 405, "GET, PUT and POST only.");
  }
  if (*size > 0) {
    const result done = more(*state, s, data, *size);
    *size = 0;
    return done;
  }
  return finish(*state, s, c);
}

/* ---- life ---- */

rbv_status studio_start(studio *s, int port) {
  RBV_TRY(open_library());
  struct sockaddr_in at = {.sin_family = AF_INET,
                           .sin_port = htons((uint16_t)port),
                           .sin_addr = {htonl(INADDR_LOOPBACK)}};
  s->daemon = mhd.MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, 0, NULL, NULL,
      answer, s, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&at, MHD_OPTION_CONNECTION_LIMIT,
      (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
      MHD_OPTION_NOTIFY_COMPLETED, request_completed, NULL, MHD_OPTION_END);
  if (!s->daemon)
    return rbv_fail(RBV_EWRITE, "port %d of 127.0.0.1 cannot be opened: %s", port, strerror(errno));
  const union MHD_DaemonInfo *info = mhd.MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
  const unsigned own = info ? info->port : (unsigned)port;
  snprintf(s->host[0], sizeof s->host[0], "127.0.0.1:%u", own);
  snprintf(s->host[1], sizeof s->host[1], "localhost:%u", own);
  snprintf(s->url, sizeof s->url, "http://%s/?token=%s", s->host[0], s->token);
  return RBV_OK;
}

void studio_stop(studio *s) {
  if (s->daemon) mhd.MHD_stop_daemon(s->daemon);
  s->daemon = NULL;
}

#else

rbv_status studio_start(studio *s, int port) {
  (void)s, (void)port;
  return rbv_fail(RBV_EUNSUPPORTED,
                  "this build has no studio: install libmicrohttpd-dev and build again");
}

void studio_stop(studio *s) { (void)s; }

#endif
