/* The part of the run of which events are recorded: CALLSIGN_EVENTS_FROM and CALLSIGN_EVENTS_UNTIL. It begins and ends
 * once. Without these settings it is the whole run. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum cs_event_window { CS_EVENTS_RECORDED, CS_EVENTS_BEFORE, CS_EVENTS_AFTER };

/* Reads the settings. */
void cs_event_window_start(void);

/* True if events are not recorded from the begin to the end. */
bool cs_event_window_is_set(void);

/* MPI_Init has returned: times count from now. */
void cs_event_window_note_init(void);

/* The program has called MPI_Pcontrol(level). */
void cs_event_window_take_level(int level);

/* Returns where the run is now, and when to ask again. ticks: now. *limit: ticks; 0: at the end of the next call. */
enum cs_event_window cs_event_window_look(uint64_t ticks, uint64_t *limit);
