/* callsign doctor: which MPI a program has, what callsign will do with it, and what stands in the way. */
#include <elf.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/known_mpi.h"
#include "base/launched.h"
#include "base/library_kind.h"
#include "base/log.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/detect_mpi.h"
#include "cli/elf.h"
#include "cli/libraries.h"
#include "cli/linked.h"
#include "cli/mpi_symbols.h"
#include "cli/passed_on.h"
#include "cli/program.h"
#include "cli/text.h"
#include "cli/trial.h"

static const char help[] =
    "Usage: callsign doctor [[--] PROGRAM [ARGUMENT...]]\n\n"
    "Says which MPI a program uses and how that is known, which part of callsign serves it, which routines for names\n"
    "and attributes are the MPI's own, the limits of this MPI, and what would keep callsign from recording it, with\n"
    "what to do about it. The program is not run: a small one that begins and ends MPI is, under the recorder. "
    "PROGRAM\n"
    "may be a launcher with a program, as for callsign run. Without one: the MPIs that this callsign was built for.\n\n"
    "Exit code: 0 if calls of MPI will be recorded, 1 if something stands in the way.\n\n"
    "  -h, --help  print this\n\n"
    "Examples:\n"
    "  callsign doctor -- mpirun -n 4 ./program\n"
    "  callsign doctor\n";

/* ---- the page ---- */

static size_t hindrances;

/* One line: what it is about, and text that holds nothing for a terminal to obey. */
static void tell(const char *about, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell(const char *about, const char *format, ...)
{
    char text[3 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("%-11s ", about);
    cs_text_put(stdout, text);
    putchar('\n');
}

/* Something that keeps callsign from recording, and what to do about it. */
#define hinder(...) (hindrances++, tell("PROBLEM", __VA_ARGS__))

/* ---- the libraries of a program ---- */

struct libraries {
    struct cs_linked_library mpi; /* the first that is an MPI; its name is empty: there is none */
    const struct cs_known_mpi *known;
    bool several;    /* another MPI was found, too */
    bool linked;     /* callsign is among them */
    bool inside;     /* an MPI's names are defined by a file that is no MPI library */
    bool renamed;    /* an MPI is inside by its PMPI_ names */
    bool calls_pmpi; /* PMPI_ names are called past callsign */
};

static void note_calls(struct libraries *libraries, const char *path)
{
    struct cs_mpi_symbols symbols;
    cs_mpi_symbols_read(path, &symbols);
    const char *name = cs_path_name(path);
    if (symbols.defined > 0) {
        libraries->inside = true;
        tell("calls MPI", "%s has %u functions of MPI itself (%s, ...)", name, symbols.defined,
             symbols.defined_example);
        return;
    }
    libraries->renamed = libraries->renamed || symbols.defined_pmpi;
    unsigned calls = symbols.called + symbols.weak;
    if (calls + symbols.called_fortran + symbols.called_pmpi == 0)
        return;
    char fortran[64] = "", weak[160] = "", pmpi[160] = "";
    if (symbols.called_fortran)
        snprintf(fortran, sizeof fortran, "%s%u from Fortran (%s)", calls ? ", " : "", symbols.called_fortran,
                 symbols.fortran_f08 ? "mpi_f08" : "mpif.h or mpi");
    if (symbols.weak)
        snprintf(weak, sizeof weak, ", %u of them if there (%s)", symbols.weak, symbols.weak_example);
    if (symbols.called_pmpi)
        snprintf(pmpi, sizeof pmpi, "%s%u as PMPI_ past callsign (%s)", calls + symbols.called_fortran ? ", " : "",
                 symbols.called_pmpi, symbols.pmpi_example);
    char c[32] = "";
    if (calls)
        snprintf(c, sizeof c, "%u functions from C", calls);
    tell("calls MPI", "%s: %s%s%s%s", name, c, weak, fortran, pmpi);
    libraries->calls_pmpi = libraries->calls_pmpi || symbols.called_pmpi;
}

static void visit_library(void *context, const struct cs_linked_library *library)
{
    struct libraries *libraries = context;
    if (!*library->path) {
        hinder("%s is needed and not found: set LD_LIBRARY_PATH, or load the module that brings it", library->name);
        return;
    }
    enum cs_library_kind kind = cs_library_kind_of(library->name);
    const struct cs_known_mpi *known = cs_known_mpi_of(library->name);
    if (known || kind == CS_LIBRARY_MPI) {
        libraries->several = libraries->several || *libraries->mpi.name;
        if (!*libraries->mpi.name) {
            libraries->mpi = *library;
            libraries->known = known;
        }
    } else if (kind == CS_LIBRARY_CALLSIGN) {
        libraries->linked = true;
        tell("callsign", "the program is linked with it: %s", library->path);
    } else if (kind == CS_LIBRARY_MPI_TRANSLATOR) {
        libraries->inside = true;
        hinder("%s translates for another MPI, with handles of its own: calls are not recorded; build the program for "
               "that MPI, or for the standard ABI",
               library->name);
    } else if (kind == CS_LIBRARY_OTHER || kind == CS_LIBRARY_MPI_BINDING) {
        note_calls(libraries, library->path);
    }
}

/* ---- what is told ---- */

static void tell_itself(const char *folder)
{
    char flavours[256] = "";
    for (size_t i = 0, used = 0; i < cs_known_mpis_count; i++) {
        char path[PATH_MAX + 64], word[80];
        snprintf(path, sizeof path, "%s/libcallsign-%s.so", folder, cs_known_mpis[i].flavour);
        int length = snprintf(word, sizeof word, "%s%s", used ? ", " : "", cs_known_mpis[i].title);
        if (access(path, R_OK) != 0 || strstr(flavours, cs_known_mpis[i].title) ||
            used + (size_t)length >= sizeof flavours)
            continue;
        memcpy(flavours + used, word, (size_t)length + 1);
        used += (size_t)length;
    }
    tell("callsign", "%s for %s, in %s", CALLSIGN_VERSION, *flavours ? flavours : "no MPI", folder);
    if (strpbrk(folder, ": "))
        hinder("LD_PRELOAD takes no path with a space or a colon: install callsign elsewhere");
}

/* Whether the kernel will tell the dynamic linker to preload nothing. */
static void check_privileges(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && about.st_mode & (S_ISUID | S_ISGID))
        hinder(
            "the program is set%cid: the dynamic linker preloads nothing from elsewhere into it; copy it without that",
            about.st_mode & S_ISUID ? 'u' : 'g');
    else if (getxattr(path, "security.capability", NULL, 0) > 0)
        hinder("the program has capabilities of its own: nothing is preloaded into it; copy it without (setcap -r)");
}

/* Which routines for names and attributes are the MPI's own, as the recorder itself found. */
static void tell_names(const struct cs_trial *trial)
{
    char size[48] = "";
    if (trial->max_object_name > 1)
        snprintf(size, sizeof size, "; a name has up to %ld bytes", trial->max_object_name - 1);
    if (*trial->served)
        tell("routines", "callsign's own for %s, else the MPI's%s", trial->served, size);
    else
        tell("routines", "the MPI's own for names and attributes%s", size);
}

static void tell_trial(const struct cs_known_mpi *known, const struct cs_linked_library *mpi)
{
    struct cs_trial trial;
    if (cs_launched_rank() >= 0) {
        tell("trial", "left out: a launcher started this command; ask without it");
        return;
    }
    cs_trial_run(known->flavour, mpi->path, &trial);
    if (!trial.recorded) {
        hinder("a small program that begins and ends MPI was not recorded: %s",
               *trial.trouble ? trial.trouble : "it left no trace");
        return;
    }
    tell_names(&trial);
    if (trial.tag_ub)
        tell("tags", "0 to %ld (MPI_TAG_UB); every MPI guarantees 32767", trial.tag_ub);
    tell("trial", "MPI_Init and MPI_Finalize of a small program were recorded: %s", trial.mpi);
}

static void tell_mpi(const char *folder, const struct libraries *libraries)
{
    const struct cs_known_mpi *known = libraries->known;
    char path[PATH_MAX + 64];
    tell("MPI", "%s: %s, which is %s", known ? known->title : "unknown", libraries->mpi.name, libraries->mpi.path);
    if (libraries->several)
        hinder("libraries of several MPIs are needed at the same time: only one can be recorded, and programs with two "
               "rarely work");
    if (!known) {
        hinder("callsign does not know this MPI: build it for that (-DCALLSIGN_MPICC=its mpicc)");
        return;
    }
    snprintf(path, sizeof path, "%s/libcallsign-%s.so", folder, known->flavour);
    if (access(path, R_OK) != 0) {
        hinder("this callsign was built without %s: build it where its mpicc is (-DCALLSIGN_MPICC=...)", known->title);
        return;
    }
    tell("served by", "libcallsign-%s.so", known->flavour);
    char *unknown = cs_passed_on(path);
    if (unknown)
        tell("note", "calls of these are not recorded, because callsign does not know them: %s", unknown);
    free(unknown);
    tell_trial(known, &libraries->mpi);
}

static void examine_program(const char *folder, const char *path, char *const arguments[])
{
    struct cs_detected detected;
    struct cs_elf elf;
    struct libraries libraries = {0};
    cs_detect_mpi(path, arguments, &detected);
    const char *program = *detected.program ? detected.program : path;
    tell("program", "%s", program);
    cs_elf_read(program, &elf);
    if (!elf.is_elf) {
        tell("MPI", "not known before it runs: a script. libcallsign.so is preloaded, and chooses at the first call");
        return;
    }
    check_privileges(program);
    note_calls(&libraries, program);
    if (libraries.inside)
        hinder("the program has its MPI inside (linked statically): link it with callsign, as docs/fallback.md says");
    if (detected.is_static) {
        if (!libraries.inside)
            hinder("the program is linked statically: nothing can be preloaded into it; link it dynamically, or with "
                   "callsign");
        return;
    }
    if (!cs_linked_libraries(program, visit_library, &libraries)) {
        hinder("the dynamic linker of this machine cannot load the program: is it for another machine?");
        return;
    }
    if (libraries.calls_pmpi)
        tell("note", "calls as PMPI_ are not seen by any tool; nothing can be done about it but in the program");
    if (*libraries.mpi.name)
        tell_mpi(folder, &libraries);
    else if (libraries.linked && libraries.renamed)
        tell("MPI", "inside the program, by its PMPI_ names, for callsign to call");
    else if (!libraries.inside)
        tell("MPI", "none among its libraries: if it loads one later (dlopen, as Python does), that one is recorded");
}

/* The MPIs of the flavours, as the dynamic linker finds them for callsign itself. */
static void examine_flavours(const char *folder)
{
    for (size_t i = 0; i < cs_known_mpis_count; i++) {
        char path[PATH_MAX + 64];
        struct libraries libraries = {0};
        snprintf(path, sizeof path, "%s/libcallsign-%s.so", folder, cs_known_mpis[i].flavour);
        bool seen = false;
        for (size_t before = 0; before < i; before++)
            seen = seen || strcmp(cs_known_mpis[before].flavour, cs_known_mpis[i].flavour) == 0;
        if (seen || !*cs_known_mpis[i].soname || access(path, R_OK) != 0)
            continue;
        putchar('\n');
        /* One flavour serves several implementations of the standard ABI and needs none; its trial does. */
        char trial[CS_TRIAL_PATH];
        const char *needs_it = cs_trial_program(cs_known_mpis[i].flavour, trial) ? trial : path;
        if (cs_linked_libraries(needs_it, visit_library, &libraries) && *libraries.mpi.name)
            tell_mpi(folder, &libraries);
        else
            hinder("no library of %s was found", cs_known_mpis[i].title);
    }
}

int cmd_doctor(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    int option = getopt_long(argc, argv, "+h", options, NULL);
    if (option != -1)
        return option == 'h' ? cs_command_help(help) : cs_command_usage("doctor");
    char folder[PATH_MAX], *path = NULL;
    int failed = optind < argc ? cs_program_find(argv[optind], &path) : 0;
    if (failed)
        return CS_EXIT_TROUBLE;
    if (!cs_libraries_folder(folder)) {
        cs_log("cannot find callsign's libraries beside the command; install it again");
        free(path);
        return CS_EXIT_TROUBLE;
    }
    tell_itself(folder);
    if (path)
        examine_program(folder, path, argv + optind);
    else
        examine_flavours(folder);
    free(path);
    putchar('\n');
    puts(hindrances ? "Something stands in the way of a recording." : "Nothing stands in the way of a recording.");
    int written = cs_command_close_output(stdout, NULL);
    return hindrances ? CS_EXIT_TROUBLE : written;
}
