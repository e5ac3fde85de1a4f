#include "db/seal/envelopes.h"

#include <string.h>

#include "base/array.h"
#include "db/journal/format.h"
#include "db/journal/names.h"
#include "db/seal/gather.h"
#include "db/seal/sites.h"

/* ---- traffic ---- */

/* A cell may have taken back what another one counted: whether sums can be true is known only when all are added up. */
struct traffic {
    const char *direction;
    int64_t messages;
    struct cs_traffic_cell cell;
};

static int compare_traffic(const void *left, const void *right)
{
    const struct traffic *a = left, *b = right;
    int order = cs_compare(a->cell.object, b->cell.object);
    if (!order)
        order = strcmp(a->direction, b->direction);
    return order ? order : cs_compare(a->cell.peer, b->cell.peer);
}

static enum cs_status read_traffic(struct cs_sealing *sealing, const void *visited, void *made, bool *skip)
{
    const struct cs_traffic_cell *cell = visited;
    struct traffic *line = made;
    *line =
        (struct traffic){.direction = cs_name_of_direction(cell->direction), .messages = cell->messages, .cell = *cell};
    bool known_peer = cell->peer >= 0 || cell->peer == CS_PEER_NULL || cell->peer == CS_PEER_OTHERS ||
                      (cell->peer == CS_PEER_ANY && cell->direction == CS_RECEIVE_UNTOLD);
    *skip = !cell->direction || !line->direction || !known_peer;
    sealing->damaged |= cell->direction && *skip;
    return CS_OK;
}

/* The rank in the world is not known to a thread that met the peer when the communicator was freed. */
static void add_traffic(void *sum, const void *line)
{
    struct traffic *all = sum;
    struct cs_traffic_cell *cell = &all->cell;
    const struct cs_traffic_cell *more = &((const struct traffic *)line)->cell;
    if (cell->world < 0)
        cell->world = more->world;
    all->messages += more->messages;
    cell->bytes += more->bytes;
    cell->ticks += more->ticks;
}

static bool tell_traffic(struct cs_sealing *sealing, const void *told, struct cs_value *values)
{
    const struct traffic *line = told;
    const struct cs_traffic_cell *cell = &line->cell;
    struct cs_value own = cs_int_unless(sealing->rank < 0 ? -1 : sealing->rank, -1);
    struct cs_value other = cs_int_unless(cell->world < 0 ? -1 : cell->world, -1);
    bool comes = cell->direction == CS_RECEIVE || cell->direction == CS_GET || cell->direction == CS_RECEIVE_UNTOLD;
    if (!line->messages || !cs_sealing_add(sealing, &sealing->messages, (uint64_t)line->messages) ||
        !cs_sealing_add(sealing, &sealing->message_bytes, cell->bytes))
        return false;
    CS_SET_ROW(values, cs_int(sealing->rank), cs_int(cell->object), cs_text(line->direction), cs_int(cell->peer),
               comes ? other : own, comes ? own : other, cs_int(line->messages), cs_int((int64_t)cell->bytes),
               cs_int(cs_sealing_span(sealing, cell->ticks)));
    return true;
}

/* ---- tags ---- */

struct tag {
    int64_t site;
    const char *direction;
    int32_t last; /* of the range */
    struct cs_tag_cell cell;
};

static int compare_tags(const void *left, const void *right)
{
    const struct tag *a = left, *b = right;
    int order = cs_compare(a->cell.object, b->cell.object);
    if (!order)
        order = strcmp(a->direction, b->direction);
    if (!order)
        order = cs_compare(a->cell.tag, b->cell.tag);
    if (!order)
        order = cs_compare(a->last, b->last);
    return order ? order : cs_compare(a->site, b->site);
}

static enum cs_status read_tag(struct cs_sealing *sealing, const void *visited, void *made, bool *skip)
{
    const struct cs_tag_cell *cell = visited;
    struct tag *line = made;
    *line = (struct tag){.direction = cs_name_of_direction(cell->direction), .last = cell->tag, .cell = *cell};
    if (cell->range)
        line->last = (int32_t)((((int64_t)1 << (cell->range - 1) % 32) - 1) & INT32_MAX);
    else
        line->cell.largest = cell->tag;
    bool possible = cell->tag >= 0 && cell->range <= 32 && line->cell.largest >= cell->tag;
    *skip = !cell->direction || !line->direction || !possible || line->cell.largest > line->last;
    sealing->damaged |= cell->direction && *skip;
    return *skip ? CS_OK : cs_sites_find(sealing->sites, cell->site, UINT64_MAX, &line->site);
}

static void add_tag(void *sum, const void *line)
{
    struct cs_tag_cell *cell = &((struct tag *)sum)->cell;
    const struct cs_tag_cell *more = &((const struct tag *)line)->cell;
    if (more->largest > cell->largest)
        cell->largest = more->largest;
    cell->messages += more->messages;
}

static bool tell_tag(struct cs_sealing *sealing, const void *told, struct cs_value *values)
{
    const struct tag *line = told;
    const struct cs_tag_cell *cell = &line->cell;
    if (!cell->messages || !cs_sealing_add(sealing, &sealing->tagged, cell->messages))
        return false;
    CS_SET_ROW(values, cs_int(sealing->rank), cs_int(cell->object), cs_text(line->direction), cs_int(cell->tag),
               cs_int(line->last), cs_int(cell->largest), cs_int(line->site), cs_int((int64_t)cell->messages));
    return true;
}

enum cs_status cs_envelopes_write(struct cs_sealing *sealing)
{
    static const struct cs_gathering traffic = {.type = CS_BLOCK_TRAFFIC,
                                                .cell_bytes = sizeof(struct cs_traffic_cell),
                                                .line_bytes = sizeof(struct traffic),
                                                .row = CS_ROW_TRAFFIC,
                                                .read = read_traffic,
                                                .compare = compare_traffic,
                                                .add = add_traffic,
                                                .tell = tell_traffic};
    static const struct cs_gathering tags = {.type = CS_BLOCK_TAG,
                                             .cell_bytes = sizeof(struct cs_tag_cell),
                                             .line_bytes = sizeof(struct tag),
                                             .row = CS_ROW_TAG,
                                             .read = read_tag,
                                             .compare = compare_tags,
                                             .add = add_tag,
                                             .tell = tell_tag};
    enum cs_status status = cs_gather(sealing, &traffic);
    return status == CS_OK ? cs_gather(sealing, &tags) : status;
}
