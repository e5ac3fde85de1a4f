-- Rank 0 starts two persistent sends with one tag, and waits for that to rank 2, which was received early, and for that to rank 1, which is received late.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Recv', 'point-to-point'), (2, 'MPI_Startall', 'point-to-point'), (3, 'MPI_Wait', 'completion');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, clock_error_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 3, 'a', 1, 'p', 0, 0, 0, 0, 90000, 'died', 1, 9, 9, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
    SELECT value, 3, 'communicator', 'team', 'program', 700, 0, 0, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO communicator (rank, object, size, own_rank) SELECT value, 3, 3, value FROM json_each('[0,1,2]');
INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns) VALUES
    (0, 3, 'send', 1, 0, 1, 1, 8, 1), (0, 3, 'send', 2, 0, 2, 1, 8, 1), (1, 3, 'receive', 0, 0, 1, 1, 8, 1), (2, 3, 'receive', 0, 0, 2, 1, 8, 1);
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, collective, direction, nth) VALUES
    (0, 0, 3, 2, 3, 31, 1000, 10, 1, 1, 5, NULL, NULL, NULL, NULL), (0, 0, 5, 3, 3, 32, 1100, 1000, 1, 2, 5, NULL, NULL, NULL, NULL),
    (0, 0, 7, 3, 3, 33, 2200, 900, 1, 1, 5, NULL, NULL, NULL, NULL),
    (2, 0, 1, 1, 3, 41, 900, 300, 1, 0, 5, 8, NULL, 'receive', 1), (1, 0, 1, 1, 3, 42, 3000, 100, 1, 0, 5, 8, NULL, 'receive', 1);
INSERT INTO event_message (rank, thread, message, event, posted_thread, posted, communicator, direction, peer, tag, bytes, nth) VALUES
    (0, 0, 1, 3, NULL, NULL, 3, 'send', 1, 5, 8, 1), (0, 0, 2, 3, NULL, NULL, 3, 'send', 2, 5, 8, 1);
INSERT INTO event_completion (rank, thread, entry, event, posted_thread, posted) VALUES (0, 0, 4, 5, 0, 2), (0, 0, 6, 7, 0, 1);
