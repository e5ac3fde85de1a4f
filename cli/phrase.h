/* Words for people: every report writes its sentences with these. A text is not made safe for a terminal here:
 * cs_report_line does so when it prints it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that grows; {0} is empty. Out of memory: what was added then is missing, and `failed` is set. */
struct cs_phrase {
    char *text;
    size_t length, room;
    bool failed;
};

/* The text; "" if nothing was added. */
const char *cs_phrase_text(const struct cs_phrase *phrase);

/* Empties the text and keeps its memory. */
void cs_phrase_clear(struct cs_phrase *phrase);

void cs_phrase_free(struct cs_phrase *phrase);

/* Appends as printf would. */
void cs_phrase_add(struct cs_phrase *phrase, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends at most so many characters of the beginning. */
void cs_phrase_add_part(struct cs_phrase *phrase, const char *text, size_t characters);

/* `one` for a count of 1, otherwise `many`. */
const char *cs_plural(int64_t count, const char *one, const char *many);

/* "1 message", "12 messages" */
void cs_phrase_add_count(struct cs_phrase *phrase, int64_t count, const char *one, const char *many);

/* "12.3 s", "2 h 03 min" */
void cs_phrase_add_seconds(struct cs_phrase *phrase, double seconds);

/* "1.50 KiB" */
void cs_phrase_add_bytes(struct cs_phrase *phrase, double bytes);

/* "12.5 %" */
void cs_phrase_add_percent(struct cs_phrase *phrase, double percent);

/* "rank 3", "ranks 0-3,7" from ranges as the SQL function ranges() writes them. Longer than `characters` (0: any
   length), they end in "..." behind a whole rank. */
void cs_phrase_add_ranks(struct cs_phrase *phrase, const char *ranges, size_t characters);

/* The ranges without a word before them, likewise. */
void cs_phrase_add_ranges(struct cs_phrase *phrase, const char *ranges, size_t characters);

/* Numbers as ranges: "0-3,7". They are sorted in place; a number that comes twice is one. */
void cs_phrase_add_numbers(struct cs_phrase *phrase, int64_t *numbers, size_t count);

/* The text with each number as #: "row 7" and "row 12" are both "row #". */
void cs_phrase_add_pattern(struct cs_phrase *phrase, const char *text);

/* A list in a sentence: "a, b and 3 more". */
struct cs_list {
    struct cs_phrase *phrase;
    size_t limit; /* items that are shown; 0: all */
    size_t count; /* items so far */
};

/* Begins the next item: writes the comma before it. False: it is beyond the limit and to be left out. */
bool cs_list_next(struct cs_list *list);

/* Appends " and 3 more" if items were left out. */
void cs_list_end(const struct cs_list *list);
