/* The rules of callsign compare --fail-on, and their results for people and for CI.

   - RULE = METRIC [ "@" NAME ] ">" NUMBER [ UNIT ]
   - METRIC = time | wait | elapsed | calls | bytes | remote_bytes | objects | leaks
   -          | ranks | nodes | cores | load | bound
   - UNIT = "%" of the value in BASE; for time, wait, elapsed: "s" | "ms" | "us", without a unit seconds;
   - for bytes, remote_bytes: "B" | "KiB" | "MiB" | "GiB", without a unit bytes

   A rule is met if NEW exceeds BASE by more than the number. Without NAME the rule applies to the whole run. With NAME
   it applies to the sum over an MPI function, a communicator, a calling function or a kind of object of this name. The
   name goes up to the last ">". Values that differ from run to run, as times do, are medians. They meet a rule only if
   the rank test says so too; without CS_RANK_TEST_LEAST runs of each side such a rule cannot be decided. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/text/phrase.h"

/* Said of runs whose order tells the sides apart: the table `sequence` of compare_changes.sql. */
#define CS_COMPARE_ONE_AFTER_OTHER                                                                                     \
    "the runs of one side were all, or nearly all, made before those of the other, so times that differ may come "     \
    "from "                                                                                                            \
    "the machine and not from the change; make the runs in turns: old, new, old, new"

/* Adds a rule to the figures (cli/compare/compare_figures.h). False: it is wrong, logged. */
bool cs_compare_rule_add(sqlite3 *figures, const char *text);

enum cs_compare_rule_result { CS_COMPARE_RULE_NOT_MET, CS_COMPARE_RULE_MET, CS_COMPARE_RULE_UNDECIDED };

/* A rule, compared. The texts are valid until the next one. */
struct cs_compare_rule {
    const char *text;
    enum cs_compare_rule_result result;
    struct cs_phrase why; /* "leaks: 0 before, 4 after" */
};

/* Begins with {0} rows; goes to the next rule. False: there is none, or an error (logged), which cs_compare_rules_end
   returns. */
struct cs_compare_rules {
    sqlite3_stmt *statement;
    enum cs_status status;
    struct cs_compare_rule rule;
};
struct cs_compare_rules cs_compare_rules_begin(sqlite3 *figures);
bool cs_compare_rules_next(struct cs_compare_rules *rules);
enum cs_status cs_compare_rules_end(struct cs_compare_rules *rules);

/* The rows of --format json. */

/* Writes the results as a JUnit file, one test case for each rule. False: logged. */
bool cs_compare_rules_write_junit(sqlite3 *figures, const char *file);
