#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/sql_functions.h"
#include "cli/frames.h"
#include "cli/progress.h"

int cs_command_help(const char *text)
{
    fputs(text, stdout);
    return CS_EXIT_OK;
}

int cs_command_usage(const char *command)
{
    fprintf(stderr, "callsign: see callsign %s --help\n", command);
    return CS_EXIT_USAGE;
}

bool cs_command_rows(const char *command, const char *text, size_t *rows)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end) {
        cs_log("%s: --rows %s: not a number of rows", command, text);
        return false;
    }
    *rows = value;
    return true;
}

struct cs_run *cs_command_open(const char *path, bool patient)
{
    struct cs_progress progress;
    cs_progress_begin(&progress, "reading ranks");
    struct cs_frames *frames = cs_frames_new(); /* NULL: nothing is looked up */
    struct cs_run_options options = {.progress = cs_progress_step,
                                     .progress_context = &progress,
                                     .look_over = cs_frames_resolve,
                                     .look_over_context = frames,
                                     .patient = patient};
    struct cs_run *run = NULL;
    enum cs_status status = cs_run_open(path, &options, &run);
    cs_progress_end(&progress);
    cs_frames_free(frames);
    if (status != CS_OK)
        return NULL;
    if (cs_sql_functions_add(run) != CS_OK) {
        cs_log("out of memory");
        cs_run_close(run);
        return NULL;
    }
    return run;
}

int cs_command_close_output(FILE *stream, const char *name)
{
    bool failed = ferror(stream);
    if (stream == stdout)
        failed = fflush(stream) != 0 || failed;
    else
        failed = fclose(stream) != 0 || failed;
    if (!failed)
        return CS_EXIT_OK;
    cs_log("cannot write %s: %s", name ? name : "the output", strerror(errno ? errno : EIO));
    return CS_EXIT_TROUBLE;
}
