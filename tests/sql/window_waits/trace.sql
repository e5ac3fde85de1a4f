-- Three ranks on two nodes; the clock of rank 2 may be wrong by 100 ns. A window of theirs: epochs, and locks.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Win_start', 'one-sided'), (2, 'MPI_Win_complete', 'one-sided'), (3, 'MPI_Win_post', 'one-sided'),
    (4, 'MPI_Win_wait', 'one-sided'), (5, 'MPI_Win_lock', 'one-sided'), (6, 'MPI_Win_unlock', 'one-sided'),
    (7, 'MPI_Win_lock_all', 'one-sided'), (8, 'MPI_Win_unlock_all', 'one-sided');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, clock_error_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    VALUES (0, 3, 'a', 1, 'p', 0, 0, 0, 0, 90000, 'died', 1, 9, 9, 0, 0), (1, 3, 'a', 2, 'p', 0, 0, 0, 0, 90000, 'died', 1, 9, 9, 0, 0),
           (2, 3, 'b', 3, 'p', 0, 100, 0, 0, 90000, 'died', 1, 9, 9, 0, 0);
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
    SELECT value, 3, 'communicator', 'team', 'program', 700, 0, 0, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO communicator (rank, object, size, own_rank) SELECT value, 3, 3, value FROM json_each('[0,1,2]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, created_ns, internal, predefined, adopted)
    SELECT value, 5, 'window', 'field', 'program', 900, 3, 0, 0, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO window (rank, object, communicator) SELECT value, 5, 3 FROM json_each('[0,1,2]');
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer) VALUES
    -- rank 1 posts late, and rank 0 completes late
    (0, 0, 2, 1, 5, 101, 1000, 900, 1, NULL),
    (1, 0, 2, 3, 5, 102, 1800, 10, 1, NULL),
    (0, 0, 4, 2, 5, 103, 5000, 100, 1, NULL),
    (1, 0, 4, 4, 5, 104, 1900, 3200, 1, NULL),
    -- an MPI that waits for the post in MPI_Win_complete
    (0, 0, 6, 1, 5, 105, 6000, 10, 1, NULL),
    (0, 0, 8, 2, 5, 106, 6020, 980, 1, NULL),
    (1, 0, 6, 3, 5, 107, 6900, 5, 1, NULL),
    (1, 0, 8, 4, 5, 108, 6910, 140, 1, NULL),
    -- nobody waits for a late post
    (0, 0, 10, 1, 5, 109, 8000, 10, 1, NULL),
    (0, 0, 12, 2, 5, 110, 8020, 10, 1, NULL),
    (1, 0, 10, 3, 5, 111, 8100, 5, 1, NULL),
    (1, 0, 12, 4, 5, 112, 8110, 10, 1, NULL),
    -- the later of two targets
    (2, 0, 3, 1, 5, 113, 9000, 900, 1, NULL),
    (0, 0, 14, 3, 5, 114, 9500, 10, 1, NULL),
    (1, 0, 14, 3, 5, 115, 9800, 10, 1, NULL),
    -- a shared lock waits for an exclusive one; a lock at another target waits for something else
    (0, 0, 16, 5, 5, 116, 20000, 10, 1, 1),
    (0, 0, 17, 6, 5, 117, 21000, 50, 1, 1),
    (1, 0, 15, 5, 5, 118, 20500, 540, 1, 1),
    (1, 0, 16, 6, 5, 119, 21100, 10, 1, 1),
    (2, 0, 5, 5, 5, 120, 20500, 1000, 1, 0),
    (2, 0, 6, 6, 5, 121, 21600, 10, 1, 0),
    -- two shared locks
    (0, 0, 18, 5, 5, 122, 30000, 10, 1, 2),
    (0, 0, 19, 6, 5, 123, 31000, 10, 1, 2),
    (1, 0, 17, 5, 5, 124, 30500, 505, 1, 2),
    (1, 0, 18, 6, 5, 125, 31100, 10, 1, 2),
    -- an exclusive lock waits for a shared one
    (0, 0, 20, 5, 5, 126, 32000, 10, 1, 2),
    (0, 0, 21, 6, 5, 127, 33000, 10, 1, 2),
    (1, 0, 20, 5, 5, 128, 32500, 520, 1, 2),
    (1, 0, 21, 6, 5, 129, 33100, 10, 1, 2),
    -- the lock of rank 0 has no end
    (0, 0, 23, 5, 5, 130, 40000, 10, 1, 2),
    (1, 0, 23, 5, 5, 131, 40500, 4500, 1, 2),
    (1, 0, 24, 6, 5, 132, 46000, 10, 1, 2),
    -- both locks are taken later than MPI_Win_lock returns
    (0, 0, 25, 5, 5, 133, 50000, 10, 1, 1),
    (0, 0, 26, 6, 5, 134, 51000, 10, 1, 1),
    (1, 0, 26, 5, 5, 135, 50500, 10, 1, 1),
    (1, 0, 27, 6, 5, 136, 52000, 10, 1, 1),
    -- a lock of all targets waits for an exclusive one
    (1, 0, 29, 5, 5, 137, 60000, 10, 1, 2),
    (1, 0, 30, 6, 5, 138, 62000, 10, 1, 2),
    (0, 0, 27, 7, 5, 139, 60500, 1550, 1, NULL),
    -- an exclusive lock waits for a lock of all targets, a shared one does not
    (1, 0, 32, 5, 5, 140, 63000, 1020, 1, 2),
    (2, 0, 7, 5, 5, 141, 63500, 900, 1, 0),
    (0, 0, 28, 8, 5, 142, 64000, 10, 1, NULL),
    (1, 0, 33, 6, 5, 143, 64500, 10, 1, 2),
    (2, 0, 8, 6, 5, 144, 65000, 10, 1, 0);
INSERT INTO event_window (rank, thread, entry, event, window, peer, nth) VALUES
    (0, 0, 1, 2, 5, 1, 1), (1, 0, 1, 2, 5, 0, 1), (0, 0, 3, 4, 5, 1, 1), (1, 0, 3, 4, 5, 0, 1), (0, 0, 5, 6, 5, 1, 2), (0, 0, 7, 8, 5, 1, 2),
    (1, 0, 5, 6, 5, 0, 2), (1, 0, 7, 8, 5, 0, 2), (0, 0, 9, 10, 5, 1, 3), (0, 0, 11, 12, 5, 1, 3), (1, 0, 9, 10, 5, 0, 3), (1, 0, 11, 12, 5, 0, 3),
    (2, 0, 1, 3, 5, 0, 1), (2, 0, 2, 3, 5, 1, 1), (0, 0, 13, 14, 5, 2, 1), (1, 0, 13, 14, 5, 2, 1), (0, 0, 15, 16, 5, 1, NULL), (2, 0, 4, 5, 5, 0, NULL),
    (1, 0, 19, 20, 5, 2, NULL), (0, 0, 22, 23, 5, 2, NULL), (1, 0, 22, 23, 5, 2, NULL), (0, 0, 24, 25, 5, 1, NULL), (1, 0, 25, 26, 5, 1, NULL),
    (1, 0, 28, 29, 5, 2, NULL), (1, 0, 31, 32, 5, 2, NULL);
