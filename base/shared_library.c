#include "base/shared_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/words.h"

/* ---- library kind ---- */

/* The first matching prefix of the file name decides. Versions do not matter: an MPI without a flavour of callsign
   is an MPI, too. */
static const struct {
    const char *prefix;
    enum cs_library_kind kind;
} names[] = {
    {"libcallsign", CS_LIBRARY_CALLSIGN},
    {"libmpi_cxx", CS_LIBRARY_MPI_BINDING},
    {"libmpichcxx", CS_LIBRARY_MPI_BINDING},
    {"libmpicxx", CS_LIBRARY_MPI_BINDING},
    {"libmpi_java", CS_LIBRARY_MPI_BINDING},
    {"libmpichfort", CS_LIBRARY_MPI_FORTRAN},
    {"libmpifort", CS_LIBRARY_MPI_FORTRAN},
    {"libmpi_mpifh", CS_LIBRARY_MPI_FORTRAN},
    {"libmpi_usempi", CS_LIBRARY_MPI_FORTRAN},
    {"libmpi.so", CS_LIBRARY_MPI},
    {"libmpich.so", CS_LIBRARY_MPI},
    {"libmpi_abi.so", CS_LIBRARY_MPI},
    {"libmpitrampoline", CS_LIBRARY_MPI_TRANSLATOR},
    {"libmpiwrapper", CS_LIBRARY_MPI_INSIDE}, /* MPItrampoline's plugin */
    {"libmpichf90", CS_LIBRARY_MPI_FORTRAN},
    {"libmpigf", CS_LIBRARY_MPI_FORTRAN},
    {"libmpich", CS_LIBRARY_MPI_INSIDE},
    {"libpmpi", CS_LIBRARY_MPI_INSIDE},
    {"mca_", CS_LIBRARY_MPI_INSIDE},
    {"libopen_mpi", CS_LIBRARY_MPI_INSIDE}, /* Open MPI 6: shared by its libraries for C and for the standard ABI */
    {"libopen-rte", CS_LIBRARY_MPI_RUNTIME},
    {"libopen-pal", CS_LIBRARY_MPI_RUNTIME},
    {"libopal", CS_LIBRARY_MPI_RUNTIME},
    {"libprrte", CS_LIBRARY_MPI_RUNTIME},
    {"libpmix", CS_LIBRARY_MPI_RUNTIME}, /* the only one that the launcher of Open MPI 6 needs */
    {"libc.so", CS_LIBRARY_C},
    {"libc-", CS_LIBRARY_C},
    {"libpthread", CS_LIBRARY_C},
    {"ld-", CS_LIBRARY_C},
    {"ld64.so", CS_LIBRARY_C}, /* ppc64le */
};

static const char *one_more_mpi;

void cs_library_is_mpi(const char *soname)
{
    one_more_mpi = *soname ? soname : NULL;
}

enum cs_library_kind cs_library_kind_of(const char *path)
{
    const char *name = cs_path_name(path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i].prefix, strlen(names[i].prefix)) == 0)
            return names[i].kind;
    return one_more_mpi && strncmp(name, one_more_mpi, strlen(one_more_mpi)) == 0 ? CS_LIBRARY_MPI : CS_LIBRARY_OTHER;
}

bool cs_library_is_sanitizer(const char *path)
{
    static const char *const runtimes[] = {"libasan.", "libtsan.",   "libubsan.",
                                           "liblsan.", "libhwasan.", "libclang_rt."};
    const char *name = cs_path_name(path);
    return cs_begins_with_one_of(name, runtimes, sizeof runtimes / sizeof *runtimes);
}

/* ---- loaded ---- */

#if defined(__x86_64__)
enum { TYPE_CALL = R_X86_64_JUMP_SLOT, TYPE_ADDRESS = R_X86_64_GLOB_DAT, TYPE_DATA = R_X86_64_64 };
#elif defined(__aarch64__)
enum { TYPE_CALL = R_AARCH64_JUMP_SLOT, TYPE_ADDRESS = R_AARCH64_GLOB_DAT, TYPE_DATA = R_AARCH64_ABS64 };
#elif defined(__riscv) && __riscv_xlen == 64
enum { TYPE_CALL = R_RISCV_JUMP_SLOT, TYPE_ADDRESS = R_RISCV_64, TYPE_DATA = R_RISCV_64 };
#elif defined(__powerpc64__) && _CALL_ELF == 2
enum { TYPE_CALL = R_PPC64_JMP_SLOT, TYPE_ADDRESS = R_PPC64_GLOB_DAT, TYPE_DATA = R_PPC64_ADDR64 };
#else
#error "which relocations have a symbol's address?"
#endif

/* glibc writes relocated addresses into the table, unless the table is read-only (the vDSO). */
static const void *address_of(const struct cs_loaded *loaded, const ElfW(Dyn) * entry)
{
    uintptr_t value = entry->d_un.d_ptr;
    return (const void *)(value < loaded->low ? value + loaded->base : value);
}

static const ElfW(Dyn) * find_dynamic(const struct cs_loaded *loaded, ElfW(Sxword) tag)
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
        } else if (header->p_type == PT_GNU_RELRO) {
            loaded.sealed_low = begin;
            loaded.sealed_high = begin + header->p_memsz;
        }
    }
    const ElfW(Dyn) *strings = find_dynamic(&loaded, DT_STRTAB);
    if (strings)
        loaded.strings = address_of(&loaded, strings);
    return loaded;
}

const char *cs_loaded_text(const struct cs_loaded *loaded, ElfW(Sxword) tag)
{
    const ElfW(Dyn) *entry = loaded->strings ? find_dynamic(loaded, tag) : NULL;
    return entry ? loaded->strings + entry->d_un.d_val : NULL;
}

bool cs_loaded_needed(const struct cs_loaded *loaded, bool (*visit)(void *context, const char *soname), void *context)
{
    for (const ElfW(Dyn) *entry = loaded->dynamic; loaded->strings && entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && visit(context, loaded->strings + entry->d_un.d_val))
            return true;
    return false;
}

static void visit_symbols(const struct cs_loaded *loaded, bool own,
                          void (*visit)(void *context, const struct cs_import *import), void *context)
{
    static const ElfW(Sxword) tables[][2] = {{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}};
    const ElfW(Dyn) *symtab = find_dynamic(loaded, DT_SYMTAB);
    if (!symtab || !loaded->strings)
        return;
    const ElfW(Sym) *symbols = address_of(loaded, symtab);
    const ElfW(Dyn) *relative = find_dynamic(loaded, DT_RELACOUNT); /* so many at the begin have no symbol */
    size_t first = relative ? relative->d_un.d_val : 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++, first = 0) {
        const ElfW(Dyn) *table = find_dynamic(loaded, tables[i][0]), *bytes = find_dynamic(loaded, tables[i][1]);
        const ElfW(Rela) *relocations = table ? address_of(loaded, table) : NULL;
        const size_t count = table && bytes ? bytes->d_un.d_val / sizeof *relocations : 0;
        for (size_t k = first; k < count; k++) {
            const ElfW(Rela) *relocation = &relocations[k];
            uint64_t type = ELF64_R_TYPE(relocation->r_info), number = ELF64_R_SYM(relocation->r_info);
            const ElfW(Sym) *symbol = &symbols[number];
            if (number == 0 || (symbol->st_shndx != SHN_UNDEF && !own) || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL)
                continue;
            bool has_slot = type == TYPE_CALL || type == TYPE_ADDRESS;
            uintptr_t place = loaded->base + relocation->r_offset;
            const struct cs_import import = {
                .name = loaded->strings + symbol->st_name,
                .weak = ELF64_ST_BIND(symbol->st_info) == STB_WEAK,
                .is_call = type == TYPE_CALL,
                .slot = has_slot ? (void *const *)place : NULL,
                .word = has_slot || type == TYPE_DATA ? (uintptr_t *)place : NULL,
                .addend = type == TYPE_DATA ? (uintptr_t)relocation->r_addend : 0,
            };
            visit(context, &import);
        }
    }
}

void cs_loaded_imports(const struct cs_loaded *loaded, void (*visit)(void *context, const struct cs_import *import),
                       void *context)
{
    visit_symbols(loaded, false, visit, context);
}

void cs_loaded_references(const struct cs_loaded *loaded, void (*visit)(void *context, const struct cs_import *import),
                          void *context)
{
    visit_symbols(loaded, true, visit, context);
}

static uint32_t gnu_hash(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

void *cs_loaded_function(const struct cs_loaded *loaded, const char *name)
{
    const ElfW(Dyn) *table = find_dynamic(loaded, DT_GNU_HASH), *symtab = find_dynamic(loaded, DT_SYMTAB);
    if (!table || !symtab || !loaded->strings)
        return NULL;
    /* Four words, the filter's 64-bit words, the buckets, and a word for each symbol from the first hashed one. */
    const uint32_t *head = address_of(loaded, table);
    uint32_t buckets = head[0], first = head[1], filter_words = head[2], hash = gnu_hash(name);
    const uint32_t *bucket = head + 4 + 2 * filter_words, *chain = bucket + buckets;
    const ElfW(Sym) *symbols = address_of(loaded, symtab);
    uint32_t i = buckets ? bucket[hash % buckets] : 0;
    if (i < first)
        return NULL;
    for (;; i++) {
        const ElfW(Sym) *symbol = &symbols[i];
        if ((chain[i - first] | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
            ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && strcmp(loaded->strings + symbol->st_name, name) == 0)
            return (void *)(loaded->base + symbol->st_value);
        if (chain[i - first] & 1)
            return NULL;
    }
}

/* ---- own folder ---- */

/* The file that an address is mapped from, as the kernel has it: always absolute. */
static bool mapped_file(const void *address, char path[PATH_MAX])
{
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return false;
    char line[PATH_MAX + 128];
    unsigned long low, high, at = (unsigned long)address;
    int begin = 0;
    bool found = false;
    while (!found && fgets(line, sizeof line, maps))
        found = sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &low, &high, &begin) == 2 && at >= low && at < high;
    fclose(maps);
    line[strcspn(line, "\n")] = 0;
    return found && line[begin] == '/' && snprintf(path, PATH_MAX, "%s", line + begin) < PATH_MAX;
}

bool cs_library_find_own_folder(char folder[PATH_MAX])
{
    Dl_info info;
    const void *self = (const void *)cs_library_find_own_folder;
    if (!dladdr(self, &info) || !info.dli_fname)
        return false;
    /* A relative name (LD_PRELOAD=./libcallsign.so) refers to a folder that the program may have left. */
    bool known = info.dli_fname[0] == '/' ? snprintf(folder, PATH_MAX, "%s", info.dli_fname) < PATH_MAX
                                          : mapped_file(self, folder);
    if (known)
        cs_path_to_folder(folder);
    return known;
}

/* ---- tools ---- */

bool cs_is_mpi_name(const char *name)
{
    static const char *const prefixes[] = {"MPI_", "MPIX_", "mpi_", "mpix_"};
    name += *name == 'P' || *name == 'p';
    if (*name != 'M' && *name != 'm') /* most of the thousands of names that are looked at */
        return false;
    return cs_begins_with_one_of(name, prefixes, sizeof prefixes / sizeof *prefixes);
}

static void note_mpi_name(void *context, const struct cs_import *import)
{
    bool *calls = context;
    *calls = *calls || cs_is_mpi_name(import->name);
}

bool cs_loaded_calls_mpi(const struct cs_loaded *loaded)
{
    bool calls = false;
    cs_loaded_imports(loaded, note_mpi_name, &calls);
    return calls;
}
