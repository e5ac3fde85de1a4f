#include "cli/passed_on.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/elf.h"

char *cs_passed_on(const char *library)
{
    size_t bytes = 0;
    char *names = cs_elf_variable(library, "callsign_passed_on", &bytes);
    if (!names || !*names) {
        free(names);
        return NULL;
    }
    char *text = malloc(2 * bytes + 1), *end = text;
    for (const char *name = names; text && name < names + bytes && *name; name += strlen(name) + 1)
        end += sprintf(end, "%s%s", end > text ? ", " : "", name);
    free(names);
    return text;
}
