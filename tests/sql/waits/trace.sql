-- Eight ranks. rows: 0,1 and 2,3 (uid 701, 702); cols: 0,2 and 1,3 (711, 712); bridge: an intercommunicator of 4,5 and 6,7 (720), made of halves.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Recv', 'point-to-point'), (2, 'MPI_Send', 'point-to-point'), (3, 'MPI_Barrier', 'collective'),
    (4, 'MPI_Wait', 'completion'), (5, 'MPI_Finalize', 'lifecycle'), (6, 'MPI_Win_fence', 'one-sided'), (7, 'MPI_Bcast', 'collective'),
    (8, 'MPI_Waitany', 'completion'), (9, 'MPI_Win_lock', 'one-sided'), (10, 'MPI_Ibarrier', 'collective'), (11, 'MPI_Probe', 'point-to-point'),
    (12, 'MPI_Neighbor_alltoall', 'collective'), (13, 'MPI_Comm_dup', 'communicator'), (14, 'MPI_Sendrecv', 'point-to-point'),
    (15, 'MPI_File_write_all', 'io'), (16, 'MPI_File_read', 'io'), (17, 'MPI_Comm_create_group', 'communicator');
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
UPDATE function SET waits = CASE name WHEN 'MPI_Recv' THEN 'receive' WHEN 'MPI_Send' THEN 'send' WHEN 'MPI_Barrier' THEN 'collective' WHEN 'MPI_Wait' THEN 'all-requests'
    WHEN 'MPI_Finalize' THEN 'everybody' WHEN 'MPI_Win_lock' THEN 'target' END;
-- Rank 1 is in the 3rd collective call on cols; rank 3 has begun two.
UPDATE thread SET collective = 3 WHERE rank = 1 AND thread = 0;
INSERT INTO collective (rank, object, begun, function, root, hash, data_hash) VALUES (1, 4, 3, 3, NULL, 0, 0), (3, 4, 2, 3, NULL, 0, 0);
