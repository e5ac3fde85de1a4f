#include "base/loaded.h"

#include <elf.h>

#if defined(__x86_64__)
enum { TYPE_CALL = R_X86_64_JUMP_SLOT, TYPE_ADDRESS = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { TYPE_CALL = R_AARCH64_JUMP_SLOT, TYPE_ADDRESS = R_AARCH64_GLOB_DAT };
#else
#error "which relocations have a symbol's address?"
#endif

/* glibc writes loaded addresses into the table, except where the table is read-only (the vDSO). */
static const void *address_of(const struct cs_loaded *loaded, const ElfW(Dyn) * entry)
{
    uintptr_t value = entry->d_un.d_ptr;
    return (const void *)(value < loaded->low ? value + loaded->base : value);
}

static const ElfW(Dyn) * find(const struct cs_loaded *loaded, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *entry = loaded->dynamic; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag)
            return entry;
    return NULL;
}

struct cs_loaded cs_loaded_read(const struct dl_phdr_info *info)
{
    struct cs_loaded loaded = {.base = info->dlpi_addr, .low = UINTPTR_MAX};
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD) {
            if (begin < loaded.low)
                loaded.low = begin;
            if (begin + header->p_memsz > loaded.high)
                loaded.high = begin + header->p_memsz;
        } else if (header->p_type == PT_DYNAMIC) {
            loaded.dynamic = (const ElfW(Dyn) *)begin;
        }
    }
    const ElfW(Dyn) *strings = find(&loaded, DT_STRTAB);
    if (strings)
        loaded.strings = address_of(&loaded, strings);
    return loaded;
}

const char *cs_loaded_text(const struct cs_loaded *loaded, ElfW(Sxword) tag)
{
    const ElfW(Dyn) *entry = loaded->strings ? find(loaded, tag) : NULL;
    return entry ? loaded->strings + entry->d_un.d_val : NULL;
}

bool cs_loaded_needed(const struct cs_loaded *loaded, bool (*visit)(void *context, const char *soname), void *context)
{
    for (const ElfW(Dyn) *entry = loaded->dynamic; loaded->strings && entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && visit(context, loaded->strings + entry->d_un.d_val))
            return true;
    return false;
}

void cs_loaded_imports(const struct cs_loaded *loaded, void (*visit)(void *context, const struct cs_import *import),
                       void *context)
{
    static const ElfW(Sxword) tables[][2] = {{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}};
    const ElfW(Dyn) *symtab = find(loaded, DT_SYMTAB);
    if (!symtab || !loaded->strings)
        return;
    const ElfW(Sym) *symbols = address_of(loaded, symtab);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const ElfW(Dyn) *table = find(loaded, tables[i][0]), *bytes = find(loaded, tables[i][1]);
        const ElfW(Rela) *relocation = table ? address_of(loaded, table) : NULL;
        size_t count = table && bytes ? bytes->d_un.d_val / sizeof *relocation : 0;
        for (; count > 0; count--, relocation++) {
            uint64_t type = ELF64_R_TYPE(relocation->r_info), number = ELF64_R_SYM(relocation->r_info);
            const ElfW(Sym) *symbol = &symbols[number];
            if (number == 0 || symbol->st_shndx != SHN_UNDEF)
                continue;
            bool has_slot = type == TYPE_CALL || type == TYPE_ADDRESS;
            const struct cs_import import = {
                .name = loaded->strings + symbol->st_name,
                .weak = ELF64_ST_BIND(symbol->st_info) == STB_WEAK,
                .is_call = type == TYPE_CALL,
                .slot = has_slot ? (void *const *)(loaded->base + relocation->r_offset) : NULL,
            };
            visit(context, &import);
        }
    }
}
