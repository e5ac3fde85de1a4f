/* How many bytes a status tells. */
#pragma once

#include <stdint.h>

#include "whole_mpi.h"

/* Bytes that a completed receive brought. Not for cancelled ones; the status itself does not always tell: file
   operations leave that field as it was. MPI is initialised. */
uint64_t cs_status_bytes(const MPI_Status *status);
