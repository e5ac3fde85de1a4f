#include "db/trace/event_wait_sums.h"

#include "base/hash_table.h"

/* The columns of computed_waits that the sums have, in the order of computed_wait_sums. */
static const int kept[] = {0, 1, 4, 5, 6, 7, 8, 9, 10, 11};
enum { KEPT = sizeof kept / sizeof *kept, WAITS = KEPT, WAIT, WAIT_OF_ROW = 13 };

struct cs_event_wait_sums {
    struct key {
        int64_t value[KEPT], known; /* known: a bit for each value */
    } key;
    UT_hash_handle hh;
    int64_t waits, wait_ns;
};

bool cs_event_wait_sums_add(struct cs_event_wait_sums **sums, const struct cs_event_row *wait)
{
    struct key key = {.known = 0};
    struct cs_event_wait_sums *sum;
    for (int i = 0; i < KEPT; i++) {
        const struct cs_event_number *number = &wait->value[kept[i]];
        key.value[i] = number->known ? number->value : 0;
        key.known |= (int64_t)number->known << i;
    }
    HASH_FIND(hh, *sums, &key, sizeof key, sum);
    if (!sum) {
        sum = calloc(1, sizeof *sum);
        if (!sum)
            return false;
        sum->key = key;
        CS_TABLE_ADD(*sums, key, sum);
    }
    if (!sum)
        return false;
    sum->waits++;
    sum->wait_ns = cs_event_plus(sum->wait_ns, wait->value[WAIT_OF_ROW].value);
    return true;
}

void cs_event_wait_sums_write(const struct cs_event_wait_sums *sums, struct cs_event_rows *rows)
{
    for (const struct cs_event_wait_sums *sum = sums; sum; sum = sum->hh.next) {
        struct cs_event_row *row = cs_event_rows_add(rows);
        if (!row)
            return;
        for (int i = 0; i < KEPT; i++)
            row->value[i] = (struct cs_event_number){sum->key.value[i], sum->key.known >> i & 1};
        row->value[WAITS] = (struct cs_event_number){sum->waits, true};
        row->value[WAIT] = (struct cs_event_number){sum->wait_ns, true};
    }
}

void cs_event_wait_sums_free(struct cs_event_wait_sums *sums)
{
    CS_TABLE_FREE(sums);
}
