#include "cli/launch/elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file offset of a memory address; 0: in no segment. */
static GElf_Off file_offset(Elf *file, GElf_Addr address, GElf_Xword *length)
{
    size_t count = 0;
    GElf_Phdr segment;
    elf_getphdrnum(file, &count);
    for (size_t i = 0; i < count && gelf_getphdr(file, (int)i, &segment); i++)
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
            *length = segment.p_filesz - (address - segment.p_vaddr);
            return segment.p_offset + (address - segment.p_vaddr);
        }
    return 0;
}

/* libelf checks the range against the file's size. */
static Elf_Data *strings_of(Elf *file, Elf_Data *dynamic)
{
    GElf_Dyn entry;
    GElf_Addr address = 0;
    GElf_Xword size = 0, in_segment = 0;
    for (int i = 0; gelf_getdyn(dynamic, i, &entry) && entry.d_tag != DT_NULL; i++) {
        if (entry.d_tag == DT_STRTAB)
            address = entry.d_un.d_ptr;
        else if (entry.d_tag == DT_STRSZ)
            size = entry.d_un.d_val;
    }
    GElf_Off offset = file_offset(file, address, &in_segment);
    if (!offset || size == 0 || size > in_segment)
        return NULL;
    return elf_getdata_rawchunk(file, (int64_t)offset, size, ELF_T_BYTE);
}

static void read_needed(Elf *file, Elf_Data *dynamic, struct cs_elf *elf)
{
    const Elf_Data *strings = strings_of(file, dynamic);
    GElf_Dyn entry;
    for (int i = 0; strings && gelf_getdyn(dynamic, i, &entry) && entry.d_tag != DT_NULL; i++) {
        if (entry.d_tag != DT_NEEDED || entry.d_un.d_val >= strings->d_size)
            continue;
        if (elf->needed_count == sizeof elf->needed / sizeof elf->needed[0])
            return;
        const char *name = (const char *)strings->d_buf + entry.d_un.d_val;
        size_t length = strnlen(name, strings->d_size - entry.d_un.d_val);
        if (length < sizeof elf->needed[0])
            snprintf(elf->needed[elf->needed_count++], sizeof elf->needed[0], "%.*s", (int)length, name);
    }
}

/* The folders that the file adds to the library search. DT_RPATH is ignored if there is DT_RUNPATH. */
static void read_run_path(Elf *file, Elf_Data *dynamic, struct cs_elf *elf)
{
    const Elf_Data *strings = strings_of(file, dynamic);
    GElf_Dyn entry;
    bool is_run_path = false;
    for (int i = 0; strings && gelf_getdyn(dynamic, i, &entry) && entry.d_tag != DT_NULL; i++) {
        if (entry.d_un.d_val >= strings->d_size ||
            !(entry.d_tag == DT_RUNPATH || (entry.d_tag == DT_RPATH && !is_run_path)))
            continue;
        is_run_path = entry.d_tag == DT_RUNPATH;
        const char *text = (const char *)strings->d_buf + entry.d_un.d_val;
        size_t length = strnlen(text, strings->d_size - entry.d_un.d_val);
        snprintf(elf->run_path, sizeof elf->run_path, "%.*s", length < sizeof elf->run_path ? (int)length : 0, text);
    }
}

static void read_interpreter(Elf *file, const GElf_Phdr *segment, struct cs_elf *elf)
{
    elf->is_dynamic = true;
    const Elf_Data *path = elf_getdata_rawchunk(file, (int64_t)segment->p_offset, segment->p_filesz, ELF_T_BYTE);
    if (path && path->d_size <= sizeof elf->interpreter && memchr(path->d_buf, 0, path->d_size))
        snprintf(elf->interpreter, sizeof elf->interpreter, "%s", (const char *)path->d_buf);
}

static void read_segments(Elf *file, struct cs_elf *elf)
{
    size_t count = 0;
    GElf_Phdr segment;
    elf_getphdrnum(file, &count);
    for (size_t i = 0; i < count && gelf_getphdr(file, (int)i, &segment); i++) {
        if (segment.p_type == PT_INTERP)
            read_interpreter(file, &segment, elf);
        if (segment.p_type != PT_DYNAMIC)
            continue;
        Elf_Data *dynamic = elf_getdata_rawchunk(file, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_DYN);
        if (!dynamic)
            continue;
        read_needed(file, dynamic, elf);
        read_run_path(file, dynamic, elf);
    }
}

/* Opens an ELF file. NULL: no ELF file, or unreadable. */
static Elf *open_elf(const char *path, int *descriptor)
{
    *descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (*descriptor < 0)
        return NULL;
    elf_version(EV_CURRENT);
    Elf *file = elf_begin(*descriptor, ELF_C_READ_MMAP, NULL);
    if (file && elf_kind(file) == ELF_K_ELF)
        return file;
    elf_end(file);
    close(*descriptor);
    return NULL;
}

void cs_elf_read(const char *path, struct cs_elf *elf)
{
    memset(elf, 0, sizeof *elf);
    int descriptor;
    GElf_Ehdr header;
    Elf *file = open_elf(path, &descriptor);
    if (!file)
        return;
    elf->is_elf = true;
    if (gelf_getehdr(file, &header)) {
        elf->machine = header.e_machine;
        elf->is_64 = header.e_ident[EI_CLASS] == ELFCLASS64;
    }
    read_segments(file, elf);
    elf_end(file);
    close(descriptor);
}

bool cs_elf_checks_order(const char *path)
{
    static const char *const runtimes[] = {"libasan.", "libclang_rt.asan"};
    struct cs_elf elf;
    cs_elf_read(path, &elf);
    for (unsigned i = 0; i < elf.needed_count; i++)
        for (size_t j = 0; j < sizeof runtimes / sizeof *runtimes; j++)
            if (strncmp(elf.needed[i], runtimes[j], strlen(runtimes[j])) == 0)
                return true;
    return false;
}

bool cs_elf_contains(const char *path, const char *text)
{
    int descriptor;
    size_t bytes = 0;
    Elf *file = open_elf(path, &descriptor);
    if (!file)
        return false;
    const char *raw = elf_rawfile(file, &bytes);
    bool found = raw && memmem(raw, bytes, text, strlen(text) + 1);
    elf_end(file);
    close(descriptor);
    return found;
}

/* ---- symbols ---- */

static void visit_table(Elf *file, Elf_Scn *section, const GElf_Shdr *header,
                        void (*visit)(void *context, const struct cs_elf_symbol *symbol), void *context)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym entry;
    for (int i = 0; data && gelf_getsym(data, i, &entry); i++) {
        bool is_defined = entry.st_shndx != SHN_UNDEF;
        unsigned char type = GELF_ST_TYPE(entry.st_info);
        const char *name = elf_strptr(file, header->sh_link, entry.st_name);
        if (!name || (is_defined && type != STT_FUNC && type != STT_GNU_IFUNC))
            continue;
        struct cs_elf_symbol symbol = {name, is_defined, GELF_ST_BIND(entry.st_info) == STB_WEAK,
                                       header->sh_type == SHT_DYNSYM};
        visit(context, &symbol);
    }
}

void cs_elf_symbols(const char *path, void (*visit)(void *context, const struct cs_elf_symbol *symbol), void *context)
{
    int descriptor;
    GElf_Shdr header;
    Elf *file = open_elf(path, &descriptor);
    if (!file)
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(file, section));)
        if (gelf_getshdr(section, &header) && (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB))
            visit_table(file, section, &header, visit, context);
    elf_end(file);
    close(descriptor);
}

/* ---- variables ---- */

static char *copy_variable(Elf *file, const GElf_Sym *symbol, size_t *bytes)
{
    GElf_Xword length = 0;
    GElf_Off offset = file_offset(file, symbol->st_value, &length);
    if (!offset || symbol->st_size > length)
        return NULL;
    const Elf_Data *data = elf_getdata_rawchunk(file, (int64_t)offset, symbol->st_size, ELF_T_BYTE);
    char *copy = data ? calloc(1, symbol->st_size + 1) : NULL;
    if (copy)
        memcpy(copy, data->d_buf, symbol->st_size);
    *bytes = symbol->st_size;
    return copy;
}

static char *variable_in(Elf *file, Elf_Scn *section, const GElf_Shdr *header, const char *name, size_t *bytes)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        const char *found = elf_strptr(file, header->sh_link, symbol.st_name);
        if (found && strcmp(found, name) == 0 && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT)
            return copy_variable(file, &symbol, bytes);
    }
    return NULL;
}

char *cs_elf_variable(const char *path, const char *name, size_t *bytes)
{
    int descriptor;
    GElf_Shdr header;
    char *found = NULL;
    Elf *file = open_elf(path, &descriptor);
    if (!file)
        return NULL;
    for (Elf_Scn *section = NULL; !found && (section = elf_nextscn(file, section));)
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
            found = variable_in(file, section, &header, name, bytes);
    elf_end(file);
    close(descriptor);
    return found;
}
