-- Open MPI ended rank 0 in MPI_Recv: a message was truncated. Its launcher ended rank 1.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Recv', 'point-to-point'), (2, 'MPI_Barrier', 'collective');
INSERT INTO process (rank, world_size, node, pid, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 2, 'node', 11, 0, 0, 280000000, 'died', 1, 1, 1, 0, 0), (1, 2, 'node', 12, 0, 0, 280000000, 'died', 1, 1, 1, 0, 0);
INSERT INTO thread (rank, thread, tid, threads, state, function, since_ns, until_ns, calls, mpi_ns) VALUES
    (0, 0, 11, 1, 'inside', 1, 9, 8, 1, 1), (1, 0, 12, 1, 'inside', 2, 9, 8, 1, 1);
INSERT INTO meta VALUES (0, 'job.command', 'mpirun -n 2 ./solver'), (0, 'job.ran_ns', '9100000000'), (0, 'job.pid', '10'),
    (0, 'job.exit_code', '15'), (0, 'mpi', 'Open MPI v4.1.4');
