/* callsign export: the tables of a run as CSV files, for engines that read many of those at once; its events for
   Perfetto, and as OTF2. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/export/export_csv.h"
#include "cli/export/export_otf2.h"
#include "cli/export/export_paths.h"
#include "cli/export/export_perfetto.h"
#include "cli/export/export_schema.h"
#include "cli/export/zstd_stream.h"
#include "cli/rows/similar_name.h"
#include "cli/text/text.h"
#include "db/trace/schema.h"

static const char help[] = "Usage: callsign export [RUN] --csv FOLDER\n"
                           "       callsign export [RUN] --perfetto FILE\n"
                           "       callsign export [RUN] --otf2 FOLDER\n"
                           "       callsign export [RUN] --flamegraph FILE\n"
                           "       callsign export [RUN] --callgrind FILE\n\n"
                           "Writes every table of a run into a CSV file, for DuckDB, pandas, polars, R and\n"
                           "Spark (docs/export.md). FOLDER must be new or empty. It also gets schema.json,\n"
                           "with the types of all columns, and load.sql, which makes the tables in DuckDB.\n"
                           "NULL is an empty field, an empty text is \"\".\n\n"
                           "With --perfetto it writes the recorded events (docs/timeline.md) as a trace for\n"
                           "ui.perfetto.dev: calls with their communicators by name, and messages as arrows.\n"
                           "With --otf2 it writes them for Vampir, Scalasca and otf2-print; this needs the\n"
                           "library libotf2 (Debian: comes with otf2-tools).\n"
                           "With --flamegraph it writes MPI time by call path as folded stacks, for\n"
                           "flamegraph.pl and speedscope; with --callgrind time, calls and bytes for\n"
                           "KCachegrind. Record the run with --stacks calls.\n"
                           "Without RUN it reads the newest run of the current folder.\n\n"
                           "  -c, --csv FOLDER  the folder to make\n"
                           "  --views           write the views, too\n"
                           "  --zstd            compress the files: NAME.csv.zst\n"
                           "  -p, --perfetto FILE  the trace to make; FILE must be new\n"
                           "  --split MIB       a larger trace becomes FILE.1, FILE.2, ... (default 500)\n"
                           "  -o, --otf2 FOLDER  the trace to make; FOLDER must be new or empty\n"
                           "  --flamegraph FILE  the folded stacks to make; FILE must be new\n"
                           "  --callgrind FILE  the profile to make; FILE must be new\n"
                           "  -h, --help        print this\n\n"
                           "Example:\n"
                           "  callsign export program.k3f9a2xq.callsign --csv tables --views\n";

struct export
{
    const char *run, *folder;
    bool views, zstd;
    struct cs_export_table *table;
    size_t count, room;
};

/* ---- the files so far: all are removed if the export does not become complete ---- */

enum { FILES_MOST = 512 };

static char making[PATH_MAX];     /* the folder; "" none */
static char made[FILES_MOST][80]; /* names in it */
static volatile sig_atomic_t files;
static int making_fd = -1;

static void remove_all(void)
{
    for (sig_atomic_t i = 0; i < files; i++)
        unlinkat(making_fd, made[i], 0);
    if (*making)
        rmdir(making);
}

static void remove_and_end(int signal)
{
    remove_all();
    kill(getpid(), signal); /* the handler was for once */
}

static void remove_when_interrupted(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* A new file in the folder; NULL: logged. */
static FILE *make_file(const char *name, bool zstd)
{
    if (files == FILES_MOST) {
        cs_log("more than %d tables", FILES_MOST);
        return NULL;
    }
    snprintf(made[files], sizeof *made, "%s", name);
    files = files + 1; /* before it is there: a signal may come in between */
    mode_t mode = cs_output_mode(0666, getegid());
    int fd = openat(making_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file && zstd)
        file = cs_zstd_stream(file);
    if (!file)
        cs_log("cannot write %s/%s: %s", making, name, strerror(errno));
    return file;
}

/* ---- the folder ---- */

static bool is_empty(const char *folder)
{
    DIR *listing = opendir(folder);
    if (!listing)
        return false;
    const struct dirent *entry;
    size_t entries = 0;
    while ((entry = readdir(listing)))
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(listing);
    return entries == 0;
}

/* True if the folder is new, or empty; *target: its path; *mode: its future permissions. Returns false after logging
   the reason. */
static bool may_make(const char *option, const char *folder, char target[PATH_MAX], mode_t *mode)
{
    struct stat about;
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    if (length == 0 || length >= PATH_MAX - 32) {
        cs_log("export: %s: name a folder", option);
        return false;
    }
    snprintf(target, PATH_MAX, "%.*s", (int)length, folder);
    mode_t mask = umask(0);
    umask(mask);
    *mode = 0777 & ~mask;
    if (lstat(target, &about) != 0)
        return true;
    char real[PATH_MAX];
    if (!realpath(target, real) || stat(real, &about) != 0) {
        cs_log("cannot write %s: %s", folder, strerror(errno));
    } else if (!S_ISDIR(about.st_mode)) {
        cs_log("%s is not a folder: name another", folder);
    } else if (!is_empty(real)) {
        cs_log("%s is not empty: name a new folder", folder);
    } else {
        strcpy(target, real);
        *mode = about.st_mode & 07777;
        return true;
    }
    return false;
}

/* Makes the folder under another name beside the one that it is to have. False: logged. */
static bool begin_folder(const char *target, mode_t mode)
{
    mode_t files_mode = cs_output_mode(0666, getegid()); /* libotf2 makes its files with the umask */
    mode &= files_mode | (files_mode & 0444) >> 2 | S_ISVTX | S_ISGID;
    int length = snprintf(making, sizeof making, "%s.XXXXXX", target);
    if (length >= (int)sizeof making || !mkdtemp(making)) {
        cs_log("cannot make a folder beside %s: %s", target, strerror(errno));
        *making = '\0';
        return false;
    }
    struct stat about;
    making_fd = open(making, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (making_fd >= 0 && fstat(making_fd, &about) == 0 && about.st_uid == geteuid() &&
        fchmod(making_fd, mode | S_IRWXU) == 0)
        return true;
    cs_log("cannot write %s: %s", making, strerror(errno));
    return false;
}

/* A folder that is there and empty is replaced. */
static bool end_folder(const char *target)
{
    if (rename(making, target) == 0) {
        *making = '\0';
        return true;
    }
    if (errno == ENOTEMPTY || errno == EEXIST)
        cs_log("%s is not empty: name a new folder", target);
    else
        cs_log("cannot write %s: %s", target, strerror(errno));
    return false;
}

/* ---- the tables ---- */

/* types: those that the columns have if they have no values; NULL: as declared. */
static bool write_table(struct export *export, sqlite3 *db, const char *name, const char *types)
{
    struct cs_export_table *table = &export->table[export->count];
    *table = (struct cs_export_table){.rows = 0};
    if (!cs_similar_name_is_word(name) || strlen(name) >= sizeof table->name)
        return true; /* SQLite's own */
    snprintf(table->name, sizeof table->name, "%s", name);
    snprintf(table->file, sizeof table->file, "%s.csv%s", name, export->zstd ? ".zst" : "");
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
    sqlite3_stmt *rows = NULL;
    FILE *stream = NULL;
    enum cs_status status = sql ? CS_OK : CS_NO_MEMORY;
    if (status == CS_OK && sqlite3_prepare_v2(db, sql, -1, &rows, NULL) != SQLITE_OK)
        status = CS_SQL;
    if (status == CS_OK && !(stream = make_file(table->file, export->zstd)))
        status = CS_IO; /* logged */
    if (stream) {
        export->count++;
        status = cs_export_csv(rows, stream, table);
        for (size_t i = 0; types && i < table->columns; i++)
            if (table->column[i].type == CS_EXPORT_UNKNOWN)
                table->column[i].type = types[i] == 'i'   ? CS_EXPORT_INTEGER
                                        : types[i] == 't' ? CS_EXPORT_TEXT
                                                          : CS_EXPORT_UNKNOWN;
        if (cs_command_close_output(stream, table->file) != CS_EXIT_OK)
            status = CS_IO; /* logged */
    }
    if (status != CS_OK && status != CS_IO)
        cs_log("cannot export %s: %s", name, status == CS_SQL ? sqlite3_errmsg(db) : cs_status_text(status));
    sqlite3_finalize(rows);
    sqlite3_free(sql);
    return status == CS_OK;
}

static bool write_tables(struct export *export, struct cs_run *run)
{
    struct cs_progress progress;
    size_t count = cs_tables_count + (export->views ? cs_views_count : 0);
    bool done = true;
    cs_progress_begin(&progress, "writing tables");
    for (size_t i = 0; done && i < count; i++) {
        const bool is_view = i >= cs_tables_count;
        const char *name = is_view ? cs_views[i - cs_tables_count].name : cs_tables[i].name;
        if (is_view) /* what several views read is computed once */
            cs_run_share_read(run, name);
        done = cs_array_grow(&export->table, export->count, &export->room, sizeof *export->table) &&
               write_table(export, cs_run_database(run), name, is_view ? cs_view_types[i - cs_tables_count] : NULL);
        cs_progress_step(&progress, i + 1, count);
    }
    cs_progress_end(&progress);
    return done;
}

static bool write_schema(const struct export *export, const char *name,
                         void (*write)(FILE *stream, const struct cs_export_table *tables, size_t count))
{
    FILE *stream = make_file(name, false);
    if (!stream)
        return false;
    write(stream, export->table, export->count);
    return cs_command_close_output(stream, name) == CS_EXIT_OK;
}

static uint64_t count_bytes(void)
{
    uint64_t bytes = 0;
    struct stat about;
    for (sig_atomic_t i = 0; i < files; i++)
        if (fstatat(making_fd, made[i], &about, 0) == 0)
            bytes += (uint64_t)about.st_size;
    return bytes;
}

static int write_folder(struct export *export)
{
    char target[PATH_MAX], size[32], time[32];
    uint64_t begun_ns = cs_clock_monotonic_ns();
    mode_t mode;
    if ((export->zstd && !cs_zstd_open()) || !may_make("--csv", export->folder, target, &mode))
        return CS_EXIT_TROUBLE;
    struct cs_run *run = cs_command_open(export->run, 0);
    if (!run)
        return CS_EXIT_TROUBLE;
    remove_when_interrupted();
    bool done = begin_folder(target, mode) && write_tables(export, run);
    cs_export_complete_types(export->table, export->count);
    done = done && write_schema(export, "schema.json", cs_export_write_json) &&
           write_schema(export, "load.sql", cs_export_write_duckdb);
    uint64_t bytes = count_bytes();
    done = done && end_folder(target);
    if (!done)
        remove_all();
    if (making_fd >= 0)
        close(making_fd);
    const struct cs_run_info *info = cs_run_info(run);
    if (done) {
        printf("%zu %s in ", export->count, export->views ? "tables and views" : "tables");
        cs_text_put(stdout, export->folder);
        printf(", %s, %s\n", cs_text_bytes(size, sizeof size, (double)bytes),
               cs_text_duration(time, sizeof time, (double)(cs_clock_monotonic_ns() - begun_ns)));
        if (info->left_out)
            printf("%zu of %zu rank files could not be read (see the messages above); they are not in it\n",
                   info->left_out, info->files);
    }
    cs_run_close(run);
    int written = cs_command_close_output(stdout, NULL);
    return done ? written : CS_EXIT_TROUBLE;
}

/* ---- Perfetto ---- */

/* False, and logged, if no call was written. */
static bool has_events(int64_t calls, const char *run_path)
{
    if (calls == 0)
        cs_log("%s has no events: callsign run --events keep records them; a rank that dies always leaves them",
               run_path);
    return calls != 0;
}

/* FILE, or FILE.1, FILE.2 and so on, if there are several. */
static void name_part(char name[PATH_MAX], const char *path, size_t number, size_t count)
{
    if (count == 1)
        snprintf(name, PATH_MAX, "%s", path);
    else
        snprintf(name, PATH_MAX, "%s.%zu", path, number + 1);
}

struct perfetto {
    struct cs_perfetto_parts parts;
    int64_t events, messages;
    long bytes;
    size_t written; /* files */
};

static bool write_part(struct perfetto *perfetto, sqlite3 *db, const char *path)
{
    char name[PATH_MAX];
    name_part(name, path, perfetto->written, perfetto->parts.count);
    struct cs_output output;
    if (!cs_command_open_output(&output, name, CS_OUTPUT_NEW, NULL))
        return false;
    size_t number = perfetto->written;
    bool done =
        cs_perfetto_write(db, output.stream, &perfetto->parts, number, &perfetto->events, &perfetto->messages) == CS_OK;
    perfetto->bytes += ftell(output.stream);
    done = cs_command_end_output(&output, name, done) == CS_EXIT_OK;
    perfetto->written += done;
    return done;
}

static bool write_parts(struct perfetto *perfetto, struct cs_run *run, const char *path, uint64_t bytes)
{
    sqlite3 *db = cs_run_database(run);
    cs_run_allow_temporary(run, true);
    bool done = cs_perfetto_split(db, bytes, &perfetto->parts) == CS_OK;
    cs_run_allow_temporary(run, false);
    while (done && perfetto->written < perfetto->parts.count)
        done = write_part(perfetto, db, path);
    return done;
}

static int write_perfetto(const char *path, const char *run_path, uint64_t bytes)
{
    char size[32];
    struct perfetto perfetto = {.events = 0};
    struct cs_run *run = cs_command_open(run_path, 0);
    bool done = run && write_parts(&perfetto, run, path, bytes);
    cs_run_close(run);
    done = done && has_events(perfetto.events, run_path);
    for (size_t i = 0; !done && i < perfetto.written; i++) {
        char name[PATH_MAX];
        name_part(name, path, i, perfetto.parts.count);
        unlink(name);
    }
    free(perfetto.parts.part);
    if (!done)
        return CS_EXIT_TROUBLE;
    printf("%lld calls and %lld messages in ", (long long)perfetto.events, (long long)perfetto.messages);
    cs_text_put(stdout, path);
    if (perfetto.written > 1)
        printf(".1 to .%zu", perfetto.written);
    printf(", %s\n", cs_text_bytes(size, sizeof size, (double)perfetto.bytes));
    return cs_command_close_output(stdout, NULL);
}

/* ---- call paths ---- */

static int write_paths(const char *path, const char *run_path,
                       enum cs_status (*write)(sqlite3 *db, FILE *stream, int64_t *paths))
{
    char size[32];
    int64_t paths = 0;
    struct cs_run *run = cs_command_open(run_path, 0);
    struct cs_output output;
    if (!run || !cs_command_open_output(&output, path, CS_OUTPUT_NEW, NULL)) {
        cs_run_close(run);
        return CS_EXIT_TROUBLE;
    }
    bool done = write(cs_run_database(run), output.stream, &paths) == CS_OK;
    long bytes = ftell(output.stream);
    int code = cs_command_end_output(&output, path, done);
    cs_run_close(run);
    if (code != CS_EXIT_OK)
        return code;
    printf("%" PRId64 " call path%s in ", paths, paths == 1 ? "" : "s");
    cs_text_put(stdout, path);
    printf(", %s\n", cs_text_bytes(size, sizeof size, (double)bytes));
    return cs_command_close_output(stdout, NULL);
}

/* ---- OTF2 ---- */

static sqlite3 *interrupted;

static void interrupt(int signal)
{
    (void)signal;
    sqlite3_interrupt(interrupted);
}

static int remove_item(const char *path, const struct stat *about, int type, struct FTW *place)
{
    (void)about, (void)type, (void)place;
    return remove(path);
}

static int write_otf2(const char *folder, const char *run_path)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct cs_otf2_counts counts;
    char target[PATH_MAX];
    mode_t mode;
    if (cs_otf2_find() != CS_OK || !may_make("--otf2", folder, target, &mode))
        return CS_EXIT_TROUBLE;
    struct cs_run *run = cs_command_open(run_path, 0);
    if (!run)
        return CS_EXIT_TROUBLE;
    interrupted = cs_run_database(run);
    struct sigaction action = {.sa_handler = interrupt};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    bool done = begin_folder(target, mode) && cs_otf2_write(cs_run_database(run), making, &counts) == CS_OK;
    done = done && has_events(counts.calls, run_path) && end_folder(target);
    if (*making)
        nftw(making, remove_item, 16, FTW_DEPTH | FTW_PHYS);
    if (making_fd >= 0)
        close(making_fd);
    cs_run_close(run);
    if (!done)
        return CS_EXIT_TROUBLE;
    printf("%lld calls and %lld messages in ", (long long)counts.calls, (long long)counts.messages);
    cs_text_put(stdout, folder);
    putchar('\n');
    if (counts.incomplete)
        printf("%zu communicators have members that are not known; their messages and collective calls are plain calls "
               "in it\n",
               counts.incomplete);
    return cs_command_close_output(stdout, NULL);
}

static bool parse_mebibytes(const char *text, uint64_t *mebibytes)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || *end || end == text || *text == '-' || value == 0 || value > 1000000) {
        cs_log("export: --split %s: not a number of MiB", text);
        return false;
    }
    *mebibytes = value;
    return true;
}

int cmd_export(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    struct export export = {.run = NULL};
    uint64_t mebibytes = 500;
    const char *perfetto = NULL, *otf2 = NULL, *flamegraph = NULL, *callgrind = NULL;
    const char *option;
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, "csv"))
            export.folder = optarg;
        else if (cs_option_is(option, "perfetto"))
            perfetto = optarg;
        else if (cs_option_is(option, "otf2"))
            otf2 = optarg;
        else if (cs_option_is(option, "flamegraph"))
            flamegraph = optarg;
        else if (cs_option_is(option, "callgrind"))
            callgrind = optarg;
        else if (cs_option_is(option, "split") && parse_mebibytes(optarg, &mebibytes))
            continue;
        else if (cs_option_is(option, "split"))
            return cs_command_usage("export");
        else if (cs_option_is(option, "views"))
            export.views = true;
        else if (cs_option_is(option, "zstd"))
            export.zstd = true;
        else
            return cs_option_stop(&options, option);
    }
    bool one_run = argc - optind <= 1;
    if (!one_run || !!export.folder + !!perfetto + !!otf2 + !!flamegraph + !!callgrind != 1) {
        cs_log("export: give one %s: callsign export [RUN] --csv FOLDER", one_run ? "format" : "run");
        return cs_command_usage("export");
    }
    export.run = optind < argc ? argv[optind] : cs_newest_run("export", false);
    if (!export.run)
        return CS_EXIT_TROUBLE;
    if (perfetto)
        return write_perfetto(perfetto, export.run, mebibytes << 20);
    if (otf2)
        return write_otf2(otf2, export.run);
    if (flamegraph)
        return write_paths(flamegraph, export.run, cs_folded_write);
    if (callgrind)
        return write_paths(callgrind, export.run, cs_callgrind_write);
    int code = write_folder(&export);
    for (size_t i = 0; i < export.count; i++)
        free(export.table[i].column);
    free(export.table);
    return code;
}
