/* The reports call_tree and comm_callers: who calls MPI, from the outermost functions inwards. */
#include <string.h>

#include "cli/report/report_print.h"
#include "cli/rows/rows.h"
#include "journal/format.h"

enum {
    INDENTED = 16, /* deeper rows have the same indentation */
    WIDTH = 46,    /* of a row's functions, where they can be left out */
};

/* "main > solve > exchange > MPI_Send"; a row that is too long keeps the first function and the last ones. */
static void add_call(struct cs_phrase *text, struct cs_rows *row)
{
    static const char between[] = " > ";
    const char *call = cs_rows_text(row, "call"), *rest = strchr(call, ';');
    int64_t depth = cs_rows_integer(row, "depth");
    int indent = 2 * (int)(depth < INDENTED ? depth : INDENTED);
    size_t functions = 1, room = WIDTH - (size_t)indent;
    for (const char *at = rest; at; at = strchr(at + 1, ';'))
        functions++;
    cs_phrase_add(text, "%*s", indent, "");
    if (!rest || strlen(call) + 2 * (functions - 1) <= room) {
        for (const char *at = call; at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL)
            cs_phrase_add(text, "%s%.*s", at == call ? "" : between, (int)strcspn(at, ";"), at);
        return;
    }
    cs_phrase_add(text, "%.*s", (int)(rest - call), call);
    bool left_out = false;
    for (const char *at = rest; (at = strchr(at, ';')); at++) {
        size_t behind = 0;
        for (const char *next = at; (next = strchr(next, ';')); next++)
            behind += 2;
        if (strchr(at + 1, ';') && (size_t)(rest - call) + strlen(at) + behind + strlen(" > ...") > room) {
            left_out = true;
            continue;
        }
        if (left_out)
            cs_phrase_add(text, "%s...", between);
        left_out = false;
        cs_phrase_add(text, "%s%.*s", between, (int)strcspn(at + 1, ";"), at + 1);
    }
}

const struct cs_report_words report_call_tree_words[] = {{"call", NULL, add_call}, {0}};

enum cs_status report_call_tree(struct cs_report_output *output)
{
    enum cs_status status = cs_report_print_table(output);
    if (status != CS_OK)
        return status;
    struct cs_phrase line = {0};
    struct cs_rows row =
        cs_rows_begin(output->db, "SELECT min(value = 'calls') AS whole, EXISTS (SELECT 1 FROM frame\n"
                                  "    WHERE function = '<partial>') AS partial FROM meta WHERE key = 'config.STACKS'");
    bool any = cs_rows_next(&row), known = any && cs_rows_has(&row, "whole");
    if (known && !cs_rows_integer(&row, "whole"))
        cs_phrase_add(&line, "Only the innermost callers were recorded: callsign run --stacks calls records all of "
                             "them");
    else if (any && cs_rows_integer(&row, "partial"))
        cs_phrase_add(&line,
                      "<partial> stands for callers that were not recorded: of stacks with more than %d frames, of new "
                      "stacks after the first %d, of small stacks, and around generated code",
                      CS_STACK_DEPTH, CS_STACKS_MOST);
    if (cs_phrase_text(&line)[0])
        cs_report_print_line(output, &line);
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}
