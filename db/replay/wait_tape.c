#include "db/replay/wait_tape.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20, ALIGNMENT = 8 };

/* Each record is followed by its length. Records do not go from one chunk to the next. */
struct cs_wait_tape {
    FILE *file;
    size_t chunks; /* in the file */
    size_t used;   /* of the chunk in memory */
    char *chunk;
};

static size_t padded(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

struct cs_wait_tape *cs_wait_tape_new(void)
{
    struct cs_wait_tape *tape = calloc(1, sizeof *tape);
    if (tape && !(tape->chunk = malloc(CHUNK_BYTES))) {
        free(tape);
        tape = NULL;
    }
    return tape;
}

void cs_wait_tape_free(struct cs_wait_tape *tape)
{
    if (!tape)
        return;
    if (tape->file)
        fclose(tape->file);
    free(tape->chunk);
    free(tape);
}

static bool seek(const struct cs_wait_tape *tape, size_t chunk)
{
    return fseeko(tape->file, (off_t)(chunk * CHUNK_BYTES), SEEK_SET) == 0;
}

/* The unused end of a chunk is zero but for its last number, which says how much is used. */
static bool spill(struct cs_wait_tape *tape)
{
    if (!tape->file && !(tape->file = tmpfile()))
        return false;
    uint64_t used = tape->used;
    memset(tape->chunk + used, 0, CHUNK_BYTES - used);
    memcpy(tape->chunk + CHUNK_BYTES - sizeof used, &used, sizeof used);
    if (!seek(tape, tape->chunks) || fwrite(tape->chunk, CHUNK_BYTES, 1, tape->file) != 1)
        return false;
    tape->chunks++;
    tape->used = 0;
    return true;
}

bool cs_wait_tape_write(struct cs_wait_tape *tape, const void *head, size_t head_bytes, const void *body,
                        size_t body_bytes)
{
    uint64_t bytes = head_bytes + body_bytes;
    size_t whole = padded(bytes) + sizeof bytes;
    if (bytes > CS_WAIT_TAPE_RECORD_MOST || (tape->used + whole + sizeof(uint64_t) > CHUNK_BYTES && !spill(tape)))
        return false;
    char *to = tape->chunk + tape->used;
    memcpy(to, head, head_bytes);
    if (body_bytes)
        memcpy(to + head_bytes, body, body_bytes);
    memcpy(to + whole - sizeof bytes, &bytes, sizeof bytes);
    tape->used += whole;
    return true;
}

static bool unspill(struct cs_wait_tape *tape)
{
    uint64_t used;
    if (fflush(tape->file) != 0 || !seek(tape, tape->chunks - 1) || fread(tape->chunk, CHUNK_BYTES, 1, tape->file) != 1)
        return false;
    memcpy(&used, tape->chunk + CHUNK_BYTES - sizeof used, sizeof used);
    if (used > CHUNK_BYTES)
        return false;
    tape->chunks--;
    tape->used = used;
    return true;
}

const void *cs_wait_tape_read_back(struct cs_wait_tape *tape, size_t *bytes, bool *failed)
{
    uint64_t length;
    *failed = false;
    if (!tape->used && !tape->chunks)
        return NULL;
    *failed = !tape->used && !unspill(tape);
    if (*failed)
        return NULL;
    memcpy(&length, tape->chunk + tape->used - sizeof length, sizeof length);
    tape->used -= padded(length) + sizeof length;
    *bytes = length;
    return tape->chunk + tape->used;
}
