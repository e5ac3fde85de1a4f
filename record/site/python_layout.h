/* Where CPython 3.9 to 3.15 keeps the frames of a thread, and what a frame's code object tells about its source. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Offsets in bytes. */
struct cs_python_layout {
    unsigned minor;               /* of version 3.minor; 0: unknown */
    uint16_t thread_frame;        /* thread state: its innermost frame, or (through_cframe) the structure that has it */
    bool through_cframe;          /* 3.11 and 3.12 */
    uint16_t cframe_frame;        /* that structure: the innermost frame */
    uint16_t interpreter_threads; /* interpreter: its first thread state; 0: those of a thread need no search */
    uint16_t thread_next;         /* thread state: the next one of its interpreter */
    uint16_t thread_interpreter;  /* thread state: its interpreter */
    uint16_t thread_run;          /* thread state: address in the C function that runs its innermost frame; 0: none */
    uint16_t frame_code;          /* frame: its code object; the lowest bits may be marks */
    uint16_t frame_previous;      /* frame: the next outer one */
    uint16_t frame_instr;         /* frame: address of its instruction, or (frame_index) number of it */
    bool frame_index;             /* 3.9 and 3.10 */
    uint16_t frame_owner;         /* frame: a byte that tells frames of the interpreter's own code; 0: no such frames */
    uint16_t frame_is_entry;      /* frame: a byte that is 1 where the C function of the interpreter begins; 0: none */
    uint16_t frame_tlbc;          /* frame: which of the thread-local copies of the instructions it runs; 0: none */
    uint16_t code_instr;          /* code: its first instruction; frame_index: no meaning */
    uint16_t code_tlbc;           /* code: its thread-local copies; 0: none */
    uint16_t code_file, code_name, code_first_line, code_lines; /* code: texts, number, table of lines */
    uint16_t object_type;                                       /* any object: its type */
    uint16_t bytes_size, bytes_data;                            /* bytes */
    uint16_t text_length, text_state, text_ascii, text_compact; /* str: length, flags, data of ASCII and of others */
    uint16_t text_interned;                                     /* str: how many flags come first, about interning */
};

enum {
    CS_PYTHON_OFFSETS_BYTES = 800, /* enough of a struct _Py_DebugOffsets */
    CS_PYTHON_OWNED_BY_C = 3,      /* from this owner on, a frame belongs to the interpreter and has no source */
};

/* The layout of this version. offsets: the first CS_PYTHON_OFFSETS_BYTES at _PyRuntime, which from 3.13 on begins with
   the offsets; NULL: not readable. Returns false if the version is unknown, or the offsets are those of another one.
   Builds with other layouts of one version (Py_TRACE_REFS) are not detected here: verify the result. */
bool cs_python_layout_find(unsigned major, unsigned minor, const void *offsets, struct cs_python_layout *layout);
