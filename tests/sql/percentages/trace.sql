-- Calls from callbacks are counted in the call around them as well: more time in MPI than there was. Rank 1 was never heard of.
INSERT INTO process (rank, clock_offset_ns, began_ns, seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 0, 0, 1000, 'finalized', 1, 4, 1500, 0, 0), (1, 0, NULL, NULL, 'died', 0, 0, 0, 0, 0), (2, 0, 0, 1000, 'finalized', 2, 4, 1500, 0, 0);
INSERT INTO thread (rank, thread, threads, doing, calls, mpi_ns) VALUES (0, 0, 1, 'outside', 4, 1500), (2, 0, 1, 'outside', 2, 900), (2, 1, 1, 'outside', 2, 600);
