/* Strings of the live table: in segments that never move, at addresses that a debugger can follow. Small freed strings
   are used again, so that a program that renames for ever does not grow. The caller serialises. */
#pragma once

#include <stdint.h>

/* A copy of text; its address as in struct callsign_record, 0 without memory or for NULL and "". */
uint64_t cs_string_keep(const char *text);

/* Gives a string back; 0 is fine. */
void cs_string_drop(uint64_t address);
