/* The lock of a process on its journal, by which others see that it lives: the kernel drops it when the process ends,
   however it ends, and shows it in all containers. Only on file systems where all readers see the same locks. */
#pragma once

#include <stdbool.h>

enum cs_writer_lock {
    CS_WRITER_LOCK_UNKNOWN, /* it cannot be seen from here */
    CS_WRITER_LOCK_FREE,
    CS_WRITER_LOCK_HELD,
};

/* Locks an open file for as long as this process runs. Takes the descriptor and closes it. Returns what
   cs_writer_lock_drop takes; NULL: there is no lock. Forked children do not hold it, nor does a program that this
   process becomes. */
void *cs_writer_lock_hold(int fd);

/* Drops the lock; NULL: nothing. */
void cs_writer_lock_drop(void *lock);

/* Whether some process, this one too, holds the lock of a file that is open here. */
enum cs_writer_lock cs_writer_lock_look(int fd);
