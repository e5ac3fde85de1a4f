#include "db/convert/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/convert/sites.h"
#include "journal/reader.h"
#include "journal_facts.h"

/* ---- names of errors ---- */

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

/* A linear search: there are few errors. */
static const char *find_error(const struct cs_errors *errors, int32_t number)
{
    for (size_t i = 0; i < errors->count; i++)
        if (errors->error[i].number == number)
            return errors->error[i].words;
    return NULL;
}

static const char *add_error(struct cs_errors *errors, int32_t number, const char *words)
{
    struct error error = {number, strdup(words)};
    if (!error.words || !cs_array_grow(&errors->error, errors->count, &errors->room, sizeof error)) {
        free(error.words);
        return NULL;
    }
    errors->error[errors->count++] = error;
    return error.words;
}

enum cs_status cs_load_error(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    const struct cs_fact_error *it = (const void *)fact;
    const char *words = cs_fact_error_words(it);
    if (!*words)
        return CS_CORRUPT;
    if (find_error(conversion->errors, it->error))
        return CS_OK;
    return add_error(conversion->errors, it->error, words) ? CS_OK : CS_NO_MEMORY;
}

const char *cs_errors_words(struct cs_errors *errors, int32_t error)
{
    char words[32];
    const char *known = find_error(errors, error);
    if (known)
        return known;
    snprintf(words, sizeof words, "error %d", error);
    return add_error(errors, error, words);
}

/* ---- all facts ---- */

enum cs_status cs_load_meta(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    static const char *const about[CS_ABOUT_COUNT] = {
        [CS_ABOUT_NODE] = "node",           [CS_ABOUT_PROGRAM] = "program",
        [CS_ABOUT_ARGUMENTS] = "arguments", [CS_ABOUT_THREAD_LEVEL] = "thread_level",
        [CS_ABOUT_STARTED] = "started_utc",
    };
    const struct cs_fact_meta *it = (const void *)fact;
    const char *key = cs_fact_meta_key(it), *value = cs_fact_meta_value(it);
    if (strcmp(key, "config.EVENTS") == 0)
        conversion->keeps_events = strcmp(value, "last") != 0;
    for (size_t i = 0; i < CS_ABOUT_COUNT; i++) {
        if (strcmp(key, about[i]) != 0)
            continue;
        char *copy = strdup(value);
        if (!copy)
            return CS_NO_MEMORY;
        free(conversion->about[i]);
        conversion->about[i] = copy;
        return CS_OK;
    }
    return CS_INSERT(conversion->rows, meta, .key = cs_text(key), .value = cs_text(value));
}

enum cs_status cs_load_stack(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    return cs_sites_stack(conversion->sites, (const void *)fact);
}

enum cs_status cs_load_python_frame(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    return cs_sites_python_frame(conversion->sites, (const void *)fact);
}

enum cs_status cs_load_tail_call(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    return cs_sites_tail_call(conversion->sites, (const void *)fact);
}

enum cs_status cs_load_module(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    return cs_sites_module(conversion->sites, (const void *)fact);
}

enum cs_status cs_load_variable(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    const struct cs_fact_variable *it = (const void *)fact;
    int64_t site, offset, module = cs_sites_module_at(conversion->sites, it->address, fact->ticks, &offset);
    enum cs_status status = cs_sites_find(conversion->sites, it->site, fact->ticks, &site);
    if (!module || status != CS_OK)
        return status;
    return CS_INSERT(conversion->rows, variable, .at_ns = cs_int(cs_conversion_instant(conversion, fact->ticks)),
                     .object = cs_int_unless(it->object, 0),
                     .function = cs_conversion_function(conversion, it->function), .bytes = cs_int(it->bytes),
                     .site = cs_int_unless(site, 0), .module = cs_int(module), .offset = cs_int(offset),
                     .frame_offset = cs_int_unless(it->frame_offset, 0));
}

struct pass {
    struct cs_conversion *conversion;
    bool first;
};

/* An invalid fact is skipped and remembered; any other error ends the conversion. */
static enum cs_status visit_fact(void *context, const struct cs_fact *fact)
{
    const struct pass *pass = context;
    struct cs_conversion *conversion = pass->conversion;
    const struct cs_fact_loader *loader = fact->type < CS_FACT_LOADERS ? &cs_fact_loaders[fact->type] : NULL;
    if (!loader || !loader->load || loader->first != pass->first)
        return CS_OK;
    enum cs_status status = loader->load(conversion, fact);
    if (status == CS_CORRUPT) {
        conversion->damaged = true;
        return CS_OK;
    }
    if (!pass->first)
        cs_conversion_note_instant(conversion, fact->ticks);
    return status;
}

enum cs_status cs_facts_load(struct cs_conversion *conversion)
{
    struct pass pass = {.conversion = conversion, .first = true};
    enum cs_status status = cs_journal_read_facts(conversion->reader, visit_fact, &pass);
    pass.first = false;
    return status == CS_OK ? cs_journal_read_facts(conversion->reader, visit_fact, &pass) : status;
}
