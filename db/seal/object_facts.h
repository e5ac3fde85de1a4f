/* Facts about objects: each adds what it says to sealing->objects. A fact is as long as its structure at least.
   CS_CORRUPT: it makes no sense; CS_NO_MEMORY. */
#pragma once

#include "base/status.h"
#include "db/journal/format.h"
#include "db/seal/sealing.h"

enum cs_status cs_object_load_object(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_ready(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_communicator(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_datatype(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_window(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_commit(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_name(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_refused_name(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_object_load_freed(struct cs_sealing *sealing, const struct cs_fact *fact);
