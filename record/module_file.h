/* The files that loaded modules, the program and its libraries, come from. */
#pragma once

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct cs_module_about {
    char path[4096];
    char build_id[129]; /* in hex; "": it has none */
    uint64_t base;      /* address in memory - address in the file's own numbering */
};

/* The module that is loaded there now. False: none is. Slow. */
bool cs_module_describe(uint64_t address, struct cs_module_about *about);

/* The path of a loaded module's file; `program` has it if it is the program itself, which is loaded without a name. */
const char *cs_module_path(const struct dl_phdr_info *info, char program[PATH_MAX]);

/* The GNU build id in hex, from a segment of notes; "" without one. */
void cs_module_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) * notes, char *text, size_t size);
