#include "record/site/python_frames.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/number_table.h"
#include "base/path.h"
#include "journal_writers.h"
#include "record/process/recorder.h"

#define FRAMES_MOST 65536u

struct frame {
    uint64_t hash;
    uint32_t number; /* from 1 */
    char *text;      /* for messages; NULL without memory */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cs_number_table frames;

/* "function file.py:12"; NULL without memory. */
static char *text_of(const struct cs_python_place *place)
{
    const char *file = cs_path_name(place->file);
    size_t size = strlen(place->function) + strlen(file) + 16;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s %s:%d", place->function, file, (int)place->line);
    return text;
}

/* Two lines may have one address in memory one after the other, and one line several: the texts tell them apart. */
static uint32_t intern(const struct cs_python_place *place)
{
    uint64_t hash = cs_hash_text(cs_hash_text(CS_HASH_BEGIN, place->file), place->function);
    hash = cs_hash_mix(hash, (uint64_t)place->line);
    hash += !hash; /* a key is not 0 */
    pthread_mutex_lock(&lock);
    uint32_t number = 0;
    struct frame *frame = cs_number_table_find(&frames, hash, sizeof *frame);
    if (!frame && frames.count < FRAMES_MOST)
        frame = cs_number_table_add(&frames, hash, sizeof *frame);
    if (frame)
        number = frame->number;
    if (frame && !number) {
        number = frame->number = (uint32_t)frames.count;
        frame->text = text_of(place);
        cs_write_python_frame(cs_recorder.journal, (struct cs_fact_python_frame){.number = number, .line = place->line},
                              place->file, place->function);
    }
    pthread_mutex_unlock(&lock);
    return number;
}

/* mpi4py is where Python keeps packages: site-packages, dist-packages. The user's own folder may have its name. */
static bool is_of_layer(const char *file)
{
    return strstr(file, "-packages/mpi4py/") || strncmp(file, "<frozen importlib.", 18) == 0;
}

uint64_t cs_python_frame_number(const struct cs_python_layout *layout, const struct cs_python_types *types,
                                uint64_t frame, bool *is_hidden)
{
    struct cs_python_place place;
    *is_hidden = true;
    if (!cs_python_place_find(layout, types, frame, &place))
        return 0;
    *is_hidden = is_of_layer(place.file);
    uint32_t number = intern(&place);
    return number ? CS_SITE_STACK | number : 0;
}

void cs_python_frame_write(uint64_t number, char *text, size_t size)
{
    snprintf(text, size, "?");
    pthread_mutex_lock(&lock);
    const struct frame *frame = (const void *)frames.slot;
    for (size_t i = 0; i < frames.slots; i++)
        if (frame[i].number && frame[i].number == (uint32_t)number && frame[i].text)
            snprintf(text, size, "%s", frame[i].text);
    pthread_mutex_unlock(&lock);
}

void cs_python_frames_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
