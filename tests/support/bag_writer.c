#include "bag_writer.h"

#include <math.h>
#include <string.h>

static void little(rbv_text *out, uint64_t x, int bytes) {
  for (int i = 0; i < bytes; i++, x >>= 8) rbv_text_add(out, (const char[]){(char)(x & 255)}, 1);
}

static void real(rbv_text *out, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  little(out, bits, 8);
}

static void string(rbv_text *out, const char *text, size_t n) {
  little(out, n, 4);
  rbv_text_add(out, text, n);
}

static void record(rbv_text *out, int code, rbv_text *body) {
  little(out, (uint64_t)code, 1);
  little(out, body->size, 8);
  rbv_text_add(out, body->data, body->size);
  body->size = 0;
}

static void pad(rbv_text *out, size_t width) {
  while ((out->size - 4) % width) little(out, 0, 1);
}

void bag_state(rbv_text *m, double stamp, const char *const *names, int n, const double *position,
               const double *effort) {
  const int64_t ns = stamp < 0 ? 0 : (int64_t)llround(1e9 * stamp);
  rbv_text_add(m, "\0\1\0\0", 4);
  little(m, (uint64_t)(ns / 1000000000), 4);
  little(m, (uint64_t)(ns % 1000000000), 4);
  string(m, "", 1);
  pad(m, 4);
  little(m, (uint64_t)n, 4);
  for (int j = 0; j < n; j++) {
    pad(m, 4);
    string(m, names[j], strlen(names[j]) + 1);
  }
  const double *const lists[] = {position, NULL, effort};
  for (int i = 0; i < 3; i++) {
    pad(m, 4);
    little(m, lists[i] ? (uint64_t)n : 0, 4);
    if (lists[i]) pad(m, 8);
    for (int j = 0; j < n && lists[i]; j++) real(m, lists[i][j]);
  }
}

void bag_start(rbv_text *out) {
  static const char definition[] =
      "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n"
      "float64[] effort\n"
      "====================\nMSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring "
      "frame_id\n";
  rbv_text body = {0};
  rbv_text_add(out, "\x89MCAP0\r\n", 8);
  string(&body, "ros2", 4);
  string(&body, "test", 4);
  record(out, 1, &body);
  little(&body, 1, 2);
  string(&body, "sensor_msgs/msg/JointState", 26);
  string(&body, "ros2msg", 7);
  string(&body, definition, strlen(definition));
  record(out, 3, &body);
  rbv_text_free(&body);
}

void bag_channel(rbv_text *out, int number, const char *topic) {
  rbv_text body = {0};
  little(&body, (uint64_t)number, 2);
  little(&body, 1, 2);
  string(&body, topic, strlen(topic));
  string(&body, "cdr", 3);
  little(&body, 0, 4);
  record(out, 4, &body);
  rbv_text_free(&body);
}

void bag_message(rbv_text *out, int number, uint64_t receipt, rbv_text *message) {
  little(out, 5, 1);
  little(out, 22 + message->size, 8);
  little(out, (uint64_t)number, 2);
  little(out, 0, 4);
  little(out, receipt, 8);
  little(out, receipt, 8);
  rbv_text_add(out, message->data, message->size);
  message->size = 0;
}

void bag_end(rbv_text *out) {
  rbv_text body = {0};
  little(&body, 0, 4);
  record(out, 15, &body);
  little(&body, 0, 20);
  record(out, 2, &body);
  rbv_text_add(out, "\x89MCAP0\r\n", 8);
  rbv_text_free(&body);
}
