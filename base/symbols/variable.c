#include "base/symbols/variable.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

/* ---- in frames ---- */

/* The variables that share their places with no value without a name. gcc's defer_stack_allocation decides: to -O1 and
   -Og, variables of the outermost block have places of their own; in C without optimization, all such values do, too.
   The protection of stacks and the address sanitizer change that. In C++, the function itself may have variables of
   the block within it, as gcc counts blocks. */
enum certain { NONE, OUTERMOST, ALL };

static enum certain certain_places(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute)), *level = "0";
    bool is_c = producer && cs_begins_with(producer, "GNU C") && !cs_begins_with(producer, "GNU C++");
    if (!(is_c || (producer && cs_begins_with(producer, "GNU Fortran"))) || strstr(producer, " -fstack-protector") ||
        strstr(producer, " -fsanitize=") || strstr(producer, " -flto"))
        return NONE;
    for (const char *at = producer; (at = strstr(at, " -O")); at++)
        level = at + 3; /* the last one holds */
    return is_c && *level == '0' ? ALL : strchr(" 01g", *level) ? OUTERMOST : NONE;
}

static bool counts_from_top(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operation;
    size_t count;
    return dwarf_getlocation(dwarf_attr(function, DW_AT_frame_base, &attribute), &operation, &count) == 0 &&
           count == 1 && operation->atom == DW_OP_call_frame_cfa;
}

/* Whether a variable has one place in the frame, for its whole life. */
static bool find_offset(Dwarf_Die *variable, int64_t *offset)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operation;
    size_t count;
    if (!dwarf_attr(variable, DW_AT_location, &attribute) || dwarf_whatform(&attribute) != DW_FORM_exprloc ||
        dwarf_getlocation(&attribute, &operation, &count) != 0 || count != 1 || operation->atom != DW_OP_fbreg)
        return false;
    *offset = (int64_t)operation->number;
    return true;
}

static bool find_size(Dwarf_Die *variable, int64_t *bytes)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Word size;
    if (!dwarf_formref_die(dwarf_attr_integrate(variable, DW_AT_type, &attribute), &type) ||
        dwarf_aggregate_size(&type, &size) != 0 || size > INT64_MAX)
        return false;
    *bytes = (int64_t)size;
    return true;
}

/* Looks at the variables of a block. Returns false if one of unknown size may hold the data. */
static bool look_into(Dwarf_Die *block, const struct cs_data_place *place, int64_t *most, struct cs_variable *variable)
{
    Dwarf_Die child;
    for (int more = dwarf_child(block, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        int64_t begin, bytes;
        if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !find_offset(&child, &begin) ||
            begin > place->frame_offset)
            continue;
        if (!find_size(&child, &bytes))
            return false;
        uint64_t before = (uint64_t)place->frame_offset - (uint64_t)begin;
        int64_t left = before < (uint64_t)bytes ? bytes - (int64_t)before : 0;
        if (left <= *most)
            continue;
        const char *name = dwarf_diename(&child);
        snprintf(variable->name, sizeof variable->name, "%s", name && *name ? name : "(unnamed)");
        *most = left;
    }
    return true;
}

static int64_t beyond(int64_t bytes, int64_t most)
{
    return bytes > most ? bytes - most : 0;
}

void cs_variable_find_local(Dwarf_Die *unit, Dwarf_Addr address, const struct cs_data_place *place,
                            struct cs_variable *variable)
{
    Dwarf_Die *scopes = NULL, *blocks = NULL;
    enum certain certain = certain_places(unit);
    int64_t most = 0;
    bool known = certain != NONE && dwarf_getscopes(unit, address, &scopes) > 0;
    int outermost = 0, count = known ? dwarf_getscopes_die(&scopes[0], &blocks) : 0;
    while (outermost < count && dwarf_tag(&blocks[outermost]) != DW_TAG_subprogram)
        outermost++;
    known = outermost < count && counts_from_top(&blocks[outermost]);
    for (int i = certain == ALL ? 0 : outermost; known && i <= outermost; i++)
        known = look_into(&blocks[i], place, &most, variable);
    free(blocks);
    free(scopes);
    if (known)
        variable->beyond_bytes = beyond(place->bytes, most);
    else
        variable->name[0] = '\0';
}

/* ---- static ---- */

/* Programs gather variables of several files in sections of their own, and use them as one array. */
static bool is_usual(Dwfl_Module *module, Elf *elf, GElf_Word section)
{
    static const char *const usual[] = {".data", ".bss", ".rodata", ".ldata", ".lbss"};
    GElf_Addr bias;
    size_t names;
    GElf_Shdr header;
    if (!elf)
        elf = dwfl_module_getelf(module, &bias);
    Elf_Scn *scn = elf ? elf_getscn(elf, section) : NULL;
    if (!scn || !gelf_getshdr(scn, &header) || elf_getshdrstrndx(elf, &names) != 0)
        return false;
    const char *name = elf_strptr(elf, names, header.sh_name);
    for (size_t i = 0; name && i < sizeof usual / sizeof *usual; i++)
        if (cs_begins_with(name, usual[i]) && strchr(".", name[strlen(usual[i])]))
            return true;
    return false;
}

void cs_variable_find_static(Dwfl_Module *module, GElf_Addr begin, int64_t bytes, struct cs_variable *variable)
{
    int64_t most = 0;
    for (int i = 0, count = dwfl_module_getsymtab(module); i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        GElf_Word section;
        Elf *elf;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, &elf, NULL);
        int64_t left = (int64_t)(address + symbol.st_size - begin);
        if (!name || !*name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || address > begin || left <= most ||
            !is_usual(module, elf, section))
            continue;
        most = left;
        /* gcc appends ".3" to the names of static variables in functions. */
        snprintf(variable->name, sizeof variable->name, "%.*s", (int)(1 + strcspn(name + 1, ".")), name);
    }
    variable->beyond_bytes = beyond(bytes, most);
}
