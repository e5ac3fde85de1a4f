/* One MPI function of the front library (ELFv2), see stub_x86_64.h. Calls from other libraries come by the global entry:
   r12 has its address, and the caller saved its r2. Nobody calls from within this library. The comparison and isync
   order the load of the slot before what the target reads, as `ldar` does in stub_aarch64.h. */
    .macro SLOT name, index
    .globl \name
    .type \name, @function
    .balign 16
\name:
.Lstub_\index:
    .cfi_startproc
0:  addis 11, 12, (cs_front_slots + 8*\index - 0b)@ha
    addi 11, 11, (cs_front_slots + 8*\index - 0b)@l
    ld 12, 0(11)
    cmpdi 12, 0
    beq 1f
    isync
    mtctr 12
    bctr
1:  li 11, \index
    b cs_front_first_call
    .cfi_endproc
    .size \name, . - \name
    .endm
