/* Attribute traffic: one cell per distinct question and answer, see struct cs_attribute_cell. */
#pragma once

#include <stdbool.h>

#include "callsign/debug.h"
#include "record/thread.h"

struct cs_attribute {
    uint64_t site;
    uint32_t object; /* id; 0: not known */
    int32_t keyval;
    enum cs_attribute_operation operation;
    enum callsign_kind kind; /* of object that the key is for */
    bool found;
    enum cs_attribute_value value_kind;
    uint64_t value;
    uint64_t ticks; /* when */
};

/* True: there was none like it before. */
bool cs_attribute_count(struct cs_thread *thread, const struct cs_attribute *attribute);

/* What the MPI calls an error, in words: of a value whose kind is CS_VALUE_ERROR. */
void cs_attribute_error(int32_t error, const char *words);

/* A number that is an answer, by its name in the standard: it becomes a line of meta, constant.NAME. */
void cs_attribute_constant(const char *name, int value);
