#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define WAIT_NS   1000000000u /* shorter work needs no bar */
#define REDRAW_NS 100000000u
#define BAR       30

void cs_progress_begin(struct cs_progress *progress, const char *what)
{
    *progress =
        (struct cs_progress){.what = what, .begun_ns = cs_clock_monotonic_ns(), .wanted = isatty(STDERR_FILENO)};
}

void cs_progress_step(void *context, uint64_t done, uint64_t total)
{
    struct cs_progress *progress = context;
    uint64_t now = cs_clock_monotonic_ns();
    if (!progress->wanted || total == 0 || now - progress->begun_ns < WAIT_NS || now - progress->drawn_ns < REDRAW_NS)
        return;
    size_t filled = (size_t)(BAR * (double)(done < total ? done : total) / (double)total);
    char bar[BAR + 1];
    memset(bar, '.', BAR);
    memset(bar, '#', filled);
    bar[BAR] = '\0';
    fprintf(stderr, "\r%s [%s] %" PRIu64 "/%" PRIu64, progress->what, bar, done, total);
    fflush(stderr);
    progress->drawn = true;
    progress->drawn_ns = now;
}

void cs_progress_end(struct cs_progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}
