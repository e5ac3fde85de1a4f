-- Six ranks. Ranks 0, 1 and 3 name a rank that is not there; rank 2 reuses the buffer of a pending operation. Rank 1 leaves two operations pending, rank 3
-- an inactive persistent request; rank 2, which died, one operation. So do rank 4,
-- which lost a fact, and rank 5, which asked for the status of requests.
INSERT INTO function (function, name, class, mode) VALUES (1, 'MPI_Send', 'point-to-point', 'blocking'), (2, 'MPI_Irecv', 'point-to-point', 'nonblocking'),
    (3, 'MPI_Recv_init', 'point-to-point', 'persistent'), (4, 'MPI_Request_get_status', 'request', NULL);
INSERT INTO process (rank, world_size, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome)
    SELECT value, 6, 0, 1, 1, 0, value = 4, 0, CASE value WHEN 2 THEN 'died' ELSE 'finalized' END FROM json_each('[0,1,2,3,4,5]');
INSERT INTO profile VALUES (5, 0, 0, 4, 203, 0, 1, 1, 1, 1, 0, 0);
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted) SELECT rank, 1 + (rank >= 3), 'communicator', 'rows', 701, 0, 0, 0 FROM process;
INSERT INTO object (rank, object, kind, parent, function, site, internal, predefined, adopted) VALUES
    (1, 11, 'request', 1, 2, 203, 0, 0, 0), (1, 12, 'request', 1, 2, 203, 0, 0, 0), (2, 11, 'request', 1, 2, 203, 0, 0, 0), (3, 11, 'request', 2, 3, 203, 0, 0, 0),
    (4, 11, 'request', 2, 2, 203, 0, 0, 0), (5, 11, 'request', 2, 2, 203, 0, 0, 0);
INSERT INTO site VALUES (201, NULL, 201), (202, NULL, 202), (203, NULL, 203);
INSERT INTO misuse (rank, at_ns, kind, object, function, value, site, other_site) VALUES
    (0, 5, 'invalid_rank', 1, 1, 7, 201, 0), (1, 5, 'invalid_rank', 1, 1, 8, 201, 0), (3, 5, 'invalid_rank', 2, 1, 10, 201, 0),
    (2, 6, 'overwritten_buffer', 1, 2, 16, 202, 203);
