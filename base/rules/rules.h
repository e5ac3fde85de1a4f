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
 * The name may have placeholders (base/rules/placeholder.h) in braces; {{ and }} are braces. A pattern or name with
 * blanks stands in double quotes, where \" and \\ are a quote and a backslash. What follows a # that begins a line or
 * comes after a blank is a comment. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* To be read; only base/rules/parse.c writes. */
struct cs_rules {
    size_t count, room;
    struct cs_rule *rule;
    uint32_t kinds;    /* of all rules */
    bool needs_source; /* some rule does */
};

/* Takes what the rule points to. False: out of memory. */
bool cs_rules_add(struct cs_rules *rules, const struct cs_rule *rule);

/* Frees what the rule points to. */
void cs_rule_clear(struct cs_rule *rule);

/* NULL is allowed. */
void cs_rules_free(struct cs_rules *rules);
