-- Rank 1 probes for messages of rank 0 and receives them.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Recv', 'point-to-point'), (2, 'MPI_Send', 'point-to-point'), (3, 'MPI_Probe', 'point-to-point'),
    (4, 'MPI_Iprobe', 'point-to-point'), (5, 'MPI_Mprobe', 'point-to-point'), (6, 'MPI_Mrecv', 'point-to-point');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, clock_error_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 2, 'a', 1, 'p', 0, 0, 0, 0, 90000, 'died', 1, 9, 9, 0, 0 FROM json_each('[0,1]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
    SELECT value, 3, 'communicator', 'team', 'program', 700, 0, 0, 0, 0 FROM json_each('[0,1]')
    UNION ALL SELECT value, 4, 'communicator', 'other', 'program', 701, 0, 0, 0, 0 FROM json_each('[0,1]');
INSERT INTO communicator (rank, object, size, own_rank) SELECT r.value, o.value, 2, r.value FROM json_each('[0,1]') r, json_each('[3,4]') o;
INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns)
    SELECT 0, value, 'send', 1, 0, 1, 9, 8, 1 FROM json_each('[3,4]') UNION ALL SELECT 1, value, 'receive', 0, 0, 1, 9, 8, 1 FROM json_each('[3,4]');
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, collective, direction, nth) VALUES
    -- 800 ns for the send; between probe and receive comes a message on another communicator
    (1, 0, 1, 3, 3, 41, 1000, 900, 1, 0, 5, NULL, NULL, NULL, NULL), (0, 0, 1, 2, 3, 31, 1800, 10, 1, 1, 5, 8, NULL, 'send', 1),
    (1, 0, 2, 1, 4, 42, 1910, 10, 1, 0, 5, 8, NULL, 'receive', 1), (0, 0, 2, 2, 4, 32, 900, 10, 1, 1, 5, 8, NULL, 'send', 1),
    (1, 0, 3, 1, 3, 43, 1930, 10, 1, 0, 5, 8, NULL, 'receive', 1),
    -- any source and tag
    (1, 0, 4, 3, 3, 44, 3000, 800, 1, -1, -1, NULL, NULL, NULL, NULL), (0, 0, 3, 2, 3, 33, 3700, 10, 1, 1, 6, 8, NULL, 'send', 1),
    (1, 0, 5, 1, 3, 45, 3900, 10, 1, 0, 6, 8, NULL, 'receive', 1),
    -- the next receive has another tag
    (1, 0, 6, 3, 3, 46, 5000, 800, 1, 0, 7, NULL, NULL, NULL, NULL), (0, 0, 4, 2, 3, 34, 5700, 10, 1, 1, 8, 8, NULL, 'send', 1),
    (1, 0, 7, 1, 3, 47, 5900, 10, 1, 0, 8, 8, NULL, 'receive', 1),
    -- the next receive is of a message that was sent after the probe
    (1, 0, 8, 3, 3, 48, 7000, 800, 1, 0, 5, NULL, NULL, NULL, NULL), (0, 0, 5, 2, 3, 35, 7900, 10, 1, 1, 5, 8, NULL, 'send', 2),
    (1, 0, 9, 1, 3, 49, 7850, 100, 1, 0, 5, 8, NULL, 'receive', 2),
    -- nobody sent it; a poll does not wait; the message was there
    (1, 0, 10, 3, 3, 50, 9000, 800, 1, -2, 5, NULL, NULL, NULL, NULL), (1, 0, 11, 4, 3, 51, 10000, 800, 1, 0, 5, NULL, NULL, NULL, NULL),
    (1, 0, 12, 3, 3, 52, 11000, 50, 1, 0, 5, NULL, NULL, NULL, NULL), (0, 0, 6, 2, 3, 36, 10700, 10, 1, 1, 5, 8, NULL, 'send', 3),
    (1, 0, 13, 1, 3, 53, 11100, 10, 1, 0, 5, 8, NULL, 'receive', 3),
    -- two matched probes: only the second one waits, for the message that is received last
    (1, 0, 15, 5, 3, 54, 13000, 100, 1, 0, 9, NULL, NULL, NULL, NULL), (0, 0, 7, 2, 3, 37, 12900, 10, 1, 1, 9, 8, NULL, 'send', 1),
    (1, 0, 17, 5, 3, 55, 14000, 800, 1, -1, -1, NULL, NULL, NULL, NULL), (0, 0, 8, 2, 3, 38, 14700, 10, 1, 1, 9, 8, NULL, 'send', 2),
    (1, 0, 19, 6, 3, 56, 15000, 10, 1, 0, 9, 8, NULL, 'receive', 1), (1, 0, 21, 6, 3, 57, 15100, 10, 1, 0, 9, 8, NULL, 'receive', 2),
    -- more was sent than received: this is another message
    (1, 0, 22, 1, 3, 58, 17000, 900, 1, 0, 10, 4, NULL, 'receive', 1), (0, 0, 9, 2, 3, 39, 17800, 10, 1, 1, 10, 8, NULL, 'send', 1);
INSERT INTO event_completion (rank, thread, entry, event, posted_thread, posted) VALUES (1, 0, 18, 19, 0, 15), (1, 0, 20, 21, 0, 17);
