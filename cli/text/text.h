/* Text for people, and the abilities of their terminals. Traces are not trusted: terminal control characters are
 * made visible. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The abilities of a stream's terminal. */
struct cs_terminal {
    size_t width; /* columns; 0: no limit */
    bool utf8;    /* may use characters beyond ASCII */
    bool bold;    /* may use escape sequences */
};

/* Examines the stream and the environment (COLUMNS, NO_COLOR, TERM, LC_*). A file or pipe has no limit unless
   COLUMNS sets one. Also sets the C library's character set to the user's, or to UTF-8 if the user has none. */
struct cs_terminal cs_terminal_of(FILE *stream);

/* The sequences that begin and end bold text; "" if the terminal has none. */
static inline const char *cs_terminal_bold(const struct cs_terminal *terminal)
{
    return terminal->bold ? "\033[1m" : "";
}

static inline const char *cs_terminal_plain(const struct cs_terminal *terminal)
{
    return terminal->bold ? "\033[0m" : "";
}

/* True if a character beyond ASCII is invisible or changes how the text around it is shown: zero width, direction,
   line separators, tags. */
bool cs_text_deceives(uint32_t character);

/* Returns a copy of `length` bytes that is safe on a terminal, on one line. Control characters, escape sequences,
   invisible and direction-changing characters and bytes that are not UTF-8 become \n, \x1b, \u{202e}. To be freed;
   NULL: out of memory. */
char *cs_text_visible(const char *text, size_t length);

/* cs_text_visible for at most `limit` bytes: a longer text loses its middle, and one line on stderr reports it once. */
char *cs_text_visible_part(const char *text, size_t length, size_t limit);

/* Prints a visible copy. */
void cs_text_put(FILE *stream, const char *text);

/* Prints a visible text and ends the line. Breaks it between words before `width` columns (0: never). column: where
   the text begins if the line has text already; indent: column of continuation lines. */
void cs_text_wrap(FILE *stream, const char *text, size_t width, size_t column, size_t indent);

/* Prints a line that may have anything in it, made visible and broken between words; at most so many bytes of it.
   Spaces at its beginning are kept, and what follows a break stands two columns further. */
void cs_text_put_line(FILE *stream, const char *text, size_t bytes, size_t width);

/* Width of a visible text on a terminal, in columns. */
size_t cs_text_width(const char *text);

/* Shortens a visible text in place to at most `width` columns (at least 1), with `ellipsis` in the middle. The
   caller must have reserved strlen(text) + strlen(ellipsis) bytes and a NUL; the result is never longer. */
void cs_text_shorten(char *text, size_t width, const char *ellipsis);

/* The same for "function file.c:12": file and line stay whole if they fit. */
void cs_text_shorten_place(char *text, size_t width, const char *ellipsis);

/* ---- numbers for people; each writes at most `size` bytes and returns text ---- */

/* Writes "12.3 s", "4.05 ms", "1 min 17 s", "2 h 03 min": three digits with a fitting unit, minutes and hours from 1
 * on. */
const char *cs_text_duration(char *text, size_t size, double ns);

/* The same with two digits, for a value that is known within 1 %. */
const char *cs_text_estimated_duration(char *text, size_t size, double ns);
/* Units of sizes, each 1,024 times the one before. */
enum { CS_BYTE_UNITS = 7 };
extern const char *const cs_byte_units[CS_BYTE_UNITS];
/* Writes "17 B", "1.50 KiB", "2.3 GiB". */
const char *cs_text_bytes(char *text, size_t size, double bytes);

/* ---- words for a shell: commands that callsign prints can be pasted ---- */

enum { CS_SHELL_WORD_BYTES = 4 * PATH_MAX + 3 };

/* Writes a path so that the shell reads it back unchanged, in quotes if needed; control characters become "?". Paths
   longer than PATH_MAX are cut. Returns text. */
const char *cs_shell_word(const char *path, char text[CS_SHELL_WORD_BYTES]);
