#include "cli/text/phrase.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/text/text.h"

#define NUMBER_BYTES 64 /* a duration, a size */

/* ---- the text ---- */

const char *cs_phrase_text(const struct cs_phrase *phrase)
{
    return phrase->text ? phrase->text : "";
}

void cs_phrase_clear(struct cs_phrase *phrase)
{
    phrase->length = 0;
    if (phrase->text)
        *phrase->text = '\0';
}

void cs_phrase_free(struct cs_phrase *phrase)
{
    free(phrase->text);
    *phrase = (struct cs_phrase){0};
}

/* Makes room for this many more bytes and a NUL. */
static bool reserve(struct cs_phrase *phrase, size_t bytes)
{
    size_t needed = phrase->length + bytes + 1;
    if (needed <= phrase->room)
        return true;
    size_t room = 2 * needed;
    char *text = realloc(phrase->text, room);
    if (!text) {
        phrase->failed = true;
        return false;
    }
    phrase->text = text;
    phrase->room = room;
    return true;
}

void cs_phrase_append(struct cs_phrase *phrase, const char *text, size_t length)
{
    if (!reserve(phrase, length))
        return;
    memcpy(phrase->text + phrase->length, text, length);
    phrase->length += length;
    phrase->text[phrase->length] = '\0';
}

void cs_phrase_add(struct cs_phrase *phrase, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !reserve(phrase, (size_t)length))
        return;
    va_start(arguments, format);
    vsnprintf(phrase->text + phrase->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    phrase->length += (size_t)length;
}

void cs_phrase_add_part(struct cs_phrase *phrase, const char *text, size_t characters)
{
    size_t length = 0;
    for (; text[length]; length++) {
        bool begins_character = ((unsigned char)text[length] & 0xc0) != 0x80;
        if (begins_character && characters-- == 0)
            break;
    }
    cs_phrase_append(phrase, text, length);
}

/* ---- numbers ---- */

const char *cs_plural(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

void cs_phrase_add_count(struct cs_phrase *phrase, int64_t count, const char *one, const char *many)
{
    cs_phrase_add(phrase, "%" PRId64 " %s", count, cs_plural(count, one, many));
}

void cs_phrase_add_seconds(struct cs_phrase *phrase, double seconds)
{
    char number[NUMBER_BYTES];
    cs_phrase_add(phrase, "%s", cs_text_duration(number, sizeof number, seconds * 1e9));
}

void cs_phrase_add_instant(struct cs_phrase *phrase, double seconds)
{
    cs_phrase_add(phrase, "%.3f s", fabs(seconds) < 0.0005 ? 0 : seconds); /* no -0.000 */
}

void cs_phrase_add_bytes(struct cs_phrase *phrase, double bytes)
{
    char number[NUMBER_BYTES];
    cs_phrase_add(phrase, "%s", cs_text_bytes(number, sizeof number, bytes));
}

void cs_phrase_add_percent(struct cs_phrase *phrase, double percent)
{
    cs_phrase_add(phrase, "%.1f %%", percent);
}

/* ---- ranks ---- */

void cs_phrase_add_ranks(struct cs_phrase *phrase, const char *ranges, size_t characters)
{
    cs_phrase_add(phrase, "%s", strpbrk(ranges, ",-") ? "ranks " : "rank ");
    cs_phrase_add_ranges(phrase, ranges, characters);
}

void cs_phrase_add_ranges(struct cs_phrase *phrase, const char *ranges, size_t characters)
{
    static const char more[] = "...";
    size_t length = strlen(ranges);
    if (!characters || length <= characters) {
        cs_phrase_append(phrase, ranges, length);
        return;
    }
    length = characters - strlen(more);
    while (length > 0 && strchr("0123456789-", ranges[length - 1]))
        length--;
    cs_phrase_append(phrase, ranges, length);
    cs_phrase_append(phrase, more, strlen(more));
}

static int by_value(const void *left, const void *right)
{
    return cs_compare(*(const int64_t *)left, *(const int64_t *)right);
}

void cs_phrase_add_numbers(struct cs_phrase *phrase, int64_t *numbers, size_t count)
{
    if (count)
        qsort(numbers, count, sizeof *numbers, by_value);
    for (size_t i = 0; i < count;) {
        size_t last = i;
        /* Equal numbers and successors extend the range. The numbers are sorted, so their difference fits an
           unsigned number, but not always a signed one. */
        while (last + 1 < count && (uint64_t)numbers[last + 1] - (uint64_t)numbers[last] <= 1)
            last++;
        int64_t from = numbers[i], to = numbers[last];
        cs_phrase_add(phrase, "%s%" PRId64, i ? "," : "", from);
        if (to > from)
            cs_phrase_add(phrase, "%c%" PRId64, to - 1 == from ? ',' : '-', to);
        i = last + 1;
    }
}

/* ---- patterns and lists ---- */

void cs_phrase_add_pattern(struct cs_phrase *phrase, const char *text)
{
    static const char digits[] = "0123456789";
    while (*text) {
        size_t other = strcspn(text, digits);
        size_t number = strspn(text + other, digits);
        cs_phrase_append(phrase, text, other);
        if (number)
            cs_phrase_append(phrase, "#", 1);
        text += other + number;
    }
}

bool cs_list_next(struct cs_list *list)
{
    bool shown = !list->limit || list->count < list->limit;
    if (shown && list->count)
        cs_phrase_append(list->phrase, ", ", 2);
    list->count++;
    return shown;
}

void cs_list_end(const struct cs_list *list)
{
    if (list->limit && list->count > list->limit)
        cs_phrase_add(list->phrase, " and %zu more", list->count - list->limit);
}
