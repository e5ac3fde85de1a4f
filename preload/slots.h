/* The functions of the front library: names are sorted by strcmp, an index is a position. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* From slots.S (preload/emit_slots.py). A slot has the function for calls of this name; NULL: not resolved yet. */
extern void *_Atomic cs_front_slots[] __attribute__((visibility("hidden")));
extern const uint32_t cs_front_count __attribute__((visibility("hidden")));
extern const uint32_t cs_front_name_offsets[] __attribute__((visibility("hidden")));
extern const int32_t cs_front_stub_distances[] __attribute__((visibility("hidden")));
extern const char cs_front_names[] __attribute__((visibility("hidden")));

const char *cs_front_name(uint32_t index);
/* The index of a function name, or -1 if the front library lacks it. */
int64_t cs_front_index(const char *name);
/* The front library's own function, which the program calls. */
void *cs_front_stub(uint32_t index);
