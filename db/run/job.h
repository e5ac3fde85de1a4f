/* How the command that `callsign run` started ended: a small file in the run folder, which the command writes at its
   end, and rows job.* of the table meta in the run's database. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CS_JOB_COMMAND_BYTES = 1024, CS_JOB_SIGNAL_BYTES = 16 };

struct cs_job {
    int64_t began_utc_ns, ended_utc_ns;
    int64_t ran_ns;                     /* duration on a clock that nobody sets */
    int64_t pid;                        /* process id of the command */
    int64_t exit_code;                  /* -1: ended by a signal */
    int64_t received_ns;                /* time after the begin when `callsign run` received `received` */
    char signal[CS_JOB_SIGNAL_BYTES];   /* signal that ended it: "SIGKILL"; "": none */
    char received[CS_JOB_SIGNAL_BYTES]; /* first ending signal that `callsign run` received and passed on; "" */
    char command[CS_JOB_COMMAND_BYTES]; /* its words, separated by spaces; cut */
};

/* Writes the name of a signal; "SIG34" if it has none. */
void cs_job_name_signal(int number, char name[CS_JOB_SIGNAL_BYTES]);

/* Writes the file into a run folder. Returns false with the cause in errno. */
bool cs_job_write(const char *folder, const struct cs_job *job);

/* Reads the file. Returns false if it is missing or invalid. */
bool cs_job_read(const char *folder, struct cs_job *job);

/* Adds its rows to a database that has the processes of the run. */
bool cs_job_insert(sqlite3 *db, const struct cs_job *job);
