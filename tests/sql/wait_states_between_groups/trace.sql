-- An intercommunicator of ranks 0,1 and 2,3, and a copy of it, whose groups have the same parent.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Barrier', 'collective'), (2, 'MPI_Bcast', 'collective'), (3, 'MPI_Reduce', 'collective'),
    (4, 'MPI_Ibarrier', 'collective');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, clock_error_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 4, 'a', 1, 'p', 0, 0, 0, 0, 90000, 'died', 1, 9, 9, 0, 0 FROM json_each('[0,1,2,3]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, created_ns, internal, predefined, adopted)
    SELECT value, 3, 'communicator', 'half', 'program', 721 + value / 2, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3]')
    UNION ALL SELECT value, 4, 'communicator', 'bridge', 'program', 720, 3, 0, 0, 0, 0 FROM json_each('[0,1,2,3]')
    UNION ALL SELECT value, 5, 'communicator', 'copy', 'program', 730, 4, 0, 0, 0, 0 FROM json_each('[0,1,2,3]');
INSERT INTO communicator (rank, object, size, own_rank, remote_size)
    SELECT value, 3, 2, value % 2, NULL FROM json_each('[0,1,2,3]')
    UNION ALL SELECT r.value, o.value, 2, r.value % 2, 2 FROM json_each('[0,1,2,3]') r, json_each('[4,5]') o;
WITH call (number, function, object, rank, root, start_ns, end_ns) AS (VALUES
         -- rank 3 enters the barrier last: only 0 and 1 wait for it; 2 waits for 1
         (1, 1, 4, 0, NULL, 1000, 2000), (1, 1, 4, 1, NULL, 1500, 2000), (1, 1, 4, 2, NULL, 1200, 2000), (1, 1, 4, 3, NULL, 1900, 2000),
         -- rank 1 is the root of a broadcast, and late; its neighbour, which is not asked, is later. Rank 3 has left before
         (2, 2, 4, 0, -2, 3900, 3910), (2, 2, 4, 1, -3, 3500, 3600), (2, 2, 4, 2, 1, 3000, 3600), (2, 2, 4, 3, 1, 3000, 3400),
         -- rank 0 is the root of a reduction; its neighbour is later than the other group
         (3, 3, 4, 0, -3, 5000, 5600), (3, 3, 4, 1, -2, 5900, 5910), (3, 3, 4, 2, 0, 5100, 5110), (3, 3, 4, 3, 0, 5500, 5510),
         -- nobody knows which group a member of the copy is in
         (1, 1, 5, 0, NULL, 7000, 8000), (1, 1, 5, 1, NULL, 7000, 8000), (1, 1, 5, 2, NULL, 7900, 8000), (1, 1, 5, 3, NULL, 7000, 8000),
         -- a call that only begins
         (4, 4, 4, 0, NULL, 9000, 9010), (4, 4, 4, 1, NULL, 9000, 9010), (4, 4, 4, 2, NULL, 9005, 9010), (4, 4, 4, 3, NULL, 9000, 9010))
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, collective, direction, nth)
    SELECT rank, 0, 10 * object + number, function, object, 90 + number, start_ns, end_ns - start_ns, 1, root, NULL, 0, number, NULL, NULL FROM call;
