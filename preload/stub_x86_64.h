/* One MPI function of the front library: jumps to the target in its slot. Nothing is pushed, so the target finds
   arguments, stack
   and return address as the program left them, for any prototype. An empty slot means: not resolved yet. */
#include "base/property_note.h"

    .macro SLOT name, index
    .globl \name
    .type \name, @function
    .balign 16
\name:
.Lstub_\index:
    .cfi_startproc
    _CET_ENDBR
    movq cs_front_slots+8*\index(%rip), %r11
    testq %r11, %r11
    jz 1f
    jmp *%r11
1:  movl $\index, %r11d
    jmp cs_front_first_call
    .cfi_endproc
    .size \name, . - \name
    .endm
