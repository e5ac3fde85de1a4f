#include "base/symbols/resolver.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/path.h"
#include "base/symbols/signature.h"
#include "base/symbols/variable.h"

/* A range of addresses of a compilation unit. */
struct range {
    Dwarf_Addr begin, end;
    Dwarf_Addr reach; /* the last end of all ranges up to this one: ranges of link-time optimization may overlap */
    Dwarf_Die unit;
    const char *file; /* its source, as the compiler was given it; "": unknown */
};

struct module {
    struct module *next;
    char *path;
    char *build_id;
    Dwfl *dwfl;            /* NULL: the file is missing or another build than the recorded one */
    Dwfl_Module *module;   /* the only one in dwfl */
    GElf_Addr bias;        /* address in dwfl minus address in the module */
    Dwarf_Addr dwarf_bias; /* address in dwfl minus address in the debug information */
    struct range *range;   /* sorted */
    struct range **named;  /* the same by names of files; NULL: no memory */
    size_t ranges, room;
};

struct cs_resolver {
    struct module *modules;
    cs_lost_lines_function *lost; /* NULL: no callback */
    enum cs_resolver_home home;
};

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

struct cs_resolver *cs_resolver_new(enum cs_resolver_home home)
{
    struct cs_resolver *resolver = calloc(1, sizeof *resolver);
    if (resolver)
        resolver->home = home;
    /* With this variable elfutils would query servers for the debug information of every module. */
    if (home == CS_RESOLVER_IN_COMMAND)
        unsetenv("DEBUGINFOD_URLS");
    return resolver;
}

void cs_resolver_free(struct cs_resolver *resolver)
{
    if (!resolver)
        return;
    while (resolver->modules) {
        struct module *module = resolver->modules;
        resolver->modules = module->next;
        if (module->dwfl)
            dwfl_end(module->dwfl);
        free(module->range);
        free(module->named);
        free(module->path);
        free(module->build_id);
        free(module);
    }
    free(resolver);
}

void cs_resolver_on_lost_lines(struct cs_resolver *resolver, cs_lost_lines_function *lost)
{
    resolver->lost = lost;
}

/* Without build ids, compare the times of file and recording. */
static bool is_build(Dwfl_Module *module, const char *build_id, bool is_newer)
{
    const unsigned char *bits;
    GElf_Addr address;
    int length = dwfl_module_build_id(module, &bits, &address);
    if (length <= 0)
        return !*build_id && !is_newer;
    if (strlen(build_id) != (size_t)length * 2)
        return false;
    for (int i = 0; i < length; i++) {
        char hex[3];
        snprintf(hex, sizeof hex, "%02x", bits[i]);
        if (memcmp(hex, build_id + 2 * (size_t)i, 2) != 0)
            return false;
    }
    return true;
}

/* The path comes from the trace and may name anything: opening a pipe would wait for ever. */
static int open_regular(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about;
    if (fd >= 0 && (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* ---- compilation units ---- */

static void add_range(struct module *module, const Dwarf_Die *unit, const char *file, Dwarf_Addr begin, Dwarf_Addr end)
{
    /* Linkers let what they removed begin at 0 or 1. */
    if (begin > 1 && begin < end && cs_array_grow(&module->range, module->ranges, &module->room, sizeof *module->range))
        module->range[module->ranges++] =
            (struct range){.begin = begin, .end = end, .unit = *unit, .file = file ? file : ""};
}

static int by_begin(const void *left, const void *right)
{
    return cs_compare(((const struct range *)left)->begin, ((const struct range *)right)->begin);
}

/* Compares a range with the name of a file without folders. */
static int by_name(const void *item, const void *name)
{
    return strcmp(cs_path_name((*(struct range *const *)item)->file), name);
}

static int compare_names(const void *left, const void *right)
{
    return by_name(left, cs_path_name((*(struct range *const *)right)->file));
}

static void sort_by_name(struct module *module)
{
    module->named = malloc((module->ranges + 1) * sizeof *module->named);
    for (size_t i = 0; module->named && i < module->ranges; i++)
        module->named[i] = &module->range[i];
    if (module->named)
        qsort(module->named, module->ranges, sizeof *module->named, compare_names);
}

/* Finds where the code of each unit lies. elfutils would ask .debug_aranges, which clang does not write. */
static void find_ranges(struct module *module)
{
    Dwarf *dwarf = dwfl_module_getdwarf(module->module, &module->dwarf_bias);
    Dwarf_CU *next = NULL;
    Dwarf_Die unit;
    while (dwarf && dwarf_get_units(dwarf, next, &next, NULL, NULL, &unit, NULL) == 0) {
        Dwarf_Addr base, begin, end;
        const char *file = dwarf_diename(&unit);
        for (ptrdiff_t at = 0; (at = dwarf_ranges(&unit, at, &base, &begin, &end)) > 0;)
            add_range(module, &unit, file, begin, end);
    }
    if (module->ranges)
        qsort(module->range, module->ranges, sizeof *module->range, by_begin);
    for (size_t i = 0; i < module->ranges; i++) {
        Dwarf_Addr before = i ? module->range[i - 1].reach : 0;
        module->range[i].reach = module->range[i].end > before ? module->range[i].end : before;
    }
    sort_by_name(module);
}

static bool has_compressed_lines(Elf *elf)
{
    size_t names;
    Elf_Scn *section = NULL;
    if (!elf || elf_getshdrstrndx(elf, &names) != 0)
        return false;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && strcmp(name, ".debug_line") == 0)
            return header.sh_flags & SHF_COMPRESSED;
    }
    return false;
}

/* Whether debug information that cannot be read is compressed: older elfutils do not know zstd. */
static bool is_compressed(const struct module *module)
{
    const char *files[2] = {NULL, NULL};
    bool found = false;
    dwfl_module_info(module->module, NULL, NULL, NULL, NULL, NULL, &files[0], &files[1]);
    for (size_t i = 0; i < sizeof files / sizeof *files && !found; i++) {
        int fd = files[i] ? open_regular(files[i]) : -1;
        if (fd < 0)
            continue;
        Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
        found = has_compressed_lines(elf);
        elf_end(elf);
        close(fd);
    }
    return found;
}

static int by_address(const void *item, const void *key)
{
    return ((const struct range *)item)->begin <= *(const Dwarf_Addr *)key ? -1 : 1;
}

/* The unit with the code at an address of the debug information; NULL: none. */
static Dwarf_Die *find_unit(const struct module *module, Dwarf_Addr address)
{
    size_t low = cs_array_lower_bound(module->range, module->ranges, sizeof *module->range, &address, by_address);
    for (; low > 0 && address < module->range[low - 1].reach; low--)
        if (address < module->range[low - 1].end)
            return &module->range[low - 1].unit;
    return NULL;
}

static void load(struct cs_resolver *resolver, struct module *module, int64_t recorded_ns)
{
    int fd = open_regular(module->path);
    struct stat about;
    if (fd < 0)
        return;
    bool is_newer = recorded_ns && fstat(fd, &about) == 0 && about.st_mtim.tv_sec > recorded_ns / 1000000000;
    module->dwfl = dwfl_begin(&callbacks);
    if (module->dwfl) {
        dwfl_report_begin(module->dwfl);
        module->module = dwfl_report_offline(module->dwfl, "module", module->path, fd);
        dwfl_report_end(module->dwfl, NULL, NULL);
    }
    if (!module->module)
        close(fd); /* on success, dwfl owns it */
    bool same = module->module && is_build(module->module, module->build_id, is_newer);
    if (module->module && !same && resolver->lost)
        resolver->lost(module->path, CS_LOST_REBUILT);
    if (!same || !dwfl_module_getelf(module->module, &module->bias)) {
        dwfl_end(module->dwfl);
        module->dwfl = NULL;
    }
    if (!module->dwfl)
        return;
    find_ranges(module);
    if (!module->ranges && resolver->lost && is_compressed(module))
        resolver->lost(module->path, CS_LOST_COMPRESSED);
}

static struct module *find_module(struct cs_resolver *resolver, const char *path, const char *build_id,
                                  int64_t recorded_ns)
{
    for (struct module *it = resolver->modules; it; it = it->next)
        if (strcmp(it->path, path) == 0 && strcmp(it->build_id, build_id) == 0)
            return it;
    struct module *module = calloc(1, sizeof *module);
    if (!module)
        return NULL;
    module->path = strdup(path);
    module->build_id = strdup(build_id);
    if (!module->path || !module->build_id) {
        free(module->path);
        free(module->build_id);
        free(module);
        return NULL;
    }
    module->next = resolver->modules;
    resolver->modules = module;
    load(resolver, module, recorded_ns);
    return module;
}

/* ---- names ---- */

typedef char *demangle_function(const char *, char *, size_t *, int *);

/* Finds the demangler of the C++ library, if this machine has one. Only C++ names need it. The program may unload
   its own C++ library: *library holds a reference until it is closed. */
static demangle_function *demangler(enum cs_resolver_home home, void **library)
{
    static demangle_function *found;
    static bool tried;
    demangle_function *of_program = NULL;
    *library = NULL;
    if (home == CS_RESOLVER_IN_PROGRAM) {
        *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        /* Other C++ libraries export this name too, and so may the program. */
        *(void **)&of_program = dlsym(*library ? *library : RTLD_DEFAULT, "__cxa_demangle");
        return of_program;
    }
    void *own = tried ? NULL : dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    if (own)
        *(void **)&found = dlsym(own, "__cxa_demangle");
    tried = true;
    return found;
}

static void write_name(enum cs_resolver_home home, char *text, size_t size, const char *name)
{
    void *library = NULL;
    demangle_function *demangle = strncmp(name, "_Z", 2) == 0 ? demangler(home, &library) : NULL;
    int failed = 0;
    char *plain = demangle ? demangle(name, NULL, NULL, &failed) : NULL;
    snprintf(text, size, "%s", plain ? plain : name);
    free(plain);
    if (library)
        dlclose(library);
}

static const char *name_of(Dwarf_Die *die)
{
    static const unsigned linkage[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name};
    Dwarf_Attribute attribute;
    for (size_t i = 0; i < sizeof linkage / sizeof *linkage; i++) {
        const char *name = dwarf_formstring(dwarf_attr_integrate(die, linkage[i], &attribute));
        if (name)
            return name;
    }
    return dwarf_diename(die);
}

/* Returns the first of these scopes that is a function, or NULL. */
static Dwarf_Die *function_of(Dwarf_Die *scopes, int count, bool whole)
{
    for (int i = 0; i < count; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if ((tag == DW_TAG_subprogram || (tag == DW_TAG_inlined_subroutine && !whole)) && name_of(&scopes[i]))
            return &scopes[i];
    }
    return NULL;
}

static void write_inlined_into(enum cs_resolver_home home, Dwarf_Die *inlined, char *text, size_t size)
{
    Dwarf_Die *scopes = NULL;
    char name[512];
    int count = dwarf_getscopes_die(inlined, &scopes);
    Dwarf_Die *whole = function_of(scopes, count, true);
    size_t used = strlen(text);
    if (whole) {
        write_name(home, name, sizeof name, name_of(whole));
        snprintf(text + used, size - used, CS_INLINED_INTO "%s)", name);
    }
    if (count > 0)
        free(scopes);
}

/* Writes the innermost function at the address, and the function that it was inlined into. Returns false without
   debug information. */
static bool write_function(enum cs_resolver_home home, Dwarf_Die *unit, Dwarf_Addr address, char *text, size_t size)
{
    Dwarf_Die *scopes = NULL;
    int count = unit ? dwarf_getscopes(unit, address, &scopes) : 0;
    Dwarf_Die *inner = function_of(scopes, count, false);
    if (inner)
        write_name(home, text, size, name_of(inner));
    if (inner && dwarf_tag(inner) == DW_TAG_inlined_subroutine)
        write_inlined_into(home, inner, text, size);
    if (count > 0)
        free(scopes);
    return inner != NULL;
}

/* ---- tail calls ---- */

struct tail_calls {
    size_t count;
    Dwarf_Addr address; /* in the instruction of the last one */
};

static void note_tail_call(Dwarf_Die *call, struct tail_calls *calls)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr address;
    bool is_tail = false;
    if (dwarf_formflag(dwarf_attr(call, DW_AT_call_tail_call, &attribute), &is_tail) != 0 &&
        dwarf_formflag(dwarf_attr(call, DW_AT_GNU_tail_call, &attribute), &is_tail) != 0)
        return;
    if (!is_tail)
        return;
    calls->count++;
    if (dwarf_formaddr(dwarf_attr(call, DW_AT_call_pc, &attribute), &address) == 0)
        calls->address = address;
    else if (dwarf_formaddr(dwarf_attr(call, DW_AT_call_return_pc, &attribute), &address) == 0 ||
             dwarf_formaddr(dwarf_attr(call, DW_AT_low_pc, &attribute), &address) == 0)
        calls->address = address - 1;
}

/* Finds the tail calls of a function, with those of functions that were inlined into it. */
static void find_tail_calls(Dwarf_Die *scope, struct tail_calls *calls, int depth)
{
    enum { DEPTH_MOST = 64 };
    Dwarf_Die child;
    for (int more = dwarf_child(scope, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site)
            note_tail_call(&child, calls);
        else if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && depth < DEPTH_MOST)
            find_tail_calls(&child, calls, depth + 1);
    }
}

/* The address of the only tail call of the function that begins at an address; 0: there is no such function, or it has
   several. */
static Dwarf_Addr find_tail_call(Dwarf_Die *unit, Dwarf_Addr address)
{
    Dwarf_Die *scopes = NULL;
    struct tail_calls calls = {0};
    Dwarf_Addr begin;
    int count = unit ? dwarf_getscopes(unit, address, &scopes) : 0;
    Dwarf_Die *function = function_of(scopes, count, true);
    if (function && dwarf_lowpc(function, &begin) == 0 && begin == address)
        find_tail_calls(function, &calls, 0);
    if (count > 0)
        free(scopes);
    return calls.count == 1 ? calls.address : 0;
}

/* The file as the compiler wrote it, and the line; NULL: unknown. */
static const char *find_line(Dwarf_Die *unit, Dwarf_Addr address, int *line)
{
    Dwarf_Line *found = unit ? dwarf_getsrc_die(unit, address) : NULL;
    return found && dwarf_lineno(found, line) == 0 ? dwarf_linesrc(found, NULL, NULL) : NULL;
}

/* ---- places ---- */

/* A frame in symbols and debug information. */
struct place {
    const char *symbol;     /* NULL: none */
    GElf_Off distance;      /* from it */
    Dwarf_Die *unit;        /* NULL: no debug information */
    Dwarf_Addr address;     /* of the call in it */
    bool is_one_of_several; /* tail calls of the function, which begins at the address */
};

/* Writes a file's path as the compiler was given it, absolute if the compiler's folder is known. Returns false if it
   does not fit. */
static bool write_path(Dwarf_Die *unit, const char *file, char *path, size_t size)
{
    Dwarf_Attribute attribute;
    const char *folder = *file == '/' ? NULL : dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    int length = snprintf(path, size, "%s%s%s", folder ? folder : "", folder ? "/" : "", file);
    return length >= 0 && (size_t)length < size;
}

/* The last parts of a path that tell it from those of other source files of the module with the same name. */
static const char *shorten_path(const struct module *module, const char *path)
{
    const char *name = cs_path_name(path), *begin = name;
    char other[PATH_MAX];
    size_t i = 0;
    if (module->named)
        i = cs_array_lower_bound(module->named, module->ranges, sizeof *module->named, name, by_name);
    for (; module->named && i < module->ranges && by_name(&module->named[i], name) == 0; i++) {
        struct range *range = module->named[i];
        if (!write_path(&range->unit, range->file, other, sizeof other))
            continue;
        const char *longer = cs_path_unlike(path, other);
        begin = longer < begin ? longer : begin;
    }
    return begin;
}

/* Writes the name of a source file for reports. The unit's own source has the path of the unit, since the table of
   lines may spell it in another way. */
static void write_file(const struct place *place, const struct module *module, const char *file, char *text,
                       size_t size)
{
    const char *own = dwarf_diename(place->unit), *shown = cs_path_name(file);
    char path[PATH_MAX];
    if (own && strcmp(cs_path_name(own), shown) == 0)
        file = own;
    if (write_path(place->unit, file, path, sizeof path))
        shown = shorten_path(module, path);
    snprintf(text, size, "%s", strlen(shown) < size ? shown : cs_path_name(shown));
}

static struct place find_place(const struct module *module, int64_t offset)
{
    /* A return address may already belong to the next line or function; the call is the instruction before it. */
    GElf_Addr address = (GElf_Addr)offset - 1 + module->bias;
    GElf_Sym symbol;
    struct place place = {.address = address - module->dwarf_bias};
    place.symbol = dwfl_module_addrinfo(module->module, address, &place.distance, &symbol, NULL, NULL, NULL);
    place.unit = find_unit(module, place.address);
    if (!place.unit || !place.symbol || place.distance != CS_TAIL_CALL_OFFSET - 1)
        return place;
    Dwarf_Addr begin = place.address - place.distance, jump = find_tail_call(place.unit, begin);
    place.is_one_of_several = !jump;
    place.address = jump ? jump : begin;
    return place;
}

static bool resolve(enum cs_resolver_home home, const struct module *module, int64_t offset, struct cs_source *source,
                    GElf_Off *distance)
{
    struct place place = find_place(module, offset);
    *source = (struct cs_source){.line = 0};
    *distance = place.distance;
    const char *file = find_line(place.unit, place.address, &source->line);
    bool found = write_function(home, place.unit, place.address, source->function, sizeof source->function);
    if (!found && place.symbol)
        write_name(home, source->function, sizeof source->function, place.symbol);
    size_t used = strlen(source->function);
    if (file && place.is_one_of_several)
        snprintf(source->function + used, sizeof source->function - used, CS_TAIL_CALL);
    if (file && (found || place.symbol))
        write_file(&place, module, file, source->file, sizeof source->file);
    return found || place.symbol;
}

/* NULL: the file is missing or another build than the recorded one. */
static const struct module *open_module(struct cs_resolver *resolver, const struct cs_resolve_frame *frame)
{
    const char *build_id = frame->build_id ? frame->build_id : "";
    bool is_file = frame->module && strchr(frame->module, '/'); /* not "generated code", "<string>" */
    struct module *module = is_file ? find_module(resolver, frame->module, build_id, frame->recorded_ns) : NULL;
    return module && module->dwfl ? module : NULL;
}

static bool look(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, struct cs_source *source,
                 GElf_Off *distance)
{
    const struct module *module = open_module(resolver, frame);
    return module && resolve(resolver->home, module, frame->offset, source, distance);
}

bool cs_resolver_find_path(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, char *path, char *build,
                           size_t size, int *line)
{
    const struct module *module = open_module(resolver, frame);
    struct place place = module ? find_place(module, frame->offset) : (struct place){.unit = NULL};
    const char *file = find_line(place.unit, place.address, line);
    Dwarf_Attribute attribute;
    const char *folder = file ? dwarf_formstring(dwarf_attr(place.unit, DW_AT_comp_dir, &attribute)) : NULL;
    if ((size_t)snprintf(build, size, "%s", folder ? folder : "") >= size)
        *build = '\0';
    if (file && write_path(place.unit, file, path, size) && *path == '/')
        return true;
    *path = '\0';
    return false;
}

bool cs_resolver_find_variable(struct cs_resolver *resolver, const struct cs_resolve_frame *frame,
                               const struct cs_data_place *place, struct cs_variable *variable)
{
    const struct module *module = open_module(resolver, frame);
    *variable = (struct cs_variable){.beyond_bytes = 0};
    if (!module)
        return false;
    if (!place->frame_offset) {
        cs_variable_find_static(module->module, (GElf_Addr)frame->offset + module->bias, place->bytes, variable);
        return true;
    }
    struct place code = find_place(module, frame->offset);
    if (code.unit)
        cs_variable_find_local(code.unit, code.address, place, variable);
    return true;
}

bool cs_resolver_find(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, struct cs_source *source)
{
    GElf_Off distance;
    return look(resolver, frame, source, &distance);
}

const char *cs_resolver_write(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, char *text,
                              size_t size)
{
    struct cs_source source;
    GElf_Off distance;
    if (!frame->module) {
        snprintf(text, size, "0x%llx", (unsigned long long)frame->offset);
        return text;
    }
    const char *module = cs_path_name(frame->module);
    if (!look(resolver, frame, &source, &distance)) {
        snprintf(text, size, "%s+0x%llx", module, (unsigned long long)frame->offset);
        return text;
    }
    char function[sizeof source.function];
    cs_signature_shorten(source.function, function, sizeof function);
    if (source.file[0])
        snprintf(text, size, "%s %s:%d", function, source.file, source.line);
    else
        snprintf(text, size, "%s+0x%llx in %s", function, (unsigned long long)distance + 1, module);
    return text;
}
