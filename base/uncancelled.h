/* A thread of the program may be cancelled (pthread_cancel) wherever the C library waits or does input or output. It
   must not be while callsign holds a lock or has a file open: others would wait for the lock for ever. Functions of
   ours that reach such a place begin with CS_UNCANCELLED. The native MPI function stays as it is. */
#pragma once

#include <pthread.h>

static inline int cs_cancel_disable(void)
{
    int former = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &former);
    return former;
}

static inline void cs_cancel_restore(const int *former)
{
    pthread_setcancelstate(*former, NULL);
}

/* The thread is not cancelled until the end of the function or block. */
#define CS_UNCANCELLED int cs_cancel_former __attribute__((cleanup(cs_cancel_restore), unused)) = cs_cancel_disable()
