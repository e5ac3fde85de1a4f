#include "wrappers/fallback/lock.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void cs_own_lock(void)
{
    pthread_mutex_lock(&lock);
}

void cs_own_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
