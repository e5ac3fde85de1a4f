/* Naming rules: names for objects of code that one cannot change. One rule a line; the first that matches names:
 *
 *     # conditions ... -> name
 *     kind=communicator library=libgrid* function=MPI_Comm_split parent=MPI_COMM_WORLD -> "grid {n} row {color}"
 *     caller=make_halo                                                                 -> halo
 *     at=solver.f90:120                                                                -> "solver {n}"
 *
 * A condition is a word, "=" and a pattern as of the shell (fnmatch(3)); all conditions of a rule must hold:
 *
 *     kind       what was made: communicator, datatype, window, group, ...; without it: the three that MPI gives names
 *     function   the MPI function that made it
 *     library    file name of the executable or library whose code called that function
 *     caller     the function in which it was called
 *     at         FILE:LINE of that call, or FILE:*; FILE is the last part of the path
 *     parent     name of the object that it was made from
 *
 * The name may have placeholders (cs_rules_values, and function, library, caller) in braces; {{ and }} are braces. A
 * pattern or name with blanks stands in double quotes, where \" and \\ are a quote and a backslash. What follows a #
 * that begins a line or comes after a blank is a comment. */
#ifndef CS_BASE_RULES_H
#define CS_BASE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/resolve.h"
#include "base/status.h"

enum { CS_RULES_BYTES_MAX = 1 << 20, CS_RULE_LINE_MAX = 4000 };

struct cs_rules;

/* What a reader of rules has to be told. */
struct cs_rules_options {
    const char *(*kind_name)(int64_t kind); /* the word for a number from 1 on; NULL: there is no such kind */
    uint32_t usual_kinds;                   /* bit 1 << kind: those of a rule without kind= */
    /* Called for each line that is no rule, with its number and the column, in characters, of the mistake, both from 1.
       NULL: nobody wants to know. */
    void (*complain)(void *context, unsigned line, unsigned column, const char *what);
    void *context;
};

/* Makes rules of a text, which may be anything; lines with mistakes are told and left out. CS_NO_MEMORY. */
enum cs_status cs_rules_parse(const char *text, size_t bytes, const struct cs_rules_options *options,
                              struct cs_rules **rules);

/* The same for a file, which must be a regular one of at most CS_RULES_BYTES_MAX bytes. Mistakes are logged as
   "FILE:LINE:COLUMN: ...", at most ten, and counted in *mistakes (not NULL); with `quiet` they are only counted.
   options->complain is not used. CS_IO, CS_INVALID, CS_NO_MEMORY: logged in one line. */
enum cs_status cs_rules_load(const char *path, const struct cs_rules_options *options, bool quiet,
                             struct cs_rules **rules, size_t *mistakes);

/* NULL is allowed. */
void cs_rules_free(struct cs_rules *rules);

size_t cs_rules_count(const struct cs_rules *rules);

/* Of the rule with this index, from 0: its line in the file, its text without comment, its pattern for the MPI function
   (NULL: any). */
unsigned cs_rules_line(const struct cs_rules *rules, size_t index);
const char *cs_rules_text(const struct cs_rules *rules, size_t index);
const char *cs_rules_function(const struct cs_rules *rules, size_t index);

/* Bit 1 << kind: some rule may name objects of this kind. */
uint32_t cs_rules_kinds(const struct cs_rules *rules);

/* Whether some rule asks for functions and lines of the source. */
bool cs_rules_need_source(const struct cs_rules *rules);

/* Where an object was made. */
struct cs_rules_site {
    uint32_t kind;
    const char *function; /* of MPI; NULL: not known */
    const char *library;  /* file name; NULL: not known */
    /* Function, file and line of the call, NULL if they are not known. Dear: asked only when all that is known without
       it matches. */
    const struct cs_source *(*source)(void *context);
    void *context;
};

/* What else a name may tell. */
struct cs_rules_values {
    const char *parent; /* {parent}: its name; NULL: none */
    int64_t color, key; /* {color} {key}: arguments of MPI_Comm_split and its kin; INT64_MIN: none */
    int64_t rank;       /* {rank}: of this process in the parent; -1: none */
    int64_t first;      /* {first}: rank in the parent of the new object's first member, equal on all; -1: none */
    uint32_t nth;       /* {n}: the how manieth such creation on the parent, from 1; 0: not known */
};

/* The index of the first rule, not before `from`, whose conditions on the site hold; the count of rules: there is none.
   A condition on something that is not known does not hold. */
size_t cs_rules_next(const struct cs_rules *rules, size_t from, const struct cs_rules_site *site);

/* Whether the rule's condition on the parent holds too. NULL: it has no name. */
bool cs_rules_takes_parent(const struct cs_rules *rules, size_t index, const char *parent);

/* Writes the name that the rule gives, at most size - 1 bytes, cut at a whole UTF-8 character. What is not known is
   "?". */
void cs_rules_write(const struct cs_rules *rules, size_t index, const struct cs_rules_site *site,
                    const struct cs_rules_values *values, char *name, size_t size);

#endif
