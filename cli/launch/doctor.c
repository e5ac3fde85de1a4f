/* callsign doctor: which MPI a program has, what callsign will do with it, and what prevents a recording. */
#include <elf.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/known_mpi.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/path.h"
#include "base/shared_library.h"
#include "base/words.h"
#include "cli/command/command.h"
#include "cli/command/options.h"
#include "cli/command/program.h"
#include "cli/launch/detect_mpi.h"
#include "cli/launch/doctor_libraries.h"
#include "cli/launch/doctor_trial.h"
#include "cli/launch/elf.h"
#include "cli/launch/mpi_symbols.h"
#include "cli/launch/preload.h"
#include "cli/text/text.h"

static const char help[] = "Usage: callsign doctor [[--] PROGRAM [ARGUMENT...]]\n\n"
                           "Checks whether callsign can record a program. Prints which MPI the program uses\n"
                           "and how the linker finds it, which library of callsign fits, which routines for\n"
                           "names and attributes the MPI has, the limits of this MPI, and each problem with\n"
                           "its remedy. PROGRAM may be a launcher with a program, as for callsign run.\n"
                           "Without PROGRAM: checks the MPIs that this callsign was built for.\n\n"
                           "It does not run the program itself. It runs a small program of callsign, which\n"
                           "calls MPI_Init and MPI_Finalize of the same MPI library. It omits this trial if\n"
                           "only the program leads to the library ($ORIGIN), or if others can change its\n"
                           "folder.\n\n"
                           "Exit code: 1 if there is a problem, else 0.\n\n"
                           "  -h, --help  print this\n\n"
                           "Examples:\n"
                           "  callsign doctor -- mpirun -n 4 ./program\n"
                           "  callsign doctor\n";

/* ---- what is printed: a line for each thing that was found ---- */

static size_t problems;

static void print(const char *about, const char *format, va_list arguments)
{
    char text[3 * PATH_MAX];
    vsnprintf(text, sizeof text, format, arguments);
    printf("%-11s ", about);
    cs_text_put(stdout, text);
    putchar('\n');
}

/* Prints one line: a subject and a text. Terminal control characters are made visible. */
__attribute__((format(printf, 2, 3))) static void print_line(const char *about, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(about, format, arguments);
    va_end(arguments);
}

/* Prints something that keeps callsign from recording, and what to do about it. */
__attribute__((format(printf, 1, 2))) static void print_problem(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print("PROBLEM", format, arguments);
    va_end(arguments);
    problems++;
}

/* ---- the libraries of a program ---- */

struct libraries {
    const char *program;
    struct cs_linked_library mpi; /* the first library that is an MPI; empty name: none */
    const struct cs_known_mpi *known;
    bool several;    /* another MPI was found as well */
    bool linked;     /* the program is linked with callsign */
    bool inside;     /* a file that is no MPI library defines an MPI's names */
    bool in_program; /* the program itself defines them */
    bool renamed;    /* an MPI is inside, under its PMPI_ names */
    bool calls_past; /* some of its calls bypass callsign */
    unsigned taken;  /* number of callsign's functions that the program defines itself; calls go to its own */
    bool leads_on;   /* may load libraries or start programs later */
};

/* How much doctor can promise if nothing prevents a recording. */
enum scope {
    SCOPE_NOT_KNOWN, /* the MPI is known only when the program runs */
    SCOPE_NOT_TRIED, /* the MPI is known, but there was no trial */
    SCOPE_PARTLY,    /* some calls bypass callsign */
    SCOPE_WHOLE,
};

/* A library that has MPI functions itself and calls the MPI's passes calls on, like a profiler. The program's calls
   reach callsign before it, which is preloaded. */
static bool is_wrapper(const struct cs_mpi_symbols *symbols)
{
    return symbols->defined > 0 && symbols->called + symbols->called_pmpi > 0;
}

static void print_calls(const char *name, const struct cs_mpi_symbols *symbols)
{
    unsigned calls = symbols->called + symbols->weak;
    char c[32] = "", fortran[64] = "", weak[160] = "", pmpi[160] = "";
    if (calls)
        snprintf(c, sizeof c, "%u functions from C", calls);
    if (symbols->called_fortran)
        snprintf(fortran, sizeof fortran, "%s%u from Fortran (%s)", calls ? ", " : "", symbols->called_fortran,
                 symbols->fortran_f08 ? "mpi_f08" : "mpif.h or mpi");
    if (symbols->weak)
        snprintf(weak, sizeof weak, ", %u of them weak (%s)", symbols->weak, symbols->weak_example);
    if (symbols->called_pmpi)
        snprintf(pmpi, sizeof pmpi, "%s%u as PMPI_, which callsign does not see (%s)",
                 calls + symbols->called_fortran ? ", " : "", symbols->called_pmpi, symbols->pmpi_example);
    if (*c || *fortran || *pmpi)
        print_line("calls MPI", "%s: %s%s%s%s", name, c, weak, fortran, pmpi);
}

static void note_calls(struct libraries *libraries, const char *path)
{
    struct cs_mpi_symbols symbols;
    cs_mpi_symbols_read(path, &symbols);
    const char *name = cs_path_name(path);
    libraries->renamed = libraries->renamed || symbols.defined_pmpi;
    libraries->leads_on = libraries->leads_on || symbols.leads_on;
    if (is_wrapper(&symbols) && path != libraries->program) {
        print_line("wraps MPI", "%s passes calls of %u function%s on (%s%s); callsign comes before it", name,
                   symbols.defined, symbols.defined > 1 ? "s" : "", symbols.defined_example,
                   symbols.defined > 1 ? ", ..." : "");
        return;
    }
    if (symbols.defined > 0) {
        libraries->inside = true;
        print_line("calls MPI", "%s defines MPI functions itself: %u (%s%s)", name, symbols.defined,
                   symbols.defined_example, symbols.defined > 1 ? ", ..." : "");
    }
    print_calls(name, &symbols);
    libraries->calls_past = libraries->calls_past || symbols.called_pmpi;
}

static void visit_library(void *context, const struct cs_linked_library *library)
{
    struct libraries *libraries = context;
    if (!*library->path) {
        print_problem("%s is missing: set LD_LIBRARY_PATH, or load its module", library->name);
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
        if (libraries->program)
            libraries->taken += cs_count_taken_from_callsign(library->path, libraries->program);
        print_line("callsign", "the program is linked with it: %s", library->path);
    } else if (kind == CS_LIBRARY_MPI_TRANSLATOR) {
        libraries->inside = true;
        print_problem(
            "%s translates calls for another MPI, so they are not recorded: build the program for that MPI, or for the "
            "standard ABI",
            library->name);
    } else if (kind == CS_LIBRARY_OTHER || kind == CS_LIBRARY_MPI_BINDING) {
        note_calls(libraries, library->path);
    }
}

/* ---- callsign and the MPI ---- */

static void print_installation(const char *folder)
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
    print_line("callsign", "%s for %s, in %s", CALLSIGN_VERSION, *flavours ? flavours : "no MPI", folder);
    if (strpbrk(folder, ": "))
        print_problem("LD_PRELOAD takes no path with a space or a colon: install callsign elsewhere");
}

/* Checks whether the kernel will disable preloading for this file. */
static void check_privileges(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && about.st_mode & (S_ISUID | S_ISGID))
        print_problem(
            "the program is set%cid, so the dynamic linker does not preload callsign: record a copy without that bit",
            about.st_mode & S_ISUID ? 'u' : 'g');
    else if (getxattr(path, "security.capability", NULL, 0) > 0)
        print_problem(
            "the program has file capabilities, so nothing is preloaded: record a copy without them (setcap -r)");
}

/* Prints which routines for names and attributes are the MPI's own, as the recorder found. */
static void print_routines(const struct cs_trial *trial)
{
    char size[48] = "";
    if (trial->max_object_name > 1)
        snprintf(size, sizeof size, "; a name has up to %ld bytes", trial->max_object_name - 1);
    if (*trial->served)
        print_line("routines", "callsign's for %s, otherwise the MPI's%s", trial->served, size);
    else
        print_line("routines", "the MPI's for names and attributes%s", size);
}

/* Prints the result of a trial. Returns false if there was none. program: the file that names the MPI. */
static bool print_trial(const struct cs_known_mpi *known, const struct cs_linked_library *mpi, const char *program)
{
    struct cs_trial trial;
    char path[CS_TRIAL_PATH], why[PATH_MAX + 64];
    if (cs_launched_rank() >= 0) {
        print_line("trial", "skipped: a launcher started this command; run it without the launcher");
        return false;
    }
    if (cs_trial_program(known->flavour, path) && !cs_trusted_library(mpi->path, program, path, why, sizeof why)) {
        print_line("trial",
                   "skipped, because it would run code of %s: %s. If you trust that library, add its folder to "
                   "LD_LIBRARY_PATH and try again",
                   mpi->path, why);
        return false;
    }
    cs_trial_run(known->flavour, mpi->path, &trial);
    if (!trial.recorded) {
        print_problem("a small test program was not recorded: %s", *trial.trouble ? trial.trouble : "it left no trace");
        return true;
    }
    print_routines(&trial);
    if (trial.tag_ub)
        print_line("tags", "0 to %ld (MPI_TAG_UB); every MPI guarantees 32767", trial.tag_ub);
    print_line("trial", "MPI_Init and MPI_Finalize of a small program were recorded: %s", trial.mpi);
    return true;
}

static enum scope print_mpi(const char *folder, const struct libraries *libraries, const char *program)
{
    const struct cs_known_mpi *known = libraries->known;
    char path[PATH_MAX + 64];
    print_line("MPI", "%s: %s, which is %s", known ? known->title : "unknown", libraries->mpi.name,
               libraries->mpi.path);
    if (libraries->several)
        print_problem("the program needs several MPIs at the same time: callsign records only one, and such programs "
                      "rarely work");
    if (!known) {
        print_problem("callsign does not know this MPI: build callsign for it (-DCALLSIGN_MPICC=its mpicc)");
        return SCOPE_NOT_TRIED;
    }
    snprintf(path, sizeof path, "%s/libcallsign-%s.so", folder, known->flavour);
    if (access(path, R_OK) != 0) {
        print_problem("this callsign was built without %s: build it with that mpicc (-DCALLSIGN_MPICC=...)",
                      known->title);
        return SCOPE_NOT_TRIED;
    }
    print_line("served by", "libcallsign-%s.so", known->flavour);
    struct cs_passed_on others;
    char *called = cs_list_passed_on_calls(path, libraries->mpi.path, program, &others);
    bool partly = called != NULL;
    if (called)
        print_line("note", "the program calls functions that this callsign does not record: %s", called);
    if (others.count)
        print_line(
            "note",
            "this callsign does not record %u %sfunction%s of this MPI (%s%s). A callsign that was built with this "
            "MPI records those of the standard",
            others.count, called ? "other " : "", others.count > 1 ? "s" : "", others.example,
            others.count > 1 ? ", ..." : "");
    free(called);
    if (!print_trial(known, &libraries->mpi, program))
        return SCOPE_NOT_TRIED;
    return partly ? SCOPE_PARTLY : SCOPE_WHOLE;
}

/* ---- the launcher ---- */

/* The MPI whose launcher starts the processes of the program's MPI; NULL: unknown. MPICH may be built for PMIx. */
static const char *launched_like(const struct libraries *libraries)
{
    const char *flavour = libraries->known ? libraries->known->flavour : "";
    bool is_openmpi = strcmp(flavour, "openmpi") == 0;
    bool is_mpich = strcmp(flavour, "mpich") == 0 && !cs_needs_pmix(libraries->mpi.path);
    return is_openmpi || is_mpich ? libraries->known->title : NULL;
}

static void check_launcher(const char *launcher, const struct libraries *libraries)
{
    const char *of_mpi = launched_like(libraries), *of_launcher = *launcher ? cs_mpi_of_launcher(launcher) : NULL;
    if (!of_mpi || !of_launcher || strcmp(of_mpi, of_launcher) == 0)
        return;
    print_problem(
        "%s is the launcher of %s, but the program uses %s: each process would be a job of one rank. Use the launcher "
        "of its MPI",
        launcher, of_launcher, of_mpi);
}

/* ---- the program ---- */

/* True if the words behind env remove LD_PRELOAD. The program's own words end them. */
static bool removes_preload(char *const *word, const bool *own)
{
    bool removed = false;
    for (; *word && !*own; word++, own++) {
        removed = removed || strcmp(*word, "-") == 0 || strcmp(*word, "-i") == 0 ||
                  strcmp(*word, "--ignore-environment") == 0 || strcmp(*word, "--unset=LD_PRELOAD") == 0 ||
                  strcmp(*word, "-uLD_PRELOAD") == 0 ||
                  (strcmp(*word, "-u") == 0 && word[1] && strcmp(word[1], "LD_PRELOAD") == 0);
        if (strncmp(*word, "LD_PRELOAD=", strlen("LD_PRELOAD=")) == 0)
            return false; /* callsign run adds its library there */
    }
    return removed;
}

/* ---- what is preloaded ---- */

static bool is_shell(const char *path)
{
    static const char *const names[] = {"sh", "bash", "dash", "zsh", "ksh"};
    return cs_is_one_of(cs_path_name(path), names, sizeof names / sizeof *names);
}

/* Prints what callsign run makes of a list of libraries. from: where the list is. */
static void print_preloads(const char *list, const char *from)
{
    char copy[4 * PATH_MAX], *rest = NULL;
    const char *before = NULL; /* a wrapper in front of callsign */
    snprintf(copy, sizeof copy, "%s", list);
    for (char *path = strtok_r(copy, ": ", &rest); path; path = strtok_r(NULL, ": ", &rest)) {
        struct cs_mpi_symbols symbols;
        if (cs_library_kind_of(path) == CS_LIBRARY_CALLSIGN) {
            if (before)
                print_problem("%s has %s before callsign, so that no call reaches callsign: put callsign first, or use "
                              "callsign run",
                              from, before);
            continue;
        }
        if (strchr(path, '/') && access(path, R_OK) != 0) {
            print_line("note", "%s names %s, which cannot be read: the dynamic linker leaves it out", from, path);
            continue;
        }
        cs_mpi_symbols_read(path, &symbols);
        if (!is_wrapper(&symbols))
            continue;
        before = cs_path_name(path);
        print_line("wraps MPI", "%s, preloaded by %s, passes calls on; callsign run comes before it", before, from);
    }
}

/* Prints the libraries that a word of the command line preloads. merged: the word as callsign run passes it. */
static void check_word(const char *word, const char *merged, const char *before)
{
    const char *list = strstr(word, "LD_PRELOAD=");
    if (!list && strcmp(before, "LD_PRELOAD") != 0)
        return;
    list = list ? list + strlen("LD_PRELOAD=") : word;
    if (merged && strstr(merged, "libcallsign")) {
        char copy[4 * PATH_MAX];
        snprintf(copy, sizeof copy, "%.*s", (int)strcspn(list, ",;"), list);
        print_preloads(copy, "the command line");
    } else if (!strstr(list, "$LD_PRELOAD") && !strstr(list, "${LD_PRELOAD")) {
        print_problem("%s replaces LD_PRELOAD, so that callsign is not loaded: put callsign's library first there",
                      word);
    }
}

/* AddressSanitizer's runtime ends a program if another library is preloaded; callsign run tells it not to. */
static void check_sanitizer(const char *program)
{
    const char *preloads = getenv("LD_PRELOAD"), *options = getenv("ASAN_OPTIONS");
    if (!cs_elf_checks_order(program) || (options && strstr(options, CS_ASAN_ANY_ORDER)))
        return;
    if (preloads && strstr(preloads, "libcallsign"))
        print_problem(
            "AddressSanitizer ends the program, since callsign is preloaded: set ASAN_OPTIONS=%s, or use callsign "
            "run",
            CS_ASAN_ANY_ORDER);
    else
        print_line("note",
                   "AddressSanitizer: callsign run sets ASAN_OPTIONS=%s; with LD_PRELOAD alone, set it yourself",
                   CS_ASAN_ANY_ORDER);
}

static void check_environment(char **arguments)
{
    size_t count = 0;
    while (arguments[count])
        count++;
    bool *own = cs_detect_program_words(arguments, count);
    char **merged = cs_preload_merge(arguments);
    if (getenv("LD_PRELOAD"))
        print_preloads(getenv("LD_PRELOAD"), "LD_PRELOAD");
    for (size_t i = 1; own && i < count; i++) {
        bool of_shell = strcmp(arguments[i - 1], "-c") == 0 && i > 1 && is_shell(arguments[i - 2]);
        if (!own[i] || of_shell)
            check_word(arguments[i], of_shell ? NULL : merged[i], own[i - 1] ? "" : arguments[i - 1]);
    }
    for (size_t i = 0; own && i < count; i++)
        if (!own[i] && strcmp(cs_path_name(arguments[i]), "env") == 0 &&
            removes_preload(arguments + i + 1, own + i + 1))
            print_problem("env removes LD_PRELOAD, so callsign does not reach the program: leave out -i or -u");
    free(own);
}

/* Advice for a program whose MPI calls callsign cannot intercept. */
static const char inside[] = "the program is linked statically with its MPI: link it with callsign (docs/fallback.md)";

static enum scope examine_program(const char *folder, const char *path, char **arguments)
{
    struct cs_detected detected;
    struct cs_elf elf;
    struct libraries libraries = {0};
    cs_detect_mpi(path, arguments, &detected);
    const char *program = *detected.program ? detected.program : path;
    print_line("program", "%s", program);
    check_environment(arguments);
    if (!*detected.program) {
        print_line(
            "MPI",
            "unknown until it runs: no argument is a program on this machine. libcallsign.so is preloaded and chooses "
            "at the first call");
        return SCOPE_NOT_KNOWN;
    }
    cs_elf_read(program, &elf);
    if (!elf.is_elf) {
        print_line("MPI", "unknown until it runs: a script. libcallsign.so is preloaded and chooses at the first call");
        return SCOPE_NOT_KNOWN;
    }
    if (detected.is_static && cs_elf_contains(program, CS_CONVERT_LIBRARY)) {
        print_line("callsign", "linked into the program: it is recorded, and the commands convert its journals");
        return SCOPE_WHOLE;
    }
    libraries.program = program;
    check_privileges(program);
    check_sanitizer(program);
    if (*elf.interpreter && access(elf.interpreter, X_OK) != 0) {
        print_problem("the program cannot start here: its dynamic linker %s is missing", elf.interpreter);
        return SCOPE_NOT_KNOWN;
    }
    note_calls(&libraries, program);
    libraries.in_program = libraries.inside;
    if (detected.is_static) {
        if (libraries.inside)
            print_problem("%s", inside);
        else
            print_problem("the program is linked statically, so nothing can be preloaded: link it dynamically, or with "
                          "callsign if it uses a static MPI (docs/fallback.md)");
        return SCOPE_NOT_KNOWN;
    }
    if (!cs_list_linked_libraries(program, CS_LINKED_AS_IT_RUNS, visit_library, &libraries)) {
        print_problem("the dynamic linker of this machine cannot load the program: was it built for another machine?");
        return SCOPE_NOT_KNOWN;
    }
    if (libraries.in_program && libraries.linked && libraries.renamed && !libraries.taken)
        print_line("note", "callsign does not know those functions and does not record them");
    else if (libraries.in_program && !*libraries.mpi.name)
        print_problem("%s", inside);
    else if (libraries.in_program)
        print_line(
            "note",
            "calls of those functions stay in the program, and are recorded only if it forwards them by their MPI_ "
            "names");
    if (libraries.calls_past)
        print_line("note", "no tool sees calls of PMPI_ functions; only the program can change that");
    if (*libraries.mpi.name) {
        check_launcher(detected.launcher, &libraries);
        enum scope scope = print_mpi(folder, &libraries, program);
        return scope == SCOPE_WHOLE && (libraries.calls_past || libraries.in_program) ? SCOPE_PARTLY : scope;
    }
    if (libraries.linked && libraries.renamed) {
        print_line("MPI", "linked into the program; callsign calls its PMPI_ functions");
        return SCOPE_WHOLE;
    }
    if (libraries.inside)
        return SCOPE_NOT_KNOWN;
    if (libraries.leads_on)
        print_line("MPI",
                   "none among its libraries. One that it loads later (dlopen, as in Python) is recorded, and so are "
                   "programs that it starts");
    else
        print_problem("the program uses no MPI: it links none, loads no library and starts no program");
    return SCOPE_NOT_KNOWN;
}

/* The flavours' MPIs, as the dynamic linker finds them for callsign itself. */
static enum scope examine_flavours(const char *folder)
{
    enum scope least = SCOPE_WHOLE;
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
        /* One flavour serves all implementations of the standard ABI and depends on none; its trial depends on one. */
        char trial[CS_TRIAL_PATH];
        const char *needs_it = cs_trial_program(cs_known_mpis[i].flavour, trial) ? trial : path;
        enum scope scope = SCOPE_WHOLE;
        if (cs_list_linked_libraries(needs_it, CS_LINKED_AS_IT_RUNS, visit_library, &libraries) && *libraries.mpi.name)
            scope = print_mpi(folder, &libraries, needs_it);
        else
            print_problem("no library of %s was found", cs_known_mpis[i].title);
        if (scope < least)
            least = scope;
    }
    return least;
}

int cmd_doctor(int argc, char **argv)
{
    int stopped = cs_options_only_help(argc, argv, "+", help);
    if (stopped >= 0)
        return stopped;
    char folder[PATH_MAX], *path = NULL;
    int failed = optind < argc ? cs_program_find(argv[optind], &path) : 0;
    if (failed)
        return CS_EXIT_TROUBLE;
    if (!cs_libraries_folder(folder)) {
        cs_log("cannot find callsign's libraries beside the command; install it again");
        free(path);
        return CS_EXIT_TROUBLE;
    }
    print_installation(folder);
    static const char *const verdicts[] = {
        [SCOPE_NOT_KNOWN] = "No problem was found. The MPI is known only when the program runs.",
        [SCOPE_NOT_TRIED] = "No problem was found, but the trial was skipped.",
        [SCOPE_PARTLY] = "No problem was found, but some calls are not recorded: see the notes above.",
        [SCOPE_WHOLE] = "No problem was found: callsign can record.",
    };
    enum scope scope = path ? examine_program(folder, path, argv + optind) : examine_flavours(folder);
    free(path);
    putchar('\n');
    puts(problems ? "Problems were found: see above." : verdicts[scope]);
    int written = cs_command_close_output(stdout, NULL);
    return problems ? CS_EXIT_TROUBLE : written;
}
