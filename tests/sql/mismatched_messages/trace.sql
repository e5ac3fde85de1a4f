-- Three ranks, all on rows and cols; bad has a message that was cut.
INSERT INTO process (rank, world_size, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome)
    SELECT value, 3, 0, 1, 1, 0, 0, 0, 'finalized' FROM json_each('[0,1,2]');
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted)
    SELECT rank, object, 'communicator', name, uid, 0, 0, 0
    FROM process, (SELECT 1 AS object, 'rows' AS name, 701 AS uid UNION SELECT 2, 'cols', 702 UNION SELECT 3, 'bad', 703
                   UNION SELECT 4, 'ends', 704 UNION SELECT 5, 'both', 705)
    UNION ALL SELECT rank, 8, 'datatype', 'MPI_INT', NULL, 0, 1, 0 FROM process
    UNION ALL SELECT rank, 9, 'datatype', 'MPI_DOUBLE', NULL, 0, 1, 0 FROM process;
INSERT INTO communicator (rank, object, size) SELECT rank, object, 3 FROM object WHERE kind = 'communicator';
INSERT INTO site VALUES (201, NULL, 201), (202, NULL, 202);
INSERT INTO tag VALUES
    -- 7: as doubles to ranks 1 and 2; rank 2 receives integers. 8: bytes on one side. 9: agrees, sums beyond 2^40
    (0, 1, 'send', 7, 7, 7, 201, 2, 300, 0, 9), (1, 1, 'receive', 7, 7, 7, 202, 1, 150, 0, 9), (2, 1, 'receive', 7, 7, 7, 202, 1, 140, 0, 8),
    (0, 1, 'send', 8, 8, 8, 201, 1, 5, 0, 9), (1, 1, 'receive', 8, 8, 8, 202, 1, 0, 1, NULL),
    (0, 1, 'send', 9, 9, 9, 201, 1, 5, 0, 9), (1, 1, 'receive', 9, 9, 9, 202, 1, (1 << 40) + 5, 0, -1),
    -- cols: one message with tag 7 is never received; a tag of a range is not compared
    (0, 2, 'send', 7, 7, 7, 201, 3, 30, 0, 9), (1, 2, 'receive', 7, 7, 7, 202, 2, 20, 0, 9),
    (0, 2, 'send', 600, 600, 600, 201, 1, 5, 0, 9), (1, 2, 'receive', 512, 1023, 900, 202, 1, 6, 0, 8),
    -- bad: shorter, and so of other types
    (0, 3, 'send', 1, 1, 1, 201, 1, 5, 0, 9), (1, 3, 'receive', 1, 1, 1, 202, 1, 6, 0, 9);
INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns) VALUES
    (0, 3, 'send', 1, 0, 1, 1, 80, 1), (1, 3, 'receive', 0, 0, 1, 1, 40, 1),
    (0, 2, 'send', 1, 0, 1, 3, 60, 1), (1, 2, 'receive', 0, 0, 1, 2, 40, 1), (1, 2, 'receive', -2, NULL, NULL, 1, 0, 1),
    (0, 4, 'send', 1, 0, 1, 2, 60, 1), (1, 4, 'receive', -2, NULL, NULL, 3, 0, 1), (2, 4, 'receive', -2, NULL, NULL, 1, 0, 1),
    (0, 5, 'send', 1, 0, 1, 1, 60, 1), (1, 5, 'receive', -2, NULL, NULL, 2, 0, 1);
-- ends: rank 1 receives from MPI_PROC_NULL alone, at one site; rank 2 does so, too, but lacks nothing. both: at two sites. cols: also from rank 0.
INSERT INTO tag VALUES (0, 4, 'send', 7, 7, 7, 201, 2, 30, 0, 9), (0, 5, 'send', 7, 7, 7, 201, 1, 30, 0, 9);
INSERT INTO function (function, name, class, transfer) VALUES (1, 'MPI_Irecv', 'point-to-point', 'receive'), (2, 'MPI_Send', 'point-to-point', 'send');
INSERT INTO profile (rank, communicator, object, function, site, size_class, calls, time_ns, sent_bytes, received_bytes) VALUES
    (1, 4, 0, 1, 202, 3, 3, 1, 0, 0), (1, 4, 0, 2, 201, 3, 1, 1, 0, 0), (2, 4, 0, 1, 202, 3, 1, 1, 0, 0), (1, 5, 0, 1, 201, 3, 1, 1, 0, 0), (1, 5, 0, 1, 202, 3, 1, 1, 0, 0),
    (1, 2, 0, 1, 202, 3, 3, 1, 0, 0);
