#include "db/journal/datatype_name.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "db/journal/detail.h"
#include "base/utf8.h"
#include "functions.h"

enum { SHOWN = 4 }; /* of a list */

struct text {
    char *at; /* CS_DATATYPE_NAME_BYTES */
    size_t length;
    bool cut;
};

static void put(struct text *text, const char *what)
{
    size_t length = strlen(what), room = CS_DATATYPE_NAME_BYTES - 1 - text->length;
    if (length > room) {
        length = room;
        text->cut = true;
    }
    memcpy(text->at + text->length, what, length);
    text->length += length;
    text->at[text->length] = 0;
}

static void finish(struct text *text)
{
    static const char dots[] = "...";
    if (text->cut)
        strcpy(text->at + cs_utf8_cut(text->at, CS_DATATYPE_NAME_BYTES - sizeof dots), dots);
}

static void put_number(struct text *text, int64_t number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    put(text, digits);
}

static void put_numbers(struct text *text, const struct cs_detail_item *item, int64_t were, size_t here)
{
    put(text, "[");
    for (size_t i = 0; i < here && i < SHOWN; i++) {
        put(text, i ? "," : "");
        put_number(text, cs_detail_at(item, i));
    }
    put(text, were > SHOWN ? ",...]" : "]");
}

static void put_words(struct text *text, const struct cs_detail_item *item)
{
    size_t at = sizeof(int64_t);
    const char *one;
    put(text, "[");
    for (size_t i = 0; (one = cs_detail_next_string(item, &at)) && *one; i++) {
        put(text, i ? "," : "");
        put(text, i < SHOWN ? one : "...");
        if (i == SHOWN)
            break;
    }
    put(text, "]");
}

static void put_argument(struct text *text, const void *detail, size_t bytes, enum cs_detail_key key)
{
    struct cs_detail_item item;
    int64_t number;
    size_t here;
    if (!cs_detail_find(detail, bytes, key, &item))
        put(text, "?");
    else if (cs_detail_number(&item, &number))
        put_number(text, number);
    else if (cs_detail_list(&item, &number, &here))
        put_numbers(text, &item, number, here);
    else if (item.form == CS_DETAIL_TEXTS)
        put_words(text, &item);
    else
        put(text, "?");
}

enum { ARGUMENTS = 5, SPELLINGS = 3 };

/* What each function makes, and the arguments that say most of it. */
static const struct shape {
    uint16_t functions[SPELLINGS];
    const char *word;
    uint16_t arguments[ARGUMENTS];
} shapes[] = {
    {{CS_MPI_Type_contiguous, CS_MPI_Type_contiguous_c}, "contiguous", {CS_DETAIL_COUNT}},
    {{CS_MPI_Type_vector, CS_MPI_Type_vector_c}, "vector", {CS_DETAIL_COUNT, CS_DETAIL_BLOCKLENGTH, CS_DETAIL_STRIDE}},
    {{CS_MPI_Type_create_hvector, CS_MPI_Type_create_hvector_c, CS_MPI_Type_hvector},
     "hvector",
     {CS_DETAIL_COUNT, CS_DETAIL_BLOCKLENGTH, CS_DETAIL_STRIDE}},
    {{CS_MPI_Type_indexed, CS_MPI_Type_indexed_c}, "indexed", {CS_DETAIL_BLOCKLENGTHS, CS_DETAIL_DISPLACEMENTS}},
    {{CS_MPI_Type_create_hindexed, CS_MPI_Type_create_hindexed_c, CS_MPI_Type_hindexed},
     "hindexed",
     {CS_DETAIL_BLOCKLENGTHS, CS_DETAIL_DISPLACEMENTS}},
    {{CS_MPI_Type_create_indexed_block, CS_MPI_Type_create_indexed_block_c},
     "indexed_block",
     {CS_DETAIL_BLOCKLENGTH, CS_DETAIL_DISPLACEMENTS}},
    {{CS_MPI_Type_create_hindexed_block, CS_MPI_Type_create_hindexed_block_c},
     "hindexed_block",
     {CS_DETAIL_BLOCKLENGTH, CS_DETAIL_DISPLACEMENTS}},
    {{CS_MPI_Type_create_struct, CS_MPI_Type_create_struct_c, CS_MPI_Type_struct}, "struct", {CS_DETAIL_COUNT}},
    {{CS_MPI_Type_create_subarray, CS_MPI_Type_create_subarray_c},
     "subarray",
     {CS_DETAIL_SIZES, CS_DETAIL_SUBSIZES, CS_DETAIL_STARTS}},
    {{CS_MPI_Type_create_darray, CS_MPI_Type_create_darray_c},
     "darray",
     {CS_DETAIL_SIZE, CS_DETAIL_RANK, CS_DETAIL_GSIZES, CS_DETAIL_DISTRIBS, CS_DETAIL_PSIZES}},
    {{CS_MPI_Type_create_resized, CS_MPI_Type_create_resized_c}, "resized", {CS_DETAIL_LB, CS_DETAIL_EXTENT}},
    {{CS_MPI_Type_dup}, "dup", {0}},
    {{CS_MPI_Type_create_f90_real}, "f90_real", {CS_DETAIL_P, CS_DETAIL_R}},
    {{CS_MPI_Type_create_f90_complex}, "f90_complex", {CS_DETAIL_P, CS_DETAIL_R}},
    {{CS_MPI_Type_create_f90_integer}, "f90_integer", {CS_DETAIL_R}},
};

static const struct shape *shape_of(uint16_t function)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < SPELLINGS; k++)
            if (function && shapes[i].functions[k] == function)
                return &shapes[i];
    return NULL;
}

static void put_arguments(struct text *text, const struct shape *shape, const void *detail, size_t bytes)
{
    for (size_t i = 0; i < ARGUMENTS && shape->arguments[i]; i++) {
        put(text, i ? "," : "(");
        put_argument(text, detail, bytes, (enum cs_detail_key)shape->arguments[i]);
    }
    put(text, shape->arguments[0] ? ")" : "");
}

/* The types that a struct is made of, each once for a run of equal ones. */
static bool put_types(struct text *text, const void *detail, size_t bytes, const struct cs_datatype_name_context *names)
{
    struct cs_detail_item item;
    int64_t were, former = 0;
    size_t here, shown = 0;
    if (!cs_detail_find(detail, bytes, CS_DETAIL_TYPES, &item) || !cs_detail_list(&item, &were, &here))
        return false;
    for (size_t i = 0; i < here; i++) {
        int64_t type = cs_detail_at(&item, i);
        const char *name = type > 0 && type <= UINT32_MAX ? names->name_of(names->context, (uint32_t)type) : NULL;
        if (type == former || !name || !*name)
            continue;
        former = type;
        put(text, shown ? ", " : " of ");
        if (shown++ == SHOWN) {
            put(text, "...");
            break;
        }
        put(text, name);
    }
    return true;
}

bool cs_datatype_name(uint16_t function, uint32_t parent, const void *detail, size_t bytes,
                      const struct cs_datatype_name_context *names, char name[CS_DATATYPE_NAME_BYTES])
{
    const struct shape *shape = shape_of(function);
    if (!shape || (!bytes && shape->arguments[0]))
        return false;
    struct text text = {.at = name};
    put(&text, shape->word);
    put_arguments(&text, shape, detail, bytes);
    if (!put_types(&text, detail, bytes, names)) {
        const char *of = parent ? names->name_of(names->context, parent) : NULL;
        if (of && *of) {
            put(&text, " of ");
            put(&text, of);
        }
    }
    finish(&text);
    return true;
}

bool cs_file_name(const void *detail, size_t bytes, char name[CS_DATATYPE_NAME_BYTES])
{
    struct cs_detail_item item;
    const char *path = NULL;
    if (cs_detail_find(detail, bytes, CS_DETAIL_FILENAME, &item))
        path = cs_detail_string(&item);
    if (!path || !*path)
        return false;
    struct text text = {.at = name};
    put(&text, cs_path_name(path));
    finish(&text);
    return true;
}
