/* What the facts say of each object, gathered so that every row is written once and in the order of its table. */
#pragma once

#include "base/status.h"
#include "db/journal/format.h"
#include "db/seal/sealing.h"

struct cs_objects;

/* NULL: out of memory. */
struct cs_objects *cs_objects_create(void);

void cs_objects_destroy(struct cs_objects *objects);

/* Each adds what a fact says to sealing->objects. The fact is as long as its structure at least. CS_CORRUPT: it makes
   no sense; CS_NO_MEMORY. */
enum cs_status cs_object_load_object(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_ready(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_communicator(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_datatype(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_window(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_commit(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_name(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_refused_name(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_freed(struct cs_sealing *sealing, const struct cs_fact *fact);

/* Writes all their rows: object, naming, communicator, datatype, window. After the facts, and once. */
enum cs_status cs_objects_write(struct cs_sealing *sealing);
