-- Three ranks with all their events. 0 and 1 send to each other before they receive, at sites 10 and 11; then, without a circle, 1 receives first.
INSERT INTO function (function, name, class, waits, transfer, mode) VALUES (1, 'MPI_Init', 'lifecycle', NULL, NULL, NULL),
    (2, 'MPI_Send', 'point-to-point', 'send', 'send', 'blocking'), (3, 'MPI_Recv', 'point-to-point', 'receive', 'receive', 'blocking'),
    (4, 'MPI_Finalize', 'lifecycle', NULL, NULL, NULL);
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 3, 'a', value, 'p', 0, 0, 0, 900, 'finalized', 1, 9, 9, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
    SELECT value, 1, 'communicator', 'team', 'program', 700, 0, 0, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO communicator (rank, object, size, own_rank) SELECT value, 1, 3, value FROM json_each('[0,1,2]');
INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns) VALUES
    (0, 1, 'send', 1, 0, 1, 2, 16, 1), (1, 1, 'receive', 0, 0, 1, 2, 16, 1), (1, 1, 'send', 0, 1, 0, 2, 16, 1), (0, 1, 'receive', 1, 1, 0, 2, 16, 1);
INSERT INTO event (rank, thread, event, function, start_ns, duration_ns, calls)
    SELECT value, 0, 1, 1, 0, 10, 1 FROM json_each('[0,1,2]') UNION ALL SELECT value, 0, 9, 4, 800, 10, 1 FROM json_each('[0,1,2]');
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, direction, nth) VALUES
    (0, 0, 2, 2, 1, 10, 100, 5, 1, 1, 0, 8, 'send', 1), (1, 0, 2, 2, 1, 11, 100, 5, 1, 0, 0, 8, 'send', 1),
    (0, 0, 3, 3, 1, 12, 110, 5, 1, 1, 0, 8, 'receive', 1), (1, 0, 3, 3, 1, 13, 110, 5, 1, 0, 0, 8, 'receive', 1),
    (0, 0, 4, 2, 1, 14, 200, 5, 1, 1, 0, 8, 'send', 2), (1, 0, 4, 3, 1, 15, 200, 9, 1, 0, 0, 8, 'receive', 2),
    (0, 0, 5, 3, 1, 16, 300, 9, 1, 1, 0, 8, 'receive', 2), (1, 0, 5, 2, 1, 17, 300, 5, 1, 0, 0, 8, 'send', 2);
