#include "db/run/job.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/trace/each_row.h"
#include "journal/run_files.h"

static const char file_name[] = ".job";
static const char first_line[] = "callsign job 1\n";

enum { FILE_MOST = 2048, SIGNAL_MOST = 64 };

/* ---- what the file and the table have ---- */

static const struct {
    const char *key;
    size_t offset;
    int64_t least;
} numbers[] = {
    {"began_utc_ns", offsetof(struct cs_job, began_utc_ns), 0},
    {"ended_utc_ns", offsetof(struct cs_job, ended_utc_ns), 0},
    {"ran_ns", offsetof(struct cs_job, ran_ns), 0},
    {"pid", offsetof(struct cs_job, pid), 1},
    {"exit_code", offsetof(struct cs_job, exit_code), -1},
    {"received_ns", offsetof(struct cs_job, received_ns), 0},
};

static const struct {
    const char *key;
    size_t offset, size;
} texts[] = {
    {"signal", offsetof(struct cs_job, signal), CS_JOB_SIGNAL_BYTES},
    {"received", offsetof(struct cs_job, received), CS_JOB_SIGNAL_BYTES},
    {"command", offsetof(struct cs_job, command), CS_JOB_COMMAND_BYTES},
};

#define EACH(i, table) (size_t i = 0; i < sizeof(table) / sizeof *(table); i++)

static int64_t *number_of(const struct cs_job *job, size_t i)
{
    return (int64_t *)(void *)((char *)(uintptr_t)job + numbers[i].offset);
}

static char *text_of(const struct cs_job *job, size_t i)
{
    return (char *)(uintptr_t)job + texts[i].offset;
}

void cs_job_name_signal(int number, char name[CS_JOB_SIGNAL_BYTES])
{
    const char *known = sigabbrev_np(number);
    if (known)
        snprintf(name, CS_JOB_SIGNAL_BYTES, "SIG%s", known);
    else
        snprintf(name, CS_JOB_SIGNAL_BYTES, "SIG%d", number);
}

/* ---- the file ---- */

static size_t write_lines(const struct cs_job *job, char lines[FILE_MOST])
{
    size_t used = (size_t)snprintf(lines, FILE_MOST, "%s", first_line);
    for
        EACH(i, numbers)
    used +=
        (size_t)snprintf(lines + used, FILE_MOST - used, "%s %lld\n", numbers[i].key, (long long)*number_of(job, i));
    for
        EACH(i, texts)
    if (*text_of(job, i))
        used += (size_t)snprintf(lines + used, FILE_MOST - used, "%s %s\n", texts[i].key, text_of(job, i));
    return used;
}

bool cs_job_write(const char *folder, const struct cs_job *job)
{
    char path[PATH_MAX], temporary[PATH_MAX], lines[FILE_MOST];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file_name) >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    size_t bytes = write_lines(job, lines);
    int file = cs_temporary_create(path, temporary);
    if (file < 0)
        return false;
    mode_t mask = umask(0);
    umask(mask);
    bool written = write(file, lines, bytes) == (ssize_t)bytes && fchmod(file, 0666 & ~mask) == 0;
    written = close(file) == 0 && written && rename(temporary, path) == 0;
    int error = errno;
    if (!written)
        unlink(temporary);
    errno = error;
    return written;
}

static bool take_number(struct cs_job *job, const char *key, const char *value)
{
    for
        EACH(i, numbers)
    if (strcmp(key, numbers[i].key) == 0) {
        char *end;
        errno = 0;
        long long number = strtoll(value, &end, 10);
        if (end == value || *end || errno || number < numbers[i].least)
            return false;
        *number_of(job, i) = number;
    }
    return true;
}

static bool take_text(struct cs_job *job, const char *key, const char *value)
{
    for
        EACH(i, texts)
    if (strcmp(key, texts[i].key) == 0) {
        bool is_signal = texts[i].size == CS_JOB_SIGNAL_BYTES;
        if (strlen(value) >= texts[i].size ||
            (is_signal &&
             (strncmp(value, "SIG", 3) != 0 || strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != strlen(value))))
            return false;
        strcpy(text_of(job, i), value);
    }
    return true;
}

/* Skips lines that a later version adds. */
static bool read_lines(char *lines, struct cs_job *job)
{
    char *rest = NULL;
    *job = (struct cs_job){.exit_code = -1};
    if (strncmp(lines, first_line, strlen(first_line)) != 0)
        return false;
    for (char *line = strtok_r(lines + strlen(first_line), "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *value = strchr(line, ' ');
        if (!value)
            return false;
        *value++ = 0;
        if (!take_number(job, line, value) || !take_text(job, line, value))
            return false;
    }
    return job->pid > 0 && *job->command && (job->exit_code >= 0) != (*job->signal != 0);
}

bool cs_job_read(const char *folder, struct cs_job *job)
{
    char path[PATH_MAX], lines[FILE_MOST + 1];
    struct stat about;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file_name) >= sizeof path)
        return false;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    ssize_t got = fstat(file, &about) == 0 && S_ISREG(about.st_mode) ? read(file, lines, sizeof lines) : -1;
    close(file);
    if (got <= 0 || got > FILE_MOST || memchr(lines, 0, (size_t)got))
        return false;
    lines[got] = 0;
    return read_lines(lines, job);
}

/* ---- the table ---- */

static bool insert(sqlite3_stmt *row, const char *key, const char *text, int64_t number)
{
    char full[32];
    snprintf(full, sizeof full, "job.%s", key);
    sqlite3_bind_text(row, 1, full, -1, SQLITE_TRANSIENT);
    if (text)
        sqlite3_bind_text(row, 2, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_int64(row, 2, number);
    bool done = sqlite3_step(row) == SQLITE_DONE;
    return sqlite3_reset(row) == SQLITE_OK && done;
}

/* The signal behind a launcher's exit code: 128 + signal. MPICH's launcher has the signal itself, the exit code of a
   rank, or an error class of the MPI (the view ended_by_error): it is a signal only if it is one that ends programs, no
   rank ended by itself, and one died outside MPI. 0: none. */
static int signal_behind(sqlite3 *db, int64_t code)
{
    static const char hydra[] = "SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'mpi' AND value LIKE 'MPICH%')"
                                " AND EXISTS (SELECT 1 FROM process p WHERE outcome = 'died' AND NOT EXISTS"
                                " (SELECT 1 FROM thread t WHERE t.rank = p.rank AND t.state = 'inside'))"
                                " AND NOT EXISTS (SELECT 1 FROM process WHERE outcome IN ('exited', 'aborted'))";
    bool ends = code == SIGILL || code == SIGABRT || code == SIGBUS || code == SIGFPE || code == SIGKILL ||
                code == SIGSEGV || code == SIGTERM;
    int64_t number = code > 128 ? code - 128 : ends && cs_query_is_true(db, hydra, NULL) ? code : 0;
    return number > 0 && number < SIGNAL_MOST && sigabbrev_np((int)number) ? (int)number : 0;
}

bool cs_job_insert(sqlite3 *db, const struct cs_job *job)
{
    sqlite3_stmt *row;
    static const char sql[] =
        "INSERT OR REPLACE INTO meta SELECT min(rank), ?1, CAST(?2 AS TEXT) FROM process HAVING count(*)";
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        return false;
    bool done = true;
    char as_after[CS_JOB_SIGNAL_BYTES] = "";
    int behind = signal_behind(db, job->exit_code);
    if (behind)
        cs_job_name_signal(behind, as_after);
    for
        EACH(i, numbers)
    done = done && insert(row, numbers[i].key, NULL, *number_of(job, i));
    for
        EACH(i, texts)
    done = done && (!*text_of(job, i) || insert(row, texts[i].key, text_of(job, i), 0));
    done = done && (!*as_after || insert(row, "as_after", as_after, 0));
    return sqlite3_finalize(row) == SQLITE_OK && done;
}
