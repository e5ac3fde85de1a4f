/* The libraries that the dynamic linker would load for a program, and the program's symbols: enough to choose the
   library to preload, and to explain why preloading would not work. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_elf {
    bool is_elf;           /* false: a script or something else */
    bool is_dynamic;       /* false: the dynamic linker never sees it, so nothing can be preloaded */
    uint16_t machine;      /* EM_X86_64, ... */
    bool is_64;            /* a 64-bit file */
    char interpreter[256]; /* the dynamic linker that it requests; empty: none, or a longer path */
    char needed[64][64];   /* DT_NEEDED; names that do not fit are left out */
    unsigned needed_count;
    char run_path[4096]; /* DT_RUNPATH, else DT_RPATH; empty: none, or a longer path */
};

/* Reads an ELF file. For a file that is unreadable, damaged or no ELF file, the fields have what was found until
   then. */
void cs_elf_read(const char *path, struct cs_elf *elf);

/* True if the file needs the shared runtime of AddressSanitizer (gcc's, or clang's with -shared-libasan), which ends
   the program if another library is preloaded, unless ASAN_OPTIONS has CS_ASAN_ANY_ORDER. */
bool cs_elf_checks_order(const char *path);
#define CS_ASAN_ANY_ORDER "verify_asan_link_order=0"

/* True if the file contains this text with its NUL; works for stripped files too. */
bool cs_elf_contains(const char *path, const char *text);

/* A function in a symbol table. */
struct cs_elf_symbol {
    const char *name; /* without a version */
    bool is_defined;  /* false: another file defines it */
    bool is_weak;
    bool is_dynamic; /* visible to the dynamic linker; false: only in the table for debuggers */
};

/* Calls visit() for functions and undefined symbols in all symbol tables; a symbol may come twice. Stops early in a
   damaged file. */
void cs_elf_symbols(const char *path, void (*visit)(void *context, const struct cs_elf_symbol *symbol), void *context);

/* Copies the initial bytes of a variable that the file exports, with a NUL added. NULL: no such variable, no bytes
   in the file, or no memory. The caller frees it. */
char *cs_elf_variable(const char *path, const char *name, size_t *bytes);
