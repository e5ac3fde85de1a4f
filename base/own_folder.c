#include "base/own_folder.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"

/* The file that this address was mapped from, as the kernel knows it: always absolute. */
static bool mapped_file(const void *address, char path[PATH_MAX])
{
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return false;
    char line[PATH_MAX + 128];
    unsigned long low, high, at = (unsigned long)address;
    int begin = 0;
    bool found = false;
    while (!found && fgets(line, sizeof line, maps))
        found = sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &low, &high, &begin) == 2 && at >= low && at < high;
    fclose(maps);
    line[strcspn(line, "\n")] = 0;
    return found && line[begin] == '/' && snprintf(path, PATH_MAX, "%s", line + begin) < PATH_MAX;
}

bool cs_own_folder(char folder[PATH_MAX])
{
    Dl_info info;
    const void *self = (const void *)cs_own_folder;
    if (!dladdr(self, &info) || !info.dli_fname)
        return false;
    /* A relative name (LD_PRELOAD=./libcallsign.so) is relative to a folder that the program may have left. */
    bool known = info.dli_fname[0] == '/' ? snprintf(folder, PATH_MAX, "%s", info.dli_fname) < PATH_MAX
                                          : mapped_file(self, folder);
    if (known)
        cs_path_to_folder(folder);
    return known;
}
