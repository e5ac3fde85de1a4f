/* Comparisons of communicators and of groups. */
#pragma once

#include "wrappers/call/call.h"

/* Role, after success; first, second: CS_KEY of them. answer: MPI_IDENT and so on. */
void cs_compared(struct cs_call *call, enum callsign_kind first_kind, uint64_t first, enum callsign_kind second_kind,
                 uint64_t second, int answer);
