/* Writes journals and naming rules to begin fuzzing with: seeds FOLDER. */
#include <stdio.h>

#include "tests/support/journal_builder.h"

static const char rules[] =
    "# a comment\n"
    "kind=communicator library=libgrid* function=MPI_Comm_split caller=*make* at=grid.cc:42 parent=r*s -> \"{n} "
    "{color}\"\n"
    "kind=[cw]* at=*:* -> \"a \\\"b\\\" {{{parent}}} {key} {rank} {first} {function} {caller} {library}\" # more\n"
    "-> {n}\n"
    "kind=x -> {y} \"\n";

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    char path[4096];
    struct cs_built sample = cs_built_sample();
    snprintf(path, sizeof path, "%s/sample", argv[1]);
    cs_built_save(&sample, path, sample.bytes);
    snprintf(path, sizeof path, "%s/cut", argv[1]);
    cs_built_save(&sample, path, sample.bytes / 2 + 100);
    cs_built_end(&sample);
    snprintf(path, sizeof path, "%s/rules", argv[1]);
    FILE *file = fopen(path, "w");
    if (!file || fputs(rules, file) < 0 || fclose(file) != 0)
        return 1;
    struct cs_built empty = cs_built_begin();
    snprintf(path, sizeof path, "%s/empty", argv[1]);
    cs_built_save(&empty, path, empty.bytes);
    cs_built_end(&empty);
    return 0;
}
