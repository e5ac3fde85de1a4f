-- Four ranks. bridge (uid 720): an intercommunicator of 0,1 and 2,3; equal: another, with equal hashes.
INSERT INTO function (function, name, class, root) VALUES (1, 'MPI_Bcast', 'collective', 4), (2, 'MPI_Allreduce', 'collective', NULL);
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 4, 'node', 100 + value, '/opt/app/solver', 0, 0, 0, 60000000000, 'finalized', 1, 5, 1, 0, 0 FROM json_each('[0,1,2,3]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
    SELECT value, 1, 'communicator', 'bridge', 'program', 720, 0, 0, 0, 0 FROM json_each('[0,1,2,3]')
    UNION ALL SELECT value, 2, 'communicator', 'equal', 'program', 730, 0, 0, 0, 0 FROM json_each('[0,1,2,3]');
INSERT INTO communicator (rank, object, size, own_rank, remote_size)
    SELECT r.value, o.value, 2, r.value % 2, 2 FROM json_each('[0,1,2,3]') r, json_each('[1,2]') o;
INSERT INTO collective (rank, object, begun, function, root, hash, data_hash)
    SELECT value, 1, 10, 1, NULL, value, 7 FROM json_each('[0,1,2,3]') UNION ALL SELECT value, 2, 2, 1, NULL, 7, 7 FROM json_each('[0,1,2,3]');
-- MPI_ROOT is -3, MPI_PROC_NULL -2.
WITH call (object, number, a, b, c, d) AS (VALUES
         (1, 1, -3, -2, 0, 0),  -- correct
         (1, 2, -3, -2, 1, 1),  -- MPI_ROOT on another rank than the others name
         (1, 3, -3, 0, 0, 0),   -- the neighbour of the root names it
         (1, 4, -2, -2, 0, 0),  -- nobody is the root
         (1, 5, -3, -2, 0, -2), -- MPI_PROC_NULL in the other group
         (1, 6, -2, -2, -2, -2), -- no data at all
         (1, 7, 1, 1, -2, -3),  -- correct
         (1, 8, -3, -2, -3, -2), -- two roots
         (2, 1, 0, 0, 0, 0)),   -- each group names a root in the other one
     part (rank, object, number, root) AS (
         SELECT 0, object, number, a FROM call UNION ALL SELECT 1, object, number, b FROM call
         UNION ALL SELECT 2, object, number, c FROM call UNION ALL SELECT 3, object, number, d FROM call
         -- rank 0, which may be the root, has not kept the call
         UNION ALL SELECT 1, 1, 9, -2 UNION ALL SELECT 2, 1, 9, 0 UNION ALL SELECT 3, 1, 9, 0)
INSERT INTO collective_call (rank, object, number, function, root) SELECT rank, object, number, 1, root FROM part
    -- no call with a root
    UNION ALL SELECT value, 1, 10, 2, NULL FROM json_each('[0,1,2,3]') UNION ALL SELECT value, 2, 2, 2, NULL FROM json_each('[0,1,2,3]');
