-- Rank 0 finalized; 1 and 2 ended in MPI_Finalize; 3 died in another call, 4 outside MPI.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Finalize', 'lifecycle'), (2, 'MPI_Recv', 'point-to-point');
INSERT INTO process (rank, world_size, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome, last_function) VALUES
    (0, 5, 0, 1, 1, 0, 0, 0, 'finalized', NULL), (1, 5, 0, 1, 1, 0, 0, 0, 'exited', 1), (2, 5, 0, 1, 1, 0, 0, 0, 'died', 1),
    (3, 5, 0, 1, 1, 0, 0, 0, 'died', 2), (4, 5, 0, 1, 1, 0, 0, 0, 'exited', NULL);
-- All messages are known of the communicator of 0, 1 and 2, and not of the one of 0, 2 and 3.
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted)
    SELECT rank, 1, 'communicator', 'ended', 701, 0, 0, 0 FROM process WHERE rank IN (0, 1, 2)
    UNION ALL SELECT rank, 2, 'communicator', 'open', 702, 0, 0, 0 FROM process WHERE rank IN (0, 2, 3);
INSERT INTO communicator (rank, object, size) SELECT rank, object, 3 FROM object;
