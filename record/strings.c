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

static uint64_t take(size_t bytes)
{
    callsign_debug.first_string_log2 = FIRST_LOG2;
    unsigned class = class_of(bytes);
    if (class >= CLASSES)
        return 0;
    uint64_t address = free_list[class];
    if (!address)
        return carve((size_t)1 << (class + SMALLEST_LOG2));
    memcpy(&free_list[class], (void *)(uintptr_t)address, sizeof free_list[class]);
    return address;
}

static void give_back(uint64_t address, size_t bytes)
{
    unsigned class = class_of(bytes);
    memcpy((void *)(uintptr_t)address, &free_list[class], sizeof free_list[class]);
    free_list[class] = address;
}

uint64_t cs_string_keep(const char *text)
{
    if (!text || !*text)
        return 0;
    size_t bytes = strlen(text) + 1;
    uint64_t address = take(bytes);
    if (address)
        memcpy((void *)(uintptr_t)address, text, bytes);
    return address;
}

void cs_string_drop(uint64_t address)
{
    if (address)
        give_back(address, strlen((const char *)(uintptr_t)address) + 1);
}

/* ---- details ---- */

enum { UNIT_LOG2 = SMALLEST_LOG2, FIRST_UNITS_LOG2 = FIRST_LOG2 - UNIT_LOG2 };

static uint64_t first_unit_of(unsigned k)
{
    return (((uint64_t)1 << k) - 1) << FIRST_UNITS_LOG2;
}

static uint32_t unit_at(uint64_t address)
{
    for (unsigned k = 0; k <= segment && k < CALLSIGN_DEBUG_SEGMENTS; k++) {
        uint64_t from = address - callsign_debug.string_segment[k];
        uint64_t unit = first_unit_of(k) + (from >> UNIT_LOG2) + 1;
        if (from < (uint64_t)1 << (FIRST_LOG2 + k))
            return unit <= UINT32_MAX ? (uint32_t)unit : 0;
    }
    return 0;
}

static uint64_t address_of(uint32_t detail)
{
    uint64_t unit = detail - 1u;
    unsigned k = 63u - (unsigned)__builtin_clzll((unit >> FIRST_UNITS_LOG2) + 1);
    return callsign_debug.string_segment[k] + ((unit - first_unit_of(k)) << UNIT_LOG2);
}

uint32_t cs_string_keep_detail(const void *items, size_t bytes)
{
    uint64_t address = take(sizeof(struct callsign_detail) + bytes);
    if (!address)
        return 0;
    struct callsign_detail *detail = (struct callsign_detail *)(uintptr_t)address;
    detail->bytes = bytes;
    memcpy(detail->items, items, bytes);
    return unit_at(address);
}

void cs_string_drop_detail(uint32_t detail)
{
    if (!detail)
        return;
    uint64_t address = address_of(detail);
    give_back(address, sizeof(struct callsign_detail) + ((struct callsign_detail *)(uintptr_t)address)->bytes);
}
