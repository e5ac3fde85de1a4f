#include "tests/support/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/callsign-test-XXXXXX";
static int original = -1; /* stderr */
static int heard = -1;
static char text[4096];

int cs_scratch_enter(void **state)
{
    (void)state;
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

/* Calls act (if any) for every file and returns how many there are. */
static size_t each_file(int (*act)(const char *name))
{
    DIR *files = opendir(".");
    if (!files)
        return 0;
    size_t count = 0;
    for (const struct dirent *file; (file = readdir(files));) {
        if (file->d_name[0] == '.')
            continue;
        count++;
        if (act)
            act(file->d_name);
    }
    closedir(files);
    return count;
}

size_t cs_scratch_files(void)
{
    return each_file(NULL);
}

int cs_scratch_leave(void **state)
{
    (void)state;
    if (original >= 0)
        cs_scratch_heard();
    chmod(folder, 0700);
    each_file(unlink);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

void cs_scratch_listen(void)
{
    FILE *file = tmpfile();
    if (!file)
        abort();
    heard = dup(fileno(file));
    fclose(file);
    original = dup(STDERR_FILENO);
    dup2(heard, STDERR_FILENO);
}

const char *cs_scratch_heard(void)
{
    dup2(original, STDERR_FILENO);
    close(original);
    original = -1;
    ssize_t got = pread(heard, text, sizeof text - 1, 0);
    close(heard);
    text[got > 0 ? got : 0] = 0;
    return text;
}

uint64_t cs_scratch_start_of(pid_t pid)
{
    char path[64], line[1024] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    char *at = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    fclose(file);
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at, NULL, 10) : 0;
}
