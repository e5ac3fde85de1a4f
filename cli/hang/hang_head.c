#include "cli/hang/hang_head.h"

#include <stdlib.h>
#include <string.h>

#include "cli/hang/hang_reason.h"
#include "cli/rows/rows.h"
#include "cli/text/text.h"

typedef const struct cs_hang_output *out;

static void put_part(sqlite3_str *text, const char **before, int count, const char *what)
{
    if (!count)
        return;
    sqlite3_str_appendf(text, "%s%d %s", *before, count, what);
    *before = ", ";
}

static bool print_total(out o)
{
    const struct cs_hang *hang = o->hang;
    int waiting = 0, outside = 0, unseen = 0, gone = 0, finalized = 0, ranks = (int)hang->ranks;
    for (size_t i = 0; i < hang->ranks; i++) {
        const struct cs_hang_rank *rank = &hang->rank[i];
        finalized += rank->outcome == CS_HANG_FINALIZED;
        gone += rank->outcome == CS_HANG_GONE;
        waiting += rank->outcome == CS_HANG_RUNNING && cs_hang_is_inside(hang, rank);
        bool away = rank->outcome == CS_HANG_RUNNING && !cs_hang_is_inside(hang, rank);
        outside += away && !rank->bypasses;
        unseen += away && rank->bypasses;
    }
    if (!ranks) {
        cs_hang_end_line(o, cs_hang_line("No rank is recorded yet"));
        return false;
    }
    sqlite3_str *text = sqlite3_str_new(NULL);
    if (hang->ended)
        cs_hang_end_line(o, cs_hang_line("The job was ended from outside. At that moment:"));
    bool part = ranks < hang->world_size;
    if (part)
        sqlite3_str_appendf(text, "%d of %d ranks %s recorded", ranks, hang->world_size, ranks == 1 ? "is" : "are");
    if (finalized == ranks) {
        if (part)
            sqlite3_str_appendall(text, ranks == 1 ? ": it finalized" : ": all of them finalized");
        else if (ranks == 1)
            sqlite3_str_appendall(text, "The only rank finalized");
        else
            sqlite3_str_appendf(text, "All %d ranks finalized", ranks);
    } else if (gone == ranks) {
        if (part)
            sqlite3_str_appendall(text, ranks == 1 ? ": it did not reach MPI_Finalize"
                                                   : ": none of them reached MPI_Finalize");
        else if (ranks == 1)
            sqlite3_str_appendall(text, "The only rank did not reach MPI_Finalize");
        else
            sqlite3_str_appendf(text, "None of the %d ranks reached MPI_Finalize", ranks);
    } else {
        const char *before = part ? ": " : ranks == 1 ? " rank: " : " ranks: ";
        if (!part)
            sqlite3_str_appendf(text, "%d", ranks);
        put_part(text, &before, waiting, "inside MPI");
        put_part(text, &before, outside, "outside MPI");
        put_part(text, &before, unseen, "in no call that callsign sees");
        put_part(text, &before, gone, "ended without MPI_Finalize");
        put_part(text, &before, finalized, "finalized");
    }
    cs_hang_end_line(o, text);
    return finalized < ranks;
}

/* Starts a line with the ranks that have this property, as "All 4 ranks" or "Ranks 0,2". NULL: there are none. */
static sqlite3_str *line_of_ranks(const struct cs_hang *hang, bool (*has)(const struct cs_hang_rank *rank))
{
    int *rank = calloc(hang->ranks + 1, sizeof *rank);
    size_t count = 0;
    for (size_t i = 0; rank && i < hang->ranks; i++)
        if (has(&hang->rank[i]))
            rank[count++] = hang->rank[i].rank;
    sqlite3_str *text = count ? sqlite3_str_new(NULL) : NULL;
    if (count && count == hang->ranks && count > 1)
        sqlite3_str_appendf(text, "All %d ranks", (int)count);
    else if (count)
        cs_hang_add_ranks(text, "Rank", rank, count);
    free(rank);
    return text;
}

static bool has_advanced(const struct cs_hang_rank *rank)
{
    return rank->advanced;
}

static bool has_moved(const struct cs_hang_rank *rank)
{
    return rank->moved;
}

/* Prints ranks whose calls callsign may not see, and where these calls are. */
static bool print_bypasses(out o)
{
    static const char sql[] =
        "SELECT ranks, subject FROM recording_findings WHERE kind = 'library_not_recorded' ORDER BY 1, 2";
    struct cs_rows row = cs_rows_begin(o->db, sql);
    while (cs_rows_next(&row)) {
        const char *ranks = cs_rows_text(&row, "ranks");
        sqlite3_str *text = cs_hang_line(ranks && !strpbrk(ranks, ",-") ? "Rank " : "Ranks ");
        sqlite3_str_appendf(text, "%s may make MPI calls that callsign does not see, in %s", ranks,
                            cs_rows_text(&row, "subject"));
        cs_hang_end_line(o, text);
    }
    return cs_rows_end(&row) == CS_OK;
}

/* Says which ranks did something while the command looked at them. */
static void print_movement(out o)
{
    char apart[64];
    sqlite3_str *text = line_of_ranks(o->hang, has_advanced);
    if (text) {
        sqlite3_str_appendf(text, " entered or left MPI calls between two looks, %s apart",
                            cs_text_duration(apart, sizeof apart, (double)o->hang->apart_ns));
        cs_hang_end_line(o, text);
    }
    text = line_of_ranks(o->hang, has_moved);
    if (text) {
        sqlite3_str_appendall(text, " moved while they were read: each is shown at another moment");
        cs_hang_end_line(o, text);
    }
}

/* Prints ranks on other nodes that may be dead. */
static bool print_silent(out o)
{
    static const char sql[] =
        "SELECT p.node, ranges(p.rank) AS ranks, count(*) AS count, min(CAST(m.value AS INT)) AS least,\n"
        "       max(CAST(m.value AS INT)) AS most\n"
        "FROM meta m JOIN process p USING (rank) WHERE m.key = 'journal.still_s' AND p.outcome = 'running' GROUP BY 1";
    struct cs_rows row = cs_rows_begin(o->db, sql);
    int nodes = 0;
    while (cs_rows_next(&row)) {
        char least[64], most[64];
        bool one = cs_rows_integer(&row, "count") == 1;
        const char *node = cs_rows_text(&row, "node");
        if (++nodes > 3)
            continue;
        cs_text_duration(least, sizeof least, cs_rows_real(&row, "least") * 1e9);
        cs_text_duration(most, sizeof most, cs_rows_real(&row, "most") * 1e9);
        sqlite3_str *text = sqlite3_str_new(NULL);
        sqlite3_str_appendf(text, "%s %s on %s may be dead: %s last written %s", one ? "Rank" : "Ranks",
                            cs_rows_text(&row, "ranks"), node, one ? "the journal was" : "the journals were", least);
        if (strcmp(least, most) != 0)
            sqlite3_str_appendf(text, " to %s", most);
        sqlite3_str_appendf(text, " ago. Run callsign hang on %s to check", node);
        cs_hang_end_line(o, text);
    }
    if (nodes > 3) {
        sqlite3_str *text = sqlite3_str_new(NULL);
        sqlite3_str_appendf(text, "and ranks on %d more nodes", nodes - 3);
        cs_hang_end_line(o, text);
    }
    return cs_rows_end(&row) == CS_OK;
}

bool cs_hang_print_head(out o, bool *good)
{
    if (!print_total(o))
        return false;
    *good = print_silent(o);
    *good = print_bypasses(o) && *good;
    print_movement(o);
    return true;
}
