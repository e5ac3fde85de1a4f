/* The one lock of all that is kept. Never held while a callback of the program or a function of the MPI runs. */
#pragma once

void cs_own_lock(void);
void cs_own_unlock(void);
