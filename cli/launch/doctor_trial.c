#include "cli/launch/doctor_trial.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "base/temporary.h"
#include "cli/command/command.h"
#include "cli/text/text.h"
#include "db/run/open_run.h"
#include "reports_sql.h"

/* timeout(1) of coreutils exits with 124. */
enum { SECONDS = 30, TIMED_OUT = 124 };

/* ---- the temporary folder ---- */

/* Finds the run folder in a folder. Returns false if there is none. */
static bool find_run(const char *folder, char run[PATH_MAX])
{
    DIR *entries = opendir(folder);
    bool found = false;
    for (const struct dirent *entry; entries && !found && (entry = readdir(entries));)
        if (cs_path_ends(entry->d_name, ".callsign"))
            found = snprintf(run, PATH_MAX, "%s/%s", folder, entry->d_name) < PATH_MAX;
    if (entries)
        closedir(entries);
    return found;
}

/* ---- the run ---- */

static void read_line(struct cs_trial *trial, char *line)
{
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "MPI_MAX_OBJECT_NAME %ld", &trial->max_object_name) != 1 && *line)
        snprintf(trial->trouble, sizeof trial->trouble, "%s", line);
}

bool cs_trial_program(const char *flavour, char path[CS_TRIAL_PATH])
{
    char libraries[PATH_MAX];
    return cs_libraries_folder(libraries) &&
           snprintf(path, CS_TRIAL_PATH, "%s/" CALLSIGN_TRIALS_FROM_LIB "/trial-%s", libraries, flavour) <
               CS_TRIAL_PATH &&
           access(path, X_OK) == 0;
}

/* Writes the shell command. timeout(1) ends the trial and all that it started if it takes too long. */
static bool write_command(const char *flavour, const char *mpi_path, const char *folder, char *command, size_t size)
{
    char libraries[PATH_MAX], mpi_folder[PATH_MAX], program[CS_TRIAL_PATH], preload[PATH_MAX + 64];
    char words[4][CS_SHELL_WORD_BYTES];
    if (!cs_libraries_folder(libraries) || !cs_trial_program(flavour, program))
        return false;
    snprintf(mpi_folder, sizeof mpi_folder, "%s", mpi_path);
    cs_path_to_folder(mpi_folder);
    snprintf(preload, sizeof preload, "%s/libcallsign-front-%s.so", libraries, flavour);
    /* Only the trial searches the MPI's folder: it may contain libraries that the commands before it need as well. */
    int length = snprintf(
        command, size,
        "cd %s && exec 2>&1 && CALLSIGN_OUTPUT=. CALLSIGN_RECORD=on "
        "CALLSIGN_RUN= CALLSIGN_JOURNAL= OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "exec timeout -k 1 %d env LD_LIBRARY_PATH=%s\"${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\" LD_PRELOAD=%s %s",
        cs_shell_word(folder, words[0]), SECONDS, cs_shell_word(mpi_folder, words[1]), cs_shell_word(preload, words[2]),
        cs_shell_word(program, words[3]));
    return length > 0 && (size_t)length < size && access(preload, R_OK) == 0;
}

static void run(const char *command, struct cs_trial *trial)
{
    char line[512];
    FILE *output = popen(command, "re");
    if (!output) {
        snprintf(trial->trouble, sizeof trial->trouble, "no process could be started");
        return;
    }
    while (fgets(line, sizeof line, output))
        read_line(trial, line);
    int status = pclose(output);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    trial->recorded = code == 0;
    if (code == TIMED_OUT)
        snprintf(trial->trouble, sizeof trial->trouble, "MPI_Init and MPI_Finalize took more than %d seconds", SECONDS);
    else if (code != 0 && !*trial->trouble)
        snprintf(trial->trouble, sizeof trial->trouble, "it ended with %s %d", code > 0 ? "exit code" : "signal",
                 code > 0 ? code : WTERMSIG(status));
}

/* ---- its trace ---- */

static void read_trace(const char *folder, struct cs_trial *trial)
{
    char path[PATH_MAX];
    const struct cs_run_options options = {0};
    struct cs_run *found = NULL;
    sqlite3_stmt *statement = NULL;
    trial->recorded = false;
    if (!find_run(folder, path) || cs_run_open(path, &options, &found) != CS_OK)
        return;
    if (sqlite3_prepare_v2(cs_run_database(found), cs_sql_trial_answers, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        const unsigned char *mpi = sqlite3_column_text(statement, 0), *served = sqlite3_column_text(statement, 1);
        snprintf(trial->mpi, sizeof trial->mpi, "%s", mpi ? (const char *)mpi : "");
        snprintf(trial->served, sizeof trial->served, "%s", served ? (const char *)served : "");
        trial->tag_ub = (long)sqlite3_column_int64(statement, 2);
        trial->recorded = true;
    }
    sqlite3_finalize(statement);
    cs_run_close(found);
}

void cs_trial_run(const char *flavour, const char *mpi_path, struct cs_trial *trial)
{
    char folder[PATH_MAX], command[8 * CS_SHELL_WORD_BYTES];
    memset(trial, 0, sizeof *trial);
    if (!cs_temporary_folder(folder)) {
        snprintf(trial->trouble, sizeof trial->trouble, "cannot make a temporary folder in TMPDIR");
        return;
    }
    if (write_command(flavour, mpi_path, folder, command, sizeof command)) {
        run(command, trial);
        if (trial->recorded)
            read_trace(folder, trial);
    } else {
        snprintf(trial->trouble, sizeof trial->trouble, "this callsign is not complete: trial-%s is missing", flavour);
    }
    cs_temporary_folder_remove(folder);
}
