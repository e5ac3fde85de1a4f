#include "wrappers/mpi/answers.h"

#include <stdatomic.h>

#include "pmpi_queries.h"

static atomic_bool answers;

void cs_mpi_note_answers(void)
{
    atomic_store_explicit(&answers, true, memory_order_relaxed);
}

bool cs_mpi_answers(void)
{
    int initialized = 0;
    if (atomic_load_explicit(&answers, memory_order_relaxed))
        return true;
    /* A library that loads the MPI for itself may have initialised it unseen. */
    if (cs_mpi_Initialized(&initialized) == MPI_SUCCESS && initialized)
        cs_mpi_note_answers();
    return initialized;
}
