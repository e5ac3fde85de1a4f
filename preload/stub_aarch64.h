/* One MPI function of the front library, see stub_x86_64.h. `ldar`: what the resolving thread wrote before it filled
   the slot (the
   flavour's tables) must be visible to the target. Landing pads (bti) are hints: older processors ignore them. */
#include "base/property_note.h"

    .macro SLOT name, index
    .globl \name
    .type \name, %function
    .balign 16
\name:
.Lstub_\index:
    .cfi_startproc
    hint #34 /* bti c */
    adrp x16, cs_front_slots+8*\index
    add x16, x16, :lo12:cs_front_slots+8*\index
    ldar x16, [x16]
    cbz x16, 1f
    br x16
1:  mov w16, #\index
    b cs_front_first_call
    .cfi_endproc
    .size \name, . - \name
    .endm
