#include "record/private_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "record/recorder.h"

void *cs_private_library_open(const char *library, const char *function)
{
    Dl_info self;
    if (!dladdr((void *)&cs_recorder, &self))
        return NULL;
    char path[PATH_MAX];
    const char *slash = strrchr(self.dli_fname, '/');
    int folder = slash ? (int)(slash + 1 - self.dli_fname) : 0;
    if ((size_t)snprintf(path, sizeof path, "%.*s%s", folder, self.dli_fname, library) >= sizeof path)
        return NULL;
    int how = RTLD_NOW | RTLD_LOCAL;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    how |= RTLD_DEEPBIND; /* its SQLite, and not one that the program brought */
#endif
    void *handle = dlopen(path, how);
    return handle ? dlsym(handle, function) : NULL;
}
