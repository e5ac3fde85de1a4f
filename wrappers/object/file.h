/* Files. */
#pragma once

#include "wrappers/call/call.h"

/* Role, after success. MPI_FILE_NULL is no object. */
void cs_made_file(struct cs_call *call, MPI_File file);
