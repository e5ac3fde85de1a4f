#include "wrappers/mpi/answers.h"

#include "pmpi_queries.h"

atomic_bool cs_mpi_has_answered;

void cs_mpi_note_answers(void)
{
    atomic_store_explicit(&cs_mpi_has_answered, true, memory_order_relaxed);
}

/* A library that loads the MPI for itself may have initialised it unseen. */
bool cs_mpi_may_answer(void)
{
    int initialized = 0;
    if (cs_mpi_Initialized(&initialized) == MPI_SUCCESS && initialized)
        cs_mpi_note_answers();
    return initialized;
}
