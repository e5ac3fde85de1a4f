#include "base/guard.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/keep_errno.h"
#include "base/uncancelled.h"

_Atomic uint8_t cs_guards_state;
_Atomic uint32_t cs_guards_entered;

/* A thread may have just found that it is alone, before others see that it is inside. The kernel makes all threads
   of the process pass a barrier; without this call, a short wait is enough. */
static void let_all_pass_a_barrier(void)
{
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0 ||
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* The thread is inside for less than a microsecond, or as long as the file system takes for a block of the journal,
   unless a callback of the program jumped out: so this waits for 30 seconds at most. */
static void wait_until_left(void)
{
    enum { LOOKS_MOST = 200000 };
    for (int i = 0; i < LOOKS_MOST && atomic_load_explicit(&cs_guards_entered, memory_order_acquire); i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

void cs_guards_share(void)
{
    uint8_t alone = CS_GUARDS_ALONE;
    if (atomic_load(&cs_guards_state) == CS_GUARDS_SHARED)
        return;
    CS_UNCANCELLED;
    CS_KEEP_ERRNO;
    atomic_compare_exchange_strong(&cs_guards_state, &alone, CS_GUARDS_AWAITED);
    let_all_pass_a_barrier();
    wait_until_left();
    atomic_store(&cs_guards_state, CS_GUARDS_SHARED);
}

void cs_guards_forget(void)
{
    atomic_store(&cs_guards_entered, 0);
}
