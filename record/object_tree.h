/* Objects by which of them were made from which. */
#pragma once

#include <stdint.h>

/* What hangs on an object has ended with it, though nobody freed it: all that was made from it, or from what was, is
   taken from the table. It stays a leak, and the next owner of its handle is another object. */
void cs_object_ended(uint32_t id);
