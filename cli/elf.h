/* What the dynamic linker would load for a program: enough to choose the library to preload. */
#pragma once

#include <stdbool.h>

struct cs_elf {
    bool is_elf;         /* false: a script or something else */
    bool is_dynamic;     /* false: the dynamic linker never sees it, so nothing can be preloaded */
    char needed[64][64]; /* DT_NEEDED; those that do not fit are left out */
    unsigned needed_count;
};

/* Reads the file. A file that cannot be read, is no ELF file or is damaged leaves what was found until then. */
void cs_elf_read(const char *path, struct cs_elf *elf);
