/* Part of libcallsign-resolve.so, the resolver inside the recorded program. elfutils would open libdebuginfod, which
   brings a network client with threads and settings into the process. Within this library and elfutils, this dlopen
   replaces the C library's (record/site/private_library.c) and loads nothing that is not loaded yet. */
#include <dlfcn.h>
#include <stddef.h>

__attribute__((visibility("default"))) void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int);
    if (!(mode & RTLD_NOLOAD))
        return NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next ? next(file, mode) : NULL;
}
