/* What a code object of CPython tells about an instruction: function, file and line. Memory is read so that wrong
   addresses are errors and no crashes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/site/python_layout.h"

enum { CS_PYTHON_FILE_MOST = 4096, CS_PYTHON_FUNCTION_MOST = 512 };

/* Addresses of the interpreter's types. Any object has its type, so these prove what an object is. */
struct cs_python_types {
    uint64_t code, text, bytes;
};

struct cs_python_place {
    char function[CS_PYTHON_FUNCTION_MOST]; /* with its classes and functions around it from 3.11 on */
    char file[CS_PYTHON_FILE_MOST];
    int32_t line; /* 0: unknown */
};

/* Copies memory of this process. Returns false if it is not readable. Takes a system call. */
bool cs_python_read(uint64_t address, void *to, size_t bytes);

/* The state of a text without its first bits, which are about interning: 3 bits with the size of a character, compact,
 * ASCII. */
static inline unsigned cs_python_text_state(const struct cs_python_layout *layout, uint32_t state)
{
    return state >> layout->text_interned & 31;
}

/* Where the characters of a text begin that has this state. */
static inline unsigned cs_python_text_data(const struct cs_python_layout *layout, uint32_t state)
{
    return cs_python_text_state(layout, state) & 16 ? layout->text_ascii : layout->text_compact;
}

/* Finds function, file and line of a frame. Texts that are too long are cut. Returns false if the frame's code is not
   a code object with texts and a table of lines as the layout says. */
bool cs_python_place_find(const struct cs_python_layout *layout, const struct cs_python_types *types, uint64_t frame,
                          struct cs_python_place *place);

/* The line of an instruction, in the table of lines of version 3.minor (Objects/lnotab_notes.txt,
   Objects/locations.md in CPython). offset: of the instruction, in bytes; negative: not begun. */
int32_t cs_python_line_find(unsigned minor, const uint8_t *table, size_t bytes, int32_t first_line, int64_t offset);
