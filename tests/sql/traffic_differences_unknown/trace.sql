-- Receives that were freed before they were complete, and sends that were cancelled before that: nobody knows whether these messages came.
INSERT INTO process (rank, world_size, node, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome)
SELECT column1, 4, 'a', 0, 1, 1, 0, 0, 0, 'finalized' FROM (VALUES (0), (1), (2), (3));
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted) SELECT rank, 1, 'communicator', 'MPI_COMM_WORLD', 700, 0, 1, 0 FROM process
UNION ALL SELECT rank, 2, 'communicator', 'any', 701, 0, 0, 0 FROM process;
INSERT INTO traffic VALUES
    -- one more is freed than is missing
    (0, 1, 'send', 1, 0, 1, 7, 56, 0), (1, 1, 'receive', 0, 0, 1, 6, 48, 0), (1, 1, 'receive unknown', 0, 0, 1, 2, 0, 0),
    -- of two that are missing one receive was freed: the other message is lost
    (0, 1, 'send', 2, 0, 2, 7, 56, 0), (2, 1, 'receive', 0, 0, 2, 5, 40, 0), (2, 1, 'receive unknown', 0, 0, 2, 1, 0, 0),
    -- a receive that another message was meant for
    (1, 1, 'send', 3, 1, 3, 2, 16, 0), (3, 1, 'receive', 1, 1, 3, 1, 8, 0), (3, 1, 'receive unknown', 2, 2, 3, 1, 0, 0),
    -- it was freed, but nothing is missing: less data, and a message from nowhere
    (2, 1, 'send', 1, 2, 1, 1, 80, 0), (1, 1, 'receive', 2, 2, 1, 1, 8, 0), (1, 1, 'receive unknown', 2, 2, 1, 1, 0, 0),
    (3, 1, 'receive', 0, 0, 3, 1, 8, 0), (3, 1, 'receive unknown', 0, 0, 3, 1, 0, 0),
    -- cancelled, then freed
    (3, 1, 'send', 0, 3, 0, 1, 8, 0), (3, 1, 'send unknown', 0, 3, 0, 1, 0, 0),
    -- from any source, on this communicator only
    (1, 2, 'send', 0, 1, 0, 2, 16, 0), (0, 2, 'receive', 1, 1, 0, 1, 8, 0), (0, 2, 'receive unknown', -1, NULL, 0, 1, 0, 0),
    (1, 1, 'send', 0, 1, 0, 2, 16, 0), (0, 1, 'receive', 1, 1, 0, 1, 8, 0);
