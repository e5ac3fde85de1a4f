#include "record/save.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/keep_errno.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/settings.h"
#include "db/journal/writer.h"
#include "db/journal/run_files.h"
#include "record/recorder.h"
#include "record/run_folder.h"

enum { ATTEMPTS_MAX = 1000, NODE_LOCAL_ATTEMPTS_MAX = 16 };

static char folder[PATH_MAX];
static struct cs_run_request request;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of both, and of the choice of a name */

/* Stops for good; the program goes on. */
static void give_up(const char *what, const char *why)
{
    atomic_store_explicit(&cs_recorder.on, false, memory_order_relaxed);
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
    give_up(request.run && *request.run ? request.run : request.output, why);
}

/* On storage of the node, if the user names a folder there. False: not so; if that was wanted, one line says why. */
static bool save_node_local(const char *path)
{
    const char *wanted = cs_setting_text(CS_SETTING_JOURNAL);
    char node_folder[PATH_MAX], file[PATH_MAX];
    if (!*wanted)
        return false;
    uint64_t run_hash = cs_journal_header(cs_recorder.journal)->run_hash;
    bool again = realpath(wanted, node_folder) != NULL;
    for (unsigned attempt = 0; again && attempt < NODE_LOCAL_ATTEMPTS_MAX; attempt++) {
        errno = ENAMETOOLONG;
        if (cs_node_local_name(node_folder, run_hash, attempt, file) &&
            cs_journal_save(cs_recorder.journal, path, file) == CS_OK)
            return true;
        again = errno == EEXIST;
    }
    cs_log("the journal lies in the run's folder and not in %s: %s", wanted, strerror(errno));
    return false;
}

static void save_locked(void)
{
    if (!cs_is_recording() || cs_journal_in_file(cs_recorder.journal))
        return;
    request.output = cs_setting_text(CS_SETTING_OUTPUT);
    request.run = cs_setting_text(CS_SETTING_RUN);
    choose_folder();
    if (!cs_is_recording())
        return;
    char path[PATH_MAX];
    if (!cs_run_name_of_process(folder, path)) {
        give_up(folder, strerror(ENAMETOOLONG));
        return;
    }
    if (!save_node_local(path) && cs_journal_save(cs_recorder.journal, path, NULL) != CS_OK)
        give_up(path, strerror(errno));
}

/* Several threads may open their first session at the same time. */
void cs_recorder_save(void)
{
    CS_KEEP_ERRNO;
    if (!cs_is_recording())
        return;
    pthread_mutex_lock(&lock);
    save_locked();
    pthread_mutex_unlock(&lock);
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
        char path[PATH_MAX], sealed[PATH_MAX];
        if (request.attempt)
            choose_folder();
        if (!cs_is_recording())
            return true;
        if (!cs_run_name_of_rank(folder, rank, CS_RUN_JOURNAL_SUFFIX, path) ||
            !cs_run_name_of_rank(folder, rank, CS_RUN_TRACE_SUFFIX, sealed)) {
            errno = ENAMETOOLONG;
            return false;
        }
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
    if (!cs_is_recording())
        return;
    pthread_mutex_lock(&lock);
    struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    bool named = header->rank >= 0;
    if (rank < 0)
        rank = named ? header->rank : cs_launched_rank();
    header->rank = rank < 0 ? 0 : rank;
    header->size = size;
    if (!named && !name_by_rank(header->rank))
        cs_log("%s keeps its name: %s", cs_journal_path(cs_recorder.journal), strerror(errno));
    pthread_mutex_unlock(&lock);
}

/* A file that only one can make. */
bool cs_recorder_is_first_to(const char *name)
{
    CS_KEEP_ERRNO;
    char path[PATH_MAX];
    pthread_mutex_lock(&lock);
    int length = *folder ? snprintf(path, sizeof path, "%s/.%s", folder, name) : 0;
    pthread_mutex_unlock(&lock);
    if (length <= 0 || (size_t)length >= sizeof path)
        return true;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return errno != EEXIST;
    close(file);
    return true;
}

void cs_recorder_withdraw(void)
{
    CS_KEEP_ERRNO;
    pthread_mutex_lock(&lock);
    if (cs_is_recording())
        cs_journal_remove(cs_recorder.journal);
    atomic_store_explicit(&cs_recorder.on, false, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
}
