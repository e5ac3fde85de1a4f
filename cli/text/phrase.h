/* Words for people: every report writes its sentences with these functions. They do not make text safe for
 * terminals: cs_report_print_line does that when it prints. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing text; {0} is empty. Without memory, the addition is lost and `failed` is set. */
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

/* Appends like printf. */
void cs_phrase_add(struct cs_phrase *phrase, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends so many bytes as they are. */
void cs_phrase_append(struct cs_phrase *phrase, const char *text, size_t length);

/* Appends at most `characters` characters from the beginning of the text. */
void cs_phrase_add_part(struct cs_phrase *phrase, const char *text, size_t characters);

/* Returns `one` for a count of 1, otherwise `many`. */
const char *cs_plural(int64_t count, const char *one, const char *many);

/* Appends "1 message" or "12 messages". */
void cs_phrase_add_count(struct cs_phrase *phrase, int64_t count, const char *one, const char *many);

/* Appends "12.3 s" or "2 h 03 min". */
void cs_phrase_add_seconds(struct cs_phrase *phrase, double seconds);

/* Appends an instant of the run, "-0.015 s": calls before the end of MPI_Init have negative ones. */
void cs_phrase_add_instant(struct cs_phrase *phrase, double seconds);

/* "1.50 KiB" */
void cs_phrase_add_bytes(struct cs_phrase *phrase, double bytes);

/* "12.5 %" */
void cs_phrase_add_percent(struct cs_phrase *phrase, double percent);

/* Appends "rank 3" or "ranks 0-3,7" for ranges from the SQL function ranges(). A text longer than `characters` (0:
   no limit) ends in "..." after a whole rank. */
void cs_phrase_add_ranks(struct cs_phrase *phrase, const char *ranges, size_t characters);

/* cs_phrase_add_ranks without the word. */
void cs_phrase_add_ranges(struct cs_phrase *phrase, const char *ranges, size_t characters);

/* Appends numbers as ranges: "0-3,7". Sorts them in place; duplicates count once. */
void cs_phrase_add_numbers(struct cs_phrase *phrase, int64_t *numbers, size_t count);

/* Appends the text with # for each number: "row 7" and "row 12" become "row #". */
void cs_phrase_add_pattern(struct cs_phrase *phrase, const char *text);

/* A list in a sentence: "a, b and 3 more". */
struct cs_list {
    struct cs_phrase *phrase;
    size_t limit; /* number of items to show; 0: all */
    size_t count; /* items so far */
};

/* Begins the next item and writes the comma before it. Returns false if the item is beyond the limit: leave it out. */
bool cs_list_next(struct cs_list *list);

/* Appends " and 3 more" if items were left out. */
void cs_list_end(const struct cs_list *list);
