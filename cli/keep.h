/* Places in code that the command found out stay in the traces. */
#ifndef CS_CLI_KEEP_H
#define CS_CLI_KEEP_H

#include <stdbool.h>

struct cs_keeper;

/* NULL: out of memory. */
struct cs_keeper *cs_keeper_new(void);
void cs_keeper_free(struct cs_keeper *keeper);

/* Resolves what is not resolved in the trace, if it can be written. Each frame is looked up once, however many traces
   have it. */
void cs_keeper_trace(void *keeper, const char *trace);

/* The same in a file that only we know. False: it cannot be written. */
bool cs_keeper_fill(struct cs_keeper *keeper, const char *trace);

#endif
