/* What somebody who mistyped a name may have meant. */
#ifndef CS_CLI_NEAREST_H
#define CS_CLI_NEAREST_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* Begin with {.word = ...}, offer names, then ask. */
struct cs_nearest {
    const char *word; /* as it was typed */
    char name[64];    /* the name offered that is most like it; "": none is */
    size_t distance;  /* characters to add, take away, change or swap with the next, to get from one to the other */
};

void cs_nearest_offer(struct cs_nearest *nearest, const char *name);

/* Says that there is no view or table of this name, and which is most like it. */
void cs_nearest_tell(sqlite3 *db, const char *name);

/* Whether the text is one bare word of letters, digits and underscores, as names of reports and views are. */
bool cs_nearest_is_name(const char *text);

#endif
