-- Three ranks on two nodes; the clock of rank 2 may be wrong by 100 ns. On team: a late sender, a wrong order, a late receiver, a send
-- that did not wait, a wait of Waitall for the later of two messages, and one that the clocks' error explains; then collective calls.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Recv', 'point-to-point'), (2, 'MPI_Send', 'point-to-point'), (3, 'MPI_Barrier', 'collective'),
    (4, 'MPI_Allreduce', 'collective'), (5, 'MPI_Bcast', 'collective'), (6, 'MPI_Reduce', 'collective'), (7, 'MPI_Irecv', 'point-to-point'),
    (8, 'MPI_Waitall', 'completion'), (9, 'MPI_Test', 'completion'), (10, 'MPI_Ibarrier', 'collective'), (11, 'MPI_Scan', 'collective'),
    (12, 'MPI_Win_fence', 'one-sided'), (13, 'MPI_Isend', 'point-to-point'), (14, 'MPI_Wait', 'completion'), (15, 'MPI_Issend', 'point-to-point');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, clock_error_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    VALUES (0, 3, 'a', 1, 'p', 0, 0, 0, 0, 90000, 'died', 1, 9, 9, 0, 0), (1, 3, 'a', 2, 'p', 0, 0, 0, 0, 90000, 'died', 1, 9, 9, 0, 0),
           (2, 3, 'b', 3, 'p', 0, 100, 0, 0, 90000, 'died', 1, 9, 9, 0, 0);
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
    SELECT value, 3, 'communicator', 'team', 'program', 700, 0, 0, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO communicator (rank, object, size, own_rank) SELECT value, 3, 3, value FROM json_each('[0,1,2]');
INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns) VALUES
    (0, 3, 'send', 1, 0, 1, 5, 40, 1), (1, 3, 'receive', 0, 0, 1, 5, 40, 1), (2, 3, 'send', 1, 2, 1, 2, 16, 1), (1, 3, 'receive', 2, 2, 1, 2, 16, 1);
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, collective, direction, nth) VALUES
    -- a receive of 1000 ns for a message that is sent 800 ns later
    (1, 0, 1, 1, 3, 11, 1000, 1000, 1, 0, 5, 8, NULL, 'receive', 3), (0, 0, 1, 2, 3, 21, 1800, 100, 1, 1, 5, 8, NULL, 'send', 3),
    -- tag 7 is sent before tag 8 and received after it
    (0, 0, 2, 2, 3, 22, 3000, 10, 1, 1, 7, 8, NULL, 'send', 1), (0, 0, 3, 2, 3, 23, 3500, 10, 1, 1, 8, 8, NULL, 'send', 1),
    (1, 0, 2, 1, 3, 12, 3100, 450, 1, 0, 8, 8, NULL, 'receive', 1), (1, 0, 3, 1, 3, 13, 3600, 5, 1, 0, 7, 8, NULL, 'receive', 1),
    -- a send that waits for its receive, and one that ends before it
    (0, 0, 4, 2, 3, 24, 5000, 700, 1, 1, 9, 8, NULL, 'send', 1), (1, 0, 4, 1, 3, 14, 5600, 100, 1, 0, 9, 8, NULL, 'receive', 1),
    (0, 0, 5, 2, 3, 25, 6000, 10, 1, 1, 9, 8, NULL, 'send', 2), (1, 0, 5, 1, 3, 15, 6600, 10, 1, 0, 9, 8, NULL, 'receive', 2),
    -- two messages of rank 2, whose receives were posted; the clocks allow no claim about the second pair
    (1, 0, 6, 7, 3, 16, 7000, 5, 1, 2, 1, 8, NULL, NULL, NULL), (1, 0, 7, 7, 3, 16, 7010, 5, 1, 2, 1, 8, NULL, NULL, NULL),
    (1, 0, 10, 8, 3, 17, 7100, 1500, 1, 2, 1, NULL, NULL, NULL, NULL),
    (2, 0, 1, 2, 3, 26, 7050, 10, 1, 1, 1, 8, NULL, 'send', 1), (2, 0, 2, 2, 3, 26, 8500, 10, 1, 1, 1, 8, NULL, 'send', 2),
    (1, 0, 11, 1, 3, 18, 9000, 60, 1, 2, 2, 8, NULL, 'receive', 1), (2, 0, 3, 2, 3, 27, 9050, 5, 1, 1, 2, 8, NULL, 'send', 1),
    -- a message without a certain number, and polls
    (0, 0, 6, 2, 3, 28, 9500, 5, 1, 1, 3, 8, NULL, 'send', NULL), (0, 0, 7, 9, NULL, 29, 9600, 90, 12, NULL, NULL, NULL, NULL, NULL, NULL),
    -- the 4th to 8th collective calls
    (0, 0, 11, 3, 3, 31, 10000, 5000, 1, NULL, NULL, 0, 4, NULL, NULL), (1, 0, 12, 3, 3, 31, 12000, 3000, 1, NULL, NULL, 0, 4, NULL, NULL),
    (2, 0, 11, 3, 3, 31, 14900, 100, 1, NULL, NULL, 0, 4, NULL, NULL),
    (0, 0, 12, 4, 3, 32, 20000, 300, 1, NULL, NULL, 8, 5, NULL, NULL), (1, 0, 13, 4, 3, 32, 20150, 150, 1, NULL, NULL, 8, 5, NULL, NULL),
    (2, 0, 12, 4, 3, 32, 20250, 50, 1, NULL, NULL, 8, 5, NULL, NULL),
    (0, 0, 13, 5, 3, 33, 31000, 10, 1, 0, NULL, 8, 6, NULL, NULL), (1, 0, 14, 5, 3, 33, 30000, 1100, 1, 0, NULL, 8, 6, NULL, NULL),
    (2, 0, 13, 5, 3, 33, 32000, 10, 1, 0, NULL, 8, 6, NULL, NULL),
    (0, 0, 14, 6, 3, 34, 40000, 2000, 1, 0, NULL, 8, 7, NULL, NULL), (1, 0, 15, 6, 3, 34, 41800, 10, 1, 0, NULL, 8, 7, NULL, NULL),
    (2, 0, 14, 6, 3, 34, 40500, 10, 1, 0, NULL, 8, 7, NULL, NULL),
    -- no member waits in a call that only begins, and nobody knows about rank 2
    (0, 0, 15, 10, 3, 35, 50000, 10, 1, NULL, NULL, 0, 8, NULL, NULL), (1, 0, 16, 10, 3, 35, 60000, 10, 1, NULL, NULL, 0, 8, NULL, NULL),
    (2, 0, 15, 10, 3, 35, 70000, 10, 1, NULL, NULL, 0, 8, NULL, NULL),
    (0, 0, 16, 3, 3, 36, 80000, 5000, 1, NULL, NULL, 0, 9, NULL, NULL), (1, 0, 17, 3, 3, 36, 84000, 1000, 1, NULL, NULL, 0, 9, NULL, NULL);
INSERT INTO event_message (rank, thread, message, event, posted_thread, posted, communicator, direction, peer, tag, bytes, nth) VALUES
    (1, 0, 8, 10, 0, 6, 3, 'receive', 2, 1, 8, 1), (1, 0, 9, 10, 0, 7, 3, 'receive', 2, 1, 8, 2);
-- A scan in which rank 1 waits for rank 0, rank 2 for neither, and rank 0 does not wait for rank 1; two fences of a window of team: rank 0 waits in the
-- first one, and has left the second one before rank 1 enters
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, created_ns, internal, predefined, adopted)
    SELECT value, 5, 'window', 'field', 'program', 900, 3, 0, 0, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO window (rank, object, communicator) SELECT value, 5, 3 FROM json_each('[0,1,2]');
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, collective, direction, nth) VALUES
    (0, 0, 20, 11, 3, 41, 90700, 10, 1, NULL, NULL, 8, 10, NULL, NULL), (1, 0, 20, 11, 3, 41, 90000, 800, 1, NULL, NULL, 8, 10, NULL, NULL),
    (2, 0, 20, 11, 3, 41, 90750, 20, 1, NULL, NULL, 8, 10, NULL, NULL),
    (0, 0, 21, 12, 5, 42, 91000, 900, 1, NULL, NULL, 0, 1, NULL, NULL), (1, 0, 21, 12, 5, 43, 91800, 100, 1, NULL, NULL, 0, 1, NULL, NULL),
    (2, 0, 21, 12, 5, 43, 91790, 110, 1, NULL, NULL, 0, 1, NULL, NULL),
    (0, 0, 22, 12, 5, 44, 92000, 50, 1, NULL, NULL, 0, 2, NULL, NULL), (1, 0, 22, 12, 5, 44, 92800, 10, 1, NULL, NULL, 0, 2, NULL, NULL),
    (2, 0, 22, 12, 5, 44, 92010, 20, 1, NULL, NULL, 0, 2, NULL, NULL);
-- Nonblocking sends: one that waits for its receive, one that may have been complete before it, a synchronous one that was not, and one that was
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, collective, direction, nth) VALUES
    (0, 0, 30, 13, 3, 51, 93000, 10, 1, 1, 20, 8, NULL, 'send', 1), (0, 0, 32, 14, 3, 52, 93100, 900, 1, 1, NULL, NULL, NULL, NULL, NULL),
    (1, 0, 30, 1, 3, 53, 93800, 150, 1, 0, 20, 8, NULL, 'receive', 1),
    (0, 0, 40, 13, 3, 54, 95000, 10, 1, 1, 21, 8, NULL, 'send', 1), (0, 0, 43, 8, 3, 55, 95100, 900, 1, NULL, NULL, NULL, NULL, NULL, NULL),
    (1, 0, 31, 1, 3, 56, 95800, 150, 1, 0, 21, 8, NULL, 'receive', 1),
    (0, 0, 50, 15, 3, 57, 97000, 10, 1, 1, 22, 8, NULL, 'send', 1), (0, 0, 52, 8, 3, 58, 97100, 900, 1, NULL, NULL, NULL, NULL, NULL, NULL),
    (1, 0, 32, 1, 3, 59, 97600, 100, 1, 0, 22, 8, NULL, 'receive', 1),
    (0, 0, 60, 13, 3, 60, 98500, 10, 1, 1, 23, 8, NULL, 'send', 1), (0, 0, 62, 14, 3, 61, 98600, 10, 1, 1, NULL, NULL, NULL, NULL, NULL),
    (1, 0, 33, 1, 3, 62, 98900, 20, 1, 0, 23, 8, NULL, 'receive', 1);
INSERT INTO event_completion (rank, thread, entry, event, posted_thread, posted) VALUES
    (0, 0, 31, 32, 0, 30), (0, 0, 41, 43, 0, 40), (0, 0, 42, 43, 0, 15), (0, 0, 51, 52, 0, 50), (0, 0, 61, 62, 0, 60);
