#include "db/run/late_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "functions.h"
#include "journal/run_files.h"

enum { FILE_MOST = 1 << 20 };

char *cs_late_file_read(const char *folder)
{
    char path[PATH_MAX];
    struct stat about;
    if (snprintf(path, sizeof path, "%s/" CS_RUN_LATE_NAME, folder) >= (int)sizeof path)
        return NULL;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NULL;
    char *text = fstat(file, &about) == 0 && S_ISREG(about.st_mode) ? malloc(FILE_MOST + 1) : NULL;
    ssize_t got = text ? read(file, text, FILE_MOST) : 0;
    close(file);
    if (text)
        text[got > 0 ? got : 0] = '\0';
    return text;
}

static const char *name_of(const char *text)
{
    for (size_t i = 0; i < cs_function_count; i++)
        if (strcmp(cs_functions[i].name, text) == 0)
            return cs_functions[i].name;
    return NULL;
}

static bool insert_line(sqlite3_stmt *row, const char *line)
{
    char *end;
    long rank = strtol(line, &end, 10);
    const char *name = end > line && *end == ' ' ? name_of(end + 1) : NULL;
    if (!name)
        return true;
    sqlite3_bind_int64(row, 1, rank);
    sqlite3_bind_text(row, 2, name, -1, SQLITE_STATIC);
    bool done = sqlite3_step(row) == SQLITE_DONE;
    return sqlite3_reset(row) == SQLITE_OK && done;
}

bool cs_late_file_insert(sqlite3 *db, char *text)
{
    static const char sql[] = "INSERT INTO meta SELECT rank, 'after_finalize', ?2 FROM process WHERE rank = ?1\n"
                              "ON CONFLICT (rank, key) DO UPDATE SET value = value || ':' || excluded.value";
    sqlite3_stmt *row;
    char *rest = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        return false;
    bool done = true;
    for (char *line = strtok_r(text, "\n", &rest); line && done; line = strtok_r(NULL, "\n", &rest))
        done = insert_line(row, line);
    sqlite3_finalize(row);
    return done;
}
