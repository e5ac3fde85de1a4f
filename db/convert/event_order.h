/* The numbers of messages. The n-th message that a process sent on a channel (communicator, peer and tag) is the n-th
 * that the other one received, in the order in which it posted the receives (MPI 4.1, 3.5). A number that is not
 * certain is left out. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "db/convert/conversion.h"
#include "db/convert/event_pages.h"
#include "db/convert/event_places.h"

struct cs_event_order;

/* Reads all events once. NULL: no memory, or *status. */
struct cs_event_order *cs_event_order_find(struct cs_conversion *conversion, struct cs_event_pages *pages,
                                           struct cs_event_places *places, enum cs_status *status);

/* NULL is allowed. */
void cs_event_order_free(struct cs_event_order *order);

/* True if a call had further messages. */
bool cs_event_order_has_messages(const struct cs_event_order *order);

/* True if there are notes about windows, or about requests. */
bool cs_event_order_has_notes(const struct cs_event_order *order, bool windows);

/* Returns the number of the message of an entry, from 1. 0: it is no message, or not certain. Call it for all entries,
   in the order of a walk; cs_event_order_rewind begins again. */
uint64_t cs_event_order_next(struct cs_event_order *order, uint32_t thread, const struct cs_ring_entry *entry);
void cs_event_order_rewind(struct cs_event_order *order);
