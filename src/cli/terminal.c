#define _GNU_SOURCE  // fopencookie
#include "terminal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NARROWEST 40   // columns: no narrower lines are made
#define WORD_MAX 4096  // bytes of a word that is held back
#define INDENT_MAX 20  // columns of a line without columns that is continued
#define BUFFER 65536   // bytes of a stream

/* What is behind a stream: a terminal, and the line that it shows. */
typedef struct {
  int fd;
  int width;
  int column;    // of the terminal
  int indent;    // of the continued lines: that of the line and 2, or of its second column
  int words;     // of the line so far
  bool columns;  // the line has a second column
  int spaces;    // before the word
  char word[WORD_MAX];
  int bytes, letters;  // of the word
  bool escape;         // inside an escape sequence: it has no width
  bool failed;
} terminal;

static void put(terminal *t, const char *text, int bytes) {
  while (bytes > 0 && !t->failed) {
    const ssize_t done = write(t->fd, text, (size_t)bytes);
    if (done < 0 && errno == EINTR) continue;
    t->failed = done <= 0;
    text += done;
    bytes -= (int)done;
  }
}

static void put_spaces(terminal *t, int count) {
  static const char blank[] = "                    ";
  for (; count > 0; count -= (int)sizeof blank - 1)
    put(t, blank, count < (int)sizeof blank ? count : (int)sizeof blank - 1);
}

/* write the word that was held back, in the next line if it does not fit into this one */
static void end_word(terminal *t) {
  if (t->bytes == 0) return;
  const int start = t->column + t->spaces;
  if (t->words++ == 0) t->indent = start + 2 < INDENT_MAX ? start + 2 : INDENT_MAX;
  if (t->words > 1 && t->spaces > 1 && !t->columns && start <= t->width / 2) {
    t->columns = true;
    t->indent = start;
  }
  if (t->column + t->spaces + t->letters > t->width && t->column > t->indent && t->words > 1) {
    put(t, "\n", 1);
    t->column = 0;
    t->spaces = t->indent;
  }
  put_spaces(t, t->spaces);
  put(t, t->word, t->bytes);
  t->column += t->spaces + t->letters;
  t->spaces = t->bytes = t->letters = 0;
}

static void start_line(terminal *t) {
  t->column = t->indent = t->spaces = t->words = 0;
  t->columns = false;
}

static void add(terminal *t, char c) {
  if (c == '\n' || c == '\r') {
    end_word(t);
    if (c == '\r') put_spaces(t, t->spaces);  // they erase what the line showed
    put(t, &c, 1);
    start_line(t);
  } else if (c == ' ') {
    end_word(t);
    t->spaces++;
  } else {
    if (t->bytes == WORD_MAX) end_word(t);
    t->word[t->bytes++] = c;
    if (c == '\033') t->escape = true;
    t->letters += !t->escape && ((unsigned char)c & 0xC0) != 0x80;
    if (c == 'm') t->escape = false;
  }
}

static ssize_t write_terminal(void *self, const char *text, size_t size) {
  terminal *t = self;
  for (size_t i = 0; i < size; i++) add(t, text[i]);
  end_word(t);  // the program wants to see what it wrote
  return t->failed ? 0 : (ssize_t)size;
}

static int width_of(int fd) {
  const char *given = getenv("COLUMNS");
  struct winsize size;
  int width = given ? atoi(given) : 0;
  if (width <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width <= 0 ? 0 : width < NARROWEST ? NARROWEST : width;
}

#ifdef __GLIBC__
static void fit(FILE **stream, terminal *t, int fd) {
  *t = (terminal){.fd = fd, .width = isatty(fd) ? width_of(fd) : 0};
  if (t->width == 0) return;
  FILE *fitted = fopencookie(t, "w", (cookie_io_functions_t){.write = write_terminal});
  if (!fitted) return;
  start_line(t);
  setvbuf(fitted, NULL, _IOLBF, BUFFER);
  *stream = fitted;
}

void cli_fit_terminals(void) {
  static terminal out, err;
  fit(&stdout, &out, STDOUT_FILENO);
  fit(&stderr, &err, STDERR_FILENO);
}
#else
void cli_fit_terminals(void) {}
#endif

const char *cli_colour(FILE *to, cli_style style) {
  static const char *const sequence[] = {"\033[0m", "\033[1;31m", "\033[33m", "\033[36m",
                                         "\033[32m"};
  const char *off = getenv("NO_COLOR"), *kind = getenv("TERM");
  if ((off && *off) || !kind || strcmp(kind, "dumb") == 0) return "";
  return isatty(to == stderr ? STDERR_FILENO : STDOUT_FILENO) ? sequence[style] : "";
}
