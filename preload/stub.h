/* The assembly macro SLOT for this processor, see stub_x86_64.h. Only assembly includes it. */
#if defined(__x86_64__)
#include "preload/stub_x86_64.h"
#elif defined(__aarch64__)
#include "preload/stub_aarch64.h"
#else
#error "the front library has stubs for x86-64 and aarch64 only: preload libcallsign-<flavour>.so itself"
#endif
