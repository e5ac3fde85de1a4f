-- A process that died before MPI_Init returned.
INSERT INTO process (rank, pid, program, clock_offset_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    VALUES (-815, 815, '/opt/app/a.out', 0, 5000, 'died', 0, 0, 0, 0, 0);
