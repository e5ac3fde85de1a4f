/* aarch64 (AAPCS64): the first call through an empty slot, and dlsym. See entry_x86_64.S for the contracts. */
#include "base/property_note.h"

    .text

/* Index in w16; kept: x0-x7, x8 (address of a returned structure), q0-q7. */
    .globl cs_front_first_call
    .hidden cs_front_first_call
    .type cs_front_first_call, %function
cs_front_first_call:
    .cfi_startproc
    stp x29, x30, [sp, #-224]!
    .cfi_def_cfa_offset 224
    .cfi_offset x29, -224
    .cfi_offset x30, -216
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov w0, w16
    mov x1, x30
    bl cs_front_resolve
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldr x8, [sp, #80]
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x29, x30, [sp], #224
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    br x16
    .cfi_endproc
    .size cs_front_first_call, . - cs_front_first_call

    .globl dlsym
    .type dlsym, %function
dlsym:
    .cfi_startproc
    hint #34 /* bti c */
    mov x17, x1
    ldrb w16, [x17]
    orr w16, w16, #0x20
    cmp w16, #'p'
    b.ne 3f
    ldrb w16, [x17, #1]!
    orr w16, w16, #0x20
3:  cmp w16, #'m'
    b.ne 1f
    ldrb w16, [x17, #1]
    orr w16, w16, #0x20
    cmp w16, #'p'
    b.ne 1f
    ldrb w16, [x17, #2]
    orr w16, w16, #0x20
    cmp w16, #'i'
    b.ne 1f
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset x29, -32
    .cfi_offset x30, -24
    mov x29, sp
    stp x0, x1, [sp, #16]
    mov x2, x30
    bl cs_front_dlsym
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    cmn x16, #1
    b.eq 1f
    mov x0, x16
    ret
1:  adrp x16, cs_front_next_dlsym
    add x16, x16, :lo12:cs_front_next_dlsym
    ldar x16, [x16]
    cbz x16, 2f
    br x16
2:  stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset x29, -32
    .cfi_offset x30, -24
    mov x29, sp
    stp x0, x1, [sp, #16]
    bl cs_front_find_dlsym
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    br x16
    .cfi_endproc
    .size dlsym, . - dlsym

    .section .note.GNU-stack, "", %progbits
