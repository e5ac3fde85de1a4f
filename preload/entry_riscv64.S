/* riscv64 (lp64d): the first call through an empty slot, and dlsym. See entry_x86_64.S for the contracts. */

    .text

/* Index in t0; kept: a0-a7, fa0-fa7, t2 (static chain). */
    .globl cs_front_first_call
    .hidden cs_front_first_call
    .type cs_front_first_call, @function
cs_front_first_call:
    .cfi_startproc
    addi sp, sp, -160
    .cfi_def_cfa_offset 160
    sd ra, 152(sp)
    .cfi_offset ra, -8
    sd t2, 144(sp)
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    sd a\n, 8*\n(sp)
    fsd fa\n, 64+8*\n(sp)
    .endr
    mv a0, t0
    mv a1, ra
    call cs_front_resolve
    mv t1, a0
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    ld a\n, 8*\n(sp)
    fld fa\n, 64+8*\n(sp)
    .endr
    ld t2, 144(sp)
    ld ra, 152(sp)
    .cfi_restore ra
    addi sp, sp, 160
    .cfi_def_cfa_offset 0
    jr t1
    .cfi_endproc
    .size cs_front_first_call, . - cs_front_first_call

/* Calls a function of the front library with the arguments of dlsym. They are kept; the result is in t1. */
    .macro ASK function
    addi sp, sp, -32
    .cfi_def_cfa_offset 32
    sd ra, 24(sp)
    .cfi_offset ra, -8
    sd a0, 0(sp)
    sd a1, 8(sp)
    call \function
    mv t1, a0
    ld a0, 0(sp)
    ld a1, 8(sp)
    ld ra, 24(sp)
    .cfi_restore ra
    addi sp, sp, 32
    .cfi_def_cfa_offset 0
    .endm

    .globl dlsym
    .type dlsym, @function
dlsym:
    .cfi_startproc
    mv t1, a1
    li t2, 'p'
    lbu t0, 0(t1)
    ori t0, t0, 0x20
    bne t0, t2, 3f
    addi t1, t1, 1
    lbu t0, 0(t1)
    ori t0, t0, 0x20
3:  addi t0, t0, -'m'
    bnez t0, 1f
    lbu t0, 1(t1)
    ori t0, t0, 0x20
    bne t0, t2, 1f
    lbu t0, 2(t1)
    ori t0, t0, 0x20
    addi t0, t0, -'i'
    bnez t0, 1f
    mv a2, ra
    ASK cs_front_dlsym
    li t0, -1
    beq t1, t0, 1f
    mv a0, t1
    ret
1:  lla t1, cs_front_next_dlsym
    ld t1, 0(t1)
    fence r, rw
    beqz t1, 2f
    jr t1
2:  ASK cs_front_find_dlsym
    jr t1
    .cfi_endproc
    .size dlsym, . - dlsym

    .section .note.GNU-stack, "", @progbits
