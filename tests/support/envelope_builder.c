#include "tests/support/envelope_builder.h"

#include "callsign/debug.h"
#include "db/journal/format.h"

static void add_traffic(struct cs_built *built, uint32_t thread)
{
    const struct cs_traffic_cell cells[] = {
        {.object = 1, .peer = 1, .direction = CS_SEND, .world = 1, .messages = 3, .bytes = 24, .ticks = 30},
        {.object = 1,
         .peer = 1,
         .direction = CS_RECEIVE,
         .world = thread ? -1 : 1,
         .messages = 2 + thread,
         .bytes = 16,
         .ticks = 20},
        {.object = 2, .peer = 0, .direction = CS_SEND, .world = 0, .messages = thread ? -1 : 1},
        {.object = 1, .peer = CS_PEER_NULL, .direction = CS_SEND, .world = -1, .messages = 1},
        {.object = 1, .peer = CS_PEER_OTHERS, .direction = CS_RECEIVE, .world = -1, .messages = 5, .bytes = 40},
        {.object = 4, .peer = 1, .direction = CS_PUT, .world = 1, .messages = 1, .bytes = 8, .ticks = 5},
        {.object = 9, .peer = 7}, /* handed out, not yet valid */
    };
    size_t block = cs_built_block(built, CS_BLOCK_TRAFFIC, thread, sizeof *cells, sizeof cells);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cs_built_cell(built, block, &cells[i]);
}

static void add_tags(struct cs_built *built, uint32_t thread)
{
    const struct cs_tag_cell cells[] = {
        {.site = 0x401090, .object = 1, .tag = 7, .direction = CS_SEND, .messages = 3},
        {.site = 0x401090, .object = 1, .tag = 7, .direction = CS_RECEIVE, .messages = 2 + thread},
        {.site = 0x401090,
         .object = 1,
         .tag = 1024,
         .direction = CS_SEND,
         .range = 12,
         .largest = thread ? 1900 : 1100,
         .messages = 1},
        {.site = 0x401090, .object = 2, .tag = 8, .direction = CS_SEND, .messages = thread ? UINT64_MAX : 1},
        {.site = 0x401090, .object = 9, .tag = 9}, /* handed out, not yet valid */
    };
    size_t block = cs_built_block(built, CS_BLOCK_TAG, thread, sizeof *cells, sizeof cells);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cs_built_cell(built, block, &cells[i]);
}

void cs_built_envelopes(struct cs_built *built, uint32_t thread)
{
    add_traffic(built, thread);
    add_tags(built, thread);
}
