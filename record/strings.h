/* Strings of the live table: in segments that never move, at addresses that a debugger can follow. Small freed strings
   are used again, so that a program that renames for ever does not grow. The caller serialises. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A copy of text; its address as in struct callsign_record, 0 without memory or for NULL and "". */
uint64_t cs_string_keep(const char *text);

/* The same for what an object was made with: a struct callsign_detail; as in struct callsign_record. 0 without memory.
 */
uint32_t cs_string_keep_detail(const void *items, size_t bytes);
void cs_string_drop_detail(uint32_t detail);

/* Gives a string back; 0 is fine. */
void cs_string_drop(uint64_t address);
