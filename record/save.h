/* The journal's file: where it lies and what it is called. */
#pragma once

#include <stdbool.h>

/* Chooses the run's folder and moves the journal there, under a name without rank; once, whoever comes first. At the
   first call of a process that a launcher started as a rank, of others before MPI_Init is forwarded. When the journal
   cannot be saved the recording stops, one line on stderr says why, and the program goes on. */
void cs_recorder_save(void);

/* MPI is initialised: the journal gets its final name. rank -1: a process without MPI_COMM_WORLD (sessions). */
void cs_recorder_world(int rank, int size);

/* Whether this process is the first of its run that comes here with this name: then it speaks for all. True, too, where
   the run's folder does not tell. */
bool cs_recorder_is_first_to(const char *name);

/* What was recorded until now would mislead: takes it back. The program goes on bare. */
void cs_recorder_withdraw(void);
