#include "record/module_file.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"

void cs_module_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) * notes, char *text, size_t size)
{
    const char *at = (const char *)(info->dlpi_addr + notes->p_vaddr);
    const char *end = at + notes->p_memsz;
    while ((size_t)(end - at) > sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        const char *name = at + sizeof note;
        const unsigned char *id = (const unsigned char *)name + (note.n_namesz + 3) / 4 * 4;
        const char *next = (const char *)id + (note.n_descsz + 3) / 4 * 4;
        if (next > end || next <= at)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
            2 * (size_t)note.n_descsz < size) {
            for (size_t i = 0; i < note.n_descsz; i++)
                sprintf(text + 2 * i, "%02x", id[i]);
            return;
        }
        at = next;
    }
}

const char *cs_module_path(const struct dl_phdr_info *info, char program[PATH_MAX])
{
    if (info->dlpi_name && *info->dlpi_name)
        return info->dlpi_name;
    if (!cs_proc_executable("/proc", getpid(), program, PATH_MAX))
        program[0] = 0;
    return program;
}

struct wanted {
    uint64_t address;
    struct cs_module_about *about;
};

/* Ends with 1 at the module that is looked for. */
static int describe_module(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    const struct wanted *wanted = argument;
    struct cs_module_about *about = wanted->about;
    bool here = false;
    for (int i = 0; i < info->dlpi_phnum && !here; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        here = header->p_type == PT_LOAD &&
               wanted->address - (info->dlpi_addr + header->p_vaddr) < (uint64_t)header->p_memsz;
    }
    if (!here)
        return 0;
    char program[PATH_MAX];
    snprintf(about->path, sizeof about->path, "%s", cs_module_path(info, program));
    about->base = info->dlpi_addr;
    about->build_id[0] = '\0';
    for (int i = 0; i < info->dlpi_phnum && !about->build_id[0]; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            cs_module_build_id(info, &info->dlpi_phdr[i], about->build_id, sizeof about->build_id);
    return 1;
}

bool cs_module_describe(uint64_t address, struct cs_module_about *about)
{
    struct wanted wanted = {address, about};
    return dl_iterate_phdr(describe_module, &wanted) == 1;
}
