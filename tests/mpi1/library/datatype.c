/* Datatypes: blocks of bytes. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

static struct table types = {.first = MPI_UB + 1};

static struct type *basic(int size)
{
    struct type *type = calloc(1, sizeof *type);
    *type =
        (struct type){.references = 1, .count = 1, .size = size, .upper = size, .blocks = malloc(sizeof(struct block))};
    type->blocks[0] = (struct block){0, size};
    return type;
}

/* Before anything else of the library is used. */
__attribute__((constructor)) static void predefine(void)
{
    static const struct {
        MPI_Datatype type;
        int size;
    } predefined[] = {{MPI_CHAR, sizeof(char)},
                      {MPI_BYTE, 1},
                      {MPI_PACKED, 1},
                      {MPI_SHORT, sizeof(short)},
                      {MPI_INT, sizeof(int)},
                      {MPI_LONG, sizeof(long)},
                      {MPI_UNSIGNED_CHAR, 1},
                      {MPI_UNSIGNED_SHORT, sizeof(short)},
                      {MPI_UNSIGNED, sizeof(int)},
                      {MPI_UNSIGNED_LONG, sizeof(long)},
                      {MPI_FLOAT, sizeof(float)},
                      {MPI_DOUBLE, sizeof(double)},
                      {MPI_LONG_DOUBLE, sizeof(long double)},
                      {MPI_DOUBLE_INT, sizeof(double) + sizeof(int)},
                      {MPI_2INT, 2 * sizeof(int)},
                      {MPI_LB, 0},
                      {MPI_UB, 0}};
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        types.objects[predefined[i].type] = basic(predefined[i].size);
    type_of(MPI_DOUBLE_INT)->upper = 2 * sizeof(double);
}

struct type *type_of(MPI_Datatype type)
{
    return table_get(&types, type);
}

void type_keep(struct type *type)
{
    type->references++;
}

void type_drop(struct type *type)
{
    if (--type->references == 0) {
        free(type->blocks);
        free(type);
    }
}

/* `length` elements of `old` at a displacement become part of a type. */
static void append(struct type *type, int length, long at, const struct type *old, MPI_Datatype handle)
{
    long extent = old->upper - old->lower;
    long lower = at + old->lower, upper = at + old->lower + length * extent;
    if (handle == MPI_LB || handle == MPI_UB) {
        type->has_lower |= handle == MPI_LB;
        type->has_upper |= handle == MPI_UB;
        *(handle == MPI_LB ? &type->lower : &type->upper) = at;
        return;
    }
    bool first = type->count == 0;
    type->blocks = realloc(type->blocks, (size_t)(type->count + length * old->count + 1) * sizeof *type->blocks);
    for (int i = 0; i < length; i++)
        for (int j = 0; j < old->count; j++)
            type->blocks[type->count++] = (struct block){at + i * extent + old->blocks[j].at, old->blocks[j].bytes};
    type->size += length * old->size;
    if (!type->has_lower && (first || lower < type->lower))
        type->lower = lower;
    if (!type->has_upper && (first || upper > type->upper))
        type->upper = upper;
}

static struct type *begin(void)
{
    struct type *type = calloc(1, sizeof *type);
    type->references = 1;
    return type;
}

static int end(struct type *type, MPI_Datatype *made)
{
    *made = table_add(&types, type);
    return *made ? MPI_SUCCESS : failed(MPI_COMM_WORLD, MPI_ERR_INTERN);
}

int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made)
{
    const struct type *from = type_of(old);
    if (!from || count < 0)
        return failed(MPI_COMM_WORLD, from ? MPI_ERR_COUNT : MPI_ERR_TYPE);
    struct type *type = begin();
    for (int i = 0; i < count; i++)
        append(type, length, i * (long)stride, from, old);
    return end(type, made);
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *made)
{
    const struct type *from = type_of(old);
    return MPI_Type_hvector(count, length, from ? (MPI_Aint)(stride * (from->upper - from->lower)) : 0, old, made);
}

int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *made)
{
    return MPI_Type_vector(1, count, count, old, made);
}

int MPI_Type_struct(int count, int *lengths, MPI_Aint *displacements, MPI_Datatype *olds, MPI_Datatype *made)
{
    struct type *type = begin();
    for (int i = 0; i < count; i++) {
        if (!type_of(olds[i])) {
            type_drop(type);
            return failed(MPI_COMM_WORLD, MPI_ERR_TYPE);
        }
        append(type, lengths[i], (long)displacements[i], type_of(olds[i]), olds[i]);
    }
    return end(type, made);
}

int MPI_Type_indexed(int count, int *lengths, int *displacements, MPI_Datatype old, MPI_Datatype *made)
{
    const struct type *from = type_of(old);
    if (!from)
        return failed(MPI_COMM_WORLD, MPI_ERR_TYPE);
    struct type *type = begin();
    for (int i = 0; i < count; i++)
        append(type, lengths[i], displacements[i] * (from->upper - from->lower), from, old);
    return end(type, made);
}

int MPI_Type_commit(MPI_Datatype *type)
{
    return type_of(*type) ? MPI_SUCCESS : failed(MPI_COMM_WORLD, MPI_ERR_TYPE);
}

int MPI_Type_free(MPI_Datatype *type)
{
    if (*type <= MPI_UB || !type_of(*type))
        return failed(MPI_COMM_WORLD, MPI_ERR_TYPE);
    type_drop(table_remove(&types, *type));
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int MPI_Type_size(MPI_Datatype type, int *size)
{
    if (!type_of(type))
        return failed(MPI_COMM_WORLD, MPI_ERR_TYPE);
    *size = type_of(type)->size;
    return MPI_SUCCESS;
}

int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lower)
{
    if (!type_of(type))
        return failed(MPI_COMM_WORLD, MPI_ERR_TYPE);
    *lower = type_of(type)->lower;
    return MPI_SUCCESS;
}

int MPI_Type_ub(MPI_Datatype type, MPI_Aint *upper)
{
    if (!type_of(type))
        return failed(MPI_COMM_WORLD, MPI_ERR_TYPE);
    *upper = type_of(type)->upper;
    return MPI_SUCCESS;
}

int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent)
{
    if (!type_of(type))
        return failed(MPI_COMM_WORLD, MPI_ERR_TYPE);
    *extent = type_of(type)->upper - type_of(type)->lower;
    return MPI_SUCCESS;
}

int MPI_Address(void *location, MPI_Aint *address)
{
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

/* ---- bytes ---- */

void pack(const void *from, int count, const struct type *type, char *to)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < type->count; j++) {
            const char *at = (const char *)from + i * (type->upper - type->lower) + type->blocks[j].at;
            memcpy(to, at, (size_t)type->blocks[j].bytes);
            to += type->blocks[j].bytes;
        }
}

void unpack(const char *from, size_t bytes, void *to, const struct type *type)
{
    for (int i = 0; bytes && type->size; i++)
        for (int j = 0; j < type->count && bytes; j++) {
            char *at = (char *)to + i * (type->upper - type->lower) + type->blocks[j].at;
            size_t piece = (size_t)type->blocks[j].bytes < bytes ? (size_t)type->blocks[j].bytes : bytes;
            memcpy(at, from, piece);
            from += piece;
            bytes -= piece;
        }
}

int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size)
{
    if (!type_of(type))
        return failed(comm, MPI_ERR_TYPE);
    *size = count * type_of(type)->size;
    return MPI_SUCCESS;
}

int MPI_Pack(void *from, int count, MPI_Datatype type, void *to, int room, int *position, MPI_Comm comm)
{
    int bytes;
    int error = MPI_Pack_size(count, type, comm, &bytes);
    if (error == MPI_SUCCESS && bytes > room - *position)
        error = failed(comm, MPI_ERR_TRUNCATE);
    if (error != MPI_SUCCESS)
        return error;
    pack(from, count, type_of(type), (char *)to + *position);
    *position += bytes;
    return MPI_SUCCESS;
}

int MPI_Unpack(void *from, int room, int *position, void *to, int count, MPI_Datatype type, MPI_Comm comm)
{
    int bytes;
    int error = MPI_Pack_size(count, type, comm, &bytes);
    if (error == MPI_SUCCESS && bytes > room - *position)
        error = failed(comm, MPI_ERR_TRUNCATE);
    if (error != MPI_SUCCESS)
        return error;
    unpack((char *)from + *position, (size_t)bytes, to, type_of(type));
    *position += bytes;
    return MPI_SUCCESS;
}
