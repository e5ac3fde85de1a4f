-- Rank 1 receives late what rank 0 sends: MPI_Waitall waits for nothing else; also for a request that is not kept (11); also for a receive.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Recv', 'point-to-point'), (2, 'MPI_Isend', 'point-to-point'), (3, 'MPI_Waitall', 'completion'),
    (4, 'MPI_Irecv', 'point-to-point'), (5, 'MPI_Send', 'point-to-point'), (6, 'MPI_Waitany', 'completion');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, clock_error_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 2, 'a', 1, 'p', 0, 0, 0, 0, 90000, 'died', 1, 9, 9, 0, 0 FROM json_each('[0,1]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
    SELECT value, 3, 'communicator', 'team', 'program', 700, 0, 0, 0, 0 FROM json_each('[0,1]');
INSERT INTO communicator (rank, object, size, own_rank) SELECT value, 3, 2, value FROM json_each('[0,1]');
INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns) VALUES
    (0, 3, 'send', 1, 0, 1, 4, 8, 1), (1, 3, 'receive', 0, 0, 1, 4, 8, 1), (1, 3, 'send', 0, 1, 0, 1, 8, 1), (0, 3, 'receive', 1, 1, 0, 1, 8, 1);
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, collective, direction, nth) VALUES
    (0, 0, 5, 2, 3, 31, 1000, 10, 1, 1, 5, 8, NULL, 'send', 1), (0, 0, 7, 3, 3, 32, 1100, 900, 1, 1, 5, NULL, NULL, NULL, NULL),
    (1, 0, 5, 1, 3, 41, 1900, 100, 1, 0, 5, 8, NULL, 'receive', 1),
    (0, 0, 10, 2, 3, 33, 3000, 10, 1, 1, 5, 8, NULL, 'send', 2), (0, 0, 13, 3, 3, 34, 3100, 900, 1, 1, 5, NULL, NULL, NULL, NULL),
    (1, 0, 6, 1, 3, 42, 3900, 100, 1, 0, 5, 8, NULL, 'receive', 2),
    (0, 0, 20, 4, 3, 35, 5000, 10, 1, 1, 6, 8, NULL, NULL, NULL), (0, 0, 21, 2, 3, 36, 5010, 10, 1, 1, 5, 8, NULL, 'send', 3),
    (0, 0, 24, 3, 3, 37, 5100, 900, 1, 1, 5, NULL, NULL, NULL, NULL),
    (1, 0, 7, 5, 3, 43, 5001, 10, 1, 0, 6, 8, NULL, 'send', 1), (1, 0, 8, 1, 3, 44, 5900, 100, 1, 0, 5, 8, NULL, 'receive', 3),
    -- MPI_Waitany may wait for others, too
    (0, 0, 30, 2, 3, 38, 7000, 10, 1, 1, 5, 8, NULL, 'send', 4), (0, 0, 32, 6, 3, 39, 7100, 900, 1, 1, 5, NULL, NULL, NULL, NULL),
    (1, 0, 9, 1, 3, 45, 7900, 100, 1, 0, 5, 8, NULL, 'receive', 4);
INSERT INTO event_message (rank, thread, message, event, posted_thread, posted, communicator, direction, peer, tag, bytes, nth) VALUES
    (0, 0, 22, 24, 0, 20, 3, 'receive', 1, 6, 8, 1);
INSERT INTO event_completion (rank, thread, entry, event, posted_thread, posted) VALUES (0, 0, 6, 7, 0, 5), (0, 0, 12, 13, 0, 10), (0, 0, 23, 24, 0, 21), (0, 0, 31, 32, 0, 30);
