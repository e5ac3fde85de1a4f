/* Only for assembly: says that this object has the landing pads which the compiler's flags ask for (IBT and SHSTK on
   x86-64, BTI on aarch64). Without the note the linker drops them for the whole library. */
/* clang-format off */
#if defined(__x86_64__)
#include <cet.h>
#elif defined(__ARM_FEATURE_BTI_DEFAULT)
    .pushsection .note.gnu.property, "a"
    .balign 8
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000000, 4 /* GNU_PROPERTY_AARCH64_FEATURE_1_AND */
    .long 1, 0          /* BTI */
    .popsection
#endif
