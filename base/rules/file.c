#include "base/rules/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/launched.h"
#include "base/log.h"

enum { MISTAKES_LOGGED = 10 };

struct reporter {
    const char *path;
    bool quiet;
    size_t mistakes;
};

static void report(void *context, unsigned line, unsigned column, const char *what)
{
    struct reporter *reporter = context;
    if (reporter->mistakes++ < MISTAKES_LOGGED && !reporter->quiet)
        cs_log("%s:%u:%u: %s", reporter->path, line, column, what);
}

/* The file comes from the environment: it may be anything, and opening a pipe would wait for ever. Its size may change
   while it is read: one byte more is read than may be there. CS_INVALID: no such file. */
static enum cs_status read_file(const char *path, char **text, size_t *bytes)
{
    struct stat about;
    ssize_t got = 1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return CS_IO;
    enum cs_status status = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? CS_OK : CS_INVALID;
    *bytes = 0;
    *text = status == CS_OK ? malloc(CS_RULES_BYTES_MAX + 1) : NULL;
    if (status == CS_OK && !*text)
        status = CS_NO_MEMORY;
    while (status == CS_OK && got > 0 && *bytes <= CS_RULES_BYTES_MAX) {
        got = read(fd, *text + *bytes, CS_RULES_BYTES_MAX + 1 - *bytes);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            status = CS_IO;
        else
            *bytes += (size_t)got;
    }
    if (status == CS_OK && *bytes > CS_RULES_BYTES_MAX)
        status = CS_INVALID;
    if (status != CS_OK)
        free(*text);
    int saved_errno = errno;
    close(fd);
    errno = saved_errno;
    return status;
}

enum cs_status cs_rules_load(const char *path, const struct cs_rules_options *options, bool quiet,
                             struct cs_rules **rules, size_t *mistakes)
{
    char *text = NULL;
    size_t bytes;
    struct reporter reporter = {.path = path, .quiet = quiet};
    struct cs_rules_options reporting = *options;
    reporting.complain = report;
    reporting.context = &reporter;
    enum cs_status status = read_file(path, &text, &bytes);
    const char *why = status == CS_IO        ? strerror(errno)
                      : status == CS_INVALID ? "not a file of at most 1 MiB"
                                             : cs_status_text(CS_NO_MEMORY);
    if (status == CS_OK) {
        status = cs_rules_parse(text, bytes, &reporting, rules);
        free(text);
    }
    if (status != CS_OK && quiet && cs_launched_local_rank() > 0)
        ; /* the first process of each node says it: a file may be missing on one of them */
    else if (status != CS_OK)
        cs_log("cannot read the naming rules %s: %s", path, why);
    else if (reporter.mistakes > MISTAKES_LOGGED && !quiet)
        cs_log("%s: %zu more lines with mistakes", path, reporter.mistakes - MISTAKES_LOGGED);
    *mistakes = reporter.mistakes;
    return status;
}
