/* Which launch this rank belongs to, from the environment and the ancestors. No communication. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CS_LAUNCH_TEXT_MOST = 80 };

struct cs_launch {
    char id[CS_LAUNCH_TEXT_MOST]; /* fit for a file name: "4711.0", "4711.abcdefgh" or "abcdefgh" */
    uint64_t hash;                /* equal on all ranks of the launch */
    bool mpmd;                    /* more than one program in the launch */
    unsigned size;                /* how many processes the launcher started together, as it says; 0: it does not */
};

/* environment: "NAME=value" strings, ended by NULL; proc: where /proc is; pid: the rank. Never fails: a process without
   a launcher is a launch of its own. */
void cs_launch_identify(char *const *environment, const char *proc, pid_t pid, struct cs_launch *launch);

/* Whether the launcher says that all ranks of a world of this size are on this node. What an outer launcher left in the
   environment may make it so: whoever believes it must not do harm. */
bool cs_launch_is_on_node(char *const *environment, int size);

/* The value of an environment variable, or NULL when unset or empty. */
const char *cs_launch_variable(char *const *environment, const char *name);
