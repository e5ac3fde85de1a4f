/* The program and its libraries as dl_iterate_phdr shows them, and what they ask the dynamic linker for. Libc only, no
   allocation: the front library has it too. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_loaded {
    uintptr_t base, low, high; /* its memory: low <= address < high */
    const ElfW(Dyn) * dynamic;
    const char *strings; /* NULL: it has no dynamic section */
};

struct cs_loaded cs_loaded_read(const struct dl_phdr_info *info);

/* The value of the dynamic section's first entry of this kind (DT_SONAME, ...) as a text, or NULL. */
const char *cs_loaded_text(const struct cs_loaded *loaded, ElfW(Sxword) tag);

/* Calls visit() with the name of every library that it names as needed, until it says true. Whether it did. */
bool cs_loaded_needed(const struct cs_loaded *loaded, bool (*visit)(void *context, const char *soname), void *context);

/* A symbol that it takes from elsewhere. */
struct cs_import {
    const char *name;
    bool weak;         /* may be missing */
    bool is_call;      /* for calls alone (a slot of the procedure linkage table), not for its address */
    void *const *slot; /* where the address stands once it is known; NULL: somewhere in its data */
};

/* Calls visit() for every symbol of its relocations that it does not define itself; one may come several times. */
void cs_loaded_imports(const struct cs_loaded *loaded, void (*visit)(void *context, const struct cs_import *import),
                       void *context);
