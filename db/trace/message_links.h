/* Who a peer of a communicator is: the uid of the communicator, and both processes as ranks in MPI_COMM_WORLD. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct cs_message_links;

struct cs_message_link {
    int64_t id, source, dest;
};

/* Reads them from the counted messages of all ranks. Returns SQLite's code. */
int cs_message_links_read(sqlite3 *db, struct cs_message_links **links);

/* NULL: the trace does not say who it is. */
const struct cs_message_link *cs_message_links_find(const struct cs_message_links *links, int64_t rank, int64_t object,
                                                    bool sent, int64_t peer);

void cs_message_links_free(struct cs_message_links *links);
