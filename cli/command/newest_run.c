#include "cli/command/newest_run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "cli/text/text.h"

static bool is_run_folder(const char *name)
{
    static const char ending[] = ".callsign";
    size_t length = strlen(name);
    return length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

/* When the run began. Commands add files to the folder later, so its own time is only used if the first file of a
   launch, .run, is missing. Returns false if it is no folder. */
static bool find_begin(const char *run, struct timespec *begin)
{
    char path[NAME_MAX + sizeof "/.run"];
    struct stat about;
    if (stat(run, &about) != 0 || !S_ISDIR(about.st_mode))
        return false;
    snprintf(path, sizeof path, "%s/.run", run);
    *begin = about.st_mtim;
    if (stat(path, &about) == 0)
        *begin = about.st_mtim;
    return true;
}

static bool is_newer(const struct timespec *left, const char *left_name, const struct timespec *right,
                     const char *right_name)
{
    if (left->tv_sec != right->tv_sec)
        return left->tv_sec > right->tv_sec;
    if (left->tv_nsec != right->tv_nsec)
        return left->tv_nsec > right->tv_nsec;
    return strcmp(left_name, right_name) < 0;
}

bool cs_newest_runs_find(const char *command, struct cs_newest_runs *runs)
{
    struct timespec begin[2] = {{0}}, about;
    *runs = (struct cs_newest_runs){.count = 0};
    DIR *folder = opendir(".");
    if (!folder) {
        cs_log("%s: cannot read the current folder: %s", command, strerror(errno));
        return false;
    }
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (!is_run_folder(entry->d_name) || !find_begin(entry->d_name, &about))
            continue;
        size_t place = 0;
        while (place < runs->count && !is_newer(&about, entry->d_name, &begin[place], runs->name[place]))
            place++;
        if (place == 0) {
            memcpy(runs->name[1], runs->name[0], sizeof runs->name[0]);
            begin[1] = begin[0];
        }
        if (place < 2) {
            snprintf(runs->name[place], sizeof runs->name[place], "%s", entry->d_name);
            begin[place] = about;
            runs->count += runs->count < 2;
        }
    }
    closedir(folder);
    return true;
}

const char *cs_newest_run(const char *command, bool quiet)
{
    static struct cs_newest_runs runs;
    char word[CS_SHELL_WORD_BYTES];
    if (!cs_newest_runs_find(command, &runs))
        return NULL;
    if (!runs.count) {
        if (!quiet)
            cs_log("%s: no run (*.callsign) in the current folder; give one", command);
        return NULL;
    }
    if (!quiet)
        cs_log("no run was given: this is the newest one here, %s", cs_shell_word(runs.name[0], word));
    return runs.name[0];
}
