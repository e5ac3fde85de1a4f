-- Three ranks that run: 0 and 1 have been in MPI_Barrier on "team" for 5 and 4 s, rank 2 computes. Rank 1 has a thread in MPI_Win_fence on a
-- window of "team" for 1 s and one in MPI_File_close on a file that was opened on "team" for 2 s. Rank 3 waits in MPI_Finalize for 3 s. A thread
-- that is outside was inside before: that call is in the profile.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Barrier', 'collective'), (2, 'MPI_Win_fence', 'one-sided'), (3, 'MPI_File_close', 'io'), (4, 'MPI_Finalize', 'lifecycle');
INSERT INTO process (rank, world_size, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT column1, 4, 0, 0, 10000000000, 'running', CASE column1 WHEN 1 THEN 3 ELSE 1 END, 1, column2, 0, 0
    FROM (VALUES (0, 5200000000), (1, 7300000000), (2, 100000000), (3, 3000000000));
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, internal, predefined, adopted)
    SELECT column1, 1, 'communicator', 'team', 'program', 700, NULL, 0, 0, 0 FROM (VALUES (0), (1), (2))
    UNION ALL SELECT 1, 2, 'window', 'halo', 'program', NULL, NULL, 0, 0, 0 UNION ALL SELECT 1, 3, 'file', 'out.dat', 'mpi', NULL, 1, 0, 0, 0;
INSERT INTO communicator (rank, object, size, own_rank, members, topology) SELECT rank, 1, 3, rank, CASE rank WHEN 0 THEN '0-2' END, 'none' FROM object WHERE object = 1;
INSERT INTO window (rank, object, communicator) VALUES (1, 2, 1);
INSERT INTO profile VALUES (0, 1, 0, 1, 9, 0, 1, 200000000, 200000000, 200000000, 0, 0), (1, 1, 0, 1, 9, 0, 1, 300000000, 300000000, 300000000, 0, 0),
    (2, 1, 0, 1, 9, 0, 1, 100000000, 100000000, 100000000, 0, 0);
INSERT INTO thread (rank, thread, tid, threads, state, function, object, since_ns, until_ns, calls, mpi_ns, lived_ns, site) VALUES
    (0, 0, 1, 1, 'inside', 1, 1, 5000000000, 1000000000, 1, 5200000000, 10000000000, 9),
    (1, 0, 2, 1, 'inside', 1, 1, 6000000000, 1000000000, 1, 4300000000, 10000000000, 9),
    (1, 1, 3, 1, 'inside', 2, 2, 9000000000, NULL, 0, 1000000000, 1500000000, 8),
    (1, 2, 4, 1, 'inside', 3, 3, 8000000000, NULL, 0, 2000000000, 2500000000, NULL),
    (2, 0, 5, 1, 'outside', 1, 1, 900000000, 1000000000, 1, 100000000, 10000000000, 9),
    (3, 0, 6, 1, 'inside', 4, NULL, 7000000000, NULL, 0, 3000000000, 10000000000, 7);
