/* Whether the MPI may be queried. Before MPI_Init most functions end the program, and the MPI's message would name
 * callsign's query instead of the program's call. */
#pragma once

#include <stdbool.h>

/* MPI_Init, or a call that opens a session, returned. */
void cs_mpi_note_answers(void);

/* False before MPI_Init, unless there is a session. */
bool cs_mpi_answers(void);
