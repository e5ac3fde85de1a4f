#include "cli/elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where in the file the byte at a memory address is; 0 when it is in no segment. */
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

static void read_segments(Elf *file, struct cs_elf *elf)
{
    size_t count = 0;
    GElf_Phdr segment;
    elf_getphdrnum(file, &count);
    for (size_t i = 0; i < count && gelf_getphdr(file, (int)i, &segment); i++) {
        if (segment.p_type == PT_INTERP)
            elf->is_dynamic = true;
        if (segment.p_type != PT_DYNAMIC)
            continue;
        Elf_Data *dynamic = elf_getdata_rawchunk(file, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_DYN);
        if (dynamic)
            read_needed(file, dynamic, elf);
    }
}

void cs_elf_read(const char *path, struct cs_elf *elf)
{
    memset(elf, 0, sizeof *elf);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    elf_version(EV_CURRENT);
    Elf *file = elf_begin(descriptor, ELF_C_READ_MMAP, NULL);
    if (file && elf_kind(file) == ELF_K_ELF) {
        elf->is_elf = true;
        read_segments(file, elf);
    }
    elf_end(file);
    close(descriptor);
}
