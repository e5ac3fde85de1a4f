-- Two ranks that each spent 290 years in MPI, all threads together: their sum in nanoseconds is no 64-bit integer.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Barrier', 'collective');
INSERT INTO process (rank, world_size, outcome, clock_offset_ns, began_ns, last_seen_ns, threads, calls, mpi_ns, lost, damaged)
VALUES (0, 2, 'finalized', 0, 0, 9151488000000000000, 1, 1, 9151488000000000000, 0, 0),
       (1, 2, 'finalized', 0, 0, 9151488000000000000, 1, 1, 9151488000000000000, 0, 0);
INSERT INTO profile (rank, communicator, object, function, site, size_class, calls, time_ns, min_ns, max_ns, sent_bytes, received_bytes)
SELECT rank, 0, 0, 1, 0, 0, 1, mpi_ns, mpi_ns, mpi_ns, 0, 0 FROM process;
