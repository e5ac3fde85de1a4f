#include "record/recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/keep_errno.h"
#include "base/log.h"
#include "base/settings.h"
#include "db/journal/node_local.h"
#include "record/private_library.h"
#include "record/bypass.h"
#include "record/leak_warning.h"
#include "record/naming.h"
#include "record/object.h"
#include "record/run_folder.h"
#include "record/stack.h"

enum { ATTEMPTS_MAX = 1000, PLACES_MAX = 16 };

/* Facts and cells. They take about 100 ms: a seal does 800,000 to 1,900,000 a second (bench/seal.py). To wait longer
   in MPI_Finalize would be felt, so what is more is left to the command. */
#define MOST_SEALED_AT_ONCE 100000u

struct cs_recorder cs_recorder;

static char folder[PATH_MAX];
static struct cs_run_request request;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of both, and of the choice of a name */

/* ---- about the process ---- */

/* Everything the file has, at most size - 1 bytes; the number of bytes. */
static size_t read_file(const char *path, char *text, size_t size)
{
    size_t used = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t got;
        while (used < size - 1 && (got = read(fd, text + used, size - 1 - used)) > 0)
            used += (size_t)got;
        close(fd);
    }
    text[used] = '\0';
    return used;
}

/* Field 22 of /proc/self/stat. The name in field 2 may hold anything, so count from its closing parenthesis. */
static uint64_t process_start(void)
{
    char text[2048];
    read_file("/proc/self/stat", text, sizeof text);
    const char *at = strrchr(text, ')');
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

static void note_process(const char *flavour)
{
    struct utsname system;
    if (uname(&system) == 0)
        cs_journal_note(cs_recorder.journal, "node", system.nodename);
    char text[PATH_MAX + 4096];
    ssize_t length = readlink("/proc/self/exe", text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    cs_journal_note(cs_recorder.journal, "program", text);
    size_t used = read_file("/proc/self/cmdline", text, sizeof text);
    for (size_t i = 0; i + 1 < used; i++)
        if (!text[i])
            text[i] = ' ';
    cs_journal_note(cs_recorder.journal, "arguments", text);
    if (getcwd(text, sizeof text))
        cs_journal_note(cs_recorder.journal, "working_directory", text);
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        cs_journal_note(cs_recorder.journal, "started_utc", text);
    cs_journal_note(cs_recorder.journal, "callsign", CS_VERSION);
    cs_journal_note(cs_recorder.journal, "flavour", flavour);
    for (size_t i = 0; i < cs_settings_count; i++) {
        char key[64];
        snprintf(key, sizeof key, "config.%s", cs_settings[i].name);
        cs_journal_note(cs_recorder.journal, key, cs_setting_text((enum cs_setting_id)i));
    }
}

/* ---- the life of the recording ---- */

bool cs_recorder_start(uint32_t handle_bytes, const char *flavour)
{
    cs_settings_read();
    if (cs_setting_is(CS_SETTING_RECORD, "off"))
        return false;
    if (cs_journal_create(cs_setting_is(CS_SETTING_CLOCK, "monotonic"), &cs_recorder.journal) != CS_OK ||
        !cs_object_start(handle_bytes)) {
        cs_log("no memory to begin: nothing is recorded, the program runs on");
        return false;
    }
    struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    header->process_start = process_start();
    note_process(flavour);
    cs_stack_start();
    cs_leak_warning_start();
    cs_naming_start();
    cs_recorder.on = true;
    return true;
}

void cs_recorder_give_up(const char *what, const char *why)
{
    cs_recorder.on = false;
    cs_log("nothing is recorded, the program runs on: %s: %s", what, why);
}

/* The folder, and in it a file of this name that no earlier run left there. */
static void choose_folder(void)
{
    uint64_t run_hash = 0;
    enum cs_status status = cs_run_folder(&request, folder, sizeof folder, &run_hash);
    if (status == CS_OK) {
        cs_journal_header(cs_recorder.journal)->run_hash = run_hash;
        return;
    }
    const char *why = status == CS_IO ? strerror(errno) : cs_status_text(status);
    cs_recorder_give_up(request.run && *request.run ? request.run : request.output, why);
}

/* On storage of the node, if the user names a folder there. False: not so; if that was wanted, one line says why. */
static bool save_elsewhere(const char *path)
{
    const char *wanted = cs_setting_text(CS_SETTING_JOURNAL);
    char place[PATH_MAX], file[PATH_MAX];
    if (!*wanted)
        return false;
    uint64_t run_hash = cs_journal_header(cs_recorder.journal)->run_hash;
    bool again = realpath(wanted, place) != NULL;
    for (unsigned attempt = 0; again && attempt < PLACES_MAX; attempt++) {
        errno = ENAMETOOLONG;
        if (cs_node_local_name(place, run_hash, attempt, file) &&
            cs_journal_save(cs_recorder.journal, path, file) == CS_OK)
            return true;
        again = errno == EEXIST;
    }
    cs_log("the journal lies in the run's folder and not in %s: %s", wanted, strerror(errno));
    return false;
}

static void save_locked(void)
{
    if (!cs_recorder.on || cs_journal_in_file(cs_recorder.journal))
        return;
    request.output = cs_setting_text(CS_SETTING_OUTPUT);
    request.run = cs_setting_text(CS_SETTING_RUN);
    choose_folder();
    if (!cs_recorder.on)
        return;
    char path[PATH_MAX], node[_POSIX_HOST_NAME_MAX + 1] = "";
    gethostname(node, sizeof node - 1);
    int length = snprintf(path, sizeof path, "%s/process-%s-%d.journal", folder, node, (int)getpid());
    if (length < 0 || (size_t)length >= sizeof path) {
        cs_recorder_give_up(folder, strerror(ENAMETOOLONG));
        return;
    }
    if (!save_elsewhere(path) && cs_journal_save(cs_recorder.journal, path, NULL) != CS_OK)
        cs_recorder_give_up(path, strerror(errno));
}

/* Several threads may open their first session at the same time. */
void cs_recorder_save(void)
{
    CS_KEEP_ERRNO;
    if (!cs_recorder.on)
        return;
    pthread_mutex_lock(&lock);
    save_locked();
    pthread_mutex_unlock(&lock);
}

int cs_recorder_launched_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        char *end;
        long rank = text ? strtol(text, &end, 10) : -1;
        if (rank >= 0 && rank < INT_MAX && !*end)
            return (int)rank;
    }
    return -1;
}

static bool file_exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* rank-00012.journal, unless the folder has traces of this rank from another run: then the next folder. */
static bool name_by_rank(int rank)
{
    for (; request.attempt < ATTEMPTS_MAX; request.attempt++) {
        char path[PATH_MAX + 32], sealed[PATH_MAX + 32];
        if (request.attempt)
            choose_folder();
        if (!cs_recorder.on)
            return true;
        snprintf(path, sizeof path, "%s/rank-%05d.journal", folder, rank);
        snprintf(sealed, sizeof sealed, "%s/rank-%05d.db", folder, rank);
        if (file_exists(sealed))
            continue;
        if (cs_journal_rename(cs_recorder.journal, path) == CS_OK)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

void cs_recorder_world(int rank, int size)
{
    if (!cs_recorder.on)
        return;
    pthread_mutex_lock(&lock);
    struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    bool named = header->rank >= 0;
    if (rank < 0)
        rank = named ? header->rank : cs_recorder_launched_rank();
    header->rank = rank < 0 ? 0 : rank;
    header->size = size;
    if (!named && !name_by_rank(header->rank))
        cs_log("%s keeps its name: %s", cs_journal_path(cs_recorder.journal), strerror(errno));
    pthread_mutex_unlock(&lock);
}

/* From storage of the node into the run's folder: whoever seals it may be on another node. */
static void bring(void)
{
    if (cs_journal_bring(cs_recorder.journal) != CS_OK)
        cs_log("%s stays on this node, `callsign seal` here makes a trace of it: %s",
               cs_journal_path(cs_recorder.journal), strerror(errno));
}

void cs_recorder_outcome(enum cs_outcome outcome)
{
    if (!cs_recorder.journal || cs_journal_header(cs_recorder.journal)->outcome != CS_OUTCOME_RUNNING)
        return;
    cs_journal_tick(cs_recorder.journal);
    cs_journal_header(cs_recorder.journal)->outcome = outcome;
    if (outcome != CS_OUTCOME_FINALIZED && *cs_setting_text(CS_SETTING_JOURNAL)) {
        bring();
        cs_recorder.on = false; /* what follows would go into the file that was left */
    }
}

/* SQLite comes into the program only now, in a library that lies beside this one and that nobody else sees. Whoever is
   killed meanwhile has not ended well, although MPI has. */
static void seal(struct cs_journal_header *header)
{
    char journal[PATH_MAX], trace[PATH_MAX + 8];
    snprintf(journal, sizeof journal, "%s", cs_journal_path(cs_recorder.journal));
    snprintf(trace, sizeof trace, "%.*s.db", (int)(strlen(journal) - strlen(".journal")), journal);
    int (*run)(const char *, const char *, unsigned);
    *(void **)&run = cs_private_library_open("libcallsign-seal.so", "callsign_seal");
    if (!run) {
        cs_log("%s stays as it is, `callsign seal` makes a trace of it: %s", journal, dlerror());
        return;
    }
    uint32_t outcome = header->outcome;
    header->outcome = CS_OUTCOME_SEALING;
    run(journal, trace, cs_setting_is(CS_SETTING_KEEP_JOURNAL, "yes"));
    header->outcome = outcome;
}

void cs_recorder_finish(void)
{
    if (!cs_recorder.on)
        return;
    struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    cs_bypass_look();
    cs_recorder.on = false;
    cs_journal_tick(cs_recorder.journal);
    if (cs_journal_path(cs_recorder.journal)[0] && cs_setting_is(CS_SETTING_SEAL, "finalize") &&
        header->items <= MOST_SEALED_AT_ONCE)
        seal(header);
    bring();
}
