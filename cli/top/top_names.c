#include "cli/top/top_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/command/command.h"
#include "cli/rows/location.h"
#include "cli/text/text.h"
#include "functions.h"

/* Journals that are open as databases; a run has few kinds of ranks. A name that is missing in one is looked up in a
   newer one, but opening them takes no more than a twentieth of a core, and a third of the time: a busy machine or a
   slow folder may make it wait. */
enum { OPEN_MOST = 4, CORE_SHARE = 20, TIME_SHARE = 3 };

struct opened {
    size_t journal; /* as in struct cs_top_where */
    struct cs_run *run;
    double at_ns;  /* when it was opened; 0: never */
    double due_ns; /* when it may be opened again */
};

struct cs_top_names {
    struct opened opened[OPEN_MOST];
    size_t next; /* the one to be replaced */
    struct cs_resolver *resolver;
};

struct cs_top_names *cs_top_names_new(void)
{
    struct cs_top_names *names = calloc(1, sizeof *names);
    if (names && !(names->resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND))) {
        free(names);
        return NULL;
    }
    return names;
}

void cs_top_names_free(struct cs_top_names *names)
{
    if (!names)
        return;
    for (size_t i = 0; i < OPEN_MOST; i++)
        cs_run_close(names->opened[i].run);
    cs_resolver_free(names->resolver);
    free(names);
}

static const char *path_of(const struct cs_top *top, size_t journal)
{
    for (size_t i = 0; i < top->count; i++)
        if (top->journal[i].number == journal)
            return top->journal[i].reader ? top->journal[i].path : NULL;
    return NULL;
}

static double core_ns(void)
{
    struct timespec used = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec * 1e9 + (double)used.tv_nsec;
}

/* anew: what was opened too long ago is opened again. */
static sqlite3 *open_journal(struct cs_top_names *names, const struct cs_top *top, size_t journal, bool anew)
{
    struct opened *opened = NULL;
    for (size_t i = 0; i < OPEN_MOST && !opened; i++)
        if (names->opened[i].at_ns > 0 && names->opened[i].journal == journal)
            opened = &names->opened[i];
    double now = (double)cs_clock_monotonic_ns();
    if (!opened) {
        opened = &names->opened[names->next];
        names->next = (names->next + 1) % OPEN_MOST;
    } else if (!anew || now < opened->due_ns) {
        return opened->run ? cs_run_database(opened->run) : NULL;
    }
    const char *path = path_of(top, journal);
    double used = core_ns();
    cs_run_close(opened->run);
    *opened = (struct opened){.journal = journal, .at_ns = now};
    /* It vanishes when its process ends. */
    opened->run =
        path && access(path, F_OK) == 0 ? cs_command_open(path, CS_OPEN_PATIENT | CS_OPEN_NAMES_MISSING) : NULL;
    double passed = (double)cs_clock_monotonic_ns() - now;
    opened->due_ns = now + fmax(CORE_SHARE * (core_ns() - used), TIME_SHARE * passed);
    if (!opened->run)
        opened->at_ns = 0; /* try again: it may just have got another name */
    return opened->run ? cs_run_database(opened->run) : NULL;
}

/* To be freed; NULL: unknown. */
static char *label_of(sqlite3 *db, uint32_t object)
{
    static const char sql[] =
        "SELECT CASE WHEN o.kind IN ('communicator', 'none') OR l.label LIKE '(%' THEN l.label ELSE l.label || ' (' || "
        "o.kind || ')' END FROM labels l JOIN object o USING (rank, object) WHERE l.object = ?1";
    sqlite3_stmt *find = NULL;
    char *label = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &find, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(find, 1, object);
        if (sqlite3_step(find) == SQLITE_ROW) {
            const char *text = (const char *)sqlite3_column_text(find, 0);
            label = cs_text_visible(text ? text : "", text ? strlen(text) : 0);
        }
    }
    sqlite3_finalize(find);
    return label;
}

static char *find_name(const struct cs_top_names *names, sqlite3 *db, const struct cs_top_line *line)
{
    char text[2048];
    if (line->subject == CS_TOP_COMMUNICATOR)
        return label_of(db, line->where.object);
    cs_location_of_site(db, names->resolver, line->where.site, text, sizeof text);
    return strcmp(text, "?") == 0 ? NULL : cs_text_visible(text, strlen(text));
}

const char *cs_top_name(struct cs_top_names *names, const struct cs_top *top, struct cs_top_line *line)
{
    if (line->subject == CS_TOP_FUNCTION) {
        const struct cs_function *function = cs_function_find((uint16_t)line->key);
        return function ? function->name : "?";
    }
    if (line->subject == CS_TOP_COMMUNICATOR && !line->key)
        return "(no communicator)";
    if (line->subject != CS_TOP_COMMUNICATOR && !line->where.site)
        return "(unknown)";
    for (int anew = 0; anew < 2 && !line->name; anew++) {
        sqlite3 *db = open_journal(names, top, line->where.journal, anew);
        line->name = db ? find_name(names, db, line) : NULL;
    }
    return line->name ? line->name : "?";
}
