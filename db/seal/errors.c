#include "db/seal/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/journal/reader.h"

struct error {
    int32_t number;
    char *words;
};

struct cs_errors {
    struct error *error;
    size_t count, room;
};

struct cs_errors *cs_errors_create(void)
{
    return calloc(1, sizeof(struct cs_errors));
}

void cs_errors_destroy(struct cs_errors *errors)
{
    if (!errors)
        return;
    for (size_t i = 0; i < errors->count; i++)
        free(errors->error[i].words);
    free(errors->error);
    free(errors);
}

/* There are few of them. */
static const char *find(const struct cs_errors *errors, int32_t number)
{
    for (size_t i = 0; i < errors->count; i++)
        if (errors->error[i].number == number)
            return errors->error[i].words;
    return NULL;
}

static const char *add(struct cs_errors *errors, int32_t number, const char *words)
{
    struct error error = {number, strdup(words)};
    if (!error.words || !cs_array_grow(&errors->error, errors->count, &errors->room, sizeof error)) {
        free(error.words);
        return NULL;
    }
    errors->error[errors->count++] = error;
    return error.words;
}

enum cs_status cs_errors_load(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_error *it = (const void *)fact;
    const char *words = cs_fact_string(fact, sizeof *it, 0);
    if (!words || !*words)
        return CS_CORRUPT;
    if (find(sealing->errors, it->error))
        return CS_OK;
    return add(sealing->errors, it->error, words) ? CS_OK : CS_NO_MEMORY;
}

const char *cs_errors_words(struct cs_errors *errors, int32_t error)
{
    char words[32];
    const char *known = find(errors, error);
    if (known)
        return known;
    snprintf(words, sizeof words, "error %d", error);
    return add(errors, error, words);
}
