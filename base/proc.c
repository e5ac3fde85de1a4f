#include "base/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/words.h"

static size_t read_file(const char *path, char *buffer, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    size_t used = 0;
    ssize_t got;
    while (used < size && (got = read(file, buffer + used, size - used)) > 0)
        used += (size_t)got;
    close(file);
    return used;
}

bool cs_proc_stat(const char *proc, pid_t pid, struct cs_proc_stat *stat)
{
    char path[PATH_MAX], text[1024], number[16] = "self";
    if (pid)
        snprintf(number, sizeof number, "%d", (int)pid);
    if ((size_t)snprintf(path, sizeof path, "%s/%s/stat", proc, number) >= sizeof path)
        return false;
    size_t used = read_file(path, text, sizeof text - 1);
    text[used] = 0;
    /* Field 2 is the program's name in parentheses. It may contain anything, even parentheses. */
    char *rest = strrchr(text, ')');
    int parent;
    unsigned long long start, user, kernel, faults, pages;
    if (!rest ||
        sscanf(rest + 1, " %c %d %*s %*s %*s %*s %*s %*s %*s %llu %*s %llu %llu %*s %*s %*s %*s %ld %*s %llu %*s %llu",
               &stat->state, &parent, &faults, &user, &kernel, &stat->threads, &start, &pages) != 8)
        return false;
    stat->major_faults = faults;
    stat->parent = parent;
    stat->start_ticks = start;
    stat->cpu_ticks = user + kernel;
    stat->resident_bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return true;
}

bool cs_proc_run_delay(const char *proc, pid_t pid, uint64_t *ns)
{
    char path[PATH_MAX], text[128];
    snprintf(path, sizeof path, "%s/%d/task", proc, (int)pid);
    DIR *threads = opendir(path);
    bool known = false;
    *ns = 0;
    for (struct dirent *thread; threads && (thread = readdir(threads));) {
        unsigned long long delay, times;
        if (thread->d_name[0] == '.' || (size_t)snprintf(path, sizeof path, "%s/%d/task/%s/schedstat", proc, (int)pid,
                                                         thread->d_name) >= sizeof path)
            continue;
        text[read_file(path, text, sizeof text - 1)] = 0;
        if (sscanf(text, "%*s %llu %llu", &delay, &times) == 2 && times) {
            *ns += delay;
            known = true;
        }
    }
    if (threads)
        closedir(threads);
    return known;
}

struct cs_proc_place cs_proc_place(const char *proc)
{
    struct cs_proc_place place = {0};
    char text[64], path[PATH_MAX];
    unsigned first, second, third;
    struct stat about;
    cs_proc_line(proc, "sys/kernel/random/boot_id", text, sizeof text);
    if (sscanf(text, "%8x-%4x-%4x-", &first, &second, &third) == 3)
        place.boot = (uint64_t)first << 32 | second << 16 | third;
    if ((size_t)snprintf(path, sizeof path, "%s/self/ns/pid", proc) < sizeof path && stat(path, &about) == 0)
        place.pid_namespace = about.st_ino;
    return place;
}

bool cs_proc_is_ours(const char *proc)
{
    char path[PATH_MAX], number[16], own[16];
    if ((size_t)snprintf(path, sizeof path, "%s/self", proc) >= sizeof path)
        return false;
    ssize_t length = readlink(path, number, sizeof number - 1);
    number[length > 0 ? length : 0] = 0;
    snprintf(own, sizeof own, "%d", (int)getpid());
    return strcmp(number, own) == 0;
}

size_t cs_proc_arguments(const char *proc, pid_t pid, char *buffer, size_t size)
{
    char path[PATH_MAX];
    if (size == 0 || (size_t)snprintf(path, sizeof path, "%s/%d/cmdline", proc, (int)pid) >= sizeof path)
        return 0;
    size_t used = read_file(path, buffer, size - 1);
    if (used > 0 && buffer[used - 1] != 0)
        buffer[used++] = 0;
    return used;
}

const char *cs_proc_next_argument(const char *buffer, size_t used, const char *at)
{
    const char *next = at ? at + strlen(at) + 1 : buffer;
    return next < buffer + used ? next : NULL;
}

bool cs_proc_executable(const char *proc, pid_t pid, char *path, size_t size)
{
    char link[PATH_MAX];
    if (size == 0 || (size_t)snprintf(link, sizeof link, "%s/%d/exe", proc, (int)pid) >= sizeof link)
        return false;
    ssize_t length = readlink(link, path, size - 1);
    if (length <= 0)
        return false;
    path[length] = 0;
    return true;
}

void cs_proc_line(const char *proc, const char *name, char *line, size_t size)
{
    char path[PATH_MAX];
    size_t used = 0;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", proc, name) < sizeof path)
        used = read_file(path, line, size - 1);
    line[used] = 0;
    line[strcspn(line, "\n")] = 0;
}

/* ---- scripts ---- */

/* Programs that run a script or module from their arguments. */
static bool is_interpreter(const char *name)
{
    static const char *const interpreters[] = {"python", "pypy",   "perl",     "ruby",  "julia",  "Rscript",
                                               "lua",    "octave", "ld-linux", "ld.so", "ld64.so"};
    return cs_begins_with_one_of(name, interpreters, sizeof interpreters / sizeof *interpreters);
}

const char *cs_proc_script(const char *name, const char *arguments, size_t used)
{
    const char *at = is_interpreter(name) ? cs_proc_next_argument(arguments, used, NULL) : NULL;
    while (at && (at = cs_proc_next_argument(arguments, used, at))) {
        if (strcmp(at, "-m") == 0)
            return cs_proc_next_argument(arguments, used, at);
        if (at[0] != '-')
            return cs_path_name(at);
        if (at[1] == 0 || (strchr("ceELWX", at[1]) && at[2] == 0))
            return NULL;
    }
    return NULL;
}
