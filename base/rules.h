/* Naming rules give names to objects of code that the user cannot change. Each line is a rule; the first that
 * matches wins:
 *
 *     # conditions ... -> name
 *     kind=communicator library=libgrid* function=MPI_Comm_split parent=MPI_COMM_WORLD -> "grid {n} row {color}"
 *     caller=make_halo                                                                 -> halo
 *     at=solver.f90:120                                                                -> "solver {n}"
 *
 * A condition is a word, "=" and a shell pattern (fnmatch(3)). All conditions of a rule must hold:
 *
 *     kind       communicator, datatype, window, group, ...; default: the three kinds that MPI can name
 *     function   the MPI function that created it
 *     library    file name of the executable or library whose code called that function
 *     caller     the function that contains the call
 *     at         FILE:LINE of the call, or FILE:*; FILE is the last part of the path, or as reports show it
 *     parent     name of the object that it was created from
 *
 * A name may have placeholders (cs_placeholders) in braces; {{ and }} are braces. Put a pattern or name with blanks
 * in double quotes; \" and \\ are a quote and a backslash. # begins a comment at the start of a line or after a
 * blank. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    uint32_t kinds;                    /* bit 1 << kind: the rule applies to this kind */
    char *pattern[CS_RULE_CONDITIONS]; /* NULL: any; AT: the file; KIND: see kinds */
    int at_line;                       /* 0: any */
    char *name;                        /* with placeholders; its braces are correct */
    bool needs_source;                 /* needs functions and lines of the source */
};

/* Read-only outside base/rules.c and base/rules_parser.c. */
struct cs_rules {
    size_t count, room;
    struct cs_rule *rule;
    uint32_t kinds;    /* union of all rules */
    bool needs_source; /* some rule does */
};

/* NULL is allowed. */
void cs_rules_free(struct cs_rules *rules);

/* Frees what the rule points to. */
void cs_rule_clear(struct cs_rule *rule);

/* ---- which of them names a new object ---- */

/* The call that created an object. */
struct cs_rules_site {
    uint32_t kind;
    const char *function; /* the MPI function; NULL: unknown */
    const char *library;  /* file name; NULL: unknown */
    /* Function, file and line of the call; NULL: unknown. Takes milliseconds, so it is called only if all other
       conditions hold. */
    const struct cs_source *(*source)(void *context);
    void *context;
};

/* Returns the index of the first rule, from `from` on, whose conditions on the site hold; rules->count: none. A
   condition on an unknown value does not hold. */
size_t cs_rules_next(const struct cs_rules *rules, size_t from, const struct cs_rules_site *site);

/* True if the rule's condition on the parent's name holds. NULL: the parent has no name. */
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

/* The words of placeholders, without braces. */
extern const char *const cs_placeholders[CS_PLACEHOLDERS] __attribute__((visibility("hidden")));

/* The placeholder for this word; CS_PLACEHOLDERS: none. */
enum cs_placeholder cs_placeholder_find(const char *word, size_t length);

/* Values for placeholders, besides the site (function, caller, library). */
struct cs_rules_values {
    const char *parent; /* {parent}: name of the parent; NULL: none */
    int64_t color, key; /* {color} {key}: arguments of MPI_Comm_split and similar calls; INT64_MIN: none */
    int64_t rank;       /* {rank}: rank of this process in the parent; -1: none */
    int64_t first; /* {first}: rank in the parent of the new object's first member, equal on all members; -1: none */
    uint32_t nth;  /* {n}: number of this creation on the parent, from 1; 0: unknown */
};

/* Writes the name that the rule gives: at most size - 1 bytes, cut between UTF-8 characters. "?" stands for unknown
   values. */
void cs_rule_write_name(const struct cs_rule *rule, const struct cs_rules_site *site,
                        const struct cs_rules_values *values, char *name, size_t size);
