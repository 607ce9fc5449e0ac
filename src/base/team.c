/*
 * Jobs on the processes of a team.
 *
 * A member reports that it is ready. The leader sends it a place. The member runs the job and sends
 * the result, which is also the request for the next place. When no place is left, the member
 * waits. When all members wait, the leader ends the run; if every member processes the results, it
 * sends them along. A message of one run therefore never arrives in another run, and each message
 * has a receiver that waits for it.
 */
#include <stdio.h>
#include <string.h>

#include "base/queue.h"

/* ---- messages: a header, then bytes ---- */

enum { READY, RESULT, FAILED, GONE, RUN, OVER, END };

typedef struct {
  int32_t kind, status;
  int64_t place;
  uint64_t jobs;  // READY: fingerprint of the jobs
} head;

/* The leader's record of a member. */
typedef struct {
  bool waiting, gone;
  char reason[512];  // why it has left
} member;

static const rbv_team *joined;
static member *members;  // size of the team
static bool busy;        // a run is active; jobs started inside of a job run in this process only

static rbv_status post(const rbv_team *t, int to, head h, const void *data, size_t size) {
  rbv_text text = {0};
  rbv_text_add(&text, (const char *)&h, sizeof h);
  if (size > 0) rbv_text_add(&text, data, size);
  RBV_FINISH(text.failed ? RBV_EMEM : t->send(t->self, to, text.data, text.size),
             rbv_text_free(&text));
}

/* Receive the next message. The caller frees in->text. */
static rbv_status fetch(const rbv_team *t, int *from, head *h, rbv_bytes *in) {
  *in = (rbv_bytes){0};
  RBV_TRY(t->receive(t->self, from, in));
  if (in->text.failed) return RBV_EMEM;
  if (in->text.size < sizeof *h || *from < 0 || *from >= t->size) {
    rbv_text_free(&in->text);
    return rbv_fail(RBV_EREAD, "a message of the team is damaged");
  }
  memcpy(h, in->text.data, sizeof *h);
  return RBV_OK;
}

static const char *body(const rbv_bytes *in) { return in->text.data + sizeof(head); }
static size_t body_size(const rbv_bytes *in) { return in->text.size - sizeof(head); }

/* ---- joining ---- */

rbv_status rbv_team_join(const rbv_team *t) {
  member *fresh = NULL;
  if (t && (t->size < 1 || t->rank < 0 || t->rank >= t->size || !t->send || !t->receive))
    return rbv_fail(RBV_EARG, "a team needs members and functions to send and to receive");
  if (t && !(fresh = rbv_alloc((size_t)t->size * sizeof *fresh))) return RBV_EMEM;
  rbv_free(members);
  members = fresh;
  joined = t;
  return RBV_OK;
}

bool rbv_team_leads(void) { return !joined || joined->rank == 0; }

const rbv_team *rbv_team_enter(void) {
  if (!joined || joined->size < 2 || busy) return NULL;
  busy = true;
  return joined;
}

void rbv_team_exit(void) { busy = false; }

static int members_at_work(const rbv_team *t) {
  int count = 0;
  for (int i = 1; i < t->size; i++) count += !members[i].gone && !members[i].waiting;
  return count;
}

/* FNV-1a over everything that must be the same in all members. */
static uint64_t fingerprint(const queue *q) {
  const rbv_jobs *j = q->jobs;
  char numbers[80];
  snprintf(numbers, sizeof numbers, "%td %td %td", j->count, q->first, q->stride);
  const char *const parts[] = {j->name, j->description, numbers};
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < RBV_COUNT(parts); i++)
    for (const char *c = parts[i]; c && *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
  return hash;
}

/* ---- the leader ---- */

/* Process a message of a member about its last job. */
static void hear(queue *q, int from, const head *h, const rbv_bytes *in) {
  const bool inside = h->place >= 0 && h->place < q->total;
  if (h->kind == READY && h->jobs != fingerprint(q)) {
    char sentence[160];
    snprintf(
        sentence, sizeof sentence,
        "member %d of the team has different jobs: all members need the same options and files",
        from);
    rbv_queue_fail(q, -1, RBV_EINPUT, sentence);
  } else if (h->kind == RESULT && inside) {
    rbv_bytes_add(&q->result[h->place], body(in), body_size(in));
    rbv_queue_done(q, h->place, true);
  } else if (h->kind == FAILED) {
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%.*s", (int)body_size(in), body(in));
    rbv_queue_fail(q, h->place, (rbv_status)h->status, sentence);
  }
}

static void note_gone(int from, const rbv_bytes *in) {
  members[from].gone = true;
  snprintf(members[from].reason, sizeof members[from].reason, "%.*s", (int)body_size(in), body(in));
}

/* Send the member another place, or let it wait. */
static rbv_status answer(queue *q, int to) {
  const ptrdiff_t place = rbv_queue_next(q);
  members[to].waiting = place < 0;
  return place < 0 ? RBV_OK : post(q->team, to, (head){.kind = RUN, .place = place}, NULL, 0);
}

/* Distribute places until all members wait or have left. */
static rbv_status hand_out(queue *q) {
  const rbv_team *t = q->team;
  rbv_status status = RBV_OK;
  while (status == RBV_OK && members_at_work(t) > 0) {
    int from;
    head h;
    rbv_bytes in;
    RBV_TRY(fetch(t, &from, &h, &in));
    if (h.kind == GONE) {
      note_gone(from, &in);
    } else {
      hear(q, from, &h, &in);
      status = answer(q, from);
    }
    rbv_text_free(&in.text);
  }
  return status;
}

/* Write place, size and bytes of every result. */
static rbv_status pack(rbv_text *out, const queue *q) {
  for (ptrdiff_t place = 0; place < q->total; place++) {
    const void *data;
    size_t size;
    if (!rbv_queue_result(q, place, &data, &size)) continue;
    const int64_t number[] = {place, (int64_t)size};
    rbv_text_add(out, (const char *)number, sizeof number);
    if (size > 0) rbv_text_add(out, data, size);
  }
  return out->failed ? RBV_EMEM : RBV_OK;
}

static rbv_status tell_waiting(const rbv_team *t, head h, const void *data, size_t size) {
  for (int i = 1; i < t->size; i++) {
    if (!members[i].waiting || members[i].gone) continue;
    members[i].waiting = false;
    RBV_TRY(post(t, i, h, data, size));
  }
  return RBV_OK;
}

rbv_status rbv_team_lead(queue *q, void (*here)(queue *q)) {
  const rbv_team *t = q->team;
  RBV_TRY(hand_out(q));
  here(q);
  rbv_text text = {0};
  head h = {.kind = OVER, .status = RBV_OK};
  rbv_status status = RBV_OK;
  if (q->failed < q->total) {
    h.status = q->status;
    rbv_text_put(&text, q->message);
  } else if (q->jobs->shared) {
    status = pack(&text, q);
  }
  if (status == RBV_OK) status = tell_waiting(t, h, text.data, text.size);
  rbv_text_free(&text);
  return status;
}

/* ---- a member ---- */

static rbv_status unpack(queue *q, const char *from, size_t size) {
  while (size > 0) {
    int64_t number[2];
    if (size < sizeof number) break;
    memcpy(number, from, sizeof number);
    from += sizeof number;
    size -= sizeof number;
    if (number[0] < 0 || number[0] >= q->total || number[1] < 0 || (uint64_t)number[1] > size)
      break;
    rbv_bytes *to = &q->result[number[0]];
    to->text.size = 0;
    rbv_text_add(&to->text, from, (size_t)number[1]);
    if (to->text.failed) return RBV_EMEM;
    q->state[number[0]] = PLACE_DONE;
    from += number[1];
    size -= (size_t)number[1];
  }
  return size == 0 ? RBV_OK : rbv_fail(RBV_EREAD, "a message of the team is damaged");
}

/* Run a place and send its result or its failure. */
static rbv_status run_place(queue *q, void *worker, ptrdiff_t place) {
  rbv_bytes out = {0};
  head h = {.kind = RESULT, .place = place};
  rbv_status status = q->jobs->run(&out, worker, q->jobs->self, rbv_queue_index(q, place));
  if (status == RBV_OK && out.text.failed) status = RBV_EMEM;
  if (status == RBV_OK) {
    status = post(q->team, 0, h, out.text.data, out.text.size);
  } else {
    h.kind = FAILED;
    h.status = status;
    status = post(q->team, 0, h, rbv_message(), strlen(rbv_message()));
  }
  rbv_text_free(&out.text);
  return status;
}

/* Execute one message of the leader. *over: it ended the run. */
static rbv_status obey(bool *over, queue *q, void *worker) {
  int from;
  head h;
  rbv_bytes in;
  RBV_TRY(fetch(q->team, &from, &h, &in));
  rbv_status status = RBV_OK;
  *over = h.kind != RUN;
  if (h.kind == RUN && h.place >= 0 && h.place < q->total)
    status = run_place(q, worker, h.place);
  else if (h.kind == END)
    status = rbv_fail(RBV_EUNSUPPORTED, "the leader of the team has stopped");
  else if (h.status != RBV_OK)
    status = rbv_fail((rbv_status)h.status, "%.*s", (int)body_size(&in), body(&in));
  else
    status = unpack(q, body(&in), body_size(&in));
  rbv_text_free(&in.text);
  return status;
}

rbv_status rbv_team_serve(queue *q) {
  void *worker = NULL;
  head h = {.kind = READY, .place = -1, .jobs = fingerprint(q)};
  rbv_status opened = q->jobs->open ? q->jobs->open(&worker, q->jobs->self, 0) : RBV_OK;
  if (opened == RBV_OK) {
    RBV_TRY(post(q->team, 0, h, NULL, 0));
  } else {
    h.kind = FAILED;
    h.status = opened;
    RBV_TRY(post(q->team, 0, h, rbv_message(), strlen(rbv_message())));
  }
  rbv_status status = RBV_OK;
  for (bool over = false; !over && status == RBV_OK;) status = obey(&over, q, worker);
  if (opened == RBV_OK && q->jobs->close) q->jobs->close(worker, q->jobs->self);
  return status;
}

/* ---- leaving ---- */

static rbv_status see_off(const rbv_team *t) {
  const head end = {.kind = END};
  RBV_TRY(tell_waiting(t, end, NULL, 0));
  while (members_at_work(t) > 0) {
    int from;
    head h;
    rbv_bytes in;
    RBV_TRY(fetch(t, &from, &h, &in));
    rbv_status status = RBV_OK;
    if (h.kind == GONE)
      note_gone(from, &in);
    else
      status = post(t, from, end, NULL, 0);
    rbv_text_free(&in.text);
    RBV_TRY(status);
  }
  return RBV_OK;
}

rbv_status rbv_team_leave(const char *reason, void (*heard)(void *, int, const char *),
                          void *payload) {
  const rbv_team *t = joined;
  if (!t) return RBV_OK;
  const rbv_status status =
      t->rank == 0 ? see_off(t) : post(t, 0, (head){.kind = GONE}, reason, strlen(reason));
  for (int i = 1; i < t->size && heard; i++)
    if (members[i].reason[0]) heard(payload, i, members[i].reason);
  joined = NULL;
  rbv_free(members);
  members = NULL;
  return status;
}
