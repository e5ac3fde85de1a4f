/* ppc64le (ELFv2): the first call through an empty slot, and dlsym. See entry_x86_64.S for the contracts. */

    .abiversion 2
    .text

/* Index in r11; kept: r3-r10, f1-f13. No MPI function takes vectors. */
    .globl cs_front_first_call
    .hidden cs_front_first_call
    .type cs_front_first_call, @function
cs_front_first_call:
    .cfi_startproc
    mflr 0
    std 0, 16(1)
    .cfi_offset lr, 16
    stdu 1, -208(1)
    .cfi_def_cfa_offset 208
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10
    std \n, 32+8*(\n-3)(1)
    .endr
    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    stfd \n, 96+8*(\n-1)(1)
    .endr
    bcl 20, 31, 1f
1:  mflr 2
    addis 2, 2, (.TOC. - 1b)@ha
    addi 2, 2, (.TOC. - 1b)@l
    mr 3, 11
    mr 4, 0
    bl cs_front_resolve
    nop
    mr 12, 3
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10
    ld \n, 32+8*(\n-3)(1)
    .endr
    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    lfd \n, 96+8*(\n-1)(1)
    .endr
    addi 1, 1, 208
    .cfi_def_cfa_offset 0
    ld 0, 16(1)
    mtlr 0
    .cfi_restore lr
    mtctr 12
    bctr
    .cfi_endproc
    .size cs_front_first_call, . - cs_front_first_call

/* Calls a function of the front library with the arguments of dlsym. They are kept; the result is in r12. */
    .macro ASK function
    mflr 0
    std 0, 16(1)
    .cfi_offset lr, 16
    stdu 1, -64(1)
    .cfi_def_cfa_offset 64
    std 3, 32(1)
    std 4, 40(1)
    mr 5, 0
    bl \function
    nop
    mr 12, 3
    ld 3, 32(1)
    ld 4, 40(1)
    addi 1, 1, 64
    .cfi_def_cfa_offset 0
    ld 0, 16(1)
    mtlr 0
    .cfi_restore lr
    .endm

    .globl dlsym
    .type dlsym, @function
dlsym:
    .cfi_startproc
    addis 2, 12, (.TOC. - dlsym)@ha
    addi 2, 2, (.TOC. - dlsym)@l
    mr 5, 4
    lbz 6, 0(5)
    ori 6, 6, 0x20
    cmpwi 6, 'p'
    bne 3f
    lbzu 6, 1(5)
    ori 6, 6, 0x20
3:  cmpwi 6, 'm'
    bne 1f
    lbz 6, 1(5)
    ori 6, 6, 0x20
    cmpwi 6, 'p'
    bne 1f
    lbz 6, 2(5)
    ori 6, 6, 0x20
    cmpwi 6, 'i'
    bne 1f
    ASK cs_front_dlsym
    cmpdi 12, -1
    beq 1f
    mr 3, 12
    blr
1:  addis 11, 2, cs_front_next_dlsym@toc@ha
    ld 12, cs_front_next_dlsym@toc@l(11)
    cmpdi 12, 0
    beq 2f
    isync
    mtctr 12
    bctr
2:  ASK cs_front_find_dlsym
    mtctr 12
    bctr
    .cfi_endproc
    .size dlsym, . - dlsym

    .section .note.GNU-stack, "", @progbits
