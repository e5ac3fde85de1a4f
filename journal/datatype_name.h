/* Names for unnamed datatypes, derived from their creation: "contiguous(3) of vector(4,2,8) of MPI_DOUBLE". Equal
   arguments give equal names in every run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_DATATYPE_NAME_BYTES = 256 }; /* size of a name with its NUL; a longer one is cut and ends in "..." */

/* Provides names of objects. */
struct cs_datatype_name_context {
    const char *(*name_of)(void *context, uint32_t object); /* NULL or "": no name; valid until the next call */
    void *context;
};

/* The name of a datatype: word, arguments, "of", names of its parts; parts without name are left out. function:
   number in gen/spec. parent 0: unknown. detail: bytes as in journal/detail.h. Returns false if the function creates
   no datatype, or its arguments are unknown. */
bool cs_datatype_name(uint16_t function, uint32_t parent, const void *detail, size_t bytes,
                      const struct cs_datatype_name_context *names, char name[CS_DATATYPE_NAME_BYTES]);

/* The name of a file: the last part of its path, cut in the same way. Returns false if the path is unknown. */
bool cs_file_name(const void *detail, size_t bytes, char name[CS_DATATYPE_NAME_BYTES]);
