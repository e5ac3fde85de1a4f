-- Eight ranks. rows: 0,1 and 2,3 (uid 701, 702); cols: 0,2 and 1,3 (711, 712); bridge: an intercommunicator of 4,5 and 6,7 (720), made of halves.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Recv', 'point-to-point'), (2, 'MPI_Send', 'point-to-point'), (3, 'MPI_Barrier', 'collective'),
    (4, 'MPI_Wait', 'completion'), (5, 'MPI_Finalize', 'lifecycle'), (6, 'MPI_Win_fence', 'one-sided'), (7, 'MPI_Bcast', 'collective'),
    (8, 'MPI_Waitany', 'completion'), (9, 'MPI_Win_lock', 'one-sided'), (10, 'MPI_Ibarrier', 'collective'), (11, 'MPI_Probe', 'point-to-point'),
    (12, 'MPI_Neighbor_alltoall', 'collective'), (13, 'MPI_Comm_dup', 'communicator'), (14, 'MPI_Sendrecv', 'point-to-point'),
    (15, 'MPI_File_write_all', 'io'), (16, 'MPI_File_read', 'io'), (17, 'MPI_Comm_create_group', 'communicator'),
    (18, 'MPI_Win_start', 'one-sided'), (19, 'MPI_Win_wait', 'one-sided');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 8, 'node', 100 + value, '/opt/app/solver', 0, 0, 0, 60000000000 + value, CASE value WHEN 5 THEN 'died' WHEN 7 THEN 'finalized' ELSE 'running' END, 1, 5, 1, 0, 0
    FROM json_each('[0,1,2,3,4,5,6,7]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, created_ns, internal, predefined, adopted)
    SELECT value, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', 700, NULL, 0, 0, 1, 0 FROM json_each('[0,1,2,3,4,5,6,7]')
    UNION ALL SELECT value, 2, 'communicator', 'MPI_COMM_SELF', 'mpi', NULL, NULL, 0, 0, 1, 0 FROM json_each('[0,1,2,3,4,5,6,7]')
    UNION ALL SELECT value, 3, 'communicator', 'rows', 'program', 701 + value / 2, 1, 1, 0, 0, 0 FROM json_each('[0,1,2,3]')
    UNION ALL SELECT value, 4, 'communicator', 'cols', 'program', 711 + value % 2, 1, 1, 0, 0, 0 FROM json_each('[0,1,2,3]')
    UNION ALL SELECT value, 3, 'communicator', 'half', 'program', 721 + value / 6, 1, 1, 0, 0, 0 FROM json_each('[4,5,6,7]')
    UNION ALL SELECT value, 4, 'communicator', 'bridge', 'program', 720, 3, 1, 0, 0, 0 FROM json_each('[4,5,6,7]')
    UNION ALL SELECT value, 5, 'window', 'ghosts', 'program', 730 + value / 2, 3, 1, 0, 0, 0 FROM json_each('[0,1,2,3]')
    UNION ALL SELECT value, 6, 'file', 'out.dat', 'program', 740, 1, 1, 0, 0, 0 FROM json_each('[0,1,2,3,4,5,6,7]');
INSERT INTO communicator (rank, object, size, own_rank, remote_size)
    SELECT value, 1, 8, value, NULL FROM json_each('[0,1,2,3,4,5,6,7]') UNION ALL SELECT value, 2, 1, 0, NULL FROM json_each('[0,1,2,3,4,5,6,7]')
    UNION ALL SELECT value, 3, 2, value % 2, NULL FROM json_each('[0,1,2,3,4,5,6,7]') UNION ALL SELECT value, 4, 2, value / 2, NULL FROM json_each('[0,1,2,3]')
    UNION ALL SELECT value, 4, 2, value % 2, 2 FROM json_each('[4,5,6,7]');
INSERT INTO window (rank, object, communicator) SELECT value, 5, 3 FROM json_each('[0,1,2,3]');
INSERT INTO site VALUES (9, NULL, 9);
INSERT INTO thread (rank, thread, tid, threads, state, function, object, peer, tag, bytes, site, since_ns, until_ns, calls, mpi_ns) VALUES
    (0, 0, 100, 1, 'inside', 1, 3, 1, 7, 4, 9, 10000000000, 9000000000, 5, 1), -- from rank 1 of rows
    (1, 0, 101, 1, 'inside', 3, 4, NULL, NULL, NULL, 9, 11000000000, 9000000000, 5, 1), -- barrier on cols
    (1, 1, 111, 1, 'outside', 2, 3, 0, 1, 4, 9, 11000000000, 12000000000, 5, 1), -- and a thread that computes
    (2, 0, 102, 1, 'inside', 9, 5, 1, NULL, NULL, 9, 12000000000, 9000000000, 5, 1), -- lock of rank 1 of the window's communicator
    (3, 0, 103, 1, 'outside', 2, 4, 0, 1, 4, 9, 13000000000, 14000000000, 5, 1),
    (4, 0, 104, 1, 'inside', 4, 4, 1, -1, 4, 9, 14000000000, 9000000000, 5, 1), -- wait for rank 1 beyond the bridge
    (5, 0, 105, 1, 'inside', 2, 1, 6, 3, 4, 9, 15000000000, 9000000000, 5, 1), -- died while sending
    (6, 0, 106, 1, 'inside', 5, NULL, NULL, NULL, NULL, 9, 16000000000, 9000000000, 5, 1), -- MPI_Finalize
    (6, 1, 116, 1, 'ended', 2, 1, 0, 1, 4, 9, 11000000000, 12000000000, 5, 1),
    (7, 0, 107, 1, 'inside', 5, NULL, NULL, NULL, NULL, 9, 16000000000, 9000000000, 5, 1); -- is done
-- Every thread in a call of another kind, by a rank of its own.
DELETE FROM thread;
UPDATE function SET waits = CASE name WHEN 'MPI_Recv' THEN 'receive' WHEN 'MPI_Probe' THEN 'receive' WHEN 'MPI_Send' THEN 'send' WHEN 'MPI_Sendrecv' THEN 'exchange'
    WHEN 'MPI_Wait' THEN 'all-requests' WHEN 'MPI_Waitany' THEN 'any-request' WHEN 'MPI_Finalize' THEN 'everybody' WHEN 'MPI_Win_lock' THEN 'target'
    WHEN 'MPI_Win_start' THEN 'posts' WHEN 'MPI_Win_wait' THEN 'completes'
    WHEN 'MPI_Comm_create_group' THEN 'others' WHEN 'MPI_Ibarrier' THEN NULL WHEN 'MPI_File_read' THEN NULL ELSE 'collective' END;
INSERT INTO thread (rank, thread, tid, threads, state, function, object, peer, tag, bytes, site, since_ns, until_ns, calls, mpi_ns, transfer) SELECT 0, function, 200 + function, 1, 'inside', function, CASE WHEN function IN (6, 9, 18, 19) THEN 5 WHEN function IN (15, 16) THEN 6 WHEN function = 5 THEN NULL ELSE 2 END,
    CASE WHEN function IN (1, 2, 4, 7, 11, 14) THEN 0 WHEN function = 8 THEN -1 END, NULL, NULL, 9, 1, NULL, 1, 1, NULL FROM function;
-- Its traffic identifies a peer whose trace is missing.
DELETE FROM process WHERE rank = 1;
DELETE FROM object WHERE rank = 1;
DELETE FROM communicator WHERE rank = 1;
INSERT INTO traffic VALUES (0, 3, 'send', 1, 0, 1, 1, 4, 1);
INSERT INTO thread (rank, thread, tid, threads, state, function, object, peer, tag, bytes, site, since_ns, until_ns, calls, mpi_ns) VALUES (0, 90, 290, 1, 'inside', 1, 3, 1, 5, 4, 9, 1, NULL, 1, 1), (0, 91, 291, 1, 'inside', 1, 4, 1, 5, 4, 9, 1, NULL, 1, 1),
    (0, 92, 292, 1, 'inside', 1, 1, 1, 5, 4, 9, 1, NULL, 1, 1), (0, 93, 293, 1, 'inside', 1, 1, -2, 5, 4, 9, 1, NULL, 1, 1);
