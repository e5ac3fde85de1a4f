/* Whether the MPI may be queried. Before MPI_Init most functions end the program, and the MPI's message would name
 * callsign's query instead of the program's call. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

/* MPI_Init, or a call that opens a session, returned. */
void cs_mpi_note_answers(void);

/* False before MPI_Init, unless there is a session. */
extern atomic_bool cs_mpi_has_answered __attribute__((visibility("hidden")));
bool cs_mpi_may_answer(void);
static inline bool cs_mpi_answers(void)
{
    return __builtin_expect(atomic_load_explicit(&cs_mpi_has_answered, memory_order_relaxed), 1) || cs_mpi_may_answer();
}
