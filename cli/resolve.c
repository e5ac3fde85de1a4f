#include "cli/resolve.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct module {
    struct module *next;
    char *path;
    char *build_id;
    Dwfl *dwfl;          /* NULL: not the build that was recorded, or gone */
    Dwfl_Module *module; /* the only one in dwfl */
    GElf_Addr bias;      /* address in dwfl - address in the module's own numbering */
};

struct cs_resolver {
    struct module *modules;
};

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

struct cs_resolver *cs_resolver_new(void)
{
    /* elfutils would ask the servers named here for the debug information of every module. */
    unsetenv("DEBUGINFOD_URLS");
    return calloc(1, sizeof(struct cs_resolver));
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
        free(module->path);
        free(module->build_id);
        free(module);
    }
    free(resolver);
}

static bool is_build(Dwfl_Module *module, const char *build_id)
{
    const unsigned char *bits;
    GElf_Addr address;
    int length = dwfl_module_build_id(module, &bits, &address);
    if (length <= 0)
        return !*build_id;
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

/* The path comes from the trace: it may name anything, and opening a pipe would wait for ever. */
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

static void load(struct module *module)
{
    int fd = open_regular(module->path);
    if (fd < 0)
        return;
    module->dwfl = dwfl_begin(&callbacks);
    if (module->dwfl) {
        dwfl_report_begin(module->dwfl);
        module->module = dwfl_report_offline(module->dwfl, "module", module->path, fd);
        dwfl_report_end(module->dwfl, NULL, NULL);
    }
    if (!module->module)
        close(fd); /* otherwise it belongs to dwfl */
    if (!module->module || !is_build(module->module, module->build_id) ||
        !dwfl_module_getelf(module->module, &module->bias)) {
        dwfl_end(module->dwfl);
        module->dwfl = NULL;
    }
}

static struct module *find_module(struct cs_resolver *resolver, const char *path, const char *build_id)
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
    load(module);
    return module;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* The innermost function whose source line is shown, inlined ones included. NULL: no debug information. */
static const char *function_name(Dwfl_Module *module, GElf_Addr address)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
    Dwarf_Die *scopes = NULL;
    const char *name = NULL;
    int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    for (int i = 0; i < count && !name; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            name = dwarf_diename(&scopes[i]);
    }
    if (count > 0)
        free(scopes);
    return name;
}

static bool resolve(const struct module *module, int64_t offset, char *text, size_t size)
{
    /* The call is the instruction before the return address, and may be the last one of its line or function. */
    GElf_Addr address = (GElf_Addr)offset - 1 + module->bias;
    GElf_Off distance = 0;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(module->module, address, &distance, &symbol, NULL, NULL, NULL);
    Dwfl_Line *line = dwfl_module_getsrc(module->module, address);
    int number = 0;
    const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    const char *function = function_name(module->module, address);
    if (!function)
        function = name;
    if (function && file)
        snprintf(text, size, "%s %s:%d", function, base_name(file), number);
    else if (name)
        snprintf(text, size, "%s+0x%llx in %s", name, (unsigned long long)distance + 1, base_name(module->path));
    return (function && file) || name;
}

const char *cs_resolver_place(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, char *text,
                              size_t size)
{
    unsigned long long offset = (unsigned long long)frame->offset;
    if (!frame->module) {
        snprintf(text, size, "0x%llx", offset);
        return text;
    }
    struct module *module = find_module(resolver, frame->module, frame->build_id ? frame->build_id : "");
    if (!module || !module->dwfl || !resolve(module, frame->offset, text, size))
        snprintf(text, size, "%s+0x%llx", base_name(frame->module), offset);
    return text;
}
