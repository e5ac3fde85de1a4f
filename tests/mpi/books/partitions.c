/* Partitioned messages, of MPI 4. */
#include "books.h"

void send_partitions(struct actor *actor, const struct place *on)
{
#ifdef HAS_MPI_4
    enum { PARTITIONS = 4, COUNT = 6, STARTS = 3, TAG = 44, BYTES = PARTITIONS * COUNT * sizeof(int) };
    static int in[PARTITIONS * COUNT], out[PARTITIONS * COUNT];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int size = on->size[0], dest = (on->rank + 1) % size, source = (on->rank + size - 1) % size;
    CALL(MPI_Precv_init)(in, PARTITIONS, COUNT, MPI_INT, source, TAG, on->comm, MPI_INFO_NULL, &requests[0]);
    CALL(MPI_Psend_init)(out, PARTITIONS, COUNT, MPI_INT, dest, TAG, on->comm, MPI_INFO_NULL, &requests[1]);
    for (int i = 0; i < STARTS; i++) {
        bool blind = roll(&actor->own, 2);
        CALL(MPI_Startall)(2, requests);
        CALL(MPI_Pready_range)(1, PARTITIONS - 1, requests[1]);
        CALL(MPI_Pready)(0, requests[1]);
        CALL(MPI_Waitall)(2, requests, blind ? MPI_STATUSES_IGNORE : statuses);
        book_sent(on, dest, TAG, BYTES);
        book_received(on, source, TAG, BYTES);
    }
    for (int i = 0; i < 2; i++)
        CALL(MPI_Request_free)(&requests[i]);
#else
    (void)actor, (void)on;
#endif
}
