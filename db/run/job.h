/* How the command that `callsign run` started ended: a small file in the run folder, which the command writes when it
   is over, and rows of the table meta, job.*, in the database of the run. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CS_JOB_COMMAND_BYTES = 1024, CS_JOB_SIGNAL_BYTES = 16 };

struct cs_job {
    int64_t began_utc_ns, ended_utc_ns;
    int64_t ran_ns;                   /* between the two, on a clock that nobody sets */
    int64_t pid;                      /* of the command */
    int64_t exit_code;                /* -1: a signal ended it */
    int64_t received_ns;              /* after the begin, when `callsign run` was sent `received` */
    char signal[CS_JOB_SIGNAL_BYTES]; /* that ended it: "SIGKILL"; "": none */
    char
        received[CS_JOB_SIGNAL_BYTES]; /* first one sent to `callsign run` that ends programs, which it passes on; "" */
    char command[CS_JOB_COMMAND_BYTES]; /* its words, with spaces between; cut */
};

/* The name of a signal; "SIG34" if it has none. */
void cs_job_name_signal(int number, char name[CS_JOB_SIGNAL_BYTES]);

/* Writes the file into a run folder. False: errno tells. */
bool cs_job_write(const char *folder, const struct cs_job *job);

/* Reads it. False: there is none, or none that makes sense. */
bool cs_job_read(const char *folder, struct cs_job *job);

/* Adds it to a database that has the processes of the run. */
bool cs_job_insert(sqlite3 *db, const struct cs_job *job);
