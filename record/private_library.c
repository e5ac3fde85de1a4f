#include "record/private_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>

#include "base/loaded.h"
#include "base/own_folder.h"

/* The first is the program. */
static int is_ours(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct cs_loaded program = cs_loaded_read(info);
    uintptr_t here = (uintptr_t)&is_ours;
    *(bool *)context = here >= program.low && here < program.high;
    return 1;
}

bool cs_private_library_none(void)
{
    bool inside = false;
    dl_iterate_phdr(is_ours, &inside);
    return inside;
}

void *cs_private_library_open(const char *library, const char *function)
{
    char folder[PATH_MAX], path[PATH_MAX];
    if (cs_private_library_none() || !cs_own_folder(folder) ||
        (size_t)snprintf(path, sizeof path, "%s/%s", folder, library) >= sizeof path)
        return NULL;
    int how = RTLD_NOW | RTLD_LOCAL;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    how |= RTLD_DEEPBIND; /* its SQLite, and not one that the program brought */
#endif
    void *handle = dlopen(path, how);
    return handle ? dlsym(handle, function) : NULL;
}
