-- Six ranks. rows: 0-2 and 3-5 (uid 701, 702); uid 703: all, a window on it (740); uid 720: an intercommunicator.
INSERT INTO function (function, name, class, root) VALUES (1, 'MPI_Bcast', 'collective', 4), (2, 'MPI_Reduce', 'collective', 6),
    (3, 'MPI_Barrier', 'collective', NULL), (4, 'MPI_Gather', 'collective', 7), (5, 'MPI_Alltoallv', 'collective', NULL), (6, 'MPI_Win_fence', 'one-sided', NULL),
    (7, 'MPI_Comm_free', 'communicator', NULL), (8, 'MPI_Comm_create', 'communicator', NULL);
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 6, 'node', 100 + value, '/opt/app/solver', 0, 0, 0, 60000000000, 'finalized', 1, 5, 1, 0, 0 FROM json_each('[0,1,2,3,4,5]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, created_ns, internal, predefined, adopted)
    SELECT value, 1, 'communicator', 'rows', 'program', 701 + value / 3, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 2, 'communicator', 'all', 'program', 703, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 3, 'window', 'ghosts', 'program', 740, 2, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 4, 'communicator', 'bridge', 'program', 720, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 5, 'communicator', 'long', 'program', 750, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 6, 'communicator', 'short', 'program', 760, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 7, 'communicator', 'unused', 'program', 770, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 10, 'communicator', 'gone', 'program', 780, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 12, 'communicator', 'makers', 'program', 800, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 11, 'communicator', 'turns', 'program', 790, NULL, 0, 0, 0, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 8, 'datatype', 'MPI_INT', 'mpi', NULL, NULL, 0, 0, 1, 0 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 9, 'datatype', 'MPI_FLOAT', 'mpi', NULL, NULL, 0, 0, 1, 0 FROM json_each('[0,1,2,3,4,5]');
UPDATE object SET freed_ns = 1 WHERE object = 6 AND rank = 5 OR object = 10;
INSERT INTO communicator (rank, object, size, own_rank, remote_size)
    SELECT value, 1, 3, value % 3, NULL FROM json_each('[0,1,2,3,4,5]') UNION ALL SELECT value, 2, 6, value, NULL FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 4, 3, value % 3, 3 FROM json_each('[0,1,2,3,4,5]') UNION ALL SELECT value, 5, 6, value, NULL FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 6, 6, value, NULL FROM json_each('[0,1,2,3,4,5]') UNION ALL SELECT value, 7, 6, value, NULL FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 10, 6, value, NULL FROM json_each('[0,1,2,3,4,5]') UNION ALL SELECT value, 11, 6, value, NULL FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 12, 6, value, NULL FROM json_each('[0,1,2,3,4,5]');
INSERT INTO window (rank, object, communicator) SELECT value, 3, 2 FROM json_each('[0,1,2,3,4,5]');
INSERT INTO site VALUES (9, NULL, 9), (10, NULL, 10);
-- Rank 3 returned with an error from its third call on rows. Rank 2 made one call less on short; rank 5 freed it. Only rank 1 made a call on unused.
-- gone was freed, and only rank 1 still knows how many calls it made.
INSERT INTO collective (rank, object, begun, function, root, hash, data_hash, data_unknown, failed)
    SELECT value, 1, 4, 3, NULL, CASE value WHEN 2 THEN 8 WHEN 4 THEN 9 ELSE 7 END, 7, NULL, CASE value WHEN 3 THEN 3 END FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 2, 3, 5, NULL, 7, CASE value WHEN 0 THEN 8 WHEN 2 THEN 9 ELSE 7 END, CASE value WHEN 1 THEN 2 END, NULL FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 3, 2, 6, NULL, CASE value WHEN 5 THEN 8 ELSE 7 END, 7, NULL, NULL FROM json_each('[0,1,2,3,4,5]')
    -- turns: hashes skip calls without data, so they are equal although rank 0 has its data in the other call
    UNION ALL SELECT value, 11, 2, 1, NULL, 7, 7, NULL, NULL FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 12, 3, 8, NULL, 7, 7, 1, NULL FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 4, 2, 2, NULL, 7 + value, 7, NULL, NULL FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 5, 100, 1, NULL, value / 4, 7, 70, NULL FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT 1, 7, 1, 3, NULL, 7, 7, NULL, NULL UNION ALL SELECT 1, 10, 2, 7, NULL, 7, 7, NULL, NULL
    UNION ALL SELECT value, 6, CASE value WHEN 2 THEN 1 WHEN 5 THEN 3 ELSE 2 END, 3, NULL, 7, 7, NULL, NULL FROM json_each('[0,1,2,3,4,5]');
INSERT INTO collective_call (rank, object, number, function, root, op, compared, signature, own, size_bytes, own_bytes, type, site)
    -- rows: equal; different roots in the first part; after an error nothing is said of the other
    SELECT value, 1, 1, 1, 0, NULL, 'all', 9223372036854775044, NULL, 16, NULL, 8, 9 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 1, 2, 2, value / 2, 'MPI_SUM', 'all', 9223372036854775044, NULL, 16, NULL, 8, 9 FROM json_each('[0,1,2]')
    UNION ALL SELECT value, 1, 2, 2, 0, CASE value WHEN 4 THEN 'MPI_MAX' ELSE 'MPI_SUM' END, 'all', 9223372036854775044, NULL, 16, NULL, 8, 9 FROM json_each('[3,4,5]')
    UNION ALL SELECT value, 1, 3, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 1, 4, CASE value WHEN 3 THEN 1 ELSE 3 END, CASE value WHEN 3 THEN 0 END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9 FROM json_each('[0,1,2,3,4,5]')
    -- all: the root of MPI_Gather expects more than the others send; bytes of no type and floats pass; pairs that differ in types
    UNION ALL SELECT value, 2, 1, 4, 0, NULL, 'all', CASE value WHEN 0 THEN -9223372036854775048 ELSE 9223372036854775044 END, CASE value WHEN 0 THEN 9223372036854775044 END, CASE value WHEN 0 THEN 32 ELSE 16 END,
                     CASE value WHEN 0 THEN 16 END, 8, 9 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 2, 2, 1, 0, NULL, 'all', CASE value WHEN 1 THEN 2 WHEN 2 THEN 99 ELSE 9223372036854775044 END, NULL, 16, NULL, CASE value WHEN 2 THEN 9 ELSE 8 END, 9
              FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 2, 3, 5, NULL, NULL, 'pairs', (1 << 40) + 10, (1 << 40) + CASE value WHEN 4 THEN 11 ELSE 10 END, 24, 24, 8, 9 FROM json_each('[0,1,2,3,4,5]')
    -- the window: another function on rank 5, and what follows from it
    UNION ALL SELECT value, 3, 1, CASE value WHEN 5 THEN 3 ELSE 6 END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, CASE value WHEN 5 THEN 10 ELSE 9 END
              FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 3, 2, CASE value WHEN 5 THEN 1 ELSE 6 END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9 FROM json_each('[0,1,2,3,4,5]')
    -- the intercommunicator: rank 1 is the root, and its neighbours in the group may pass any operation; then rank 4 passes another one
    UNION ALL SELECT r.value, 4, n.value, 2, CASE WHEN r.value = 1 THEN -3 WHEN r.value < 3 THEN -2 ELSE 1 END,
                     CASE WHEN r.value = 0 OR r.value = 4 AND n.value = 2 THEN 'MPI_MAX' ELSE 'MPI_SUM' END, NULL, NULL, NULL, NULL, NULL, NULL, 9
              FROM json_each('[0,1,2,3,4,5]') r, json_each('[1,2]') n
    UNION ALL SELECT value, 6, 1, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 6, 2, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9 FROM json_each('[0,1,3,4,5]')
    UNION ALL SELECT r.value, 11, n.value, 1, 0, NULL, 'all', iif((r.value = 0) = (n.value = 1), 1, 9223372036854775044), NULL, iif((r.value = 0) = (n.value = 1), 0, 16), NULL, 8, 9
              FROM json_each('[0,1,2,3,4,5]') r, json_each('[1,2]') n
    UNION ALL SELECT 1, 7, 1, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9
    UNION ALL SELECT 5, 6, 3, 7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9;
-- long: ranks 4 and 5 differ between the 17th and the 32nd call, which nobody has kept
INSERT INTO collective_point (rank, object, number, hash, data_hash, data_unknown)
    SELECT r.value, 5, n.value, CASE WHEN n.value > 16 THEN r.value / 4 ELSE 5 END, 6, 70 FROM json_each('[0,1,2,3,4,5]') r, json_each('[8,16,32,64]') n;
-- makers: groups 0-2 and 3,4, which rank 5 passes, too. Then rank 2 passes the group 2,3, as rank 3 does, but 0 and 1 pass 0-2. Then rank 5 is missing.
INSERT INTO collective_call (rank, object, number, function, root, op, compared, signature, own, size_bytes, own_bytes, type, site)
    SELECT value, 12, 1, 8, NULL, NULL, 'group', iif(value < 3, 1001, 1002), iif(value = 5, NULL, 1), iif(value < 3, 3, 2), NULL, NULL, 9 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 12, 2, 8, NULL, NULL, 'group', CASE WHEN value < 2 THEN 1001 WHEN value < 4 THEN 1003 ELSE 1 END, iif(value < 4, 1, NULL),
                     CASE WHEN value < 2 THEN 3 WHEN value < 4 THEN 2 ELSE 0 END, NULL, NULL, 9 FROM json_each('[0,1,2,3,4,5]')
    UNION ALL SELECT value, 12, 3, 8, NULL, NULL, 'group', 1004, 1, 6, NULL, NULL, 9 FROM json_each('[0,1,2,3,4]');
