#include "cli/linked.h"

#include <stdio.h>
#include <string.h>

#include "cli/elf.h"
#include "cli/shell.h"

/* One line of what the dynamic linker lists: "name => path (address)", "name => not found", "path (address)". */
static bool read_line(char *line, struct cs_linked_library *library)
{
    char *name = line + strspn(line, "\t ");
    char *end = strrchr(name, '(');
    char *arrow = strstr(name, " => ");
    if (arrow) {
        *arrow = 0;
        char *path = arrow + strlen(" => ");
        path[strcspn(path, "\n")] = 0;
        if (end > path)
            end[-1] = 0;
        snprintf(library->name, sizeof library->name, "%s", name);
        snprintf(library->path, sizeof library->path, "%s", *path == '/' ? path : "");
        return true;
    }
    /* What was asked for by its path, and the dynamic linker itself; the kernel's part has no file. */
    if (*name != '/' || !end)
        return false;
    end[-1] = 0;
    snprintf(library->name, sizeof library->name, "%s", strrchr(name, '/') + 1);
    snprintf(library->path, sizeof library->path, "%s", name);
    return true;
}

bool cs_linked_libraries(const char *path, enum cs_linked_how how,
                         void (*visit)(void *context, const struct cs_linked_library *library), void *context)
{
    struct cs_elf self, elf;
    char linker[CS_SHELL_WORD_BYTES], subject[CS_SHELL_WORD_BYTES], line[2 * PATH_MAX];
    char command[2 * CS_SHELL_WORD_BYTES + 64];
    cs_elf_read("/proc/self/exe", &self);
    cs_elf_read(path, &elf);
    /* The linker of this very command, which is trusted, and not the one that a file names. */
    if (!elf.is_elf || elf.machine != self.machine || elf.is_64 != self.is_64 || !*self.interpreter)
        return false;
    /* With LD_BIND_NOW and LD_WARN it would run functions of the libraries: those that choose among others (IFUNC). */
    snprintf(command, sizeof command,
             "exec 2>/dev/null; unset LD_PRELOAD LD_BIND_NOW LD_WARN%s; LD_TRACE_LOADED_OBJECTS=1 exec %s %s",
             how == CS_LINKED_WITHOUT_LIBRARY_PATH ? " LD_LIBRARY_PATH" : "", cs_shell_word(self.interpreter, linker),
             cs_shell_word(path, subject));
    FILE *list = popen(command, "re");
    if (!list)
        return false;
    while (fgets(line, sizeof line, list)) {
        struct cs_linked_library library;
        if (read_line(line, &library))
            visit(context, &library);
    }
    return pclose(list) == 0;
}
