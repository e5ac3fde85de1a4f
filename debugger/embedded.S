/* The loader in the library itself, where gdb looks for scripts: see .debug_gdb_scripts in gdb's manual. It is a section
   that is loaded ("a"), so that strip leaves it alone. */
#include "base/property_note.h"
        .section .debug_gdb_scripts, "aMS", @progbits, 1
        .byte 4 /* Python, as text */
        .ascii "callsign\n"
        .incbin "loader.py"
        .byte 0
        .section .note.GNU-stack, "", @progbits
