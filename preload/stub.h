/* The assembly macro SLOT for this processor, see stub_x86_64.h. Only assembly includes it. */
#if defined(__x86_64__)
#include "preload/stub_x86_64.h"
#elif defined(__aarch64__)
#include "preload/stub_aarch64.h"
#elif defined(__riscv)
#include "preload/stub_riscv64.h"
#elif defined(__powerpc64__)
#include "preload/stub_ppc64le.h"
#else
#error "the front library has no stubs for this processor"
#endif
