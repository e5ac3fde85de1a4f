#include "record/private_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>

#include "base/own_folder.h"

void *cs_private_library_open(const char *library, const char *function)
{
    char folder[PATH_MAX], path[PATH_MAX];
    if (!cs_own_folder(folder) || (size_t)snprintf(path, sizeof path, "%s/%s", folder, library) >= sizeof path)
        return NULL;
    int how = RTLD_NOW | RTLD_LOCAL;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    how |= RTLD_DEEPBIND; /* its SQLite, and not one that the program brought */
#endif
    void *handle = dlopen(path, how);
    return handle ? dlsym(handle, function) : NULL;
}
