#include "db/trace/long_path.h"

#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 48, WITH_ENDING = 16 /* SQLite needs room for "-journal" */ };

/* A copy of one of SQLite's Unix VFS: its functions, and the data that they use, are the same. */
struct long_vfs {
    sqlite3_vfs vfs; /* first: SQLite passes a pointer to it */
    sqlite3_vfs *base;
    char name[NAME_BYTES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int full_path(sqlite3_vfs *vfs, const char *name, int bytes, char *path)
{
    (void)vfs;
    char here[PATH_MAX] = "";
    if (name[0] != '/' && !getcwd(here, sizeof here))
        return SQLITE_CANTOPEN;
    int length = snprintf(path, (size_t)bytes, "%s%s%s", here, name[0] == '/' ? "" : "/", name);
    return length > 0 && length < bytes ? SQLITE_OK : SQLITE_CANTOPEN;
}

/* Two of SQLite's buffers have its own limit: for the name of a temporary file, and for a database whose journal is
   opened. */
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
    sqlite3_vfs *base = ((struct long_vfs *)vfs)->base;
    if (!name)
        return base->xOpen(base, name, file, flags, flags_out);
    if (strlen(name) >= (size_t)base->mxPathname && !(flags & SQLITE_OPEN_MAIN_DB))
        return SQLITE_CANTOPEN;
    return base->xOpen(vfs, name, file, flags, flags_out);
}

/* Never freed: SQLite uses it until the process ends. */
static const char *find_or_add(const char *base_name)
{
    static struct long_vfs made[2];
    sqlite3_vfs *base = sqlite3_vfs_find(base_name);
    if (!base)
        return NULL;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        struct long_vfs *it = &made[i];
        if (it->base == base)
            return it->name;
        if (it->base)
            continue;
        it->vfs = *base;
        snprintf(it->name, sizeof it->name, "callsign-%s", base->zName);
        it->vfs.zName = it->name;
        it->vfs.mxPathname = PATH_MAX + WITH_ENDING;
        it->vfs.xFullPathname = full_path;
        it->vfs.xOpen = open_file;
        if (sqlite3_vfs_register(&it->vfs, 0) != SQLITE_OK)
            return NULL;
        it->base = base;
        return it->name;
    }
    return NULL;
}

const char *cs_long_path_vfs(const char *base)
{
    pthread_mutex_lock(&lock);
    sqlite3_initialize();
    const char *name = find_or_add(base);
    pthread_mutex_unlock(&lock);
    return name ? name : base;
}
