#include "wrappers/fortran/symbol.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>

enum { NAME_MOST = 128 };

/* The Fortran libraries that the entry points were taken from. */
static const char *const sonames[] = {CS_FORTRAN_SONAMES};

void *cs_fortran_symbol_in_libraries(const char *name, int mode)
{
    void *found = NULL;
    for (size_t i = 0; i < sizeof sonames / sizeof *sonames && !found; i++) {
        void *library = dlopen(sonames[i], mode);
        if (!library)
            continue;
        found = dlsym(library, name);
        dlclose(library);
    }
    return found;
}

void *cs_fortran_symbol(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : cs_fortran_symbol_in_libraries(name, RTLD_LAZY | RTLD_NOLOAD);
}

void *cs_fortran_symbol_spelled(const char *name)
{
    static const char *const spellings[] = {"%s_", "%s", "%s__"};
    char text[NAME_MOST];
    void *found = NULL;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings && !found; i++) {
        snprintf(text, sizeof text, spellings[i], name);
        found = cs_fortran_symbol(text);
    }
    if (found)
        return found;
    snprintf(text, sizeof text, "%s", name);
    for (char *c = text; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return cs_fortran_symbol(text);
}
