#include "record/strings.h"

#include <string.h>
#include <sys/mman.h>

#include "callsign/debug.h"

enum { FIRST_LOG2 = 16, SMALLEST_LOG2 = 4, CLASSES = 24 };

/* Freed strings by size class; the first 8 bytes of a free one are the link. */
static uint64_t free_list[CLASSES];
static unsigned segment;

static unsigned class_of(size_t bytes)
{
    unsigned class = 0;
    while (((size_t)1 << (class + SMALLEST_LOG2)) < bytes)
        class ++;
    return class;
}

static uint64_t carve(size_t bytes)
{
    while (segment < CALLSIGN_DEBUG_SEGMENTS) {
        size_t size = (size_t)1 << (FIRST_LOG2 + segment);
        uint64_t base = callsign_debug.string_segment[segment];
        if (!base) {
            void *fresh = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (fresh == MAP_FAILED)
                return 0;
            base = callsign_debug.string_segment[segment] = (uint64_t)(uintptr_t)fresh;
        }
        uint64_t used = callsign_debug.string_bytes_used[segment];
        if (used + bytes <= size) {
            callsign_debug.string_bytes_used[segment] = used + bytes;
            return base + used;
        }
        segment++;
    }
    return 0;
}

uint64_t cs_string_keep(const char *text)
{
    callsign_debug.first_string_log2 = FIRST_LOG2;
    if (!text || !*text)
        return 0;
    size_t bytes = strlen(text) + 1;
    unsigned class = class_of(bytes);
    if (class >= CLASSES)
        return 0;
    uint64_t address = free_list[class];
    if (address)
        memcpy(&free_list[class], (void *)(uintptr_t)address, sizeof free_list[class]);
    else
        address = carve((size_t)1 << (class + SMALLEST_LOG2));
    if (address)
        memcpy((void *)(uintptr_t)address, text, bytes);
    return address;
}

void cs_string_drop(uint64_t address)
{
    if (!address)
        return;
    char *text = (char *)(uintptr_t)address;
    unsigned class = class_of(strlen(text) + 1);
    memcpy(text, &free_list[class], sizeof free_list[class]);
    free_list[class] = address;
}
