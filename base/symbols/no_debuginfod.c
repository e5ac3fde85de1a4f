/* Part of libcallsign-resolve.so, for the resolver in the program under record.

   elfutils opens libdebuginfod, if there is one, which brings a client for the network with threads and settings of its
   own into the process. This function comes before the C library's for what is linked into the same library, and for
   nobody else: what is not loaded yet stays out. */
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
