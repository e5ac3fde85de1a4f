/* The measured operations, each n times in a row. calls.c includes this file twice: for the program's calls, and for
   calls that bypass callsign. OPERATION(name) names the function, CALL(function) calls an MPI function. */

static void OPERATION(comm_rank)(long n)
{
    int value;
    for (long i = 0; i < n; i++)
        CALL(Comm_rank)(MPI_COMM_WORLD, &value);
}

static void *OPERATION(in_thread)(void *n)
{
    OPERATION(comm_rank)(*(long *)n);
    return NULL;
}

/* Each of four threads does a quarter. */
static void OPERATION(in_threads)(long n)
{
    pthread_t thread[4];
    long each = n / 4;
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread[i], NULL, OPERATION(in_thread), &each) != 0)
            exit(1);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
}

static void OPERATION(many_live)(long n)
{
    int value;
    for (long i = 0; i < n; i++)
        CALL(Comm_rank)(live[i % LIVE], &value);
}

static void OPERATION(with_types)(long n)
{
    int value[4] = {0};
    for (long i = 0; i < n; i++)
        CALL(Bcast)(value, 1, live_types[i % LIVE], 0, MPI_COMM_SELF);
}

static void OPERATION(get_attr)(long n)
{
    void *value;
    int flag;
    for (long i = 0; i < n; i++)
        CALL(Comm_get_attr)(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
}

static void OPERATION(program_attr)(long n)
{
    void *value;
    int flag;
    for (long i = 0; i < n; i++)
        CALL(Comm_get_attr)(live[i % LIVE], keyval, &value, &flag);
}

static void OPERATION(to_self)(long n)
{
    for (long i = 0; i < n; i++) {
        MPI_Request requests[2];
        CALL(Isend)(NULL, 0, MPI_BYTE, 0, 1, own, &requests[0]);
        CALL(Irecv)(NULL, 0, MPI_BYTE, 0, 1, own, &requests[1]);
        CALL(Waitall)(2, requests, MPI_STATUSES_IGNORE);
    }
}

/* As a program with 8 neighbours: all receives and sends are pending at the same time. */
static void OPERATION(halo)(long n)
{
    enum { NEIGHBOURS = 8 };
    static double sent[2 * NEIGHBOURS], received[2 * NEIGHBOURS];
    MPI_Request requests[2 * NEIGHBOURS];
    for (long i = 0; i < n; i++) {
        for (int k = 0; k < NEIGHBOURS; k++)
            CALL(Irecv)(&received[2 * k], 1, MPI_DOUBLE, 0, k, own, &requests[k]);
        for (int k = 0; k < NEIGHBOURS; k++)
            CALL(Isend)(&sent[2 * k], 1, MPI_DOUBLE, 0, k, own, &requests[NEIGHBOURS + k]);
        CALL(Waitall)(2 * NEIGHBOURS, requests, MPI_STATUSES_IGNORE);
    }
}

static void OPERATION(sendrecv_on)(MPI_Comm comm, int tag)
{
    CALL(Sendrecv)(NULL, 0, MPI_BYTE, 0, tag, NULL, 0, MPI_BYTE, 0, tag, comm, MPI_STATUS_IGNORE);
}

static void OPERATION(sendrecv)(long n)
{
    for (long i = 0; i < n; i++)
        OPERATION(sendrecv_on)(own, 1);
}

static void OPERATION(sendrecv_tags)(long n)
{
    for (long i = 0; i < n; i++)
        OPERATION(sendrecv_on)(MPI_COMM_SELF, (int)(i % TAGS));
}

static void OPERATION(sendrecv_live)(long n)
{
    for (long i = 0; i < n; i++)
        OPERATION(sendrecv_on)(live[i % LIVE], (int)(i % 8));
}

/* To one place after another. */
static void OPERATION(put)(long n)
{
    static const double value = 1;
    for (long i = 0; i < n; i++) {
        CALL(Put)(&value, 1, MPI_DOUBLE, target, next_place(PLACES), 1, MPI_DOUBLE, window);
    }
}

/* From one place after another. */
static void OPERATION(get)(long n)
{
    static double values[PLACES];
    for (long i = 0; i < n; i++) {
        const int where = next_place(PLACES);
        CALL(Get)(&values[where], 1, MPI_DOUBLE, target, where, 1, MPI_DOUBLE, window);
    }
}

/* From anywhere to anywhere, a thousand times in an epoch. */
static void OPERATION(put_scattered)(long n)
{
    enum { EPOCH = 1000, STRIDE = 389 };
    static const double values[2 * EPOCH];
    for (long i = 0; i < n; i++) {
        const int where = next_place(EPOCH) * STRIDE % EPOCH;
        CALL(Put)(&values[2 * where], 1, MPI_DOUBLE, target, 2 * where, 1, MPI_DOUBLE, window);
    }
}

static void OPERATION(bcast_self)(long n)
{
    double value = 0;
    for (long i = 0; i < n; i++)
        CALL(Bcast)(&value, 1, MPI_DOUBLE, 0, own);
}

static void OPERATION(allreduce_self)(long n)
{
    double value = 0, sum;
    for (long i = 0; i < n; i++)
        CALL(Allreduce)(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, own);
}

static void OPERATION(bcast)(long n)
{
    double value = 0;
    for (long i = 0; i < n; i++)
        CALL(Bcast)(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* 8 B for each pair of up to MEMBERS ranks. */
static void OPERATION(alltoallv)(long n)
{
    static double sent[MEMBERS], received[MEMBERS];
    static int counts[MEMBERS], places[MEMBERS];
    for (int i = 0; i < MEMBERS; i++) {
        counts[i] = 1;
        places[i] = i;
    }
    for (long i = 0; i < n; i++)
        CALL(Alltoallv)(sent, counts, places, MPI_DOUBLE, received, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void OPERATION(alltoallv_self)(long n)
{
    double value = 0, other_value;
    const int count = 1, displacement = 0;
    for (long i = 0; i < n; i++)
        CALL(Alltoallv)
    (&value, &count, &displacement, MPI_DOUBLE, &other_value, &count, &displacement, MPI_DOUBLE, own);
}

static void OPERATION(type_trio)(long n)
{
    for (long i = 0; i < n; i++) {
        MPI_Datatype type;
        CALL(Type_contiguous)(4, MPI_INT, &type);
        CALL(Type_commit)(&type);
        CALL(Type_free)(&type);
    }
}

static void OPERATION(dup_free)(long n)
{
    for (long i = 0; i < n; i++) {
        MPI_Comm comm;
        CALL(Comm_dup)(own, &comm);
        CALL(Comm_free)(&comm);
    }
}

static void OPERATION(ping_pong)(long n)
{
    double value = 0;
    for (long i = 0; i < n; i++) {
        if (rank == 0) {
            CALL(Send)(&value, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
            CALL(Recv)(&value, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            CALL(Recv)(&value, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CALL(Send)(&value, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
        }
    }
}

static void OPERATION(allreduce)(long n)
{
    double value = 1, sum;
    for (long i = 0; i < n; i++)
        CALL(Allreduce)(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* With other buffers each time. */
static void OPERATION(sendrecv_buffers)(long n)
{
    for (long i = 0; i < n; i++) {
        double *at = next_buffer();
        CALL(Sendrecv)(at, 1, MPI_DOUBLE, 0, 1, at + 1, 1, MPI_DOUBLE, 0, 1, own, MPI_STATUS_IGNORE);
    }
}

static void OPERATION(allreduce_buffers)(long n)
{
    for (long i = 0; i < n; i++) {
        double *at = next_buffer();
        CALL(Allreduce)(at, at + 1, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void OPERATION(nothing)(long n)
{
    (void)n;
}
