#include "cli/text/text.h"

#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "base/log.h"
#include "base/utf8.h"

/* ---- terminals ---- */

/* Returns true if the user's character set is UTF-8. */
static bool set_locale(void)
{
    if (setlocale(LC_CTYPE, "") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
        return true;
    /* Only for wcwidth: names are UTF-8 in every terminal. */
    setlocale(LC_CTYPE, "C.UTF-8");
    return false;
}

struct cs_terminal cs_terminal_of(FILE *stream)
{
    struct cs_terminal terminal = {.utf8 = set_locale()};
    bool tty = isatty(fileno(stream));
    const char *columns = getenv("COLUMNS");
    long wanted = columns ? strtol(columns, NULL, 10) : 0;
    struct winsize size;
    if (wanted > 0 && wanted < 100000)
        terminal.width = (size_t)wanted;
    else if (tty && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.width = size.ws_col;
    else if (tty)
        terminal.width = 80;
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org: set and not empty */
    const char *term = getenv("TERM");
    terminal.bold = tty && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
    return terminal;
}

bool cs_text_deceives(uint32_t character)
{
    return (character >= 0x80 && character < 0xa0) || character == 0xad || character == 0x61c || character == 0x180e ||
           (character >= 0x200b && character <= 0x200f) || (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2060 && character <= 0x206f) || character == 0xfeff ||
           (character >= 0xfff9 && character <= 0xfffb) || (character >= 0xe0000 && character <= 0xe0fff);
}

/* Writes the visible form of the next character; returns the bytes read. Writes at most 10 bytes and a NUL. */
static size_t escape(const char *text, size_t length, char *visible)
{
    uint32_t character;
    size_t bytes = cs_utf8_decode(text, length, &character);
    if (bytes == 0) {
        sprintf(visible, "\\x%02x", (unsigned char)*text);
        return 1;
    }
    if (character == '\n' || character == '\t' || character == '\r')
        sprintf(visible, "\\%c", character == '\n' ? 'n' : character == '\t' ? 't' : 'r');
    else if (character < 0x20 || character == 0x7f)
        sprintf(visible, "\\x%02x", (unsigned)character);
    else if (cs_text_deceives(character))
        sprintf(visible, "\\u{%x}", (unsigned)character);
    else {
        memcpy(visible, text, bytes);
        visible[bytes] = '\0';
    }
    return bytes;
}

char *cs_text_visible(const char *text, size_t length)
{
    /* The worst case is two bytes of UTF-8 that become \u{ad}; a single byte becomes \xff. */
    char *visible = malloc(length * 4 + 16);
    if (!visible)
        return NULL;
    char *end = visible;
    *end = '\0';
    for (size_t i = 0; i < length;) {
        i += escape(text + i, length - i, end);
        end += strlen(end);
    }
    return visible;
}

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

char *cs_text_visible_part(const char *text, size_t length, size_t limit)
{
    if (length <= limit)
        return cs_text_visible(text, length);
    cs_log_once("texts of more than %zu bytes are shown without their middle; --format csv or json has them whole",
                limit);
    const char *head_end = text + limit / 2, *tail = text + length - limit / 2;
    while (head_end > text && !begins_character(*head_end))
        head_end--;
    while (tail < text + length && !begins_character(*tail))
        tail++;
    char *head = cs_text_visible(text, (size_t)(head_end - text));
    char *rest = cs_text_visible(tail, (size_t)(text + length - tail));
    char *part = head && rest ? malloc(strlen(head) + strlen(rest) + sizeof "...") : NULL;
    if (part)
        sprintf(part, "%s...%s", head, rest);
    free(head);
    free(rest);
    return part;
}

void cs_text_put(FILE *stream, const char *text)
{
    char *visible = cs_text_visible(text, strlen(text));
    fputs(visible ? visible : "?", stream);
    free(visible);
}

static size_t character_width(uint32_t character)
{
    int width = wcwidth((wchar_t)character);
    return width < 0 ? 1 : (size_t)width;
}

static size_t width_of(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length;) {
        uint32_t character = '?';
        size_t bytes = cs_utf8_decode(text + i, length - i, &character);
        width += bytes ? character_width(character) : 1;
        i += bytes ? bytes : 1;
    }
    return width;
}

size_t cs_text_width(const char *text)
{
    return width_of(text, strlen(text));
}

const char *const cs_byte_units[CS_BYTE_UNITS] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

static bool is_one_of(const char *word, size_t length, const char *const *units, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(units[i]) == length && strncmp(word, units[i], length) == 0)
            return true;
    }
    return false;
}

/* Whether the word is a unit, which stays on the line of its number: "12.5 %,", "5.37 s". Punctuation may follow it. */
static bool is_unit(const char *word)
{
    static const char *const units[] = {"%", "ns", "us", "ms", "s", "min", "h"};
    size_t length = strcspn(word, " ,.;:)");
    return is_one_of(word, length, units, sizeof units / sizeof *units) ||
           is_one_of(word, length, cs_byte_units, CS_BYTE_UNITS);
}

/* Width of the unit after a number and one space, with the space; 0 if none follows. */
static size_t width_of_unit(const char *word, size_t length)
{
    bool number = length > 0 && isdigit((unsigned char)word[length - 1]);
    if (!number || word[length] != ' ' || !is_unit(word + length + 1))
        return 0;
    return 1 + strcspn(word + length + 1, " ");
}

void cs_text_wrap(FILE *stream, const char *text, size_t width, size_t column, size_t indent)
{
    size_t begin = column, gap = 0;
    bool stays = false; /* with its number */
    while (*text) {
        size_t length = strcspn(text, " ");
        size_t word = width_of(text, length);
        size_t unit = width_of_unit(text, length);
        if (column > begin && width && column + gap + word + unit > width && !stays) {
            fprintf(stream, "\n%*s", (int)indent, "");
            begin = column = indent;
        } else if (column > begin) {
            fprintf(stream, "%*s", (int)gap, "");
            column += gap;
        }
        fwrite(text, 1, length, stream);
        column += word;
        stays = unit > 0;
        text += length;
        gap = strspn(text, " ");
        text += gap;
    }
    fputc('\n', stream);
}

void cs_text_put_line(FILE *stream, const char *text, size_t bytes, size_t width)
{
    char *line = cs_text_visible_part(text, strlen(text), bytes);
    if (!line)
        return;
    size_t indent = strspn(line, " ");
    fprintf(stream, "%*s", (int)indent, "");
    cs_text_wrap(stream, line + indent, width, indent, indent + 2);
    free(line);
}

/* Number of bytes from the start of text that fit into `width` columns. */
static size_t fitting(const char *text, size_t width)
{
    size_t length = strlen(text);
    size_t used = 0;
    size_t i = 0;
    while (i < length) {
        uint32_t character = '?';
        size_t bytes = cs_utf8_decode(text + i, length - i, &character);
        size_t columns = bytes ? character_width(character) : 1;
        if (used + columns > width)
            break;
        used += columns;
        i += bytes ? bytes : 1;
    }
    return i;
}

void cs_text_shorten(char *text, size_t width, const char *ellipsis)
{
    size_t total = cs_text_width(text);
    size_t gap = cs_text_width(ellipsis);
    if (total <= width)
        return;
    if (width <= gap) {
        text[fitting(text, width)] = '\0';
        return;
    }
    /* The end of a path or name is more useful than its beginning. */
    size_t head_width = (width - gap) / 2;
    size_t tail_width = width - gap - head_width;
    size_t head = fitting(text, head_width);
    size_t tail = fitting(text, total - tail_width);
    if (cs_text_width(text + tail) > tail_width)
        tail += fitting(text + tail, 2); /* the cut split a wide character */
    memmove(text + head + strlen(ellipsis), text + tail, strlen(text + tail) + 1);
    memcpy(text + head, ellipsis, strlen(ellipsis));
}

void cs_text_shorten_place(char *text, size_t width, const char *ellipsis)
{
    char *last = strrchr(text, ' ');
    size_t tail = last ? cs_text_width(last) : 0, gap = cs_text_width(ellipsis);
    if (cs_text_width(text) <= width)
        return;
    if (!last || tail - 1 > width) {
        cs_text_shorten(text, width, ellipsis);
    } else if (tail + gap >= width) {
        memmove(text, last + 1, strlen(last + 1) + 1);
    } else {
        size_t head = fitting(text, width - gap - tail);
        memmove(text + head + strlen(ellipsis), last, strlen(last) + 1);
        memcpy(text + head, ellipsis, strlen(ellipsis));
    }
}

/* Three significant digits. */
static void three_digits(char *text, size_t size, double value, const char *unit)
{
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(text, size, "%.*f %s", decimals, value, unit);
}

const char *cs_text_estimated_duration(char *text, size_t size, double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    double value = ns;
    /* "0.49 s": in "490 ms" nobody sees that the 0 is unknown. */
    for (; value >= 99.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1e3;
    if (unit == 0 || value >= 99.5)
        return cs_text_duration(text, size, ns);
    snprintf(text, size, "%.*f %s", value < 0.995 ? 2 : value < 9.95 ? 1 : 0, value, units[unit]);
    return text;
}

const char *cs_text_duration(char *text, size_t size, double ns)
{
    double magnitude = fabs(ns), seconds = round(magnitude / 1e9), minutes = round(magnitude / 60e9);
    const char *sign = ns < 0 ? "-" : "";
    char number[48];
    if (magnitude < 999.5)
        snprintf(number, sizeof number, "%.0f ns", magnitude);
    else if (magnitude < 999.5e3)
        three_digits(number, sizeof number, magnitude / 1e3, "us");
    else if (magnitude < 999.5e6)
        three_digits(number, sizeof number, magnitude / 1e6, "ms");
    else if (magnitude < 59.95e9)
        three_digits(number, sizeof number, magnitude / 1e9, "s");
    else if (seconds < 3600)
        snprintf(number, sizeof number, "%.0f min %02.0f s", floor(seconds / 60), fmod(seconds, 60));
    else
        snprintf(number, sizeof number, "%.0f h %02.0f min", floor(minutes / 60), fmod(minutes, 60));
    snprintf(text, size, "%s%s", sign, number);
    return text;
}

const char *cs_text_bytes(char *text, size_t size, double bytes)
{
    size_t unit = 0;
    double value = fabs(bytes);
    while (value >= 1023.5 && unit + 1 < CS_BYTE_UNITS) {
        value /= 1024;
        unit++;
    }
    char number[48];
    if (unit == 0)
        snprintf(number, sizeof number, "%.0f B", value);
    else
        three_digits(number, sizeof number, value, cs_byte_units[unit]);
    snprintf(text, size, "%s%s", bytes < 0 ? "-" : "", number);
    return text;
}

/* ---- words for a shell ---- */

const char *cs_shell_word(const char *path, char text[CS_SHELL_WORD_BYTES])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:,@%=";
    size_t length = strnlen(path, PATH_MAX);
    if (length && strspn(path, plain) == strlen(path)) {
        snprintf(text, CS_SHELL_WORD_BYTES, "%s", path);
        return text;
    }
    char *to = text;
    *to++ = '\'';
    for (size_t i = 0; i < length; i++) {
        if (path[i] == '\'')
            to = stpcpy(to, "'\\''");
        else
            *to++ = (unsigned char)path[i] < 0x20 || path[i] == 0x7f ? '?' : path[i];
    }
    strcpy(to, "'");
    return text;
}
