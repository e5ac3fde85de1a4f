#include "cli/launch/doctor_libraries.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/path.h"
#include "cli/launch/elf.h"
#include "cli/text/text.h"

/* Parses a line of the dynamic linker: "name => path (address)", "name => not found", "path (address)". */
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
    /* Paths without name: a library requested by path, or the dynamic linker itself. The kernel's part has no file. */
    if (*name != '/' || !end)
        return false;
    end[-1] = 0;
    snprintf(library->name, sizeof library->name, "%s", strrchr(name, '/') + 1);
    snprintf(library->path, sizeof library->path, "%s", name);
    return true;
}

bool cs_list_linked_libraries(const char *path, enum cs_linked_how how,
                              void (*visit)(void *context, const struct cs_linked_library *library), void *context)
{
    struct cs_elf self, elf;
    char linker[CS_SHELL_WORD_BYTES], subject[CS_SHELL_WORD_BYTES], line[2 * PATH_MAX];
    char command[2 * CS_SHELL_WORD_BYTES + 64];
    cs_elf_read("/proc/self/exe", &self);
    cs_elf_read(path, &elf);
    /* Uses the linker of this command, which is trusted, not the one that the file names. */
    if (!elf.is_elf || elf.machine != self.machine || elf.is_64 != self.is_64 || !*self.interpreter)
        return false;
    /* With LD_BIND_NOW and LD_WARN it would run functions of the libraries: resolvers of IFUNC symbols. */
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

/* ---- which may be loaded ---- */

struct folders {
    char **list; /* without symbolic links */
    size_t count, room;
};

static bool contains(const struct folders *folders, const char *path)
{
    for (size_t i = 0; i < folders->count; i++)
        if (strcmp(folders->list[i], path) == 0)
            return true;
    return false;
}

static void folders_add(struct folders *folders, const char *path)
{
    char *folder = realpath(path, NULL);
    if (folder && !contains(folders, folder) &&
        cs_array_grow(&folders->list, folders->count, &folders->room, sizeof *folders->list))
        folders->list[folders->count++] = folder;
    else
        free(folder);
}

static void drop(struct folders *folders)
{
    for (size_t i = 0; i < folders->count; i++)
        free(folders->list[i]);
    free(folders->list);
}

/* The folder of a file, without symbolic links. */
static bool folder_of(const char *file, char folder[PATH_MAX])
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s", file) >= sizeof path)
        return false;
    cs_path_to_folder(path);
    return realpath(path, folder) != NULL;
}

/* True if this folder or one above it belongs to another user, or others may write to it. `path` has no symbolic
   links. With the sticky bit, nobody can change entries of others. */
static bool others_can_change(const char *path, char *why, size_t size)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (;;) {
        struct stat about;
        if (stat(part, &about) != 0 || (about.st_uid != 0 && about.st_uid != geteuid())) {
            snprintf(why, size, "%s belongs to another user", part);
            return true;
        }
        if (about.st_mode & (S_IWGRP | S_IWOTH) && !(S_ISDIR(about.st_mode) && about.st_mode & S_ISVTX)) {
            snprintf(why, size, "others may write to %s", part);
            return true;
        }
        if (strcmp(part, "/") == 0)
            return false;
        cs_path_to_folder(part);
    }
}

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length] || folder[length - 1] == '/');
}

/* Calls visit() for each absolute path of a list separated by ':' or ';'. Relative ones depend on the current
   folder. */
static void each_absolute(const char *list, void (*visit)(void *context, const char *path), void *context)
{
    for (const char *at = list; at; at = *at ? at + 1 : NULL) {
        char path[PATH_MAX];
        const char *end = at + strcspn(at, ":;");
        int length = snprintf(path, sizeof path, "%.*s", (int)(end - at), at);
        if (*path == '/' && length < PATH_MAX && !strchr(path, '$'))
            visit(context, path);
        at = end;
    }
}

static void add_folder(void *context, const char *path)
{
    folders_add(context, path);
}

static void add_folder_of(void *context, const struct cs_linked_library *library)
{
    char folder[PATH_MAX];
    if (*library->path && folder_of(library->path, folder))
        folders_add(context, folder);
}

/* The search for a program's trusted folders. */
struct search {
    struct folders trusted;
    char program_folder[PATH_MAX];
};

static void add_named_by_program(void *context, const char *path)
{
    struct search *search = context;
    char folder[PATH_MAX], why[PATH_MAX + 64];
    if (realpath(path, folder) && !is_below(folder, search->program_folder) &&
        !others_can_change(folder, why, sizeof why))
        folders_add(&search->trusted, folder);
}

/* In the order of the dynamic linker: a trusted library comes before those that it names. */
static void add_named_by_library(void *context, const struct cs_linked_library *library)
{
    struct search *search = context;
    struct cs_elf elf;
    char folder[PATH_MAX], expanded[2 * PATH_MAX];
    if (!*library->path || !folder_of(library->path, folder) || !contains(&search->trusted, folder))
        return;
    cs_elf_read(library->path, &elf);
    each_absolute(elf.run_path, add_folder, &search->trusted);
    static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
    for (const char *at = elf.run_path; *at; at += strcspn(at, ":"), at += *at == ':')
        for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
            if (strncmp(at, origins[i], strlen(origins[i])) == 0) {
                const char *rest = at + strlen(origins[i]);
                snprintf(expanded, sizeof expanded, "%s%.*s", folder, (int)strcspn(rest, ":"), rest);
                folders_add(&search->trusted, expanded);
            }
}

bool cs_trusted_library(const char *library, const char *program, const char *trial, char *why, size_t size)
{
    struct search search = {.trusted = {.count = 0}};
    struct cs_elf elf;
    char folder[PATH_MAX];
    if (strpbrk(library, ":;$")) { /* the dynamic linker would parse other folders from it */
        snprintf(why, size, "its path has a character that LD_LIBRARY_PATH cannot hold");
        return false;
    }
    if (!folder_of(library, folder) || !realpath(program, search.program_folder)) {
        snprintf(why, size, "its folder cannot be read");
        return false;
    }
    cs_path_to_folder(search.program_folder);
    cs_list_linked_libraries(trial, CS_LINKED_WITHOUT_LIBRARY_PATH, add_folder_of, &search.trusted);
    each_absolute(getenv("LD_LIBRARY_PATH"), add_folder, &search.trusted);
    cs_elf_read(program, &elf);
    each_absolute(elf.run_path, add_named_by_program, &search);
    cs_list_linked_libraries(program, CS_LINKED_AS_IT_RUNS, add_named_by_library, &search);
    bool trusted = contains(&search.trusted, folder);
    if (!trusted && !others_can_change(folder, why, size))
        snprintf(why, size, "only the program itself names its folder");
    drop(&search.trusted);
    return trusted;
}
