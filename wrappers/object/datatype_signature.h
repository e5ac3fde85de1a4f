/* Signatures of datatypes (record/object/type_signature.h), from how they were made. */
#pragma once

#include <stdint.h>

#include "callsign/debug.h"
#include "record/object/type_signature.h"
#include "whole_mpi.h"

/* The signature of a datatype that belongs to the MPI. combiner: MPI_COMBINER_*; size_bytes: its size. */
uint64_t cs_signature_made_by_mpi(MPI_Datatype type, int combiner, MPI_Count size_bytes);

/* The signature of a type of this size that consists of copies of another one; NULL: unknown. */
uint64_t cs_signature_of_copies(const struct callsign_record *from, int64_t size_bytes);
