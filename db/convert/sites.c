#include "db/convert/sites.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/number_table.h"
#include "base/path.h"
#include "base/shared_library.h"
#include "base/symbols/resolver.h"
#include "db/convert/perf_map.h"
#include "journal/reader.h"
#include "journal_facts.h"

#define STACKS_MAX     (1u << 20) /* limit for hostile journals */
#define PYTHON_MAX     (1u << 20) /* the same for frames of Python */
#define KNOWN_MAX      65536u     /* addresses to remember; only a hostile journal has more call sites */
#define TAIL_CALLS_MAX 65536u     /* the same for functions that left the stack */
#define MODULES_MAX    8192u      /* searched linearly */

/* ---- which executable or library lay at an address, and when ---- */

struct module {
    uint64_t base, begin, end, ticks;
    char *path, *build_id;
    const char *name; /* last part of path */
    bool used;        /* by a row */
    bool is_mpi;      /* a part of the MPI */
};

/* {0} is empty. */
struct modules {
    struct module *module;
    size_t count, room;
    bool overlap; /* some address belonged to different modules at different times */
};

/* The newest module that overlaps this range, or NULL. */
static const struct module *overlapped(const struct modules *modules, uint64_t begin, uint64_t end)
{
    for (size_t i = modules->count; i-- > 0;)
        if (modules->module[i].begin < end && begin < modules->module[i].end)
            return &modules->module[i];
    return NULL;
}

static enum cs_status add_module(struct modules *modules, const struct cs_fact_module *fact)
{
    const char *path = cs_fact_module_path(fact), *build_id = cs_fact_module_build_id(fact);
    if (fact->begin >= fact->end)
        return CS_CORRUPT;
    const struct module *before = overlapped(modules, fact->begin, fact->end);
    if (before && before->base == fact->base && before->begin == fact->begin && before->end == fact->end &&
        strcmp(before->path, path) == 0 && strcmp(before->build_id, build_id) == 0)
        return CS_OK; /* told again */
    if (modules->count >= MODULES_MAX)
        return CS_OK; /* its sites stay plain addresses */
    if (!cs_array_grow(&modules->module, modules->count, &modules->room, sizeof *modules->module))
        return CS_NO_MEMORY;
    if (before)
        modules->overlap = true;
    struct module module = {.base = fact->base,
                            .begin = fact->begin,
                            .end = fact->end,
                            .ticks = fact->fact.ticks,
                            .path = strdup(path),
                            .build_id = strdup(build_id)};
    if (!module.path || !module.build_id) {
        free(module.path);
        free(module.build_id);
        return CS_NO_MEMORY;
    }
    module.name = cs_path_name(module.path);
    enum cs_library_kind kind = cs_library_kind_of(path);
    module.is_mpi = kind == CS_LIBRARY_MPI || kind == CS_LIBRARY_MPI_INSIDE || kind == CS_LIBRARY_MPI_RUNTIME;
    modules->module[modules->count++] = module;
    return CS_OK;
}

/* The module at the address at that instant: the last one loaded before, or else the first one loaded after (threads
   may record a module and a call from it in either order). NULL: none. */
static struct module *find_module(const struct modules *modules, uint64_t address, uint64_t ticks)
{
    struct module *later = NULL;
    for (size_t i = modules->count; i-- > 0;) {
        struct module *module = &modules->module[i];
        if (address < module->begin || address >= module->end)
            continue;
        if (module->ticks <= ticks)
            return module;
        later = module;
    }
    return later;
}

/* The module that counted calls of an address came from: the first one that is no plugin of the MPI. Calls from those
   that replaced it have stacks of their own. */
static struct module *find_first_module(const struct modules *modules, uint64_t address)
{
    struct module *first = NULL;
    for (size_t i = modules->count; i-- > 0;) {
        struct module *module = &modules->module[i];
        if (address >= module->begin && address < module->end && (!first || first->is_mpi || !module->is_mpi))
            first = module;
    }
    return first;
}

static void free_modules(struct modules *modules)
{
    for (size_t i = 0; i < modules->count; i++) {
        free(modules->module[i].path);
        free(modules->module[i].build_id);
    }
    free(modules->module);
    *modules = (struct modules){0};
}

/* ---- sites ---- */

/* Stands for the outer frames that a stack lacks. */
static const char partial[] = "<partial>";

struct known {
    uint64_t address;
    int64_t frame;
    UT_hash_handle hh;
};

/* Rows that are written at the end, in the order of their numbers: these are hashes, and rows in another order leave
   a third of each page empty. */
struct frame_row {
    int64_t frame, offset;
    int64_t module;        /* 0: none */
    uint32_t python;       /* number of a frame of Python; 0: none */
    const char *generated; /* name of a function that was generated at run time; NULL: none */
    bool is_partial;       /* stands for frames that are missing */
};

struct site_row {
    int64_t site, caller, frame;
};

struct python_frame {
    int64_t frame, module;
    char *file, *function; /* NULL: unknown number */
    int32_t line;
};

struct tail_call {
    uint64_t return_address, function;
    UT_hash_handle hh;
};

struct cs_sites {
    struct cs_trace_writer *rows;
    struct frame_row *frame;
    size_t frames, frame_room;
    struct site_row *site;
    size_t sites, site_room;
    struct modules modules;
    struct known *known; /* empty while modules overlap */
    struct tail_call *tail_calls;
    int64_t *stack; /* site of each stack number; 0: unknown */
    size_t stacks;
    struct python_frame *python; /* of each number */
    size_t pythons;
    const char **file; /* paths of files of Python, sorted by their last parts */
    size_t files;
    struct cs_shared_rows *shared;
    const struct cs_conversion *conversion;
    struct cs_perf_map *map; /* read for the first address without module */
    bool map_read;
};

struct cs_sites *cs_sites_create(const struct cs_conversion *conversion)
{
    struct cs_sites *sites = calloc(1, sizeof *sites);
    if (sites)
        *sites = (struct cs_sites){.rows = conversion->rows, .shared = conversion->shared, .conversion = conversion};
    return sites;
}

static void forget(struct cs_sites *sites)
{
    CS_TABLE_FREE(sites->known);
}

void cs_sites_destroy(struct cs_sites *sites)
{
    if (!sites)
        return;
    forget(sites);
    CS_TABLE_FREE(sites->tail_calls);
    free(sites->frame);
    free(sites->site);
    free(sites->stack);
    for (size_t i = 0; i < sites->pythons; i++) {
        free(sites->python[i].file);
        free(sites->python[i].function);
    }
    free(sites->python);
    free(sites->file);
    free_modules(&sites->modules);
    cs_perf_map_free(sites->map);
    free(sites);
}

enum cs_status cs_sites_module(struct cs_sites *sites, const struct cs_fact_module *module)
{
    return add_module(&sites->modules, module);
}

/* FNV's high bits are weak, and the number must be positive: mix it (finalizer of splitmix64) and cut it to 63 bits. */
static int64_t number_of(uint64_t hash)
{
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    hash = (hash ^ hash >> 31) >> 1;
    return hash ? (int64_t)hash : 1;
}

static uint64_t hash_module(const struct module *module)
{
    return cs_hash_text(cs_hash_text(CS_HASH_BEGIN, module->name), module->build_id);
}

/* module NULL: none. */
static int64_t frame_number(const struct module *module, uint64_t offset)
{
    return number_of(cs_hash_number(module ? hash_module(module) : CS_HASH_BEGIN, offset));
}

/* caller 0: the stack ends here. */
static int64_t site_number(int64_t frame, int64_t caller)
{
    if (!caller)
        return number_of((uint64_t)frame);
    return number_of(cs_hash_number(cs_hash_number(CS_HASH_BEGIN, (uint64_t)frame), (uint64_t)caller));
}

static struct known *known_find(struct cs_sites *sites, uint64_t address)
{
    struct known *known = NULL;
    if (!sites->modules.overlap)
        HASH_FIND(hh, sites->known, &address, sizeof address, known);
    return known;
}

/* NULL without memory: then it is only slower. */
static struct known *known_new(struct cs_sites *sites, uint64_t address, int64_t frame)
{
    if (sites->modules.overlap)
        return NULL;
    if (HASH_COUNT(sites->known) >= KNOWN_MAX)
        forget(sites);
    struct known *known = calloc(1, sizeof *known);
    if (!known)
        return NULL;
    known->address = address;
    known->frame = frame;
    CS_TABLE_ADD(sites->known, address, known);
    return known;
}

/* Returns false without memory. */
static bool add_number(struct cs_number_table *numbers, int64_t number, bool *added)
{
    size_t before = numbers->count;
    bool done = cs_number_table_add(numbers, (uint64_t)number, sizeof number);
    *added = numbers->count > before;
    return done;
}

/* Adds the row of a frame unless the trace has it. */
static enum cs_status add_frame(struct cs_sites *sites, const struct frame_row *row, bool *added)
{
    if (!add_number(&sites->shared->frames, row->frame, added))
        return CS_NO_MEMORY;
    if (!*added)
        return CS_OK;
    if (!cs_array_grow(&sites->frame, sites->frames, &sites->frame_room, sizeof *sites->frame))
        return CS_NO_MEMORY;
    sites->frame[sites->frames++] = *row;
    return CS_OK;
}

/* The module of all code that was generated at run time. */
static const char generated_code[] = "generated code";

/* The name of the generated function at an address without module; NULL: unknown. */
static const char *find_generated(struct cs_sites *sites, uint64_t address, uint64_t *offset)
{
    if (!sites->map_read) {
        struct cs_perf_map_wanted wanted;
        cs_perf_map_choose(sites->conversion, &wanted);
        sites->map = wanted.path[0] ? cs_perf_map_read(&wanted) : NULL;
        sites->map_read = true;
    }
    return cs_perf_map_find(sites->map, address, offset);
}

/* Finds the frame of an address and adds its row; *known is its cache entry, or NULL. */
static enum cs_status find_frame(struct cs_sites *sites, uint64_t address, uint64_t ticks, int64_t *frame,
                                 struct known **known)
{
    *known = known_find(sites, address);
    if (*known) {
        *frame = (*known)->frame;
        return CS_OK;
    }
    struct module *module = ticks == CS_SITES_COUNTED ? find_first_module(&sites->modules, address)
                                                      : find_module(&sites->modules, address, ticks);
    uint64_t offset = module ? address - module->base : address;
    const char *generated = module ? NULL : find_generated(sites, address, &offset);
    struct frame_row row = {.frame = frame_number(module, offset),
                            .offset = (int64_t)offset,
                            .module = module ? number_of(hash_module(module)) : 0,
                            .generated = generated};
    if (generated) {
        uint64_t hash = cs_hash_text(CS_HASH_BEGIN, generated_code);
        row.module = number_of(hash);
        row.frame = number_of(cs_hash_number(cs_hash_text(hash, generated), offset));
    }
    *frame = row.frame;
    *known = known_new(sites, address, *frame);
    bool added;
    enum cs_status status = add_frame(sites, &row, &added);
    if (status == CS_OK && added && module)
        module->used = true;
    return status;
}

/* Adds the row of a frame of Python. *frame is 0 if its number is unknown: then the stack has one frame less. */
static enum cs_status find_python_frame(struct cs_sites *sites, uint64_t number, int64_t *frame)
{
    const struct python_frame *it = number < sites->pythons ? &sites->python[number] : NULL;
    *frame = it && it->file ? it->frame : 0;
    bool added;
    if (!*frame)
        return CS_OK;
    return add_frame(
        sites,
        &(struct frame_row){.frame = it->frame, .offset = it->line, .module = it->module, .python = (uint32_t)number},
        &added);
}

enum cs_status cs_sites_python_frame(struct cs_sites *sites, const struct cs_fact_python_frame *fact)
{
    if (fact->number == 0 || fact->number >= PYTHON_MAX || fact->line < 0)
        return CS_CORRUPT;
    if (!cs_array_reach(&sites->python, &sites->pythons, fact->number, sizeof *sites->python))
        return CS_NO_MEMORY;
    struct python_frame *it = &sites->python[fact->number];
    if (it->file)
        return CS_CORRUPT;
    const char *file = cs_fact_python_frame_file(fact), *function = cs_fact_python_frame_function(fact);
    uint64_t module = cs_hash_text(CS_HASH_BEGIN, file);
    *it =
        (struct python_frame){.frame = number_of(cs_hash_number(cs_hash_text(module, function), (uint64_t)fact->line)),
                              .module = number_of(module),
                              .line = fact->line,
                              .file = strdup(file),
                              .function = strdup(function)};
    return it->file && it->function ? CS_OK : CS_NO_MEMORY;
}

static enum cs_status find_partial_frame(struct cs_sites *sites, int64_t *frame)
{
    bool added;
    *frame = number_of(cs_hash_text(CS_HASH_BEGIN, partial));
    return add_frame(sites, &(struct frame_row){.frame = *frame, .is_partial = true}, &added);
}

/* Stacks share most of their frames, so each row is added once. */
static enum cs_status add_site(struct cs_sites *sites, int64_t site, int64_t caller, int64_t frame)
{
    bool added;
    if (!add_number(&sites->shared->sites, site, &added))
        return CS_NO_MEMORY;
    if (!added)
        return CS_OK;
    if (!cs_array_grow(&sites->site, sites->sites, &sites->site_room, sizeof *sites->site))
        return CS_NO_MEMORY;
    sites->site[sites->sites++] = (struct site_row){site, caller, frame};
    return CS_OK;
}

enum cs_status cs_sites_tail_call(struct cs_sites *sites, const struct cs_fact_tail_call *fact)
{
    struct tail_call *call = NULL;
    HASH_FIND(hh, sites->tail_calls, &fact->return_address, sizeof fact->return_address, call);
    if (call || HASH_COUNT(sites->tail_calls) >= TAIL_CALLS_MAX)
        return CS_OK;
    call = calloc(1, sizeof *call);
    if (!call)
        return CS_NO_MEMORY;
    call->return_address = fact->return_address;
    call->function = fact->function;
    CS_TABLE_ADD(sites->tail_calls, return_address, call);
    return call ? CS_OK : CS_NO_MEMORY;
}

/* Adds the function that a tail call has removed inside the innermost frame, if there is one. An address that belonged
   to several modules says nothing about which of them called it. */
static enum cs_status add_tail_call(struct cs_sites *sites, uint64_t address, uint64_t ticks, int64_t *site)
{
    struct tail_call *call = NULL;
    if (!sites->modules.overlap)
        HASH_FIND(hh, sites->tail_calls, &address, sizeof address, call);
    if (!call || !*site)
        return CS_OK;
    struct known *known;
    int64_t frame, caller = *site;
    enum cs_status status = find_frame(sites, call->function + CS_TAIL_CALL_OFFSET, ticks, &frame, &known);
    *site = site_number(frame, caller);
    return status == CS_OK ? add_site(sites, *site, caller, frame) : status;
}

enum cs_status cs_sites_stack(struct cs_sites *sites, const struct cs_fact_stack *stack)
{
    const uint64_t *address = (const void *)(stack + 1);
    if (stack->count == 0 || stack->count > CS_STACK_DEPTH || stack->stack == 0 || stack->stack >= STACKS_MAX)
        return CS_CORRUPT;
    if (!cs_array_reach(&sites->stack, &sites->stacks, stack->stack, sizeof *sites->stack))
        return CS_NO_MEMORY;
    enum cs_status status = CS_OK;
    int64_t caller = 0;
    for (size_t i = stack->count; i-- > 0 && status == CS_OK;) {
        struct known *known;
        int64_t frame;
        if (address[i] == CS_SITE_PARTIAL && i > 0 && i + 1 == stack->count)
            status = find_partial_frame(sites, &frame);
        else if (address[i] & CS_SITE_STACK)
            status = find_python_frame(sites, address[i] & ~CS_SITE_STACK, &frame);
        else
            status = find_frame(sites, address[i], stack->fact.ticks, &frame, &known);
        if (!frame)
            continue;
        int64_t site = site_number(frame, caller);
        if (status == CS_OK)
            status = add_site(sites, site, caller, frame);
        caller = site;
    }
    if (status == CS_OK && !(address[0] & CS_SITE_STACK))
        status = add_tail_call(sites, address[0], stack->fact.ticks, &caller);
    sites->stack[stack->stack] = caller;
    return status;
}

enum cs_status cs_sites_find(struct cs_sites *sites, uint64_t address, uint64_t ticks, int64_t *site)
{
    *site = 0;
    if (address & CS_SITE_STACK) {
        uint64_t number = address & ~CS_SITE_STACK;
        *site = number < sites->stacks ? sites->stack[number] : 0;
        return CS_OK;
    }
    if (address == 0)
        return CS_OK;
    struct known *known;
    int64_t frame;
    enum cs_status status = find_frame(sites, address, ticks, &frame, &known);
    if (status != CS_OK)
        return status;
    *site = site_number(frame, 0);
    status = add_site(sites, *site, 0, frame);
    return status == CS_OK ? add_tail_call(sites, address, ticks, site) : status;
}

int64_t cs_sites_module_at(struct cs_sites *sites, uint64_t address, uint64_t ticks, int64_t *offset)
{
    struct module *module = find_module(&sites->modules, address, ticks);
    if (!module)
        return 0;
    module->used = true;
    *offset = (int64_t)(address - module->base);
    return number_of(hash_module(module));
}

static int by_frame(const void *left, const void *right)
{
    const struct frame_row *a = left, *b = right;
    return cs_compare(a->frame, b->frame);
}

static int by_site(const void *left, const void *right)
{
    const struct site_row *a = left, *b = right;
    return cs_compare(a->site, b->site);
}

static enum cs_status write_generated(struct cs_sites *sites, const struct frame_row *row)
{
    enum cs_status status = CS_INSERT(sites->rows, module, .module = cs_int(row->module),
                                      .path = cs_text(generated_code), .build_id = cs_text(""));
    if (status != CS_OK)
        return status;
    return CS_INSERT(sites->rows, frame, .frame = cs_int(row->frame), .module = cs_int(row->module),
                     .offset = cs_int(row->offset), .function = cs_text(row->generated),
                     .function_signature = cs_text(row->generated));
}

/* ---- names of files of Python ---- */

static int by_name(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    int names = strcmp(cs_path_name(a), cs_path_name(b));
    return names ? names : strcmp(a, b);
}

/* Sorts the paths of all files of Python. Without memory, files of one name look alike. */
static void sort_files(struct cs_sites *sites)
{
    sites->file = calloc(sites->pythons + 1, sizeof *sites->file);
    for (size_t i = 0; sites->file && i < sites->pythons; i++) {
        if (sites->python[i].file)
            sites->file[sites->files++] = sites->python[i].file;
    }
    if (sites->files)
        qsort(sites->file, sites->files, sizeof *sites->file, by_name);
    size_t distinct = 0;
    for (size_t i = 0; i < sites->files; i++)
        if (distinct == 0 || strcmp(sites->file[distinct - 1], sites->file[i]) != 0)
            sites->file[distinct++] = sites->file[i];
    sites->files = distinct;
}

static int by_base_name(const void *item, const void *key)
{
    return strcmp(cs_path_name(*(const char *const *)item), key);
}

/* The end of a path that tells the file from the others of its name. All packages have files of these two names. */
static const char *file_name(const struct cs_sites *sites, const char *path)
{
    const char *name = cs_path_name(path), *begin = name;
    if ((strcmp(name, "__init__.py") == 0 || strcmp(name, "__main__.py") == 0) && begin > path)
        for (begin--; begin > path && begin[-1] != '/';)
            begin--;
    size_t i =
        sites->files ? cs_array_lower_bound(sites->file, sites->files, sizeof *sites->file, name, by_base_name) : 0;
    for (; i < sites->files && by_base_name(&sites->file[i], name) == 0; i++) {
        const char *longer = cs_path_unlike(path, sites->file[i]);
        begin = longer < begin ? longer : begin;
    }
    return begin;
}

static enum cs_status write_frame(struct cs_sites *sites, const struct frame_row *row)
{
    if (row->generated)
        return write_generated(sites, row);
    if (row->is_partial)
        return CS_INSERT(sites->rows, frame, .frame = cs_int(row->frame), .offset = cs_int(0),
                         .function = cs_text(partial), .function_signature = cs_text(partial));
    if (!row->python)
        return CS_INSERT(sites->rows, frame, .frame = cs_int(row->frame), .module = cs_int_unless(row->module, 0),
                         .offset = cs_int(row->offset));
    const struct python_frame *python = &sites->python[row->python];
    enum cs_status status = CS_INSERT(sites->rows, module, .module = cs_int(row->module), .path = cs_text(python->file),
                                      .build_id = cs_text(""));
    if (status != CS_OK)
        return status;
    return CS_INSERT(sites->rows, frame, .frame = cs_int(row->frame), .module = cs_int(row->module),
                     .offset = cs_int(row->offset), .function = cs_text(python->function),
                     .file = cs_text(file_name(sites, python->file)), .line = cs_int(python->line),
                     .function_signature = cs_text(python->function));
}

enum cs_status cs_sites_write(struct cs_sites *sites)
{
    enum cs_status status = CS_OK;
    sort_files(sites);
    if (sites->frames)
        qsort(sites->frame, sites->frames, sizeof *sites->frame, by_frame);
    if (sites->sites)
        qsort(sites->site, sites->sites, sizeof *sites->site, by_site);
    for (size_t i = 0; status == CS_OK && i < sites->modules.count; i++) {
        const struct module *module = &sites->modules.module[i];
        if (module->used)
            status = CS_INSERT(sites->rows, module, .module = cs_int(number_of(hash_module(module))),
                               .path = cs_text(module->path), .build_id = cs_text(module->build_id));
    }
    for (size_t i = 0; status == CS_OK && i < sites->frames; i++)
        status = write_frame(sites, &sites->frame[i]);
    for (size_t i = 0; status == CS_OK && i < sites->sites; i++) {
        const struct site_row *row = &sites->site[i];
        status = CS_INSERT(sites->rows, site, .site = cs_int(row->site), .caller = cs_int_unless(row->caller, 0),
                           .frame = cs_int(row->frame));
    }
    return status;
}
