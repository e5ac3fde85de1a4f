/* What the dynamic linker would load for a program, and what its symbols are: enough to choose the library to preload,
   and to say why one would be of no use. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_elf {
    bool is_elf;           /* false: a script or something else */
    bool is_dynamic;       /* false: the dynamic linker never sees it, so nothing can be preloaded */
    uint16_t machine;      /* EM_X86_64, ... */
    bool is_64;            /* of 64 bits */
    char interpreter[256]; /* the dynamic linker that it asks for; empty: none, or a longer one */
    char needed[64][64];   /* DT_NEEDED; those that do not fit are left out */
    unsigned needed_count;
    char run_path[4096]; /* DT_RUNPATH, else DT_RPATH; empty: none, or a longer one */
};

/* Reads the file. A file that cannot be read, is no ELF file or is damaged leaves what was found until then. */
void cs_elf_read(const char *path, struct cs_elf *elf);

/* Whether its bytes hold this text, with its end: also where symbols were stripped. */
bool cs_elf_contains(const char *path, const char *text);

/* A function's entry in the symbol table of a file. */
struct cs_elf_symbol {
    const char *name; /* without a version */
    bool is_defined;  /* false: taken from elsewhere */
    bool is_weak;
    bool is_dynamic; /* the dynamic linker sees it; false: in the table for debuggers alone */
};

/* Calls visit() for the functions, and whatever is taken from elsewhere, of all symbol tables of the file; one may come
   twice. A damaged file ends it early. */
void cs_elf_symbols(const char *path, void (*visit)(void *context, const struct cs_elf_symbol *symbol), void *context);

/* Copies the bytes of a variable that the file exports, as they are before anything runs, with one more that is 0.
   NULL: there is no such variable, it has no bytes in the file, or there is no memory. The caller frees it. */
char *cs_elf_variable(const char *path, const char *name, size_t *bytes);
