#include "preload/map.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* One loaded object as dl_iterate_phdr shows it. */
struct object {
    uintptr_t low, high;
    const ElfW(Dyn) * dynamic;
    const char *strings;
};

/* glibc writes loaded addresses into the table, except where the table is read-only (the vDSO). */
static uintptr_t address_in(const struct object *object, uintptr_t base, uintptr_t value)
{
    return value < object->low ? value + base : value;
}

static struct object read_object(const struct dl_phdr_info *info)
{
    struct object object = {.low = UINTPTR_MAX};
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD) {
            if (begin < object.low)
                object.low = begin;
            if (begin + header->p_memsz > object.high)
                object.high = begin + header->p_memsz;
        } else if (header->p_type == PT_DYNAMIC) {
            object.dynamic = (const ElfW(Dyn) *)begin;
        }
    }
    for (const ElfW(Dyn) *entry = object.dynamic; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_STRTAB)
            object.strings = (const char *)address_in(&object, info->dlpi_addr, entry->d_un.d_ptr);
    return object;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *soname_of(const struct object *object, const char *path)
{
    if (object->strings)
        for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_SONAME)
                return object->strings + entry->d_un.d_val;
    return last_part(path);
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const struct cs_known_mpi *known_mpi(const char *soname)
{
    for (size_t i = 0; i < cs_known_mpis_count; i++)
        if (strcmp(soname, cs_known_mpis[i].soname) == 0)
            return &cs_known_mpis[i];
    return NULL;
}

/* Versions that no build of callsign is for are MPI all the same. libmpi_cxx.so, libmpichfort.so etc. are not meant. */
static bool looks_like_mpi(const char *soname)
{
    return begins_with(soname, "libmpi.so") || begins_with(soname, "libmpich.so") ||
           begins_with(soname, "libmpi_abi.so");
}

static int visit(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct cs_map *map = argument;
    const char *path = info->dlpi_name ? info->dlpi_name : "";
    struct object object = read_object(info);
    struct cs_mapped mapped = {.low = object.low, .high = object.high, .path = path};
    mapped.soname = soname_of(&object, path);
    mapped.mpi = known_mpi(mapped.soname);
    if (mapped.mpi || looks_like_mpi(mapped.soname)) {
        if (map->mpi_count < CS_MAP_MOST)
            map->mpi[map->mpi_count++] = mapped;
    } else if (begins_with(mapped.soname, "libcallsign.so") || begins_with(mapped.soname, "libcallsign-")) {
        uintptr_t self = (uintptr_t)&cs_map_scan;
        if (map->ours_count == 0)
            map->behind = self < mapped.low || self >= mapped.high;
        if (map->ours_count < CS_MAP_MOST)
            map->ours[map->ours_count++] = mapped;
    }
    return 0;
}

void cs_map_scan(struct cs_map *map)
{
    memset(map, 0, sizeof *map);
    dl_iterate_phdr(visit, map);
}

static const struct cs_mapped *find(const struct cs_mapped list[], size_t count, const void *address)
{
    uintptr_t at = (uintptr_t)address;
    for (size_t i = 0; i < count; i++)
        if (at >= list[i].low && at < list[i].high)
            return &list[i];
    return NULL;
}

const struct cs_mapped *cs_map_mpi_at(const struct cs_map *map, const void *address)
{
    return find(map->mpi, map->mpi_count, address);
}

const struct cs_mapped *cs_map_ours_at(const struct cs_map *map, const void *address)
{
    return find(map->ours, map->ours_count, address);
}

struct need {
    uintptr_t caller;
    const char *soname;
};

static int visit_need(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    const struct need *need = argument;
    struct object object = read_object(info);
    if (need->caller < object.low || need->caller >= object.high || !object.strings)
        return 0;
    for (const ElfW(Dyn) *entry = object.dynamic; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && strcmp(object.strings + entry->d_un.d_val, need->soname) == 0)
            return 1;
    return 0;
}

bool cs_map_needs(const void *caller, const char *soname)
{
    struct need need = {.caller = (uintptr_t)caller, .soname = soname};
    return dl_iterate_phdr(visit_need, &need) != 0;
}

struct use {
    bool (*use)(const char *path, void *argument);
    void *argument;
};

static int visit_fortran(struct dl_phdr_info *info, size_t size, void *argument)
{
    static const char *const names[] = {"libmpi_mpifh", "libmpi_usempi", "libmpichfort", "libmpifort"};
    (void)size;
    const struct use *use = argument;
    const char *path = info->dlpi_name ? info->dlpi_name : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins_with(last_part(path), names[i]))
            return use->use(path, use->argument);
    return 0;
}

void cs_map_fortran(bool (*use)(const char *path, void *argument), void *argument)
{
    struct use all = {use, argument};
    dl_iterate_phdr(visit_fortran, &all);
}

/* ---- references ---- */

struct search {
    const char *name;
    uintptr_t caller;
    enum cs_reference in_caller, in_any;
};

struct relocations {
    const ElfW(Rela) * table;
    size_t bytes;
};

static enum cs_reference stronger(enum cs_reference a, enum cs_reference b)
{
    return a > b ? a : b;
}

/* How the symbols that these relocations ask for refer to the name. */
static enum cs_reference reference_in(const struct relocations *relocations, const ElfW(Sym) * symbols,
                                      const char *strings, const char *name)
{
    enum cs_reference found = CS_REFERENCE_NONE;
    for (size_t i = 0; relocations->table && i < relocations->bytes / sizeof *relocations->table; i++) {
        const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(relocations->table[i].r_info)];
        if (symbol->st_shndx == SHN_UNDEF && strcmp(strings + symbol->st_name, name) == 0)
            found =
                stronger(found, ELF64_ST_BIND(symbol->st_info) == STB_WEAK ? CS_REFERENCE_WEAK : CS_REFERENCE_STRONG);
    }
    return found;
}

static enum cs_reference reference_of(const struct object *object, uintptr_t base, const char *name)
{
    struct relocations data = {0}, calls = {0};
    const ElfW(Sym) *symbols = NULL;
    for (const ElfW(Dyn) *entry = object->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        const void *address = (const void *)address_in(object, base, entry->d_un.d_ptr);
        switch (entry->d_tag) {
        case DT_SYMTAB:
            symbols = address;
            break;
        case DT_RELA:
            data.table = address;
            break;
        case DT_RELASZ:
            data.bytes = entry->d_un.d_val;
            break;
        case DT_JMPREL:
            calls.table = address;
            break;
        case DT_PLTRELSZ:
            calls.bytes = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
    if (!symbols || !object->strings)
        return CS_REFERENCE_NONE;
    return stronger(reference_in(&data, symbols, object->strings, name),
                    reference_in(&calls, symbols, object->strings, name));
}

static int visit_reference(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct search *search = argument;
    struct object object = read_object(info);
    enum cs_reference here = reference_of(&object, info->dlpi_addr, search->name);
    if (search->caller >= object.low && search->caller < object.high)
        search->in_caller = here;
    search->in_any = stronger(search->in_any, here);
    return 0;
}

enum cs_reference cs_map_reference(const void *caller, const char *name)
{
    struct search search = {.name = name, .caller = (uintptr_t)caller};
    dl_iterate_phdr(visit_reference, &search);
    return search.in_caller ? search.in_caller : search.in_any;
}
