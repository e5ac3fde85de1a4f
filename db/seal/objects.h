/* Inside the seal: what the facts say of each object, gathered so that every row is written once and in the order of
   its table. */
#ifndef CS_DB_SEAL_OBJECTS_H
#define CS_DB_SEAL_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/journal/format.h"

struct cs_sealing;

/* One object. Facts come in any order, and of objects whose birth was lost. */
struct cs_made {
    uint32_t object;
    uint32_t commits;
    bool told;            /* of its own: has a row of `object` */
    bool is_communicator; /* has a row of `communicator`, even if nothing is told */
    bool ready;           /* ready_ticks holds */
    bool freed;           /* freed_* hold */
    bool derived;         /* its derived name stands among the namings */
    uint16_t freed_function;
    uint32_t origin;
    const struct cs_fact_object *born; /* NULL: lost */
    const struct cs_fact_communicator *communicator;
    const struct cs_fact_datatype *datatype;
    const struct cs_fact_window *window;
    const char *name;
    int64_t born_site, freed_site;
    uint64_t ready_ticks, freed_ticks;
};

/* One line of the history of names. */
struct cs_named {
    uint32_t object, rule;
    uint64_t ticks;
    const char *name;
    int64_t site;
    uint32_t origin;
};

struct cs_objects;

/* NULL: out of memory. */
struct cs_objects *cs_objects_create(void);

void cs_objects_destroy(struct cs_objects *objects);

/* The object of this number, new if it was not met before; until the next call. NULL: out of memory. */
struct cs_made *cs_objects_at(struct cs_objects *objects, uint32_t object);

/* The same, but NULL if it was not met. */
struct cs_made *cs_objects_find(struct cs_objects *objects, uint32_t object);

/* A copy of these bytes that lasts as long as the objects; NULL: out of memory. */
void *cs_objects_keep(struct cs_objects *objects, const void *data, size_t bytes);

/* The same of a text, as UTF-8. */
const char *cs_objects_keep_text(struct cs_objects *objects, const char *text);

/* Adds a line to the history of names. False: out of memory. */
bool cs_objects_name(struct cs_objects *objects, const struct cs_named *named);

/* Writes all of it. The numbers of functions that occur are noted. */
enum cs_status cs_objects_write(struct cs_objects *objects, struct cs_sealing *sealing);

#endif
