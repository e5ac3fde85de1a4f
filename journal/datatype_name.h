/* Names that tell how an object was made, for those that nobody named: "contiguous(3) of vector(4,2,8) of MPI_DOUBLE".
   The same arguments give the same name in every run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_DATATYPE_NAME_BYTES = 256 }; /* of a name with its NUL; a longer one is cut and ends in "..." */

/* Who knows the names of objects. */
struct cs_datatype_name_context {
    const char *(*name_of)(void *context, uint32_t object); /* NULL or "": it has none; good until the next call */
    void *context;
};

/* The name of a datatype, in English order: word, arguments, "of", names of what it is made of; those without a name
   are left out. function: number in gen/spec. parent: 0: not known. detail: bytes as in journal/detail.h. False: the
   function creates no datatype, or its arguments are not known. */
bool cs_datatype_name(uint16_t function, uint32_t parent, const void *detail, size_t bytes,
                      const struct cs_datatype_name_context *names, char name[CS_DATATYPE_NAME_BYTES]);

/* The name of a file: the last part of its path, cut like the others. False: the path is not known. */
bool cs_file_name(const void *detail, size_t bytes, char name[CS_DATATYPE_NAME_BYTES]);
