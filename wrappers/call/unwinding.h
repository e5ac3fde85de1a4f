/* Calls that are left by an exception. */
#pragma once

#include <stdint.h>

/* A frame that an exception (of C++, of any language; or pthread_exit) is unwound through is shown to the personality
   routine of its function. Every function that begins a call has ours, which says that the call was left: nothing to
   do on the way through a wrapper, no code in it, and no need of a library that unwinds. The encoding: relative to
   here, four bytes, signed. */
#if defined(__x86_64__) || defined(__aarch64__)
#define CS_TELL_UNWINDING() __asm__ volatile(".cfi_personality 0x1b, cs_call_unwinding")
#else
#define CS_TELL_UNWINDING() ((void)0)
#endif

/* The personality routine, as the C++ ABI for Itanium has it. */
int cs_call_unwinding(int version, int actions, uint64_t exception_class, const void *exception, const void *context);
