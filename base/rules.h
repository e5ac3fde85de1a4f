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
 * The name may have placeholders (cs_placeholders) in braces; {{ and }} are braces. A pattern or name with
 * blanks stands in double quotes, where \" and \\ are a quote and a backslash. What follows a # that begins a line or
 * comes after a blank is a comment. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/symbols/resolver.h"

enum cs_rule_condition {
    CS_RULE_KIND,
    CS_RULE_LIBRARY,
    CS_RULE_FUNCTION,
    CS_RULE_CALLER,
    CS_RULE_AT,
    CS_RULE_PARENT,
    CS_RULE_CONDITIONS
};

/* Their words. */
extern const char *const cs_rule_conditions[CS_RULE_CONDITIONS] __attribute__((visibility("hidden")));

struct cs_rule {
    unsigned line;                     /* in the file, from 1 */
    char *text;                        /* without comment */
    uint32_t kinds;                    /* bit 1 << kind: objects of this kind */
    char *pattern[CS_RULE_CONDITIONS]; /* NULL: any; AT: of the file; KIND: see kinds */
    int at_line;                       /* 0: any */
    char *name;                        /* with its placeholders; every brace was checked */
    bool needs_source;                 /* asks for functions and lines of the source */
};

/* To be read; only base/rules.c writes. */
struct cs_rules {
    size_t count, room;
    struct cs_rule *rule;
    uint32_t kinds;    /* of all rules */
    bool needs_source; /* some rule does */
};

/* NULL is allowed. */
void cs_rules_free(struct cs_rules *rules);

/* ---- which of them names a new object ---- */

/* Where an object was made. */
struct cs_rules_site {
    uint32_t kind;
    const char *function; /* of MPI; NULL: not known */
    const char *library;  /* file name; NULL: not known */
    /* Function, file and line of the call, NULL if they are not known. Costs milliseconds: asked only when everything
       that is known without it matches. */
    const struct cs_source *(*source)(void *context);
    void *context;
};

/* The index of the first rule, not before `from`, whose conditions on the site hold; the count of rules: there is none.
   A condition on something that is not known does not hold. */
size_t cs_rules_next(const struct cs_rules *rules, size_t from, const struct cs_rules_site *site);

/* Whether the rule's condition on the parent holds too. NULL: it has no name. */
bool cs_rule_takes_parent(const struct cs_rule *rule, const char *parent);

/* ---- the name that a rule gives, and the words in braces that may be part of it ---- */

enum cs_placeholder {
    CS_PLACEHOLDER_COLOR,
    CS_PLACEHOLDER_KEY,
    CS_PLACEHOLDER_RANK,
    CS_PLACEHOLDER_FIRST,
    CS_PLACEHOLDER_N,
    CS_PLACEHOLDER_PARENT,
    CS_PLACEHOLDER_FUNCTION,
    CS_PLACEHOLDER_CALLER,
    CS_PLACEHOLDER_LIBRARY,
    CS_PLACEHOLDERS
};

/* Their words, without braces. */
extern const char *const cs_placeholders[CS_PLACEHOLDERS] __attribute__((visibility("hidden")));

/* What a name may have besides the site (function, caller, library). */
struct cs_rules_values {
    const char *parent; /* {parent}: its name; NULL: none */
    int64_t color, key; /* {color} {key}: arguments of MPI_Comm_split and the like; INT64_MIN: none */
    int64_t rank;       /* {rank}: of this process in the parent; -1: none */
    int64_t first;      /* {first}: rank in the parent of the new object's first member, equal on all; -1: none */
    uint32_t nth;       /* {n}: number of this creation on the parent, from 1; 0: not known */
};

/* Writes the name that the rule gives, at most size - 1 bytes, cut at a whole UTF-8 character. What is not known is
   "?". */
void cs_rule_write_name(const struct cs_rule *rule, const struct cs_rules_site *site,
                        const struct cs_rules_values *values, char *name, size_t size);

/* ---- from text to data ---- */

enum { CS_RULE_LINE_MAX = 4000 };

/* What the parser of rules does not know itself. */
struct cs_rules_options {
    const char *(*kind_name)(int64_t kind); /* the word for a number from 1 on; NULL: there is no such kind */
    uint32_t usual_kinds;                   /* bit 1 << kind: those of a rule without kind= */
    /* Called for each line that is no rule, with its number and the column, in characters, of the mistake, both from 1.
       NULL: mistakes are not reported. */
    void (*complain)(void *context, unsigned line, unsigned column, const char *what);
    void *context;
};

/* Makes rules of a text, which may be anything; lines with mistakes are reported and left out. CS_NO_MEMORY. */
enum cs_status cs_rules_parse(const char *text, size_t bytes, const struct cs_rules_options *options,
                              struct cs_rules **rules);

/* ---- naming rules from a file ---- */

enum { CS_RULES_BYTES_MAX = 1 << 20 };

/* Makes rules of a file, which must be a regular one of at most CS_RULES_BYTES_MAX bytes. Mistakes are logged as
   "FILE:LINE:COLUMN: ...", at most ten, and counted in *mistakes (not NULL); with `quiet` (further ranks of a launch)
   they are only counted. options->complain is not used. CS_IO, CS_INVALID, CS_NO_MEMORY: logged in one line, with
   `quiet` by one rank of each node. */
enum cs_status cs_rules_load(const char *path, const struct cs_rules_options *options, bool quiet,
                             struct cs_rules **rules, size_t *mistakes);
