/* What `callsign doctor` prints: a line for each thing that it found. */
#pragma once

#include <stddef.h>

/* One line: what it is about, and text that holds nothing for a terminal to obey. */
void cs_tell(const char *about, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Something that keeps callsign from recording, and what to do about it. */
void cs_hinder(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How many of these there were. */
size_t cs_hindrances(void);
