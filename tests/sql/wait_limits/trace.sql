-- Two ranks whose events cover the second half of the run. Rank 0 waits 3000 ns in a barrier. Rank 1 waits 180 ns in an allreduce: that is 5.6 % of
-- the MPI time, but 0.9 % of the ranks' time, so no finding. Both die, and the job ends as long afterwards as they ran.
INSERT INTO function (function, name, class) VALUES (3, 'MPI_Barrier', 'collective'), (4, 'MPI_Allreduce', 'collective'),
    (5, 'MPI_Comm_rank', 'communicator');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, clock_error_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    VALUES (0, 2, 'a', 1, 'p', 0, 0, 0, 0, 20000, 'died', 1, 9, 3000, 0, 0), (1, 2, 'a', 2, 'p', 0, 0, 0, 0, 20000, 'died', 1, 9, 210, 0, 0);
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
    SELECT value, 3, 'communicator', 'team', 'program', 700, 0, 0, 0, 0 FROM json_each('[0,1]');
INSERT INTO communicator (rank, object, size, own_rank) SELECT value, 3, 2, value FROM json_each('[0,1]');
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, collective, direction, nth) VALUES
    (1, 0, 0, 5, 3, 30, 10000, 10, 1, NULL, NULL, NULL, NULL, NULL, NULL),
    (0, 0, 1, 3, 3, 31, 10000, 3010, 1, NULL, NULL, 0, 4, NULL, NULL), (1, 0, 1, 3, 3, 31, 13000, 10, 1, NULL, NULL, 0, 4, NULL, NULL),
    (0, 0, 2, 4, 3, 32, 19990, 10, 1, NULL, NULL, 8, 5, NULL, NULL), (1, 0, 2, 4, 3, 32, 19810, 190, 1, NULL, NULL, 8, 5, NULL, NULL);
INSERT INTO meta VALUES (0, 'job.command', 'mpirun ./p'), (0, 'job.ran_ns', '40000'), (0, 'job.exit_code', '1');
