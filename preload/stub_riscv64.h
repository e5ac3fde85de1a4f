/* One MPI function of the front library, see stub_x86_64.h. The fence orders the load of the slot before what the
   target reads, as `ldar` does in stub_aarch64.h. t2 (static chain) and all argument registers stay as they are. */
    .macro SLOT name, index
    .globl \name
    .type \name, @function
    .balign 16
\name:
.Lstub_\index:
    .cfi_startproc
    lla t1, cs_front_slots+8*\index
    ld t1, 0(t1)
    fence r, rw
    beqz t1, 1f
    jr t1
1:  li t0, \index
    tail cs_front_first_call
    .cfi_endproc
    .size \name, . - \name
    .endm
