/* What the facts say of each object, gathered so that every row is written once and in the order of its table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/journal/format.h"

/* One object. Facts come in any order, and of objects whose birth was lost. */
struct cs_object_facts {
    uint32_t object;
    uint32_t commits;
    bool known;           /* has a row of `object` */
    bool is_communicator; /* has a row of `communicator`, even if there is no fact for it */
    bool ready;           /* ready_ticks holds */
    bool freed;           /* freed_* hold */
    bool derived;         /* its derived name is among the namings */
    uint16_t freed_function;
    uint32_t origin;                    /* of its name */
    const struct cs_fact_object *birth; /* NULL: lost */
    const struct cs_fact_communicator *communicator;
    const struct cs_fact_datatype *datatype;
    const struct cs_fact_window *window;
    const char *name;
    int64_t birth_site, freed_site;
    uint64_t ready_ticks, freed_ticks;
};

/* A name that an object was given, or a call that was to give it one. */
struct cs_naming {
    uint32_t object, rule;
    uint64_t ticks;
    const char *name;  /* NULL: it was refused */
    const char *error; /* why */
    int64_t site;
    uint32_t origin;
    uint32_t kind; /* of object, where it was refused */
};

struct cs_objects;

/* NULL: out of memory. */
struct cs_objects *cs_objects_create(void);

void cs_objects_destroy(struct cs_objects *objects);

/* The object of this number, new if there was none; until the next call. NULL: out of memory. */
struct cs_object_facts *cs_objects_at(struct cs_objects *objects, uint32_t object);

/* The same, but NULL if there is none. */
struct cs_object_facts *cs_objects_find(struct cs_objects *objects, uint32_t object);

/* A copy of these bytes that lasts as long as the objects; NULL: out of memory. */
void *cs_objects_copy(struct cs_objects *objects, const void *data, size_t bytes);

/* The same of a text, as UTF-8. */
const char *cs_objects_copy_text(struct cs_objects *objects, const char *text);

/* Adds a naming, after all others. False: out of memory. */
bool cs_objects_add_naming(struct cs_objects *objects, const struct cs_naming *naming);

/* Puts the objects into the order of their numbers. Afterwards none can be looked for. */
void cs_objects_sort(struct cs_objects *objects);

/* The object or naming at an index from 0; NULL: there are no more. */
const struct cs_object_facts *cs_objects_item(const struct cs_objects *objects, size_t index);
const struct cs_naming *cs_objects_naming(const struct cs_objects *objects, size_t index);
