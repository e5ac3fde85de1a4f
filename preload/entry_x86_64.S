/* x86-64 (System V): the first call through an empty slot, and dlsym. */
#include "base/property_note.h"

    .text

/* Entered by a jump from a stub, with the slot's index in %r11d and everything else as at a function's entry. Every register that may
   carry an argument is kept: rdi rsi rdx rcx r8 r9, xmm0-7, al (number of vector arguments of a variadic call) and r10 (static
   chain). No MPI function takes vectors wider than xmm. */
    .globl cs_front_first_call
    .hidden cs_front_first_call
    .type cs_front_first_call, @function
cs_front_first_call:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $192, %rsp
    movaps %xmm0, 0(%rsp)
    movaps %xmm1, 16(%rsp)
    movaps %xmm2, 32(%rsp)
    movaps %xmm3, 48(%rsp)
    movaps %xmm4, 64(%rsp)
    movaps %xmm5, 80(%rsp)
    movaps %xmm6, 96(%rsp)
    movaps %xmm7, 112(%rsp)
    movq %rdi, 128(%rsp)
    movq %rsi, 136(%rsp)
    movq %rdx, 144(%rsp)
    movq %rcx, 152(%rsp)
    movq %r8, 160(%rsp)
    movq %r9, 168(%rsp)
    movq %rax, 176(%rsp)
    movq %r10, 184(%rsp)
    movl %r11d, %edi
    movq 8(%rbp), %rsi
    call cs_front_resolve
    movq %rax, %r11
    movaps 0(%rsp), %xmm0
    movaps 16(%rsp), %xmm1
    movaps 32(%rsp), %xmm2
    movaps 48(%rsp), %xmm3
    movaps 64(%rsp), %xmm4
    movaps 80(%rsp), %xmm5
    movaps 96(%rsp), %xmm6
    movaps 112(%rsp), %xmm7
    movq 128(%rsp), %rdi
    movq 136(%rsp), %rsi
    movq 144(%rsp), %rdx
    movq 152(%rsp), %rcx
    movq 160(%rsp), %r8
    movq 168(%rsp), %r9
    movq 176(%rsp), %rax
    movq 184(%rsp), %r10
    leave
    .cfi_def_cfa %rsp, 8
    jmp *%r11
    .cfi_endproc
    .size cs_front_first_call, . - cs_front_first_call

/* void *dlsym(void *handle, const char *name): a tail jump to the C library's for everything but names that begin with "mpi" or
   "pmpi" in either case, because it looks at its return address to know what RTLD_NEXT and RTLD_DEFAULT mean. cs_front_dlsym answers the
   others, or says CS_FRONT_PASS (-1): jump on. */
    .globl dlsym
    .type dlsym, @function
dlsym:
    .cfi_startproc
    _CET_ENDBR
    movq %rsi, %rdx
    movzbl 0(%rdx), %eax
    orl $0x20, %eax
    cmpl $'p', %eax
    jne 3f
    incq %rdx
    movzbl 0(%rdx), %eax
    orl $0x20, %eax
3:  cmpl $'m', %eax
    jne 1f
    movzbl 1(%rdx), %eax
    orl $0x20, %eax
    cmpl $'p', %eax
    jne 1f
    movzbl 2(%rdx), %eax
    orl $0x20, %eax
    cmpl $'i', %eax
    jne 1f
    movq 0(%rsp), %rdx
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call cs_front_dlsym
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    cmpq $-1, %rax
    je 1f
    ret
1:  movq cs_front_next_dlsym(%rip), %rax
    testq %rax, %rax
    jz 2f
    jmp *%rax
2:  pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call cs_front_find_dlsym
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    jmp *%rax
    .cfi_endproc
    .size dlsym, . - dlsym

    .section .note.GNU-stack, "", @progbits
